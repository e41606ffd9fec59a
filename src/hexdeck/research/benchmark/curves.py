"""Curves of NashConv while algorithms learn, as a picture: SVG, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from statistics import median

from hexdeck.research.benchmark.results import Result

WIDE, HIGH = 820, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 262, 56, 48  # margins
LEAST = 1e-6  # of the span of utilities: what is less is drawn there
COLORS = (
    "#1b6ca8", "#d1495b", "#2e933c", "#7b4fa3", "#c47f00", "#00868b", "#8a5a44", "#b83b9e", "#5a6d7c", "#6b8e00",
    "#111111",
)  # fmt: skip
FONT = 'font-size="12" font-family="system-ui, \'DejaVu Sans\', sans-serif"'
DASHES = ("", "7 3", "2 3")


class Axes:
    """Where a time and a gain stand in the picture; `times` and `gains`: the powers of ten that it shows."""

    def __init__(self, times: Sequence[float], gains: Sequence[float]) -> None:
        self.times = power(min(times), floor), power(max(times) / 1.2, ceil)  # a little over the end is no new decade
        self.gains = power(min(gains), floor), power(max(gains), ceil)

    def x(self, time: float) -> float:
        """Where a time stands."""
        first, last = self.times
        return LEFT + (log10(time) - first) / max(1, last - first) * (WIDE - LEFT - RIGHT)

    def y(self, gain: float) -> float:
        """Where a gain stands."""
        first, last = self.gains
        return HIGH - BOTTOM - (log10(max(gain, LEAST)) - first) / max(1, last - first) * (HIGH - TOP - BOTTOM)


def power(value: float, rounded: object) -> int:
    """The power of ten at or beyond a value."""
    return int(rounded(round(log10(max(value, LEAST)), 9)))  # type: ignore[operator]


def picture(title: str, results: Sequence[Result], names: Sequence[str]) -> str:
    """The curves of all seeds of algorithms on one size; `names`: all algorithms, so that each keeps its colour."""
    drawn = [each for each in results if each.points and not each.failed]
    of = {each.algorithm: each for each in drawn}
    points = [(seconds, gain / each.scale) for each in drawn for _, seconds, gain in each.points if seconds > 0]
    axes = Axes(*zip(*points, strict=True))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" {FONT}>',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="600" fill="#222">{escape(title)}</text>',
        *grid(axes),
    ]
    ends = {name: median(each.end or 0.0 for each in drawn if each.algorithm == name) for name in names if name in of}
    for each in drawn:
        places = [f"{axes.x(s):.1f},{axes.y(gain / each.scale):.1f}" for _, s, gain in each.points if s > 0]
        lines.append(line(places, names.index(each.algorithm)))
    for place, name in enumerate(sorted(ends, key=lambda name: -ends[name])):
        y, number = TOP + 14 + 22 * place, names.index(name)
        first, last = f"{WIDE - RIGHT + 24},{y - 4}", f"{WIDE - RIGHT + 50},{y - 4}"
        lines += [
            line([first, last] if len(of[name].points) > 1 else [f"{WIDE - RIGHT + 37},{y - 4}"], number),
            f'<text x="{WIDE - RIGHT + 58}" y="{y}" fill="#222">{escape(of[name].title)}</text>',
        ]
    return "\n".join([*lines, "</svg>", ""])


def line(places: Sequence[str], number: int) -> str:
    """A curve, or a dot where there is one place only."""
    color, dashes = COLORS[number % len(COLORS)], DASHES[number // len(COLORS) % len(DASHES)]
    if len(places) == 1:
        x, y = places[0].split(",")
        return f'<circle cx="{x}" cy="{y}" r="4" fill="{color}"/>'
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{" ".join(places)}" fill="none" stroke="{color}" stroke-width="1.8" opacity="0.85"'
        f' stroke-linejoin="round"{dashed}/>'
    )


def grid(axes: Axes) -> list[str]:
    """Lines at powers of ten, with what they stand for, and what the axes are."""
    lines = []
    for exponent in range(axes.times[0], axes.times[1] + 1):
        x = axes.x(10.0**exponent)
        lines += [rule(x, TOP, x, HIGH - BOTTOM), label(x, HIGH - BOTTOM + 16, f"{10.0**exponent:g}", "middle")]
    for exponent in range(axes.gains[0], axes.gains[1] + 1):
        y = axes.y(10.0**exponent)
        lines += [
            rule(LEFT, y, WIDE - RIGHT, y), label(LEFT - 6, y + 4, f"{100 * 10.0**exponent:g} %", "end"),
        ]  # fmt: skip
    lines.append(label((LEFT + WIDE - RIGHT) / 2, HIGH - 10, "processor seconds of learning", "middle"))
    lines.append(label(LEFT, TOP - 12, "NashConv, of the span of utility", "start"))
    return lines


def rule(x1: float, y1: float, x2: float, y2: float) -> str:
    """A line of the grid."""
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="#ddd" fill="none"/>'


def label(x: float, y: float, text: str, anchor: str) -> str:
    """A text of the grid."""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="#555" font-size="11" text-anchor="{anchor}">{escape(text)}</text>'
