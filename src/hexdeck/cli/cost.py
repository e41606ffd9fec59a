"""The time that games between slow bots will take, printed before they are played."""

from __future__ import annotations

import sys
import time
from math import floor, log10
from typing import TYPE_CHECKING

from hexdeck.cli.lines import tell
from hexdeck.engine.number_words import count, number
from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.lab.log import SimulationSetup


def tell_cost(catalogue: Catalogue, setup: SimulationSetup, games: int | None) -> None:
    """Print how long so many games take, if some bot is slow (two are played to find out); None is unknown."""
    from hexdeck.simulation.seating import takes_time
    from hexdeck.simulation.simulate import simulate

    if takes_time(setup.game, setup.bots):
        simulate(setup.game, 1, setup.bots)  # may include compilation
        began = time.perf_counter()
        simulate(setup.game, 1, setup.bots, first=1)
        text = cost(time.perf_counter() - began, games, setup.threads)
        tell(catalogue.words(text), sys.stderr)


def cost(seconds: float, games: int | None, threads: int) -> Text:
    """The sentence, from the seconds of one game and the number of games, if that is known."""
    if games is None:
        text = _("These bots take their time: a game takes about {each}; give --games to play fewer.")
        return say(text, each=span(seconds))
    text = _("These bots take their time: a game takes about {each}, {games} games about {all}.")
    return say(text, each=span(seconds), games=count(games), all=span(seconds * games / min(threads, games)))


def span(seconds: float) -> Text:
    """A duration in seconds, minutes or hours."""
    for unit, of in ((say_hours, 3600), (say_minutes, 60)):
        if seconds >= 2 * of:
            return unit(rounded(seconds / of))
    return say("{n} s", n=rounded(seconds))


def say_hours(n: Text | str) -> Text:
    """A duration in hours."""
    return say("{n} h", n=n)


def say_minutes(n: Text | str) -> Text:
    """A duration in minutes."""
    return say("{n} min", n=n)


def rounded(value: float) -> Text | str:
    """A number with two digits, or with none after the point."""
    if value >= 10:
        return count(round(value))
    return number(value, 1 if value <= 0 else max(0, 1 - floor(log10(value))))
