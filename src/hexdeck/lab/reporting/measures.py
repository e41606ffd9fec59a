"""Measures, each declared once: from that come tables, findings, data, its documentation, plots, workshop figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.study import ResultUnit
from hexdeck.lab.reporting import wording
from hexdeck.lab.reporting.report import ReportPart
from hexdeck.lab.reporting.wording import WORDS, capitalised
from hexdeck.stats import UNKNOWN, Estimate, mean, p_beyond

if TYPE_CHECKING:
    from hexdeck.lab.tension import MatchAnalysis

LEAST = 10  # analysed games without which nothing is said of them
LONG, SELDOM = 2.5, 0.05  # times the median length; the share of games that may be so long
TOO_FEW = "too few games were looked into to tell"


# --- units ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Unit:
    """How an estimate is written; `factor` is None for what results are counted in."""

    write: Callable[[ReportPart, Estimate], str]
    factor: float | None = 1.0
    unknown: str = wording.TOO_FEW  # where nothing is known

    def cell(self, part: ReportPart, estimate: Estimate) -> str:
        """The estimate in a table or a sentence."""
        return self.write(part, estimate) if estimate.count else self.unknown

    def scale(self, part: ReportPart) -> float:
        """What takes an estimate to the number that is written."""
        return part.measure.scale if self.factor is None else self.factor


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
    return f"{wording.plain(estimate.scaled(100), 1)} percentage points"


NUMBER = Unit(lambda _part, estimate: wording.plain(estimate))
ROUNDED = Unit(lambda _part, estimate: wording.plain(estimate, 2))
PERCENT = Unit(lambda _part, estimate: wording.percent(estimate), 100.0)
WHOLE = Unit(lambda _part, estimate: percent_of_whole(estimate), 100.0)
BARE = Unit(lambda _part, e: f"{wording.number(100 * e.value, 0)} %", 100.0, "–")
POINTS = Unit(lambda _part, estimate: percentage_points(estimate), 100.0)
ABOVE = Unit(lambda part, e: f"{wording.plain(e.scaled(part.measure.scale))} {part.measure.unit}", None)
GAP = Unit(lambda part, estimate: wording.gap(estimate, part.measure), None)
GAIN = Unit(lambda part, estimate: wording.plain(estimate.scaled(part.measure.scale)), None, "–")
RESULT = Unit(lambda part, estimate: wording.plain(in_units(estimate, part.measure)), None)


# --- what is measured -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Subject:
    """What measures are of: matches, seats, cards and so on."""

    title: str
    keys: Callable[[ReportPart], Sequence[str | int | None]]  # stable names for data, in order
    names: Callable[[ReportPart], Sequence[str | None]]  # the same for people; None for what isn't shown
    # of a part, a measure by its name, and the number of one: usually what was counted under this name
    estimate: Callable[[ReportPart, str, int], Estimate] = lambda part, name, k: part.statistics[name, k]


MATCH = Subject("measure", lambda _part: [None], lambda _part: [""])

SEAT = Subject(
    "seat", lambda part: range(part.players), lambda part: [wording.seat_name(part, k) for k in range(part.players)]
)


@dataclass(frozen=True)
class Example:
    """A game by its number, and a ply of it; None is its end."""

    number: int
    ply: int | None = None


def example_of(number: int | None, *ply: int) -> Example | None:
    """A ply, or the end, of the game of this number, if there is one."""
    return None if number is None else Example(number, *ply)


@dataclass(frozen=True)
class Remark:
    """When a measure is a finding: where it is surely above `above`, or below `below`.

    `text` follows “With 3 players, ”, with {share} (the estimate), {of} (what it is of) and what `more` adds. With
    {listed} it is a whole sentence for all numbers of players together, each with its {value}. Functions get the number
    of the subject too, unless the measure is of matches; `example` then gets the values of those looked into.
    """

    text: str
    group: str | None = None  # the same without a number of players: those with equal groups are merged
    lower: str = ""  # the text below `below`, where the other isn't true there
    above: float | Callable[[ReportPart], float] | None = None
    below: float | Callable[[ReportPart], float] | None = None
    more: Callable[..., dict[str, Any]] = lambda _part, _estimate, *_of: {}
    holds: Callable[..., bool] = lambda _part, _estimate, *_of: True  # what must be so besides
    least: Callable[[ReportPart], float] = lambda _part: 0.0  # how far from the limit it must be
    also: Callable[..., float] = lambda _part, *_of: 0.0  # the p-value of what must be sure too
    tested: Callable[..., Estimate] | None = None  # the estimate, if that isn't the measure's own
    example: Callable[..., Example | None] = lambda *_of: None  # a game that shows it
    # a standard deviation, by which findings are sorted, beside some limit
    spread: Callable[[ReportPart, float], float] = lambda _part, limit: deviation_of_share(limit)
    fair: bool = False  # whether it is about seats and who starts


@dataclass(frozen=True)
class Measure:
    """A measure, estimated by its subject unless it has an estimator of its own.

    `compared`: how findings of a comparison call it, with {of}, a seat's number {n}, the {unit} of results and {why}
    somebody starts; without it a comparison's table has it alone.
    """

    name: str  # in data
    title: str  # for people
    unit: Unit = NUMBER
    of: Subject = MATCH
    estimate: Callable[..., Estimate] | None = None  # of a part and, unless it is of matches, the number of a subject
    of_match: Callable[[MatchAnalysis, int], float] | None = None  # instead, of a match and the place that decides
    average: Callable[[np.ndarray], Estimate] = mean  # of the matches; of two variants, of their differences
    wanted: Callable[[ReportPart], bool] = lambda _part: True  # whether it says something of a part's game
    usual: Callable[[ReportPart], float] | None = None  # what it is read beside, in the same unit
    remark: Remark | None = None
    better: int = 0  # 1 if more is better, -1 if less is
    plotted: bool = False  # with a plot of how often which value comes
    deep: bool = False  # whether it is of what choices bring, which `MatchAnalyser.chances` leaves out
    workshop: str = ""  # the group of the workshop's figures that has it
    compared: str = ""
    meaning: str = ""  # for readers of data

    def means(self, meaning: str) -> Measure:
        """The measure with a meaning."""
        return replace(self, meaning=meaning)

    def __call__(self, analysis: MatchAnalysis, place: int) -> float:
        """The value of a match that was looked into; `place`: which decides, first (0) or last (1)."""
        assert self.of_match is not None
        return self.of_match(analysis, place)

    def titled(self, part: ReportPart) -> str:
        """The title in a part's game."""
        return wording.in_game(self.title, part)

    def of_part(self, part: ReportPart, k: int = 0) -> Estimate:
        """The estimate; UNKNOWN where too few games were looked into."""
        if (self.name, k) not in part.estimates:
            part.estimates[self.name, k] = self.estimated(part, k)
        return part.estimates[self.name, k]

    def estimated(self, part: ReportPart, k: int) -> Estimate:
        """The estimate, made now."""
        if self.estimate is not None:
            return self.estimate(part) if self.of is MATCH else self.estimate(part, k)
        if self.of_match is None:
            return self.of.estimate(part, self.name, k)
        values = self.finite_values(part)
        return self.average(values) if len(values) >= LEAST else UNKNOWN

    def values(self, part: ReportPart) -> np.ndarray:
        """The values of all matches that were looked into; NaN for one that has none."""
        return np.array([self(analysis, part.place) for analysis in part.analyses if self.wanted(part)], float)

    def finite_values(self, part: ReportPart) -> np.ndarray:
        """The values of those matches that have one."""
        values = self.values(part)
        return np.asarray(values[np.isfinite(values)])

    def cell(self, part: ReportPart, k: int = 0) -> str:
        """The estimate as it is written, beside what is usual."""
        estimate = self.of_part(part, k)
        cell, usual = self.unit.cell(part, estimate), self.usual(part) if self.usual and estimate.count else nan
        return f"{cell} (usual: {wording.number(self.unit.scale(part) * usual, 0)} %)" if isfinite(usual) else cell


