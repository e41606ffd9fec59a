"""What was said at a table, as it is kept: beside the match, under numbers of its own, and forgotten with the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, delete, func, select

from hexdeck.tables.storage.once import insert_once
from hexdeck.tables.storage.schema import sayings

REMEMBERED = 100  # sayings of a table that are kept: the newest


@dataclass(frozen=True)
class Saying:
    """What somebody said: a phrase by its id, or words; `number` counts from 0, `name` is what the seat was called."""

    number: int
    seat: int
    name: str
    phrase: str
    words: str
    at: float


def keep(connection: Connection, table: str, saying: Saying) -> bool:
    """Store it, if its number is free; the oldest is forgotten where there is more than is kept."""
    if not insert_once(connection, sayings, {"table": table, **asdict(saying)}):
        return False
    old = and_(sayings.c.table == table, sayings.c.number <= saying.number - REMEMBERED)
    connection.execute(delete(sayings).where(old))
    return True


def since(connection: Connection, table: str, number: int) -> tuple[Saying, ...]:
    """What was said at a table after a number, in order."""
    columns = (column for column in sayings.c if column.name != "table")
    wanted = select(*columns).where(and_(sayings.c.table == table, sayings.c.number > number))
    return tuple(Saying(**row) for row in connection.execute(wanted.order_by(sayings.c.number)).mappings())


def newest(wanted: Sequence[str]) -> Callable[[Connection], list[tuple[str, int]]]:
    """The job that finds the news (`mark`) of what was said last at some tables."""
    found = select(sayings.c.table, func.max(sayings.c.number)).where(sayings.c.table.in_(wanted))
    statement = found.group_by(sayings.c.table)
    return lambda connection: [(table, mark(number)) for table, number in connection.execute(statement)]


def mark(number: int) -> int:
    """How news tells that something was said, where else it tells a version: below zero."""
    return -1 - number
