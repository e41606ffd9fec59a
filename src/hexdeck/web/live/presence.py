"""Who looks at tables through other processes that share the database: told to them, and heard from them.

A process tells when somebody comes or goes, and now and then everything again; one that is silent for long is gone.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hexdeck.tables.storage.fanout import Here

if TYPE_CHECKING:
    from hexdeck.tables.service.registry import TableRegistry
    from hexdeck.web.live.streams import Streams

SOON = 0.1  # seconds in which those who come are told together
AGAIN = 15.0  # seconds after which everything is told again
GONE = 40.0  # seconds of silence after which a process is gone


class Elsewhere:
    """What other processes told last: of each table the seats somebody looks from, and how many look on without one."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._of: dict[str, dict[str, tuple[frozenset[int], int, float]]] = defaultdict(dict)

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open elsewhere."""
        return table in self._of and any(seat in seats for seats, _, _ in self._of[table].values())

    def spectators(self, table: str) -> int:
        """How many look on elsewhere without a seat."""
        return sum(count for _, count, _ in self._of[table].values()) if table in self._of else 0

    def heard(self, process: str, here: Sequence[Here]) -> list[tuple[str, frozenset[int]]]:
        """Take note of what a process told; returns the tables where that is news, and the seats left there."""
        out, now = [], self.clock()
        for table, seats, count in here:
            before = self._of[table].get(process, (frozenset(), 0, now)) if table in self._of else (frozenset(), 0, now)
            if seats or count:
                self._of[table][process] = frozenset(seats), count, now
            else:
                self._drop(table, process)
            if before[:2] != (frozenset(seats), count):
                out.append((table, before[0] - frozenset(seats)))
        return out

    def expired(self) -> list[tuple[str, frozenset[int]]]:
        """Forget what wasn't told again for long; returns the tables, and the seats that were looked from."""
        before = self.clock() - GONE
        old = [(table, process) for table, told in self._of.items() for process in told if told[process][2] < before]
        return [(table, self._drop(table, process)) for table, process in old]

    def _drop(self, table: str, process: str) -> frozenset[int]:
        seats, _, _ = self._of[table].pop(process, (frozenset[int](), 0, 0.0))
        if not self._of[table]:
            del self._of[table]
        return seats


class Presence:
    """Tells other processes who looks at tables here, and has the streams here know who does there."""

    def __init__(self, hall: TableRegistry, streams: Streams) -> None:
        self.hall, self.streams = hall, streams
        self._due: dict[str, bool] = {}  # tables to tell of, and whether to ask who is there elsewhere
        self._told: set[str] = set()  # tables of which others believe that somebody is there

    def open(self) -> None:
        """Begin, if there can be other processes."""
        if self.hall.fanout.shared:
            self.hall.met = self._met
            self.hall.spawn(self._tell_again())

    async def close(self) -> None:
        """Say that nobody is here any more."""
        if self.hall.fanout.shared:
            await self._greet([(table, [], 0) for table in self._told], ask=False)

    def changed(self, table: str, *, ask: bool) -> None:
        """Somebody came to a table here, or went; `ask`: who is there elsewhere has to be known now."""
        if self.hall.fanout.shared:
            if not self._due:
                asyncio.get_running_loop().call_later(SOON, self._tell)
            self._due[table] = self._due.get(table, False) or ask

    def _here(self, table: str) -> Here:
        seats = [stream.seat for stream in self.streams.of.get(table, ())]
        return table, sorted({seat for seat in seats if seat >= 0}), seats.count(-1)

    def _tell(self) -> None:
        due, self._due = self._due, {}
        for ask in (True, False):
            if here := [self._here(table) for table, asks in due.items() if asks == ask]:
                self.hall.spawn(self._greet(here, ask=ask))

    async def _greet(self, here: Sequence[Here], *, ask: bool) -> None:
        self._told.difference_update(table for table, _, _ in here)
        self._told.update(table for table, seats, count in here if seats or count)
        await self.hall.greet(here, ask)

    async def _tell_again(self) -> None:
        while True:
            await asyncio.sleep(AGAIN)
            self.streams.heard(self.streams.elsewhere.expired())
            await self._greet([self._here(table) for table in list(self.streams.of)], ask=False)

    def _met(self, process: str, here: Sequence[Here], ask: bool) -> None:
        self.streams.heard(self.streams.elsewhere.heard(process, here))
        for table, _, _ in here:
            if ask and table in self.streams.of:
                self.changed(table, ask=False)
