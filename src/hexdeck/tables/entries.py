"""What is stored of a live table: seats, terms, entries (one for each version), messages, the result; and drafts."""

import functools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import outcome, places, winners
from hexdeck.engine.text import Text, _, from_data, say
from hexdeck.engine.view import Fact

PERSON, BOT, OPEN = "person", "bot", "open"
DAILY = "daily"  # the clock of a match of days
# seconds for a decision
CLOCKS: dict[str, float | None] = {"none": None, "relaxed": 180.0, "brisk": 40.0, DAILY: 86_400.0}
GUEST = _("Guest")  # a player who chooses no name
FIRST_CLOCK_WAIT = 120.0  # seconds that a seat's first clock waits, at most, for its page to be opened
MESSAGES_KEPT = 100  # messages of a table that are kept, the newest
MOST_RESULTS = 10_000  # that are in memory, since many look at the same
WAITING, PLAYING, OVER, ENDED = "waiting", "playing", "over", "ended"  # states of a table; ended: it can't be resumed
ANYONE, NOBODY = "anyone", "nobody"  # who may watch
MOVE, CHOICE = "move", "choice"  # a choice: a move that others learn nothing of, or only that it was made
HAND = "hand"  # a shared device was handed over, or its cards were covered; other seats don't notice
FORCED = "forced"  # the table made a person's only legal move
FREE = "free"  # the host took a seat from its holder
ERASE = "erase"  # a player has left for good: what is older has changed, too
HALT = "halt"  # a rule of the game can't be carried out: bots wait until something else has happened
RETRACT = "retract"  # a choice was taken back; its events no longer count
Pairs = tuple[tuple[int, int], ...]  # events of the match: seat (-1: chance) and id
STAND_IN = "bot"  # the kind of entries by which a bot takes over a seat


def compact_json(value: Any) -> str:
    """Compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class TableSeat:
    """A seat of a live table.

    `kind`: who plays it now, PERSON, BOT or OPEN. `level`: the bot that plays it, or would. `owner`: a person, or a
    program over the network (`program`; `remote`: it plays now), holds its token; such a seat can be taken back from a
    bot. `due`: when its clock runs out, in seconds since 1970; `left`: the seconds left on a stopped clock; `awaited`:
    its page hasn't been opened since the deal. `contribution`: its words in the key of the cards; `adds`: those for a
    rematch. `freed`: how often it was taken from a holder. `coached`: the coach explains decisions to its owner.
    `muted`: the host has muted it. `device`: the seat whose holder's device it plays on; `face`: of such a holder, the
    seat that has the device in hand (`live.py`). `asides`: the seats about which its player has said something that
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
        return dict(vars(self))


def seats_of(data: Sequence[Mapping[str, Any]]) -> tuple[TableSeat, ...]:
    """The seats of stored data (see `TableSeat.data`)."""
    return tuple(TableSeat(**{**seat, "asides": tuple(seat.get("asides", ()))}) for seat in data)


def checked_clock(clock: str) -> str:
    """The clock; raises BadOption for an unknown one."""
    if clock not in CLOCKS:
        raise BadOption(say("There is no clock {clock}; there are {clocks}.", clock=clock, clocks=", ".join(CLOCKS)))
    return clock


@dataclass(frozen=True)
class Terms:
    """The settings of a table besides its game.

    `clock`: a key of `CLOCKS`. `watch`: who may watch, ANYONE or NOBODY. `lang`: the language of people who haven't
    chosen one; "" for what their browsers accept. `host`: the host's seat. `hold`: the cards are dealt when the host
    says so, even if every seat is taken. `hints`: whether players may ask for hints. `words`: whether people may write
    messages of their own. `past`: the earlier matches of the series (`commands.py`). `screen`: one screen shows the
    table to all, and the devices of those who play show what is in their hands. `feedback`: whether players are
    asked what they thought, when the match is over. `day`: whose deal of the day it is (`daily.py`), "" for all
    other tables.
    """

    clock: str = "none"
    watch: str = ANYONE
    lang: str = ""
    host: int = 0
    hold: bool = False
    hints: bool = False
    words: bool = True
    past: Sequence[dict[str, Any]] = ()
    screen: bool = False
    feedback: bool = False
    day: str = ""

    @property
    def seconds(self) -> float | None:
        """The time for a decision; None for as long as it takes."""
        return CLOCKS[self.clock]


@dataclass(frozen=True)
class Entry:
    """One version of a table: the kind of change, whose `seat` made it, the match's events in it, and their facts."""

    version: int
    kind: str
    seat: int
    pairs: Pairs = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    at: float = 0.0

    def heard_by(self, seat: int) -> list[Text]:
        """The sentences that a seat (-1: the public) was told."""
        return [fact.text for facts in self.facts for fact in facts if fact.heard_by(seat)]

    def unnoticed_by(self, seat: int) -> bool:
        """Whether a seat noticed nothing: a step of another's secret choice, or a shared device handed over."""
        return self.kind in (CHOICE, HAND) and self.seat != seat and not self.heard_by(seat)


@dataclass(frozen=True)
class Draft:
    """A change that isn't stored yet: its entries, and the table after it.

    `vacated`: a seat that lost its holder. `erased`: seats whose players left for good; nothing is kept of them.
    """

    entries: tuple[Entry, ...]
    seats: tuple[TableSeat, ...]
    state: str
    terms: Terms
    rematch: str | None = None
    vacated: int | None = None
    erased: tuple[int, ...] = ()


def last_index_of(entries: Sequence[Entry], seat: int) -> int:
    """The index of a seat's last entry."""
    return next(k for k in range(len(entries) - 1, -1, -1) if entries[k].seat == seat)


def frees(news: Sequence[Entry]) -> bool:
    """Whether the host has taken a seat from its holder."""
    return any(entry.kind == FREE for entry in news)


@dataclass(frozen=True)
class Result:
    """How a match ended, by seat: who won, the place (1 for the best), the utility, and a caption.

    `at`: when, in seconds since 1970. `stood_in`: the seats that a bot played for a while, whose results don't count.
    """

    won: tuple[bool, ...]
    places: tuple[int, ...]
    utilities: tuple[float, ...]
    captions: tuple[Text, ...]
    at: float
    stood_in: tuple[int, ...] = ()

    def data(self) -> dict[str, Any]:
        """The result as it is stored."""
        return {**vars(self), "captions": [text.data() for text in self.captions]}


def result_of(match: Match, entries: Sequence[Entry]) -> Result:
    """The result of a match that is over, from the entries of its table."""
    captions = tuple(outcome(match).texts)
    at = max(entry.at for entry in entries if entry.pairs)
    stood_in = tuple(sorted({entry.seat for entry in entries if entry.kind == STAND_IN}))
    return Result(winners(match), places(match), match.returns(), captions, at, stood_in)


@functools.lru_cache(MOST_RESULTS)
def stored_result(text: str) -> Result:
    """The result of a stored text (see `Result.data`)."""
    data = json.loads(text)
    values: dict[str, Any] = {name: tuple(v) if isinstance(v, list) else v for name, v in data.items()}
    values["captions"] = tuple(map(from_data, data["captions"]))
    return Result(**values)


@dataclass(frozen=True)
class Message:
    """A chat message: a phrase by its id, or words; `number` counts from 0, `name` is the seat's name at the time."""

    number: int
    seat: int
    name: str
    phrase: str
    words: str
    at: float


def news_number(number: int) -> int:
    """How news announces a message, where it otherwise announces a version: a number below zero."""
    return -1 - number
