"""Jobs for the store: the keys that sign the heads of chains, one a day for all processes of a database.

A private key is deleted when the day after its own is over; its public half is kept, for those who check old records.
Where a clock was wrong for a while, a day may have several keys: each is published.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.tables.signatures import KEY_BYTES, public_of
from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.schema import keys

PRIVATE, PUBLIC = "sign ", "pub "  # what the names of the two halves begin with; the day follows


def key_of_day(day: str, fresh: bytes) -> Callable[[Connection], bytes]:
    """A job that finds the private key of a day; `fresh`: it from now on, if there is none."""

    def job(connection: Connection) -> bytes:
        if insert_if_absent(connection, keys, {"name": PRIVATE + day, "value": fresh}):
            publish(connection, day, bytes.fromhex(public_of(fresh)))
            before = PRIVATE + (date.fromisoformat(day) - timedelta(days=1)).isoformat()
            old = and_(keys.c.name.startswith(PRIVATE), keys.c.name < before)
            connection.execute(delete(keys).where(old))
        return bytes(connection.execute(select(keys.c.value).where(keys.c.name == PRIVATE + day)).scalar_one())

    return job


def publish(connection: Connection, day: str, key: bytes) -> None:
    """Add a public key to those of a day."""
    if not insert_if_absent(connection, keys, {"name": PUBLIC + day, "value": key}):
        known = connection.execute(select(keys.c.value).where(keys.c.name == PUBLIC + day)).scalar_one()
        connection.execute(update(keys).where(keys.c.name == PUBLIC + day).values(value=bytes(known) + key))


def public_keys(connection: Connection) -> list[tuple[str, str]]:
    """The public keys of all days, each after its day, in hexadecimal."""
    found = connection.execute(select(keys).where(keys.c.name.startswith(PUBLIC)).order_by(keys.c.name))
    return [
        (row.name.removeprefix(PUBLIC), bytes(row.value)[at : at + KEY_BYTES].hex())
        for row in found for at in range(0, len(row.value), KEY_BYTES)
    ]  # fmt: skip
