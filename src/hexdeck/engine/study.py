"""What a game says of itself beside its rules: who made it, why moves are illegal, how results are studied, its bounds.

`ABOUT` and `REASONS` are in its `table.py`, `STUDY` in `hints.py`, `bounds` in `bounds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from hexdeck.engine.text import Text, _, say

ENDLESS = 1 << 40  # decisions: games are played to their end


@dataclass(frozen=True)
class About:
    """A game in a sentence or two, and what else people are told of it.

    What is None follows from the name of its folder and the docstring of its rules. `title`: its name. `text`: the game
    in a sentence or two. `tagline`: in a few words. `credit`: who designed it. `minutes`: how long a usual match of
    four takes, here and with cards on a table. `age`: from how many years on. `luck`: how much chance decides, in
    percent, as `docs/howto/which_game.md` says it. `deal`: what a row of the score sheet is called. `measured`: options
    that this and what else is stored of the game were measured with, where the defaults, such as what is printed on
    cards, are others now.
    """

    title: Text | None = None
    text: Text | None = None
    tagline: Text | None = None
    credit: Text | None = None
    minutes: tuple[int, int] | None = None
    age: int | None = None
    luck: int | None = None
    deal: Text | None = None
    measured: Mapping[str, Any] = field(default_factory=dict)


class Reason(NamedTuple):
    """Why a move is illegal: the rule that forbids it, by its id, and a sentence for the player."""

    rule: str
    text: Text


LEGAL = Reason("", say("This can be done."))


MANY = 10  # numbers from here on are shown without tenths
ASSIGNED, LOT, DEALT, EARNED, UNSAID = "assigned", "lot", "dealt", "earned", "unsaid"
NOBODY = -1


# --- results: utilities in people's units -----------------------------------------------------------------------------
@dataclass(frozen=True)
class ResultUnit:
    """How utilities, as `returns` gives them, are shown to people.

    `ahead` and `behind` are message keys with {number}, for expected results from zero up and below zero; `gap` is the
    key for a difference of two results; `unit` says what is counted. The number shown is shift + scale * utility,
    clipped to `low` and `high`; `whole` rounds it to an integer.

    `horizon`: after how many decisions a game that is played out counts as it stands, only if the value of an
    unfinished match means something; None: it is played to its end. `lacking`, of a position at the horizon: what its
    value still lacks for whoever chooses, and half the 95 % interval. `leads`: a utility is the lead over the best of
    the others, so that between two players it is told twice.
    """

    ahead: str
    behind: str
    gap: str
    unit: Text
    scale: float = 1.0
    shift: float = 0.0
    low: float = float("-inf")
    high: float = float("inf")
    whole: bool = False
    horizon: int | None = None
    lacking: Callable[[Any], tuple[float, float]] | None = None
    leads: bool = False

    def gaps(self, utilities: np.ndarray) -> np.ndarray:
        """By how much each seat ends behind the first, in the unit of utilities: float64 (seats)."""
        ahead = np.minimum(utilities, 0.0) if self.leads else utilities
        return np.asarray(ahead.max() - ahead)

    def number(self, utility: float) -> float:
        """A utility in people's units."""
        return min(max(self.shift + self.scale * utility, self.low), self.high)

    def result(self, utility: float, margin: float | None = None) -> Text:
        """An expected result; `margin` is the half-width of its 95 % interval, as a utility, if known."""
        number = self.number(utility)
        text = say(self.behind if number < 0 else self.ahead, number=self.written(abs(number)))
        return text if margin is None else say("{result} (±{margin})", result=text, margin=self.spread(margin))

    def difference(self, utility: float, margin: float) -> Text:
        """The difference of two utilities; `margin` is the half-width of its 95 % interval, as a utility."""
        number = self.written(abs(utility) * self.scale)
        pair = say("{number} ±{margin}", number=number, margin=self.spread(margin))
        return say(self.gap, number=pair)

    def spread(self, margin: float) -> Text | int:
        """The half-width of an interval in people's units, at least one in the last digit shown."""
        least = 1 if self.whole else 0.1
        return self.written(max(margin * self.scale, least))

    def signed(self, number: float) -> Text:
        """A number in people's units with its sign, as on the axis of a plot."""
        return say("{sign}{number}", sign="-" if number < 0 else "", number=self.written(abs(number)))

    def written(self, number: float) -> Text | int:
        """A non-negative number, with tenths below `MANY`."""
        if self.whole or round(number, 1) >= MANY:
            return round(number)
        whole, tenth = divmod(round(10 * number), 10)
        return say("{whole}.{tenth}", whole=whole, tenth=tenth)


