"""Agents in turn: of seats that choose in secret at once the lowest comes first, and the others can't tell."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from hexdeck.engine.game import Game
from hexdeck.envs.pettingzoo.common import Table


class TableEnv(Table, AECEnv):
    """A game in PettingZoo's AEC form; see `hexdeck.envs.pettingzoo.env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: float | None = None) -> None:
        AECEnv.__init__(self)
        self.illegal_reward = illegal_reward
        Table.__init__(self, game, render_mode, parallel=False)
        self._nothing = np.zeros(len(game.rules.ACTIONS), np.int8)  # what others may do while one is to act
        self._nothing.flags.writeable = False

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; see `hexdeck.envs.seats.Seats.begin` for seed and options."""
        self.seats.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._nothing} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()
        self._picture()

    def step(self, action: Any) -> None:
        """The selected agent acts. An illegal action ends the match; without a reward for it, it raises IllegalMove."""
        match, agent = self.seats.playing, self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        chosen = self.seats.action(action)
        self._cumulative_rewards[agent] = 0
        if self.illegal_reward is not None and chosen not in match.legal_ids(self.seat_of[agent]):
            self._stop(agent, self.illegal_reward)
        else:
            match.play(self.seat_of[agent], chosen)
            self.infos[agent] = {"action_mask": self._nothing}
            self._go_on()
        self._picture()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """The selected agent, again and again, until the match is over; raises BadOption before the first reset."""
        self.seats.require()
        return AECEnv.agent_iter(self, max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the selected agent observes, its reward, whether it has ended; BadOption before the first reset."""
        self.seats.require()
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        ended, cut = self.terminations[agent], self.truncations[agent]
        return seen, self._cumulative_rewards[agent], ended, cut, self.infos[agent]

    def _go_on(self) -> None:
        """Who is next, and the rewards of a match that is over."""
        match = self.seats.playing
        if not match.over:
            self._select(match.actor)
            return
        for agent, result in zip(self.possible_agents, match.returns(), strict=True):
            self.rewards[agent], self.terminations[agent] = result, True
        self._accumulate_rewards()
        self._deads_step_first()

    def _stop(self, agent: str, reward: float) -> None:
        """The match ends by an illegal action."""
        self.seats.stop()
        self.infos = {other: {"action_mask": self._nothing} for other in self.agents}
        self.terminations, self.truncations = dict.fromkeys(self.agents, True), dict.fromkeys(self.agents, True)
        self.rewards[agent] = reward
        self._accumulate_rewards()
        self._deads_step_first()

    def _select(self, seat: int) -> None:
        """It is a seat's turn; both its info and its observation tell what it may do."""
        self.agent_selection = agent = self.possible_agents[seat]
        self.infos[agent] = {"action_mask": self.seats.mask(seat)}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent knows and may do; a mask of zeros when it is not its turn."""
        observation = self.seats.playing.observation(self.seat_of[agent])
        known = self.infos.get(agent, {}).get("action_mask", self._nothing)
        return {"observation": observation, "action_mask": known.copy()}

    def render(self) -> Any:
        """The table as the selected agent sees it: text, a picture (uint8, height × width × 3), or printed."""
        return self.shown(-1 if self.seats.over else self.seat_of[self.agent_selection])

    def _picture(self) -> None:
        """In the mode "human" every position is shown as it comes."""
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Nothing is held that has to be given back."""