def analysed(
    title: str, unit: Unit, average: Callable[[np.ndarray], Estimate] = mean, better: int = -1, **more: Any
) -> Callable[[Callable[[MatchAnalysis, int], float]], Measure]:
    """Declare a measure of matches that were looked into by what gives the value of one: its name and its docstring."""
    return lambda value: Measure(
        value.__name__, title, unit, meaning=meaning_of(value), of_match=value, average=average, better=better, **more
    )


def estimated(title: str, unit: Unit, of: Subject = MATCH, **more: Any) -> Callable[[Callable[..., Estimate]], Measure]:
    """Declare a measure by what estimates it: its name and its docstring."""
    return lambda estimate: Measure(estimate.__name__, title, unit, of, estimate, meaning=meaning_of(estimate), **more)


def remarked(text: str, group: str | None = None, **more: Any) -> Callable[[Measure], Measure]:
    """Declare when a measure is a finding."""
    return lambda measure: replace(measure, remark=Remark(text, group, **more))


def meaning_of(function: Callable[..., Any]) -> str:
    """What a function gives, by the first line of its docstring."""
    meaning = (function.__doc__ or "").partition("\n")[0].rstrip(".")
    return meaning[:1].lower() + meaning[1:]


# --- tables -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Section:
    """A table as it is shown: its title, the heads of its columns, rows of cells, and a note below it."""

    id: str
    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str | None = None
    shares: tuple[float, ...] = ()  # for each row a share, 0 to 1, that column `barred` shows as a bar too
    barred: int = 1
    total: int | None = None  # the row, if there is one, to which those above it add up
    examples: tuple[Example | None, ...] = ()  # for each row a game that shows it, if there is one


