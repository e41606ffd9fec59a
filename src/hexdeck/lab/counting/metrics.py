"""The metrics of a game: a number for each, a row for each game that was played."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.kernels import compute_metrics
from hexdeck.lab.counting.kinds import kind_numbers

# The values are published: they stand in JSON files and data frames.
RESULT, FIRST, LAST, STARTS, ABOVE, ENDED = "result", "first", "last", "starts", "above", "ended"
KIND, KIND_USED = "kind", "met"  # how often a kind of move was made in a game; whether it was
STARTER_RESULT, STARTER_FIRST, STARTER_LAST, TIED = "beginner", "begins_first", "begins_last", "tied"
LENGTHS = ("deals", "turns", "decisions", "choices", "chances", "forced", "legal", "laps", "pauses")
SHARES = {FIRST, LAST, ENDED, KIND_USED, TIED, STARTS, STARTER_FIRST, STARTER_LAST, "forced"}  # from 0 to 1

MetricName = tuple[str, int]  # the metric, and the seat, ending or kind it is of; 0 where there is only one


@dataclass(frozen=True)
class Chunk:
    """Consecutive games as `kernels.count_games` counts them, a row each; `first` is the number of the first game.

    `results` float64 (games, seats), `counters` int64 (games, COUNTERS), `kind_counts` int32 (games, kinds).
    """

    first: int
    results: np.ndarray
    counters: np.ndarray
    kind_counts: np.ndarray

    def __len__(self) -> int:
        return len(self.results)


def metric_names(game: GameSetup) -> tuple[MetricName, ...]:
    """The metrics of a game, in the order of the columns of `metric_table`."""
    seats, endings = range(game.players), range(1, len(game.rules.ENDINGS))
    kinds = range(len(kind_numbers(game.rules.ACTIONS)[0]))
    parts = [
        (RESULT, seats),
        (FIRST, seats),
        (LAST, seats),
        (STARTS, seats),
        (ABOVE, seats),
        (ENDED, endings),
        (KIND, kinds),
    ]
    several = [(what, k) for what, numbers in [*parts, (KIND_USED, kinds)] for k in numbers]
    return (*several, *((what, 0) for what in (TIED, STARTER_RESULT, STARTER_FIRST, STARTER_LAST, *LENGTHS)))


def metric_table(game: GameSetup, chunk: Chunk, backend: str | None = None) -> np.ndarray:
    """The metrics of a chunk's games, float64 (games, metrics)."""
    driver, rows = game.driver(backend), np.zeros((len(chunk), len(metric_names(game))))
    arrays = (driver.shared(each) for each in (chunk.results, chunk.counters, chunk.kind_counts))
    driver.kernel(compute_metrics)(*arrays, len(game.rules.ENDINGS), driver.shared(rows))  # type: ignore[arg-type]
    return rows
