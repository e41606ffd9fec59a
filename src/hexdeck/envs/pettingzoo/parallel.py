"""All agents at every step: those who may choose do so at once, without knowing what the others choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pettingzoo import ParallelEnv

from hexdeck.engine.arguments import shown
from hexdeck.engine.errors import BadMove
from hexdeck.engine.text import _, say
from hexdeck.envs.forms import checked_reward
from hexdeck.envs.pettingzoo.common import Table
from hexdeck.simulation.game import Game

Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class ParallelTable(Table, ParallelEnv):
    """A game in PettingZoo's parallel form; see `hexdeck.envs.pettingzoo.parallel_env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: float | None = None) -> None:
        Table.__init__(self, game, render_mode, parallel=True)
        self.illegal_reward = checked_reward(illegal_reward)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a match; see `hexdeck.envs.seats.Seats.begin` for seed and options."""
        self.seats.begin(seed, options)
        self.agents = self.possible_agents[:]
        self._picture()
        return self._told()

    def step(self, actions: Mapping[str, int]) -> Step:
        """Every seat that may act does what its agent says; what the others say is ignored.

        Raises BadMove when an agent that may act says nothing. When the match is over nobody is told anything.
        """
        match = self.seats.playing
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            text = _("A step takes a dict with an action for each agent that may act, not {given}.")
            raise BadMove(say(text, given=shown(actions)))
        chosen = {seat: self._action(actions, self.possible_agents[seat]) for seat in match.acting}
        wrong = [seat for seat, action in chosen.items() if action not in match.legal_ids(seat)]
        if wrong and self.illegal_reward is None:
            match.copy_position().play(wrong[0], chosen[wrong[0]])  # says why not; nobody's choice has taken effect
        if wrong:
            return self._stopped(wrong, self.illegal_reward or 0.0)
        for seat, action in chosen.items():
            match.play(seat, action)
        self._picture()
        results = match.returns() if match.over else (0.0,) * self.game.players
        return self._ended(dict(zip(self.possible_agents, results, strict=True)), match.over, stopped=False)

    def _action(self, actions: Mapping[str, int], agent: str) -> int:
        if agent not in actions:
            raise BadMove(say("{agent} may act and said nothing.", agent=agent))
        return self.seats.action(actions[agent])

    def _stopped(self, wrong: Sequence[int], reward: float) -> Step:
        """The match ends by illegal actions: whoever tried one pays."""
        self.seats.stop()
        self._picture()
        rewards = {agent: reward if seat in wrong else 0.0 for agent, seat in self.seat_of.items()}
        return self._ended(rewards, over=True, stopped=True)

    def _picture(self) -> None:
        """In the mode "human" every position is shown as it comes."""
        if self.render_mode == "human":
            self.render()

    def _ended(self, rewards: dict[str, float], over: bool, stopped: bool) -> Step:
        seen, infos = self._told()
        agents, self.agents = self.agents, [] if over else self.agents
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, stopped), infos

    def _told(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What every agent observes, and its info: its mask, and whether it may act."""
        acting = () if self.seats.stopped else self.seats.playing.acting
        seen = {agent: self.seen(seat) for seat, agent in enumerate(self.possible_agents)}
        infos = {
            agent: {"action_mask": seen[agent]["action_mask"].copy(), "acting": seat in acting}
            for agent, seat in self.seat_of.items()
        }
        return seen, infos

    def render(self) -> Any:
        """The table as everybody sees it: text, a picture (uint8, height × width × 3), or printed."""
        return self.shown(-1)
