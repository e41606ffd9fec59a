"""`hexdeck rules GAME`: how a game is played."""

from __future__ import annotations

import argparse
from typing import Any

from hexdeck.engine.text import Catalogue, say

ABOUT = say("how a game is played, with an example")


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck rules GAME`."""
    parser.add_argument("game", metavar=told(say("GAME")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print the rules."""
    from rich.console import Console

    from hexdeck.engine.game import find_game, game_folder
    from hexdeck.terminal.rulebook import show_rules

    show_rules(Console(), game_folder(find_game(arguments.game)), words.lang)
    return 0
