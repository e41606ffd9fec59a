"""Whether ranks of learners on a small size are those on a large one: tables and plots for a page of the notebook.

    python tools/transfer.py   from docs/learning/benchmark.jsonl, into docs/notebook/transfer.md and pictures beside it

The page keeps its words; what stands after the line `MADE` is written anew.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import combinations
from pathlib import Path
from statistics import fmean, median

import numpy as np

from hexdeck.files import write_atomically
from hexdeck.research.benchmark.algorithms import ours
from hexdeck.research.benchmark.results_page import (
    ALIKE,
    FONT,
    HIGH,
    LEFT,
    RIGHT,
    TOP,
    WIDE,
    Axes,
    curve,
    grid,
    line,
)
from hexdeck.research.benchmark.running import BenchmarkResults

DOCS = Path(__file__).resolve().parent.parent / "docs"
FILE, PAGE = DOCS / "learning" / "benchmark.jsonl", DOCS / "notebook" / "transfer.md"
MADE = "<!-- what follows is made by tools/transfer.py -->\n"
SIZES = "tiny", "small", "mid"
STEPS = ("tiny", "small"), ("small", "mid"), ("tiny", "mid")
SAMPLES = 1000  # of a bootstrap
BUDGETS = 100_000, 1_000_000  # decisions of each run
GROUPS = {
    "on the whole tree": ("cfr_plus", "pcfr_plus", "fictitious_play", "mirror_descent", "rnad"),
    "from samples": ("mccfr", "ppo", "mirror_descent_net", "nash_pg", "trainer"),
}
LEARNERS = tuple(name for names in GROUPS.values() for name in names)
Ends = Mapping[str, np.ndarray]  # of each learner, NashConv from each seed
Ladders = dict[tuple[str, int], dict[str, Ends]]  # by game and players, then by size


def ladders(results: BenchmarkResults, budget: int, part: float = 1.0) -> Ladders:
    """What learners came to on the sizes of each game, for each number of players; after a part of their budget."""
    found: dict[tuple[str, int], dict[str, dict[str, list[float]]]] = defaultdict(lambda: defaultdict(dict))
    for result in (row for row in results.found.values() if row.budget == budget):
        game, _slash, size = result.size.partition("/")
        if size in SIZES and result.algorithm in LEARNERS and result.points:
            soon = [gain for spent, gain in curve(result) if spent <= part * curve(result)[-1][0]]
            gains = soon or [result.points[0][2] / result.scale]
            found[game, result.players][size].setdefault(result.algorithm, []).append(gains[-1])
    whole: Ladders = {
        setting: {
            size: {name: np.array(ends) for name, ends in each.items()}
            for size, each in sizes.items()
            if set(each) == set(LEARNERS)
        }
        for setting, sizes in sorted(found.items(), key=lambda item: (item[0][1], item[0][0]))
    }
    return {setting: sizes for setting, sizes in whole.items() if len(sizes) > 1}


def agreement(one: Sequence[float], other: Sequence[float]) -> float:
    """Kendall's tau-b of two lists of results, those below `ALIKE` tied."""
    signs = [
        np.array([np.sign(max(b, ALIKE) - max(a, ALIKE)) for a, b in combinations(values, 2)])
        for values in (one, other)
    ]
    norms = np.sqrt(np.prod([np.abs(sign).sum() for sign in signs]))
    return float(signs[0] @ signs[1] / norms) if norms else 0.0


def agreed(small: Ends, large: Ends, names: Sequence[str], rng: np.random.Generator | None = None) -> float:
    """How far medians over seeds put learners in the same order on two sizes; `rng`: over seeds drawn anew."""

    def middle(ends: np.ndarray) -> float:
        return float(median(ends if rng is None else rng.choice(ends, len(ends))))

    return agreement([middle(small[name]) for name in names], [middle(large[name]) for name in names])


def table(found: Ladders) -> Iterator[str]:
    """Kendall's tau between sizes, in each game and on average."""
    yield f"| | {' | '.join(f'{one} – {other}' for one, other in STEPS)} |\n|---|{'---|' * len(STEPS)}"
    for (game, players), sizes in found.items():
        cells = [
            number(agreed(sizes[one], sizes[other], LEARNERS)) if {one, other} <= set(sizes) else "–"
            for one, other in STEPS
        ]
        yield f"| `{game}` for {players} | {' | '.join(cells)} |"
    for group, names in {"all": LEARNERS, **GROUPS}.items():
        yield f"| mean, {group} | {' | '.join(average(found, step, names) for step in STEPS)} |"
    yield ""


