"""`hexdeck compile`, and compilation before a command that needs machine code, with a line that says so."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hexdeck.cli import output
from hexdeck.engine.backends.cache import MAKING, TOLD
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue, Text, number, say

if TYPE_CHECKING:
    from hexdeck.engine.discovery.definition import GameDefinition
    from hexdeck.lab.reporting.report import Tick

BARS = 8  # progress bars shown at a time, the latest ones
COUNTING = ("hexdeck.lab.kernels",)  # the kernels that count games, once for all games
WITH_CALLER = "_HEXDECK_CALLER"  # in the environment: end when the standard input is closed, as its caller is gone


# --- before a command -------------------------------------------------------------------------------------------------
def prepare(name: str, catalogue: Catalogue, *, counts: bool = False, complete: bool = True) -> None:
    """Compile a game if it wasn't yet, and with `counts` the kernels that count games; tell what is being done.

    Without `complete` only what any simulation needs is made; the rest when it is used.
    """
    from hexdeck.engine.backends.build import can_build
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.play.game import default_backend, has_functions, is_compiled, usual_backend

    if default_backend() != "fast" or not can_build():
        return
    if not (is_compiled if complete else has_functions)(definition(name)):
        from hexdeck.engine.backends import library
        from hexdeck.simulation.warm import GENERIC, warm

        tell(catalogue, say("Compiling {game}; the first time and after a change, for a minute or so …", game=name))
        with output.seconds_passing():
            if complete:
                warm(name)
            else:
                library.load_together([definition(name).owners, *GENERIC])
    if counts:
        backend = usual_backend(definition(name))
        if not is_warm(backend):
            tell(catalogue, say("Compiling what counts games; only the first time, for a minute or so …"))
            with output.seconds_passing():
                warm_lab(name, backend)


def is_warm(backend: str = "fast") -> bool:
    """Whether machine code for counting games is in the cache."""
    from hexdeck.engine.backends.cache import complete, ready

    return (backend == "fast" and complete(COUNTING)) or ready(COUNTING, backend)


def warm_lab(name: str, backend: str = "fast") -> None:
    """Compile the kernels that reports, comparisons and data sets count games with, by using them on a game."""
    from hexdeck.engine.backends.cache import mark_ready
    from hexdeck.engine.play.game import GameSetup, kernels_used
    from hexdeck.lab.counts import count, metric_table
    from hexdeck.lab.log import Player, SimulationSetup, matches
    from hexdeck.lab.tension import MatchAnalyser

    setup = SimulationSetup(GameSetup.named(name), seed=1, backend=backend)
    metric_table(setup.game, count(Player(setup), 0, 2))
    MatchAnalyser(setup).analyse(next(matches(setup, 1)), 0)
    mark_ready(COUNTING, backend, kernels_used(backend))


def tell(catalogue: Catalogue, text: Text) -> None:
    """Print a line to the error stream at once; what makes machine code then needs none of its own."""
    TOLD.add(str(MAKING))
    output.tell(catalogue.words(text), sys.stderr)


@contextmanager
def ticking(name: str) -> Iterator[Tick]:
    """Compile a game and the kernels that count it if need be; then a progress bar for each kind of work."""
    prepare(name, output.ENGLISH, counts=True)
    with output.bars(output.ENGLISH) as progress:
        tasks: dict[str, Any] = {}
        lock = threading.Lock()

        def tick(title: str, advance: int, of: int | None) -> None:
            with lock:
                if title not in tasks:
                    tasks[title] = progress.add_task(title, total=of)
                    for old in [*tasks.values()][:-BARS]:
                        progress.update(old, visible=False)
            progress.update(tasks[title], advance=advance, total=of)

        yield tick


# --- the command ------------------------------------------------------------------------------------------------------
def run(arguments: argparse.Namespace, catalogue: Catalogue) -> int:
    """Compile games; returns 1 if one can't be. Raises HexdeckError where the environment asks for no machine code."""
    if arguments.gently and hasattr(os, "nice"):
        os.nice(10)
    from hexdeck.engine.backends import library
    from hexdeck.engine.backends.build import can_build, end_with_caller
    from hexdeck.engine.discovery.definition import definition, playable
    from hexdeck.engine.discovery.finding import find_game
    from hexdeck.engine.play.game import default_backend, is_compiled, usual_backend

    if WITH_CALLER in os.environ:
        threading.Thread(target=end_with_caller, daemon=True).start()
    games = [definition(name) for name in [find_game(name) for name in arguments.games] or playable()]
    if default_backend() == "interpreted":
        raise HexdeckError(say("HEXDECK_BACKEND is interpreted, which needs no machine code: unset it to compile."))
    if not can_build() and not all(is_compiled(game) for game in games):
        raise HexdeckError(say("There is no compiler here; pip install '.[build]' in Hexdeck's folder installs it."))
    if default_backend() == "fast" and can_build():
        library.load_together([game.owners for game in games])
    compiled = [game for game in games if compile_game(game, catalogue)]
    if compiled and not is_warm(used := usual_backend(compiled[-1])):
        warm_lab(compiled[-1].name, used)
    return 0 if len(compiled) == len(games) else 1


def compile_game(game: GameDefinition, catalogue: Catalogue) -> bool:
    """Compile a game and print how long it took; if it can't be compiled, print why and return False."""
    from hexdeck.simulation.warm import warm

    try:
        seconds = warm(game.name)
    except HexdeckError as error:
        output.tell(f"hexdeck: {catalogue.words(error.text)}", sys.stderr)
        return False
    print(catalogue.words(say("{game}: {seconds} s", game=game.name, seconds=number(seconds, 1))), flush=True)
    return True


def compile_meanwhile(names: Sequence[str]) -> subprocess.Popen[bytes] | None:
    """Compile those of some games that aren't compiled yet in a process of its own; until then they are interpreted."""
    from hexdeck.engine.backends.build import can_build
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.play.game import default_backend, is_compiled

    cold = [name for name in names if not is_compiled(definition(name))]
    if default_backend() != "fast" or not cold or not can_build():
        return None
    return compiling(cold)


def compiling(games: Sequence[str]) -> subprocess.Popen[bytes]:
    """Compile games in a process of its own, which gives way to others and ends with this one."""
    command = [sys.executable, "-P", "-m", "hexdeck", "compile", "--gently", *games]
    streams: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    own = os.environ | {WITH_CALLER: "1"}
    process = subprocess.Popen(command, **streams, env=own, start_new_session=True)  # noqa: S603
    _PROCESSES.append(process)
    return process


_PROCESSES: list[subprocess.Popen[bytes]] = []  # as long as one is in here, its standard input stays open
