"""What is told of a game to somebody who doesn't know it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hexdeck.engine.text import Text


@dataclass(frozen=True)
class About:
    """A game in a sentence or two, and what else is told of it; what is None follows from the docstring of its rules.

    `tagline`: the game in a few words. `credit`: who designed it. `minutes`: how long a usual match of four takes, here
    and with cards on a table. `deal`: what a row of the score sheet is called. `measured`: options that this and what
    else is stored of the game were measured with, where the defaults, such as what is printed on cards, are others now.
    """

    text: Text | None = None
    tagline: Text | None = None
    credit: Text | None = None
    minutes: tuple[int, int] | None = None
    deal: Text | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)
