"""Charts of pages as SVG, whose colours are the page's; tornado charts in characters too, for a terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

import numpy as np

from hexdeck.lab.reporting import measures, report, tables, wording
from hexdeck.stats import Estimate, mean

TEXT, THICK, DOT = 13, 9, 3.5  # pixels: letters, bars, dots


# --- elements ---------------------------------------------------------------------------------------------------------
def drawing(wide: float, high: float, alternative: str, *parts: str) -> str:
    """An SVG element of a page, with its text alternative."""
    label, inside = escape(alternative, quote=True), "".join(parts)
    return f'<svg viewBox="0 0 {wide} {high}" role="img" aria-label="{label}" font-size="{TEXT}">{inside}</svg>'


def letters(x: float, y: float, text: str, anchor: str = "start", attributes: str = 'fill="var(--ink)"') -> str:
    """A line of text."""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {attributes}>{escape(text)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = "var(--ink)", attributes: str = "") -> str:
    """A straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" {attributes}/>'


def box(x1: float, y: float, x2: float, high: float, fill: str, attributes: str = "") -> str:
    """A filled rectangle between two sides, from `y` down."""
    start, wide = min(x1, x2), abs(x2 - x1)
    return f'<rect x="{start:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}" fill="{fill}" {attributes}/>'


# --- a row for each estimate ------------------------------------------------------------------------------------------
WIDE, ROW = 330, 21  # pixels: of a picture and a row of it
LEFT, RIGHT = 97, 224  # where the scale begins and ends; left of it the label, right of it the value


@dataclass(frozen=True)
class Scale:
    """What a picture goes from and at least to; `shaded`: up to where it is shaded; `bars` rather than dots."""

    low: float
    high: float
    shaded: float = 0.0
    bars: bool = False


@dataclass(frozen=True)
class Bar:
    """An estimate to be drawn."""

    name: str
    estimate: Estimate
    value: str  # the same in words
    sure: bool = True  # whether it is certain
    usual: float | None = None
    verdict: str = "plain"  # a class of the page's style
    sign: str = ""  # of that verdict

    size = cached_property[float](lambda self: abs(self.estimate.value))  # how far it leads, in either direction
    drawn = cached_property[bool](lambda self: self.estimate.count > 0 and math.isfinite(self.estimate.high))


def picture(rows: Sequence[Bar], scale: Scale, title: str) -> str:
    """A small picture of estimates; `title` with the labels and values is its text alternative."""
    ends = [end for row in rows if row.drawn for end in (row.estimate.high, row.usual or 0.0)]
    most = max([scale.high, *ends])
    high, per = ROW * len(rows), (RIGHT - LEFT) / (most - scale.low)
    figures = "; ".join(f"{row.name}: {row.value}" for row in rows)
    end = min(LEFT + scale.shaded * per, RIGHT)
    shade = [box(LEFT, 0, end, high, "var(--rule)", 'fill-opacity=".55"')] if scale.shaded else []
    drawn = (row_of(row, ROW * k + ROW / 2, scale, per) for k, row in enumerate(rows))
    feet = (
        letters(x, high + 12, f"{round(end):,}", "middle", 'fill="var(--faint)" font-size="11"')
        for x, end in ((LEFT, scale.low), (RIGHT, most))
    )
    axis = line(LEFT, 0, LEFT, high, "var(--faint)")
    return drawing(WIDE, high + 15, f"{title}: {figures}", *shade, axis, *drawn, *feet)


def row_of(row: Bar, y: float, scale: Scale, per: float) -> str:
    """A row of a picture: label and sign, the number with its interval, what is usual, and the value."""

    def at(value: float) -> float:
        return min(max(LEFT + (value - scale.low) * per, LEFT), RIGHT)

    text = letters(0, y + 4, row.name) + letters(WIDE, y + 4, row.value, "end")
    text += letters(LEFT - 8, y + 4, row.sign, "end", f'class="{row.verdict}" fill="currentColor"') if row.sign else ""
    if not row.drawn:
        return text
    low, value, high = (at(end) for end in (row.estimate.low, row.estimate.value, row.estimate.high))
    mark, reference = f'<circle cx="{value:.1f}" cy="{y:g}" r="{DOT}" fill="currentColor"/>', ""
    if scale.bars:
        mark = box(LEFT, y - THICK / 2, value, THICK, "currentColor")
    if row.usual is not None:
        usual, bar = at(row.usual), box(LEFT, y - THICK / 2, at(row.usual), THICK, "var(--rule)")
        reference = bar if scale.bars else line(usual, y - 7, usual, y + 7, attributes='stroke-width="1.5"')
    over = line(low, y, high, y, "var(--ink)" if scale.bars else "currentColor", 'stroke-width="1.5"')
    return f'{text}{reference}<g class="{row.verdict}">{mark}{over}</g>'


# --- tornado charts ---------------------------------------------------------------------------------------------------
BROAD, TALL = 420, 36  # pixels: a chart narrow enough for a phone; a row with its words above its bar
BLOCKS = {True: ("█", "░", "│"), False: ("#", "-", "|")}  # bars, those that aren't certain, the edge; in ASCII too


