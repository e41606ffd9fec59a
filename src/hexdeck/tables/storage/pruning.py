"""Jobs for the store: find and delete tables that have been kept for long enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, or_, select

from hexdeck.tables.storage.schema import analyses, carries, codes, events, holders, sayings, tables

UNFINISHED = ("waiting", "playing")  # states
PARTS = (analyses, carries, codes, holders, sayings, events)  # what is deleted with a table
AT_ONCE = 200  # tables that are deleted in one transaction


@dataclass(frozen=True)
class Deadlines:
    """Since when a table must have changed to be kept, in seconds since 1970; None: it is kept for ever.

    `unused`: one where nobody has played or joined; `unfinished`: any that isn't over; `finished`: one that is.
    """

    unused: float | None = None
    unfinished: float | None = None
    finished: float | None = None

    @property
    def missed(self) -> ColumnElement[bool] | None:
        """The condition of tables that may go; None where all are kept."""
        unfinished = tables.c.state.in_(UNFINISHED)
        kinds = (
            (self.unused, and_(unfinished, tables.c.used.is_(False))),
            (self.unfinished, unfinished),
            (self.finished, tables.c.state.not_in(UNFINISHED)),
        )
        found = [and_(kind, tables.c.changed < before) for before, kind in kinds if before is not None]
        return or_(*found) if found else None


def outdated(connection: Connection, deadlines: Deadlines) -> list[str]:
    """The tables that may be deleted."""
    missed = deadlines.missed
    return [] if missed is None else list(connection.execute(select(tables.c.id).where(missed)).scalars())


def delete_outdated(connection: Connection, deadlines: Deadlines, among: Sequence[str]) -> list[str]:
    """Delete tables that still may be deleted, with all that belongs to them; returns which."""
    missed = deadlines.missed
    if missed is None:
        return []
    found = list(connection.execute(select(tables.c.id).where(and_(tables.c.id.in_(among), missed))).scalars())
    for part in PARTS:
        connection.execute(delete(part).where(part.c.table.in_(found)))
    connection.execute(delete(tables).where(tables.c.id.in_(found)))
    return found
