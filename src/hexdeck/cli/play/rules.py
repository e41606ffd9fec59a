"""`hexdeck rules GAME`: how a game is played."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from hexdeck.cli.output import make_console
from hexdeck.cli.parser import add_game
from hexdeck.engine.text import Catalogue, say

ABOUT = say("show how a game is played, with an example")
EXAMPLES = "hexdeck rules hawthorn", "hexdeck rules hawthorn --example"


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck rules GAME [--example]`."""
    add_game(parser, t)
    parser.add_argument(
        "--example", action="store_true", help=t(say("step through an example of play instead, screen by screen"))
    )


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print the rules, or step through the example."""
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.terminal.rulebook import show_rules

    name = find_game(arguments.game)
    if arguments.example:
        step_through(name, words.lang)
    else:
        show_rules(make_console(), name, words.lang)
    return 0


def step_through(name: str, lang: str) -> None:
    """Show the example: screen by screen at a terminal, through a pipe all steps in a row."""
    from rich.console import Console

    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.errors import BadOption
    from hexdeck.engine.play.worked import steps
    from hexdeck.terminal.rulebook import tell_example, walk_example
    from hexdeck.terminal.screen import Screen

    found = steps(name, lang)
    if not found:
        raise BadOption(say("This game has no example to step through."))
    console = Console(highlight=False, markup=False, emoji=False)
    words = game_words(name, lang, found[0].view.names)
    screen = Screen.of(console, words, definition(name).table.ABOUT.title)
    if sys.stdin.isatty() and console.is_terminal:
        walk_example(console, screen, found)
    else:
        tell_example(console, screen, found)
