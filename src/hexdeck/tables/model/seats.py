"""The seats of a live table: people, bots, and seats that are open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hexdeck.bots.players.manners import BOT_NAMES
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.record import clean_name
from hexdeck.engine.text import _, say

LONGEST_NAME = 16
PERSON, BOT, OPEN = "person", "bot", "open"
DAILY = "daily"  # the clock of a match of days
# seconds for a decision
CLOCKS: dict[str, float | None] = {"none": None, "relaxed": 180.0, "brisk": 40.0, DAILY: 86_400.0}
GUEST = _("Guest")  # whoever chooses no name
FIRST_CLOCK_WAIT = 120.0  # seconds that a seat's first clock waits, at most, for its page to be opened


@dataclass(frozen=True)
class Seat:
    """A seat of a live table.

    `kind`: who plays it now, PERSON, BOT or OPEN. `level`: the bot that plays it, or would. `owner`: a person, or a
    program over the network (`program`; `remote`: it plays now), holds its token; such a seat can be taken back from a
    bot. `due`: when its clock runs out, in seconds since 1970; `left`: the seconds left on a stopped clock; `awaited`:
    its page hasn't been opened since the deal. `contribution`: its words in the key of the cards; `adds`: those for a
    rematch. `freed`: how often it was taken from a holder. `coached`: the coach explains decisions to its owner.
    `muted`: the host has muted it. `device`: the seat whose holder's device it plays on; `face`: of such a holder, the
    seat that has the device in hand (`device.py`). `asides`: the seats about which its player has said something that
    the rules will ask for.
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
    asides: tuple[int, ...] = ()

    @property
    def local(self) -> bool:
        """Whether a bot of this server plays the seat."""
        return self.kind == BOT and not self.remote

    def data(self) -> dict[str, Any]:
        """The seat as it is stored."""
        return asdict(self)

    def record_data(self) -> dict[str, Any]:
        """The seat as a record keeps it."""
        return {"name": self.name, "bot": self.level} if self.kind == BOT else {"name": self.name}


def seats_of(data: Sequence[Mapping[str, Any]]) -> tuple[Seat, ...]:
    """The seats of stored data (see `Seat.data`)."""
    return tuple(Seat(**{**seat, "asides": tuple(seat.get("asides", ()))}) for seat in data)


def cleaned_name(name: Any) -> str:
    """A name without what can't be printed, on one line, not too long; empty where nothing is left."""
    return " ".join(clean_name(name).split())[:LONGEST_NAME].strip()


def free_name(name: str, used: Sequence[str], seat: int) -> str:
    """A name that no other seat has: this one, numbered if need be; a bot's where it is empty.

    People who choose none are called `GUEST`, in their language where the caller knows it.
    """
    if not name:
        return next(own for own in (BOT_NAMES[seat % len(BOT_NAMES)], *BOT_NAMES) if own not in used)
    numbered = (f"{name[: LONGEST_NAME - 3]} {k}" for k in range(2, 20))
    return next(own for own in (name, *numbered) if own not in used)


def checked_clock(clock: str) -> str:
    """The clock; raises BadOption for an unknown one."""
    if clock not in CLOCKS:
        raise BadOption(say("There is no clock {clock}; there are {clocks}.", clock=clock, clocks=", ".join(CLOCKS)))
    return clock