@dataclass(frozen=True)
class Table:
    """Measures that are shown together: a row for each, or for those of a subject, a column for each."""

    id: str
    title: str
    measures: tuple[Measure, ...]
    note: Callable[[ReportPart], str | None] = lambda _part: None  # what is said below
    needed: Callable[[ReportPart], bool] = lambda _part: True  # whether there is anything to show
    bar: Measure | None = None  # is shown as a bar too
    rows: Callable[[ReportPart, int], Sequence[int]] = lambda _part, count: range(count)
    example: Callable[[ReportPart, int], Example | None] = lambda _part, _k: None  # shows the row of a subject
    hidden: tuple[Measure, ...] = ()  # that only data has
    empty: bool = False  # whether it is shown, with a dash, where nothing is known

    all = property(lambda self: (*self.measures, *self.hidden))  # shown or not

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
            columns = tuple(rows), self.note(part), tuple(shares), barred
            yield Section(self.id, self.title, heads, *columns, examples=examples)


# --- findings ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Finding:
    """A sentence about games with these numbers of players."""

    kind: str  # the name of its measure, or else its subject
    players: tuple[int, ...]
    text: str
    group: str | None = None  # the same without a number of players: findings with equal groups are merged
    value: str = ""
    subject: str = ""  # what it is about, by a stable name, where its kind alone doesn't say
    what: str = ""  # the same for people
    size: float = 0.0  # in standard deviations of what it is about, by which findings are sorted
    example: Example | None = None


@dataclass(frozen=True)
class Hypothesis:
    """A test of a report, and the finding that is told if it is significant for all tests of the report together."""

    p: float
    tell: Callable[..., Finding]  # of several numbers of players as they are listed
    weight: float = 1.0  # how much of the 5 % it has, beside others
    kind: str = ""  # the name of its measure
    found: Estimate = UNKNOWN
    unsure: bool = False  # whether the interval reaches what would be a finding
    joined: str = ""  # what findings have in common that are told of all numbers of players together
    fair: bool = False


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
    remark, names = measure.remark, measure.of.names(part) if measure.remark is not None else ()
    for k, name in enumerate(names):
        if remark is not None and name is not None:
            of = () if measure.of is MATCH else (k,)
            estimate = measure.of_part(part, k) if remark.tested is None else remark.tested(part, *of)
            if estimate.count and remark.holds(part, estimate, *of):
                yield question(part, measure, remark, estimate, of)


def question(part: ReportPart, measure: Measure, remark: Remark, estimate: Estimate, of: tuple[int, ...]) -> Hypothesis:
    """The question of a measure's remark on one that it is of."""
    above, below = (limit(part) if callable(limit) else limit for limit in (remark.above, remark.below))
    over, under = above is not None and estimate.value > above, below is not None and estimate.value < below
    limit = (above if over else below) or 0.0
    p = p_beyond(estimate, limit) if over or under else 1.0
    p = max(p, remark.also(part, *of)) if abs(estimate.value - limit) >= remark.least(part) else 1.0
    key = remark.lower if remark.lower and not over else remark.text
    subject = "".join(str(measure.of.keys(part)[k]) for k in of)

    def tell(players_listed: str = "") -> Finding:
        cell, name = measure.unit.cell(part, estimate), "".join(str(measure.of.names(part)[k]) for k in of)
        about = WORDS[part.place] | {"share": cell, "value": cell, "of": name} | remark.more(part, estimate, *of)
        text = key.format(**about, listed=players_listed or f"{about['value']} with {part.players} players")
        text = capitalised(text) if "{listed}" in key else f"With {part.players} players, {text}"
        size = abs(estimate.value - limit) / (remark.spread(part, limit) or 1.0)
        example = remark.example(part, *((measure.values(part),) if measure.of_match is not None else of))
        group = remark.group and capitalised(remark.group.format(**about))
        return Finding(measure.name, (part.players,), text, group, about["value"], subject, about["of"], size, example)

    joined = key + subject if "{listed}" in key else ""
    unsure = below is not None and estimate.low < below
    return Hypothesis(p, tell, 1.0, measure.name, estimate, unsure, joined, remark.fair)
