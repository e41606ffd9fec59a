"""Who views which table: through this process, counted, and through other processes of the same database."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from hexdeck.tables.storage.fanout import Viewers


class Reader(Protocol):
    """A stream: whose page it is (-1: the public's), and how long beats take there, 0 for a program.

    `screen`: all who sit at the table look at it.
    """

    seat: int
    pace: float
    screen: bool
    news: asyncio.Event

    def end(self) -> None:
        """Let it end."""


class Readers:
    """The open streams of a table: `seated` of its seats, `crowd` of the public."""

    def __init__(self) -> None:
        self.seated: dict[Reader, None] = {}  # as they came
        self.crowd: dict[Reader, None] = {}
        self._seats: Counter[int] = Counter()
        self._paces: Counter[tuple[bool, float]] = Counter()
        self.spectators = 0  # of the crowd: all but screens
        self.viewed: frozenset[int] = frozenset()  # the seats whose pages are open

    def __bool__(self) -> bool:
        return bool(self.seated or self.crowd)

    def add(self, reader: Reader) -> None:
        """A reader came."""
        (self.seated if reader.seat >= 0 else self.crowd)[reader] = None
        self._seats[reader.seat] += 1
        self._paces[reader.seat >= 0 or reader.screen, reader.pace] += 1
        self.spectators += reader.seat < 0 and not reader.screen
        self.viewed = frozenset(self._seats) - {-1}

    def discard(self, reader: Reader) -> None:
        """A reader left."""
        (self.seated if reader.seat >= 0 else self.crowd).pop(reader, None)
        count_down(self._seats, reader.seat)
        count_down(self._paces, (reader.seat >= 0 or reader.screen, reader.pace))
        self.spectators -= reader.seat < 0 and not reader.screen
        self.viewed = frozenset(self._seats) - {-1}

    @property
    def seats(self) -> list[int]:
        """The seats whose pages are open, in order."""
        return sorted(self.viewed)

    def present(self, seat: int) -> bool:
        """Whether the page of a seat is open."""
        return seat in self._seats

    @property
    def paces(self) -> list[tuple[bool, float]]:
        """The paces of pages, each once for seats and screens (true) and once for spectators."""
        return [key for key in self._paces if key[1]]


def count_down(counter: Counter[Any], key: Any) -> None:
    """Count one less, and forget what comes to nothing."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


# --- elsewhere --------------------------------------------------------------------------------------------------------
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
