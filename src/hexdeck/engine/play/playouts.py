"""Whole games played in compiled code, with their results in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import SeatedBots, Seed, Strategies, names_of, pad_rows
from hexdeck.stats import half_width


@dataclass(frozen=True)
class Results:
    """Results of simulated games, a row for each game.

    `returns` float64 (games, players): utilities; `moves` and `chances` int64: the number of decisions and of chance
    events; `endings` int8: indices into `reasons`, the names of the endings.
    """

    returns: np.ndarray
    moves: np.ndarray
    chances: np.ndarray
    endings: np.ndarray
    reasons: tuple[str, ...]

    @classmethod
    def room(cls, game: GameSetup, games: int) -> Results:
        """Zeroed results for a number of games."""
        return cls(
            np.zeros((games, game.players)), np.zeros(games, np.int64), np.zeros(games, np.int64),
            np.zeros(games, np.int8), tuple(game.rules.ENDINGS),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.returns)

    def means(self) -> np.ndarray:
        """The mean utility of each seat."""
        means: np.ndarray = self.returns.mean(axis=0)
        return means

    def margins(self) -> np.ndarray:
        """The half-width of the 95 % interval of each mean; infinite for a single game."""
        return half_width(self.returns)

    def ended(self) -> dict[str, int]:
        """How often each ending occurred."""
        counts = np.bincount(self.endings, minlength=len(self.reasons))
        return {reason: int(count) for reason, count in zip(self.reasons, counts, strict=True) if count}


def play_strategies(game: GameSetup, games: int, bots: str | Sequence[str], seed: Seed) -> Results:
    """Play games 0 to `games` - 1 of a seed between compiled strategies, on this thread."""
    used = game.driver()
    out = Results.room(game, games)
    play_games(game, used, Strategies(game, names_of(game, bots), seed, used), seed, 0, 0, games, out)
    return out


def play_games(game: GameSetup, driver: Driver, players: SeatedBots, seed: int | bytes, first: int, at: int, end: int,
               out: Results) -> None:  # fmt: skip
    """Play games `at` to `end` - 1 with these bots, and write their rows of `out`; game 0 is match `first`."""
    lengths = np.zeros((end - at, 2), np.int64)
    driver.kernel("simulate")(
        driver.g, game.rows(driver), driver.shared(players.policies), driver.actions(), driver.weights(),
        driver.generator(seed), pad_rows(driver, players.generators(first + at, end - at)), first + at,
        driver.shared(out.returns[at:end]), driver.shared(lengths), driver.shared(out.endings[at:end]),
        driver.array(game.rules.PLAYERS[1], np.float64),
    )  # fmt: skip
    out.moves[at:end], out.chances[at:end] = lengths[:, 0], lengths[:, 1]
