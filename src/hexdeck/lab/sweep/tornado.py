"""Tornado charts: a bar for each change, the largest first, from the game as it is to where the change leads.

Drawn as SVG for a page, whose colours it follows, and in characters for a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDE, NAMES, ROW, TOP, VALUES = 640, 220, 24, 8, 110  # pixels: the chart, the names' column, a row, above it, values
BLOCK, FAINT_BLOCK, EDGE = "█", "░", "│"
PLAIN = "#", "-", "|"  # the same in ASCII


@dataclass(frozen=True)
class Bar:
    """A change: its name, how far it leads, the ends of the interval, the value in words, and whether it is certain."""

    name: str
    value: float
    low: float
    high: float
    shown: str
    sure: bool

    @property
    def size(self) -> float:
        """How far it leads, in either direction."""
        return abs(self.value)


def largest(bars: Sequence[Bar], most: int) -> list[Bar]:
    """So many bars, the certain ones first, and the largest of them first."""
    return sorted(bars, key=lambda bar: (not bar.sure, -bar.size, bar.name))[:most]


def reach(bars: Sequence[Bar]) -> float:
    """How far the scale goes to either side: to the longest bar, and not to the ends of wide intervals."""
    return max((bar.size for bar in bars), default=0.0) or 1.0


# --- as SVG -----------------------------------------------------------------------------------------------------------
def svg(bars: Sequence[Bar], title: str) -> str:
    """The chart as an element of a page; `title` is its text alternative, together with the values."""
    high, middle, half = TOP + ROW * len(bars) + TOP, NAMES + (WIDE - NAMES - VALUES) / 2, (WIDE - NAMES - VALUES) / 2
    scale = half / reach(bars)
    listed = "; ".join(f"{bar.name} {bar.shown}" for bar in bars)
    label = escape(f"{title}: {listed}", quote=True)
    rows = "".join(drawn(bar, TOP + ROW * k, middle, half, scale) for k, bar in enumerate(bars))
    axis = f'<line x1="{middle:g}" y1="0" x2="{middle:g}" y2="{high}" stroke="var(--faint)"/>'
    return f'<svg viewBox="0 0 {WIDE} {high}" role="img" aria-label="{label}" font-size="13">{axis}{rows}</svg>'


def drawn(bar: Bar, y: float, middle: float, half: float, scale: float) -> str:
    """A row: the name, the bar with its interval, the value."""

    def across(value: float) -> float:
        return middle + min(max(value * scale, -half), half)

    left, right, centre = min(middle, across(bar.value)), max(middle, across(bar.value)), y + ROW / 2
    ink = 'fill="var(--ink)" dominant-baseline="central"'
    pale = "" if bar.sure else ' fill-opacity=".3"'
    return (
        f'<text x="{NAMES - 8}" y="{centre:g}" text-anchor="end" {ink}>{escape(bar.name)}</text>'
        f'<rect x="{left:.1f}" y="{y + 4:g}" width="{right - left:.1f}" height="{ROW - 8}" fill="var(--line)"{pale}/>'
        f'<line x1="{across(bar.low):.1f}" y1="{centre:g}" x2="{across(bar.high):.1f}" y2="{centre:g}" '
        f'stroke="var(--ink)"/><text x="{WIDE - VALUES + 8}" y="{centre:g}" {ink}>{escape(bar.shown)}</text>'
    )


# --- in characters ----------------------------------------------------------------------------------------------------
def text(bars: Sequence[Bar], width: int, *, fancy: bool = True) -> list[str]:
    """The lines of the chart, at most `width` characters each where names and values leave room for bars.

    `fancy`: with block elements rather than ASCII. A bar that isn't certain is drawn fainter.
    """
    names, values = (max((len(word) for word in words), default=0) for words in columns(bars))
    half = min(20, max(4, (width - names - values - 4) // 2))
    return [line(bar, names, half, reach(bars), BLOCKS[fancy]).rstrip() for bar in bars]


def columns(bars: Sequence[Bar]) -> tuple[list[str], list[str]]:
    """The names and the values of bars."""
    return [bar.name for bar in bars], [bar.shown for bar in bars]


BLOCKS = {True: (BLOCK, FAINT_BLOCK, EDGE), False: PLAIN}


def line(bar: Bar, names: int, half: int, most: float, blocks: tuple[str, str, str]) -> str:
    """A bar as a line: its name, what is left and right of the edge, its value."""
    full, faint, edge = blocks
    drawn = (full if bar.sure else faint) * round(half * bar.size / most)
    left, right = (drawn, "") if bar.value < 0 else ("", drawn)
    return f"{bar.name:<{names}} {left:>{half}}{edge}{right:<{half}} {bar.shown}"
