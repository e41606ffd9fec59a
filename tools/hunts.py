"""Draw what exploiters gained while they learned, and what a bot pays for that, for docs/notebook/bots.md.

`python tools/hunts.py` writes two pictures into docs/notebook/bots: `exploiters.svg`, the curves that are kept in
docs/learning, and `front.svg`, the table of the page that has both what a bot loses and what is gained from it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import NamedTuple

from hexdeck.engine.text import signed
from hexdeck.research.benchmark.results_page import COLORS, FONT, label, line, rule

DOCS = Path(__file__).parents[1] / "docs"
PAGE, FOLDER, LEARNING = DOCS / "notebook" / "bots.md", DOCS / "notebook" / "bots", DOCS / "learning"
HUNTED = {  # files of docs/learning, each with the bot that was hunted, as the page's table names it, and its name here
    "net-1": ("net:1", "today's net, net:1"),
    "nets": ("nets", "nets, one of nine"),
    "net-0.5": ("net:0.5", "net:0.5"),
    "net-0.3": ("net:0.3", "net:0.3"),
    "before": ("the net before it, net:1", "the net before it"),
    "think": ("think:200 with all moves by its own net", "think:200 by its own net*"),
    "think400": ("think:400", "think:400*"),
}
BELOW = {"think:200 by its own net*"}  # whose names stand under their points, where there is room
WIDE, HIGH = 820, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 262, 48, 52


class Axis(NamedTuple):
    """An axis of a picture: from which value to which, how far apart its lines are, and where it lies."""

    first: float
    last: float
    step: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value stands."""
        return self.start + (value - self.first) / (self.last - self.first) * (self.end - self.start)

    def lines(self) -> list[float]:
        """The values that have a line."""
        return [self.first + self.step * k for k in range(round((self.last - self.first) / self.step) + 1)]


GAIN = Axis(0.0, 0.45, 0.05, HIGH - BOTTOM, TOP)
GAMES = Axis(0.0, 1e6, 200_000, LEFT, WIDE - RIGHT)
LOSES = Axis(20, 55, 5, LEFT, WIDE - RIGHT)


def exploiters() -> str:
    """The curves of all learners, each against the bot that it hunts; those against one bot in one colour."""
    parts, ends = [], []
    for number, (file, (_bot, name)) in enumerate(HUNTED.items()):
        curves = json.loads((LEARNING / f"exploit-{file}.json").read_text(encoding="utf-8"))["curves"]
        parts += [line([place(GAMES, min(p["games"], 1e6), p["mean"]) for p in curve], number) for curve in curves]
        ends.append((max(curve[-1]["mean"] for curve in curves), name, number))
    y = 0.0
    for end, name, number in sorted(ends, reverse=True):
        y = max(y + 17, GAIN.at(end) + 4)
        parts.append(f'<text x="{WIDE - RIGHT + 10}" y="{y:.1f}" fill="{COLORS[number]}">{escape(name)}</text>')
    title = "Cursed Hand for two: what learners gain, while they learn, from the bot that they hunt"
    return framed(title, GAMES, "games that the learner had", lambda games: f"{games:,.0f}", parts)


def front() -> str:
    """What each bot loses among searches, and what is gained from it, both with their intervals."""
    parts, numbers = [], {bot: number for number, (bot, _name) in enumerate(HUNTED.values())}
    for bot, loses, gain in rows(PAGE.read_text(encoding="utf-8")):
        number, name = numbers[bot], dict(HUNTED.values())[bot]
        low, high = LOSES.at(loses[0] - loses[1]), LOSES.at(loses[0] + loses[1])
        x, y = LOSES.at(loses[0]), GAIN.at(gain[0])
        down = 16 if name in BELOW else -7
        parts += [
            line([f"{low:.1f},{y:.1f}", f"{high:.1f},{y:.1f}"], number),
            line([place(LOSES, loses[0], gain[0] - gain[1]), place(LOSES, loses[0], gain[0] + gain[1])], number),
            line([f"{x:.1f},{y:.1f}"], number),
            f'<text x="{x + 7:.1f}" y="{y + down:.1f}" fill="{COLORS[number]}">{escape(name)}</text>',
        ]
    title = "Cursed Hand for two: further left loses less, further down is harder to exploit"
    return framed(title, LOSES, "matches lost among searches of 1,000 games a move", lambda x: f"{x:g} %", parts)


def rows(page: str) -> list[tuple[str, tuple[float, float], tuple[float, float]]]:
    """The bots of the page's table, each with what it loses in percent and what is gained from it, with margins."""
    table = page.partition("| bot | deals | loses | an opponent who knows it gains at least |")[2].partition("\n\n")[0]
    found = []
    for row in table.splitlines()[2:]:
        name, _deals, loses, gain, *_rest = (cell.strip().replace("`", "") for cell in row.strip("|").split("|"))
        found.append((name, measured(loses), measured(gain)))
    return found


def measured(cell: str) -> tuple[float, float]:
    """A figure of a table and its margin, from “49.1 ± 2.1 %” or “39.7 % (36.5 to 43.0)”."""
    numbers = [float(each) for each in re.findall(r"\d+(?:\.\d+)?", cell)]
    return (numbers[0], numbers[1]) if len(numbers) == 2 else (numbers[0], (numbers[2] - numbers[1]) / 2)


def place(axis: Axis, value: float, gain: float) -> str:
    """Where a value and a gain stand."""
    return f"{axis.at(value):.1f},{GAIN.at(gain):.1f}"


def framed(title: str, axis: Axis, along: str, said: Callable[[float], str], parts: Sequence[str]) -> str:
    """A picture of curves or points, with its title, both axes and their lines."""
    grid = [f'<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>']
    for value in axis.lines():
        x = axis.at(value)
        grid += [rule(x, TOP, x, HIGH - BOTTOM), label(x, HIGH - BOTTOM + 16, said(value), "middle")]
    for gain in GAIN.lines():
        y = GAIN.at(gain)
        grid += [rule(LEFT, y, WIDE - RIGHT, y), label(LEFT - 6, y + 4, f"{gain:.2f}", "end")]
    grid += [
        f'<text x="{LEFT}" y="20" font-size="15" font-weight="600" fill="#222">{escape(title)}</text>',
        label(LEFT, TOP - 10, f"gain in utility (a match won 1, lost {signed(-1, 0)})", "start"),
        label((LEFT + WIDE - RIGHT) / 2, HIGH - 12, along, "middle"),
        label(WIDE - RIGHT + 10, HIGH - 12, "* hunted through a net that imitates it", "start"),
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" {FONT}>'
    return "\n".join([head, f"<title>{escape(title)}</title>", *grid, *parts, "</svg>", ""])


PICTURES = {"exploiters.svg": exploiters, "front.svg": front}


def main() -> None:
    """Write the pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        (FOLDER / name).write_text(drawn(), encoding="utf-8")


if __name__ == "__main__":
    main()
