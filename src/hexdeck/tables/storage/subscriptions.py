"""Jobs for the store: which browsers want to be told of a seat's turn, and which turn each was told of last."""

from __future__ import annotations

import hashlib
from typing import Any

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.tables.storage.schema import keys, subscriptions, tables
from hexdeck.tables.storage.store import insert_if_absent

Row = dict[str, Any]
KEY = "push"
MOST_EACH = 5  # browsers of a seat; the newest
MOST_MISSED = 500  # turns that are looked at again when a server starts


def push_key(connection: Connection, new: bytes) -> bytes:
    """The key that signs messages, one for all processes of a database; `new`: it from now on, if there is none."""
    insert_if_absent(connection, keys, {"name": KEY, "value": new})
    return bytes(connection.execute(select(keys.c.value).where(keys.c.name == KEY)).scalar_one())


def browser_of(endpoint: str) -> str:
    """What a browser is known by: a hash of where its messages go."""
    return hashlib.sha256(endpoint.encode()).hexdigest()


def subscribe(connection: Connection, row: Row) -> bool:
    """Store that a browser wants to be told of a seat's turns; those that have it for longest make room."""
    of_table = subscriptions.c.table == row["table"]
    if not insert_if_absent(connection, subscriptions, row):
        subscription = and_(of_table, subscriptions.c.browser == row["browser"])
        connection.execute(update(subscriptions).where(subscription).values(row))
    of_seat = and_(of_table, subscriptions.c.seat == row["seat"])
    newest = select(subscriptions.c.browser).where(of_seat).order_by(subscriptions.c.made.desc()).limit(MOST_EACH)
    browsers = list(connection.execute(newest).scalars())
    connection.execute(delete(subscriptions).where(of_seat, subscriptions.c.browser.not_in(browsers)))
    return True


def unsubscribe(connection: Connection, browser: str) -> int:
    """Forget a browser, at all tables."""
    statement = delete(subscriptions).where(subscriptions.c.browser == browser)
    return connection.execute(statement).rowcount


def claim(connection: Connection, table: str, seat: int, turn: int) -> list[Row]:
    """The browsers to be told of a turn, each once, whichever process asks."""
    untold = and_(subscriptions.c.table == table, subscriptions.c.seat == seat, subscriptions.c.told < turn)
    statement = update(subscriptions).where(untold).values(told=turn).returning(*subscriptions.c)
    return [dict(row) for row in connection.execute(statement).mappings()]


def follow(connection: Connection, old: str, new: str, seats: dict[int, int]) -> None:
    """Let the browsers of a table be told of another's turns, too; `seats`: who sits where there."""
    stored = connection.execute(select(subscriptions).where(subscriptions.c.table == old)).mappings()
    for row in [dict(row) for row in stored if row["seat"] in seats]:
        insert_if_absent(connection, subscriptions, row | {"table": new, "seat": seats[row["seat"]], "told": -1})


def missed(connection: Connection) -> list[str]:
    """The tables where a seat with subscribed browsers is to act, the last changed first."""
    bit = tables.c.acting.bitwise_rshift(subscriptions.c.seat).bitwise_and(1)
    joined = select(tables.c.id).join(subscriptions, tables.c.id == subscriptions.c.table)
    query = joined.where(tables.c.state == "playing", bit == 1).distinct().order_by(tables.c.changed.desc())
    return list(connection.execute(query.add_columns(tables.c.changed).limit(MOST_MISSED)).scalars())
