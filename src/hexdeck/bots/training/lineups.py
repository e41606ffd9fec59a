"""Lineups: who sits where in the games of a step, int64 (games, seats), as `bots.training.collect` has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hexdeck.bots.training.collect import SEARCH

MIXED, MIXED_MORE = 4, 2  # every so manyth game is one with past nets, or with past nets and opponents
SEARCH_SHARE = 0.4  # of games with opponents in the search steps, where the plan sets no share


def mixed_lineup(games: int, seats: int, opponents: Sequence[int], past: int, rng: np.random.Generator) -> np.ndarray:
    """Net 0 everywhere, but for about half the seats of some games, where one of the opponents or past nets sits.

    Searches don't. `past`: how many past nets there are, 1 and up.
    """
    lineup = np.zeros((games, seats), np.int64)
    quick = [each for each in opponents if each != SEARCH]
    mixed = lineup[:: MIXED_MORE if quick else MIXED]
    others = np.array([*quick, *range(1, past + 1)], np.int64)
    if len(others):
        drawn = others[rng.integers(0, len(others), (len(mixed), 1))]
        mixed[:] = drawn * (rng.random(mixed.shape) < 0.5)
    return lineup


def search_lineup(
    games: int, seats: int, opponents: Sequence[int], share: float, adversaries: int, rng: np.random.Generator
) -> np.ndarray:
    """In a share of the games net 0 against one of the opponents; in all others against an adversary.

    With a share of 0 there are no adversaries: net 0 plays itself in all but `SEARCH_SHARE` of the games.
    """
    met = rng.random((games, 1)) < (share or SEARCH_SHARE)
    rest = duel_lineup(games, seats, adversaries, rng) if share else np.zeros((games, seats), np.int64)
    rivals = rival_seats(games, seats, rng)
    who = rng.choice(opponents, (games, 1)) if len(opponents) > 1 else np.int64(SEARCH)
    lineup: np.ndarray = np.where(met, who * rivals, rest)
    return lineup


def duel_lineup(games: int, seats: int, others: int, rng: np.random.Generator) -> np.ndarray:
    """Net 0 against one of the nets 1 to `others`, which sits on all other seats or on about half of them."""
    other = rng.integers(1, others + 1, (games, 1))
    lineup: np.ndarray = other * rival_seats(games, seats, rng)
    return lineup


def rival_seats(games: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """Which seats a rival of net 0 has: all but one, or about half of those; bool (games, seats)."""
    all_but_one = np.arange(seats) != rng.integers(0, seats, (games, 1))
    rivals: np.ndarray = all_but_one & ((rng.random((games, 1)) < 0.6) | (rng.random((games, seats)) < 0.5))
    return rivals
