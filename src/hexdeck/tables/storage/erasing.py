"""Jobs for the store that delete for good: what somebody left at a table, or whole tables.

What is deleted is overwritten in the file of an SQLite database (`secure_delete`), and its log is emptied. Copies made
before still hold it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, delete, func, select, update

from hexdeck.tables.storage.schema import (
    analyses,
    attempts,
    carries,
    codes,
    events,
    feedback,
    holders,
    sayings,
    subscriptions,
    tables,
)

PARTS = (
    analyses,
    attempts,
    carries,
    codes,
    feedback,
    holders,
    sayings,
    subscriptions,
    events,
)  # what is deleted with a table
NAMES = ("name", "other")  # what sentences about a seat call the names in it
RENAMED = "name"  # the kind of entries that hold two of them


def delete_tables(connection: Connection, ids: Sequence[str]) -> int:
    """Delete tables with all that belongs to them; returns how many were there."""
    for part in PARTS:
        connection.execute(delete(part).where(part.c.table.in_(ids)))
    return connection.execute(delete(tables).where(tables.c.id.in_(ids))).rowcount


def erase_seats(connection: Connection, table: str, names: Mapping[int, str]) -> None:
    """Delete what was left in some seats, by the names that stand in for theirs: who held them, names and messages.

    Somebody who had a seat before, and was removed from it, isn't meant.
    """
    for seat, name in names.items():
        since = _sat_down(connection, table, seat)
        _rename_entries(connection, table, seat, since, name)
        of_seat = and_(sayings.c.table == table, sayings.c.seat == seat)
        connection.execute(delete(sayings).where(of_seat, sayings.c.at >= _time(connection, table, since)))
        for part in (attempts, carries, feedback, holders, subscriptions):
            connection.execute(delete(part).where(and_(part.c.table == table, part.c.seat == seat)))


def erase_unplayable(connection: Connection, table: str, seat: int, name: str) -> bool:
    """The same for a table that can't be played any more, in its row too; False where there is no such table."""
    text = connection.execute(select(tables.c.seats).where(tables.c.id == table)).scalar()
    if text is None:
        return False
    seats = json.loads(text)
    left = {number: name for number, each in enumerate(seats) if seat in (number, each.get("device"))}
    for number in left:
        seats[number] |= {"name": name, "owner": False, "adds": ""}
    changed = json.dumps(seats, ensure_ascii=False, separators=(",", ":"))
    connection.execute(update(tables).where(tables.c.id == table).values(seats=changed))
    erase_seats(connection, table, left)
    return True


def _sat_down(connection: Connection, table: str, seat: int) -> int:
    """The version at which whoever has a seat sat down; 0 where they have been there from the beginning."""
    wanted = and_(events.c.table == table, events.c.seat == seat, events.c.kind == "sit")
    return int(connection.execute(select(func.max(events.c.version)).where(wanted)).scalar() or 0)


def _time(connection: Connection, table: str, version: int) -> float:
    wanted = and_(events.c.table == table, events.c.version == version)
    return float(connection.execute(select(events.c.at).where(wanted)).scalar() or 0.0)


def _rename_entries(connection: Connection, table: str, seat: int, since: int, name: str) -> None:
    """Put another name into the sentences about a seat; those about new names go."""
    of_seat = and_(events.c.table == table, events.c.seat == seat, events.c.version >= since, events.c.event == "[]")
    for row in connection.execute(select(events).where(of_seat)).all():
        stored = [] if row.kind == RENAMED else json.loads(row.facts)
        facts = [[_renamed(fact, name) for fact in each] for each in stored]
        text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
        one = and_(events.c.table == table, events.c.version == row.version)
        connection.execute(update(events).where(one).values(facts=text))


def _renamed(fact: dict[str, Any], name: str) -> dict[str, Any]:
    """A stored fact with another name."""
    args = fact["text"].get("args", {})
    changed = {each: name for each in NAMES if isinstance(args.get(each), str)}
    return {**fact, "text": {**fact["text"], "args": {**args, **changed}}} if changed else fact


def empty_log(connection: Connection) -> None:
    """Empty the log of changes beside an SQLite file, where what was deleted would stay for a while.

    Not in a transaction that has written: with such jobs it fails, and is done again alone.
    """
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").close()


def held_by(connection: Connection, token: str) -> list[tuple[str, int]]:
    """Every seat that a hashed token holds, with its table."""
    return [(row.table, row.seat) for row in connection.execute(select(holders).where(holders.c.token == token))]


def missing(connection: Connection, ids: Sequence[str]) -> list[str]:
    """Which of some tables aren't there."""
    there = set(connection.execute(select(tables.c.id).where(tables.c.id.in_(ids))).scalars())
    return [id for id in ids if id not in there]
