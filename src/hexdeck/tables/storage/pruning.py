"""Jobs for the store: find and delete tables that have been kept for long enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, not_, or_, select

from hexdeck.tables.storage.erasing import delete_tables
from hexdeck.tables.storage.schema import tables

UNFINISHED = ("waiting", "playing")  # states
AT_ONCE = 200  # tables that are deleted in one transaction


def has_clock(clock: str) -> ColumnElement[bool]:
    """The condition of tables with a kind of clock, by their terms (see `codec.compact_json`)."""
    return tables.c.terms.contains(f'"clock":"{clock}"')


@dataclass(frozen=True)
class Deadlines:
    """Since when a table must have changed to be kept, in seconds since 1970; None: it is kept for ever.

    `unused`: one where nobody has played or joined; `invited`: such a one that may wait for days, with the clock `slow`
    or a deal of the day; `unfinished`: any that isn't over; `finished`: one that is.
    """

    unused: float | None = None
    unfinished: float | None = None
    finished: float | None = None
    invited: float | None = None
    slow: str = ""

    @property
    def missed(self) -> ColumnElement[bool] | None:
        """The condition of tables that may go; None where all are kept."""
        unfinished, waits = tables.c.state.in_(UNFINISHED), or_(has_clock(self.slow), tables.c.day.is_not(None))
        kinds = (
            (self.unused, and_(unfinished, tables.c.used.is_(False), not_(waits))),
            (self.invited, and_(unfinished, tables.c.used.is_(False), waits)),
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
    delete_tables(connection, found)
    return found
