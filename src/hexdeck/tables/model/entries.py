"""What is stored of a live table besides its seats: terms, entries (one for each version), the result; and drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import outcome, winners
from hexdeck.engine.text import Text, from_data
from hexdeck.engine.view import Fact
from hexdeck.tables.model.seats import CLOCKS, Seat

WAITING, PLAYING, OVER, ENDED = "waiting", "playing", "over", "ended"  # states of a table; ended: it can't be resumed
ANYONE, NOBODY = "anyone", "nobody"  # who may watch
MOVE, CHOICE = "move", "choice"  # a choice: a move that others learn nothing of, or only that it was made
HAND = "hand"  # a shared device was handed over, or its cards were covered; other seats don't notice
FORCED = "forced"  # the table made a person's only legal move
FREE = "free"  # the host took a seat from its holder
ERASE = "erase"  # a player has left for good: what is older has changed, too
RETRACT = "retract"  # a choice was taken back; its events no longer count
Pairs = tuple[tuple[int, int], ...]  # events of the match: seat (-1: chance) and id
STAND_IN = "bot"  # the kind of entries by which a bot takes over a seat


@dataclass(frozen=True)
class Terms:
    """The settings of a table besides its game.

    `clock`: a key of `CLOCKS`. `watch`: who may watch, ANYONE or NOBODY. `lang`: the language of people who haven't
    chosen one; "" for what their browsers accept. `host`: the host's seat. `hold`: the cards are dealt when the host
    says so, even if every seat is taken. `hints`: whether players may ask for hints. `words`: whether people may write
    messages of their own. `past`: the earlier matches of the series (`new_tables.py`). `screen`: one screen shows the
    table to all, and the devices of those who play show what is in their hands. `feedback`: whether players are
    asked what they thought, when the match is over. `day`: whose deal of the day it is (`service/daily.py`), "" for all
    other tables.
    """

    clock: str = "none"
    watch: str = ANYONE
    lang: str = ""
    host: int = 0
    hold: bool = False
    hints: bool = False
    words: bool = True
    past: Sequence[dict[str, Any]] = ()
    screen: bool = False
    feedback: bool = True
    day: str = ""

    @property
    def seconds(self) -> float | None:
        """The time for a decision; None for as long as it takes."""
        return CLOCKS[self.clock]


@dataclass(frozen=True)
class Entry:
    """One version of a table: the kind of change, whose `seat` made it, the match's events in it, and their facts."""

    version: int
    kind: str
    seat: int
    pairs: Pairs = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    at: float = 0.0

    def heard_by(self, seat: int) -> list[Text]:
        """The sentences that a seat (-1: the public) was told."""
        return [fact.text for facts in self.facts for fact in facts if fact.heard_by(seat)]

    @property
    def is_private(self) -> bool:
        """Whether nothing public happened in the match."""
        return self.kind == CHOICE or not self.pairs

    def unnoticed_by(self, seat: int) -> bool:
        """Whether a seat noticed nothing: a step of another's secret choice, or a shared device handed over."""
        return self.kind in (CHOICE, HAND) and self.seat != seat and not self.heard_by(seat)


@dataclass(frozen=True)
class Draft:
    """A change that isn't stored yet: its entries, and the table after it.

    `vacated`: a seat that lost its holder. `erased`: seats whose players left for good; nothing is kept of them.
    """

    entries: tuple[Entry, ...]
    seats: tuple[Seat, ...]
    state: str
    terms: Terms
    rematch: str | None = None
    vacated: int | None = None
    erased: tuple[int, ...] = ()


def last_index_of(entries: Sequence[Entry], seat: int) -> int:
    """The index of a seat's last entry."""
    return next(k for k in range(len(entries) - 1, -1, -1) if entries[k].seat == seat)


def frees(news: Sequence[Entry]) -> bool:
    """Whether the host has taken a seat from its holder."""
    return any(entry.kind == FREE for entry in news)


@dataclass(frozen=True)
class Result:
    """How a match ended, by seat: who won, the place (1 for the best), the utility, and a caption.

    `at`: when, in seconds since 1970. `stood_in`: the seats that a bot played for a while, whose results don't count.
    """

    won: tuple[bool, ...]
    places: tuple[int, ...]
    utilities: tuple[float, ...]
    captions: tuple[Text, ...]
    at: float
    stood_in: tuple[int, ...] = ()

    def data(self) -> dict[str, Any]:
        """The result as it is stored."""
        return {
            "won": list(self.won),
            "places": list(self.places),
            "utilities": list(self.utilities),
            "captions": [text.data() for text in self.captions],
            "at": self.at,
            "stood_in": list(self.stood_in),
        }


def result_of(match: Match, entries: Sequence[Entry]) -> Result:
    """The result of a match that is over, from the entries of its table."""
    utilities = match.returns()
    captions = tuple(outcome(match).texts)
    at = max(entry.at for entry in entries if entry.pairs)
    stood_in = tuple(sorted({entry.seat for entry in entries if entry.kind == STAND_IN}))
    return Result(winners(match), places_of(utilities), utilities, captions, at, stood_in)


def places_of(utilities: Sequence[float]) -> tuple[int, ...]:
    """The place of each seat: 1 for the best; equals share a place."""
    return tuple(1 + sum(utility > own for utility in utilities) for own in utilities)


def result_from_data(data: Mapping[str, Any]) -> Result:
    """The result of stored data (see `Result.data`)."""
    return Result(
        tuple(data["won"]),
        tuple(data["places"]),
        tuple(data["utilities"]),
        tuple(map(from_data, data["captions"])),
        data["at"],
        tuple(data["stood_in"]),
    )
