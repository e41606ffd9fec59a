"""Luck and skill: how one bot does among others, each deal once from every seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counting.stats import Estimate, mean, mean_share, quantile
from hexdeck.lab.counting.tension import places_of
from hexdeck.simulation.simulate import simulate

PAIRS = (("house", "random"), ("house", "gentle"), ("gentle", "random"))


@dataclass(frozen=True)
class Duel:
    """How `one` does among `others`: above the mean of the table, and its shares of first and of last place.

    `games`: after how many games it is ahead of an average other with 95 % certainty; None where it isn't surely ahead.
    `deals`: on how many this was measured.
    """

    one: str
    others: str
    gain: Estimate
    first: Estimate
    last: Estimate
    games: Estimate | None
    deals: int = 0


def duel(
    game: GameSetup, one: str, others: str, deals: int, seed: int | bytes = 0, threads: int = 1,
    backend: str | None = None, progress: Callable[[int], None] | None = None,
) -> Duel:  # fmt: skip
    """Play `deals` deals, each once from every seat with `one` on it; deals are independent."""
    seats = range(game.players)
    gains, firsts, lasts, spread = (np.zeros((len(seats), deals)) for _ in range(4))
    for seat in seats:
        bots = [one if p == seat else others for p in seats]
        won = simulate(game, deals, bots, seed, threads, backend=backend).returns
        rest = np.delete(won, seat, axis=1).mean(axis=1)
        gains[seat], spread[seat] = won[:, seat] - won.mean(axis=1), won[:, seat] - rest
        for place, rows in ((0, firsts), (1, lasts)):
            rows[seat] = [places_of(row[None])[place][seat] for row in won]
        if progress is not None:
            progress(deals)
    gain = mean(gains.mean(axis=0))
    first, last = (mean_share(rows.mean(axis=0)) for rows in (firsts, lasts))
    tell = games_to_tell(spread) if gain.sure() and gain.value > 0 else None
    return Duel(one, others, gain, first, last, tell, deals)


def games_to_tell(ahead: np.ndarray) -> Estimate:
    """After how many games a sum of such differences (seats, deals) is above zero in 95 of 100 cases (normal).

    Its interval is that of the mean difference, deals being independent.
    """
    found, deviation = mean(ahead.mean(axis=0)), float(ahead.std(ddof=1))

    def games(middle: float) -> float:
        return float(max(1, np.ceil((quantile(0.95) * deviation / middle) ** 2))) if middle > 0 else float("inf")

    return Estimate(games(found.value), games(found.high), games(found.low), found.count)
