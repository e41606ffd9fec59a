"""`hexdeck new-game`: writes a small game to start from."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hexdeck.cli.lines import tell
from hexdeck.engine.text import Catalogue, say

ABOUT = say("start a game of your own from a template that can already be played")
EXAMPLES = ("hexdeck new-game my-game --folder games",)


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck new-game NAME`."""
    parser.add_argument("name", metavar=t(say("NAME")), help=t(say("name of the game")))
    parser.add_argument(
        "--folder", type=Path, default=Path(), metavar=t(say("FOLDER")),
        help=t(say("where to make its folder (default: here)")),
    )  # fmt: skip


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Write the game, and say what to do next."""
    from hexdeck.authoring.begin import new_game
    from hexdeck.engine.discovery.finding import name_of

    folder, name = new_game(arguments.name, arguments.folder), name_of(arguments.name)
    tell(words.words(say("{folder} is a game: rules.py says how it is played, table.py what is seen. Try it:",
                         folder=str(folder))))  # fmt: skip
    for command in ("play {name}", "serve", "simulate {name}", "check-game {name}"):
        print(f"  hexdeck --game-path {folder} {command.format(name=name)}")
    print(f"  pytest {folder}")
    return 0
