"""What is counted in each game, from its log, whoever played it; and statistics of many, in constant memory."""

from __future__ import annotations

import functools
import math
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.engine.backends.kernels_games import NOBODY
from hexdeck.engine.play.game import Driver, GameSetup
from hexdeck.lab import kernels
from hexdeck.lab.log import Log, Player, SimulationSetup
from hexdeck.stats import FEW_GAMES, Estimate, Moments, mean_of_few

CHUNK, CHUNK_LEAST, CHUNKS = 2000, 500, 100  # games of a chunk: a hundredth of all, but at least and at most so many
FEW = 8  # up to so many actions with the same first word are kinds of their own
# The values are published: they stand in JSON files and data frames.
RESULT, FIRST, LAST, STARTS, ABOVE, ENDED = "result", "first", "last", "starts", "above", "ended"
KIND, KIND_USED = "kind", "met"  # how often a kind of move was made in a game; whether it was
STARTER_RESULT, STARTER_FIRST, STARTER_LAST, TIED = "beginner", "begins_first", "begins_last", "tied"
LENGTHS = ("deals", "turns", "decisions", "choices", "chances", "forced", "legal", "laps", "pauses")
SHARES = {FIRST, LAST, ENDED, KIND_USED, TIED, STARTS, STARTER_FIRST, STARTER_LAST, "forced"}  # from 0 to 1

MetricName = tuple[str, int]  # the metric, and the seat, ending or kind it is of; 0 where there is only one
LONGEST: MetricName = ("longest", 0)
Progress = Callable[[int], None]  # is told how many more games are done


# --- games ------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Chunk:
    """Consecutive games, counted, a row each: see `kernels.count_log`."""

    first: int  # the number of the first game
    results: np.ndarray  # float64 (games, seats)
    counters: np.ndarray  # int64 (games, COUNTERS)
    kind_counts: np.ndarray  # int32 (games, kinds)

    def __len__(self) -> int:
        return len(self.results)


def games_counted(log: Log, driver: Driver) -> Chunk:
    """The games of a log, counted."""
    (kinds, kind), games = kind_numbers(driver.rules.ACTIONS), len(log)
    counters, kind_counts = np.zeros((games, kernels.COUNTERS), np.int64), np.zeros((games, len(kinds)), np.int32)
    arrays = (driver.shared(array) for array in (log.rows, log.ends, kind, counters, kind_counts))
    driver.kernel(kernels.count_log)(*arrays)
    return Chunk(log.first, log.results, counters, kind_counts)


def count(player: Player, first: int, games: int) -> Chunk:
    """Play and count games, numbered from `first` on."""
    chunks = (games_counted(log, player.driver) for log in player.logs(first, games))
    columns = zip(*((chunk.results, chunk.counters, chunk.kind_counts) for chunk in chunks), strict=True)
    return Chunk(first, *map(np.concatenate, columns))


def metric_names(game: GameSetup) -> tuple[MetricName, ...]:
    """The metrics of a game, in the order of the columns of `metric_table`."""
    seats, endings = range(game.players), range(1, len(game.rules.ENDINGS))
    kinds = range(len(kind_numbers(game.rules.ACTIONS)[0]))
    numbers = dict.fromkeys((RESULT, FIRST, LAST, STARTS, ABOVE), seats)
    numbers |= {ENDED: endings, KIND: kinds, KIND_USED: kinds}
    numbers |= dict.fromkeys((TIED, STARTER_RESULT, STARTER_FIRST, STARTER_LAST, *LENGTHS), range(1))
    return tuple((metric, k) for metric, of in numbers.items() for k in of)


def metric_table(game: GameSetup, chunk: Chunk) -> np.ndarray:
    """The metrics of a chunk's games, float64 (games, metrics)."""
    counters, kinds, above = chunk.counters, chunk.kind_counts, above_table(chunk.results)
    starter, choices, places = counters[:, kernels.STARTER], counters[:, kernels.CHOICES], places_shared(chunk.results)
    starts = starter[:, None] == np.arange(game.players)
    ended = counters[:, [kernels.ENDING]] == np.arange(1, len(game.rules.ENDINGS))
    tied, gain = (places[0] > 0).sum(axis=1) > 1, (above * starts).sum(axis=1)
    begins = (places * starts).sum(axis=2) + (starter == NOBODY) / game.players
    often = counters[:, [kernels.DEALS, kernels.TURNS, kernels.DECISIONS, kernels.CHOICES, kernels.CHANCES]]
    forced = 1 - choices / np.maximum(counters[:, kernels.DECISIONS], 1)
    legal = np.where(choices, counters[:, kernels.LEGAL] / np.maximum(choices, 1), 1.0)
    lengths = often, forced, legal, counters[:, [kernels.LAPS, kernels.PAUSES]]
    columns = chunk.results, *places, starts, above, ended, kinds, kinds > 0, tied, gain, *begins, *lengths
    return np.column_stack(columns).astype(np.float64)


