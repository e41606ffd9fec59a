"""Whole games played in one call of compiled code, as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import SeatedBots, Seed, Strategies, arranged, names_of


@dataclass(frozen=True)
class Results:
    """Columns of simulated games, a row each.

    `returns` float64 (games, players): utility; `moves` and `chances` int64: decisions and chance events;
    `endings` int8: indices into `reasons`.
    """

    returns: np.ndarray
    moves: np.ndarray
    chances: np.ndarray
    endings: np.ndarray
    reasons: tuple[str, ...]

    @classmethod
    def room(cls, game: GameSetup, games: int) -> Results:
        """Zeros, for so many games."""
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
        """Half the width of the 95 % interval of each mean (normal approximation); infinite for a single game."""
        if len(self) < 2:
            return np.full(self.returns.shape[1], np.inf)
        margins: np.ndarray = 1.96 * self.returns.std(axis=0, ddof=1) / np.sqrt(len(self))
        return margins

    def ended(self) -> dict[str, int]:
        """How often each ending occurred."""
        counts = np.bincount(self.endings, minlength=len(self.reasons))
        return {reason: int(count) for reason, count in zip(self.reasons, counts, strict=True) if count}


def play_strategies(game: GameSetup, games: int, bots: str | Sequence[str], seed: Seed) -> Results:
    """The first games of a seed between strategies of compiled code, on this thread."""
    used = game.driver()
    out = Results.room(game, games)
    play_games(game, used, Strategies(game, names_of(game, bots), seed, used), seed, 0, 0, games, out)
    return out


def play_games(game: GameSetup, driver: Driver, players: SeatedBots, seed: int | bytes, first: int, at: int, end: int,
               out: Results) -> None:  # fmt: skip
    """Play games `at` to `end` into their rows of the columns."""
    lengths = np.zeros((end - at, 2), np.int64)
    driver.kernel("simulate")(
        driver.g, game.rows(driver), driver.shared(players.policies), driver.actions(), driver.weights(),
        driver.generator(seed), arranged(driver, players.minds(first + at, end - at)), first + at,
        driver.shared(out.returns[at:end]), driver.shared(lengths), driver.shared(out.endings[at:end]),
        driver.array(game.rules.SEATS, np.float64),
    )  # fmt: skip
    out.moves[at:end], out.chances[at:end] = lengths[:, 0], lengths[:, 1]
