"""Tornado charts: a bar for each change, the largest first, from the game as it is to where the change leads.

Drawn as SVG for a page, whose colours it follows, and in characters for a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from hexdeck.engine.text import Catalogue, Text
from hexdeck.stats import Estimate

WIDE, ROW, TEXT, THICK = 420, 36, 13, 10  # pixels: the chart, narrow enough for a phone; a row, its words, its bar
BLOCKS = {True: ("█", "░", "│"), False: ("#", "-", "|")}  # bars, those that aren't certain, the edge; in ASCII too


@dataclass(frozen=True)
class Bar:
    """A change: its name, how far it leads, that in words, and whether it is certain."""

    name: str
    difference: Estimate
    shown: Text | str
    sure: bool

    @property
    def size(self) -> float:
        """How far it leads, in either direction."""
        return abs(self.difference.value)


def largest(bars: Sequence[Bar], most: int) -> list[Bar]:
    """So many bars, the certain ones first, and the largest of them first."""
    return sorted(bars, key=lambda bar: (not bar.sure, -bar.size, bar.name))[:most]


def reach(bars: Sequence[Bar]) -> float:
    """How far the scale goes to either side: to the longest bar, and not to the ends of wide intervals."""
    return max((bar.size for bar in bars), default=0.0) or 1.0


def worded(bar: Bar, catalogue: Catalogue) -> str:
    """The value of a bar in a catalogue's language."""
    return bar.shown if isinstance(bar.shown, str) else catalogue.words(bar.shown)


# --- as SVG -----------------------------------------------------------------------------------------------------------
def svg(bars: Sequence[Bar], title: str, catalogue: Catalogue) -> str:
    """The chart as an element of a page; `title` is its text alternative, together with the values."""
    high, middle, shown = ROW * len(bars), WIDE / 2, [worded(bar, catalogue) for bar in bars]
    listed = "; ".join(f"{bar.name} {said}" for bar, said in zip(bars, shown, strict=True))
    label, scale = escape(f"{title}: {listed}", quote=True), middle / reach(bars)
    axis = f'<line x1="{middle:g}" y1="0" x2="{middle:g}" y2="{high}" stroke="var(--rule)"/>'
    rows = "".join(drawn(bar, shown[k], ROW * k, scale) for k, bar in enumerate(bars))
    return f'<svg viewBox="0 0 {WIDE} {high}" role="img" aria-label="{label}" font-size="{TEXT}">{axis}{rows}</svg>'


def drawn(bar: Bar, shown: str, y: float, scale: float) -> str:
    """A row: the name and the value, below them the bar with its interval."""
    ends = 0.0, bar.difference.value, bar.difference.low, bar.difference.high
    zero, end, low, high = (min(max(WIDE / 2 + x * scale, 0), WIDE) for x in ends)
    left, right, below = min(zero, end), max(zero, end), y + ROW - THICK - 4
    pale = "" if bar.sure else ' fill-opacity=".3"'
    return (
        f'<text x="0" y="{y + TEXT:g}" fill="var(--ink)">{escape(bar.name)}</text>'
        f'<text x="{WIDE}" y="{y + TEXT:g}" text-anchor="end" fill="var(--ink)">{escape(shown)}</text>'
        f'<rect x="{left:.1f}" y="{below:g}" width="{right - left:.1f}" height="{THICK}" fill="var(--line)"{pale}/>'
        f'<line x1="{low:.1f}" y1="{below + THICK / 2:g}" x2="{high:.1f}" y2="{below + THICK / 2:g}" '
        'stroke="var(--ink)"/>'
    )


# --- in characters ----------------------------------------------------------------------------------------------------
def text(bars: Sequence[Bar], width: int, catalogue: Catalogue, *, fancy: bool = True) -> list[str]:
    """The lines of the chart, at most `width` characters each where names and values leave room for bars.

    `fancy`: with block elements rather than ASCII. A bar that isn't certain is pale.
    """
    shown, (full, pale, edge), out = [worded(bar, catalogue) for bar in bars], BLOCKS[fancy], list[str]()
    names, values = (max(map(len, words), default=0) for words in ([bar.name for bar in bars], shown))
    half = min(20, max(4, (width - names - values - 4) // 2))
    for bar, said in zip(bars, shown, strict=True):
        block = (full if bar.sure else pale) * round(half * bar.size / reach(bars))
        left, right = (block, "") if bar.difference.value < 0 else ("", block)
        out.append(f"{bar.name:<{names}} {left:>{half}}{edge}{right:<{half}} {said}".rstrip())
    return out
