"""What a seat's total is made of: points, chips or losses by source, as plain data from a game's struct.

A game lists its accounts in `hints.accounts(s)`. The figures of the sources of an account add up to its total.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.engine.text import Text

NOBODY = -1


@dataclass(frozen=True)
class Transitions:
    """Changes of structs, one for each decision: with all that chance does until the next one.

    `before` and `after`: structured arrays of structs. `seat` and `action`: the decision; NOBODY for how a match is set
    up, where `before` has nothing but options. `turn`: which turn of the seat it is, counted from 1 within a deal.
    """

    before: np.ndarray
    after: np.ndarray
    seat: np.ndarray
    action: np.ndarray
    turn: np.ndarray

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(self.after["seats"].max(initial=1))

    def change(self, *fields: str) -> Any:
        """By how much fields of the struct change, summed over the fields."""
        return sum(self.after[name].astype(np.int64) - self.before[name] for name in fields)

    def by_actor(self, amounts: np.ndarray) -> np.ndarray:
        """The amounts for the seat that decides, nothing for the others: (transitions, seats)."""
        acts = self.seat[:, None] == np.arange(self.seats)
        found: np.ndarray = np.where(acts, np.asarray(amounts)[:, None], 0)
        return found


@dataclass(frozen=True)
class Source:
    """A source of what seats get: its name, and for `Transitions` the amounts by seat, (transitions, seats or more)."""

    name: Text
    amounts: Callable[[Transitions], np.ndarray]


@dataclass(frozen=True)
class Account:
    """What a total is made of.

    `title`: of the table, such as “Points by kind of hand”. `unit`: what is counted, a noun in the plural. `total`: of
    structs of matches that are over, the total by seat. `sources`: what it comes from; their amounts add up to the
    total. `beside`: what else is counted, such as cards played, and isn't part of the total.
    """

    title: Text
    unit: Text
    total: Callable[[np.ndarray], np.ndarray]
    sources: tuple[Source, ...]
    beside: tuple[Source, ...] = ()
