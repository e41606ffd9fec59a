"""The base of environments that play one match at a time: episodes, spaces, render modes, rewards, copies."""

import copy
import secrets
from collections.abc import Mapping
from difflib import get_close_matches
from math import isfinite
from numbers import Real
from typing import Any, Self, cast

import numpy as np
from gymnasium import spaces

from hexdeck.engine.errors import BadMove, BadOption, shown, whole
from hexdeck.engine.options import unknown_option
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.study import Bounds
from hexdeck.engine.text import _, say
from hexdeck.envs import kernels
from hexdeck.simulation.game import Game

CACHED = ("_driver", "_actions", "_observe")  # attributes that a copy makes anew
OBSERVE: Any = kernels.observe_with_mask
RULES, NUMBER = "rules", "number"  # keys of a reset's `options`


class Episodes:
    """A game and its current match; it can be copied and pickled in mid-match, with all cards to come."""

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.usual, self.backend = game, backend or default_backend()
        self.seed: int | bytes | None = None
        self.number = -1
        self.match: Match | None = None
        self.stopped = False  # whether an illegal action ended the match
        self._size, self._count = game.observation_size, len(game.rules.ACTIONS)
        self._driver = self._actions = self._observe = cast("Any", None)  # of the match observed last

    def begin(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Match:
        """Begin a match: number 0 of a given seed, else the next number of the last seed (a secret one at first).

        `options` may have `rules`, a dict of options of the game for this match, and `number`. Raises BadOption.
        """
        settings = {} if options is None else checked_options(options, RULES, NUMBER)
        chosen, number = self.with_rules(settings.get(RULES)), settings.get(NUMBER)
        seed = None if seed is None else whole_number("seed", seed)
        number = None if number is None else whole_number(NUMBER, number)
        last = -1 if seed is not None else self.number
        key = seed if seed is not None else secrets.token_bytes(32) if self.seed is None else self.seed
        number = last + 1 if number is None else number
        self.match = Match(chosen, key, number=number, backend=self.backend)
        self.seed, self.number, self.stopped = key, number, False
        return self.match

    @property
    def over(self) -> bool:
        """Whether the match is over or was stopped."""
        return self.stopped or self.current.over

    def action(self, action: Any) -> int:
        """An action as an int, legal or not; raises BadMove if it isn't a whole number."""
        number = whole(action)
        if number is None:
            last = len(self.usual.rules.ACTIONS) - 1
            text = _("An action is a whole number from 0 to {last}, not {given}.")
            raise BadMove(say(text, last=last, given=shown(action)))
        return number

    def replayed(self) -> Match:
        """The current match again, at its beginning."""
        return Match(self.current.game, self.seed, number=self.number, backend=self.backend)

    def with_rules(self, rules: Mapping[str, Any] | None) -> Game:
        """The game with some options changed; raises BadOption."""
        if rules is None:
            return self.usual
        if not isinstance(rules, Mapping):
            text = _("The option rules of a reset is a set of options of the game, not {given}.")
            raise BadOption(say(text, given=shown(rules)))
        options = {option.name: option for option in self.usual.rules.OPTIONS}
        for name in rules:
            if name not in options:
                raise BadOption(unknown_option(name, options))
        return self.usual.variant(**rules)

    @property
    def current(self) -> Match:
        """The current match; raises BadOption before the first."""
        if self.match is None:
            raise no_match_yet()
        return self.match

    def require(self) -> None:
        """Raise BadOption before the first match."""
        if self.match is None:
            raise no_match_yet()

    def observe(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """A seat's observation, int8 in the game's SLICES, and its action mask, int8: 1 for every legal action.

        The mask is all ones where the seat has nothing to decide: no mask is ever all zeros.
        """
        match = self.current
        driver = match.driver
        observation, mask = np.zeros(self._size, np.int8), np.zeros(self._count, np.int8)
        if self._driver is not driver:
            self._driver, self._actions, self._observe = driver, driver.actions(), driver.kernel(OBSERVE)
        self._observe(driver.g, match.rows, seat, self._actions, driver.shared(observation), driver.shared(mask))
        if self.stopped:
            mask[:] = 1
        return observation, mask

    def action_mask(self, seat: int) -> np.ndarray:
        """A seat's action mask, as in `observe`."""
        return self.observe(seat)[1]

    def text(self, seat: int) -> str:
        """The table as a seat (-1: the public) sees it, in lines of text."""
        return self.current.view(seat).text()

    def __getstate__(self) -> dict[str, Any]:
        state = {key: value for key, value in vars(self).items() if key not in {"match", *CACHED}}
        if self.match is not None:
            match = self.match
            state["events"] = (dict(match.game.options), [(event.seat, event.id) for event in match.events])
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        options, events = state.pop("events", (None, ()))
        vars(self).update(state, match=None, **dict.fromkeys(CACHED))
        if options is not None:
            self.match = self.with_rules(options).match(self.seed, number=self.number, backend=self.backend)
            self.match.load_events(events)


def no_match_yet() -> BadOption:
    """The error for an environment that was never reset."""
    return BadOption(say("There is no match yet: reset the environment first."))


def checked_options(options: Mapping[str, Any] | None, *names: str) -> dict[str, Any]:
    """The options of a reset as a dict; raises BadOption for one that seems misspelt. Unknown ones may be wrappers'."""
    if options is not None and not isinstance(options, Mapping):
        raise BadOption(say("The options of a reset are a dict, not {given}.", given=shown(options)))
    chosen = dict(options or {})
    for name in chosen:
        near = get_close_matches(str(name), names, 1)
        if near and name not in names:
            text = _("A reset has no option {name} (did you mean {near}?); it has {there}.")
            raise BadOption(say(text, name=shown(name), near=near[0], there=", ".join(names)))
    return chosen


def whole_number(name: str, value: Any) -> int:
    """A number given to a reset as an int; raises BadOption if it isn't a whole number."""
    number = whole(value)
    if number is None:
        text = _("The option {name} of a reset is a whole number, not {given}.")
        raise BadOption(say(text, name=name, given=shown(value)))
    return number


# --- the environment --------------------------------------------------------------------------------------------------
RENDER_MODES = ["human", "ansi", "rgb_array"]
BELOW = "below"  # an `illegal_reward`, the default: see `penalty`
Reward = float | str | None  # of an illegal action


class SingleEnv:
    """An environment of one game: `episodes` plays its matches, and `render_mode` says how they are shown.

    `watched`: the seat whose view is shown; -1 for the public's.
    """

    game: Game
    episodes: Episodes
    render_mode: str | None
    illegal_reward: Reward
    watched: int = -1

    def prepare(self, game: Game, render_mode: str | None, illegal_reward: Reward) -> None:
        """Set up the environment; raises BadOption for an unknown render mode, or a reward that is no number."""
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=shown(render_mode), there=", ".join(RENDER_MODES)))
        self.game, self.render_mode, self.episodes = game, render_mode, Episodes(game)
        self.illegal_reward = checked_reward(illegal_reward)

    def show(self) -> None:
        """Render the position in the mode "human"."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as `watched` sees it: text, or a picture, uint8 (height, width, 3); None if printed."""
        if self.render_mode is None:
            text = _(
                "Nothing is drawn without a render mode: make the environment with render_mode set to one of {modes}."
            )
            raise BadOption(say(text, modes=", ".join(RENDER_MODES)))
        if self.render_mode == "rgb_array":
            from hexdeck.envs.picture import pixels

            return pixels(self.episodes.current.view(self.watched))
        text = self.episodes.text(self.watched)
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
