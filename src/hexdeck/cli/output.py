"""What commands print and write: sentences, tables, charts and progress bars; the data and pages that are asked for."""

from __future__ import annotations

import argparse
import codecs
import io
import itertools
import json
import re
import shutil
import sys
import tempfile
import textwrap
import time
import unicodedata
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from hexdeck.engine.text import Catalogue, Text, _, count, number, say

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.lab.reporting.measures import Section

ENGLISH = Catalogue()  # of what only designers and researchers read
WORD = re.compile(r"[^\S\u00a0]*(?:\S|\u00a0)+[^\S\u00a0]*")  # with the spaces around it
FORMAT = 1  # of data, as in `lab.reporting.figures`
PLAIN = dict(zip("–—\N{MINUS SIGN}─·•×▸’‘µ♣♦♥♠", "-----*x>''uCDHS", strict=True)) | {"…": "...", "±": "+-"}
HANDLER = "hexdeck.plain"
EIGHTHS = " ▁▂▃▄▅▆▇█"
ASCII_EIGHTHS = "  ..::##"  # coarser
ROWS = 6  # of a chart
WIDEST = 4  # columns for one value of a chart


# --- sentences --------------------------------------------------------------------------------------------------------
def tell(text: str, stream: TextIO | None = None) -> None:
    """Print a sentence at once, wrapped on a terminal, in one line in a pipe, where programs look for it."""
    to = stream or sys.stdout
    width = shutil.get_terminal_size().columns - 1 if to.isatty() else 0
    lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False) if width > 0 else [text]
    print("\n".join(lines or [text]), file=to, flush=True)


def worded(catalogue: Catalogue) -> Callable[[Text | str], str]:
    """What turns messages into words, and leaves as it is what already is words, such as a whole number."""

    def sentence(text: Text | str) -> str:
        return text if isinstance(text, str) else catalogue.words(text)

    return sentence


# --- letters that a terminal lacks ------------------------------------------------------------------------------------
def plain(error: UnicodeError) -> tuple[str, int]:
    """The codec error handler: a replacement from PLAIN, the letter without its accent, or “?”."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    out = ""
    for letter in error.object[error.start : error.end]:
        base = unicodedata.normalize("NFKD", letter)[0]
        out += PLAIN.get(letter) or (base if base.isascii() else "?")
    return out, error.end


def any_letters(*streams: TextIO) -> None:
    """Let these streams replace characters that they can't encode."""
    codecs.register_error(HANDLER, plain)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


# --- what a command gives ---------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class CommandResult:
    """What a command found: how it is printed, its data and its page. `words`: the catalogue for all of them.

    `status`: the exit status where nothing interrupted it.
    """

    words: Catalogue
    show: Callable[[], None]
    data: Callable[[], dict[str, Any] | str]
    page: Callable[[], str] | None = None
    interrupted: bool = False
    status: int = 0

    def give(self, arguments: argparse.Namespace) -> int:
        """Print it, or with `--json` its data, and write its files; returns the exit status."""
        values = vars(arguments)
        if not arguments.json:
            self.show()
        if arguments.json or values.get("data") is not None:
            data = self.data()
            if not isinstance(data, str):
                data = json.dumps(finite(data), ensure_ascii=False, indent=1, allow_nan=False) + "\n"
            if arguments.json:
                sys.stdout.write(data)
            if values.get("data") is not None:
                write_file(data, self.words, arguments.data)
        if self.page is not None and wants_page(arguments):
            path = arguments.page or Path(tempfile.mkdtemp(prefix="hexdeck-")) / "page.html"
            write_file(self.page(), self.words, path)
            if values.get("open"):
                webbrowser.open(path.resolve().as_uri())
        if self.interrupted:
            if "resume" in values:
                tell(self.words.words(how_to_go_on(arguments.resume)), sys.stderr)
            return 130
        return self.status


