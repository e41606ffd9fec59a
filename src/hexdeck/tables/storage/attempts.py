"""Which costly moves of a match their players tried again, and whether they then found a better one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, and_, delete, insert, select

from hexdeck.tables.storage.schema import attempts


def store_attempt(connection: Connection, table: str, seat: int, ply: int, *, solved: bool) -> None:
    """Store that a seat tried a decision again; what is solved stays solved."""
    one = and_(attempts.c.table == table, attempts.c.seat == seat, attempts.c.ply == ply)
    before = connection.execute(select(attempts.c.solved).where(one)).scalar()
    connection.execute(delete(attempts).where(one))
    row = {"table": table, "seat": seat, "ply": ply, "solved": solved or bool(before)}
    connection.execute(insert(attempts), row)


def attempts_of(table: str, seat: int) -> Callable[[Connection], dict[int, bool]]:
    """A job that finds what a seat tried again, by ply: whether it was solved."""
    wanted = select(attempts.c.ply, attempts.c.solved).where(attempts.c.table == table, attempts.c.seat == seat)
    return lambda connection: {ply: bool(solved) for ply, solved in connection.execute(wanted)}
