"""Jobs for the store: the deals of the day, by day and by whoever holds them, and how matches ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select

from hexdeck.tables.storage.schema import holders, tables

Row = dict[str, Any]
MOST = 1000  # rows of a day's deal


def deals_of(connection: Connection, token: str, day: str) -> list[Row]:
    """The tables with deals of a day that a hashed token holds: `id`, `game`, `state`, `result` and `seat`."""
    shown = tables.c.id, tables.c.game, tables.c.state, tables.c.result, holders.c.seat
    wanted = select(*shown).join(tables, tables.c.id == holders.c.table)
    return _rows(connection, wanted.where(holders.c.token == token, tables.c.day == day).order_by(tables.c.made))


def finished_deals(day: str, game: str) -> Callable[[Connection], list[Row]]:
    """A job that finds the tables whose deal of a day is over: `id`, `seats` and `result`."""
    shown = select(tables.c.id, tables.c.seats, tables.c.result)
    wanted = shown.where(tables.c.day == day, tables.c.game == game, tables.c.result.is_not(None))
    return lambda connection: _rows(connection, wanted.order_by(tables.c.id).limit(MOST))


def results_of(token: str) -> Callable[[Connection], list[Row]]:
    """A job that finds every match that a hashed token held a seat in and that is over.

    The columns: `id`, `game`, `players`, `seat`, `result` (None: the game can't say), `changed` and `day`.
    """
    shown = (
        tables.c.id,
        tables.c.game,
        tables.c.players,
        holders.c.seat,
        tables.c.result,
        tables.c.changed,
        tables.c.day,
    )
    wanted = select(*shown).join(tables, tables.c.id == holders.c.table)
    over = wanted.where(holders.c.token == token, tables.c.state == "over").order_by(tables.c.changed)
    return lambda connection: _rows(connection, over)


def _rows(connection: Connection, wanted: Any) -> list[Row]:
    return [dict(row) for row in connection.execute(wanted).mappings()]