CHIPS = ResultUnit(
    _("wins about {number} chips"), _("loses about {number} chips"), _("{number} chips"), say("chips won or lost")
)
WINS = ResultUnit(
    _("wins about {number} %"),
    _("wins about {number} %"),
    _("{number} wins in 100"),
    say("% won"),
    100.0,
    low=0.0,
    high=100.0,
    whole=True,
)
RESULT = ResultUnit(_("ends {number} ahead"), _("ends {number} behind"), "{number}", say("points"))


# --- the starter ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Starting:
    """Who starts and why; the starter is the first player who makes a choice that nobody makes at the same time.

    The starter may do well because of starting, or because of what made that player start. Only where chance decides
    between several players does a difference between them show what starting itself is worth.

    `how`: ASSIGNED to a seat by the rules, drawn by LOT among all, DEALT by the cards, EARNED by choices, or UNSAID.
    `why`: the same in words that can follow “who starts”. `between(structs)`: for DEALT and EARNED, of structured
    arrays of structs in which the starter is to choose, the seats that chance decided between: bool (structs, seats);
    none where chance didn't decide. `chance`: what decided between them, as a noun. These seats must be alike in all
    else; where they aren't, since what decided stays with them, `let_start(s, seat)` makes another of them the starter,
    in place.
    """

    how: str
    why: Text
    between: Callable[[np.ndarray], np.ndarray] | None = None
    chance: Text | None = None
    let_start: Callable[[Any, int], None] | None = None

    @property
    def at_random(self) -> bool:
        """Whether the starter's results, compared with a fair share, show what starting is worth."""
        return self.how in (ASSIGNED, LOT)


BY_RULE = Starting(ASSIGNED, say("assigned by the rules"))
BY_LOT = Starting(LOT, say("drawn by lot"))
NOT_SAID = Starting(UNSAID, say("the game doesn't say why"))


# --- where points come from -------------------------------------------------------------------------------------------
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
        own_amounts: np.ndarray = np.where(acts, np.asarray(amounts)[:, None], 0)
        return own_amounts


@dataclass(frozen=True)
class Source:
    """A source of what seats get: its name, and for `Transitions` the amounts by seat, (transitions, seats or more)."""

    name: Text
    amounts: Callable[[Transitions], np.ndarray]


@dataclass(frozen=True)
class Account:
    """What a seat's total is made of: points, chips or losses by source.

    `title`: of the table, such as “Points by kind of hand”. `unit`: what is counted, a noun in the plural. `total`: of
    structs of matches that are over, the total by seat. `sources`: what it comes from; their amounts add up to the
    total. `beside`: what else is counted, such as cards played, and isn't part of the total.
    """

    title: Text
    unit: Text
    total: Callable[[np.ndarray], np.ndarray]
    sources: tuple[Source, ...]
    beside: tuple[Source, ...] = ()


@dataclass(frozen=True)
class Evening:
    """An evening: the `option` that says how many deals it has at most, and what each seat has between two deals.

    `chips`: of structured arrays of structs, each at the beginning of a deal or at the end of the match, the chips that
    each seat had before that deal: int (structs, seats). `stake`: chips without which one can't play on.
    """

    option: str
    chips: Callable[[np.ndarray], np.ndarray]
    stake: int


# --- ways of playing --------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ReadyProbe:
    """A way of playing by name: `doing` says what one does, as the subject of a sentence; `line` is what is forced.

    `hexdeck.engine.play.probe_lines` says how lines are written.
    """

    name: str
    doing: Text
    line: str


@dataclass(frozen=True)
class Manner:
    """A manner: its name (see `MANNER_TITLES`), and the actions of `line`, which it likes, or avoids where negative.

    `logit` is added to a net's logit of such an action, for bots that mix. `utility` is how much a bot that compares
    values gives up at most, by its own estimate, to choose such an action, or another one. `phrase` says how it is
    known, with {often}: how much more or less often than the bot without a manner it chooses these actions.
    """

    name: str
    phrase: str
    line: str
    logit: float
    utility: float