def reach(bars: Sequence[Bar]) -> float:
    """How far the scale goes to either side: to the longest bar, and not to the ends of wide intervals."""
    return max((bar.size for bar in bars), default=0.0) or 1.0


def tornado(bars: Sequence[Bar], title: str) -> str:
    """A bar for each change, from the game as it is to where the change leads, with its interval."""
    middle, parts = BROAD / 2, [line(BROAD / 2, 0, BROAD / 2, TALL * len(bars), "var(--rule)")]
    for k, bar in enumerate(bars):
        ends = bar.estimate.value, bar.estimate.low, bar.estimate.high
        value, low, high = (min(max(middle + end * middle / reach(bars), 0), BROAD) for end in ends)
        y, pale = TALL * (k + 1) - THICK - 4, "" if bar.sure else 'fill-opacity=".3"'
        parts += [letters(0, TALL * k + TEXT, bar.name), letters(BROAD, TALL * k + TEXT, bar.value, "end")]
        parts += [box(middle, y, value, THICK, "var(--line)", pale), line(low, y + THICK / 2, high, y + THICK / 2)]
    figures = "; ".join(f"{bar.name} {bar.value}" for bar in bars)
    return drawing(BROAD, TALL * len(bars), f"{title}: {figures}", *parts)


def tornado_lines(bars: Sequence[Bar], width: int, *, fancy: bool = True) -> list[str]:
    """The lines of a tornado chart, at most `width` characters each where there is room; `fancy`: with blocks."""
    (full, pale, edge), out = BLOCKS[fancy], list[str]()
    names = max((len(bar.name) for bar in bars), default=0)
    half = width - names - max((len(bar.value) for bar in bars), default=0) - 4
    half = min(20, max(4, half // 2))
    for bar in bars:
        block = (full if bar.sure else pale) * round(half * bar.size / reach(bars))
        minus, right = (block, "") if bar.estimate.value < 0 else ("", block)
        out.append(f"{bar.name:<{names}} {minus:>{half}}{edge}{right:<{half}} {bar.value}".rstrip())
    return out


# --- planes with axes -------------------------------------------------------------------------------------------------
HIGH, PLANE = 210, (40, 12, 402, 172)  # pixels: of a plot; the left, top, right and bottom of its plane
BARS, SPREAD, BINS = 60, 20, 10  # of a histogram of lengths at most; of one of a measure; of a match's course
DIGITLESS = 10  # a span of values from which on they are told in whole numbers


@dataclass(frozen=True)
class Plane:
    """Axes: from `low` to `high` to the right, from 0 to `top` percent upward. `label`: of a tick on the former."""

    low: float
    high: float
    top: float
    label: Callable[[float], str]
    name: str = ""

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a point lies."""
        x1, top, right, bottom = PLANE
        along = (x - self.low) / ((self.high - self.low) or 1.0)
        return x1 + along * (right - x1), bottom - y / self.top * (bottom - top)

    @property
    def axes(self) -> str:
        """Both axes with their ticks."""
        x1, top, right, bottom = PLANE
        parts = [line(x1, bottom, right, bottom, "var(--faint)"), line(x1, top, x1, bottom, "var(--faint)")]
        for value in ticks(self.low, self.high):
            x, _y = self.at(value, 0)
            parts += [line(x, bottom, x, bottom + 4, "var(--faint)")]
            parts += [letters(x, bottom + TEXT + 4, self.label(value), "middle")]
        for value in ticks(0, self.top, 4):
            _x, y = self.at(self.low, value)
            parts += [line(x1, y, right, y, "var(--rule)"), letters(x1 - 5, y + 4, f"{value:g}", "end")]
        return "".join([*parts, letters(x1 + 5, top + 2, "%"), letters(right, HIGH - 4, self.name, "end")])


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """At most so many round numbers between two others, and one more."""
    rough = ((high - low) or 1.0) / count
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    return [round(k * step, 10) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


# --- the plots of a report --------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Plot:
    """A plot: the id of the section that it belongs to, its title, its SVG, and the measure that it is of, if any."""

    section: str
    title: str
    svg: str
    measure: str = ""


def histogram(plane: Plane, edges: np.ndarray, heights: np.ndarray, title: str, quantiles: Sequence[str]) -> str:
    """Bars from one edge to the next, of heights in percent; `quantiles`: the least, the median, the largest value."""
    bars, (least, half, greatest) = [], quantiles
    for low, high, share in zip(edges, edges[1:], heights, strict=False):
        (x1, y), (x2, foot) = plane.at(low, share), plane.at(high, 0)
        bars.append(box(x1, y, x2, foot - y, "var(--line)", 'stroke="var(--rule)" stroke-width=".4"'))
    shape = f"from {least} to {greatest}, half of the games with at most {half}"
    return drawing(BROAD, HIGH, f"{title}: {shape}", plane.axes, *bars)


def plots(part: report.ReportPart) -> list[Plot]:
    """The plots of a part."""
    drawn = [seats(part), length(part)]
    drawn += [favourites(part)] if any(len(analysis.when) for analysis in part.analyses) else []
    for table in tables.TABLES:
        for measure in table.measures if table.needed(part) else ():
            if measure.plotted and measure.of_part(part).count:
                drawn.append(spread(table.id, measure, part))
    return drawn


def seats(part: report.ReportPart) -> Plot:
    """The shares of the place that decides, with intervals, for each seat and the starter, beside a fair share."""
    shares, fair = part.statistics.estimates(part.shares), 100 / part.players
    names = [f"seat {seat + 1}" for seat in range(part.players)]
    if part.starting.at_random:
        shares.append(part.statistics[part.starter_share])
        names.append("who starts")
    title = wording.in_game("In how many games each seat {takes}, in percent; tick: fair", part)
    rows = [
        Bar(name, share.scaled(100), wording.plain(share.scaled(100)), usual=fair)
        for name, share in zip(names, shares, strict=True)
    ]
    widest = 1.15 * max(1.5, *(max(fair - row.estimate.low, row.estimate.high - fair) for row in rows))
    return Plot("seats", title, picture(rows, Scale(fair - widest, fair + widest), title))


def length(part: report.ReportPart) -> Plot:
    """A histogram of the number of decisions in a game."""
    lengths = part.statistics.lengths
    values, often = np.array(sorted(lengths)), np.array([lengths[k] for k in sorted(lengths)])
    step = -(-int(values[-1] - values[0] + 1) // BARS)  # a whole number, so that all bars are equally wide in decisions
    edges = np.arange(values[0] - 0.5, values[-1] + step, step)
    heights = np.histogram(values, edges, weights=100 * often / often.sum())[0]
    half = int(values[np.searchsorted(often.cumsum(), often.sum() / 2)])
    title = "Decisions in a game, and in how many percent of games"
    plane = Plane(edges[0], edges[-1], heights.max(), wording.short, "decisions")
    quantiles = [str(int(number)) for number in (values[0], half, values[-1])]
    return Plot("length", title, histogram(plane, edges, heights, title, quantiles))


def spread(section: str, measure: measures.Measure, part: report.ReportPart) -> Plot:
    """A histogram of a measure's values in the games that were looked into."""
    scale = measure.unit.scale(part)
    values = scale * measure.finite_values(part)
    heights, edges = np.histogram(values, SPREAD, weights=np.full(len(values), 100 / len(values)))
    digits = 0 if float(np.ptp(values)) >= DIGITLESS else 2
    quantiles = [wording.number(float(number), digits) for number in np.quantile(values, (0, 0.5, 1))]
    title = f"Percent of games, by {measure.titled(part)}"

    def label(value: float) -> str:
        return f"{wording.short(value)} %" if scale == 100 else wording.short(value)

    plane = Plane(edges[0], edges[-1], heights.max(), label)
    return Plot(section, title, histogram(plane, edges, heights, title, quantiles), measure.name)


def favourites(part: report.ReportPart) -> Plot:
    """The probability that the player who took the place that decides had before, over the course of the game."""
    fair = 100 / part.players
    curve: list[list[float]] = [[] for _ in range(BINS)]
    for analysis in part.analyses:  # a bin has one value for each match, since its moments aren't independent
        at = np.minimum((analysis.when * BINS).astype(int), BINS - 1)
        chances = analysis.chances(part.place) @ analysis.end[part.place]
        for k in np.unique(at).tolist():
            curve[k].append(float(chances[at == k].mean()))
    points = [
        (100 * (k + 0.5) / BINS, mean(np.array(values)).scaled(100))
        for k, values in enumerate(curve)
        if len(values) > 1
    ]
    title = wording.in_game("The {winner}'s chance to {win}, as the game went on", part)
    figures = "; ".join(f"at {moment:.0f} % of the decisions {chance.value:.0f} %" for moment, chance in points)
    plane = Plane(0, 100, 100, wording.short, "% of the decisions made")

    def path(end: str) -> list[str]:
        ends = (plane.at(moment, min(max(getattr(chance, end), 0), 100)) for moment, chance in points)
        return [f"{x:.1f},{y:.1f}" for x, y in ends]

    band = f'<polygon points="{" ".join([*path("low"), *path("high")[::-1]])}" fill="var(--line)" fill-opacity=".25"/>'
    drawn = f'<polyline points="{" ".join(path("value"))}" fill="none" stroke="var(--line)" stroke-width="2"/>'
    (start, y), (right, _y) = plane.at(0, fair), plane.at(100, fair)
    usual = line(start, y, right, y, "var(--faint)", 'stroke-dasharray="5 4"')
    usual += letters(right, y + TEXT, "fair", "end", 'fill="var(--faint)"')
    alternative = f"{title}: {figures}" if points else title
    return Plot("tension", title, drawing(BROAD, HIGH, alternative, plane.axes, band, drawn, usual))
