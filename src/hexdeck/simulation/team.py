"""The threads of a batch that step its environments together, in compiled code."""

from __future__ import annotations

from collections.abc import Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from hexdeck.engine.backends.kernels_batch import FIRST
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.driver import Driver
from hexdeck.engine.play.game import GameSetup
from hexdeck.simulation import team_kernels as kernels
from hexdeck.simulation.batch_arrays import Arrays
from hexdeck.simulation.worker_pool import CLOSED

LEAST, MOST = 8, 64  # environments of a part: what they have should fit into the cache nearest to a processor
PARTS = 4  # a thread's, at least, so that there is something to take over
LOOKS = 4000  # of a helper at the board before it sleeps: some 200 microseconds
WATCHED, RESTED = 32, 512  # tasks: how many are watched, how many pass without helpers when those were of no use
USE = 4  # helpers are of use if they do a part in so many of what they would with a processor each


class Team:
    """The calling thread and helpers, for a batch without bots that are asked in between."""

    def __init__(
        self,
        game: GameSetup,
        driver: Driver,
        arrays: Arrays,
        numbers: np.ndarray,
        chosen: np.ndarray,
        generators: Sequence[np.ndarray],
        settings: np.ndarray,
        threads: int,
    ) -> None:
        envs = len(numbers)
        self.size = envs if threads == 1 else min(max(-(-envs // (threads * PARTS)), LEAST), MOST)
        self.parts = -(-envs // self.size)
        self.threads, self.open = min(threads, self.parts), True
        self.rows = np.tile(game.rows(driver, FIRST + self.size), (self.parts, 1))
        flags, self.waiting = [np.zeros(envs, np.bool_) for _ in range(2)], np.full(envs, -1, np.int8)
        chance, bots, callers = generators
        self.resting = flags[0]
        self.envs = chance, numbers, flags[0], bots, callers, flags[1], self.waiting
        seats, outcomes = game.rules.PLAYERS[1], len(game.rules.OUTCOMES)
        own = np.zeros((self.threads, outcomes), np.int32), np.zeros((self.threads, seats))
        self.board, self.faults = new_board(self.parts, self.threads), np.full(self.parts, -1, np.int64)
        self._given = (
            driver.g,
            self.rows,
            chosen,
            arrays.part(driver, 0, envs),
            self.envs,
            own,
            settings,
            self.board,
            self.faults,
            self.size,
        )
        self._count = len(game.rules.ACTIONS)
        self._ask, self._step = driver.kernel(kernels.ask), driver.kernel(kernels.ask_step)  # type: ignore[arg-type]
        self._helpers = Helpers(driver, (*self._given, self.threads, self._count), self.board, self.threads - 1)
        self._asked = self._helped = self._rest = 0

    def step(self) -> int:
        """Play what was chosen in all environments, or in none and return the first in which it can't be; else -1."""
        fault: int = self._do(self._step)
        return fault

    def choose(self) -> None:
        """Choose at random in every environment."""
        self._do(self._ask, kernels.CHOOSE)

    def begin(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self._do(self._ask, kernels.BEGIN)

    def struct(self, env: int) -> np.ndarray:
        """The bytes of an environment's match."""
        part, at = divmod(env, self.size)
        row: np.ndarray = self.rows[part * (FIRST + self.size) + FIRST + at]
        return row

    def end(self) -> None:
        """End the threads."""
        self.open = False
        self._helpers.end()

    def _do(self, task: Any, *what: int) -> Any:
        """Have a task done. An error in any thread is raised here, and from then on this thread does all alone."""
        try:
            done = task(*self._given, self._hands(), self._count, *what)
        except Exception:
            self._dismiss()
            raise
        if self.board[kernels.FAULT]:
            raise self._dismiss()[0]
        return done

    def _dismiss(self) -> list[Exception]:
        """Go on without helpers, as soon as none of them is at work any more; returns what was raised in them."""
        self._helpers.end()
        self._helpers.wait()
        self.threads, self.board[kernels.FAULT] = 1, 0
        return self._helpers.errors

    def _hands(self) -> int:
        """How many threads do the next task: all, or this one alone for a while where the others were of no use."""
        if not self.open:
            raise BadOption(CLOSED)
        if self.threads == 1:
            return 1
        if self._rest:
            self._rest -= 1
            return 1
        self._asked += 1
        if self._asked == WATCHED:
            helped = int(self.board[kernels.HELPED])
            fair = WATCHED * self.parts * (self.threads - 1) // self.threads
            self._rest = RESTED if (helped - self._helped) * USE < fair else 0
            self._asked, self._helped = 0, helped
        self._helpers.wake()
        return self.threads


class Helpers:
    """Threads that wait for tasks in compiled code for a while, and then sleep until they are woken."""

    def __init__(self, driver: Driver, arguments: tuple[Any, ...], board: np.ndarray, count: int) -> None:
        self.board = board
        self.asleep = [False] * count
        self.errors: list[Exception] = []
        self._calls: list[SimpleQueue[None]] = [SimpleQueue() for _ in range(count)]
        call = driver.kernel(kernels.help_out) if count else None  # type: ignore[arg-type]
        self._threads = [
            Thread(target=_work, args=(self.errors, call, arguments, board, k, self.asleep, calls), daemon=True)
            for k, calls in enumerate(self._calls)
        ]
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Wake those that sleep."""
        for k, asleep in enumerate(self.asleep):
            if asleep:
                self.asleep[k] = False
                self._calls[k].put(None)

    def end(self) -> None:
        """End the threads."""
        self.board[kernels.END] = 1
        for calls in self._calls:
            calls.put(None)

    def wait(self) -> None:
        """Wait until all threads have ended."""
        for thread in self._threads:
            thread.join()


def _work(errors: list[Exception], call: Any, arguments: Any, board: np.ndarray, *rest: Any) -> None:
    """Help until all is over, or until an error, which is put on the board for the caller, who may be waiting."""
    try:
        _help(call, arguments, board, *rest)
    except Exception as error:
        errors.append(error)
        board[kernels.FAULT] = 1


def _help(call: Any, arguments: tuple[Any, ...], board: np.ndarray, k: int, asleep: list[bool], calls: Any) -> None:
    """Help until all is over; sleep when nothing was asked for a while."""
    number, slot = 0, kernels.NEXT + kernels.LINE * (k + 1)
    while not board[kernels.END]:
        number = call(*arguments, k + 1, number, LOOKS)
        asleep[k] = True
        if board[slot] // kernels.TASK == number and not board[kernels.END]:
            calls.get()
        asleep[k] = False


def new_board(parts: int, threads: int) -> np.ndarray:
    """A board on which nothing was asked yet."""
    board = np.zeros(kernels.NEXT + kernels.LINE * (threads + 1), np.int64)
    for thread in range(threads):
        slot = kernels.NEXT + kernels.LINE * thread
        board[slot] = board[slot + kernels.LAST] = kernels.first_part(parts, threads, thread + 1)
    return board
