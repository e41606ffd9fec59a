"""A live table in memory: its match, who sits there, what was told, and which changes it is ready for.

A change is drafted (`Draft`), stored, and only then adopted; if it can't be stored, `undo` puts the match back.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import ScoreSheet, teams
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import EVERYONE, Fact, View
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours
from hexdeck.tables.keys import chance_key, commitment, rematch_of
from hexdeck.tables.model.forced import nobody_decides
from hexdeck.tables.model.seats import CLOCKS, LATEST, PERSON, Seat
from hexdeck.tables.storage.sayings import REMEMBERED, Saying, mark

WAITING, PLAYING, OVER, ENDED = "waiting", "playing", "over", "ended"
MOVE, CHOICE = "move", "choice"  # a choice: a move of which nothing is public yet but, at its end, that it was made
HAND = "hand"  # a device that several people share is taken in hand, or covered: nobody else notices
FORCED = "forced"  # a move that nobody decides was made by the table in a person's place (`forced.py`)
RETRACT = "retract"  # a choice is taken back: its events no longer count
ANYONE, NOBODY = "anyone", "nobody"
Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Terms:
    """What a table was set to, besides the game: clock, who may watch, language, the host's seat.

    `lang`: what those read in who haven't chosen a language, "" for what their browsers ask for. `hold`: the cards are
    dealt only when the host says so, even if every seat is taken. `hints`: whether who sits there may ask for hints.
    `words`: people may write words of their own. `past`: the matches of the evening before this one (`evening.py`).
    """

    clock: str = "none"
    watch: str = ANYONE
    lang: str = ""
    host: int = 0
    hold: bool = False
    hints: bool = False
    words: bool = True
    past: Sequence[dict[str, Any]] = ()

    @property
    def seconds(self) -> float | None:
        """How long a decision may take."""
        return CLOCKS[self.clock]


@dataclass(frozen=True)
class Entry:
    """One version of a table: what happened (`kind`, whose `seat`), the events of the match and what each told."""

    version: int
    kind: str
    seat: int
    pairs: Pairs = ()
    facts: tuple[tuple[Fact, ...], ...] = ()
    at: float = 0.0

    def heard_by(self, seat: int) -> list[Text]:
        """What a seat, or the public, was told."""
        return [fact.text for told in self.facts for fact in told if fact.heard_by(seat)]

    @property
    def calm(self) -> bool:
        """Whether nothing public happened in the match."""
        return self.kind == CHOICE or not self.pairs

    def silent_for(self, seat: int) -> bool:
        """Whether a seat noticed nothing: a step of somebody else's secret choice, or a device that went round."""
        return self.kind in (CHOICE, HAND) and self.seat != seat and not self.heard_by(seat)


@dataclass(frozen=True)
class Draft:
    """A change that isn't stored yet: what happened, and how the table is after it.

    `vacated`: a seat that nobody holds any more.
    """

    entries: tuple[Entry, ...]
    seats: tuple[Seat, ...]
    state: str
    terms: Terms
    rematch: str | None = None
    vacated: int | None = None


