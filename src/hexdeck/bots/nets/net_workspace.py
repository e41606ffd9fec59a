"""Workspaces of nets: the arrays that compiled inference writes its layers to."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.horizon import ENDLESS, horizon
from hexdeck.bots.nets.inference import ACTIONS, HIDDEN_1, HIDDEN_2, INPUTS
from hexdeck.bots.nets.value_net import DEPTH
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup


def net_layers(driver: Driver, sizes: np.ndarray, logits: int | None = None) -> tuple[Any, ...]:
    """The layers of a net of these sizes, as `bots.nets.inference` takes them; `logits`: room for so many."""
    inputs, first, second, actions = (max(1, int(sizes[k])) for k in (INPUTS, HIDDEN_1, HIDDEN_2, ACTIONS))
    outputs = actions if logits is None else logits
    return (driver.array(inputs, np.int8), *(driver.array(size, np.float64) for size in (first, second, outputs)))


def value_scaling(game: GameSetup, mean: float, std: float) -> np.ndarray:
    """The scaling of values, as `bots.nets.value_net` takes it, from the mean and standard deviation of utility.

    The score so far counts where a search may stop before the end of a match: where the game's measure has a
    `horizon`.
    """
    return np.array([mean, std, horizon(game) != ENDLESS], np.float64)


def value_workspace(driver: Driver, sizes: np.ndarray, scaling: np.ndarray) -> tuple[Any, ...]:
    """The workspace of a value net of these sizes, as `bots.nets.value_net` takes it."""
    array, lists = driver.array, np.zeros((DEPTH, len(driver.rules.ACTIONS)), np.int16)
    later = lists if driver.compiled else [driver.shared(row) for row in lists]
    return (
        array(int(sizes[INPUTS]), np.int8), array(int(sizes[HIDDEN_1]), np.float64), net_layers(driver, sizes), later,
        array(2 * DEPTH, np.int64), driver.shared(scaling), array(driver.rules.PLAYERS[1], np.float64),
    )  # fmt: skip
