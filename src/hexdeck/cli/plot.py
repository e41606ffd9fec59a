"""A small bar plot for a terminal: one column or more for each value, drawn in eighths of a line."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

EIGHTHS = " ▁▂▃▄▅▆▇█"
PLAIN = "  ..::##"  # the same in ASCII, coarser
ROWS = 6
WIDEST = 4  # columns for one value


def bars(values: Sequence[float], low: float, high: float, width: int, *, fancy: bool = True) -> list[str]:
    """The lines of the plot from the top, at most `width` characters each; `low` and `high` are the ends of its scale.

    `fancy`: with block elements rather than ASCII.
    """
    most = 8 * ROWS - 1
    eighths = [1 + round(most * (value - low) / (high - low)) for value in columns(values, width)]
    drawn = [[min(max(height - 8 * row, 0), 8) for height in eighths] for row in reversed(range(ROWS))]
    return ["".join(letter(part, fancy) for part in row).rstrip() for row in drawn]


def letter(eighths: int, fancy: bool) -> str:
    """The character for a column's part in one line."""
    return EIGHTHS[eighths] if fancy else PLAIN[min(eighths, 7)]


def columns(values: Sequence[float], width: int) -> list[float]:
    """The value of each column: several columns for a value, or the mean of several values for a column."""
    if len(values) <= width:
        times = min(WIDEST, width // len(values))
        return [value for value in values for _ in range(times)]
    edges = [round(k * len(values) / width) for k in range(width + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in itertools.pairwise(edges)]


def is_fancy(encoding: str | None) -> bool:
    """Whether an encoding has the characters of plots."""
    try:
        "│▁█░".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
