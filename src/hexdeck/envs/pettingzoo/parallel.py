"""The parallel form: in every step all agents that may act do so at once, without knowing the others' actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pettingzoo import ParallelEnv

from hexdeck.engine.errors import BadMove, shown
from hexdeck.engine.text import _, say
from hexdeck.envs.pettingzoo.common import PettingZooEnv
from hexdeck.envs.single import Reward
from hexdeck.simulation.game import Game

Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class GameParallelEnv(PettingZooEnv, ParallelEnv):
    """A game as a parallel environment; see `hexdeck.envs.pettingzoo.parallel_env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: Reward = None) -> None:
        PettingZooEnv.__init__(self, game, render_mode, illegal_reward, parallel=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a match; see `hexdeck.envs.episodes.Episodes.begin` for seed and options."""
        self.episodes.begin(seed, options)
        self.agents = self.possible_agents[:]
        self._show()
        return self._observations()

    def step(self, actions: Mapping[str, int]) -> Step:
        """Apply the actions of all agents that may act; those of others are ignored.

        Raises BadMove when the action of an agent that may act is missing. After the match all dicts are empty.
        """
        match = self.episodes.current
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            text = _("A step takes a dict with an action for each agent that may act, not {given}.")
            raise BadMove(say(text, given=shown(actions)))
        chosen = {seat: self._action(actions, self.possible_agents[seat]) for seat in match.acting}
        wrong = [seat for seat, action in chosen.items() if action not in match.legal_ids(seat)]
        if wrong:
            cost = self.penalty
            if cost is None:
                match.copy_position().play(wrong[0], chosen[wrong[0]])  # raises IllegalMove; no choice has taken effect
            return self._stopped(wrong, cost or 0.0)
        for seat, action in chosen.items():
            match.play(seat, action)
        self._show()
        results = match.returns() if match.over else (0.0,) * self.game.players
        return self._ended(dict(zip(self.possible_agents, results, strict=True)), match.over)

    def _action(self, actions: Mapping[str, int], agent: str) -> int:
        if agent not in actions:
            raise BadMove(say("{agent} may act, but no action was given for it.", agent=agent))
        return self.episodes.action(actions[agent])

    def _stopped(self, wrong: Sequence[int], reward: float) -> Step:
        """End the match after illegal actions: their seats get `reward`, the others 0."""
        self.episodes.stop()
        self._show()
        rewards = {agent: reward if seat in wrong else 0.0 for agent, seat in self.seat_of.items()}
        return self._ended(rewards, over=True)

    def _show(self) -> None:
        """Render the position in the mode "human"."""
        if self.render_mode == "human":
            self.render()

    def _ended(self, rewards: dict[str, float], over: bool) -> Step:
        observations, infos = self._observations()
        agents, self.agents = self.agents, [] if over else self.agents
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observations(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Every agent's observation, and its info: whether it may act. Only the observation has the action mask."""
        acting = () if self.episodes.stopped else self.episodes.current.acting
        observations = {agent: self.observed(seat) for seat, agent in enumerate(self.possible_agents)}
        return observations, {agent: {"acting": seat in acting} for agent, seat in self.seat_of.items()}

    def render(self) -> Any:
        """The table as the public sees it: text, or a picture, uint8 (height, width, 3); None if printed."""
        return self.rendered(-1)
