"""The environments of a batch that one thread steps, and the threads of a batch whose bots are asked in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.play.driver import Driver, raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.simulation.batch_arrays import Arrays, as_rows
from hexdeck.simulation.batch_bots import BatchBots
from hexdeck.simulation.worker_pool import WorkerPool

CHOOSE: Any = kernels.choose_at_random


class Shard:
    """Some environments of a batch, with everything that one thread needs to step them."""

    def __init__(
        self,
        game: GameSetup,
        driver: Driver,
        arrays: Arrays,
        begin: int,
        numbers: np.ndarray,
        chosen: np.ndarray,
        generators: Sequence[np.ndarray],
        bots: BatchBots,
        settings: Any,
    ) -> None:
        end = begin + len(numbers)
        self.begin, self.driver, self.settings, shared = begin, driver, settings, driver.shared
        self.rows = game.rows(driver, kernels.FIRST + end - begin)
        self.bots, waiting = bots.of(begin, end), np.full(end - begin, -1, np.int8)
        flags = [np.zeros(end - begin, np.bool_) for _ in range(2)]
        self.out = arrays.part(driver, begin, end)
        chance, bot_choices, random_choices = (as_rows(driver, rows) for rows in generators)
        resting, fresh = (shared(flag) for flag in flags)
        self.envs = chance, shared(numbers), resting, bot_choices, random_choices, fresh, shared(waiting)
        self.chosen, self.numbers, self.waiting = shared(chosen), numbers, waiting
        self.weights, self.utility = driver.weights(), driver.array(game.rules.PLAYERS[1], np.float64)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """Call a kernel with the game and the structs of these environments."""
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    def ask(self) -> None:
        """Play the bots' decisions until none is left."""
        answers = np.zeros(len(self.waiting), np.int64)
        while (self.waiting >= 0).any():
            self.bots.answer(self.rows, self.waiting, self.numbers, answers)
            shared = self.driver.shared(answers)
            self.call(kernels.answer_envs, shared, self.out, self.envs, self.weights, self.utility, self.settings)

    def fault(self, count: int) -> int:
        """The first environment whose choice is impossible, counted from `begin`; -1 if there is none."""
        return int(self.call(kernels.first_fault, self.chosen, self.weights, self.settings, count))

    def step(self) -> None:
        """Play the choice in each environment, then let bots and chance act until the caller must choose."""
        self.call(kernels.step_envs, self.chosen, self.out, self.envs, self.weights, self.utility, self.settings)
        self.ask()

    def restart(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self.bots.begin(self.driver.listed(self.chosen, len(self.waiting)))
        self.call(kernels.begin_envs, self.chosen, self.out, self.envs, self.weights, self.settings)
        self.ask()

    def choose(self) -> None:
        """Write a random legal choice for each environment to `chosen`."""
        self.driver.kernel(CHOOSE)(self.out, self.envs, self.chosen)


class ShardPool:
    """A thread for each shard."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self.shards, self._pool = shards, WorkerPool(shards)
        self.end = self._pool.end
        self._count = len(shards[0].driver.rules.ACTIONS)

    def step(self) -> int:
        """Play what was chosen in all environments, or in none and return the first in which it can't be; else -1."""
        faults = self._pool.all(Shard.fault, self._count)
        for shard, fault in zip(self.shards, faults, strict=True):
            if fault >= 0:
                return shard.begin + int(fault)
        self._pool.all(Shard.step)
        return -1

    def choose(self) -> None:
        """Choose at random in every environment."""
        self._pool.all(Shard.choose)

    def begin(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self._pool.all(Shard.restart)

    def struct(self, env: int) -> np.ndarray:
        """The bytes of an environment's match."""
        shard = next(shard for shard in reversed(self.shards) if shard.begin <= env)
        row: np.ndarray = raw(shard.rows)[kernels.FIRST + env - shard.begin]
        return row
