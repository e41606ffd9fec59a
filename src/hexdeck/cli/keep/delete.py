"""`hexdeck delete`: deletes tables of a server, for whoever keeps it."""

from __future__ import annotations

import argparse
import re
from typing import Any

from hexdeck.cli.keep.serve import add_database, check_installed
from hexdeck.cli.lines import tell
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say, say_n

ABOUT = say(
    "delete tables for good, with their chat and all that people left there, without asking; stop a server that keeps"
    " them in a file first"
)
EXAMPLES = ("hexdeck delete https://cards.example.org/table/Ab3dEf6hIj9k",)
TABLE = re.compile(r"(?:.*/(?:table|replay)/)?([A-Za-z0-9_-]{12})(?:[/?#].*)?")


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck delete TABLE … [--database PLACE]`."""
    parser.add_argument(
        "tables", nargs="+", metavar=t(say("TABLE")), help=t(say("the address of a table, or the last part of it"))
    )
    add_database(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Delete them, or nothing where one isn't there; raises BadOption, or BadStore while a server has the file."""
    check_installed()
    ids = [*dict.fromkeys(map(id_of, arguments.tables))]
    from hexdeck.tables.storage.database import Database, default_url
    from hexdeck.tables.storage.rows import delete_tables, missing

    database = Database(arguments.database or default_url())
    try:
        with database.engine.begin() as connection:
            for id in missing(connection, ids):
                raise BadOption(say("There is no table {table} in {place}.", table=id, place=database.place))
            count = delete_tables(connection, ids)
    finally:
        database.close()
    tell(words.words(say_n("{n} table is deleted; copies made before still hold it.",
                           "{n} tables are deleted; copies made before still hold them.", count)))  # fmt: skip
    return 0


def id_of(given: str) -> str:
    """The id of a table, by its address; raises BadOption."""
    found = TABLE.fullmatch(given)
    if found is None:
        raise BadOption(say("{given} isn't the address of a table.", given=given[:80]))
    return found[1]
