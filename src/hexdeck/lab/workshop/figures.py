"""Figures of a measurement: rows with intervals, and findings as reports and comparisons word them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from hexdeck.engine.measure import Measure as ResultUnit
from hexdeck.engine.number_words import signed
from hexdeck.engine.text import Text, pack, say, unpack
from hexdeck.lab.compare import OF_STARTER
from hexdeck.lab.counts import ENDED, RESULT, SHARES, STARTER_FIRST, STARTER_LAST, TIED, MetricName
from hexdeck.lab.effects import size_of
from hexdeck.lab.pace import CARDS, SCREEN, Place
from hexdeck.lab.reporting import number_format as numbers
from hexdeck.lab.reporting.measures import LEAST, Measure, in_units
from hexdeck.lab.reporting.report import Part, comparisons, measure_of
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.lab.starts import starting_of
from hexdeck.lab.sweep import minutes_each
from hexdeck.lab.workshop.findings import LOOKS, findings, variant
from hexdeck.lab.workshop.measurement import Measurement, Side
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
    rows = tuple(map(row_from, data["rows"]))
    found = tuple(unpack({"text": each}) for each in data["found"])
    return Figures(**{**data, "unit": unpack(data["unit"]), "found": found, "rows": rows})


def row_from(data: dict[str, Any]) -> Row:
    """The row of data that `Figures.data` gave."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else unpack(value) for name, value in data.items()
    }
    return Row(**values)


def figures_of(measured: Measurement) -> Figures:
    """The figures of a measurement that has made a step."""
    rows, margin = list(all_rows(measured)), measured.precision
    return Figures(
        len(measured.side.statistics), len(measured.side.analyses), margin if isfinite(margin) else None,
        100 / measured.asked.game.players, measured.place, measure_of(measured.asked.game).unit,
        tuple(findings(measured)), tuple(rows), measured.done,
    )  # fmt: skip


def all_rows(measured: Measurement) -> Iterator[Row]:
    """All rows, group by group."""
    game, scale = measured.asked.game, measure_of(measured.asked.game).scale
    for seat in range(game.players):
        yield metric_row(measured, "shares", (measured.shares, seat), say("Seat {number}", number=seat + 1))
    for seat in range(game.players if not is_share(measure_of(game)) else 0):
        yield metric_row(measured, "results", (RESULT, seat), say("Seat {number}", number=seat + 1), scale)
    for name, title, place in MINUTES:
        yield minutes_row(measured, name, title, place)
    part = variant(measured)
    for measure in MEASURES:
        if measure.workshop and measure.values is not None and len(part.analyses) >= LEAST:
            yield match_row(measured, measure, part)
        elif measure.workshop and measure.values is None and not (measure.name == TIED and measured.place):
            yield metric_row(measured, measure.workshop, (measure.name, 0), measure.titled(part))
    starting = starting_of(game)
    if starting.at_random:
        metric = STARTER_LAST if measured.place else STARTER_FIRST
        yield metric_row(measured, "more", (metric, 0), say(OF_STARTER[metric], why=starting.why))
    endings = range(1, len(game.rules.ENDINGS))
    for k in endings if len(endings) > 1 else ():
        yield metric_row(measured, "more", (ENDED, k), say("ends so: {ending}", ending=game.endings[k]))


def is_share(measure: ResultUnit) -> bool:
    """Whether results are counted in matches won, so that they say no more than shares do."""
    return (measure.low, measure.high) == (0.0, 100.0)


def metric_row(measured: Measurement, group: str, name: MetricName, title: Text, scale: float = 1.0) -> Row:
    """The row of a metric."""
    found, key = measured.side.statistics[name], f"{name[0]} {name[1]}"
    difference = None if measured.comparison is None else measured.comparison.change(name).difference
    if name[0] in SHARES:
        row = made_row(measured, group, key, title, numbers.percent(found), found.scaled(100), difference, 100)
        return row if group != "shares" or difference is not None else replace(row, sure=is_unfair(measured, found))
    shown = in_units(found, measure_of(measured.asked.game)) if name[0] == RESULT else found
    return made_row(measured, group, key, title, numbers.plain(shown), shown, difference, scale)


def is_unfair(measured: Measurement, found: Estimate) -> bool:
    """Whether a seat's share surely isn't fair."""
    players = measured.asked.game.players
    return found.significant(1 / players, LOOKS * comparisons([players]))


def minutes_row(measured: Measurement, name: str, title: Text, place: Place) -> Row:
    """The row of a match's minutes at a table."""

    def each(side: Side) -> tuple[float, np.ndarray]:
        return minutes_each(side.setup.game, np.concatenate(side.reckoned), place)

    value, off = each(measured.side)
    found, difference = around(value, mean(off)), None
    if measured.base is not None:
        other, others = each(measured.base)
        difference = around(value - other, mean(off - others))
    return made_row(measured, "length", name, title, numbers.plain(found, 1), found, difference)


def match_row(measured: Measurement, measure: Measure, part: Part) -> Row:
    """The row of a measure of the matches that were looked into."""
    scale, found = measure.unit.scale(part), measure.of_part(part)
    difference = None
    if measured.base is not None and measure.values is not None:
        one, other = (measure.values(replace(part, analyses=tuple(side.analyses))) for side in measured.sides)
        if len(one) == len(other):
            difference = mean((one - other)[np.isfinite(one - other)])
    return made_row(measured, measure.workshop, measure.name, measure.titled(part), measure.cell(part),
                    found.scaled(scale), difference, scale)  # fmt: skip


def around(value: float, spread: Estimate) -> Estimate:
    """An estimate with the margin of another."""
    return Estimate(value, value - spread.margin, value + spread.margin, spread.count)


def made_row(
    measured: Measurement, group: str, name: str, title: Text, value: Text | str, found: Estimate,
    difference: Estimate | None, scale: float = 1.0,
) -> Row:  # fmt: skip
    """A row of an estimate that is scaled already and of a difference that isn't yet."""
    if difference is None or not isfinite(difference.margin):
        return Row(group, name, title, value, ends_of(found))
    scaled = difference.scaled(scale)
    sure = bool(difference.value) and difference.significant(0.0, tests(measured))
    return Row(group, name, title, value, ends_of(found), written(scaled), ends_of(scaled), sure)


def written(difference: Estimate) -> Text | str:
    """A difference with its sign and margin."""
    return size_of(difference) if difference.value or difference.margin else signed(0.0, 0)


def ends_of(found: Estimate) -> Ends | None:
    """An estimate as numbers; None where its interval is open."""
    ends = found.value, found.low, found.high
    return ends if all(map(isfinite, ends)) else None


def tests(measured: Measurement) -> int:
    """How many differences are tested together."""
    return LOOKS * (2 * measured.asked.game.players + len(GROUPS))