def how_to_go_on(file: Path | None) -> Text:
    """What to tell after an interrupt: how to go on, or how that would have been possible."""
    if file is not None:
        return say("Interrupted: the same command resumes where it stopped.")
    return say("Interrupted: with --resume FILE, the same command would resume where it stopped.")


def aside(arguments: argparse.Namespace) -> TextIO:
    """The stream for what is told while a command works: with `--json`, standard output has only the data."""
    return sys.stderr if arguments.json else sys.stdout


def head(kind: str, game: GameSetup | None = None, *, interrupted: bool = False) -> dict[str, Any]:
    """The fields that all data begin with."""
    from hexdeck import __version__

    of = {} if game is None else {"game": game.name, "players": game.players, "options": dict(game.options)}
    return {"format": FORMAT, "what": kind, "hexdeck": __version__, **of, "interrupted": interrupted}


def finite(value: Any) -> Any:
    """Data for strict JSON: None in place of numbers that it has none for, and plain numbers for NumPy's."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    if hasattr(value, "item"):  # a number of NumPy
        return finite(value.item())
    return None if isinstance(value, float) and not isfinite(value) else value


def write_file(text: str | bytes, catalogue: Catalogue, path: Path) -> None:
    """Write a file, whole or not at all, and tell so; raises HexdeckError where that fails."""
    from hexdeck.files import write_atomically  # it imports NumPy

    write_atomically(path, text.encode() if isinstance(text, str) else text)
    tell(catalogue.words(say("Written: {file}", file=str(path))), sys.stderr)


def wants_page(arguments: argparse.Namespace) -> bool:
    """Whether a page is asked for."""
    return arguments.page is not None or bool(vars(arguments).get("open"))


def where_the_rest_is(arguments: argparse.Namespace, catalogue: Catalogue) -> None:
    """Tell how to see the page with all charts and tables, if none was made."""
    if not wants_page(arguments):
        text = say("The page has more: charts, more tables, examples. --open shows it, --page FILE writes it.")
        tell(catalogue.words(text), sys.stderr)


def can_hold(path: Path) -> bool:
    """Whether a file can be written there, with the folders it needs; leaves nothing behind."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return not path.is_dir()


# --- tables and charts ------------------------------------------------------------------------------------------------
def make_console(**how: Any) -> Console:
    """Rich's console, which wraps lines at spaces, but at no no-break space."""
    import rich._wrap
    from rich.console import Console

    rich._wrap.re_word = WORD  # noqa: SLF001 - Rich has no setting for it
    return Console(emoji=False, **how)


def with_percent(cell: str) -> str:
    """A cell that isn't broken between a number and its %."""
    return cell.replace(" %", "\u00a0%")


def show_table(console: Console, section: Section, about: str = "") -> None:
    """Print a section as a table; `about` stands before its title."""
    from rich.table import Table

    from hexdeck.lab.reporting.wording import unbroken

    table = Table(title=": ".join(filter(None, (about, unbroken(section.title)))), min_width=60)
    for k, head in enumerate(section.heads):
        figures = [word for row in section.rows for word in with_percent(row[k]).split(" ")] if k else []  # never cut
        widest = max(map(len, figures), default=0)
        table.add_column(unbroken(head), justify="right" if k else "left", min_width=widest, overflow="fold")
    for row in section.rows:
        table.add_row(*map(with_percent, row))
    console.print(table)
    if section.note:
        console.print(unbroken(section.note), style="dim")


def wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    """A text wrapped to lines of 79 characters; `first` is the indent of the first line, if it differs."""
    return textwrap.wrap(text, 79, initial_indent=first or indent, subsequent_indent=indent, break_on_hyphens=False)


