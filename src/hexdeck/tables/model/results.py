"""How a match ended: stored with its table, so that pages can count what somebody won without replaying anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import outcome, winners
from hexdeck.engine.text import Text, from_data
from hexdeck.tables.model.entries import Entry

STOOD_IN = "bot"  # the kind of entries by which a bot takes over a seat


@dataclass(frozen=True)
class Result:
    """How a match ended, by seat: who won, the place (1 for the best), the utility, and what is told of it.

    `at`: when, in seconds since 1970. `stood_in`: the seats that a bot played for a while: their result is nobody's.
    """

    won: tuple[bool, ...]
    places: tuple[int, ...]
    utilities: tuple[float, ...]
    told: tuple[Text, ...]
    at: float
    stood_in: tuple[int, ...] = ()

    def data(self) -> dict[str, Any]:
        """The result as it is stored."""
        return {
            "won": list(self.won), "places": list(self.places), "utilities": list(self.utilities),
            "told": [text.data() for text in self.told], "at": self.at, "stood_in": list(self.stood_in),
        }  # fmt: skip


def result_of(match: Match, entries: Sequence[Entry]) -> Result:
    """The result of a match that is over, from the entries of its table."""
    utilities = match.returns()
    told = tuple(outcome(match).texts)
    at = max(entry.at for entry in entries if entry.pairs)
    stood_in = tuple(sorted({entry.seat for entry in entries if entry.kind == STOOD_IN}))
    return Result(winners(match), places_of(utilities), utilities, told, at, stood_in)


def places_of(utilities: Sequence[float]) -> tuple[int, ...]:
    """The place of each seat: 1 for the best; equals share a place."""
    return tuple(1 + sum(other > each for other in utilities) for each in utilities)


def result_from_data(data: Mapping[str, Any]) -> Result:
    """The result of stored data (see `Result.data`)."""
    return Result(
        tuple(data["won"]), tuple(data["places"]), tuple(data["utilities"]), tuple(map(from_data, data["told"])),
        data["at"], tuple(data["stood_in"]),
    )  # fmt: skip
