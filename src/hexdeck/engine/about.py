"""What a game says of itself, and why its rules forbid a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hexdeck.engine.text import Text, say


@dataclass(frozen=True)
class About:
    """A game in a sentence or two, and what else people are told of it.

    What is None follows from the name of its folder and the docstring of its rules. `title`: its name. `text`: the game
    in a sentence or two. `tagline`: in a few words. `credit`: who designed it. `minutes`: how long a usual match of
    four takes, here and with cards on a table. `deal`: what a row of the score sheet is called. `measured`: options
    that this and what else is stored of the game were measured with, where the defaults, such as what is printed on
    cards, are others now.
    """

    title: Text | None = None
    text: Text | None = None
    tagline: Text | None = None
    credit: Text | None = None
    minutes: tuple[int, int] | None = None
    deal: Text | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)


class Reason(NamedTuple):
    """Why a move is illegal: the rule that forbids it, by its id, and a sentence for the player."""

    rule: str
    text: Text


LEGAL = Reason("", say("This can be done."))
