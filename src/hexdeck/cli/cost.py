"""What games with bots that take their time cost, told before they are played."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hexdeck.engine.text import Catalogue, Text, _, say

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game


def tell_cost(own: Catalogue, game: Game, bots: Sequence[str], games: int | None, threads: int) -> None:
    """Say how long games take, if some bot plays that is asked choice by choice; two are played to find out."""
    from rich.console import Console

    from hexdeck.simulation.seating import takes_time

    if takes_time(game, bots):
        game.simulate(1, bots)  # may have to be compiled
        began = time.perf_counter()
        game.simulate(1, bots, first=1)
        text = cost(time.perf_counter() - began, games, threads)
        Console(stderr=True).print(own.words(text), soft_wrap=True, highlight=False)


def cost(seconds: float, games: int | None, threads: int) -> Text:
    """The sentence, by what one game took and how many there will be, if that is known."""
    if games is None:
        text = _("These bots take their time: a game takes about {each}; give --games to play fewer.")
        return say(text, each=span(seconds))
    text = _("These bots take their time: a game takes about {each}, {games} games about {all}.")
    return say(text, each=span(seconds), games=f"{games:,}", all=span(seconds * games / min(threads, games)))


def span(seconds: float) -> Text:
    """A time, in seconds, minutes or hours."""
    for unit, of in ((say_hours, 3600), (say_minutes, 60)):
        if seconds >= 2 * of:
            return unit(rounded(seconds / of))
    return say("{n} s", n=rounded(seconds))


def say_hours(n: str) -> Text:
    """So many hours."""
    return say("{n} h", n=n)


def say_minutes(n: str) -> Text:
    """So many minutes."""
    return say("{n} min", n=n)


def rounded(number: float) -> str:
    """A number in two digits, or without any after the point."""
    return f"{number:.2g}" if number < 10 else f"{number:,.0f}"
