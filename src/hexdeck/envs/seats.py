"""One match after another of a game, as single environments play them: what each seat gets, and a state to keep."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game, game
from hexdeck.engine.match import Match
from hexdeck.engine.options import unknown_option
from hexdeck.engine.text import _, say

RULES, NUMBER = "rules", "number"  # what `options` of a reset may tell us; other names are left to wrappers


class Seats:
    """A game and the match that is being played; copied and pickled in mid-match, with all that is to come."""

    def __init__(self, game: Game, lane: str | None = None) -> None:
        self.usual, self.lane = game, lane
        self.seed: int | bytes | None = None
        self.number = -1
        self.match: Match | None = None

    def begin(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Match:
        """A new match: number 0 of a seed that is given, or the next number of the last seed (secret if none was).

        `options` may hold `rules`, a dict of options of the game for this match, and `number`.
        """
        given = options or {}
        chosen = self.changed(given.get(RULES))
        if seed is not None:
            self.seed, self.number = int(seed), -1
        elif self.seed is None:
            self.seed = secrets.token_bytes(32)
        self.number = int(given.get(NUMBER, self.number + 1))
        self.match = chosen.match(self.seed, number=self.number, lane=self.lane)
        return self.match

    def replayed(self) -> Match:
        """The match that is being played, from its beginning."""
        return self.playing.game.match(self.seed, number=self.number, lane=self.lane)

    def changed(self, rules: Mapping[str, Any] | None) -> Game:
        """The game with some options changed; raises BadOption."""
        if rules is None:
            return self.usual
        if not isinstance(rules, Mapping):
            text = _("What a reset calls rules is a set of options of the game, not {given}.")
            raise BadOption(say(text, given=repr(rules)[:60]))
        known = {option.name: option for option in self.usual.rules.OPTIONS}
        for name in rules:
            if name not in known:
                raise BadOption(unknown_option(name, known))
        return game(self.usual.name, self.usual.players, **{**self.usual.options, **rules})

    @property
    def playing(self) -> Match:
        """The match that is being played; raises BadOption before the first."""
        if self.match is None:
            raise BadOption(say("There is no match yet: reset the environment first."))
        return self.match

    def mask(self, seat: int) -> np.ndarray:
        """1 for every legal action of a seat, else 0; int8."""
        mask = np.zeros(len(self.usual.rules.ACTIONS), np.int8)
        match = self.playing
        if match.actor == seat or seat in match.acting:
            mask[match.legal_ids(seat)] = 1
        return mask

    def ansi(self, seat: int) -> str:
        """What a seat (-1: the public) sees, in lines of text."""
        return self.playing.view(seat).text()

    def __getstate__(self) -> dict[str, Any]:
        kept = {key: value for key, value in vars(self).items() if key != "match"}
        if self.match is not None:
            match = self.match
            kept["events"] = (dict(match.game.options), [(event.seat, event.id) for event in match.events])
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        options, events = kept.pop("events", (None, ()))
        vars(self).update(kept, match=None)
        if options is not None:
            self.match = self.changed(options).match(self.seed, number=self.number, lane=self.lane)
            self.match.load_events(events)
