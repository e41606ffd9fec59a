"""The score sheet of a table and of an evening, as a page shows it: a column for each seat, or for each team."""

from __future__ import annotations

from dataclasses import dataclass, field

from hexdeck.engine.play.score import Row
from hexdeck.engine.text import Text
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.series import Played, played, sheet_of

MOST = 60  # rows that a page shows: the last


@dataclass(frozen=True)
class Line:
    """A deal: its number and for each column, by tally, what it brought and the total after it."""

    number: int
    cells: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class Evening:
    """A match that is over: its number and address part; for each column whether it won, and the totals."""

    number: int
    table: str
    cells: tuple[tuple[bool, tuple[int, ...]], ...]


@dataclass(frozen=True)
class Scores:
    """The sheet. `columns`: the seats of each; `teams`: they are teams; `signed`: what a deal brings has a sign.

    `ids`: what is counted; with the game they say what it (`titles`) and a row (`unit`) are called.
    """

    columns: tuple[tuple[int, ...], ...]
    ids: tuple[str, ...]
    lines: tuple[Line, ...]
    totals: tuple[tuple[int, ...], ...]
    evening: tuple[Evening, ...]
    wins: tuple[int, ...]
    teams: bool
    signed: bool
    unit: Text = field(compare=False)
    titles: tuple[Text, ...] = field(compare=False)


def scores(table: LiveTable) -> Scores | None:
    """The sheet of a table; None where there is nothing on it yet."""
    sheet, matches = sheet_of(table), played(table)
    if sheet is None or not sheet.titles or not (sheet.rows or matches):
        return None
    columns = columns_of(sheet.teams, len(table.seats))
    firsts = [seats[0] for seats in columns]
    lines = tuple(line_of(row, firsts) for row in sheet.rows[-MOST:])
    evening = tuple(evening_of(number, each, firsts) for number, each in enumerate(matches, 1))
    wins = tuple(sum(each.won[seat] for each in matches) for seat in firsts)
    totals = tuple(tuple(total[seat] for total in sheet.totals) for seat in firsts)
    signed = any(map(any, sheet.start))
    ids, titles = zip(*sheet.titles, strict=True)
    return Scores(columns, ids, lines, totals, evening, wins, bool(sheet.teams), signed, sheet.unit, titles)


def line_of(row: Row, firsts: list[int]) -> Line:
    """A deal as a line."""
    pairs = tuple(zip(row.gains, row.totals, strict=True))
    return Line(row.number, tuple(tuple((gain[seat], total[seat]) for gain, total in pairs) for seat in firsts))


def evening_of(number: int, match: Played, firsts: list[int]) -> Evening:
    """A match of an evening as a line."""
    cells = tuple((match.won[seat], tuple(total[seat] for total in match.totals)) for seat in firsts)
    return Evening(number, match.table, cells)


def columns_of(sides: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each column: of each team, or each alone."""
    if not sides:
        return tuple((seat,) for seat in range(seats))
    return tuple(tuple(seat for seat in range(seats) if sides[seat] == side) for side in sorted(set(sides)))
