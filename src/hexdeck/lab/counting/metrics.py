"""What is measured of a game: a number for each measure, a row for each game."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.kernels import reckon
from hexdeck.lab.counting.kinds import kind_numbers

RESULT, FIRST, LAST, ENDED, KIND, MET = "result", "first", "last", "ended", "kind", "met"
TIED, STARTS, BEGINNER, BEGINS_FIRST, BEGINS_LAST = "tied", "starts", "beginner", "begins_first", "begins_last"
LENGTHS = ("deals", "turns", "decisions", "choices", "chances", "forced", "legal", "laps", "pauses")
SHARES = {FIRST, LAST, ENDED, MET, TIED, STARTS, BEGINS_FIRST, BEGINS_LAST, "forced"}


@dataclass(frozen=True)
class Chunk:
    """Some games, a row for each, as `kernels.gather` counts them; `first` is the number of the first one."""

    first: int
    results: np.ndarray
    figures: np.ndarray
    tally: np.ndarray

    def __len__(self) -> int:
        return len(self.results)


Name = tuple[str, int]


def names(game: GameSetup) -> tuple[Name, ...]:
    """The measures of a game, in the order of the columns of `table`: what, and of which seat, ending or kind."""
    seats, endings = range(game.players), range(1, len(game.rules.ENDINGS))
    kinds = range(len(kind_numbers(game.rules.ACTIONS)[0]))
    parts = [(RESULT, seats), (FIRST, seats), (LAST, seats), (STARTS, seats), (ENDED, endings), (KIND, kinds)]
    several = [(what, k) for what, numbers in [*parts, (MET, kinds)] for k in numbers]
    return (*several, *((what, 0) for what in (TIED, BEGINNER, BEGINS_FIRST, BEGINS_LAST, *LENGTHS)))


def table(game: GameSetup, chunk: Chunk, backend: str | None = None) -> np.ndarray:
    """The measures of the games of a chunk, float64 (games, measures)."""
    driver, rows = game.driver(backend), np.zeros((len(chunk), len(names(game))))
    arrays = (driver.shared(each) for each in (chunk.results, chunk.figures, chunk.tally))
    driver.kernel(reckon)(*arrays, len(game.rules.ENDINGS), driver.shared(rows))  # type: ignore[arg-type]
    return rows
