"""What results vary by: the deal, the seat, and choices.

The same deals are played several times, by bots that choose differently: some seats have house bots, the others easy
ones, and each seat has either as often. What differs between deals is the deal; between seats, over all deals, the
seat; and with the same cards on the same seat, choices: one's own and those of others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hexdeck.lab.log import SimulationSetup
from hexdeck.simulation.simulate import simulate
from hexdeck.stats import Estimate, t_quantile

FIELD = ("house", "gentle")
LEAST = 3  # deals
SEATINGS = 4  # times that each deal is played, an even number


@dataclass(frozen=True)
class VarianceParts:
    """The parts of the variance of a seat's result, which add up to 1; from so many deals."""

    deal: Estimate
    seat: Estimate
    choices: Estimate
    deals: int


def study_variance(setup: SimulationSetup, deals: int) -> VarianceParts | None:
    """The parts of variance in so many deals, at least LEAST; None where no result differs.

    The setup's own bots don't play.
    """
    deals = max(deals, LEAST)
    won = [
        simulate(setup.game, deals, bots, setup.seed, setup.threads, backend=setup.backend).returns
        for bots in seatings(setup.game.players)
    ]
    return divided(np.array(won))


def seatings(players: int) -> list[list[str]]:
    """The bots of each seating; each seat has either bot as often."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(0, 2, (SEATINGS // 2, players))
    return [[FIELD[k] for k in row] for row in np.concatenate([drawn, 1 - drawn]).tolist()]


def divided(won: np.ndarray) -> VarianceParts | None:
    """The parts of the variance of results, float64 (seatings, deals, seats), with jackknife intervals over deals."""
    whole, deals = parts(won), won.shape[1]
    if not np.isfinite(whole).all():
        return None
    without = np.array([parts(np.delete(won, k, axis=1)) for k in range(deals)])
    without = np.where(np.isfinite(without), without, whole)  # of the others no result differs
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (deals - 1) / deals
    halves = t_quantile(deals - 1) * np.sqrt(spread)
    deal, seat, choices = (
        Estimate(value, max(0.0, value - half), min(1.0, value + half), deals)
        for value, half in zip(whole.tolist(), halves.tolist(), strict=True)
    )
    return VarianceParts(deal, seat, choices, deals)


def parts(won: np.ndarray) -> np.ndarray:
    """The parts of deal, seat and choices in the variance: without the bias that few seatings and few deals bring."""
    times, deals, seats = won.shape
    choices = won.var(axis=0, ddof=1).mean()
    cells = won.mean(axis=0)
    between = cells.var(axis=0, ddof=1).mean()
    deal = max(0.0, between - choices / times)
    seat = max(0.0, cells.mean(axis=0).var() - between / deals * (1 - 1 / seats))
    total = deal + seat + choices
    shares: np.ndarray = np.array([deal, seat, choices]) / total if total else np.full(3, np.nan)
    return shares