def above_table(results: np.ndarray) -> np.ndarray:
    """Results above the mean of their table."""
    return np.asarray(results - results.mean(axis=1, keepdims=True))


def place_shares_of(results: np.ndarray, rank: int) -> np.ndarray:
    """Each seat's share of first (0) or last (1) place, ties shared: of utilities, float64 (…, seats)."""
    best = results == (results.min if rank else results.max)(axis=-1, keepdims=True)
    return np.asarray(best / best.sum(axis=-1, keepdims=True))


def places_shared(results: np.ndarray) -> np.ndarray:
    """Each seat's shares of first and of last place: float64 (2, …, seats) of utilities, float64 (…, seats)."""
    return np.array([place_shares_of(results, rank) for rank in (0, 1)])


# --- kinds of actions: groups few enough to read, made from their stable names ----------------------------------------
def kinds(names: Sequence[str]) -> dict[str, str]:
    """The kind of each action by name: the name itself if at most FEW names share its first word, else that word."""
    first = {name: name.split(maxsplit=1)[0] for name in names}
    sizes = Counter(first.values())
    return {name: name if sizes[word] <= FEW else word for name, word in first.items()}


@functools.cache
def kind_numbers(names: tuple[str, ...]) -> tuple[tuple[str, ...], np.ndarray]:
    """The kinds in the order of their first action, and the number of each action's kind: int16 by action id."""
    kind = kinds(names)
    numbers = {name: k for k, name in enumerate(dict.fromkeys(kind[name] for name in names))}
    return tuple(numbers), np.array([numbers[kind[name]] for name in names], np.int16)


# --- many games -------------------------------------------------------------------------------------------------------
Source = Callable[..., Generator[tuple[Chunk, np.ndarray]]]  # plays games to be counted: see `chunks`


@dataclass
class GameStatistics:
    """Statistics of many games."""

    game: GameSetup
    names: tuple[MetricName, ...]
    moments: Moments  # of every metric
    lengths: Counter[int] = field(default_factory=Counter)  # how many games had so many decisions
    examples: dict[MetricName, int] = field(default_factory=dict)  # the first game with a share; the LONGEST one
    interrupted: bool = False  # whether fewer games were played than asked for

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
        estimate = self.moments.estimate(column)
        if key[0] not in {RESULT, STARTER_RESULT} or not 1 < len(self) < FEW_GAMES:
            return estimate
        of = [k for k, name in enumerate(self.names) if name[0] == RESULT]  # of all seats: how far apart they end
        count = len(self) * len(of)
        spread = self.moments.squares[of].sum() - self.moments.sums[of].sum() ** 2 / count
        margin = mean_of_few(np.zeros(len(self)), spread / count, len(self) * max(1, len(of) - 1)).margin
        return replace(estimate, low=estimate.value - margin, high=estimate.value + margin)

    def estimates(self, metric: str) -> list[Estimate]:
        """The estimates of a metric for each seat, ending or kind of move."""
        return [self[name] for name in self.names if name[0] == metric]

    def add(self, rows: np.ndarray, chunk: Chunk) -> None:
        """Add a chunk of games and its metrics, float64 (games, metrics)."""
        decisions = chunk.counters[:, kernels.DECISIONS]
        self.moments.add(rows)
        if decisions.max() > max(self.lengths, default=0):
            self.examples[LONGEST] = chunk.first + int(decisions.argmax())
        for k, name in enumerate(self.names):
            if name[0] in SHARES and name not in self.examples and (holds := rows[:, k] == 1).any():
                self.examples[name] = chunk.first + int(holds.argmax())
        self.lengths.update(decisions.tolist())


def collect(
    setup: SimulationSetup,
    games: int,
    *,
    first: int = 0,
    progress: Progress = lambda _done: None,
    enough: Callable[[GameStatistics], bool] = lambda _found: False,
    source: Source | None = None,
    pool: Executor | None = None,
    into: GameStatistics | None = None,
) -> GameStatistics:
    """Play games, numbered from `first` on, and gather their statistics, after an interrupt of what was finished.

    `into`: of earlier games, to which they are added.
    """
    out = into or GameStatistics.of(setup.game)
    try:
        for chunk, rows in (source or chunks)(setup, games, first=first, pool=pool):
            out.add(rows, chunk)
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
    """Play games in order, a chunk at a time, each with its metrics; `here`: in the calling thread, or in a `pool`."""
    setup.check(games, first)
    idle = [Player(setup) for _ in range(setup.threads)]
    size = chunk_size(idle[0].bots.chunk, games)

    def run(at: int) -> tuple[Chunk, np.ndarray]:
        with borrowed(idle) as player:
            chunk = count(player, first + at, min(size, games - at))
        return chunk, metric_table(setup.game, chunk)

    yield from map_in_order(run, range(0, games, size), 0 if here else setup.threads, pool)


