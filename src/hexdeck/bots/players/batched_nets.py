"""Policy nets that play many games at once, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any, cast

import numpy as np

from hexdeck.bots.nets.net_workspace import net_layers
from hexdeck.bots.players.netbot import PURPOSE, NetBot
from hexdeck.bots.players.scripted import ASKED, NETS, answer_by_nets
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.seating import seat_key
from hexdeck.engine.random import WORDS, generator


def stacked(driver: Driver, nets: Sequence[NetBot]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Weights, sizes and temperatures of nets as kernels take them, and layers in which each of them fits."""
    most, count = max((len(each.net.weights) for each in nets), default=1), max(1, len(nets))
    weights, sizes, temperatures = np.zeros((count, most)), np.zeros((count, 5), np.int64), np.ones(count)
    for k, each in enumerate(nets):
        weights[k, : len(each.net.weights)] = each.net.weights
        sizes[k], temperatures[k] = each.net.sizes, each.temperature
    lines = [table if driver.compiled else [driver.shared(row) for row in table] for table in (weights, sizes)]
    return (*lines, driver.shared(temperatures)), net_layers(driver, sizes.max(axis=0))


class BatchedNets:
    """Nets on some seats of many environments of a batch, each with a generator of its seat and environment."""

    def __init__(self, driver: Driver, bots: dict[int, NetBot], seats: int, envs: int) -> None:
        self.driver, nets = driver, list(bots.values())
        self.codes = np.full(seats, ASKED, np.int64)
        self.codes[list(bots)] = NETS - np.arange(len(nets))
        self._nets, self._layers = stacked(driver, nets)
        self._rows = np.zeros((envs, seats, WORDS), np.int64)
        self._generators: Any = self._rows if driver.compiled else [list(map(driver.shared, row)) for row in self._rows]
        self._playing, self._actions = np.full(envs, -1, np.int64), driver.actions()

    def sow(self, env: int, seed: int | bytes) -> None:
        """Seed the nets of an environment, from its next match on."""
        for seat in np.flatnonzero(self.codes != ASKED).tolist():
            self._rows[env, seat] = generator(seat_key(seed, seat), PURPOSE)
        self._playing[env] = -1

    def plays(self, seats: np.ndarray) -> np.ndarray:
        """Whether a net plays each of these seats, bool."""
        found: np.ndarray = self.codes[seats] != ASKED
        return found

    def begin(self, envs: np.ndarray) -> None:
        """The matches of these environments (bool) begin, maybe those of the same numbers again."""
        self._playing[envs] = -1

    def answer(self, rows: Any, waiting: np.ndarray, numbers: np.ndarray, answers: np.ndarray) -> None:
        """Write the actions of nets into `answers`, in the environments where one is awaited."""
        shared, kernel = self.driver.shared, self.driver.kernel(cast(FunctionType, answer_by_nets))
        kernel(
            self.driver.g, rows, shared(waiting), shared(numbers), shared(self._playing), shared(self.codes),
            self._generators, *self._nets, self._actions, self._layers, shared(answers),
        )  # fmt: skip
