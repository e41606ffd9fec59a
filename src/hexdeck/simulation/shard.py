"""The environments of a batch that one thread steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.simulation.batch_arrays import Arrays, lines
from hexdeck.simulation.batch_bots import BatchBots

CHOOSE: Any = kernels.choose_at_random


class Shard:
    """Some environments of a batch, with all that one thread needs to step them."""

    def __init__(
        self, game: GameSetup, driver: Driver, arrays: Arrays, begin: int, numbers: np.ndarray, chosen: np.ndarray,
        dice: Sequence[np.ndarray], bots: BatchBots,
    ) -> None:  # fmt: skip
        end = begin + len(numbers)
        self.begin, self.driver, shared = begin, driver, driver.shared
        self.rows = game.rows(driver, kernels.FIRST + end - begin)
        self.bots, waiting = bots.of(begin, end), np.full(end - begin, -1, np.int8)
        flags = [np.zeros(end - begin, np.bool_) for _ in range(2)]
        self.out = arrays.lines(driver, begin, end)
        dealers, minds, whims = (lines(driver, rows) for rows in dice)
        resting, fresh = (shared(flag) for flag in flags)
        self.envs = dealers, shared(numbers), resting, minds, whims, fresh, shared(waiting)
        self.chosen, self.numbers, self.waiting = shared(chosen), numbers, waiting
        self.weights, self.utility = driver.weights(), driver.array(game.rules.SEATS, np.float64)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel on the rows of these environments."""
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    def ask(self, terms: Any) -> None:
        """Ask bots for the choices that are awaited, until there are none."""
        answers = np.zeros(len(self.waiting), np.int64)
        while (self.waiting >= 0).any():
            self.bots.answer(self.rows, self.waiting, self.numbers, answers)
            given = self.driver.shared(answers)
            self.call(kernels.answer_envs, given, self.out, self.envs, self.weights, self.utility, terms)

    def fault(self, terms: Any, count: int) -> int:
        """The first environment in which what was chosen can't be done, counted from `begin`; -1 if there is none."""
        return int(self.call(kernels.first_fault, self.chosen, self.weights, terms, count))

    def step(self, terms: Any) -> None:
        """Do what was chosen in each environment, then let bots and chance act until the caller is asked again."""
        self.call(kernels.step_envs, self.chosen, self.out, self.envs, self.weights, self.utility, terms)
        self.ask(terms)

    def restart(self, terms: Any) -> None:
        """Begin a match in each environment for which `chosen` isn't 0."""
        self.bots.begin(self.driver.listed(self.chosen, len(self.waiting)))
        self.call(kernels.begin_envs, self.chosen, self.out, self.envs, self.weights, terms)
        self.ask(terms)

    def choose(self) -> None:
        """A random legal choice for each environment, into `chosen`."""
        self.driver.kernel(CHOOSE)(self.out, self.envs, self.chosen)
