"""A small plot in a terminal: one column or more for each value, in eighths of a line where the terminal has them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

EIGHTHS = " ▁▂▃▄▅▆▇█"
PLAIN = "  ..::##"  # what stands for some of them in ASCII
ROWS = 6
WIDEST = 4  # columns for one value


def bars(values: Sequence[float], low: float, high: float, width: int, *, fancy: bool = True) -> list[str]:
    """Rows from the top, each `width` characters at most; `low` and `high` are the values at the bottom and the top."""
    most = 8 * ROWS - 1
    eighths = [1 + round(most * (value - low) / (high - low)) for value in columns(values, width)]
    drawn = [[min(max(height - 8 * row, 0), 8) for height in eighths] for row in reversed(range(ROWS))]
    return ["".join(letter(part, fancy) for part in row).rstrip() for row in drawn]


def letter(eighths: int, fancy: bool) -> str:
    """A part of a column."""
    return EIGHTHS[eighths] if fancy else PLAIN[min(eighths, 7)]


def columns(values: Sequence[float], width: int) -> list[float]:
    """A value for each column: several columns for one value, or the mean of several values."""
    if len(values) <= width:
        times = min(WIDEST, width // len(values))
        return [value for value in values for _ in range(times)]
    edges = [round(k * len(values) / width) for k in range(width + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in itertools.pairwise(edges)]
