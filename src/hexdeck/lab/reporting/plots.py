"""A report's plots as SVG to embed in a page: colours follow the page's style, and text stays text."""

from __future__ import annotations

import functools
import io
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.lab.counts import STARTER_FIRST, STARTER_LAST
from hexdeck.lab.reporting.measures import Measure
from hexdeck.lab.reporting.number_format import number, percent
from hexdeck.lab.reporting.report import Part
from hexdeck.lab.reporting.tables import TABLES
from hexdeck.lab.tension import favourite_curve
from hexdeck.stats import mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, FAINT, LINE, RULE = "#010203", "#040506", "#070809", "#0a0b0c"  # placeholders for the page's colours
NAMED = {INK: "var(--ink)", FAINT: "var(--faint)", LINE: "var(--line)", RULE: "var(--rule)"}
WIDE, HIGH = 5.4, 2.9  # inches: narrow, so that text stays readable on a phone
BARS, SPREAD = 60, 20  # of a histogram of lengths at most; of one of a measure
DIGITLESS = 10  # a span of values from which on they are told in whole numbers
STYLE = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 12, "text.color": INK, "axes.labelcolor": INK,
    "axes.edgecolor": FAINT, "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.spines.top": False, "axes.spines.right": False, "grid.color": RULE,
}  # fmt: skip
Words = Callable[[Text], str]


@dataclass(frozen=True)
class Plot:
    """A plot: the id of the section that it belongs to, its title, its SVG, and the measure that it is of, if any."""

    section: str
    title: str
    svg: str
    measure: str = ""

    def numbered(self, players: int, number: int) -> str:
        """The SVG with ids that differ from those of other groups with as many players."""
        name = self.measure or self.section
        return self.svg.replace(f"{name}-{players}-", f"{name}-{players}-{number}-")


def plots(part: Part, catalogue: Catalogue) -> list[Plot]:
    """The plots of a part."""
    kinds = [seats, length, *([tension] if any(len(each.when) for each in part.analyses) else [])]
    drawn = [kind(part, catalogue.words) for kind in kinds]
    for table in TABLES:
        of = (
            [each for each in table.measures if each.plotted and each.of_part(part).count] if table.needed(part) else []
        )
        drawn += [spread(table.id, each, part, catalogue.words) for each in of]
    return drawn


def seats(part: Part, words: Words) -> Plot:
    """The shares of the place that decides, with intervals, for each seat and the starter, beside a fair share."""
    found, fair = part.statistics.estimates(part.shares), 100 / part.players
    names = [say("seat {number}", number=seat + 1) for seat in range(part.players)]
    if part.starting.at_random:
        found.append(part.statistics[STARTER_LAST if part.place else STARTER_FIRST])
        names.append(say("who starts"))
    title = (
        say("In how many games each seat loses, in percent")
        if part.place
        else say("In how many games each seat comes first, in percent")
    )
    figures = [say("{name} {share}", name=name, share=percent(each)) for name, each in zip(names, found, strict=True)]
    with figure(words, described(title, figures), 0.6 + 0.38 * len(found), f"seats {part.players}") as (axes, out):
        for seat, each in enumerate(found):
            axes.plot([100 * each.low, 100 * each.high], [seat, seat], color=LINE, linewidth=2)
            axes.plot([100 * each.value], [seat], "o", color=LINE)
        axes.axvline(fair, color=FAINT, linestyle="--", linewidth=1)
        axes.annotate(words(say("fair")), (fair, -0.75), (4, 0), textcoords="offset points", color=FAINT)
        axes.set_yticks(range(len(found)), [words(name) for name in names])
        axes.set_ylim(len(found) - 0.5, -1)
        widest = max(1.5, *(100 * max(each.high - fair / 100, fair / 100 - each.low) for each in found))
        axes.set_xlim(fair - 1.15 * widest, fair + 1.15 * widest)
        axes.xaxis.set_major_formatter(lambda value, _at: decimal(value, words))
        axes.grid(axis="x")
    return Plot("seats", words(title), out[0])


def decimal(value: float, words: Words) -> str:
    """A tick label of an axis, as the language writes numbers."""
    written = number(value, 0 if float(value).is_integer() else 1)
    return written if isinstance(written, str) else words(written)


