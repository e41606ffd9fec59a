"""The matches that an environment plays one after another: observations, masks, and state that can be pickled."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, cast

import numpy as np

from hexdeck.engine.errors import BadMove, BadOption, shown, whole
from hexdeck.engine.options import unknown_option
from hexdeck.engine.play.game import default_backend
from hexdeck.engine.play.match import Match
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

    def stop(self) -> None:
        """End the match after an illegal action: nobody decides anything any more."""
        self.stopped = True

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
