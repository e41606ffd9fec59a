"""Measures: what is measured of a game, each declared once.

A declaration has a name, an estimator, a unit and words. Tables, findings, the data file, its documentation, plots and
the workshop's figures are made from it: see `tables`, where all of them stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from hexdeck.engine.study import Measure as ResultUnit
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.stats import UNKNOWN, Estimate, mean, p_below, p_beyond

LEAST = 10  # analysed games without which nothing is said of them
LONG, SELDOM = 2.5, 0.05  # times the median length; the share of games that may be so long
Titles = str | tuple[str, str]  # where first place decides, and where last place does
TOO_FEW = "too few games were looked into to tell"


# --- units ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Unit:
    """How an estimate is written: `cell` in a table or a sentence; `scale` takes it to the number that is written."""

    cell: Callable[[ReportPart, Estimate], str]
    scale: Callable[[ReportPart], float] = lambda _part: 1.0


def signed(estimate: Estimate, part: ReportPart) -> str:
    """A difference of results in people's units, with its sign."""
    if not estimate.count:
        return wording.TOO_FEW
    return f"{wording.plain(estimate.scaled(part.measure.scale))} {part.measure.unit}"


def in_units(estimate: Estimate, unit: ResultUnit) -> Estimate:
    """A result in people's units."""
    return estimate.scaled(unit.scale).shifted(unit.shift)


def percent_of_whole(estimate: Estimate) -> str:
    """A part of a whole, 0 to 1, in whole percent."""
    if not estimate.count:
        return wording.TOO_FEW
    if wording.lopsided(estimate):
        value, low, high = (wording.number(100 * end, 0) for end in (estimate.value, estimate.low, estimate.high))
        return f"{value} % ({low} to {high})"
    return f"{wording.plain(estimate.scaled(100), 0)} %"


def percentage_points(estimate: Estimate) -> str:
    """A difference of shares or chances, in percentage points."""
    if not estimate.count:
        return wording.TOO_FEW
    return f"{wording.plain(estimate.scaled(100), 1)} percentage points"


def dashed(cell: Callable[[ReportPart, Estimate], str]) -> Callable[[ReportPart, Estimate], str]:
    """A cell with a dash where nothing is known."""
    return lambda part, estimate: cell(part, estimate) if estimate.count else "–"


def hundred(_part: ReportPart) -> float:
    """The scale of shares."""
    return 100.0


def of_results(part: ReportPart) -> float:
    """The scale of differences of results."""
    return part.measure.scale


NUMBER = Unit(lambda _part, estimate: wording.plain(estimate))
ROUNDED = Unit(lambda _part, estimate: wording.plain(estimate, 2))
PERCENT = Unit(lambda _part, estimate: wording.percent(estimate), hundred)
WHOLE = Unit(lambda _part, estimate: percent_of_whole(estimate), hundred)
BARE = Unit(dashed(lambda _part, e: f"{wording.number(100 * e.value, 0)} %"), hundred)
POINTS = Unit(lambda _part, estimate: percentage_points(estimate), hundred)
ABOVE = Unit(lambda part, estimate: signed(estimate, part), of_results)
GAP = Unit(lambda part, estimate: wording.gap(estimate, part.measure), of_results)
GAIN = Unit(dashed(lambda part, estimate: wording.plain(estimate.scaled(part.measure.scale))), of_results)
RESULT = Unit(lambda part, estimate: wording.plain(in_units(estimate, part.measure)), of_results)


# --- what is measured -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Subject:
    """What measures are of: matches, seats, cards and so on.

    `keys`: stable names for data, in order. `names`: the same for people; None for what isn't shown.
    """

    title: str
    keys: Callable[[ReportPart], Sequence[str | int | None]]
    names: Callable[[ReportPart], Sequence[str | None]]


MATCH = Subject("measure", lambda _part: [None], lambda _part: [""])


@dataclass(frozen=True)
class Example:
    """A game by its number, and a ply of it; None is its end."""

    number: int
    ply: int | None = None


def example_of(number: int | None) -> Example | None:
    """The end of the game of this number, if there is one."""
    return None if number is None else Example(number)


