"""Jobs for the store: how bots fared with the cards of a day."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, delete, select

from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.schema import fields


def field_of(day: str, game: str) -> Callable[[Connection], dict[str, tuple[int, int]]]:
    """A job that finds, for each level that has played a deal, how many matches it played and how many it won."""
    wanted = select(fields.c.level, fields.c.games, fields.c.won).where(fields.c.day == day, fields.c.game == game)
    return lambda connection: {level: (games, won) for level, games, won in connection.execute(wanted)}


def store_field(connection: Connection, day: str, game: str, level: str, played: tuple[int, int], before: str) -> None:
    """Store how a level played a deal, unless another process has; delete what is of days before another."""
    connection.execute(delete(fields).where(fields.c.day < before))
    row = {"day": day, "game": game, "level": level, "games": played[0], "won": played[1]}
    insert_if_absent(connection, fields, row)
