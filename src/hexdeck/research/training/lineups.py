"""Lineups: who sits where in the games of a step, int64 (games, seats), as `research.training.collect` has them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def lineup_with(games: int, seats: int, opponents: Sequence[int], share: float, rng: np.random.Generator) -> np.ndarray:
    """Net 0 everywhere, but in a share of the games, where it meets one of the opponents, if there are any.

    That one sits on all other seats, or on about half of them.
    """
    lineup = np.zeros((games, seats), np.int64)
    if len(opponents):
        met = rng.random((games, 1)) < share
        lineup = np.where(met, rng.choice(opponents, (games, 1)) * rival_seats(games, seats, rng), lineup)
    return lineup


def rival_seats(games: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """Which seats a rival of net 0 has: all but one, or about half of those; bool (games, seats)."""
    all_but_one = np.arange(seats) != rng.integers(0, seats, (games, 1))
    rivals: np.ndarray = all_but_one & ((rng.random((games, 1)) < 0.6) | (rng.random((games, seats)) < 0.5))
    return rivals
