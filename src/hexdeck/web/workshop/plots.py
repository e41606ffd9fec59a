"""Small plots of intervals, drawn as SVG: a dot for each value, a line for its 95 % interval, around a middle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDE, ROW, TEXT = 420, 32, 14  # pixels: the picture, narrow enough for a phone; a row; its words
LEFT, RIGHT = 84, 310  # where the scale begins and ends
CELL, HIGH = 84, 22  # pixels: the picture in a cell of a table
LEAST = 1.0  # the scale reaches at least so far to either side of the middle


@dataclass(frozen=True)
class Mark:
    """A value with the ends of its interval, seen from the middle; its name, how it is written, whether it is sure."""

    name: str
    value: float
    low: float
    high: float
    shown: str
    sure: bool


def reach(marks: Sequence[Mark], least: float = LEAST) -> float:
    """How far the scale goes to either side: to the furthest end of an interval, in steps, so that it seldom moves."""
    furthest = max((max(abs(mark.low), abs(mark.high)) for mark in marks), default=0.0)
    out = least
    while out < furthest:
        out *= 2
    return out


def picture(marks: Sequence[Mark], title: str, middle: str, ends: tuple[str, str]) -> str:
    """A row for each mark, around `middle`; `ends` is written at the ends of the scale. `title` tells what it shows."""
    high, centre, scale = ROW * len(marks) + 22, (LEFT + RIGHT) / 2, (RIGHT - LEFT) / 2 / reach(marks)
    told = escape(f"{title}: " + "; ".join(f"{mark.name} {mark.shown}" for mark in marks), quote=True)
    foot = "".join(
        f'<text class="faint" x="{x:g}" y="{high - 4}" text-anchor="middle">{escape(word)}</text>'
        for x, word in ((LEFT, ends[0]), (centre, middle), (RIGHT, ends[1]))
    )
    rows = "".join(row(mark, ROW * k + ROW / 2, centre, scale) for k, mark in enumerate(marks))
    axis = f'<line class="axis" x1="{centre:g}" y1="0" x2="{centre:g}" y2="{high - 20}"/>'
    return (
        f'<svg class="intervals" viewBox="0 0 {WIDE} {high}" role="img" aria-label="{told}" font-size="{TEXT}">'
        f"{axis}{rows}{foot}</svg>"
    )


def row(mark: Mark, y: float, centre: float, scale: float) -> str:
    """A mark between its name and its number."""
    return (
        f'<text x="0" y="{y + 5:g}">{escape(mark.name)}</text>{drawn(mark, y, centre, scale)}'
        f'<text x="{WIDE}" y="{y + 5:g}" text-anchor="end">{escape(mark.shown)}</text>'
    )


def drawn(mark: Mark, y: float, centre: float, scale: float) -> str:
    """The dot and the line of a mark."""
    low, at, high = (centre + x * scale for x in (mark.low, mark.value, mark.high))
    kind = "sure" if mark.sure else "open"
    return (
        f'<line class="range {kind}" x1="{low:.1f}" y1="{y:g}" x2="{high:.1f}" y2="{y:g}"/>'
        f'<circle class="dot {kind}" cx="{at:.1f}" cy="{y:g}" r="5"/>'
    )


def cell(mark: Mark, far: float) -> str:
    """A mark in a cell, on a scale that reaches `far`; what it tells stands beside it."""
    centre = CELL / 2
    axis = f'<line class="axis" x1="{centre:g}" y1="0" x2="{centre:g}" y2="{HIGH}"/>'
    inside = drawn(mark, HIGH / 2, centre, (centre - 6) / far)
    return f'<svg class="cell" viewBox="0 0 {CELL} {HIGH}" aria-hidden="true">{axis}{inside}</svg>'
