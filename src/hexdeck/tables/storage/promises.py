"""Promises for tables that don't exist yet: a page shows the hash of a secret, and the new table keeps to it.

Showing a promise stores nothing: the secret follows from the ticket, by a key in the database. A ticket is good for a
day and for one table, since the secret of a match is revealed when it is over.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from random import Random

from sqlalchemy import Connection, delete, select

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale
from hexdeck.tables.keys import SYSTEM, commitment, new_token
from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.schema import keys, tickets

GOOD_FOR = 24 * 3600  # seconds
DIGEST_DIGITS = 12
KEY = "promises"


@dataclass(frozen=True)
class Promise:
    """A secret that somebody was promised, by its ticket; `until`: when it expires."""

    ticket: str
    secret: bytes
    until: float

    @property
    def hash(self) -> str:
        """The hash of the secret, which is shown."""
        return commitment(self.secret)


def new_promise(key: bytes, now: float, source: Random = SYSTEM) -> Promise:
    """A new promise."""
    return _named(key, f"{int(now):x}.{new_token(source)}", int(now))


def promise_of(key: bytes, ticket: str, now: float) -> Promise:
    """The promise of a ticket; raises Stale for one that is invalid or too old. It may have been used already."""
    name = ticket.rpartition(".")[0]
    made = re.fullmatch(r"([0-9a-f]{1,12})\.[A-Za-z0-9_-]{1,30}", name)
    if made is None:
        raise ticket_spent()
    found = _named(key, name, int(made[1], 16))
    if not (hmac.compare_digest(found.ticket.encode(), ticket.encode()) and now < found.until):
        raise ticket_spent()
    return found


def _named(key: bytes, name: str, made: int) -> Promise:
    """The promise of a name; its ticket ends in the first digits of its hash."""
    secret = hmac.new(key, f"promise {name}".encode(), hashlib.sha256).digest()
    return Promise(f"{name}.{commitment(secret)[:DIGEST_DIGITS]}", secret, made + GOOD_FOR)


def ticket_spent() -> Stale:
    """The refusal of a ticket that was used, or is too old."""
    return Stale(say("This page is too old, or its cards have already been dealt. Try again."))


def use_ticket(connection: Connection, promise: Promise, now: float) -> None:
    """Use a ticket, once; raises Stale. Expired tickets are deleted."""
    connection.execute(delete(tickets).where(tickets.c.until < now - GOOD_FOR))  # no process's clock is that wrong
    row = {"ticket": promise.ticket, "until": promise.until}
    if not insert_if_absent(connection, tickets, row):
        raise ticket_spent()


def database_key(connection: Connection, source: Random = SYSTEM) -> bytes:
    """The key that secrets follow from, one for all processes of a database; drawn when first asked for."""
    insert_if_absent(connection, keys, {"name": KEY, "value": source.randbytes(32)})
    found: bytes = connection.execute(select(keys.c.value).where(keys.c.name == KEY)).scalar_one()
    return bytes(found)
