"""The base of both PettingZoo forms: agents and their spaces."""

from __future__ import annotations

from typing import Any

from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.text import _, say
from hexdeck.envs.single import RENDER_MODES, Reward, SingleEnv, action_space, observation_space
from hexdeck.envs.versions import module_name
from hexdeck.simulation.game import Game


class PettingZooEnv(SingleEnv):
    """A game whose seats are agents named `player_0` and so on.

    `parallel`: what PettingZoo's converters read as `is_parallelizable`. It is False for the AEC form, since seats take
    turns; `parallel_env` makes the parallel form.
    """

    def __init__(self, game: Game, render_mode: str | None, illegal_reward: Reward, *, parallel: bool) -> None:
        self.prepare(game, render_mode, illegal_reward)
        name = module_name(game.name)
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": parallel, "render_fps": 1}
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """An agent's observation space; see `hexdeck.envs.single.observation_space`."""
        self.seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """An agent's action space: a number for every action of the game."""
        self.seat(agent)
        return self.action_spaces[agent]

    def seat(self, agent: Any) -> int:
        """The seat of an agent; raises BadOption for an unknown agent."""
        if not isinstance(agent, str) or agent not in self.seat_of:
            text = _("There is no agent {agent}; there are {there}.")
            raise BadOption(say(text, agent=shown(agent), there=", ".join(self.possible_agents)))
        return self.seat_of[agent]
