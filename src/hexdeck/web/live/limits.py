"""How much a server allows: requests of an address, and tables altogether."""

from __future__ import annotations

import contextlib
import itertools
import math
from collections.abc import AsyncIterator, Callable, Iterator

from hexdeck.engine.text import say
from hexdeck.tables.errors import TooMany
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage import rows
from hexdeck.web.ops.middleware import RateLimiter
from hexdeck.web.ops.settings import Limits

COUNT_EVERY = 60.0  # seconds after which unfinished tables are counted anew
DAY = 24 * 3600.0


class Holdings:
    """The tables that each address has begun here within a day."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self._of: dict[str, dict[str, float]] = {}

    def add(self, address: str, table: str) -> None:
        """An address begins a table."""
        self._of.setdefault(address, {})[table] = self.clock()

    def discard(self, address: str, table: str) -> None:
        """A table isn't begun, or counts no more."""
        held = self._of.get(address, {})
        held.pop(table, None)
        if not held:
            self._of.pop(address, None)

    def of(self, address: str) -> list[str]:
        """The tables that count for an address."""
        before = self.clock() - DAY
        for table in [table for table, begun in self._of.get(address, {}).items() if begun < before]:
            self.discard(address, table)
        return list(self._of.get(address, {}))


class ServerLimits:
    """Rate limits by address, and a limit of unfinished tables."""

    def __init__(self, limits: Limits, registry: TableRegistry) -> None:
        self.registry, self.most_tables, self.part = registry, limits.tables, limits.tables_part
        rates = limits.creates, limits.joins, limits.hints, limits.codes
        limiters = (RateLimiter(*rate, registry.runtime.monotonic) for rate in rates)
        self.creates, self.joins, self.hints, self.codes = limiters
        self.holdings = Holdings(registry.clock)
        self._unfinished, self._counted_at, self._begun = 0, -math.inf, itertools.count()

    @contextlib.asynccontextmanager
    async def beginning(self, address: str) -> AsyncIterator[Callable[[str], None]]:
        """While an address creates a table; it tells its id. Raises TooMany where it may create none now."""
        if not self.creates.allows(address):
            raise TooMany(say("Too many new tables from your address; wait a minute."))
        place = f"new {next(self._begun)}"
        self.holdings.add(address, place)  # before anything is waited for: others may ask meanwhile
        try:
            if not await self.has_room():
                raise TooMany(say("This server has no room for another table; try again later."))
            if not await self.has_share(address):
                self._unfinished -= 1
                raise TooMany(say("Too many tables from your address aren't finished; finish one, or try again later."))
            yield lambda table: self.holdings.add(address, table)
        finally:
            self.holdings.discard(address, place)

    async def has_share(self, address: str) -> bool:
        """Whether what an address has begun is a fair part of the room; it may always begin one table.

        The fuller the server is, the less that is, so that there is room for whoever comes next.
        """
        held = self.holdings.of(address)
        most = max(1, (self.most_tables - self._unfinished + len(held)) // self.part)
        if len(held) <= most:
            return True
        there = set(await self.registry.run_job(rows.still_unfinished, held))
        for table in held:
            if table not in there and not table.startswith("new "):
                self.holdings.discard(address, table)
        return len(self.holdings.of(address)) <= most

    async def has_room(self) -> bool:
        """Whether one more table may be created; unfinished ones are counted now and then, and before a refusal."""
        now = self.registry.clock()
        if self._unfinished >= self.most_tables or abs(now - self._counted_at) > COUNT_EVERY:
            self._unfinished, self._counted_at = await self.registry.run_job(rows.unfinished), now
        self._unfinished += 1
        return self._unfinished <= self.most_tables

    def allow_join(self, address: str) -> None:
        """Raise TooMany where this address has tried too many invitations."""
        if not self.joins.allows(address):
            raise too_many_requests()

    @contextlib.contextmanager
    def trying_code(self, address: str) -> Iterator[None]:
        """While an address tries the code of a table; raises TooMany. It counts unless the code is right."""
        if not self.codes.allows(address):
            raise TooMany(say("Too many wrong codes from your address; wait a minute."))
        yield
        self.codes.give_back(address)


def too_many_requests() -> TooMany:
    """The refusal of an address that asks too often."""
    return TooMany(say("Too many requests from your address; wait a moment."))
