"""Jobs for the store: codes of a few letters that bring guests to a table, to be read out or typed in.

A code is drawn once for a table, and good until its match is over. The more tables are open, the longer new codes are,
so that guessing doesn't pay.
"""

from __future__ import annotations

from random import Random

from sqlalchemy import Connection, delete, func, select

from hexdeck.tables.keys import SYSTEM
from hexdeck.tables.storage.schema import UNFINISHED, codes, tables
from hexdeck.tables.storage.store import insert_if_absent

LETTERS = "BDFGHJKLMPRSTVWXZ"  # no vowels, so no words; of C and G, M and N, Q and O only one, or none
SHORTEST = 4
EACH = 10_000  # codes that there must be for each open table: guessing takes about so many tries


def new_code(tables: int, source: Random = SYSTEM) -> str:
    """A random code, where so many other tables have one."""
    length = SHORTEST
    while len(LETTERS) ** length < EACH * (tables + 1):
        length += 1
    return "".join(source.choice(LETTERS) for _ in range(length))


def known_code(connection: Connection, table: str) -> str:
    """The code of a table, "" without one."""
    return str(connection.execute(select(codes.c.code).where(codes.c.table == table)).scalar() or "")


def code_of(connection: Connection, table: str, source: Random = SYSTEM) -> str:
    """The code of a table, drawn when it is first asked for; codes of matches that are over are free again."""
    code = known_code(connection, table)
    if code:
        return code
    unfinished = select(tables.c.id).where(tables.c.state.in_(UNFINISHED))
    connection.execute(delete(codes).where(codes.c.table.not_in(unfinished)))
    count = int(connection.execute(select(func.count()).select_from(codes)).scalar() or 0)
    while not code:  # until one is free; another process may have drawn it meanwhile
        insert_if_absent(connection, codes, {"code": new_code(count, source), "table": table})
        code = known_code(connection, table)
    return code


def renew_code(connection: Connection, table: str, source: Random = SYSTEM) -> str:
    """Give a table another code, where it has one: a removed player knows the old one."""
    if not connection.execute(delete(codes).where(codes.c.table == table)).rowcount:
        return ""
    return code_of(connection, table, source)


def table_of_code(connection: Connection, code: str) -> str | None:
    """The id of the table that a code belongs to, while its match isn't over."""
    joined = select(codes.c.table).join(tables, tables.c.id == codes.c.table)
    table: str | None = connection.execute(joined.where(codes.c.code == code, tables.c.state.in_(UNFINISHED))).scalar()
    return table
