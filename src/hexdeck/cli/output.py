"""The output of commands that take a while: progress bars, tables, findings, files."""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import textwrap
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from hexdeck.cli.lines import tell, worded
from hexdeck.cli.parser import STDOUT, check_file
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.number_words import count
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from hexdeck.lab.reporting.answers import Answered
    from hexdeck.lab.reporting.measures import Section
    from hexdeck.lab.reporting.page import Told
    from hexdeck.lab.reporting.report import Tick

WORD = re.compile(r"[^\S\u00a0]*(?:\S|\u00a0)+[^\S\u00a0]*")  # with the spaces around it
BARS = 8  # progress bars shown at a time, the latest ones


def check_files(arguments: argparse.Namespace) -> None:
    """Raise HexdeckError where `--out` or `--json` can't be written, BadOption where both are the same file."""
    files = [file for file in (arguments.out, arguments.json) if file not in {None, STDOUT}]
    for file in files:
        check_file(file)
    if len({file.resolve() for file in files}) < len(files):
        raise BadOption(say("--out and --json can't be the same file; name two."))


def make_console(**how: Any) -> Console:
    """Rich's console, which wraps lines at spaces, but at no no-break space."""
    import rich._wrap
    from rich.console import Console

    rich._wrap.re_word = WORD  # noqa: SLF001 - Rich has no setting for it
    return Console(emoji=False, **how)


def bars(catalogue: Catalogue) -> Progress:
    """Progress bars with the time left, on the error stream if it is a terminal; a context that removes them."""
    from rich.progress import Progress

    return Progress(
        *columns(catalogue), console=make_console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    )


def columns(catalogue: Catalogue) -> list[ProgressColumn]:
    """What a progress bar shows: what is done, how much of it, the time left."""
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text as Drawn

    class Done(ProgressColumn):
        """How many things are done: the field `played`, or what is completed."""

        def render(self, task: Task) -> Drawn:
            return Drawn(worded(catalogue)(count(int(task.fields.get("played", task.completed)))))

    return [TextColumn("{task.description}"), BarColumn(), Done(), TimeRemainingColumn()]


@contextmanager
def ticking(catalogue: Catalogue, name: str) -> Iterator[Tick]:
    """Compile a game and the kernels that count it if need be; then a progress bar for each kind of work."""
    from hexdeck.cli.prepare import prepare

    prepare(name, catalogue, counts=True)
    with bars(catalogue) as progress:
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


def print_answers(console: Console, found: Sequence[Answered], catalogue: Catalogue) -> None:
    """Print each question with the answer that stands for all numbers of players."""
    from hexdeck.lab.reporting.answers import verdict_text

    t = catalogue.words
    for each in found:
        head = say("{question} {verdict}.", question=each.question.title, verdict=verdict_text(each.main.verdict))
        console.print(f"{t(head)} {t(each.main.text)}", highlight=False, markup=False)
    console.print()


def print_findings(console: Console, told: Told, catalogue: Catalogue) -> None:
    """Print findings, each with the link or command to see an example."""
    for text, link in told.listed(told.links) or [(told.nothing, None)]:
        console.print(f" • {catalogue.words(text)}", highlight=False, markup=False)
        if link is not None:
            where = f"   {catalogue.words(say('see'))}: {link.address or link.command}"
            console.print(where, style="dim", highlight=False, markup=False, soft_wrap=True)


def show_table(console: Console, section: Section, catalogue: Catalogue, about: str = "") -> None:
    """Print a section as a table; `about` stands before its title."""
    from rich.table import Table

    from hexdeck.lab.reporting.page import writer

    write = writer(catalogue)
    table = Table(title=": ".join(filter(None, (about, write(section.title)))), min_width=60)
    for k, head in enumerate(section.heads):
        table.add_column(write(head), justify="right" if k else "left")
    for row in section.rows:
        table.add_row(*map(write, row))
    console.print(table)
    if section.note:
        console.print(write(section.note), style="dim")


def write_file(text: str | bytes, catalogue: Catalogue, path: Path) -> None:
    """Write a file and tell so; raises HexdeckError where that fails."""
    try:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    except OSError as error:
        why = _("{file} can't be written: {why}.")
        raise HexdeckError(say(why, file=str(path), why=error.strerror or "")) from None
    tell(catalogue.words(say("Written: {file}", file=str(path))), sys.stderr)


def give_page(text: str, catalogue: Catalogue, arguments: argparse.Namespace) -> None:
    """Write the page that `--out` asks for, and show the one that `--open` does; raises HexdeckError."""
    if arguments.out is not None:
        write_file(text, catalogue, arguments.out)
    if arguments.open:
        path = arguments.out or Path(tempfile.mkdtemp(prefix="hexdeck-")) / "page.html"
        if arguments.out is None:
            write_file(text, catalogue, path)
        webbrowser.open(path.resolve().as_uri())


def wants_page(arguments: argparse.Namespace) -> bool:
    """Whether a page is asked for."""
    return arguments.open or arguments.out is not None


def where_the_rest_is(arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Tell how to see the page with all charts and tables, if none was made."""
    if not wants_page(arguments):
        text = say("The page has more: charts, more tables, examples. --open shows it, --out FILE writes it.")
        tell(catalogue.words(text), sys.stderr)


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
