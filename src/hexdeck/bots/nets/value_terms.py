"""What nets of values think with: their terms, and the arrays that they work at."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.horizon import ENDLESS, horizon
from hexdeck.bots.nets.inference import FAR, INPUTS, NEAR
from hexdeck.bots.nets.value_net import DEPTH
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup


def terms_of(game: GameSetup, middle: float, unit: float) -> np.ndarray:
    """The terms of values, as `bots.nets.value_net` takes them.

    A game as it stands is worth something where a search may stop at it: its strategy has a `HORIZON`,
    which its options let count.
    """
    return np.array([middle, unit, horizon(game) != ENDLESS], np.float64)


def desk_of(driver: Driver, sizes: np.ndarray, terms: np.ndarray) -> tuple[Any, ...]:
    """A desk, as `bots.nets.value_net` works at."""
    inputs, near, far = (int(sizes[k]) for k in (INPUTS, NEAR, FAR))
    array, lists = driver.array, np.zeros((DEPTH, len(driver.rules.ACTIONS)), np.int16)
    further = lists if driver.compiled else [driver.shared(row) for row in lists]
    return (
        array(inputs, np.int8), array(near, np.float64), array(inputs, np.int8), array(near, np.float64),
        array(far, np.float64), further, array(2 * DEPTH, np.int64), driver.shared(terms),
        array(driver.rules.SEATS, np.float64),
    )  # fmt: skip
