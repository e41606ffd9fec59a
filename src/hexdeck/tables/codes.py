"""Codes of a few letters, to be read out or typed in: they bring guests to a table, and a television.

A code is drawn once for a table (`code_of`) and is good until its match is over. The more tables are open, the longer
new codes are, so that guessing doesn't pay. The television shows the code of its table, and is set up by typing one in.
"""

import re
import string
from random import Random
from unicodedata import category

from sqlalchemy import Connection, delete, func, select

from hexdeck.engine.text import say
from hexdeck.tables.database import UNFINISHED, codes, tables
from hexdeck.tables.errors import NoTable
from hexdeck.tables.keys import LONGEST_TOKEN, SYSTEM
from hexdeck.tables.rows import insert_if_absent, known_code

LETTERS = "BDFGHJKLMPRSTVWXZ"  # no vowels, so no words; of C and G, M and N, Q and O only one, or none
SHORTEST = 5
AROUND = string.whitespace + "\"'`“”„‘’‚«»‹›()[]{}<>.,"  # what a code or a link is copied with  # noqa: RUF001
EACH = 200_000  # codes that there must be for each open table: guessing takes about so many tries


def new_code(tables: int, source: Random = SYSTEM) -> str:
    """A random code, where so many other tables have one."""
    length = SHORTEST
    while len(LETTERS) ** length < EACH * (tables + 1):
        length += 1
    return "".join(source.choice(LETTERS) for _ in range(length))


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


# --- what is typed ----------------------------------------------------------------------------------------------------
def bare(text: str) -> str:
    """A code or a link without the quotes, brackets and full stop around it, and without what is invisible."""
    return "".join(letter for letter in text if category(letter) != "Cf").strip(AROUND)


def parse_code(text: str) -> tuple[str, int | None]:
    """The code of a table as a guest typed it, and the seat that a number after it names; raises NoTable."""
    match = re.fullmatch(r"([A-Z]{2,12})([1-9][0-9]?)?", re.sub(r"[\s.-]", "", bare(text[:LONGEST_TOKEN])).upper())
    if match is None:
        raise unknown_code()
    return match[1], int(match[2]) - 1 if match[2] else None


def unknown_code() -> NoTable:
    """The refusal of a code that no open table has."""
    return NoTable(
        say("No open table has this code. Codes have letters only, no vowels, and end with their match: ask your host.")
    )
