"""What is told of a game to somebody who doesn't know it."""

from __future__ import annotations

from dataclasses import dataclass

from hexdeck.engine.text import Text


@dataclass(frozen=True)
class About:
    """A game in a sentence or two, and what else is told of it; what is None follows from the docstring of its rules.

    `tagline`: the game in a few words. `credit`: who designed it. `minutes`: how long a usual match of four takes, here
    and with cards on a table. `deal`: what a row of the score sheet is called.
    """

    text: Text | None = None
    tagline: Text | None = None
    credit: Text | None = None
    minutes: tuple[int, int] | None = None
    deal: Text | None = None
