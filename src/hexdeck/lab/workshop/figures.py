"""Figures of a measurement: rows with intervals, and findings as reports and comparisons word them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from hexdeck.engine.text import Text, pack, say, unpack
from hexdeck.lab.counts import ENDED, RESULT, STARTER_FIRST, STARTER_LAST, TIED, MetricName
from hexdeck.lab.effects import MEASURE, Shift, shift_of, size_of, titled
from hexdeck.lab.pace import CARDS, SCREEN
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.measures import LEAST, Cell, in_units
from hexdeck.lab.reporting.measures import RESULT as RESULT_UNIT
from hexdeck.lab.reporting.report import Part, comparisons
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.lab.workshop.findings import LOOKS, findings
from hexdeck.lab.workshop.measurement import Measurement
from hexdeck.stats import Estimate, mean

GROUPS = ("shares", "results", "length", "tension", "more")
MINUTES = (("at_table", say("minutes at this table"), SCREEN), ("at_cards", say("minutes at a real table"), CARDS))
Ends = tuple[float, float, float]


@dataclass(frozen=True)
class Row:
    """A figure: what it is, how it is written, and its value with the ends of its interval; None where that is open.

    `group`: one of GROUPS. `name`: its metric, and of which seat or ending. `difference`: from the variant that it is
    compared with, written and as numbers; `sure`: whether that is significant, or a seat's share surely isn't fair.
    """

    group: str
    name: str
    title: Text
    value: Text | str
    ends: Ends | None
    difference: Text | str = ""
    shift: Ends | None = None
    sure: bool = False


@dataclass(frozen=True)
class Figures:
    """All that is known so far: how many `games` were played and how many were looked into for tension.

    `margin`: the largest margin of a seat's share, 0 to 1; None while it is open. `fair`: a fair share, in percent.
    `found`: the findings, the main one first. `unit`: what results are counted in; `place`: whether first place decides
    (0) or last (1). `done`: whether nothing more is measured.
    """

    games: int
    matches: int
    margin: float | None
    fair: float
    place: int
    unit: Text
    found: tuple[Text, ...]
    rows: tuple[Row, ...]
    done: bool

    def data(self) -> dict[str, Any]:
        """The figures as JSON-able data; `figures_from` is the inverse."""
        rows = [{name: pack(value) for name, value in vars(row).items()} for row in self.rows]
        return {**vars(self), "unit": pack(self.unit), "found": [each.data() for each in self.found], "rows": rows}


def figures_from(data: dict[str, Any]) -> Figures:
    """The figures of data that `Figures.data` gave, before or after it was JSON."""

    def value_from(value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else unpack(value)

    rows = (Row(**{name: value_from(value) for name, value in row.items()}) for row in data["rows"])
    found = (unpack({"text": each}) for each in data["found"])
    return Figures(**{**data, "unit": unpack(data["unit"]), "found": tuple(found), "rows": tuple(rows)})


def figures_of(measured: Measurement) -> Figures:
    """The figures of a measurement that has made a step."""
    part, margin = measured.side.part, measured.precision
    return Figures(
        len(part.statistics), len(part.analyses), margin if isfinite(margin) else None, 100 / part.players, part.place,
        part.measure.unit, tuple(findings(measured)), tuple(all_rows(measured, part)), measured.done,
    )  # fmt: skip


def all_rows(measured: Measurement, part: Part) -> Iterator[Row]:
    """All rows, group by group."""
    seats = [say("Seat {number}", number=k + 1) for k in range(part.players)]
    whole = (part.measure.low, part.measure.high) == (0.0, 100.0)  # results are shares of matches won
    for k, title in enumerate(seats):
        yield counted_row(measured, part, "shares", (part.shares, k), title)
    for k, title in enumerate(() if whole else seats):
        yield counted_row(measured, part, "results", (RESULT, k), title)
    for name, title, place in MINUTES:
        found, difference = mean(measured.side.minutes(place)), None
        if measured.base is not None:
            difference = Shift.of(measured.base.minutes(place), measured.side.minutes(place)).difference
        yield row(measured, "length", name, title, numbers.plain(found, 1), found, difference)
    base = None if measured.base is None else measured.base.part
    for measure in MEASURES:
        if measure.workshop and measure.values is not None and len(part.analyses) >= LEAST:
            shift = None if base is None else shift_of(measure, base, part)
            difference, scale = None if shift is None else shift.difference, measure.unit.scale(part)
            yield row(measured, measure.workshop, measure.name, measure.titled(part), measure.cell(part),
                      measure.of_part(part).scaled(scale), difference, scale)  # fmt: skip
        elif measure.workshop and measure.values is None and not (measure.name == TIED and part.place):
            yield counted_row(measured, part, measure.workshop, (measure.name, 0))
    if part.starting.at_random:
        yield counted_row(measured, part, "more", (STARTER_LAST if part.place else STARTER_FIRST, 0))
    endings = range(1, len(part.game.rules.ENDINGS))
    for k in endings if len(endings) > 1 else ():
        yield counted_row(measured, part, "more", (ENDED, k))


def counted_row(
    measured: Measurement, part: Part, group: str, name: MetricName, title: Text | None = None
) -> Row:  # fmt: skip
    """The row of a measure that is counted."""
    found, unit = part.statistics[name], MEASURE[name[0]].unit
    title = title or titled(part, name, part.messages)
    assert title is not None
    difference = None if measured.comparison is None else measured.comparison.change(name).difference
    shown = in_units(found, part.measure) if unit is RESULT_UNIT else found.scaled(unit.scale(part))
    made = row(measured, group, f"{name[0]} {name[1]}", title, unit.cell(part, found), shown, difference,
               unit.scale(part))  # fmt: skip
    unfair = found.significant(1 / part.players, LOOKS * comparisons([part.players]))
    return replace(made, sure=unfair) if group == "shares" and difference is None else made


def row(
    measured: Measurement, group: str, name: str, title: Text, value: Cell, found: Estimate,
    difference: Estimate | None, scale: float = 1.0,
) -> Row:  # fmt: skip
    """A row of an estimate that is scaled already and of a difference that isn't yet."""
    if difference is None or not isfinite(difference.margin):
        return Row(group, name, title, value, ends_of(found))
    tests = LOOKS * (2 * measured.asked.game.players + len(GROUPS))  # that are made together
    scaled, sure = difference.scaled(scale), bool(difference.value) and difference.significant(0.0, tests)
    return Row(group, name, title, value, ends_of(found), size_of(scaled), ends_of(scaled), sure)


def ends_of(found: Estimate) -> Ends | None:
    """An estimate as numbers; None where its interval is open."""
    ends = found.value, found.low, found.high
    return ends if all(map(isfinite, ends)) else None
