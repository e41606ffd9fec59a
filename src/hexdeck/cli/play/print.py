"""`hexdeck print GAME`: a game as a PDF, to be played with cards on a table."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hexdeck.cli.lines import tell
from hexdeck.cli.output import write_file
from hexdeck.cli.parser import add_game, needs
from hexdeck.engine.text import Catalogue, say

ABOUT = say("make a PDF of the rules, the cards, the board and score sheets")
EXAMPLES = "hexdeck print cursed-hand", "hexdeck print high-handed --paper letter --part cards board"
SIZES = "a4", "letter"
PARTS = "rules", "cards", "board", "scores"


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck print GAME [--paper SIZE] [--part PART …] [--out FILE]`."""
    add_game(parser, t)
    about = say("size of the paper: a4 or letter (default: a4)")
    parser.add_argument("--paper", choices=SIZES, default="a4", help=t(about))
    about = say("what to print: rules, cards, board or scores (default: all that the game has)")
    parser.add_argument("--part", nargs="+", choices=PARTS, metavar=t(say("PART")), help=t(about))
    about = say("the file to write (default: GAME.pdf, by the game's name)")
    parser.add_argument("--out", type=Path, metavar=t(say("FILE")), help=t(about))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Make the PDF, and say where it is."""
    needs("print", "fpdf", "markdown_it", "markupsafe")
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.web.paper.document import document

    name = find_game(arguments.game)
    target = arguments.out or Path(f"{name}.pdf")
    write_file(document(name, words.lang, arguments.paper, tuple(arguments.part or PARTS)), words, target)
    tell(words.words(say("Print it at full size (100 %), on both sides of the paper; thick paper is best for cards.")))
    return 0
