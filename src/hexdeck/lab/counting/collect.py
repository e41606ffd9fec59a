"""Statistics of many games between bots, gathered as they are played: on several threads, in constant memory."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.kernels import DECISIONS
from hexdeck.lab.counting.metrics import (
    KIND_USED,
    RESULT,
    SHARES,
    STARTER_RESULT,
    Chunk,
    MetricName,
    metric_names,
    metric_table,
)
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.lab.counting.simulator import Simulator
from hexdeck.stats import FEW_GAMES, Estimate, Moments, mean_of_few

CHUNK, CHUNK_LEAST, CHUNKS = 2000, 250, 100  # games of a chunk: a hundredth of all, but at least and at most so many
LONGEST: MetricName = ("longest", 0)
Progress = Callable[[int], None]  # is told how many more games are done
Source = Callable[..., Generator[tuple[Chunk, np.ndarray]]]  # plays games to be counted: see `chunks`


@dataclass
class GameStatistics:
    """Statistics of many games: the moments of every metric, and how many games had so many decisions (`lengths`).

    `examples`: for each metric that is a share, the number of the first game in which it held; for LONGEST, of the game
    with most decisions. `interrupted`: whether fewer games were played than asked for.
    """

    game: GameSetup
    names: tuple[MetricName, ...]
    moments: Moments
    lengths: Counter[int] = field(default_factory=Counter)
    examples: dict[MetricName, int] = field(default_factory=dict)
    interrupted: bool = False

    @classmethod
    def of(cls, game: GameSetup) -> GameStatistics:
        """Statistics of no games yet."""
        names = metric_names(game)
        return cls(game, names, Moments(len(names)))

    def __len__(self) -> int:
        return self.moments.count

    def __getitem__(self, name: MetricName | str) -> Estimate:
        """The estimated mean of a metric."""
        key = (name, 0) if isinstance(name, str) else name
        column = self.names.index(key)
        if key[0] in SHARES:
            return self.moments.share(column)
        found = self.moments.estimate(column)
        few = key[0] in {RESULT, STARTER_RESULT} and 1 < len(self) < FEW_GAMES
        return replace(found, low=found.value - self._margin, high=found.value + self._margin) if few else found

    @property
    def _margin(self) -> float:
        """The margin of a seat's mean result in few games: by how far apart all seats end, see `mean_of_few`."""
        of = [k for k, name in enumerate(self.names) if name[0] == RESULT]
        each = len(self) * len(of)
        spread = self.moments.squares[of].sum() - self.moments.sums[of].sum() ** 2 / each
        return mean_of_few(np.zeros(len(self)), spread / each, len(self) * max(1, len(of) - 1)).margin

    def estimates(self, metric: str) -> list[Estimate]:
        """The estimates of a metric for each seat, ending or kind of move."""
        return [self[name] for name in self.names if name[0] == metric]

    @property
    def kinds_used(self) -> dict[int, int]:
        """By kind of move, the number of the first game in which such a move was made."""
        return {kind: number for (metric, kind), number in self.examples.items() if metric == KIND_USED}

    def add(self, rows: np.ndarray, chunk: Chunk) -> None:
        """Add a chunk of games and its metrics, float64 (games, metrics)."""
        self._add_examples(rows, chunk)
        self.moments.add(rows)
        often = np.bincount(chunk.counters[:, DECISIONS])
        for length in np.flatnonzero(often).tolist():
            self.lengths[length] += int(often[length])

    def _add_examples(self, rows: np.ndarray, chunk: Chunk) -> None:
        decisions = chunk.counters[:, DECISIONS]
        if decisions.max() > max(self.lengths, default=0):
            self.examples[LONGEST] = chunk.first + int(decisions.argmax())
        wanted = [k for k, name in enumerate(self.names) if name[0] in SHARES and name not in self.examples]
        for k in wanted:
            holds = rows[:, k] == 1
            if holds.any():
                self.examples[self.names[k]] = chunk.first + int(holds.argmax())


def collect(
    setup: SimulationSetup,
    games: int,
    *,
    first: int = 0,
    progress: Progress | None = None,
    enough: Callable[[GameStatistics], bool] = lambda _found: False,
    source: Source | None = None,
    pool: Executor | None = None,
) -> GameStatistics:
    """Play `games` games, numbered from `first` on, and gather their statistics; threads change nothing in them.

    `enough` is asked after each chunk whether to stop there. `source`: what plays the games (default: `chunks`).
    `pool`: threads to use that do other things too. After an interrupt (KeyboardInterrupt) it returns what was
    finished, unless that is nothing. Raises UnknownBot or BadOption.
    """
    out = GameStatistics.of(setup.game)
    try:
        for chunk, rows in (source or chunks)(setup, games, first=first, pool=pool):
            out.add(rows, chunk)
            if progress is not None:
                progress(len(chunk))
            if enough(out):
                break
    except KeyboardInterrupt:
        if not len(out):
            raise
        out.interrupted = True
    return out


def chunks(
    setup: SimulationSetup, games: int, *, first: int = 0, here: bool = False, pool: Executor | None = None
) -> Generator[tuple[Chunk, np.ndarray]]:
    """Play games in order, a chunk at a time, each with its metrics; see `map_in_order` for how threads are used.

    `here`: play in the calling thread. `pool`: threads to use that do other things too.
    """
    setup.check(games, first)
    idle = [Simulator(setup) for _ in range(setup.threads)]
    size = chunk_size(idle[0].bots.chunk, games)

    def run(at: int) -> tuple[Chunk, np.ndarray]:
        simulator = idle.pop()
        try:
            chunk = simulator.count(first + at, min(size, games - at))
        finally:
            idle.append(simulator)
        return chunk, metric_table(setup.game, chunk, setup.backend)

    yield from map_in_order(run, range(0, games, size), 0 if here else setup.threads, pool)


def chunk_size(most: int, games: int) -> int:
    """Games of a chunk, for so many games in all between bots that play at most `most` at once."""
    return min(CHUNK, most, max(CHUNK_LEAST, games // CHUNKS))


def map_in_order(
    function: Callable[[Any], Any], items: Iterable[Any], threads: int, pool: Executor | None = None
) -> Generator[Any]:
    """What the function returns for each item, in order, computed on so many threads (0: in the calling thread).

    Threads run ahead of what was taken by few items only, so that memory stays constant.
    """
    if not threads:
        yield from map(function, items)
        return
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(threads) if pool is None else nullcontext(pool) as workers:
        try:
            for item in items:
                waiting.append(workers.submit(function, item))
                if len(waiting) >= 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