def chunk_size(limit: int, games: int) -> int:
    """Games of a chunk, for so many games in all between bots that play at most `limit` at once: of slow bots few."""
    return min(CHUNK, limit, max(CHUNK_LEAST if limit > CHUNK_LEAST else 1, games // CHUNKS))


def map_in_order(
    function: Callable[[Any], Any], items: Iterable[Any], threads: int, pool: Executor | None = None
) -> Generator[Any]:
    """What the function returns for each item, in order; threads (0: this one) run ahead of what was taken by few."""
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


@contextmanager
def borrowed(idle: list[Any]) -> Iterator[Any]:
    """One of those that are idle, which it is again afterwards."""
    item = idle.pop()
    try:
        yield item
    finally:
        idle.append(item)


# --- how long people take ---------------------------------------------------------------------------------------------
USUAL = 7  # moves of the choice whose seconds `think` is
RECKONED = ("pauses", "legal", "decisions", "choices", "deals", "chances", "turns")  # what minutes are made of
NUDGE = 1e-4  # relative step for slopes
FURTHER = 0.3  # of these seconds, for a further choice in the same turn: where to play the card that one has picked


@dataclass(frozen=True)
class Tempo:
    """Seconds at a table of people."""

    think: float  # for a choice between USUAL moves
    move: float  # to carry a move out and see it
    deal: float  # before each deal
    draw: float  # for each card drawn or dealt
    score: float  # after each deal for each player
    talk: float  # as a part of all that

    def choosing(self, moves: float) -> float:
        """Seconds for a choice between so many moves."""
        return self.think * math.log2(1 + moves) / math.log2(1 + USUAL)

    def calibrated(self, seconds: float, moves: float) -> Tempo:
        """The place where people take so many seconds for a choice between so many moves."""
        return replace(self, think=self.think * seconds / self.choosing(moves))


SCREEN = Tempo(think=8.0, move=1.5, deal=3.0, draw=0.2, score=2.0, talk=0.1)  # the table deals, checks and scores
CARDS = Tempo(think=8.0, move=3.0, deal=40.0, draw=1.0, score=5.0, talk=0.25)  # real cards, shuffled by hand


@dataclass(frozen=True)
class Minutes:
    """The minutes of a match by what they go to, in all, and seconds between one's own turns (0: fewer than two)."""

    choices: float
    moves: float
    dealing: float
    scoring: float
    talk: float
    total: float
    wait: float


def minutes(statistics: GameStatistics, tempo: Tempo) -> Minutes:
    """The mean minutes of a match with these statistics."""
    return reckoned(statistics.game.players, [statistics[name].value for name in RECKONED], tempo)


def reckoned(players: int, means: Iterable[float], tempo: Tempo) -> Minutes:
    """The minutes of a match from the means of RECKONED; choices made at the same time take time once."""
    of = dict(zip(RECKONED, means, strict=True))
    together, first = of["pauses"] / of["choices"] if of["choices"] else 1.0, min(of["choices"], of["turns"])
    seconds = {
        "choices": together * (first + FURTHER * (of["choices"] - first)) * tempo.choosing(of["legal"]),
        "moves": of["decisions"] * together * tempo.move,
        "dealing": of["deals"] * tempo.deal + of["chances"] * tempo.draw,
        "scoring": of["deals"] * players * tempo.score,
    }
    seconds["talk"] = tempo.talk * sum(seconds.values())
    again = of["turns"] >= 2 * players  # else one hardly has another to wait for
    wait = sum(seconds.values()) * (players - 1) / of["turns"] if again else 0.0
    spent = {name: value / 60 for name, value in seconds.items()}
    return Minutes(**spent, total=sum(spent.values()), wait=wait)


def reckoned_columns(game: GameSetup, rows: np.ndarray) -> np.ndarray:
    """The columns of RECKONED, of metrics float64 (games, metrics)."""
    names = metric_names(game)
    return rows[:, [names.index((name, 0)) for name in RECKONED]]


def minutes_each(players: int, rows: np.ndarray, tempo: Tempo) -> np.ndarray:
    """The minutes of each game, from columns of RECKONED: float64 (games); the model isn't linear, so by its slopes."""
    means = rows.mean(axis=0)
    steps = np.diag(np.maximum(np.abs(means), 1.0) * NUDGE)
    rises = [reckoned(players, means + s, tempo).total - reckoned(players, means - s, tempo).total for s in steps]
    slopes = np.array([rise / (2 * step.sum()) for rise, step in zip(rises, steps, strict=True)])
    return np.asarray(reckoned(players, means, tempo).total + (rows - means) @ slopes)


def span(statistics: GameStatistics) -> tuple[int, int]:
    """The minutes of a match as a game's table tells them: at this table, and at a real one, in whole minutes."""
    screen, cards = (max(1, round(minutes(statistics, tempo).total)) for tempo in (SCREEN, CARDS))
    return screen, max(cards, screen + 1)
