"""Codes of a few letters, to be read out or typed in: they bring guests to a table, and a television.

A code is drawn once for a table (`code_of`) and is good until its match is over. The more tables are open, the longer
new codes are, so that guessing doesn't pay. The television shows the code of its table, and is set up by typing one in.
"""

import re
from random import Random
from unicodedata import category, normalize

from sqlalchemy import Connection, delete, func, select

from hexdeck.engine.text import say
from hexdeck.tables.database import UNFINISHED, codes, tables
from hexdeck.tables.errors import NoTable
from hexdeck.tables.keys import SYSTEM
from hexdeck.tables.rows import insert_if_absent, known_code

LETTERS = "BDFGHJKLMPRSTVWXZ"  # no vowels, so no words; of C and G, M and N, Q and O only one, or none
SHORTEST = 5
LONGEST = 300  # characters of what is typed
LINK = re.compile(r"(?<!\S)[^\s?#]*?(/(?:join|carry|bring|j|table)/[\w-]{1,64}(?:\.[\w-]{1,64})*)", re.ASCII)
WORD, APART = (  # a code, and perhaps a seat; its letters may have something between them
    re.compile(
        rf"(?<![^\W_])([{LETTERS}](?:{between}[{LETTERS}]){{{SHORTEST - 1},11}})(?:[\s.-]*([1-9][0-9]?))?(?![^\W_])"
    )
    for between in ("", r"[\W_]*")
)
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
def typed_text(text: str) -> str:
    """What was typed or copied, in plain letters and without what is invisible."""
    return "".join(letter for letter in normalize("NFKC", text[:LONGEST]) if category(letter) != "Cf").strip()


def parse_link(text: str) -> str:
    """The path of the first of our links in a text; empty where it has none."""
    match = LINK.search(typed_text(text))
    return match[1] if match else ""


def parse_code(text: str) -> tuple[str, int | None]:
    """The code of a table in what a guest typed, and the seat that a number after it names; raises NoTable.

    A word that is one counts before letters that stand apart, and the last before others.
    """
    words = re.sub(r"\S+://[^\s?]*", " ", typed_text(text)).upper()
    found = WORD.findall(words) or APART.findall(words)
    if not found:
        raise unknown_code()
    code, seat = found[-1]
    return re.sub(r"[\W_]", "", code), int(seat) - 1 if seat else None


def unknown_code() -> NoTable:
    """The refusal of a code that no open table has."""
    return NoTable(
        say("No open table has this code. Codes have no vowels and stop working when the match is over: ask your host.")
    )
