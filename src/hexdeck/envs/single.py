"""The base of environments that play one match at a time: spaces, render modes, copies."""

from __future__ import annotations

import copy
from math import isfinite
from numbers import Real
from typing import Any, Self, cast

import numpy as np
from gymnasium import spaces

from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.study import Bounds
from hexdeck.engine.text import _, say
from hexdeck.envs.episodes import Episodes
from hexdeck.simulation.game import Game

RENDER_MODES = ["human", "ansi", "rgb_array"]
BELOW = "below"  # an `illegal_reward`, the default: see `penalty`
Reward = float | str | None  # of an illegal action


class SingleEnv:
    """An environment of one game: `episodes` plays its matches, and `render_mode` says how they are shown."""

    game: Game
    episodes: Episodes
    render_mode: str | None
    illegal_reward: Reward

    def prepare(self, game: Game, render_mode: str | None, illegal_reward: Reward) -> None:
        """Set up the environment; raises BadOption for an unknown render mode, or a reward that is no number."""
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=shown(render_mode), there=", ".join(RENDER_MODES)))
        self.game, self.render_mode, self.episodes = game, render_mode, Episodes(game)
        self.illegal_reward = checked_reward(illegal_reward)

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

    @property
    def penalty(self) -> float | None:
        """The reward of an illegal action in the current match, whose rules count; None if it raises IllegalMove."""
        return penalty(self.episodes.current.game, self.illegal_reward)

    def clone(self) -> Self:
        """An independent copy in the same position, with the same cards to come."""
        return copy.deepcopy(self)


def penalty(game: GameSetup, illegal_reward: Reward) -> float | None:
    """The reward of an illegal action in a game: as given, or for BELOW 1 less than the least result of a match.

    None means that it raises IllegalMove, as it does for BELOW in a game without `bounds.py`.
    """
    if illegal_reward != BELOW:
        return cast("float | None", illegal_reward)
    if game.definition.bounds is None:
        return None
    bounds: Bounds = game.bounds.bounds(game.players, game.options)
    return bounds.least - 1.0


def checked_reward(reward: Reward) -> Reward:
    """The reward of an illegal action; raises BadOption unless it is a finite number, BELOW or None."""
    if reward is None or (isinstance(reward, str) and reward == BELOW):
        return reward
    if isinstance(reward, bool) or not isinstance(reward, Real) or not isfinite(reward):
        text = _(
            "The reward of an illegal action is a number, '{below}' for less than any result, or None to have it raise "
            "IllegalMove, not {given}."
        )
        raise BadOption(say(text, below=BELOW, given=shown(reward)))
    return reward


def observation_space(game: Game) -> spaces.Dict:
    """The observation space: `observation` and `action_mask`, int8, as `Episodes.observe` gives them."""
    parts = {
        "observation": spaces.Box(-128, 127, (game.observation_size,), np.int8),
        "action_mask": spaces.Box(0, 1, (len(game.rules.ACTIONS),), np.int8),
    }
    return spaces.Dict(parts)


def action_space(game: Game) -> spaces.Discrete:
    """The action space: a number for every action of the game."""
    return spaces.Discrete(len(game.rules.ACTIONS))
