"""Try settings of the benchmark's learners with nets: grids of runs on two tiny sizes, from several seeds.

    python tools/tuning.py                    all grids, with a million decisions a run, into docs/learning/tuning.jsonl
    python tools/tuning.py ppo --minutes 30   that of one learner, for half an hour

Each run adds a line to the file; what is there isn't run again, so that the same command resumes where it stopped. At
the end, and with --minutes 0 at once, it tells the mean NashConv of each setting that has all of its runs, the best
first.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from hexdeck.research.benchmark import algorithms
from hexdeck.research.benchmark.algorithms import DECISIONS, SMALL, Algorithm, ours, plain, trained
from hexdeck.research.benchmark.running import BenchmarkResults, named_sizes, planned, run_all, runs_to_make

FILE = Path(__file__).resolve().parent.parent / "docs" / "learning" / "tuning.jsonl"
SIZES, PLAYERS, SEEDS = ("cursed-hand/tiny", "hawthorn/tiny"), [2], 5
RATES = {"learning_rate": (5e-4, 1e-3, 2e-3)}
GRIDS: dict[str, tuple[dict[str, Any], dict[str, tuple[Any, ...]]]] = {  # what all share, and what is tried
    "ppo": (algorithms.PPO, {"entropy": (0.01, 0.05, 0.1, 0.2), **RATES}),
    "mirror_descent_net": (
        algorithms.MIRROR_DESCENT_NET,
        {"entropy": (0.05, 0.1, 0.2), "magnet": (0.05, 0.2), "learning_rate": (1e-3, 2e-3)},
    ),
    "nash_pg": (algorithms.NASH_PG, {"magnet": (0.05, 0.1, 0.2, 0.5), "magnet_every": (5, 20, 80)}),
    "trainer": (
        algorithms.TRAINER,
        {"entropy_floor": (0.02, 0.05, 0.1), "magnet": (0.05, 0.1), "ema_decay": (0.95, 0.99)},
    ),
}


def tried(name: str) -> Iterator[Algorithm]:
    """The learner with each of its settings; a constant entropy bonus where its grid doesn't say how it falls."""
    usual, grid = GRIDS[name]
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        settings = SMALL | usual | chosen
        if "entropy" in chosen:
            settings["entropy_floor"] = chosen["entropy"]
        words = " ".join(f"{key}={value:g}" for key, value in chosen.items())
        learn = partial(trained, averaged=name == "trainer", **settings)
        title = f"{ours(name).title}, {words}"
        yield Algorithm(f"{name} {words}", learn, title, ours(name).paper, DECISIONS, plain(settings))


def main() -> int:
    """Run what isn't there yet, then tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learners", nargs="*", metavar="LEARNER", help=f"of {', '.join(GRIDS)} (default: all)")
    parser.add_argument("--decisions", type=int, default=1_000_000, help="of each run (default: 1000000)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which it ends (default: when done)")
    parser.add_argument(
        "--resume", type=Path, default=FILE, help=f"file of the results (default: {FILE.name} in docs/learning)"
    )
    arguments = parser.parse_args()
    for name in arguments.learners:
        if name not in GRIDS:
            parser.error(f"there is no grid of {name}; there are {', '.join(GRIDS)}")
    end, results = time.monotonic() + 60 * arguments.minutes, BenchmarkResults(arguments.resume)
    chosen = named_sizes(SIZES, ["cursed-hand", "hawthorn"], PLAYERS)
    every = [algorithm for name in arguments.learners or GRIDS for algorithm in tried(name)]
    runs = planned(chosen, every, SEEDS, budget=arguments.decisions)
    todo, _old = runs_to_make(runs, results, again=False)
    for run in todo:
        if time.monotonic() >= end:
            break
        for result in run_all([run], results):
            print(f"{result.size} {result.title}, seed {result.seed}: {share(result.end)}", file=sys.stderr, flush=True)
    means = []
    for algorithm in every:
        rows = [results.found[run.key] for run in runs if run.algorithm is algorithm and run.key in results.found]
        if len(rows) == len(chosen) * SEEDS and all(row.budget == arguments.decisions and row.points for row in rows):
            means.append((sum(row.end or 0.0 for row in rows) / len(rows), algorithm.title))
    for mean, title in sorted(means):
        print(f"{share(mean):>8}  {title}")
    print(f"{len(means)} of {len(every)} settings have all of their runs.")
    return 0


def share(value: float | None) -> str:
    """A part of the span of utility."""
    return "failed" if value is None else f"{100 * value:.2f} %"


if __name__ == "__main__":
    sys.exit(main())