@dataclass(frozen=True)
class Remark:
    """When a measure is a finding: where it is surely above `above`, or below `below`.

    `text`: what follows “With 3 players, ”, with {share} (the estimate), {of} (what it is of) and what `more` adds;
    `lower`: the same where the other one isn't true below `below`. `group` says it without a number of players.
    `holds`: what must be so besides. `example`: a game that shows it. `spread`: a standard deviation, by which findings
    are sorted, beside some limit.
    """

    text: str | tuple[str, str]
    group: Titles | None = None
    lower: str = ""
    above: float | Callable[[ReportPart], float] | None = None
    below: float | Callable[[ReportPart], float] | None = None
    more: Callable[[ReportPart, Estimate], dict[str, Any]] = lambda _part, _estimate: {}
    holds: Callable[[ReportPart, Estimate], bool] = lambda _part, _estimate: True
    example: Callable[..., Example | None] = lambda *_of: None
    spread: Callable[[ReportPart, float], float] = lambda _part, limit: deviation_of_share(limit)


@dataclass(frozen=True)
class Measure:
    """A measure. `name`: in data; `meaning`: what it is, for readers of data; `title`: for people.

    `estimate`: of a part of a report and, unless it is of matches, the number of a subject. `values`: instead, a
    number for each match that was looked into, of which `average` is taken; from them come differences of two
    variants. `usual`: what it is read beside, in the same unit. `better`: 1 if more is better, -1 if less is.
    `plotted`: with a plot of how often which value comes. `workshop`: the group of the workshop's figures that has it.
    """

    name: str
    meaning: str
    title: Titles
    unit: Unit = NUMBER
    of: Subject = MATCH
    estimate: Callable[..., Estimate] | None = None
    values: Callable[[ReportPart], np.ndarray] | None = None
    average: Callable[[np.ndarray], Estimate] = mean
    usual: Callable[[ReportPart], float] | None = None
    remark: Remark | None = None
    better: int = 0
    plotted: bool = False
    workshop: str = ""

    def titled(self, part: ReportPart) -> str:
        """The title in a part's game."""
        return self.title[part.place] if isinstance(self.title, tuple) else self.title

    def of_part(self, part: ReportPart, k: int = 0) -> Estimate:
        """The estimate; UNKNOWN where too few games were looked into."""
        if self.estimate is not None:
            return self.estimate(part) if self.of is MATCH else self.estimate(part, k)
        values = self.finite_values(part)
        return self.average(values) if len(values) >= LEAST else UNKNOWN

    def finite_values(self, part: ReportPart) -> np.ndarray:
        """The values of those matches that have one."""
        assert self.values is not None
        values = self.values(part)
        finite: np.ndarray = values[np.isfinite(values)]
        return finite

    def cell(self, part: ReportPart, k: int = 0) -> str:
        """The estimate as it is written, beside what is usual."""
        estimate = self.of_part(part, k)
        cell = self.unit.cell(part, estimate)
        if self.usual is None or not estimate.count:
            return cell
        usual = self.usual(part)
        number = wording.number(self.unit.scale(part) * usual, 0)
        return f"{cell} (usual: {number} %)" if isfinite(usual) else cell


# --- tables -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Section:
    """A table as it is shown: its title, the heads of its columns, rows of cells, and a note below it.

    `shares`: for each row a share, 0 to 1, that column `barred` shows as a bar too. `total`: the row, if there is one,
    to which those above it add up. `examples`: for each row a game that shows it, if there is one.
    """

    id: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str | None = None
    shares: tuple[float, ...] = ()
    barred: int = 1
    total: int | None = None
    examples: tuple[Example | None, ...] = ()


@dataclass(frozen=True)
class Table:
    """Measures that are shown together: a row for each, or for those of a subject, a column for each.

    `note`: what is said below. `needed`: whether there is anything to show. `bar`: the measure that is shown as a bar
    too. `example`: a game that shows the row of a subject. `hidden`: measures that only data has.
    """

    id: str
    title: str
    measures: tuple[Measure, ...]
    note: Callable[[ReportPart], str | None] = lambda _part: None
    needed: Callable[[ReportPart], bool] = lambda _part: True
    bar: Measure | None = None
    rows: Callable[[ReportPart, int], Sequence[int]] = lambda _part, count: range(count)
    example: Callable[[ReportPart, int], Example | None] = lambda _part, _k: None
    hidden: tuple[Measure, ...] = ()
    empty: bool = False  # whether it is shown, with a dash, where nothing is known

    def sections(self, part: ReportPart) -> Iterator[Section]:
        """The table of a part, if there is anything to show."""
        if not self.needed(part):
            return
        of, rows, barred = self.measures[0].of, list[tuple[str, ...]](), 1
        examples: tuple[Example | None, ...] = ()
        if of is MATCH:
            measures = [measure for measure in self.measures if measure.of_part(part).count]
            rows += [(measure.titled(part), measure.cell(part)) for measure in measures]
            rows += [(TOO_FEW, "–")] if not rows and self.empty else []
            heads: tuple[str, ...] = (of.title, "value")
            shares = [measure.of_part(part).value for measure in measures] if self.bar else []
        else:
            names = of.names(part)
            indices = [k for k in self.rows(part, len(names)) if names[k] is not None]
            rows += [(names[k] or "", *(measure.cell(part, k) for measure in self.measures)) for k in indices]
            heads = of.title, *(measure.titled(part) for measure in self.measures)
            shares = [self.bar.of_part(part, k).value for k in indices] if self.bar else []
            barred = 1 + self.measures.index(self.bar) if self.bar else 1
            examples = tuple(self.example(part, k) for k in indices)
        if rows:
            shown = tuple(rows), self.note(part), tuple(shares), barred
            yield Section(self.id, self.title, heads, *shown, examples=examples)


