"""`hexdeck solve GAME`: exact best play, what it is worth to each seat and what it looks like."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.parser import add_game, add_game_arguments, add_json, chosen_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.engine.notes import Entry, Sheet, Summary

ABOUT = say("solve a game exactly, and show what best play looks like")
EXAMPLES = ("hexdeck solve blackstone --players 2",)
WIDTH = 79


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck solve GAME --players N …`."""
    add_game(parser, t)
    add_game_arguments(parser, t)
    about = default(say("chips in the pot at the start"), 0)
    parser.add_argument("--pot", type=int, default=0, metavar="N", help=t(about))
    add_json(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Solve, then print the sheets."""
    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.definition import definition, playable

    check_figures(arguments)
    chosen = chosen_game(arguments)
    if chosen.definition.solver is None:
        there = ", ".join(name for name in playable() if definition(name).solver)
        raise BadOption(say("There is no solver for {game}; there is one for {there}.", game=chosen.name, there=there))
    summary: Summary = chosen.definition.solver.SOLVER.summary(chosen, arguments.pot)
    own = game_words(chosen.name, words.lang)
    give(head("solution", chosen) | {"pot": arguments.pot, **as_data(summary, own.words)}, arguments, own)
    if not alone(arguments):
        print(shown(summary, own.words))
    return 0


def as_data(summary: Summary, t: Callable[[Any], str]) -> dict[str, Any]:
    """The title, tables and notes as data, in words as they are printed."""
    sheets = [
        {"title": t(sheet.title), "heads": [word(entry, t) for entry in sheet.heads],
         "rows": [[word(entry, t) for entry in row] for row in sheet.rows], "note": t(sheet.note) if sheet.note else ""}
        for sheet in summary.sheets
    ]  # fmt: skip
    return {"title": t(summary.title), "sheets": sheets, "notes": [t(note) for note in summary.notes]}


def shown(summary: Summary, t: Callable[[Any], str]) -> str:
    """The whole summary, in lines of 79."""
    parts = [wrapped(t(summary.title)), *(sheet_lines(sheet, t) for sheet in summary.sheets)]
    parts.append([line for note in summary.notes for line in wrapped(t(note))])
    return "\n\n".join("\n".join(part) for part in parts)


def sheet_lines(sheet: Sheet, t: Callable[[Any], str]) -> list[str]:
    """A sheet, its columns as wide as their widest entry."""
    table = [[word(entry, t) for entry in row] for row in (sheet.heads, *sheet.rows)]
    wide = [max(len(row[k]) for row in table) for k in range(len(sheet.heads))]
    lines = ["  " + "  ".join(entry.rjust(width) for entry, width in zip(row, wide, strict=True)) for row in table]
    rule = "  " + "  ".join("─" * width for width in wide)
    note = wrapped(t(sheet.note)) if sheet.note else []
    return [*wrapped(t(sheet.title)), lines[0].rstrip(), rule, *(line.rstrip() for line in lines[1:]), *note]


def word(entry: Entry, t: Callable[[Any], str]) -> str:
    """An entry in words."""
    return entry if isinstance(entry, str) else t(entry)


def wrapped(text: str) -> list[str]:
    """A sentence in lines of 79."""
    return textwrap.wrap(text, WIDTH)
