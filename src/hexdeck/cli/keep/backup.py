"""`hexdeck backup`: copies the tables of a server, while it serves."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hexdeck.cli.keep.serve import add_database, check_installed
from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, say, say_n

ABOUT = say("copy the tables of a server to a file, while it serves")
EXAMPLES = ("hexdeck backup tables-monday.db",)


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck backup FILE [--database PLACE]`."""
    parser.add_argument("file", type=Path, metavar=t(say("FILE")), help=t(say("the new file")))
    add_database(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Copy, check, and say how many tables there are; raises BadStore."""
    check_installed()
    from hexdeck.tables.storage.database import back_up, default_url

    count = back_up(arguments.database or default_url(), arguments.file)
    tell(words.words(say_n("{n} table is in {file}.", "{n} tables are in {file}.", count, file=str(arguments.file))))
    return 0
