"""What players said of a match, in the database: beside the match, one answer for each seat, deleted with the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from sqlalchemy import Connection, and_, delete, select, update

from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.schema import feedback


@dataclass(frozen=True)
class Feedback:
    """What a seat said of its match; None and "" where it said nothing.

    `fun` and `fair`: from 1 (not at all) to 5 (very). `length`: -1 too short, 0 right, 1 too long. `confused`: one
    thing that confused; `words`: anything else. `at`: when, in seconds since 1970.
    """

    seat: int
    fun: int | None = None
    length: int | None = None
    fair: int | None = None
    confused: str = ""
    words: str = ""
    at: float = 0.0

    @property
    def is_empty(self) -> bool:
        """Whether nothing was said."""
        return (self.fun, self.length, self.fair, self.confused, self.words) == (None, None, None, "", "")


def store_feedback(connection: Connection, table: str, given: Feedback) -> None:
    """Store what a seat says, in place of what it said before; nothing said is nothing kept."""
    row, one = {"table": table, **asdict(given)}, and_(feedback.c.table == table, feedback.c.seat == given.seat)
    if given.is_empty:
        connection.execute(delete(feedback).where(one))
    elif not insert_if_absent(connection, feedback, row):
        connection.execute(update(feedback).where(one).values(row))


def feedback_of(table: str) -> Callable[[Connection], tuple[Feedback, ...]]:
    """A job that finds what was said of a table's match, by seat."""
    columns = (column for column in feedback.c if column.name != "table")
    wanted = select(*columns).where(feedback.c.table == table).order_by(feedback.c.seat)
    return lambda connection: tuple(Feedback(**row) for row in connection.execute(wanted).mappings())
