"""`hexdeck tables`: checks, copies, puts back and deletes the tables of a server."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from hexdeck.cli.output import CommandResult, bars, head, tell
from hexdeck.cli.serve import check_installed
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say, say_n

if TYPE_CHECKING:
    from hexdeck.tables.archive import CheckLine

MARKS = {"ok": say("ok"), "note": say("note"), "wrong": say("WRONG")}  # how it is, as a person reads it
LOOKED_AT = {
    "versions": say("versions"),
    "files": say("files"),
    "disk": say("disk"),
    "database": say("database"),
    "schema": say("schema"),
    "keys": say("keys"),
    "entries": say("entries"),
    "matches": say("matches"),
}

TABLE = re.compile(r"(?:.*/(?:table|replay)/)?([A-Za-z0-9_-]{12})(?:[/?#].*)?")


def check(arguments: argparse.Namespace, catalogue: Catalogue) -> CommandResult:
    """Print a line for each thing that was looked at; the status is 1 where anything is wrong."""
    check_installed()
    from hexdeck.tables.archive import WRONG, examine
    from hexdeck.tables.database import default_url

    findings = []
    for finding in examine(arguments.database or default_url(), bar(catalogue)):
        findings.append(finding)
        if not arguments.json:
            tell(line_of(finding, catalogue))
    well = all(finding.state != WRONG for finding in findings)

    def data() -> dict[str, Any]:
        checks = [asdict(finding) | {"text": catalogue.words(finding.text)} for finding in findings]
        return head("tables") | {"well": well, "checks": checks}

    return CommandResult(catalogue, lambda: None, data, status=0 if well else 1)


def line_of(finding: CheckLine, catalogue: Catalogue) -> str:
    """What was looked at, as a line in columns."""
    marks, looked_at = ({key: catalogue.words(text) for key, text in texts.items()} for texts in (MARKS, LOOKED_AT))
    mark = marks[finding.state].ljust(max(map(len, marks.values())) + 1)
    return (
        f"{mark}{looked_at[finding.what].ljust(max(map(len, looked_at.values())) + 2)}{catalogue.words(finding.text)}"
    )


def bar(catalogue: Catalogue) -> Callable[[int, int], None]:
    """A progress bar that is there while matches are replayed."""
    progress = bars(catalogue)
    task = progress.add_task(catalogue.words(say("Matches")), total=None)

    def tick(done: int, of: int) -> None:
        if done == 1:
            progress.start()
        progress.update(task, completed=done, total=of)
        if done == of:
            progress.stop()

    return tick


def backup(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Copy, check, and say how many tables there are; raises BadStore."""
    check_installed()
    from hexdeck.tables.database import back_up, default_url

    count = back_up(arguments.database or default_url(), arguments.file)
    tell_count(catalogue, count, arguments.file)
    return 0


def put_back(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Check, copy, bring up to date, and say how many tables there are; raises BadStore."""
    check_installed()
    from hexdeck.tables.database import default_url, file_of, restore

    url = arguments.database or default_url()
    count = restore(url, arguments.file)
    tell_count(catalogue, count, file_of(url))
    return 0


def tell_count(catalogue: Catalogue, count: int, file: Any) -> None:
    """Say how many tables a file holds."""
    tell(catalogue.words(say_n("{n} table is in {file}.", "{n} tables are in {file}.", count, file=str(file))))


def delete(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Delete them, or nothing where one isn't there; raises BadOption, or BadStore while a server has the file."""
    check_installed()
    ids = [*dict.fromkeys(map(id_of, arguments.tables))]
    from hexdeck.tables.database import Database, default_url
    from hexdeck.tables.rows import delete_tables, missing

    database = Database(arguments.database or default_url())
    try:
        with database.engine.begin() as connection:
            for id in missing(connection, ids):
                raise BadOption(say("There is no table {table} in {place}.", table=id, place=database.place))
            count = delete_tables(connection, ids)
    finally:
        database.close()
    text = say_n(
        "{n} table is deleted; copies made before still hold it.",
        "{n} tables are deleted; copies made before still hold them.",
        count,
    )
    tell(catalogue.words(text))
    return 0


def id_of(typed: str) -> str:
    """The id of a table, by its address; raises BadOption."""
    match = TABLE.fullmatch(typed)
    if match is None:
        raise BadOption(say("{given} isn't the address of a table.", given=typed[:80]))
    return match[1]
