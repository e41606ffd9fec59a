"""Luck and skill: one bot among others, what results vary by, and luck as so many games decided by lot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.lab.counts import place_shares_of
from hexdeck.lab.log import SimulationSetup
from hexdeck.simulation.simulate import simulate
from hexdeck.stats import Estimate, mean, mean_share, quantile, t_quantile

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
    setup: SimulationSetup, bot: str, field: str, deals: int, progress: Callable[[int], None] | None = None
) -> Duel:
    """Play `deals` independent deals, each once from every seat with `bot` on it; the setup's own bots don't play."""
    game, seats = setup.game, range(setup.game.players)
    gains, firsts, lasts, leads = (np.zeros((len(seats), deals)) for _ in range(4))
    for seat in seats:
        bots = [bot if p == seat else field for p in seats]
        won = simulate(game, deals, bots, setup.seed, setup.threads, backend=setup.backend).returns
        opponents = np.delete(won, seat, axis=1).mean(axis=1)
        gains[seat], leads[seat] = won[:, seat] - won.mean(axis=1), won[:, seat] - opponents
        firsts[seat], lasts[seat] = place_shares_of(won, 0)[:, seat], place_shares_of(won, 1)[:, seat]
        if progress is not None:
            progress(deals)
    gain = mean(gains.mean(axis=0))
    first, last = (mean_share(rows.mean(axis=0)) for rows in (firsts, lasts))
    games = games_to_tell(leads) if gain.significant() and gain.value > 0 else None
    return Duel(bot, field, gain, first, last, games, deals)


def games_to_tell(leads: np.ndarray) -> Estimate:
    """After how many games the sum of such differences, float64 (seats, deals), is positive with 95 % probability.

    It takes sums as normal; the interval is that of the mean difference, deals being independent.
    """
    lead, deviation = mean(leads.mean(axis=0)), float(leads.std(ddof=1))

    def games(difference: float) -> float:
        return float(max(1, np.ceil((quantile(0.95) * deviation / difference) ** 2))) if difference > 0 else np.inf

    return Estimate(games(lead.value), games(lead.high), games(lead.low), lead.count)


def by_lot(share: Estimate, players: int, rank: int) -> Estimate:
    """The share of matches to be decided by lot, from the better player's share of first (0) or last (1) place.

    With lots, everybody would take the place as often; without, the better player would always, or never, take it.
    """
    fair = 1 / players
    ends = (share.low, share.value, share.high) if rank else (share.high, share.value, share.low)
    low, value, high = (min(max(end / fair if rank else (1 - end) / (1 - fair), 0.0), 1.0) for end in ends)
    return Estimate(value, low, high, share.count)


GAMES = (8, 16, 32, 64)  # games played out for a decision, by the others; the one plays out twice as many


def study_thinking(
    setup: SimulationSetup, deals: int, progress: Callable[[int], None] | None = None
) -> tuple[Duel, ...]:
    """A duel for each doubling, on so many deals, each played once from every seat; none on no deals."""
    bots = [(f"rollout:house:{2 * games}", f"rollout:house:{games}") for games in GAMES] if deals else []
    return tuple(duel(setup, one, others, deals, progress) for one, others in bots)


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

    The setup's own bots don't play: on each seat sit the bots of FIELD, either as often.
    """
    drawn = np.random.default_rng(0).integers(0, 2, (SEATINGS // 2, setup.game.players))
    seatings = [[FIELD[k] for k in row] for row in np.concatenate([drawn, 1 - drawn]).tolist()]
    deals = max(deals, LEAST)
    how: dict[str, Any] = {"threads": setup.threads, "backend": setup.backend}
    return divided(np.array([simulate(setup.game, deals, bots, setup.seed, **how).returns for bots in seatings]))


def divided(won: np.ndarray) -> VarianceParts | None:
    """The parts of the variance of results, float64 (seatings, deals, seats), with jackknife intervals over deals."""
    fractions, deals = parts(won), won.shape[1]
    if not np.isfinite(fractions).all():
        return None
    without = np.array([parts(np.delete(won, k, axis=1)) for k in range(deals)])
    without = np.where(np.isfinite(without), without, fractions)  # of the others no result differs
    spread = ((without - without.mean(axis=0)) ** 2).sum(axis=0) * (deals - 1) / deals
    halves = t_quantile(deals - 1) * np.sqrt(spread)
    deal, seat, choices = (
        Estimate(value, max(0.0, value - half), min(1.0, value + half), deals)
        for value, half in zip(fractions.tolist(), halves.tolist(), strict=True)
    )
    return VarianceParts(deal, seat, choices, deals)


def parts(won: np.ndarray) -> np.ndarray:
    """The parts of deal, seat and choices in the variance: without the bias that few seatings and few deals bring."""
    times, deals, seats = won.shape
    choices = won.var(axis=0, ddof=1).mean()
    cells = won.mean(axis=0)
    between_deals = cells.var(axis=0, ddof=1).mean()
    deal = max(0.0, between_deals - choices / times)
    seat = max(0.0, cells.mean(axis=0).var() - between_deals / deals * (1 - 1 / seats))
    total = deal + seat + choices
    shares: np.ndarray = np.array([deal, seat, choices]) / total if total else np.full(3, np.nan)
    return shares
