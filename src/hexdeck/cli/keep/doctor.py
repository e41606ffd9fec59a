"""`hexdeck doctor`: whether a server's tables, files and disk are well."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.keep.serve import add_database, check_installed
from hexdeck.cli.lines import tell
from hexdeck.cli.output import bars
from hexdeck.cli.parser import add_json
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.tables.service.doctor import Finding

ABOUT = say("check the tables of a server, its files and its disk, while it serves")
EXAMPLES = "hexdeck doctor", "hexdeck doctor --json"
MARKS = {"ok": say("ok"), "note": say("note"), "wrong": say("WRONG")}  # how it is, as a person reads it
LOOKED_AT = {
    "versions": say("versions"), "files": say("files"), "disk": say("disk"), "database": say("database"),
    "schema": say("schema"), "keys": say("keys"), "entries": say("entries"), "matches": say("matches"),
}  # fmt: skip


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck doctor [--database PLACE] [--json [FILE]]`."""
    add_database(parser, t)
    add_json(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print a line for each thing that was looked at; returns 1 where anything is wrong."""
    check_installed()
    check_figures(arguments)
    from hexdeck.tables.service.doctor import WRONG, examine
    from hexdeck.tables.storage.database import default_url

    found = []
    for each in examine(arguments.database or default_url(), bar(words)):
        found.append(each)
        if not alone(arguments):
            tell(line_of(each, words))
    well = all(each.state != WRONG for each in found)
    checks = [asdict(each) | {"text": words.words(each.text)} for each in found]
    give(head("doctor") | {"well": well, "checks": checks}, arguments, words)
    return 0 if well else 1


def line_of(finding: Finding, words: Catalogue) -> str:
    """What was looked at, as a line in columns."""
    marks, looked_at = ({key: words.words(text) for key, text in each.items()} for each in (MARKS, LOOKED_AT))
    mark = marks[finding.state].ljust(max(map(len, marks.values())) + 1)
    return f"{mark}{looked_at[finding.what].ljust(max(map(len, looked_at.values())) + 2)}{words.words(finding.text)}"


def bar(words: Catalogue) -> Callable[[int, int], None]:
    """A progress bar that is there while matches are replayed."""
    progress = bars(words)
    task = progress.add_task(words.words(say("Matches")), total=None)

    def tick(done: int, of: int) -> None:
        if done == 1:
            progress.start()
        progress.update(task, completed=done, total=of)
        if done == of:
            progress.stop()

    return tick
