"""Many games between bots, counted as they are played: in compiled code, on several threads, in constant memory."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.seating import any_scripted, pad_rows
from hexdeck.engine.text import say
from hexdeck.lab.counting.kernels import DECISIONS, EVENTS, FIGURES, GAMES, chronicle, gather
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.metrics import MET, SHARES, Chunk, Name, names, table
from hexdeck.lab.counting.stats import Estimate, Moments
from hexdeck.simulation.seating import seat_bots

CHUNK, FINE, PARTS = 2000, 250, 100  # games that a thread plays before it reports: a hundredth of all, within these
ROWS = 1 << 16  # decisions that a chronicle has room for at once
LONGEST: Name = ("longest", 0)
Progress = Callable[[int], None]
Source = Callable[..., Generator[tuple[Chunk, np.ndarray]]]  # what plays games to be counted: see `chunks`


class Desk:
    """What one thread needs to play games of a setting between any bots: the same games as `Game.simulate` plays."""

    def __init__(
        self, game: GameSetup, bots: str | Sequence[str], seed: int | bytes, backend: str | None = None
    ) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.kinds, kind = kind_numbers(game.rules.ACTIONS)
        driver: Driver = self.driver
        self.players, self._cards = seat_bots(game, bots, seed, backend), driver.generator(seed)
        self._kind, self._out = driver.shared(kind), driver.array(game.rules.SEATS, np.float64)
        self._table = (
            driver.g, game.rows(driver), driver.shared(self.players.policies), driver.actions(), driver.weights(),
            self._cards,
        )  # fmt: skip

    def gather(self, first: int, games: int) -> Chunk:
        """Play and count the games of these numbers."""
        chunk = Chunk(
            first, np.zeros((games, self.game.players)), np.zeros((games, FIGURES), np.int64),
            np.zeros((games, len(self.kinds)), np.int32),
        )  # fmt: skip
        shared, kernel = self.driver.shared, self.driver.kernel(gather)  # type: ignore[arg-type]
        columns = (shared(each) for each in (chunk.results, chunk.figures, chunk.tally))
        generators = pad_rows(self.driver, self.players.generators(first, games))
        kernel(*self._table, generators, first, self._kind, *columns, self._out)
        return chunk

    def chronicle(self, first: int, games: int) -> np.ndarray:
        """Every decision of the games of these numbers, int32 (decisions, 4).

        The game's number from 0, the seat, the id of the action, how many were legal.
        """
        shared, kernel = self.driver.shared, self.driver.kernel(chronicle)  # type: ignore[arg-type]
        parts, done, room = [], 0, ROWS
        while done < games:
            log, state = np.zeros((room, 4), np.int32), np.zeros(2, np.int64)
            # a script is read from its beginning
            generators = pad_rows(self.driver, self.players.generators(first, games))
            kernel(*self._table, generators, first + done, games - done, shared(log), shared(state))
            if not state[GAMES] or (any_scripted(self.players) and state[GAMES] < games):
                room *= 2
                continue
            log[:, 0] += done
            parts.append(log[: state[EVENTS]])
            done += int(state[GAMES])
        return np.concatenate(parts)


@dataclass
class Collected:
    """What came of many games: estimates of every measure; `lengths`: how many games had so many decisions.

    `examples`: the number of the first game in which something was so, by the measure; of `LONGEST`, of the one with
    most decisions. `interrupted`: whether fewer were played than asked for.
    """

    game: GameSetup
    names: tuple[Name, ...]
    moments: Moments
    lengths: Counter[int] = field(default_factory=Counter)
    examples: dict[Name, int] = field(default_factory=dict)
    interrupted: bool = False

    def __len__(self) -> int:
        return self.moments.count

    def __getitem__(self, name: Name | str) -> Estimate:
        """The estimate of a measure: its mean over all games."""
        key = (name, 0) if isinstance(name, str) else name
        column = self.names.index(key)
        return self.moments.share(column) if key[0] in SHARES else self.moments.estimate(column)

    def of(self, what: str) -> list[Estimate]:
        """The estimates of a measure for each seat, ending or kind."""
        return [self[name] for name in self.names if name[0] == what]

    @property
    def met(self) -> dict[int, int]:
        """By kind of move, the number of the first game in which one was made."""
        return {kind: number for (what, kind), number in self.examples.items() if what == MET}

    def take(self, rows: np.ndarray, chunk: Chunk) -> None:
        """Take the games of a chunk in."""
        self._exemplify(rows, chunk)
        self.moments.add(rows)
        often = np.bincount(chunk.figures[:, DECISIONS])
        for length in np.flatnonzero(often).tolist():
            self.lengths[length] += int(often[length])

    def _exemplify(self, rows: np.ndarray, chunk: Chunk) -> None:
        made = chunk.figures[:, DECISIONS]
        if made.max() > max(self.lengths, default=0):
            self.examples[LONGEST] = chunk.first + int(made.argmax())
        wanted = [k for k, name in enumerate(self.names) if name[0] in SHARES and name not in self.examples]
        for k in wanted:
            so = rows[:, k] == 1
            if so.any():
                self.examples[self.names[k]] = chunk.first + int(so.argmax())


def collect(
    game: GameSetup,
    games: int,
    bots: str | Sequence[str] = "house",
    seed: int | bytes = 0,
    threads: int = 1,
    *,
    first: int = 0,
    backend: str | None = None,
    progress: Progress | None = None,
    enough: Callable[[Collected], bool] = lambda _found: False,
    source: Source | None = None,
    pool: Executor | None = None,
) -> Collected:
    """Play `games` matches, numbered from `first` on, and measure them; the same whatever the number of threads.

    `enough` is asked after each chunk whether so many do, so that slow games end in time; `source`: what
    plays them, if not threads; `pool`: the threads, if they do other things too.
    Interrupted (KeyboardInterrupt), it gives what was finished, if that is anything. Raises UnknownBot or BadOption.
    """
    out = Collected(game, names(game), Moments(len(names(game))))
    try:
        for chunk, rows in (source or chunks)(
            game, games, bots, seed, threads, first=first, backend=backend, pool=pool
        ):
            out.take(rows, chunk)
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
    game: GameSetup,
    games: int,
    bots: str | Sequence[str],
    seed: int | bytes,
    threads: int,
    *,
    first: int = 0,
    backend: str | None = None,
    here: bool = False,
    pool: Executor | None = None,
) -> Generator[tuple[Chunk, np.ndarray]]:
    """The games in order, a chunk at a time, each with its measures; `here`: played in the thread that asks for them.

    `pool`: what plays them, of so many threads, if it does other things too. Threads run ahead by a few chunks only,
    so that memory doesn't grow with the number of games.
    """
    if games < 1 or threads < 1:
        raise BadOption(say("A simulation needs at least one game and at least one thread."))
    check_numbers(first, games)
    desks = [Desk(game, bots, seed, backend) for _ in range(threads)]
    size = chunk_of(desks[0].players.chunk, games)

    def run(at: int) -> tuple[Chunk, np.ndarray]:
        desk = desks.pop()
        try:
            chunk = desk.gather(first + at, min(size, games - at))
        finally:
            desks.append(desk)
        return chunk, table(game, chunk, backend)

    yield from ahead(run, range(0, games, size), 0 if here else threads, pool)


def chunk_of(most: int, games: int) -> int:
    """How many games a chunk of so many games has, of bots that play so many at once at most."""
    return min(CHUNK, most, max(FINE, games // PARTS))


def ahead(
    run: Callable[[Any], Any], starts: Iterable[Any], threads: int, pool: Executor | None = None
) -> Generator[Any]:
    """What `run` gives for each start, in order; so many run at once (0: here), and few more are waiting."""
    if not threads:
        yield from map(run, starts)
        return
    waiting: deque[Future[Any]] = deque()
    with ThreadPoolExecutor(threads) if pool is None else nullcontext(pool) as workers:
        try:
            for at in starts:
                waiting.append(workers.submit(run, at))
                if len(waiting) >= 2 * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for each in waiting:
                each.cancel()