# --- all of it --------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Study:
    """How results are counted and explained, and the ways of playing that have names.

    `measure`: what results are counted in; `starting`: how the starter is chosen; `accounts`: where points come from.
    Each is a value or, if it depends on the options, a function of a struct. `evening`: what an evening of several
    deals is. `probes`: what a designer would try; `manners`: what bots can be given; `easy_mistakes`: habits of easy
    bots. `guess(s, seat, actions, count, rng)`: the move of a bot that searches where nothing can be known, such as
    whether to bluff, or -1. `levers`: for a question or a finding of reports, by its name and perhaps what it is of,
    the options of which another value was seen to mend it.
    """

    measure: ResultUnit | Callable[[Any], ResultUnit] = RESULT
    starting: Starting | Callable[[Any], Starting] = NOT_SAID
    accounts: tuple[Account, ...] | Callable[[Any], tuple[Account, ...]] = ()
    evening: Evening | None = None
    probes: tuple[ReadyProbe, ...] = ()
    manners: tuple[Manner, ...] = ()
    easy_mistakes: tuple[ReadyProbe, ...] = ()
    guess: Callable[[Any, int, Any, int, Any], int] | None = None
    levers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def measure_in(self, s: Any) -> ResultUnit:
        """What results are counted in with the options of a struct."""
        return self.measure(s) if callable(self.measure) else self.measure

    def starting_in(self, s: Any) -> Starting:
        """How the starter is chosen with the options of a struct."""
        return self.starting(s) if callable(self.starting) else self.starting

    def accounts_in(self, s: Any) -> tuple[Account, ...]:
        """Where points come from with the options of a struct."""
        return tuple(self.accounts(s) if callable(self.accounts) else self.accounts)


Limits = Iterator[tuple[int, int, int]]


class Bounds(NamedTuple):
    """What a match can be: a seat's `least` and `greatest` utility, the `total` of all seats (None: it differs).

    `moves` and `chances`: the greatest number of decisions, and of chance events. `limits`: of a whole struct, numbers
    with the least and the most each can be, for positions of other servers.
    """

    least: float
    greatest: float
    total: float | None
    moves: int
    chances: int
    limits: Callable[[Any], Iterable[tuple[int, int, int]]] = lambda _s: ()


def within(cells: Any, least: int, greatest: int) -> Limits:
    """Each number of an array lies between these."""
    for at in product(*map(range, cells.shape)):
        yield cells[at], least, greatest


def exactly(number: int, expected: int) -> Limits:
    """A number that the position tells in another way, too."""
    yield number, expected, expected


def row_sums(cells: Any) -> list[int]:
    """How many cards are in each row of an array that counts them by row and kind."""
    rows, kinds = cells.shape
    return [sum(cells[row, kind] for kind in range(kinds)) for row in range(rows)]


def absent(seats: int, value: int, *arrays: Any) -> Limits:
    """In arrays by seat, seats that nobody sits at have this value everywhere."""
    for cells in arrays:
        for at in product(range(seats, cells.shape[0]), *map(range, cells.shape[1:])):
            yield cells[at if len(at) > 1 else at[0]], value, value


def chosen(s: Any, choosing: bool, cells: Any, greatest: int) -> Limits:
    """Secret choices by seat: -1 where there is none, and none but while others still choose."""
    for p in range(cells.shape[0]):
        is_chosen = choosing and p < s.seats and not s.acting >> p & 1
        yield cells[p], -1, greatest if is_chosen else -1


def subset(seats: int, among: int) -> Limits:
    """Of two sets of seats, as bits, the first is in the second."""
    yield seats, 0, among
    yield seats & ~among, 0, 0


def on_turn(s: Any) -> Limits:
    """Whoever is to act is the seat whose turn it is, alone."""
    if s.acting:
        yield s.turn, 0, s.seats - 1
        yield s.acting.bit_length() - 1, s.turn, s.turn
        yield s.acting & s.acting - 1, 0, 0
