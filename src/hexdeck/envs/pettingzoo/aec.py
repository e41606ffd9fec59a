"""Agents in turn: of seats that choose in secret at once the lowest comes first, and the others can't tell."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from hexdeck.engine.errors import IllegalMove
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.envs.forms import checked_reward
from hexdeck.envs.pettingzoo.common import Table
from hexdeck.simulation.game import Game


class TableEnv(Table, AECEnv):
    """A game in PettingZoo's AEC form; see `hexdeck.envs.pettingzoo.env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: float | None = None) -> None:
        AECEnv.__init__(self)
        self.illegal_reward = checked_reward(illegal_reward)
        Table.__init__(self, game, render_mode, parallel=False)
        self._nothing = np.zeros(len(game.rules.ACTIONS), np.int8)  # what others may do while one is to act
        self._nothing.flags.writeable = False
        self._seen: tuple[np.ndarray, np.ndarray] | None = None  # what the agent that is to act observes, and its mask

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
        self._go_on(self.seats.playing)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """The selected agent acts. An illegal action ends the match; without a reward for it, it raises IllegalMove."""
        if self._seen is None:
            self.seats.require()
            self._was_dead_step(action)
            return
        agent, match, chosen = self.agent_selection, self.seats.playing, self.seats.action(action)
        try:
            match.play(self.seat_of[agent], chosen)
        except IllegalMove:
            if self.illegal_reward is None:
                raise
            self._stop(agent, self.illegal_reward)
        else:
            self._cumulative_rewards[agent] = 0
            self.infos[agent] = {"action_mask": self._nothing}
            self._go_on(match)
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """The selected agent, again and again, until the match is over; raises BadOption before the first reset."""
        self.seats.require()
        return AECEnv.agent_iter(self, max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What the selected agent observes, its reward, whether it has ended; BadOption before the first reset."""
        if not self.agents:
            self.seats.require()
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        return (
            seen,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _go_on(self, match: Match) -> None:
        """Who is next, with its info, or the rewards of a match that is over."""
        if match.actor >= 0:
            self._select(match.actor)
            return
        self.rewards = dict(zip(self.possible_agents, match.returns(), strict=True))
        self._end()

    def _select(self, seat: int) -> None:
        """It is a seat's turn; both its info and its observation tell what it may do."""
        self.agent_selection = agent = self.possible_agents[seat]
        self._seen = self.seats.seen(seat)
        self.infos[agent] = {"action_mask": self._seen[1]}

    def _stop(self, agent: str, reward: float) -> None:
        """The match ends by an illegal action."""
        self.seats.stop()
        self.infos = {other: {"action_mask": self._nothing} for other in self.agents}
        self.truncations = dict.fromkeys(self.agents, True)
        self._cumulative_rewards[agent], self.rewards[agent] = 0, reward
        self._end()

    def _end(self) -> None:
        """Everybody is told the rewards, and leaves in turn."""
        self._seen, self.terminations = None, dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _was_dead_step(self, action: None) -> None:
        """The selected agent, whose match has ended, leaves; raises ValueError if it wants to act."""
        if action is not None:
            raise ValueError(
                str(say("The match is over: {agent} can only step with None.", agent=self.agent_selection))
            )
        agent = self.agents.pop(0)
        for kept in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del kept[agent]
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent knows and may do; a mask of zeros when it is not its turn."""
        if self._seen is not None and agent == self.agent_selection:
            observation, mask = self._seen
            return {"observation": observation.copy(), "action_mask": mask.copy()}
        return {"observation": self.seats.seen(self.seat(agent))[0], "action_mask": self._nothing.copy()}

    def render(self) -> Any:
        """The table as the selected agent sees it: text, a picture (uint8, height × width × 3), or printed."""
        return self.shown(-1 if self.seats.over else self.seat_of[self.agent_selection])

    def close(self) -> None:
        """Nothing is held that has to be given back."""