def in_game(text: Any, part: ReportPart) -> Any:
    """Of two wordings, the one for a part's game."""
    return text[part.place] if isinstance(text, tuple) else text


# --- findings ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Finding:
    """A sentence about games with these numbers of players; `kind` names its subject.

    `group` says the same without a number of players and `value` what was found: findings with equal groups are merged.
    `subject`: what it is about, by a stable name, where its kind alone doesn't say. `size`: in standard deviations of
    what it is about, by which findings are sorted. `example`: a game that shows it.
    """

    kind: str
    players: tuple[int, ...]
    text: str
    group: str | None = None
    value: str = ""
    subject: str = ""
    size: float = 0.0
    example: Example | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A test of a report, and the finding that is told if it is significant for all tests of the report together.

    `weight`: how much of the 5 % it has, beside others. `found`: the estimate; `unsure`: whether its
    interval reaches what would be a finding.
    """

    p: float
    tell: Callable[[], Finding]
    weight: float = 1.0
    kind: str = ""
    subject: str = ""
    what: str = ""
    value: str = ""
    found: Estimate = UNKNOWN
    unsure: bool = False


def deviation_of_share(share: float) -> float:
    """The standard deviation of what is so in this share of games; of a difference of shares, the largest there is."""
    return (share * (1 - share)) ** 0.5 if 0 < share < 1 else 0.5


def deviation(part: ReportPart) -> float:
    """The standard deviation of a seat's result, from the mean variance over seats."""
    moments, columns = part.statistics.moments, range(part.players)  # results are the first of all metrics
    variance: float = sum(moments.variance(k) for k in columns) / part.players
    return float(variance**0.5)


def questions_of(part: ReportPart, measure: Measure) -> Iterator[Hypothesis]:
    """The questions of a measure's remark, if it has one: of each that it is of and of which something is known."""
    for k, name in enumerate(measure.of.names(part) if measure.remark is not None else ()):
        estimate = UNKNOWN if name is None else measure.of_part(part, k)
        if estimate.count and measure.remark is not None and measure.remark.holds(part, estimate):
            yield question(part, measure, measure.remark, estimate, k)


def question(part: ReportPart, measure: Measure, remark: Remark, estimate: Estimate, k: int) -> Hypothesis:
    """The question of a measure's remark on one that it is of."""
    above, below = (limit(part) if callable(limit) else limit for limit in (remark.above, remark.below))
    p = 1.0 if above is None or estimate.value <= above else p_beyond(estimate, above)
    p = p if below is None else min(p, p_below(estimate, below))
    limit = above if above is not None and estimate.value > above else below if below is not None else 0.0

    def finding() -> Finding:
        about, subject, of = dict[str, Any](), "", list[int]()
        if measure.of is not MATCH:
            about, subject, of = {"of": measure.of.names(part)[k]}, str(measure.of.keys(part)[k]), [k]
        key = remark.lower if remark.lower and estimate.value < limit else in_game(remark.text, part)
        value = measure.unit.cell(part, estimate)
        text = key.format(share=value, **about, **remark.more(part, estimate))
        size = abs(estimate.value - limit) / (remark.spread(part, limit) or 1.0)
        group, example = in_game(remark.group, part), remark.example(part, *of)
        text = f"With {part.players} players, {text}"
        return Finding(measure.name, (part.players,), text, group, value, subject, size, example)

    return Hypothesis(p, finding, kind=measure.name, found=estimate)
