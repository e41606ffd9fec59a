"""Small pictures of answers: a line for each number of players, drawn as SVG that follows the page's colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import isfinite

from hexdeck.stats import Estimate

WIDE, ROW, TEXT = 330, 21, 13  # pixels: the picture, a line of it, its letters
LEFT, RIGHT = 97, 224  # where the scale begins and ends; left of it the label, right of it the value
DOT, THICK = 3.5, 9


@dataclass(frozen=True)
class Scale:
    """What a picture goes from and at least to; `shaded`: up to where it is shaded; `bars` rather than dots."""

    low: float
    high: float
    shaded: float = 0.0
    bars: bool = False


@dataclass(frozen=True)
class Row:
    """A line: its label, the verdict (a class of the page's style) and its sign, the number, and that in words."""

    label: str
    verdict: str
    sign: str
    number: Estimate
    usual: float | None
    shown: str


def picture(rows: Sequence[Row], scale: Scale, title: str) -> str:
    """The rows as an element of a page; `title` with the labels and values is its text alternative."""
    high = ROW * len(rows)
    listed = "; ".join(f"{row.label}: {row.shown}" for row in rows)
    most = max([scale.high, *(end for row in rows if known(row) for end in (row.number.high, row.usual or 0.0))])
    label, per = escape(f"{title}: {listed}", quote=True), (RIGHT - LEFT) / (most - scale.low)
    shaded = (
        f'<rect x="{LEFT}" y="0" width="{min(scale.shaded * per, RIGHT - LEFT):.1f}" height="{high}" '
        'fill="var(--rule)" fill-opacity=".55"/>' if scale.shaded else ""
    )  # fmt: skip
    axis = f'<line x1="{LEFT}" y1="0" x2="{LEFT}" y2="{high}" stroke="var(--faint)"/>'
    drawn = "".join(line(row, ROW * k + ROW / 2, scale, per) for k, row in enumerate(rows))
    head = f'<svg viewBox="0 0 {WIDE} {high}" role="img" aria-label="{label}" font-size="{TEXT}">'
    return f"{head}{shaded}{axis}{drawn}</svg>"


def known(row: Row) -> bool:
    """Whether there is something to draw."""
    return row.number.count > 0 and isfinite(row.number.high)


def line(row: Row, y: float, scale: Scale, per: float) -> str:
    """A row: label and sign, the number with its interval, what is usual, and the value."""

    def at(value: float) -> float:
        return LEFT + (min(max(value, scale.low), scale.low + (RIGHT - LEFT) / per) - scale.low) * per

    words = (
        f'<text x="0" y="{y + 4:g}" fill="var(--ink)">{escape(row.label)}</text>'
        f'<text x="{LEFT - 8}" y="{y + 4:g}" text-anchor="end" class="{row.verdict}" fill="currentColor">'
        f"{row.sign}</text>"
        f'<text x="{WIDE}" y="{y + 4:g}" text-anchor="end" fill="var(--ink)">{escape(row.shown)}</text>'
    )
    if not known(row):
        return words
    low, value, high = (at(each) for each in (row.number.low, row.number.value, row.number.high))
    mark = (
        f'<rect x="{LEFT}" y="{y - THICK / 2:g}" width="{value - LEFT:.1f}" height="{THICK}" fill="currentColor"/>'
        if scale.bars else f'<circle cx="{value:.1f}" cy="{y:g}" r="{DOT}" fill="currentColor"/>'
    )  # fmt: skip
    over = "var(--ink)" if scale.bars else "currentColor"
    interval = f'<line x1="{low:.1f}" y1="{y:g}" x2="{high:.1f}" y2="{y:g}" stroke="{over}" stroke-width="1.5"/>'
    beside = "" if row.usual is None else whole(at(row.usual), y) if scale.bars else tick(at(row.usual), y)
    return f'{words}{beside}<g class="{row.verdict}">{mark}{interval}</g>'


def whole(x: float, y: float) -> str:
    """A pale bar: all of what the bar is a part of."""
    return f'<rect x="{LEFT}" y="{y - THICK / 2:g}" width="{x - LEFT:.1f}" height="{THICK}" fill="var(--rule)"/>'


def tick(x: float, y: float) -> str:
    """A tick at what is usual."""
    return f'<line x1="{x:.1f}" y1="{y - 7:g}" x2="{x:.1f}" y2="{y + 7:g}" stroke="var(--ink)" stroke-width="1.5"/>'
