"""The time that games between slow bots will take, printed before they are played."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.lab.counting.setup import SimulationSetup


def tell_cost(catalogue: Catalogue, setup: SimulationSetup, games: int | None) -> None:
    """Print how long so many games take, if some bot is slow (two are played to find out); None is unknown."""
    from rich.console import Console

    from hexdeck.simulation.seating import takes_time
    from hexdeck.simulation.simulate import simulate

    if takes_time(setup.game, setup.bots):
        simulate(setup.game, 1, setup.bots)  # may include compilation
        began = time.perf_counter()
        simulate(setup.game, 1, setup.bots, first=1)
        text = cost(time.perf_counter() - began, games, setup.threads)
        Console(stderr=True).print(catalogue.words(text), soft_wrap=True, highlight=False)


def cost(seconds: float, games: int | None, threads: int) -> Text:
    """The sentence, from the seconds of one game and the number of games, if that is known."""
    if games is None:
        text = _("These bots take their time: a game takes about {each}; give --games to play fewer.")
        return say(text, each=span(seconds))
    text = _("These bots take their time: a game takes about {each}, {games} games about {all}.")
    return say(text, each=span(seconds), games=f"{games:,}", all=span(seconds * games / min(threads, games)))


def span(seconds: float) -> Text:
    """A duration in seconds, minutes or hours."""
    for unit, of in ((say_hours, 3600), (say_minutes, 60)):
        if seconds >= 2 * of:
            return unit(rounded(seconds / of))
    return say("{n} s", n=rounded(seconds))


def say_hours(n: str) -> Text:
    """A duration in hours."""
    return say("{n} h", n=n)


def say_minutes(n: str) -> Text:
    """A duration in minutes."""
    return say("{n} min", n=n)


def rounded(number: float) -> str:
    """A number with two digits, or with none after the point."""
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"
