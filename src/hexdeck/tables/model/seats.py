"""Who sits where at a live table: people, bots, and seats that are open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hexdeck.bots.players.names import BOT_NAMES
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.record import clean_name
from hexdeck.engine.text import say

LONGEST_NAME = 16
PERSON, BOT, OPEN = "person", "bot", "open"
CLOCKS: dict[str, float | None] = {"none": None, "relaxed": 180.0, "brisk": 40.0}  # seconds for a decision
FIRST_CLOCK_WAIT = 120.0  # seconds that a seat's first clock waits, at most, for its page to be opened


@dataclass(frozen=True)
class Seat:
    """A seat of a live table.

    `kind`: who plays it now. `level`: the bot that plays it, or would. `owner`: whether a person, or a program over the
    network (`program`; `remote`: it plays now), holds its token; a seat that a bot plays for its owner can be taken
    back. `due`: when its clock runs out, in seconds since 1970; `left`: how many seconds were left of a clock that
    stands still, because a bot took over or the choice is made; `awaited`: its page hasn't been opened yet since the
    deal. `contribution`: what it added to the key of the cards; `freed`: how often it was taken from who held it;
    `coached`: each kind of decision is explained to its owner once. `muted`: the host has silenced it. `device`: the
    seat of whoever holds the token of the device that it plays on too; `face`, of such a holder: the seat that has the
    device in hand (`device.py`). `adds`: what it adds to the key of a rematch's cards.
    """

    kind: str
    name: str
    level: str = ""
    owner: bool = False
    remote: bool = False
    due: float | None = None
    contribution: str = ""
    left: float | None = None
    awaited: bool = False
    freed: int = 0
    program: bool = False
    coached: bool = False
    muted: bool = False
    device: int | None = None
    face: int = -1
    adds: str = ""

    @property
    def local(self) -> bool:
        """Whether this server thinks for the seat."""
        return self.kind == BOT and not self.remote

    def data(self) -> dict[str, Any]:
        """As it is stored."""
        return asdict(self)

    def record_data(self) -> dict[str, Any]:
        """As a record keeps it."""
        return {"name": self.name, "bot": self.level} if self.kind == BOT else {"name": self.name}


def seats_of(data: Sequence[Mapping[str, Any]]) -> tuple[Seat, ...]:
    """The seats that `Seat.data` made data of."""
    return tuple(Seat(**each) for each in data)


def cleaned_name(name: Any) -> str:
    """A name as somebody gave it: printable, on one line, without blanks around, short; empty when nothing is left."""
    return " ".join(clean_name(name).split())[:LONGEST_NAME].strip()


def free_name(wanted: str, taken: Sequence[str], seat: int) -> str:
    """A name that nobody else at the table has: the wanted one, numbered if need be, or one of our own."""
    if not wanted:
        return next(name for name in (BOT_NAMES[seat % len(BOT_NAMES)], *BOT_NAMES) if name not in taken)
    names = (wanted, *(f"{wanted[: LONGEST_NAME - 3]} {k}" for k in range(2, 20)))
    return next(name for name in names if name not in taken)


def checked_clock(clock: str) -> str:
    """The clock; raises BadOption for one that there is not."""
    if clock not in CLOCKS:
        raise BadOption(say("There is no clock {clock}; there are {clocks}.", clock=clock, clocks=", ".join(CLOCKS)))
    return clock
