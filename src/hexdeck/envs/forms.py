"""What all single environments share: spaces, render modes, pictures, copies."""

from __future__ import annotations

import copy
from math import isfinite
from numbers import Real
from typing import Any, Self

import numpy as np
from gymnasium import spaces

from hexdeck.engine.arguments import shown
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import _, say
from hexdeck.envs.seats import Seats
from hexdeck.simulation.game import Game

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL = -1.0  # what a seat gets that tries what isn't legal, unless something else is said


class Form:
    """A game whose matches `seats` plays, shown in a render mode; raises BadOption for one that there isn't."""

    game: Game
    seats: Seats
    render_mode: str | None

    def prepare(self, game: Game, render_mode: str | None) -> None:
        """Be an environment of a game."""
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=shown(render_mode), there=", ".join(RENDER_MODES)))
        self.game, self.render_mode, self.seats = game, render_mode, Seats(game)

    def shown(self, seat: int) -> Any:
        """What a seat (-1: the public) sees, in the render mode's form; "human" prints it."""
        if self.render_mode is None:
            text = _(
                "Nothing is drawn without a render mode: make the environment with render_mode set to one of {modes}."
            )
            raise BadOption(say(text, modes=", ".join(RENDER_MODES)))
        if self.render_mode == "rgb_array":
            from hexdeck.envs.picture import pixels

            return pixels(self.seats.playing.view(seat))
        told = self.seats.ansi(seat)
        if self.render_mode == "ansi":
            return told
        print(told, end="\n\n")
        return None

    def seen(self, seat: int) -> dict[str, np.ndarray]:
        """What a seat observes."""
        observation, mask = self.seats.seen(seat)
        return {"observation": observation, "action_mask": mask}

    def clone(self) -> Self:
        """A copy in the same position, with the same cards to come; it goes its own way from there."""
        return copy.deepcopy(self)


def checked_reward(reward: float | None) -> float | None:
    """What an illegal action brings, or None; raises BadOption for what is no number."""
    if reward is not None and (isinstance(reward, bool) or not isinstance(reward, Real) or not isfinite(reward)):
        text = _("The reward of an illegal action is a number, or None to have it raise IllegalMove, not {given}.")
        raise BadOption(say(text, given=shown(reward)))
    return reward


def observation_space(game: Game) -> spaces.Dict:
    """`observation`, int8 in the game's SLICES, and `action_mask`, int8, 1 for every legal action."""
    parts = {
        "observation": spaces.Box(-128, 127, (game.observation_size,), np.int8),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }
    return spaces.Dict(parts)


def action_space(game: Game) -> spaces.Discrete:
    """A number for every action of the game."""
    return spaces.Discrete(len(game.rules.ACTIONS))
