"""Who views tables through other processes of the same database, by the last message of each."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence

from hexdeck.tables.storage.fanout import Viewers

NOBODY = frozenset[int]()
SILENCE_LIMIT = 40.0  # seconds without news after which a process is taken for gone
Change = tuple[str, frozenset[int]]  # a table whose viewers changed, and the seats that nobody views there any more


class RemoteViewers:
    """For each table and process: the seats that are viewed, the number of spectators, and when that was sent."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._of: dict[str, dict[str, tuple[frozenset[int], int, float]]] = defaultdict(dict)

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open elsewhere."""
        return table in self._of and any(seat in seats for seats, _, _ in self._of[table].values())

    def seats(self, table: str) -> frozenset[int]:
        """The seats whose pages somebody has open elsewhere."""
        return frozenset().union(*(seats for seats, _, _ in self._of[table].values())) if table in self._of else NOBODY

    def anybody(self, table: str) -> bool:
        """Whether somebody views a table elsewhere."""
        return table in self._of

    def spectators(self, table: str) -> int:
        """The number of spectators elsewhere."""
        return sum(count for _, count, _ in self._of[table].values()) if table in self._of else 0

    def update(self, process: str, viewers: Sequence[Viewers]) -> list[Change]:
        """Store what a process told; returns what changed."""
        out, now = [], self.clock()
        for table, seats, count in viewers:
            before = self._of[table].get(process, (frozenset(), 0, now)) if table in self._of else (frozenset(), 0, now)
            if seats or count:
                self._of[table][process] = frozenset(seats), count, now
            else:
                self._drop(table, process)
            if before[:2] != (frozenset(seats), count):
                out.append((table, before[0] - frozenset(seats)))
        return out

    def expire(self) -> list[Change]:
        """Forget processes that have been silent too long; returns what changed."""
        before = self.clock() - SILENCE_LIMIT
        old = [(table, process) for table, by_process in self._of.items()
               for process, (_, _, told_at) in by_process.items() if told_at < before]  # fmt: skip
        return [(table, self._drop(table, process)) for table, process in old]

    def _drop(self, table: str, process: str) -> frozenset[int]:
        seats, _, _ = self._of[table].pop(process, (frozenset[int](), 0, 0.0))
        if not self._of[table]:
            del self._of[table]
        return seats