class LiveTable:
    """A table as a process knows it, at its newest stored version."""

    def __init__(
        self, id: str, game: Game, terms: Terms, seats: tuple[Seat, ...], secret: bytes, invites: bytes
    ) -> None:
        self.id, self.game, self.terms, self.seats = id, game, terms, seats
        self.secret, self.invites = secret, invites
        self.version, self.state, self.runner = -1, WAITING, ""
        self.rematch: str | None = None
        self.entries: list[Entry] = []
        self.sayings: list[Saying] = []
        self.scored: tuple[tuple[int, bool], ScoreSheet] | None = None  # kept, see `evening.sheet_of`
        self.match: Match | None = None
        self.calm = 0  # the first version since which nothing public has happened in the match
        self.moved = [-1] * game.players  # the version of each seat's last move
        self.noticed = -1  # of the last move that the public noticed
        self.since = [-1] * game.players  # of the last move that whoever owns it made, or of their sitting down
        self.deputies: set[int] = set()  # seats that bots play for who owns them
        self.lock = asyncio.Lock()
        self._logs: dict[int, tuple[int, tuple[Text, ...]]] = {}
        self.made: dict[Any, Any] = {}  # views, pages and the like of this version, see `kept`
        self.used = 0.0

    # --- what it is ---------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(seat.name for seat in self.seats)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act: none before the deal and after the end."""
        return self.match.acting if self.match and self.state == PLAYING else ()

    @property
    def thinking(self) -> list[int]:
        """The seats that may act and are played by the server: those of its bots, and the `forced` ones."""
        return played_here(self.match, self.seats) if self.match and self.state == PLAYING else []

    @property
    def forced(self) -> list[int]:
        """The seats of people whose next move nobody decides, so that the table makes it."""
        return [seat for seat in self.thinking if not self.seats[seat].local]

    @property
    def due(self) -> float | None:
        """When the first clock runs out."""
        return min((seat.due for seat in self.seats if seat.due is not None), default=None)

    @functools.cached_property
    def commitment(self) -> str:
        """The SHA-256 of its secret."""
        return commitment(self.secret)

    @functools.cached_property
    def following(self) -> tuple[str, bytes]:
        """The name and the secret of its rematch; the secret is nobody's to know."""
        return rematch_of(self.id, self.invites)

    @property
    def promised(self) -> str:
        """The SHA-256 of its rematch's secret, when that can be asked for; empty before, and once there is one."""
        return commitment(self.following[1]) if self.state == OVER and not self.rematch else ""

    def freed(self, seat: int) -> int:
        """How often a seat (-1: the public's, never) was taken from who held it."""
        return self.seats[seat].freed if seat >= 0 else 0

    def assert_held(self, seat: int, freed: int) -> None:
        """Raise NotYours when a seat was taken from its holder since it had been freed so often."""
        if self.freed(seat) != freed:
            raise NotYours(say("The host gave this seat to somebody else."))

    @functools.cached_property
    def sides(self) -> tuple[int, ...]:
        """The team of each seat, empty where everybody plays alone."""
        return teams(self.game.match(by_hand=True, backend="interpreted"))

    # --- talk ---------------------------------------------------------------------------------------------------------
    @property
    def spoken(self) -> int:
        """The number of what was said last, -1 where nothing was."""
        return self.sayings[-1].number if self.sayings else -1

    def hear(self, said: Sequence[Saying]) -> bool:
        """Take note of what was said since; returns whether there was anything."""
        self.sayings = [*self.sayings, *said][-REMEMBERED:]
        return bool(said)

    def is_news(self, version: int) -> bool:
        """Whether news (a version, or the mark of something said) isn't known here yet."""
        return version > self.version or version < mark(self.spoken)

    # --- what was told ------------------------------------------------------------------------------------------------
    def heard(self, seat: int, since: int = 0) -> list[Text]:
        """What a seat (-1: the public) was told from a version on."""
        first = since - self.entries[0].version if self.entries else 0
        return [text for entry in self.entries[max(0, first) :] for text in entry.heard_by(seat)]

    def log(self, seat: int) -> tuple[Text, ...]:
        """All that a seat (-1: the public) was told. What is told stays told, so that only news is looked through."""
        known, lines = self._logs.get(seat, (0, ()))
        if known != len(self.entries):
            new = tuple(text for entry in self.entries[known:] for text in entry.heard_by(seat))
            known, lines = self._logs[seat] = len(self.entries), lines + new
        return lines

    def news(self, seat: int) -> list[Text]:
        """What a seat was told since its owner's last move; the public since the last that it noticed of anybody's."""
        return self.heard(seat, self.since[seat] if seat >= 0 else self.noticed)

    def seen(self, seat: int) -> int:
        """The version as a seat knows it: silent steps of others don't count."""
        version = self.version
        for entry in reversed(self.entries):
            if not entry.silent_for(seat):
                break
            version = entry.version - 1
        return version

    def fits(self, seat: int, version: int) -> bool:
        """Whether a seat that saw that version may still move as it was asked to then."""
        return max(self.calm, self.moved[seat]) <= version <= self.version

    def view(self, seat: int) -> View:
        """What a seat (-1: the public) sees; before the deal an empty table."""
        found: View = self.kept(("view", seat), lambda: self._view(seat))
        return found

    def _view(self, seat: int) -> View:
        assert self.match is None or self.match.length == self.plies, "only what is stored may be seen"
        log = self.log(seat)
        if self.match is None:
            empty = self.game.match(by_hand=True, backend="interpreted").view(-1)
            prompt = say("Waiting until every seat is taken.")
            return replace(empty, seat=seat, prompt=prompt, log=log, names=self.names)
        view = replace(self.match.view(seat, log), names=self.names)
        if seat in self.forced:
            return replace(view, moves=())
        if seat < 0 or not self.seats[seat].local or view.over:
            return view
        return replace(view, moves=(), prompt=say("A bot plays for you until you take your seat back."))

    def kept(self, key: Any, make: Any) -> Any:
        """Something made of this version, made once."""
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    def unmake(self, seat: int) -> None:
        """Let go of a seat's view: it is large, and is made again when it is wanted again."""
        self.made.pop(("view", seat), None)

    # --- the match ----------------------------------------------------------------------------------------------------
    @property
    def key(self) -> bytes:
        """What keys the generator of its cards."""
        return chance_key(self.secret, [seat.contribution for seat in self.seats])

    def deal(self, backend: str) -> None:
        """Begin the match: chance acts as far as it must."""
        self.match = self.game.match(by_hand=True, backend=backend)
        self.match.let_chance(self.key)

    def restore(self, backend: str, pairs: Pairs, told: Sequence[Sequence[Fact]]) -> int:
        """The match after events; returns the index of the first impossible one, or -1."""
        if self.match is None:
            self.match = self.game.match(by_hand=True, backend=backend)
        bad = self.match.load_events(pairs)
        if bad < 0:
            self.match.seat_views.restore_narration(told)
            self.match.let_chance(self.key)
        return bad

    @property
    def standing(self) -> list[Entry]:
        """The entries with events of the match, without choices that were taken back."""
        out: list[Entry] = []
        for entry in self.entries:
            if entry.kind == RETRACT:
                del out[last_of(out, entry.seat)]
            elif entry.pairs:
                out.append(entry)
        return out

    @property
    def plies(self) -> int:
        """How many events of the match are stored, and stand."""
        return sum(len(entry.pairs) for entry in self.entries) - sum(each.kind == RETRACT for each in self.entries)

    @property
    def pairs(self) -> Pairs:
        """All stored events of the match that stand."""
        return tuple(pair for entry in self.standing for pair in entry.pairs)

    def undo(self) -> None:
        """Put the match back to what is stored."""
        if self.match is None or not self.plies:
            self.match = None
        elif self.match.length != self.plies:
            self.restore(self.match.driver.backend, self.pairs, self.told)

    @property
    def told(self) -> list[tuple[Fact, ...]]:
        """What each stored event of the match told, of those that stand."""
        return [told for entry in self.standing for told in entry.facts]

    def mark(self) -> tuple[int, int, int]:
        """What changes whenever something public happens in the match."""
        assert self.match is not None
        struct = self.match.struct
        return int(struct.history), int(struct.deal), int(struct.draws)

    def dealt(self, version: int, now: float) -> Entry:
        """The entry of the deal."""
        return self._happened("start", -1, 0, version, now)

    def play(self, seat: int, action: int, now: float) -> Entry:
        """Make a legal move in the match; returns its entry."""
        assert self.match is not None
        mark, since = self.mark(), self.match.length
        self.match.play(seat, action)
        return self._happened(CHOICE if self.mark() == mark else MOVE, seat, since, self.version + 1, now)

    def retract(self, seat: int, now: float) -> Entry:
        """Take back a seat's secret choice in the match; returns its entry. Raises BadPly when there is none."""
        assert self.match is not None
        self.match.retract(seat)
        standing = self.standing
        del standing[last_of(standing, seat)]
        self.match.seat_views.restore_narration([told for entry in standing for told in entry.facts])
        told = Fact(EVERYONE, say("{seat} takes a choice back.", seat=Named(seat)))
        return Entry(self.version + 1, RETRACT, seat, facts=((told,),), at=now)

    def _happened(self, kind: str, seat: int, since: int, version: int, now: float) -> Entry:
        assert self.match is not None
        pairs = tuple((event.seat, event.id) for event in map(self.match.event, range(since, self.match.length)))
        facts = tuple(tuple(told) for told in self.match.narration()[since:])
        return Entry(version, kind, seat, pairs, facts, now)

    def follow(self) -> None:
        """Find out from the entries when each seat moved last, and since when nothing public has happened."""
        self.calm, self.moved, self.since = 0, [-1] * self.game.players, [-1] * self.game.players
        self.deputies, self.noticed = set(), -1
        for entry in self.entries:
            self._followed(entry)

    def _followed(self, entry: Entry) -> None:
        if entry.kind == "bot":
            self.deputies.add(entry.seat)
        elif entry.kind in ("back", "sit"):
            self.deputies.discard(entry.seat)
        if entry.kind in (MOVE, FORCED, CHOICE, RETRACT):
            self.moved[entry.seat] = entry.version
            self.noticed = self.noticed if entry.silent_for(-1) else entry.version
        if entry.kind == "sit" or (entry.kind in (MOVE, CHOICE) and entry.seat not in self.deputies):
            self.since[entry.seat] = entry.version
        if not entry.calm:
            self.calm = entry.version

    # --- change -------------------------------------------------------------------------------------------------------
    def adopt(self, draft: Draft, runner: str) -> None:
        """Be what was drafted and stored."""
        self.entries += draft.entries
        self.version, self.runner = self.entries[-1].version, runner
        self.seats, self.state, self.terms = draft.seats, draft.state, draft.terms
        self.rematch = draft.rematch or self.rematch
        for entry in draft.entries:
            self._followed(entry)
        self.made.clear()

    def timed(
        self, seats: Sequence[Seat], now: float, *, before: Sequence[int] = (), mover: int = -1, calm: bool = True
    ) -> tuple[Seat, ...]:
        """The seats with their clocks: who comes to act, or acts again, has the whole time.

        `calm`: nothing public happened, so that whoever acts or has chosen is still at the same choice (a clock that
        began anew would tell of a secret step), and a clock that stood still goes on where it stood. Else only who
        acted `before` and isn't the `mover` is.
        """
        if self.terms.seconds is None:
            return tuple(seats)
        acting = set(self.match.acting if self.match and not self.match.over else ())
        out = []
        for number, seat in enumerate(seats):
            acts = number in acting
            same = calm or (number in before and number != mover)
            out.append(self._timed(seat, now, acts, same))
        return tuple(out)

    def _timed(self, seat: Seat, now: float, acts: bool, same: bool) -> Seat:
        left = (seat.left if seat.due is None else max(0.0, seat.due - now)) if same else None
        if not (acts and (seat.kind == PERSON or seat.remote)):
            return replace(seat, due=None, left=left)
        if left is not None:
            return replace(seat, due=seat.due or now + left, left=None)
        return replace(seat, due=now + float(self.terms.seconds or 0) + (LATEST if seat.awaited else 0.0), left=None)


def played_here(match: Match, seats: Sequence[Seat]) -> list[int]:
    """The seats that may act in a match and are played by the server.

    Programs over the network decide as ever what people don't: how long they take tells what they want it to tell.
    """
    return [
        number for number in match.acting
        if seats[number].local or (seats[number].kind == PERSON and nobody_decides(match, number))
    ]  # fmt: skip


def last_of(entries: Sequence[Entry], seat: int) -> int:
    """The index of the last entry of a seat."""
    return next(k for k in range(len(entries) - 1, -1, -1) if entries[k].seat == seat)
