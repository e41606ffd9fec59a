"""Chat messages in the database: beside the match, with numbers of their own, deleted with the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, delete, func, select

from hexdeck.tables.storage.schema import sayings
from hexdeck.tables.storage.store import insert_if_absent

MOST_KEPT = 100  # messages of a table that are kept, the newest


@dataclass(frozen=True)
class Message:
    """A chat message: a phrase by its id, or words; `number` counts from 0, `name` is the seat's name at the time."""

    number: int
    seat: int
    name: str
    phrase: str
    words: str
    at: float


def store_message(connection: Connection, table: str, message: Message) -> bool:
    """Store a message unless its number is taken; the oldest is deleted where there are too many."""
    if not insert_if_absent(connection, sayings, {"table": table, **asdict(message)}):
        return False
    old = and_(sayings.c.table == table, sayings.c.number <= message.number - MOST_KEPT)
    connection.execute(delete(sayings).where(old))
    return True


def messages_since(connection: Connection, table: str, number: int) -> tuple[Message, ...]:
    """The messages of a table after a number, in order."""
    columns = (column for column in sayings.c if column.name != "table")
    wanted = select(*columns).where(and_(sayings.c.table == table, sayings.c.number > number))
    return tuple(Message(**row) for row in connection.execute(wanted.order_by(sayings.c.number)).mappings())


def latest_messages(wanted: Sequence[str]) -> Callable[[Connection], list[tuple[str, int]]]:
    """A job that finds the last message of some tables, as news (see `news_number`)."""
    found = select(sayings.c.table, func.max(sayings.c.number)).where(sayings.c.table.in_(wanted))
    statement = found.group_by(sayings.c.table)
    return lambda connection: [(table, news_number(number)) for table, number in connection.execute(statement)]


def news_number(number: int) -> int:
    """How news announces a message, where it otherwise announces a version: a number below zero."""
    return -1 - number
