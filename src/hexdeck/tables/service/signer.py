"""Signs the heads of tables' chains with the key of the day: when a match is over, and for whoever asks before."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

from hexdeck.tables import signatures
from hexdeck.tables.model.chain import chained, head_after, head_at
from hexdeck.tables.model.entries import OVER, Draft
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.signatures import SignedHead, can_sign, day_of, fresh_key
from hexdeck.tables.storage.signing_keys import key_of_day


class Signer:
    """The keys of a process's database. `run_job` runs a job of its store; `source`: of randomness."""

    def __init__(self, run_job: Callable[[Any], Awaitable[Any]], source: random.Random) -> None:
        self.run_job, self.random = run_job, source
        self._day, self._key = "", b""

    async def sign(self, table: str, number: int, head: str, now: float) -> SignedHead | None:
        """The head of a table, signed; None without a chain, or where nothing can be signed."""
        if not head or not can_sign():
            return None
        day = day_of(now)
        if day != self._day:
            self._key = await self.run_job(key_of_day(day, fresh_key(self.random)))
            self._day = day
        return signatures.signed_head(self._key, table, number, head, day)

    async def sealed(self, table: LiveTable, draft: Draft) -> Draft:
        """The draft with its links; where the match is over, with the new head signed."""
        linked = chained(table, draft, self.random)
        last = linked.entries[-1]
        if linked.state != OVER or last.link is None:
            return linked
        head = head_at(table, table.version)
        for entry in linked.entries:
            head = head_after(head, entry.link.hash) if entry.link else ""
        signed = await self.sign(table.id, last.version, head, last.at)
        return replace(linked, signed=signed.data() if signed else None)

    async def shown_head(self, table: LiveTable, now: float) -> SignedHead | None:
        """The head that everybody may see: after the last entry that everybody has noticed."""
        if table.signed:
            return signatures.signed_head_of(table.signed)
        number = table.version_for(-1)
        return await self.sign(table.id, number, head_at(table, number), now)
