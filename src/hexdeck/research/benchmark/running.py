"""Runs of the benchmark: each algorithm on each size from each seed, those that aren't there yet."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import Any

from hexdeck import __version__
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.discovery.sizes import FULL
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import say
from hexdeck.research.benchmark.algorithm import Algorithm
from hexdeck.research.benchmark.results import Point, Result, Results, differences
from hexdeck.research.benchmark.task import Ground, Task
from hexdeck.research.benchmark.whole import measured, rivals, without_folder
from hexdeck.research.exact.sizing import Size, sizes
from hexdeck.simulation.game import game

SECONDS = {"tiny": 10.0, "small": 60.0, "mid": 120.0, "full": 600.0}  # that each run learns, by size
APART = 2.0  # NashConv is measured whenever so many times as much time has gone into learning
MORE = {"tiny": 1.3, "small": 1.3, "mid": 2.0, "full": 4.0}  # of a run's time in all, for measuring


@dataclass(frozen=True)
class Run:
    """An algorithm on a size from a seed, with so many seconds of processor time."""

    algorithm: Algorithm
    size: Size
    seed: int
    seconds: float

    @property
    def key(self) -> tuple[str, str, int, int]:
        """As that of its result."""
        return self.algorithm.name, self.size.name, self.size.game.players, self.seed

    @property
    def kind(self) -> str:
        """How large its size is: `tiny`, `small`, `mid`, `full`."""
        return self.size.name.rpartition("/")[2]

    @property
    def versions(self) -> dict[str, Any]:
        """The versions of all that decides its result."""
        struct = self.size.game.rules.STRUCT_VERSION
        return {"hexdeck": __version__, "struct": struct, "algorithm": self.algorithm.version}


def named_sizes(names: Sequence[str], games: Iterable[str], players: Sequence[int]) -> list[Size]:
    """The sizes of these names, such as `tiny` (of all these games) or `hawthorn/tiny`; raises BadOption.

    `players`: with so many players only; none: with all that there are.
    """
    every = [size for game in games for size in (*sizes(game), *as_printed(game, players))]
    chosen: list[Size] = []
    for name in names:
        base, slash, rest = name.rpartition("/")
        whole = f"{find_game(base)}/{rest}" if slash else ""
        fitting = [size for size in every if size.name == whole or (not slash and size.name.endswith(f"/{name}"))]
        if not fitting:
            own = [size.name for size in every if slash and size.name.startswith(f"{find_game(base)}/")]
            there = ", ".join(dict.fromkeys(own or SECONDS))
            raise BadOption(say("There is no size {name}; there are {there}.", name=name[:40], there=there))
        chosen += [size for size in fitting if size not in chosen and (not players or size.game.players in players)]
    return chosen


def as_printed(name: str, players: Sequence[int]) -> Iterator[Size]:
    """The whole game with so many players, with as few as it can have where none are given."""
    usual = game(name)
    low, high = usual.rules.PLAYERS
    for count in players or [low]:
        if low <= count <= high:
            yield Size(f"{name}/{FULL}", usual.variant(count), 0, 0.0)


def planned(chosen: Sequence[Size], algorithms: Sequence[Algorithm], seeds: int, seconds: float | None) -> list[Run]:
    """All runs, size by size and seed by seed; an algorithm that draws nothing runs once."""
    every = [
        Run(algorithm, size, seed, SECONDS[size.name.rpartition("/")[2]] if seconds is None else seconds)
        for size in chosen for seed in range(1, seeds + 1) for algorithm in algorithms if seed == 1 or algorithm.draws
    ]  # fmt: skip
    return [run for run in every if (run.algorithm.bot if run.kind == FULL else run.algorithm.learn) is not None]


def left(runs: Sequence[Run], results: Results, *, again: bool) -> tuple[list[Run], list[Result]]:
    """The runs to be made, and results that were made with other versions: those stay, unless all is to be `again`.

    A result is made anew, too, where it had another time to learn in, or failed and its algorithm was changed since, or
    failed and all is to be `again`.
    """
    todo, old = [], []
    for run in runs:
        there = results.found.get(run.key)
        other = [] if there is None else differences(there, run.versions)
        mended = there is not None and there.failed and "algorithm" in other
        if there is not None and other and not again and not mended:
            old.append(there)
        elif there is None or other or there.seconds != run.seconds or (again and there.failed):
            todo.append(run)
    return todo, old


def seconds_of(runs: Iterable[Run]) -> float:
    """About how many seconds of processor time runs take, measuring included."""
    return sum(run.seconds * MORE[run.kind] for run in runs)


def made(runs: Iterable[Run], results: Results) -> Iterator[Result]:
    """Make runs, one by one; the result of each is kept as soon as it is there."""
    ground: Ground | None = None
    for run in runs:
        size = run.size
        if run.kind == FULL:
            results.add(result := played(run, results))
            yield result
            continue
        if ground is None or (ground.name, ground.game) != (size.name, size.game):
            ground = Ground(size.name, size.game, size.histories)
        result = outcome(run, ground)
        results.add(result)
        yield result


def outcome(run: Run, ground: Ground) -> Result:
    """The result of a run, whatever the algorithm does; what it prints is no result."""
    points: list[Point] = []
    began, failed = time.process_time(), ""
    try:
        with redirect_stdout(sys.stderr):
            learn(run, ground, points)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failed = brief(error)
    return result_of(run, round(ground.scale, 6), points, began, failed=failed)


def played(run: Run, results: Results) -> Result:
    """The result of a run on a whole game, against all bots that there are results of."""
    game, name, began = run.size.game, run.size.name, time.process_time()
    folder = results.file.with_suffix(".nets")
    others = rivals(results.found.values(), run.key, folder)
    try:
        if run.algorithm.bot is None:
            raise BadOption(say("it has no function bot(task, folder)"))
        with redirect_stdout(sys.stderr):
            bot = run.algorithm.bot(Task(Ground(name, game, 0), run.seed, run.seconds), folder)
        found = measured(game, bot, run.seconds, others)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return result_of(run, 1.0, [], began, failed=brief(error))
    return result_of(
        run, 1.0, found.points, began, bot=without_folder(bot, folder), margin=found.margin, against=found.against
    )


def result_of(run: Run, scale: float, points: list[Point], began: float, **more: Any) -> Result:
    """A result of a run that began at so much processor time."""
    algorithm, size = run.algorithm, run.size
    return Result(
        algorithm.name, algorithm.title, size.name, size.game.players, run.seed, run.seconds, size.histories, scale,
        size.uniform, algorithm.work, algorithm.settings, run.versions, points, algorithm.paper,
        round(time.process_time() - began, 2), **more,
    )  # fmt: skip


def brief(error: BaseException) -> str:
    """An error on one line; of one of ours its sentence is enough."""
    if isinstance(error, HexdeckError):
        return str(error)[:200]
    return f"{type(error).__name__}: {error}".split("\n", 1)[0].rstrip(": ")[:200]


def learn(run: Run, ground: Ground, points: list[Point]) -> None:
    """Let an algorithm learn until its time is over or it ends by itself; add what is measured to the points."""
    prepare(ground)
    spent, last, kept = 0.0, 0.0, None
    if run.algorithm.learn is None:
        raise BadOption(say("it has no function learn(task)"))
    steps = run.algorithm.learn(Task(ground, run.seed, run.seconds))
    while spent < run.seconds:
        began = time.process_time()
        step = next(steps, None)
        spent += time.process_time() - began
        if step is None:
            break
        kept = step
        if not points or spent >= APART * last or spent >= run.seconds:
            last, kept = spent, None
            points.append((int(step[0]), round(spent, 5), round(ground.nash_conv(step[1]), 7)))
    if kept is not None:
        points.append((int(kept[0]), round(spent, 5), round(ground.nash_conv(kept[1]), 7)))
    if not points:
        raise BadOption(say("learn() gave no policy"))


def prepare(ground: Ground) -> None:
    """Have ready what all algorithms share, so that none of them is charged for it."""
    _ = ground.tree, ground.known
