"""Compilation before a command that needs machine code, and a line that says so, since it takes a while."""

from __future__ import annotations

import sys

from hexdeck.cli import lines
from hexdeck.engine.backends.notices import MAKING, TOLD
from hexdeck.engine.text import Catalogue, Text, say

COUNTING = ("hexdeck.lab.kernels",)  # the kernels that count games, once for all games


def prepare(name: str, catalogue: Catalogue, *, counts: bool = False, whole: bool = True) -> None:
    """Compile a game if it wasn't yet, and with `counts` the kernels that count games; tell what is being done.

    Without `whole` only what any simulation needs is made; the rest when it is used.
    """
    from hexdeck.engine.backends import library
    from hexdeck.engine.backends.build import can_build
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.play.driver import default_backend, has_functions, is_compiled, usual_backend
    from hexdeck.simulation.warm import GENERIC, warm

    if default_backend() != "fast" or not can_build():
        return
    if not (is_compiled if whole else has_functions)(definition(name)):
        tell(catalogue, say("Compiling {game}; only the first time, for a minute or so …", game=name))
        if whole:
            warm(name)
        else:
            library.load_together([definition(name).owners, (GENERIC,)])
    if counts:
        backend = usual_backend(definition(name))
        if not is_warm(backend):
            tell(catalogue, say("Compiling what counts games; only the first time, for a minute or so …"))
            warm_lab(name, backend)


def is_warm(backend: str = "fast") -> bool:
    """Whether machine code for counting games is in the cache."""
    from hexdeck.engine.backends.cache import ready
    from hexdeck.engine.backends.library_files import complete

    return (backend == "fast" and complete(COUNTING)) or ready(COUNTING, backend)


def warm_lab(name: str, backend: str = "fast") -> None:
    """Compile the kernels that reports, comparisons and data sets count games with, by using them on a game."""
    from hexdeck.engine.backends.cache import mark_ready
    from hexdeck.engine.play.driver import kernels_used
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.counts import count, metric_table
    from hexdeck.lab.log import Player, SimulationSetup, matches
    from hexdeck.lab.tension import MatchAnalyser

    setup = SimulationSetup(GameSetup.named(name), seed=1, backend=backend)
    metric_table(setup.game, count(Player(setup), 0, 2), backend)
    MatchAnalyser(setup).analyse(next(matches(setup, 1)), 0)
    mark_ready(COUNTING, backend, kernels_used(backend))


def tell(catalogue: Catalogue, text: Text) -> None:
    """Print a line to the error stream at once; what makes machine code then needs none of its own."""
    TOLD.add(str(MAKING))
    lines.tell(catalogue.words(text), sys.stderr)
