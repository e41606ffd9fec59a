"""`hexdeck restore`: puts the tables of a copy back."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hexdeck.cli.keep.serve import add_database, check_installed
from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, say, say_n

ABOUT = say("put back the tables that hexdeck backup copied")
EXAMPLES = ("hexdeck restore tables-monday.db --database restored.db",)


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck restore FILE [--database PLACE]`."""
    parser.add_argument("file", type=Path, metavar=t(say("FILE")), help=t(say("what hexdeck backup wrote")))
    add_database(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Check, copy, bring up to date, and say how many tables there are; raises BadStore."""
    check_installed()
    from hexdeck.tables.storage.database import default_url, file_of, restore

    place = arguments.database or default_url()
    count = restore(place, arguments.file)
    tell(words.words(say_n("{n} table is in {file}.", "{n} tables are in {file}.", count, file=str(file_of(place)))))
    return 0
