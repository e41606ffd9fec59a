"""Threads that stay alive and do one task after another, each with its own part of the data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say

CLOSED = say("This batch is closed: its arrays stay, but it can't be stepped any more.")


class WorkerPool:
    """A thread for each part but the first, which the calling thread does; they sleep between tasks."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._first, *others = parts
        self._results: list[Any] = [None] * len(parts)
        self._done: SimpleQueue[tuple[int, BaseException | None]] = SimpleQueue()
        self._jobs: list[SimpleQueue[Any]] = [SimpleQueue() for _ in others]
        self._task = 0
        self.open = True
        for k, (jobs, part) in enumerate(zip(self._jobs, others, strict=True), 1):
            Thread(target=_work, args=(jobs, self._done, part, self._results, k), daemon=True).start()

    def all(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """The results of a task for all parts, in a list that the next call overwrites.

        Raises BadOption if the pool has ended, or what the task raised.
        """
        if not self.open:
            raise BadOption(CLOSED)
        self._task += 1
        for jobs in self._jobs:
            jobs.put((self._task, task, arguments))
        try:
            self._results[0] = task(self._first, *arguments)
        finally:
            faults = [self._wait() for _ in self._jobs]
        for fault in filter(None, faults):
            raise fault
        return self._results

    def _wait(self) -> BaseException | None:
        """The exception of the next thread to finish the present task, or None; earlier tasks' reports are skipped."""
        while True:
            task, fault = self._done.get()
            if task == self._task:
                return fault

    def end(self) -> None:
        """End the threads."""
        self.open = False
        for jobs in self._jobs:
            jobs.put(None)


def _work(jobs: SimpleQueue[Any], done: SimpleQueue[Any], part: Any, results: list[Any], k: int) -> None:
    """Do each task that arrives for a part, until None arrives."""
    while (job := jobs.get()) is not None:
        number, task, arguments = job
        fault = None
        try:
            results[k] = task(part, *arguments)
        except BaseException as error:
            fault = error
        done.put((number, fault))
