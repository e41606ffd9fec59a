"""Calls people who are away to a table where it is their turn, by their browsers' push services.

Each turn is told once, by whichever process is first, a little after it began, and only to who hasn't the page open. A
call says which table it is about, encrypted, and nothing else. When it comes depends only on what everybody can tell
(`tables/live.py`).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from prometheus_client import Counter

from hexdeck.engine.errors import HexdeckError
from hexdeck.tables import rows
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import Unavailable
from hexdeck.tables.live import LiveTable, last_move, turn_to_tell
from hexdeck.tables.registry import TableRegistry
from hexdeck.web.ops.settings import PushServices

if TYPE_CHECKING:
    from hexdeck.web.ops.push import Key, Post

GRACE = 5.0  # seconds after the beginning of a turn: whoever only reloads the page isn't called
LONGEST_KEPT = 86_400  # seconds for which a service keeps a call for a browser that isn't there
MOST_SEEN = 20_000  # turns that are remembered here, so that the database is asked once for each
MOST_AT_ONCE, MOST_WAITING = 16, 2_000  # calls
GONE = {404, 410}  # answers for a browser that wants no more


class Calls:
    """The calls of one process. `present`: whether somebody has the page of a seat open. `answers`: counted.

    `public_key`: what browsers ask their push service with; empty where there is none, and nobody is called.
    """

    def __init__(
        self, registry: TableRegistry, services: PushServices, present: Callable[[str, int], bool], answers: Counter
    ) -> None:
        self.registry, self.services, self.present, self.answers = registry, services, present, answers
        self.public_key = ""
        self._key: Key | None = None
        self.post: Post | None = None
        self._seen: OrderedDict[tuple[str, int], int] = OrderedDict()
        self._turns, self._waiting = asyncio.Semaphore(MOST_AT_ONCE), 0

    async def open(self) -> None:
        """Find the key, or make it, and look where a turn began that nobody was told of before a stop."""
        if not self.services.hosts or find_spec("cryptography") is None:
            return
        from hexdeck.web.ops import push

        key = push.fresh_key()
        self.post = self.post or push.Post(self.services)
        self._key = push.key_of(await self.registry.run_job(rows.push_key, key))
        self.public_key = push.plain(push.public_of(self._key))
        self.registry.spawn(self._catch_up())

    def close(self) -> None:
        """Call nobody any more."""
        self.public_key = ""

    async def _catch_up(self) -> None:
        while True:
            try:
                missed = await self.registry.run_job(rows.missed_turns)
            except Unavailable:
                await asyncio.sleep(GRACE)
            else:
                break
        for id in missed:
            try:
                self.look(await self.registry.table(id))
            except HexdeckError:  # it is gone, or waits for its game
                continue

    # --- who is to be called ------------------------------------------------------------------------------------------
    def look(self, table: LiveTable) -> None:
        """A table has changed: whose turn it has become is called a little later, if need be."""
        if not self.public_key or table.state != PLAYING:
            return
        for seat, line in enumerate(table.seats):
            if line.owner and not line.program and line.device is None:
                self._note(table, seat)

    def _note(self, table: LiveTable, seat: int) -> None:
        key = table.id, seat
        if self._seen.get(key, -1) > last_move(table, seat):  # this turn is noted already
            return
        turn = turn_to_tell(table, seat)
        if turn is None:
            return
        self._seen[key] = turn
        self._seen.move_to_end(key)
        while len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        asyncio.get_running_loop().call_later(GRACE, self._after_grace, table.id, seat, turn)

    def _after_grace(self, id: str, seat: int, turn: int) -> None:
        if self.public_key and not self.present(id, seat):
            self.registry.spawn(self._call(id, seat, turn))

    async def _call(self, id: str, seat: int, turn: int) -> None:
        try:
            async with self.registry.reading(id) as table:
                if turn_to_tell(table, seat) != turn:
                    return
                seconds = seconds_left(table, self.registry.clock())
            browsers = await self.registry.run_job(rows.claim_turn, id, seat, turn)
        except Unavailable:  # it can't be read or written just now
            asyncio.get_running_loop().call_later(GRACE, self._after_grace, id, seat, turn)
            return
        except HexdeckError:  # the table is gone, or can't go on: then nobody is called
            return
        for row in browsers:
            self.registry.spawn(self._send(row, seconds))

    # --- one call -----------------------------------------------------------------------------------------------------
    async def _send(self, row: rows.Row, seconds: int) -> None:
        if self._waiting >= MOST_WAITING:
            self.answers.labels("dropped").inc()
            return
        self._waiting += 1
        try:
            async with self._turns:
                status = await self._send_to(row, seconds)
        finally:
            self._waiting -= 1
        self.answers.labels(str(status) if status else "none").inc()
        if status in GONE:
            await self.registry.run_job(rows.unsubscribe, row["browser"])

    async def _send_to(self, row: rows.Row, seconds: int) -> int:
        from hexdeck.web.ops import push

        assert self._key is not None and self.post is not None
        try:
            endpoint = push.endpoint_of(row["endpoint"], self.services)
        except HexdeckError:  # a service that this server no longer knows
            return 0
        body = push.encrypted(json.dumps({"table": row["table"]}).encode(), row["public"], row["secret"])
        headers = {
            "Authorization": push.signed(self._key, endpoint.service, row["site"], self.registry.clock()),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(seconds),
            "Urgency": "high",
            "Topic": topic(row["table"], row["seat"]),
        }
        return await self.post.send(endpoint, headers, body)


def seconds_left(table: LiveTable, now: float) -> int:
    """For how long a call makes sense: until the table's first clock runs out, but not for days."""
    return LONGEST_KEPT if table.due is None else max(0, min(LONGEST_KEPT, int(table.due - now)))


def topic(table: str, seat: int) -> str:
    """What a service knows the calls of a seat by, so that a newer one replaces an older one; it tells no table."""
    return hashlib.sha256(f"call {table} {seat}".encode()).hexdigest()[:32]
