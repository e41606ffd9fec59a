"""What commands that take a while show and write: a bar with the time left, tables, findings, pages."""

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

    from hexdeck.lab.reporting.report import Tick
    from hexdeck.lab.reporting.sections import Section

BARS = 8  # of what is being done and was done last: all of them would fill the screen


def check_files(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where the page or the figures can't be written, BadOption where they are one file."""
    files = [file for file in (arguments.out, arguments.json) if file is not None]
    for file in files:
        check_file(file)
    if len({file.resolve() for file in files}) < len(files):
        raise BadOption(say("--out and --json can't be the same file; name two."))


@contextmanager
def ticking(own: Catalogue, name: str, *, compiles: bool = True) -> Iterator[Tick]:
    """A progress bar with the time left, where there is a screen; `compiles` the game first if need be."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from hexdeck.cli.prepare import prepare

    console = Console(stderr=True)
    if compiles:
        prepare(name, own, counts=True)
    columns = TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,.0f}"), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty()) as progress:
        tasks: dict[str, Any] = {}
        lock = Lock()

        def tick(what: Text, done: int, of: int | None) -> None:
            title = own.words(what)
            with lock:
                if title not in tasks:
                    tasks[title] = progress.add_task(title, total=of)
                    for old in [*tasks.values()][:-BARS]:
                        progress.update(old, visible=False)
            progress.update(tasks[title], advance=done, total=of)

        yield tick


def print_findings(console: Console, found: list[dict[str, Any]], nothing: str) -> None:
    """Findings, each with how to see a game that shows it."""
    for each in found or [{"text": nothing, "shown": None}]:
        console.print(f" • {each['text']}", highlight=False, markup=False)
        if each["shown"]:
            shown = each["shown"].address or each["shown"].command
            console.print(f"   {each['see']}: {shown}", style="dim", highlight=False, markup=False, soft_wrap=True)


def show_table(console: Console, section: Section, own: Catalogue, about: str = "") -> None:
    """A section on the terminal."""
    from rich.table import Table

    from hexdeck.lab.reporting.page import table

    cells = table(section, own)
    shown = Table(title=": ".join(filter(None, (about, cells["title"]))), min_width=60)
    for k, head in enumerate(cells["heads"]):
        shown.add_column(head, justify="right" if k else "left")
    for row in cells["rows"]:
        shown.add_row(*row)
    console.print(shown)
    if cells["note"]:
        console.print(cells["note"], style="dim")


def put(text: str, own: Catalogue, path: Path) -> None:
    """Write a page; raises HexdeckError where that fails."""
    from rich.console import Console

    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        why = _("{file} can't be written: {why}.")
        raise HexdeckError(say(why, file=str(path), why=error.strerror or "")) from None
    Console(stderr=True).print(own.words(say("Written: {file}", file=str(path))), soft_wrap=True)


def can_hold(path: Path) -> bool:
    """Whether a file can be written there, with the folders it needs; nothing is left behind."""
    place = path.parent
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        tempfile.TemporaryFile(dir=place).close()
    except OSError:
        return False
    return not path.is_dir()


def wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    """A text in lines of 80."""
    return textwrap.wrap(text, 79, initial_indent=first or indent, subsequent_indent=indent, break_on_hyphens=False)
