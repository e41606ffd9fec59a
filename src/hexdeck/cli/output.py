"""The output of commands that take a while: progress bars, tables, findings, files."""

from __future__ import annotations

import argparse
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from hexdeck.cli.parser import check_file
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from hexdeck.lab.reporting.report import Tick
    from hexdeck.lab.reporting.sections import Section

BARS = 8  # progress bars shown at a time, the latest ones


def check_files(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where `--out` or `--json` can't be written, BadOption where both are the same file."""
    files = [file for file in (arguments.out, arguments.json) if file is not None]
    for file in files:
        check_file(file)
    if len({file.resolve() for file in files}) < len(files):
        raise BadOption(say("--out and --json can't be the same file; name two."))


def bars() -> Progress:
    """Progress bars with the time left, on the error stream if it is a terminal; removed when the context ends."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())


@contextmanager
def ticking(catalogue: Catalogue, name: str) -> Iterator[Tick]:
    """Compile a game and the kernels that count it if need be; then a progress bar for each kind of work."""
    from hexdeck.cli.prepare import prepare

    prepare(name, catalogue, counts=True)
    with bars() as progress:
        tasks: dict[str, Any] = {}
        lock = Lock()

        def tick(what: Text, done: int, of: int | None) -> None:
            title = catalogue.words(what)
            with lock:
                if title not in tasks:
                    tasks[title] = progress.add_task(title, total=of)
                    for old in [*tasks.values()][:-BARS]:
                        progress.update(old, visible=False)
            progress.update(tasks[title], advance=done, total=of)

        yield tick


def print_findings(console: Console, found: list[dict[str, Any]], nothing: str) -> None:
    """Print findings, each with the link or command to see an example; `nothing` where there are none."""
    for each in found or [{"text": nothing, "shown": None}]:
        console.print(f" • {each['text']}", highlight=False, markup=False)
        if each["shown"]:
            shown = each["shown"].address or each["shown"].command
            console.print(f"   {each['see']}: {shown}", style="dim", highlight=False, markup=False, soft_wrap=True)


def show_table(console: Console, section: Section, catalogue: Catalogue, about: str = "") -> None:
    """Print a section as a table; `about` stands before its title."""
    from rich.table import Table

    from hexdeck.lab.reporting.page import table_context

    cells = table_context(section, catalogue)
    shown = Table(title=": ".join(filter(None, (about, cells["title"]))), min_width=60)
    for k, head in enumerate(cells["heads"]):
        shown.add_column(head, justify="right" if k else "left")
    for row in cells["rows"]:
        shown.add_row(*row)
    console.print(shown)
    if cells["note"]:
        console.print(cells["note"], style="dim")


def write_file(text: str, catalogue: Catalogue, path: Path) -> None:
    """Write a file and tell so; raises HexdeckError where that fails."""
    from rich.console import Console

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        why = _("{file} can't be written: {why}.")
        raise HexdeckError(say(why, file=str(path), why=error.strerror or "")) from None
    Console(stderr=True).print(catalogue.words(say("Written: {file}", file=str(path))), soft_wrap=True)


def can_hold(path: Path) -> bool:
    """Whether a file can be written there, with the folders it needs; leaves nothing behind."""
    place = path.parent
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return not path.is_dir()


def wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    """A text wrapped to lines of 79 characters; `first` is the indent of the first line, if it differs."""
    return textwrap.wrap(text, 79, initial_indent=first or indent, subsequent_indent=indent, break_on_hyphens=False)
