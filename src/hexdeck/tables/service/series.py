"""Series of matches: a match and its rematches, with the same people, each one seat further every time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from hexdeck.engine.play.score import ScoreSheet, score_sheet, winners
from hexdeck.tables.model.entries import OVER
from hexdeck.tables.model.live import LiveTable

T = TypeVar("T")


@dataclass(frozen=True)
class SeriesMatch:
    """A match of a series that is over: who won, and the totals by tally; by seat, as everybody sits now."""

    table: str
    won: tuple[bool, ...]
    totals: tuple[tuple[int, ...], ...]

    def data(self) -> dict[str, Any]:
        """The match as it is stored."""
        return {"table": self.table, "won": list(self.won), "totals": [list(each) for each in self.totals]}


def sheet_of(table: LiveTable) -> ScoreSheet | None:
    """The score sheet of a table, made anew when a deal has ended; None before the deal."""
    match = table.match
    if match is None or match.length != table.stored_plies:
        return None
    mark = int(match.struct.deal), match.over
    (deal, over), earlier = table.kept_sheet or ((0, False), None)
    if earlier is None or (deal, over) != mark:
        earlier = score_sheet(match, None if over or mark[0] < deal else earlier)
        table.kept_sheet = mark, earlier
    return earlier


def finished_matches(table: LiveTable) -> tuple[SeriesMatch, ...]:
    """The matches of the series that are over, with this one if it is."""
    earlier = tuple(
        SeriesMatch(each["table"], tuple(each["won"]), tuple(map(tuple, each["totals"]))) for each in table.terms.past
    )
    sheet = sheet_of(table) if table.state == OVER else None
    if sheet is None or table.match is None:
        return earlier
    return (*earlier, SeriesMatch(table.id, winners(table.match), sheet.totals))


def past_for_rematch(table: LiveTable) -> tuple[dict[str, Any], ...]:
    """The finished matches for a rematch, where everybody sits one seat further."""
    moved = (
        SeriesMatch(each.table, rotate(each.won), tuple(rotate(total) for total in each.totals))
        for each in finished_matches(table)
    )
    return tuple(each.data() for each in moved)


def rotate(by_seat: Sequence[T]) -> tuple[T, ...]:
    """Values by seat, when everybody has moved one seat further."""
    return (by_seat[-1], *by_seat[:-1])
