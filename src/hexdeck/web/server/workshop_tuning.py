"""What the address of a tuning asks for: aims, and the options and values to try around a variant.

An aim is four fields of one row, `aim`, `low`, `high` and `end`; rows without any are none. `vary` has options and
values as the command takes them, perhaps several in a field.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, say
from hexdeck.lab.effects import trials
from hexdeck.lab.tuning import NUMBER, Aim, check
from hexdeck.lab.workshop import HOUSE, Inquiry
from hexdeck.web.server.workshop import Variant, Wish, fields_of, read_wish

MOST_AIMS, MOST_WORDS = 5, 200
FIELDS = "aim", "low", "high", "end"


@dataclass(frozen=True)
class AimRow:
    """A row of the form, as it was typed."""

    measure: str = ""
    low: str = ""
    high: str = ""
    end: str = ""  # "more" or "less", where as much or as little as can be is wanted

    @property
    def fault(self) -> Text | None:
        """What is wrong with it, if there is anything in it."""
        return next(self.faults(), None) if self.typed else None

    def faults(self) -> Iterator[Text]:
        """What is wrong with it."""
        ends = [*filter(None, (self.low, self.high))]
        if not self.measure:
            yield say("Choose a measure.")
        if bool(self.end) == bool(ends):
            yield say("Say what you want of it: limits, or as high or low as can be.")
        yield from (say("Not a number: {word}.", word=end) for end in ends if not re.fullmatch(NUMBER, end))
        if len(ends) > 1 and float(self.low) > float(self.high):
            yield say("At least ({low}) is above at most ({high}).", low=self.low, high=self.high)
        try:
            Aim.read(self.typed)
        except BadOption as error:
            yield error.text

    @property
    def typed(self) -> str:
        """The aim as the command takes it; "" for an empty row."""
        low, high = ("" if self.high else "at least", "to") if self.low else ("", "at most")
        parts = [self.measure, low, self.low, high if self.high else "", self.high, self.end]
        return " ".join(filter(None, parts))


@dataclass(frozen=True)
class TuneWish:
    """A page's address, read: `base` is what is changed, `vary` the options and values to try."""

    base: Wish
    rows: tuple[AimRow, ...]
    vary: tuple[str, ...]

    @property
    def aims(self) -> tuple[str, ...]:
        """The aims as the command takes them, each once."""
        return tuple(dict.fromkeys(row.typed for row in self.rows if row.typed))

    @cached_property
    def fault(self) -> Text | None:
        """The first thing that is wrong."""
        rows = (row.fault for row in self.rows)
        return next(filter(None, (*self.base.faults.values(), *rows, *faults_of(self))), None)

    @property
    def game(self) -> GameSetup:
        """The game that is tuned, or the usual one where that can't be played."""
        variant = self.base.variant
        return variant.game if variant else GameSetup.at_table(self.base.name, self.base.players)

    @property
    def asked(self) -> list[Inquiry]:
        """What is tuned; nothing where something is wrong."""
        game = self.game
        return [] if self.fault else [Inquiry(game, (HOUSE,) * game.players, aims=self.aims, vary=self.vary)]

    def variant(self, options: Sequence[str]) -> Variant:
        """The variant that a rule set is."""
        changed: dict[str, Any] = dict(option.split("=", 1) for option in options)
        return Variant(self.game.variant(**changed), (HOUSE,) * self.game.players)


def read_tune_wish(name: str, query: str) -> TuneWish:
    """The wish of an address's query."""
    fields, base = fields_of(query), read_wish(name, query)
    columns = [[*fields.get(key, [])[:MOST_AIMS], *[""] * MOST_AIMS][:MOST_AIMS] for key in FIELDS]
    rows = tuple(AimRow(*map(str.strip, row)) for row in zip(*columns, strict=True))
    vary = tuple(dict.fromkeys(word for typed in fields.get("vary", []) for word in typed.split()))[:MOST_WORDS]
    return TuneWish(base, rows, vary)


def faults_of(wish: TuneWish) -> Iterator[Text]:
    """What is wrong with the aims together and the values to try."""
    try:
        check(wish.game, [Aim.read(aim) for aim in wish.aims])
        if not wish.aims:
            yield say("Choose at least one measure that you want something of.")
        if not wish.vary or not trials(wish.game, wish.vary):
            yield say("Choose at least one value to try.")
    except BadOption as error:
        yield error.text
