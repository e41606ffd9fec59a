"""Which costly moves of a match their players tried again, and whether they then found a better one."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, and_, select, update

from hexdeck.tables.storage.once import insert_if_absent
from hexdeck.tables.storage.schema import attempts


def store_attempt(connection: Connection, table: str, seat: int, ply: int, *, solved: bool) -> None:
    """Store that a seat tried a decision again; what is solved stays solved."""
    row = {"table": table, "seat": seat, "ply": ply, "solved": solved}
    if not insert_if_absent(connection, attempts, row) and solved:
        one = and_(attempts.c.table == table, attempts.c.seat == seat, attempts.c.ply == ply)
        connection.execute(update(attempts).where(one).values(solved=True))


def attempts_of(table: str, seat: int) -> Callable[[Connection], dict[int, bool]]:
    """A job that finds what a seat tried again, by ply: whether it was solved."""
    wanted = select(attempts.c.ply, attempts.c.solved).where(attempts.c.table == table, attempts.c.seat == seat)
    return lambda connection: {ply: bool(solved) for ply, solved in connection.execute(wanted)}
