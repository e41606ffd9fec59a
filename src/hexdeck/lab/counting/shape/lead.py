"""Who leads as a match goes on, whether leads last, and how often somebody comes back.

The leader is whoever is likeliest to take the place that decides, by estimated chances. Leads last in every game that
adds up what happens: so they are measured against a game in which every part counts alike.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from hexdeck.lab.counting.drama import deciding_probabilities, takers
from hexdeck.lab.counting.tension import MatchAnalysis

QUARTERS = (0.25, 0.5, 0.75)  # of a match's decisions, at which leaders are looked at
HALF = 0.5
GAMES, ROUNDS, STEP = 40_000, 12, 0.6  # made-up games that count alike; rounds and steps of fitting their seats
BACK = 0.5  # of a fair chance: who had no more than that and did well came back


def leads(analyses: Sequence[MatchAnalysis], place: int, fraction: float) -> np.ndarray:
    """For each match with a choice, the share of the place that its leader after a fraction took in the end."""
    return np.array([lead(each, place, fraction) for each in analyses if len(each.when)], float)


def lead(analysis: MatchAnalysis, place: int, fraction: float) -> float:
    """The share of the place that the leader took, at the moment nearest to a fraction of the match."""
    moment = int(np.abs(analysis.when - fraction).argmin())
    chances = deciding_probabilities(analysis, place)[moment]
    return float(takers(analysis, place)[chances == chances.max()].mean())


def comebacks(analyses: Sequence[MatchAnalysis], players: int, place: int) -> np.ndarray:
    """For each match in which somebody did well, 1 if the chance of that was once no more than half a fair one."""
    fair = 1 - 1 / players if place else 1 / players
    return np.array([each.low <= BACK * fair for each in analyses if each.low is not None], float)


@functools.cache
def alike(shares: tuple[float, ...], fraction: float) -> float:
    """How often the leader after a fraction would take the place in a game whose parts all count alike.

    Every part adds a random number to each seat's score, and the highest score takes the place. `shares`: how often
    each seat takes it; seats that take it more often are as much ahead in each part.
    """
    rng, seats = np.random.default_rng(0), len(shares)
    early, late = rng.standard_normal((2, GAMES, seats)) * np.sqrt([fraction, 1 - fraction])[:, None, None]
    ahead, wanted = np.zeros(seats), np.maximum(np.array(shares), 1 / GAMES)
    for _round in range(ROUNDS if max(shares) > min(shares) else 0):
        won = np.bincount((early + late + ahead).argmax(axis=1), minlength=seats) / GAMES
        ahead += STEP * np.log(wanted / np.maximum(won, 1 / GAMES))
    leaders = (early + ahead).argmax(axis=1)  # what is still to come is ahead as well
    return float((leaders == (early + late + ahead).argmax(axis=1)).mean())
