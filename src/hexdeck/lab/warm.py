"""Compile what reports, comparisons and data sets count games with: once for all games, ahead of time."""

from __future__ import annotations

from hexdeck.engine.backends.cache import mark_ready, ready
from hexdeck.engine.backends.library_files import complete
from hexdeck.engine.play.driver import kernels_used
from hexdeck.lab.counting.collect import Desk
from hexdeck.lab.counting.metrics import table
from hexdeck.lab.counting.sample import matches
from hexdeck.lab.counting.tension import Watcher
from hexdeck.simulation.game import game

OWNER = ("hexdeck.lab.counting.kernels",)


def is_warm(backend: str = "fast") -> bool:
    """Whether machine code for counting games waits on disk."""
    return (backend == "fast" and complete(OWNER)) or ready(OWNER, backend)


def warm_lab(name: str, backend: str = "fast") -> None:
    """Compile it by using it on a game."""
    chosen = game(name)
    table(chosen, Desk(chosen, "house", 1, backend).gather(0, 2), backend)
    for match in matches(chosen, "house", 1, 1, backend):
        Watcher(chosen, 1, backend).watch(match, 0)
    mark_ready(OWNER, backend, kernels_used(backend))
