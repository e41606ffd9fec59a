"""The AEC form: agents act in turn, those of a simultaneous secret choice in the order of seats, unseen by others."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from hexdeck.engine.errors import IllegalMove
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.envs.pettingzoo.common import PettingZooEnv
from hexdeck.envs.single import Reward
from hexdeck.simulation.game import Game


class GameAECEnv(PettingZooEnv, AECEnv):
    """A game as an AEC environment; see `hexdeck.envs.pettingzoo.env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: Reward = None) -> None:
        AECEnv.__init__(self)
        PettingZooEnv.__init__(self, game, render_mode, illegal_reward, parallel=False)
        self._idle = np.ones(len(game.rules.ACTIONS), np.int8)  # the mask of agents that have nothing to decide
        self._idle.flags.writeable = False
        self._observed: tuple[np.ndarray, np.ndarray] | None = None  # the selected agent's observation and mask

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; see `hexdeck.envs.episodes.Episodes.begin` for seed and options."""
        self.episodes.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._idle} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(self.episodes.current)
        if self.render_mode == "human":
            self.render()

    def step(self, action: Any) -> None:
        """Apply the selected agent's action; an illegal one ends the match, or raises IllegalMove without a reward."""
        if self._observed is None:
            self.episodes.require()
            self._was_dead_step(action)
            return
        agent, match, chosen = self.agent_selection, self.episodes.current, self.episodes.action(action)
        try:
            match.play(self.seat_of[agent], chosen)
        except IllegalMove:
            cost = self.penalty
            if cost is None:
                raise
            self._stop(agent, cost)
        else:
            self._cumulative_rewards[agent] = 0
            self.infos[agent] = {"action_mask": self._idle}
            self._go_on(match)
        if self.render_mode == "human":
            self.render()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Iterate over selected agents until the match is over; raises BadOption before the first reset."""
        self.episodes.require()
        return AECEnv.agent_iter(self, max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward, termination, truncation, info; BadOption before the first reset."""
        if not self.agents:
            self.episodes.require()
        agent = self.agent_selection
        observation = self.observe(agent) if observe else None
        return (
            observation,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _go_on(self, match: Match) -> None:
        """Select the next agent, or distribute the rewards of a match that is over."""
        if match.actor >= 0:
            self._select(match.actor)
            return
        self.rewards = dict(zip(self.possible_agents, match.returns(), strict=True))
        self._end()

    def _select(self, seat: int) -> None:
        """Select a seat's agent; its observation and its info both have the action mask."""
        self.agent_selection = agent = self.possible_agents[seat]
        self._observed = self.episodes.observe(seat)
        self.infos[agent] = {"action_mask": self._observed[1].copy()}

    def _stop(self, agent: str, reward: float) -> None:
        """End the match after an agent's illegal action."""
        self.episodes.stop()
        self.infos = {player: {"action_mask": self._idle} for player in self.agents}
        self._cumulative_rewards[agent], self.rewards[agent] = 0, reward
        self._end()

    def _end(self) -> None:
        """Terminate all agents with their rewards; they leave in turn by stepping with None."""
        self._observed, self.terminations = None, dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _was_dead_step(self, action: None) -> None:
        """Remove the selected agent of a match that has ended; raises ValueError for an action."""
        if action is not None:
            raise ValueError(
                str(say("The match is over: {agent} can only step with None.", agent=self.agent_selection))
            )
        agent = self.agents.pop(0)
        for table in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del table[agent]
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """An agent's observation and action mask; the mask is all ones unless the agent has a decision."""
        if self._observed is not None and agent == self.agent_selection:
            observation, mask = self._observed
            return {"observation": observation.copy(), "action_mask": mask.copy()}
        return {"observation": self.episodes.observe(self.seat(agent))[0], "action_mask": self._idle.copy()}

    def render(self) -> Any:
        """The table as the selected agent sees it: text, or a picture, uint8 (height, width, 3); None if printed."""
        return self.rendered(-1 if self.episodes.over else self.seat_of[self.agent_selection])

    def close(self) -> None:
        """Do nothing: there are no resources to release."""