def length(part: Part, words: Words) -> Plot:
    """A histogram of the number of decisions in a game."""
    from matplotlib.ticker import MaxNLocator

    lengths = part.statistics.lengths
    values, often = np.array(sorted(lengths)), np.array([lengths[k] for k in sorted(lengths)])
    step = -(-int(values[-1] - values[0] + 1) // BARS)  # a whole number, so that all bars are equally wide in decisions
    bins = np.arange(values[0] - 0.5, values[-1] + step, step).tolist()
    title = say("Decisions in a game, and in how many percent of games")
    half = int(values[np.searchsorted(often.cumsum(), often.sum() / 2)])
    shape = say("from {least} to {most}, half of the games with at most {half}", least=int(values[0]),
                most=int(values[-1]), half=half)  # fmt: skip
    with figure(words, described(title, [shape]), HIGH, f"length {part.players}") as (axes, out):
        axes.hist(values, bins=bins, weights=100 * often / often.sum(), color=LINE, edgecolor=RULE, linewidth=0.4)
        axes.set_xlabel(words(say("decisions")))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel("%")
    return Plot("length", words(title), out[0])


def tension(part: Part, words: Words) -> Plot:
    """The probability that whoever took the place that decides had before, over the course of the game."""
    curve = [
        mean(np.array(values)) if len(values) > 1 else None for values in favourite_curve(part.analyses, part.place)
    ]
    places = [(k, each) for k, each in enumerate(curve) if each is not None]
    at = [100 * (k + 0.5) / len(curve) for k, _each in places]
    title = (
        say("The loser's chance of losing, as the game went on")
        if part.place
        else say("The winner's chance of winning, as the game went on")
    )
    figures = [
        say("at {when} % of the decisions {chance} %", when=round(when), chance=round(100 * each.value))
        for when, (_k, each) in zip(at, places, strict=True)
    ]
    with figure(words, described(title, figures), HIGH, f"tension {part.players}") as (axes, out):
        low, value, high = (
            [100 * min(max(getattr(each, end), 0), 1) for _k, each in places] for end in ("low", "value", "high")
        )
        axes.fill_between(at, low, high, color=LINE, alpha=0.25, linewidth=0)
        axes.plot(at, value, "o-", color=LINE, linewidth=2, markersize=4)
        axes.axhline(100 / part.players, color=FAINT, linestyle="--", linewidth=1)
        axes.annotate(words(say("fair")), (100, 100 / part.players), ha="right", va="top", color=FAINT)
        axes.set(xlim=(0, 100), ylim=(0, 100), xlabel=words(say("% of the decisions made")), ylabel="%")
        axes.grid(axis="y")
    return Plot("tension", words(title), out[0])


def spread(section: str, measure: Measure, part: Part, words: Words) -> Plot:
    """A histogram of a measure's values in the games that were looked into."""
    scale = measure.unit.scale(part)
    values = scale * measure.known(part)
    digits = 0 if float(np.ptp(values)) >= DIGITLESS else 2
    title = say("Percent of games, by {measure}", measure=measure.titled(part))
    least, half, most = (number(float(each), digits) for each in np.quantile(values, (0, 0.5, 1)))
    shape = say("from {least} to {most}, half of the games with at most {half}", least=least, most=most, half=half)
    with figure(words, described(title, [shape]), HIGH, f"{measure.name} {part.players}") as (axes, out):
        weights = np.full(len(values), 100 / len(values))
        axes.hist(values, bins=SPREAD, weights=weights, color=LINE, edgecolor=RULE, linewidth=0.4)
        axes.xaxis.set_major_formatter(lambda value, _at: tick(value, scale, words))
        axes.set_ylabel("%")
    return Plot(section, words(title), out[0], measure.name)


def tick(value: float, scale: float, words: Words) -> str:
    """A tick label of an axis of a measure: of a share with its %."""
    label = decimal(value, words)
    return words(say("{number} %", number=label)) if scale == 100 else label


def described(title: Text, figures: Sequence[Text]) -> Text:
    """A text alternative of a plot: its title and its values."""
    if not figures:
        return title
    shown = functools.reduce(lambda one, other: say("{one}; {other}", one=one, other=other), figures)
    return say("{title}: {figures}", title=title, figures=shown)


@contextmanager
def figure(words: Words, title: Text, high: float, salt: str) -> Iterator[tuple[Axes, list[str]]]:
    """Axes to draw on; when that is done the list holds the SVG. `salt` makes its ids the same every time."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    out: list[str] = []
    with mpl.rc_context({**STYLE, "svg.hashsalt": salt}):
        drawn = Figure(figsize=(WIDE, high), layout="constrained")
        yield drawn.subplots(), out
        text = io.StringIO()
        drawn.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        out.append(fitted(text.getvalue(), words(title), salt.replace(" ", "-")))


def fitted(svg: str, title: str, name: str) -> str:
    """An SVG file as an element of a page: the page's colours, no fixed size, `title` as its text alternative.

    Ids that nothing refers to are removed; the others get the plot's name, since a page has several plots.
    """
    from markupsafe import escape

    body = svg[svg.index("<svg") :]
    head, rest = body.split(">", 1)
    box = re.search(r'viewBox="[^"]*"', head)
    assert box is not None
    rest = re.sub(r"<metadata>.*?</metadata>", "", rest, flags=re.DOTALL)
    wanted = set(re.findall(r"#([\w.-]+)", rest))
    rest = re.sub(r' id="([^"]+)"', lambda found: f' id="{name}-{found[1]}"' if found[1] in wanted else "", rest)
    rest = re.sub(r'(url\(|href=")#', rf"\1#{name}-", rest)
    for colour, variable in NAMED.items():
        rest = rest.replace(colour, variable)
    return f'<svg xmlns:xlink="http://www.w3.org/1999/xlink" {box[0]} role="img" aria-label="{escape(title)}">{rest}'
