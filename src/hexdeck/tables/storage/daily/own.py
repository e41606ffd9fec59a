"""A job for the store: all that is kept of whoever holds a token, and nothing that is somebody else's."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, Table, and_, select

from hexdeck.tables.storage.schema import attempts, events, feedback, holders, sayings, subscriptions, tables

Data = dict[str, Any]
SHOWN = ("id", "game", "players", "options", "state", "made", "day")  # not when it changed: others may choose in secret
PARTS = {"messages": sayings, "answers": feedback, "tried_again": attempts, "told_of_turns": subscriptions}
LEFT_OUT = {"table", "seat", "browser", "public", "secret"}  # the last three are keys of the browser's own


def own_data(token: str) -> Callable[[Connection], list[Data]]:
    """A job that finds what is kept of the holder of a hashed token, by table, the oldest first.

    Of the moves only their own: what they bring from a deck may be others' secret.
    """

    def found(connection: Connection) -> list[Data]:
        wanted = select(tables, holders.c.seat).join(holders, holders.c.table == tables.c.id)
        mine = wanted.where(holders.c.token == token).order_by(tables.c.made, tables.c.id)
        return [_at_table(connection, dict(row)) for row in connection.execute(mine).mappings().all()]

    return found


def _at_table(connection: Connection, row: Data) -> Data:
    """What is kept of a seat at a table."""
    seat, seats = row["seat"], json.loads(row["seats"])
    shown = {name: row[name] for name in SHOWN} | {"options": json.loads(row["options"])}
    kept = {name: _rows(connection, part, row["id"], seat) for name, part in PARTS.items()}
    ended = json.loads(row["result"]) if row["result"] else None
    result = {name: ended[name][seat] for name in ("won", "places", "utilities")} if ended else None
    words = {name: seats[seat].get(name, "") for name in ("name", "contribution", "adds")}
    return {**shown, "seat": seat, **words, "moves": _moves(connection, row["id"], seat), "result": result, **kept}


def _rows(connection: Connection, part: Table, table: str, seat: int) -> list[Data]:
    """What a part of the database has of a seat."""
    columns = (column for column in part.c if column.name not in LEFT_OUT)
    wanted = select(*columns).where(and_(part.c.table == table, part.c.seat == seat)).order_by(*part.primary_key)
    return [dict(row) for row in connection.execute(wanted).mappings()]


def _moves(connection: Connection, table: str, seat: int) -> list[Data]:
    """A seat's moves, and when they were made."""
    wanted = select(events.c.event, events.c.at).where(and_(events.c.table == table, events.c.seat == seat))
    rows, begin = connection.execute(wanted.order_by(events.c.version)).all(), f"{seat}: "
    return [
        {"move": text.removeprefix(begin), "at": row.at}
        for row in rows for text in json.loads(row.event) if text.startswith(begin)
    ]  # fmt: skip
