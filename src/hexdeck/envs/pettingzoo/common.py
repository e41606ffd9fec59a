"""What both PettingZoo forms share: spaces, names of agents, rendering."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium import spaces

from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game
from hexdeck.engine.text import _, say
from hexdeck.envs.seats import Seats
from hexdeck.envs.versions import module_name

RENDER_MODES = ["human", "ansi", "rgb_array"]


class Table:
    """A game at a table of agents named `player_0` and so on; `seats` plays its matches."""

    def __init__(self, game: Game, render_mode: str | None, *, parallel: bool) -> None:
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=repr(render_mode), there=", ".join(RENDER_MODES)))
        self.game, self.render_mode, self.seats = game, render_mode, Seats(game)
        name = module_name(game.name)
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": parallel, "render_fps": 1}
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(len(game.rules.ACTIONS)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """A dict of `observation`, int8 in the game's SLICES, and `action_mask`, int8, 1 for every legal action."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """A number for every action of the game."""
        return self.action_spaces[agent]

    def shown(self, seat: int) -> Any:
        """What a seat (-1: the public) sees, in the render mode's form; "human" prints it."""
        if self.render_mode is None:
            raise BadOption(say("Nothing is rendered without a render mode: {modes}.", modes=", ".join(RENDER_MODES)))
        if self.render_mode == "rgb_array":
            from hexdeck.envs.picture import pixels

            return pixels(self.seats.playing.view(seat))
        text = self.seats.ansi(seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def seen(self, seat: int) -> dict[str, np.ndarray]:
        """What a seat observes."""
        return {"observation": self.seats.playing.observation(seat), "action_mask": self.seats.mask(seat)}

    def clone(self) -> Any:
        """A copy in the same position, which cards still to come are the same for; it goes its own way from there."""
        return copy.deepcopy(self)


def observation_space(game: Game) -> spaces.Dict:
    """The space of what a seat observes."""
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (game.observation_size,), np.int8),
            "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
        }
    )
