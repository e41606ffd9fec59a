"""`hexdeck compile`: fills the cache of machine code, so that later commands start at once."""

from __future__ import annotations

import argparse
import os
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue, say

ABOUT = say("make the machine code now that simulations need")


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck compile [GAME …]`."""
    parser.add_argument("--gently", action="store_true", help=t(say("give way to other programs")))
    parser.add_argument("games", nargs="*", metavar=t(say("GAME")), help=t(say("without one, all")))


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Compile games; raises HexdeckError where the environment asks for no machine code."""
    if arguments.gently and hasattr(os, "nice"):
        os.nice(10)
    from hexdeck.engine.discovery.definition import definition, playable
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.driver import default_backend, usual_backend
    from hexdeck.lab.warm import is_warm, warm_lab
    from hexdeck.simulation.warm import warm

    names = [find_game(name) for name in arguments.games] or playable()
    if default_backend() == "interpreted":
        raise HexdeckError(say("HEXDECK_BACKEND is interpreted, which needs no machine code: unset it to compile."))
    for name in names:
        print(words.words(say("{game}: {seconds} s", game=name, seconds=f"{warm(name):.1f}")), flush=True)
    used = usual_backend(definition(name))
    if not is_warm(used):
        warm_lab(name, used)
    return 0