def average(found: Ladders, step: tuple[str, str], names: Sequence[str]) -> str:
    """The mean of Kendall's tau over games, with a 95 % interval by a bootstrap over games and seeds."""
    rng, pairs = np.random.default_rng(1), [sizes for sizes in found.values() if set(step) <= set(sizes)]
    one, other = step
    if not pairs:
        return "–"
    usual = fmean(agreed(sizes[one], sizes[other], names) for sizes in pairs)
    drawn = [
        fmean(agreed(pairs[k][one], pairs[k][other], names, rng) for k in rng.integers(0, len(pairs), len(pairs)))
        for _ in range(SAMPLES)
    ]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return f"**{number(usual)}** ({number(low)} – {number(high)})"


def number(value: float) -> str:
    """A tau, with a minus sign."""
    return f"{value:.2f}".replace("-", "\u2212")


def control(found: Ladders, results: BenchmarkResults, budget: int) -> Iterator[str]:
    """Kendall's tau on one size between the whole budget and a tenth of it, on average over games."""
    early = ladders(results, budget, 0.1)
    yield f"| | {' | '.join(SIZES)} |\n|---|{'---|' * len(SIZES)}"
    means = [
        [agreed(early[setting][size], sizes[size], LEARNERS) for setting, sizes in found.items() if size in sizes]
        for size in SIZES
    ]
    cells = [number(fmean(agreements)) if agreements else "–" for agreements in means]
    yield f"| a tenth of the budget – all of it | {' | '.join(cells)} |\n"


def picture(title: str, sizes: Mapping[str, Ends], histories: Mapping[str, int]) -> str:
    """NashConv of each learner against how many histories a size has."""
    middles = {
        name: [(histories[s], max(ALIKE, float(median(sizes[s][name])))) for s in SIZES if s in sizes]
        for name in next(iter(sizes.values()))
    }
    points = [point for line_of in middles.values() for point in line_of]
    axes = Axes(*zip(*points, strict=True))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" {FONT}>',
        f'<title>{escape(title)}</title>\n<rect width="{WIDE}" height="{HIGH}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15" font-weight="600" fill="#222">{escape(title)}</text>',
        *grid(axes, "histories of the size"),
    ]
    for number, (name, points_of) in enumerate(middles.items()):
        lines.append(line([f"{axes.x(n):.1f},{axes.y(end):.1f}" for n, end in points_of], number))
        y, left = TOP + 14 + 22 * number, WIDE - RIGHT
        lines.append(line([f"{left + 24},{y - 4}", f"{left + 50},{y - 4}"], number))
        lines.append(f'<text x="{left + 58}" y="{y}" fill="#222">{escape(ours(name).title)}</text>')
    return "\n".join([*lines, "</svg>", ""])


def made(results: BenchmarkResults) -> tuple[str, dict[str, str]]:
    """The made part of the page, and the pictures beside it by name."""
    pictures, parts, drawn = dict[str, str](), list[str](), dict[tuple[str, int], tuple[str, dict[str, Ends]]]()
    for budget in BUDGETS:
        if not (found := ladders(results, budget)):
            continue
        what = f"{budget:,} decisions"
        parts += [f"## How far ranks agree after {what}\n", *table(found)]
        parts += ["The same size with less, mean over games:\n", *control(found, results, budget)]
        drawn = {setting: (what, sizes) for setting, sizes in found.items()} | drawn
    histories = {(result.size, result.players): result.histories for result in results.found.values()}
    parts.append("## A plot for each game\n")
    for game in sorted({game for game, _players in drawn}):
        players = min(n for name, n in drawn if name == game)
        what, sizes = drawn[game, players]
        counts = {size: histories[f"{game}/{size}", players] for size in sizes}
        pictures[f"{game}.svg"] = picture(f"{game}, {players} players, after {what}", sizes, counts)
        parts.append(f"![NashConv of each learner on the sizes of {game}]({PAGE.stem}/{game}.svg)\n")
    return "\n".join(parts), pictures


def main() -> int:
    """Write the page and the pictures."""
    text, pictures = made(BenchmarkResults(FILE))
    words = PAGE.read_text(encoding="utf-8").partition(MADE)[0]
    write_atomically(PAGE, f"{words}{MADE}\n{text}".encode())
    for name, content in pictures.items():
        write_atomically(PAGE.with_suffix("") / name, content.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
