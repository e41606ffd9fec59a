"""What a bot is: it chooses from what a seat knows, and can say what it thinks of each choice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import Driver, raw
from hexdeck.engine.text import _, say

SPARE = 1  # a row


@dataclass(frozen=True)
class Candidate:
    """A legal action as a bot sees it.

    `chance`: how often the bot plays it here, 0 to 1; over all candidates they sum to 1. `worth`: the utility it
    expects for the seat at the end of the match, as the rules' `returns` counts it, or None where it has no idea.
    Policies (nets, the house bot, dice) know how often they play a move and not what it brings; nor does a solution,
    where it isn't exact. Their moves are tried in re-dealt worlds when candidates are asked for, all seats going on as
    the bot does (as the house bot after a solution's); so are those that a search never tried. In the interpreted
    backend that takes long, and is done only when a number of worlds is asked for.
    `margin`: half the 95 % interval of `worth`, None where it is exact or unknown.
    """

    action: int
    chance: float
    worth: float | None
    margin: float | None


class Bot(Protocol):
    """Whoever chooses an action from what a seat knows."""

    name: str

    def begin(self, number: int) -> None:
        """From now on it throws the dice of match `number`: what it chose in others before changes nothing."""

    def choose(self, known: bytes, seat: int) -> int:
        """An action id, from the bytes of the struct as `Match.concealed` gives it to the seat."""

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first; one of unknown worth is tried in so many worlds, or in none (0).

        Unless said in 200, in the interpreted backend in none.
        """


def take(driver: Driver, rows: Any, known: bytes, seat: int, row: int = 0) -> None:
    """Put what a seat knows into a row of a bot's own; row `SPARE` is written too.

    Raises HexdeckError unless these are the bytes of a game's struct in which this seat is to act, and hold nothing
    that the seat doesn't know: concealing them once more changes nothing.
    """
    check(driver.rules, known, seat)
    own = raw(rows)
    own[row] = np.frombuffer(known, np.uint8)
    kernel: Any = driver.kernel("conceal_row")
    kernel(driver.g, rows, SPARE, row, seat)
    if own[SPARE].tobytes() != bytes(known):
        text = _(
            "A bot decides from what its seat knows, and these bytes hold more: match.concealed({seat}) makes them."
        )
        raise HexdeckError(say(text, seat=seat))


def check(rules: ModuleType, known: bytes, seat: int) -> None:
    """Raise HexdeckError unless these can be the bytes of a game's struct, in which this seat is to act."""
    if len(known) != rules.STRUCT.itemsize:
        text = say("What a seat knows of this game is {size} bytes long, not {given}.",
                   size=rules.STRUCT.itemsize, given=len(known))  # fmt: skip
        raise HexdeckError(text)
    kind, at = rules.STRUCT.fields["acting"][:2]
    acting = int(np.frombuffer(known, kind, 1, at)[0])
    if seat < 0 or not acting >> seat & 1:
        raise HexdeckError(say("A bot was asked for seat {seat}, which is not to act now.", seat=seat))


def by_worth(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The one played most often first, then by worth, then by action."""

    def order(candidate: Candidate) -> tuple[float, float, int]:
        worth = float("inf") if candidate.worth is None else -candidate.worth
        return -candidate.chance, worth, candidate.action

    return sorted(candidates, key=order)
