"""Compile the kernels that reports, comparisons and data sets count games with: once for all games, ahead of time."""

from __future__ import annotations

from hexdeck.engine.backends.cache import mark_ready, ready
from hexdeck.engine.backends.library_files import complete
from hexdeck.engine.play.driver import kernels_used
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counts import count, metric_table
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.lab.tension import MatchAnalyser

OWNER = ("hexdeck.lab.kernels",)


def is_warm(backend: str = "fast") -> bool:
    """Whether machine code for counting games is in the cache."""
    return (backend == "fast" and complete(OWNER)) or ready(OWNER, backend)


def warm_lab(name: str, backend: str = "fast") -> None:
    """Compile the kernels by using them on a game."""
    setup = SimulationSetup(GameSetup.named(name), seed=1, backend=backend)
    metric_table(setup.game, count(Player(setup), 0, 2), backend)
    for match in matches(setup, 1):
        MatchAnalyser(setup).analyse(match, 0)
    mark_ready(OWNER, backend, kernels_used(backend))
