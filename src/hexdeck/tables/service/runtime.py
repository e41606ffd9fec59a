"""What a server takes from the machine that it runs on: clocks, randomness, threads, the way to its database.

All of it comes from here, and all waiting from the event loop, so that a test can give it another machine, where an
evening takes a moment and follows from a seed (`tests/evenings`).
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from hexdeck.tables.keys import SYSTEM
from hexdeck.tables.service.thinker import Thinker
from hexdeck.tables.storage.database import Database
from hexdeck.tables.storage.fanout import Fanout, LocalFanout
from hexdeck.tables.storage.store import News, Store


class Runtime:
    """A real machine. `random`: the system's own generator, which nobody can predict."""

    random: random.Random = SYSTEM

    def clock(self) -> float:
        """The time, in seconds since 1970; somebody may set it."""
        return time.time()

    def monotonic(self) -> float:
        """The seconds since some moment; nobody can set them."""
        return time.monotonic()

    def database(self, url: str) -> Database:
        """Open a database; raises BadStore or BadOption."""
        return Database(url)

    def store(self, database: Database, announce: Callable[[News], None], timed: Callable[[int, float], None]) -> Store:
        """The thread that reads and writes a database."""
        return Store(database, announce, timed)

    def thinker(self) -> Thinker:
        """The threads in which bots think."""
        return Thinker(random=self.random)

    def fanout(self, database: Database, process: str) -> Fanout:
        """The fan-out that fits a database."""
        if database.is_file:
            return LocalFanout()
        from hexdeck.tables.storage.notify import PostgresFanout

        return PostgresFanout(database.url, process)
