"""`hexdeck compile`: fills the cache of machine code, so that later commands start at once."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from hexdeck.cli.lines import tell
from hexdeck.cli.parser import add_games
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.number_words import number
from hexdeck.engine.text import Catalogue, say

if TYPE_CHECKING:
    from hexdeck.engine.discovery.definition import GameDefinition

WITH_CALLER = "--with-caller"  # end when the standard input is closed, as it is when whoever began this is gone
ABOUT = say("compile games ahead of time, so that they start at once")
EXAMPLES = ("hexdeck compile hawthorn",)


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck compile [GAME …]`."""
    parser.add_argument("--gently", action="store_true", help=t(say("run at a lower priority than other programs")))
    parser.add_argument(WITH_CALLER, action="store_true", help=argparse.SUPPRESS)
    add_games(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Compile games; returns 1 if one can't be. Raises HexdeckError where the environment asks for no machine code."""
    if arguments.gently and hasattr(os, "nice"):
        os.nice(10)
    from hexdeck.cli.prepare import is_warm, warm_lab
    from hexdeck.engine.backends.build import can_build, end_with_caller
    from hexdeck.engine.discovery.definition import definition, playable
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.driver import default_backend, is_compiled, usual_backend

    if arguments.with_caller:
        threading.Thread(target=end_with_caller, daemon=True).start()
    games = [definition(name) for name in [find_game(name) for name in arguments.games] or playable()]
    if default_backend() == "interpreted":
        raise HexdeckError(say("HEXDECK_BACKEND is interpreted, which needs no machine code: unset it to compile."))
    if not can_build() and not all(is_compiled(game) for game in games):
        raise HexdeckError(say("There is no compiler here; pip install '.[build]' in Hexdeck's folder installs it."))
    compiled = [game for game in games if compile_game(game, words)]
    if compiled and not is_warm(used := usual_backend(compiled[-1])):
        warm_lab(compiled[-1].name, used)
    return 0 if len(compiled) == len(games) else 1


def compile_game(game: GameDefinition, words: Catalogue) -> bool:
    """Compile a game and print how long it took; if it can't be compiled, print why and return False."""
    from hexdeck.simulation.warm import warm

    try:
        seconds = warm(game.name)
    except HexdeckError as error:
        tell(f"hexdeck: {words.words(error.text)}", sys.stderr)
        return False
    print(words.words(say("{game}: {seconds} s", game=game.name, seconds=number(seconds, 1))), flush=True)
    return True


def compiling(games: Sequence[str]) -> subprocess.Popen[bytes]:
    """Compile games in a process of its own, which gives way to others and ends with this one."""
    quiet = subprocess.DEVNULL
    begun = subprocess.Popen(  # noqa: S603
        [sys.executable, "-P", "-m", "hexdeck", "compile", "--gently", WITH_CALLER, *games], stdin=subprocess.PIPE,
        stdout=quiet, stderr=quiet, env=os.environ, start_new_session=True,
    )  # fmt: skip
    _BEGUN.append(begun)
    return begun


_BEGUN: list[subprocess.Popen[bytes]] = []  # as long as one is kept, its standard input stays open
