"""The base of environments that play one match at a time: spaces, render modes, copies."""

from __future__ import annotations

import copy
from math import isfinite
from numbers import Real
from typing import Any, Self

import numpy as np
from gymnasium import spaces

from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.text import _, say
from hexdeck.envs.episodes import Episodes
from hexdeck.simulation.game import Game

RENDER_MODES = ["human", "ansi", "rgb_array"]
ILLEGAL = -1.0  # the default reward of an illegal action


class SingleEnv:
    """An environment of one game: `episodes` plays its matches, and `render_mode` says how they are shown."""

    game: Game
    episodes: Episodes
    render_mode: str | None

    def prepare(self, game: Game, render_mode: str | None) -> None:
        """Set up the environment; raises BadOption for an unknown render mode."""
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=shown(render_mode), there=", ".join(RENDER_MODES)))
        self.game, self.render_mode, self.episodes = game, render_mode, Episodes(game)

    def rendered(self, seat: int) -> Any:
        """The table as a seat (-1: the public) sees it, in the render mode's form; "human" prints it."""
        if self.render_mode is None:
            text = _(
                "Nothing is drawn without a render mode: make the environment with render_mode set to one of {modes}."
            )
            raise BadOption(say(text, modes=", ".join(RENDER_MODES)))
        if self.render_mode == "rgb_array":
            from hexdeck.envs.picture import pixels

            return pixels(self.episodes.current.view(seat))
        text = self.episodes.text(seat)
        if self.render_mode == "ansi":
            return text
        print(text, end="\n\n")
        return None

    def observed(self, seat: int) -> dict[str, np.ndarray]:
        """A seat's observation and action mask, int8."""
        observation, mask = self.episodes.observe(seat)
        return {"observation": observation, "action_mask": mask}

    def clone(self) -> Self:
        """An independent copy in the same position, with the same cards to come."""
        return copy.deepcopy(self)


def checked_reward(reward: float | None) -> float | None:
    """The reward of an illegal action, or None; raises BadOption unless it is a finite number."""
    if reward is not None and (isinstance(reward, bool) or not isinstance(reward, Real) or not isfinite(reward)):
        text = _("The reward of an illegal action is a number, or None to have it raise IllegalMove, not {given}.")
        raise BadOption(say(text, given=shown(reward)))
    return reward


def observation_space(game: Game) -> spaces.Dict:
    """The observation space: `observation`, int8 in the game's SLICES, and `action_mask`, int8, 1 for legal actions."""
    parts = {
        "observation": spaces.Box(-128, 127, (game.observation_size,), np.int8),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }
    return spaces.Dict(parts)


def action_space(game: Game) -> spaces.Discrete:
    """The action space: a number for every action of the game."""
    return spaces.Discrete(len(game.rules.ACTIONS))
