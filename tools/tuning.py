"""Try settings of the benchmark's learners: grids of runs on two tiny sizes, from several seeds.

    python tools/tuning.py                    all grids, with 100,000 decisions a run, into docs/learning/tuning.jsonl
    python tools/tuning.py ppo --minutes 30   that of one learner, for half an hour
    python tools/tuning.py --minutes 0 --page docs/notebook/tuning.md    only the page

Each run adds a line to the file; what is there isn't run again, so that the same command resumes where it stopped.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # threads that wait spin, and are charged for it

import numpy as np

from hexdeck.research.benchmark import algorithms
from hexdeck.research.benchmark.algorithms import SMALL, Algorithm, ours, plain, trained
from hexdeck.research.benchmark.results_page import SAMPLES
from hexdeck.research.benchmark.running import BenchmarkResults, named_sizes, planned, run_all, runs_to_make
from hexdeck.stats import bootstrap

FILE = Path(__file__).resolve().parent.parent / "docs" / "learning" / "tuning.jsonl"
SIZES, PLAYERS, SEEDS = ("cursed-hand/tiny", "hawthorn/tiny"), [2], 5
ABOUT = """# Settings that were tried

PPO does best with an entropy bonus of 0.05, mirror descent with a net with 0.1, both with the highest learning rate
tried. The first row of each table is the best, and what other sizes are learned with. One learner is the exception:
how often a magnet is renewed depends on how long one learns, so policy gradient with a magnet has the setting with the
best mean over both of its tables (0.1, every 80 steps).

Grids of settings of the [benchmark's](benchmark.md) learners on `cursed-hand/tiny` and `hawthorn/tiny` for two, from
five seeds each. NashConv at the end is in percent of the utility range, with a 95 % interval of the mean over seeds,
by a bootstrap. These two sizes are no test of what was chosen on them. CFR+, predictive
CFR+ and external sampling have nothing to set. A – stands where runs are missing: `python tools/tuning.py` makes them.
"""
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
    "nfsp": (algorithms.NFSP, {"eta": (0.1, 0.3), "each": (16, 64), "rate": (5e-4, 1e-3, 2e-3)}),
    "mirror_descent": (
        algorithms.MIRROR_DESCENT,
        {"rate": (0.25, 0.5, 1.0, 2.0), "temperature": (0.25, 1.0, 4.0)},
    ),
    "rnad": (algorithms.RNAD, {"rate": (0.25, 0.5, 1.0), "weight": (0.1, 0.2), "every": (20, 100)}),
}
TABULAR: dict[str, Any] = {"mirror_descent": algorithms.mirror_descent, "rnad": algorithms.rnad}


def tried(name: str) -> Iterator[Algorithm]:
    """The learner with each of its settings; a constant entropy bonus where its grid doesn't say how it falls."""
    usual, grid = GRIDS[name]
    for values in product(*grid.values()):
        chosen = dict(zip(grid, values, strict=True))
        settings = usual | chosen
        if "entropy" in chosen:
            settings["entropy_floor"] = chosen["entropy"]
        learn: Any = partial(algorithms.fictitious_nets, **settings)
        if name in TABULAR:
            learn = partial(TABULAR[name], settings=settings)
        elif name != "nfsp":
            settings = SMALL | settings
            learn = partial(trained, averaged=name == "trainer", **settings)
        words = " ".join(f"{key}={value:g}" for key, value in chosen.items())
        title = f"{ours(name).title}, {words}"
        yield replace(ours(name), name=f"{name} {words}", title=title, learn=learn, settings=plain(settings))


def main() -> int:
    """Run what isn't there yet, then tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("learners", nargs="*", metavar="LEARNER", help=f"of {', '.join(GRIDS)} (default: all)")
    parser.add_argument("--decisions", type=int, default=100_000, help="of each run (default: 100000)")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which it ends (default: when done)")
    parser.add_argument(
        "--resume", type=Path, default=FILE, help=f"file of the results (default: {FILE.name} in docs/learning)"
    )
    parser.add_argument("--page", type=Path, help="write the tables of what there is")
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
    if arguments.page:
        arguments.page.write_text("\n".join([ABOUT, *tables(results)]), encoding="utf-8")
    return 0


def tables(results: BenchmarkResults) -> Iterator[str]:
    """A table for each learner and number of decisions: NashConv of each setting on each size, the best first."""
    for name, (_usual, grid) in GRIDS.items():
        settings = {algorithm.name: algorithm for algorithm in tried(name)}
        runs = [run for run in results.found.values() if run.points and run.algorithm in settings]
        for budget in sorted({run.budget for run in runs}):
            rows = []
            for algorithm in settings.values():
                ends: list[list[float]] = []
                for size in SIZES:
                    done = [
                        run for run in runs if (run.algorithm, run.size, run.budget) == (algorithm.name, size, budget)
                    ]
                    ends.append([run.end or 0.0 for run in done] if len(done) == SEEDS else [])
                means = [sum(of_size) / SEEDS for of_size in ends if of_size]
                if means:
                    cells = [f"{algorithm.settings[key]:g}" for key in grid] + [spread(of_size) for of_size in ends]
                    cells.append(share(sum(means) / len(means)) if all(ends) else "–")
                    rows.append((sum(means) / len(means), f"| {' | '.join(cells)} |"))
            if rows:
                yield f"## {ours(name).title}, {budget:,} decisions\n"
                yield f"| {' | '.join([*grid, *SIZES, 'mean'])} |\n|{'---|' * (len(grid) + 3)}"
                yield "\n".join(row for _mean, row in sorted(rows)) + "\n"


def spread(ends: list[float]) -> str:
    """The mean over seeds with its 95 % interval, by a bootstrap; – where runs are missing."""
    if not ends:
        return "–"
    means = bootstrap([np.array(ends)], lambda samples: samples[0].mean(), np.random.default_rng(1), SAMPLES)
    low, high = np.quantile(means, [0.025, 0.975])
    return f"{share(sum(ends) / len(ends))} ({100 * low:.2f} – {100 * high:.2f})"


def share(value: float | None) -> str:
    """A part of the utility range."""
    return "failed" if value is None else f"{100 * value:.2f} %"


if __name__ == "__main__":
    sys.exit(main())
