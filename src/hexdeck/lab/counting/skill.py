"""Luck and skill: how one bot does at a table of others, on the same deals from every seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hexdeck.lab.counts import taken
from hexdeck.lab.log import SimulationSetup
from hexdeck.simulation.simulate import simulate
from hexdeck.stats import Estimate, mean, mean_share, quantile

PAIRS = (("house", "random"), ("house", "gentle"), ("gentle", "random"))  # the one bot, and the others


@dataclass(frozen=True)
class Duel:
    """The results of bot `one` among `others`: its gain over the mean of the table, its shares of first and last place.

    `games`: after how many games it is ahead of an average opponent with 95 % confidence; None unless it is
    significantly better. `deals`: the sample size.
    """

    one: str
    others: str
    gain: Estimate
    first: Estimate
    last: Estimate
    games: Estimate | None
    deals: int = 0


def duel(
    setup: SimulationSetup, one: str, others: str, deals: int, progress: Callable[[int], None] | None = None
) -> Duel:
    """Play `deals` independent deals, each once from every seat with `one` on it; the setup's own bots don't play."""
    game, seats = setup.game, range(setup.game.players)
    gains, firsts, lasts, leads = (np.zeros((len(seats), deals)) for _ in range(4))
    for seat in seats:
        bots = [one if p == seat else others for p in seats]
        won = simulate(game, deals, bots, setup.seed, setup.threads, backend=setup.backend).returns
        rest = np.delete(won, seat, axis=1).mean(axis=1)
        gains[seat], leads[seat] = won[:, seat] - won.mean(axis=1), won[:, seat] - rest
        firsts[seat], lasts[seat] = taken(won, 0)[:, seat], taken(won, 1)[:, seat]
        if progress is not None:
            progress(deals)
    gain = mean(gains.mean(axis=0))
    first, last = (mean_share(rows.mean(axis=0)) for rows in (firsts, lasts))
    games = games_to_tell(leads) if gain.significant() and gain.value > 0 else None
    return Duel(one, others, gain, first, last, games, deals)


def games_to_tell(leads: np.ndarray) -> Estimate:
    """After how many games the sum of such differences, float64 (seats, deals), is positive with 95 % probability.

    It takes sums as normal; the interval is that of the mean difference, deals being independent.
    """
    found, deviation = mean(leads.mean(axis=0)), float(leads.std(ddof=1))

    def games(difference: float) -> float:
        return float(max(1, np.ceil((quantile(0.95) * deviation / difference) ** 2))) if difference > 0 else np.inf

    return Estimate(games(found.value), games(found.high), games(found.low), found.count)
