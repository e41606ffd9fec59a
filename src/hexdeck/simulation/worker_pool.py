"""Threads that do one task after another, each for a part of its own: nothing is made anew for a task."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say


class WorkerPool:
    """A thread for each part but the first, which is the caller's own; they sleep until there is something to do."""

    def __init__(self, parts: Sequence[Any]) -> None:
        self._first, *others = parts
        self._found: list[Any] = [None] * len(parts)
        self._told: SimpleQueue[tuple[int, BaseException | None]] = SimpleQueue()
        self._jobs: list[SimpleQueue[Any]] = [SimpleQueue() for _ in others]
        self._task = 0
        self.open = True
        for k, (jobs, part) in enumerate(zip(self._jobs, others, strict=True), 1):
            Thread(target=_work, args=(jobs, self._told, part, self._found, k), daemon=True).start()

    def all(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """What a task gives for every part, in a list that the next call writes anew; raises BadOption when ended."""
        if not self.open:
            raise BadOption(say("This batch is closed: its arrays stay, but nothing in it can be stepped any more."))
        self._task += 1
        for jobs in self._jobs:
            jobs.put((self._task, task, arguments))
        try:
            self._found[0] = task(self._first, *arguments)
        finally:
            faults = [self._wait() for _ in self._jobs]
        for fault in filter(None, faults):
            raise fault
        return self._found

    def _wait(self) -> BaseException | None:
        """Until one more thread has done the present task; what is told of one that was interrupted is passed over."""
        while True:
            task, fault = self._told.get()
            if task == self._task:
                return fault

    def end(self) -> None:
        """End the threads."""
        self.open = False
        for jobs in self._jobs:
            jobs.put(None)


def _work(jobs: SimpleQueue[Any], told: SimpleQueue[Any], part: Any, found: list[Any], k: int) -> None:
    """Do every task that comes for a part, until None comes."""
    while (job := jobs.get()) is not None:
        number, task, arguments = job
        fault = None
        try:
            found[k] = task(part, *arguments)
        except BaseException as error:
            fault = error
        told.put((number, fault))
