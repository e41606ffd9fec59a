"""Jobs that wait for a thread, in fair turns: whoever asks for much waits for their own, and keeps nobody waiting."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from typing import Generic, TypeVar

J = TypeVar("J")
LAST = "last"  # an asker for whom nobody waits: one job at a time, when no other asker has any


class FairQueue(Generic[J]):
    """Askers take turns; the turns of an asker go round their tables; at a table, whatever came first is first.

    `most_each`: how many jobs of one asker may be under way at once, so that a thread is left for the others.
    """

    def __init__(self, most_each: int) -> None:
        self.most_each = most_each
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()  # by asker, then by table
        self._under_way: Counter[str] = Counter()
        self._closed = False

    def put(self, asker: str, table: str, job: J) -> bool:
        """Let a job wait; False where the queue is closed."""
        with self._changed:
            if not self._closed:
                self._waiting.setdefault(asker, OrderedDict()).setdefault(table, deque()).append(job)
                self._changed.notify()
            return not self._closed

    def get(self) -> tuple[str, J] | None:
        """Wait for the next job; it is under way until `done`. None where the queue is closed."""
        with self._changed:
            while not self._closed:
                asker = self._next_asker()
                if asker is not None:
                    self._under_way[asker] += 1
                    return asker, self._take(asker)
                self._changed.wait()
            return None

    def _next_asker(self) -> str | None:
        """Whose turn it is; None where nobody may have a job done now."""
        others = [each for each in self._waiting if each != LAST]
        if not others and LAST in self._waiting and not self._under_way[LAST]:
            return LAST
        return next((each for each in others if self._under_way[each] < self.most_each), None)

    def _take(self, asker: str) -> J:
        """The next job of an asker, who is last in turn then, as is its table among theirs."""
        tables = self._waiting.pop(asker)
        table, jobs = tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        if tables:
            self._waiting[asker] = tables
        return job

    def done(self, asker: str) -> None:
        """A job of an asker isn't under way any more."""
        with self._changed:
            self._under_way[asker] -= 1
            if not self._under_way[asker]:
                del self._under_way[asker]
            self._changed.notify()

    def waiting(self, asker: str) -> int:
        """How many jobs of an asker wait."""
        with self._changed:
            return sum(map(len, self._waiting.get(asker, {}).values()))

    def close(self) -> list[J]:
        """Give out nothing more; returns what still waited."""
        with self._changed:
            self._closed = True
            left = [job for tables in self._waiting.values() for jobs in tables.values() for job in jobs]
            self._waiting.clear()
            self._changed.notify_all()
            return left
