"""How much a server allows: requests of an address, and tables altogether."""

from __future__ import annotations

import math

from hexdeck.engine.text import say
from hexdeck.tables.errors import TooMany
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage import rows
from hexdeck.web.ops.middleware import RateLimiter
from hexdeck.web.ops.settings import Limits

COUNT_EVERY = 60.0  # seconds after which unfinished tables are counted anew


class ServerLimits:
    """Rate limits by address, and a limit of unfinished tables."""

    def __init__(self, limits: Limits, registry: TableRegistry) -> None:
        self.registry, self.most_tables = registry, limits.tables
        self.creates, self.joins = RateLimiter(*limits.creates), RateLimiter(*limits.joins)
        self.hints = RateLimiter(*limits.hints)
        self._unfinished, self._counted_at = 0, -math.inf

    async def allow_table(self, address: str) -> None:
        """Raise TooMany where this address may create no table now."""
        if not self.creates.allows(address):
            raise TooMany(say("Too many new tables from your address; wait a minute."))
        if not await self.has_room():
            raise TooMany(say("This server has no room for another table; try again later."))

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


def too_many_requests() -> TooMany:
    """The refusal of an address that asks too often."""
    return TooMany(say("Too many requests from your address; wait a moment."))
