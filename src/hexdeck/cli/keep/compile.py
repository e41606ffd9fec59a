"""`hexdeck compile`: fill the cache of machine code, so that later commands start at once."""

from __future__ import annotations

import argparse
import os
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import Catalogue, say

ABOUT = say("make the machine code now that simulations need")


def add(parser: argparse.ArgumentParser, told: Any) -> None:
    """`hexdeck compile [GAME …]`."""
    parser.add_argument("--gently", action="store_true", help=told(say("give way to other programs")))
    parser.add_argument("games", nargs="*", metavar=told(say("GAME")), help=told(say("without one, all")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Compile."""
    if arguments.gently and hasattr(os, "nice"):
        os.nice(10)
    from hexdeck.engine.backends.build import can_build
    from hexdeck.engine.discovery.definition import definition, playable
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.driver import is_compiled, usual_backend
    from hexdeck.lab.warm import is_warm, warm_lab
    from hexdeck.simulation.warm import warm

    wanted = [find_game(name) for name in arguments.games] or playable()
    if not can_build() and not all(is_compiled(definition(name)) for name in wanted):
        raise BadOption(say("Nothing here makes machine code; pip install 'hexdeck[build]' gets what does."))
    for name in wanted:
        print(words.words(say("{game}: {seconds} s", game=name, seconds=f"{warm(name):.1f}")), flush=True)
    used = usual_backend(definition(name))
    if not is_warm(used):
        warm_lab(name, used)
    return 0
