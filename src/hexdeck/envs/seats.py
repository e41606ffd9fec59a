"""One match after another of a game, as single environments play them: what each seat gets, and a state to keep."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, cast

import numpy as np

from hexdeck.engine.arguments import shown, whole
from hexdeck.engine.errors import BadMove, BadOption
from hexdeck.engine.options import unknown_option
from hexdeck.engine.play.driver import default_backend
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.envs import kernels
from hexdeck.simulation.game import Game

AGAIN = ("_driver", "_actions", "_see")  # what a copy finds anew
SEE: Any = kernels.see
RULES, NUMBER = "rules", "number"  # what `options` of a reset may tell us


class Seats:
    """A game and the match that is being played; copied and pickled in mid-match, with all that is to come."""

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.usual, self.backend = game, backend or default_backend()
        self.seed: int | bytes | None = None
        self.number = -1
        self.match: Match | None = None
        self.stopped = False  # whether the match has ended by an illegal action
        self._size, self._count = game.observation_size, len(game.rules.ACTIONS)
        self._driver = self._actions = self._see = cast("Any", None)  # of the match that was looked at last

    def begin(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Match:
        """A new match: number 0 of a seed that is given, or the next number of the last seed (secret if none was).

        `options` may hold `rules`, a dict of options of the game for this match, and `number`. Raises BadOption.
        """
        given = {} if options is None else told(options, RULES, NUMBER)
        chosen, number = self.changed(given.get(RULES)), given.get(NUMBER)
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
        """Whether nothing can be played any more: the match is over, or was stopped."""
        return self.stopped or self.playing.over

    def stop(self) -> None:
        """The match ends by an illegal action: from now on nobody may do anything."""
        self.stopped = True

    def action(self, given: Any) -> int:
        """An action as a number, whether legal or not; raises BadMove for what is no number."""
        number = whole(given)
        if number is None:
            last = len(self.usual.rules.ACTIONS) - 1
            text = _("An action is a whole number from 0 to {last}, not {given}.")
            raise BadMove(say(text, last=last, given=shown(given)))
        return number

    def replayed(self) -> Match:
        """The match that is being played, from its beginning."""
        return Match(self.playing.game, self.seed, number=self.number, backend=self.backend)

    def changed(self, rules: Mapping[str, Any] | None) -> Game:
        """The game with some options changed; raises BadOption."""
        if rules is None:
            return self.usual
        if not isinstance(rules, Mapping):
            text = _("What a reset calls rules is a set of options of the game, not {given}.")
            raise BadOption(say(text, given=shown(rules)))
        known = {option.name: option for option in self.usual.rules.OPTIONS}
        for name in rules:
            if name not in known:
                raise BadOption(unknown_option(name, known))
        return self.usual.variant(**rules)

    @property
    def playing(self) -> Match:
        """The match that is being played; raises BadOption before the first."""
        if self.match is None:
            raise none_yet()
        return self.match

    def require(self) -> None:
        """Raise BadOption before the first match."""
        if self.match is None:
            raise none_yet()

    def seen(self, seat: int) -> tuple[np.ndarray, np.ndarray]:
        """What a seat observes, int8 in the game's SLICES, and its mask, int8: 1 for every legal action, else 0."""
        match = self.playing
        driver = match.driver
        observation, mask = np.zeros(self._size, np.int8), np.zeros(self._count, np.int8)
        if self._driver is not driver:
            self._driver, self._actions, self._see = driver, driver.actions(), driver.kernel(SEE)
        self._see(driver.g, match.rows, seat, self._actions, driver.shared(observation), driver.shared(mask))
        if self.stopped:
            mask[:] = 0
        return observation, mask

    def mask(self, seat: int) -> np.ndarray:
        """1 for every legal action of a seat, else 0; int8."""
        return self.seen(seat)[1]

    def ansi(self, seat: int) -> str:
        """What a seat (-1: the public) sees, in lines of text."""
        return self.playing.view(seat).text()

    def __getstate__(self) -> dict[str, Any]:
        kept = {key: value for key, value in vars(self).items() if key not in {"match", *AGAIN}}
        if self.match is not None:
            match = self.match
            kept["events"] = (dict(match.game.options), [(event.seat, event.id) for event in match.events])
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        options, events = kept.pop("events", (None, ()))
        vars(self).update(kept, match=None, **dict.fromkeys(AGAIN))
        if options is not None:
            self.match = self.changed(options).match(self.seed, number=self.number, backend=self.backend)
            self.match.load_events(events)


def none_yet() -> BadOption:
    """What is wrong before the first match."""
    return BadOption(say("There is no match yet: reset the environment first."))


def told(options: Mapping[str, Any] | None, *known: str) -> dict[str, Any]:
    """The options of a reset; raises BadOption for one that seems misspelt. Others are left to wrappers."""
    if options is not None and not isinstance(options, Mapping):
        raise BadOption(say("The options of a reset are a dict, not {given}.", given=shown(options)))
    given = dict(options or {})
    for name in given:
        near = get_close_matches(str(name), known, 1)
        if near and name not in known:
            text = _("A reset has no option {name} (did you mean {near}?); it has {there}.")
            raise BadOption(say(text, name=shown(name), near=near[0], there=", ".join(known)))
    return given


def whole_number(name: str, given: Any) -> int:
    """A number that a reset is given; raises BadOption for what is none."""
    number = whole(given)
    if number is None:
        text = _("What a reset is given as {name} is a whole number, not {given}.")
        raise BadOption(say(text, name=name, given=shown(given)))
    return number
