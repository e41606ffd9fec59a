"""The score sheet of a table, and of its series of matches: a column for each seat, or for each team."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.play.score import Row, ScoreSheet
from hexdeck.engine.text import Text
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.series import SeriesMatch, finished_matches, sheet_of

MOST = 60  # rows that a page shows: the last


@dataclass(frozen=True)
class DealLine:
    """A deal: its number, and for each column and tally what it brought and the total after it."""

    number: int
    cells: tuple[tuple[tuple[int, int], ...], ...]


@dataclass(frozen=True)
class SeriesLine:
    """An earlier match of the series: its number, its table, and for each column whether it won, and the totals."""

    number: int
    table: str
    cells: tuple[tuple[bool, tuple[int, ...]], ...]


@dataclass(frozen=True, eq=False)
class Scores:
    """The score sheet. `columns`: the seats of each column; `teams`: columns are teams; `signed`: gains have a sign.

    `ids`: what is counted. They and the game determine the words for it (`titles`) and for a row (`unit`).
    It is one object until a deal ends (see `scores`).
    """

    columns: tuple[tuple[int, ...], ...]
    ids: tuple[str, ...]
    lines: tuple[DealLine, ...]
    totals: tuple[tuple[int, ...], ...]
    series: tuple[SeriesLine, ...]
    wins: tuple[int, ...]
    teams: bool
    signed: bool
    unit: Text
    titles: tuple[Text, ...]


def scores(table: LiveTable) -> Scores | None:
    """The score sheet of a table, made anew when a deal has ended; None while it is empty."""
    sheet, kept = sheet_of(table), table.kept_scores
    if kept is None or kept[0] is not sheet or kept[1] is not table.terms.past or kept[2] != table.state:
        kept = table.kept_scores = sheet, table.terms.past, table.state, made_scores(table, sheet)
    found: Scores | None = kept[3]
    return found


def made_scores(table: LiveTable, sheet: ScoreSheet | None) -> Scores | None:
    """The same from the sheet of its match."""
    matches = finished_matches(table)
    if sheet is None or not sheet.titles or not (sheet.rows or matches):
        return None
    columns = columns_of(sheet.teams, len(table.seats))
    firsts = [seats[0] for seats in columns]
    lines = tuple(deal_line(row, firsts) for row in sheet.rows[-MOST:])
    series = tuple(series_line(number, each, firsts) for number, each in enumerate(matches, 1))
    wins = tuple(sum(each.won[seat] for each in matches) for seat in firsts)
    totals = tuple(tuple(total[seat] for total in sheet.totals) for seat in firsts)
    signed = any(map(any, sheet.start))
    ids, titles = zip(*sheet.titles, strict=True)
    return Scores(columns, ids, lines, totals, series, wins, bool(sheet.teams), signed, sheet.unit, titles)


def deal_line(row: Row, firsts: list[int]) -> DealLine:
    """A deal as a line."""
    pairs = tuple(zip(row.gains, row.totals, strict=True))
    return DealLine(row.number, tuple(tuple((gain[seat], total[seat]) for gain, total in pairs) for seat in firsts))


def series_line(number: int, match: SeriesMatch, firsts: list[int]) -> SeriesLine:
    """A match of the series as a line."""
    cells = tuple((match.won[seat], tuple(total[seat] for total in match.totals)) for seat in firsts)
    return SeriesLine(number, match.table, cells)


def columns_of(sides: tuple[int, ...], seats: int) -> tuple[tuple[int, ...], ...]:
    """The seats of each column: of each team, or each seat alone."""
    if not sides:
        return tuple((seat,) for seat in range(seats))
    return tuple(tuple(seat for seat in range(seats) if sides[seat] == side) for side in sorted(set(sides)))
