"""`hexdeck check-game`: how far a game is, and what is still missing."""

from __future__ import annotations

import argparse
from typing import Any

from hexdeck.cli.output import wrapped
from hexdeck.cli.parser import add_game
from hexdeck.engine.text import Catalogue, say

ABOUT = say("check what a game of your own still lacks")
EXAMPLES = ("hexdeck --game-path games check-game my-game",)


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck check-game NAME`."""
    add_game(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Print each level as it is checked; returns 1 where the game doesn't even play as it should."""
    from hexdeck.authoring.progress import progress
    from hexdeck.engine.discovery.finding import find_game

    name, reached, going = find_game(arguments.game), "", True
    for level, about, found in progress(name):
        missing = [each for each in found if each.wrong]
        going = going and not missing
        reached = level if going else reached
        print(f"{level}: {words.words(about)}")
        for each in found:
            need = f"{each.need.what}: {words.words(each.need.why)}"
            wrong = "" if each.wrong in ("", "missing") else f" – {each.wrong}"
            mark = "ok" if not each.wrong else "missing" if each.wrong == "missing" else "FAILS"
            print(*wrapped(f"{need}{wrong}", " " * 12, f"  {mark:<10}"), sep="\n", flush=True)
    print(words.words(say("{game}: {level}.", game=name, level=reached) if reached else
                      say("{game} doesn't play as it should yet.", game=name)))  # fmt: skip
    return 0 if reached else 1