def chart(values: Sequence[float], low: float, high: float, width: int, *, fancy: bool = True) -> list[str]:
    """The lines of the plot from the top, at most `width` characters each; `low` and `high` are the ends of its scale.

    `fancy`: with block elements rather than ASCII.
    """
    top = 8 * ROWS - 1
    eighths = [1 + round(top * (value - low) / (high - low)) for value in chart_columns(values, width)]
    rows = [[min(max(height - 8 * row, 0), 8) for height in eighths] for row in reversed(range(ROWS))]
    return ["".join(letter(part, fancy) for part in row).rstrip() for row in rows]


def letter(eighths: int, fancy: bool) -> str:
    """The character for a column's part in one line."""
    return EIGHTHS[eighths] if fancy else ASCII_EIGHTHS[min(eighths, 7)]


def chart_columns(values: Sequence[float], width: int) -> list[float]:
    """The value of each column: several columns for a value, or the mean of several values for a column."""
    if len(values) <= width:
        times = min(WIDEST, width // len(values))
        return [value for value in values for _ in range(times)]
    edges = [round(k * len(values) / width) for k in range(width + 1)]
    return [sum(values[a:b]) / (b - a) for a, b in itertools.pairwise(edges)]


def is_fancy(encoding: str | None) -> bool:
    """Whether an encoding has the characters of plots."""
    try:
        "│▁█░".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


# --- progress ---------------------------------------------------------------------------------------------------------
def bars(catalogue: Catalogue) -> Progress:
    """Progress bars with the time left, on the error stream if it is a terminal; a context that removes them."""
    from rich.progress import Progress

    return Progress(
        *columns(catalogue), console=make_console(stderr=True), transient=True, disable=not sys.stderr.isatty()
    )


def seconds_passing() -> Progress:
    """A bar that moves, with the time so far, where the error stream is a terminal; a context that removes it."""
    from rich.progress import BarColumn, Progress, TimeElapsedColumn

    bar = Progress(
        BarColumn(),
        TimeElapsedColumn(),
        console=make_console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    bar.add_task("", total=None)
    return bar


def columns(catalogue: Catalogue) -> list[ProgressColumn]:
    """What a progress bar shows: what is done, how much of it, the time left."""
    from rich.progress import BarColumn, ProgressColumn, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text as Drawn

    class Done(ProgressColumn):
        """How many things are done: the field `played`, or what is completed."""

        def render(self, task: Task) -> Drawn:
            return Drawn(worded(catalogue)(count(int(task.fields.get("played", task.completed)))))

    return [TextColumn("{task.description}"), BarColumn(), Done(), TimeRemainingColumn()]


def tell_cost(catalogue: Catalogue, setup: SimulationSetup, games: int | None) -> None:
    """Print how long so many games take, if some bot is slow (two are played to find out); None is unknown."""
    from hexdeck.simulation.simulate import simulate, takes_time

    if takes_time(setup.game, setup.bots):
        simulate(setup.game, 1, setup.bots)  # may include compilation
        began = time.perf_counter()
        simulate(setup.game, 1, setup.bots, first=1)
        text = cost(time.perf_counter() - began, games, setup.threads)
        tell(catalogue.words(text), sys.stderr)


def cost(seconds: float, games: int | None, threads: int) -> Text:
    """The sentence, from the seconds of one game and the number of games, if that is known."""
    if games is None:
        text = _("These bots take their time: a game takes about {each}; give --games to play fewer.")
        return say(text, each=span(seconds))
    text = _("These bots take their time: a game takes about {each}, {games} games about {all}.")
    return say(text, each=span(seconds), games=count(games), all=span(seconds * games / min(threads, games)))


def span(seconds: float) -> Text:
    """A duration in seconds, minutes or hours."""
    for unit, of in ((_("{n} h"), 3600), (_("{n} min"), 60)):
        if seconds >= 2 * of:
            return say(unit, n=rounded(seconds / of))
    return say("{n} s", n=rounded(seconds))


def rounded(value: float) -> Text | str:
    """A number with two digits, or with none after the point."""
    if value >= 10:
        return count(round(value))
    return number(value, 1 if value <= 0 else max(0, 1 - floor(log10(value))))
