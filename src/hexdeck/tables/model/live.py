"""A live table in memory: its match, its seats, and everything that was stored of it.

A change is drafted (`Draft`), stored, and only then adopted; if it can't be stored, `undo` puts the match back.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import ScoreSheet, teams
from hexdeck.engine.play.story import public_mark
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import EVERYONE, Aside, Fact, View, altered
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours
from hexdeck.tables.fair import chance_key, commitment, rematch_identity
from hexdeck.tables.model.choice import asides, asked_aside, nobody_decides
from hexdeck.tables.model.entries import (
    CHOICE,
    FORCED,
    MOVE,
    OVER,
    PLAYING,
    RETRACT,
    WAITING,
    Draft,
    Entry,
    Pairs,
    Terms,
    last_index_of,
)
from hexdeck.tables.model.seats import PERSON, Seat
from hexdeck.tables.storage.rows import MESSAGES_KEPT, Message, news_number

P = ParamSpec("P")
R = TypeVar("R")
Drafter = Callable[["LiveTable"], Draft]  # makes the draft of one change, or raises why it can't be made


class LiveTable:
    """A table as this process knows it, at its newest stored version."""

    def __init__(
        self, id: str, game: Game, terms: Terms, seats: tuple[Seat, ...], secret: bytes, invitation_key: bytes
    ) -> None:
        self.id, self.game, self.terms, self.seats = id, game, terms, seats
        self.secret, self.invitation_key = secret, invitation_key
        self.version, self.state, self.runner = -1, WAITING, ""
        self.rematch: str | None = None
        self.code = ""  # of a few letters, for guests (`storage/codes.py`); "" until it is drawn
        self.entries: list[Entry] = []
        self.messages: list[Message] = []
        self.kept_sheet: tuple[tuple[int, bool], ScoreSheet] | None = None  # see `new_tables.sheet_of`
        self.match: Match | None = None
        self.lock = asyncio.Lock()
        self.pace = 0.0  # how long beats are shown, compared with what they say; 0 where no page is open
        self.shown_version: int | None = None  # the version up to which `shown_until` counts, see `timing.py`
        self.shown_until, self.seen = 0.0, False  # whether the page of a seat has been open
        self.asked = False  # whether a seat has asked for its page, which opens a while later
        self.cache: dict[Any, Any] = {}  # what was made of this version, such as views and pages; see `cached`
        self._plies = 0, 0  # of how many entries, how many events
        self._logs: dict[int, tuple[int, tuple[Text, ...]]] = {}
        self._reset_progress()

    def _reset_progress(self) -> None:
        self.public_version = 0  # the last version at which something public happened in the match
        self.moved_at = [-1] * self.game.players  # the version of each seat's last move
        self.noticed_at = -1  # the version of the last move that the public noticed
        self.owner_moved_at = [-1] * self.game.players  # the version at which each seat's owner last moved, or sat down
        self.stand_ins: set[int] = set()  # seats that bots play for their owners

    def forget_history(self) -> None:
        """Forget the entries and messages that are known, before they are loaded again."""
        self.entries, self.messages = [], []
        self._plies, self._logs = (0, 0), {}
        self.cache.clear()

    # --- what it is ---------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(seat.name for seat in self.seats)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act; none before the deal and after the end."""
        return self.match.acting if self.match and self.state == PLAYING else ()

    @property
    def played_by_server(self) -> list[int]:
        """The seats that may act and that the server plays: its bots' seats, and the `forced` ones."""
        return played_by_server(self.match, self.seats) if self.match and self.state == PLAYING else []

    @property
    def forced(self) -> list[int]:
        """The seats of people who have only one legal move, so that the table makes it."""
        return [seat for seat in self.played_by_server if not self.seats[seat].local]

    def asides(self, seat: int) -> tuple[Aside, ...]:
        """What the person in a seat may say of others now; nothing for bots and the public (-1)."""
        if self.match is None or self.state != PLAYING or seat < 0 or self.seats[seat].kind != PERSON:
            return ()
        return asides(self.match, seat)

    @property
    def due(self) -> float | None:
        """When the first clock runs out."""
        return min((seat.due for seat in self.seats if seat.due is not None), default=None)

    @functools.cached_property
    def commitment(self) -> str:
        """The SHA-256 of the secret behind its cards."""
        return commitment(self.secret)

    @functools.cached_property
    def rematch_identity(self) -> tuple[str, bytes]:
        """The id and the secret of its rematch; the secret must not leave the server."""
        return rematch_identity(self.id, self.invitation_key)

    @property
    def rematch_commitment(self) -> str:
        """The SHA-256 of its rematch's secret while a rematch can be asked for, else an empty string."""
        return commitment(self.rematch_identity[1]) if self.state == OVER and not self.rematch else ""

    @functools.cached_property
    def team_of(self) -> tuple[int, ...]:
        """The team of each seat; empty where all play alone."""
        return teams(self.game.match(by_hand=True, backend="interpreted"))

    @functools.cached_property
    def has_coach(self) -> bool:
        """Whether its game has a coach."""
        return self.game.definition.coach is not None

    def freed(self, seat: int) -> int:
        """How often a seat was taken from its holder; 0 for the public (-1)."""
        return self.seats[seat].freed if seat >= 0 else 0

    def assert_held(self, seat: int, freed: int) -> None:
        """Raise NotYours where a seat has been taken from its holder since it had been freed so often."""
        if self.freed(seat) != freed:
            raise NotYours(say("The host gave this seat to somebody else."))

    # --- chat ---------------------------------------------------------------------------------------------------------
    @property
    def last_message(self) -> int:
        """The number of the last chat message, -1 without one."""
        return self.messages[-1].number if self.messages else -1

    def add_messages(self, messages: Sequence[Message]) -> bool:
        """Take over new chat messages; returns whether there were any."""
        self.messages = [*self.messages, *messages][-MESSAGES_KEPT:]
        return bool(messages)

    def is_news(self, version: int) -> bool:
        """Whether a version, or the news number of a chat message, isn't known here yet."""
        return version > self.version or version < news_number(self.last_message)

    # --- the log ------------------------------------------------------------------------------------------------------
    def lines_since(self, seat: int, version: int = 0) -> list[Text]:
        """The lines of the log of a seat (-1: the public) from a version on."""
        first = version - self.entries[0].version if self.entries else 0
        return [text for entry in self.entries[max(0, first) :] for text in entry.heard_by(seat)]

    def log(self, seat: int) -> tuple[Text, ...]:
        """The whole log of a seat (-1: the public). Lines are never taken back, so only new entries are looked at."""
        count, lines = self._logs.get(seat, (0, ()))
        if count != len(self.entries):
            new = tuple(text for entry in self.entries[count:] for text in entry.heard_by(seat))
            count, lines = self._logs[seat] = len(self.entries), lines + new
        return lines

    def news(self, seat: int) -> list[Text]:
        """The lines since the seat's owner last moved; for the public, since the last move that it noticed."""
        return self.lines_since(seat, self.owner_moved_at[seat] if seat >= 0 else self.noticed_at)

    # --- what a seat sees ---------------------------------------------------------------------------------------------
    def version_for(self, seat: int) -> int:
        """The version as a seat (-1: the public) knows it: later entries that it didn't notice don't count."""
        version = self.version
        for entry in reversed(self.entries):
            if not entry.unnoticed_by(seat):
                break
            version = entry.version - 1
        return version

    def is_current_for(self, seat: int, version: int) -> bool:
        """Whether a seat that saw this version is still at the same decision."""
        return max(self.public_version, self.moved_at[seat]) <= version <= self.version

    def view(self, seat: int) -> View:
        """The view of a seat (-1: the public); before the deal an empty table."""
        view: View = self.cached(("view", seat), lambda: self._view(seat))
        return view

    def _view(self, seat: int) -> View:
        assert self.match is None or self.match.length == self.stored_plies, "only what is stored may be seen"
        log = self.log(seat)
        if self.match is None:
            empty = self.game.match(by_hand=True, backend="interpreted").view(-1)
            prompt = say("Waiting until every seat is taken.")
            return altered(empty, seat=seat, prompt=prompt, log=log, names=self.names)
        view = altered(self.match.view(seat, ()), log=log, names=self.names)
        if seat in self.cached("forced", lambda: self.forced):
            return altered(view, moves=())
        if seat < 0 or not self.seats[seat].local or view.over:
            return view
        return altered(view, moves=(), prompt=say("A bot plays for you until you take your seat back."))

    def cached(self, key: Any, make: Any) -> Any:
        """Something made of this version, made once."""
        if key not in self.cache:
            self.cache[key] = make()
        return self.cache[key]

    def drop_view(self, seat: int) -> None:
        """Forget a seat's view: it is large, and is made again when it is wanted."""
        self.cache.pop(("view", seat), None)

    # --- the match ----------------------------------------------------------------------------------------------------
    @property
    def key(self) -> bytes:
        """The key of the generator that deals its cards."""
        return chance_key(self.secret, [seat.contribution for seat in self.seats])

    def deal(self, backend: str) -> None:
        """Start the match, and let chance act."""
        self.match = self.game.match(by_hand=True, backend=backend)
        self.match.let_chance(self.key)

    def restore(self, backend: str, pairs: Pairs, facts: Sequence[Sequence[Fact]]) -> int:
        """Put the match to the position after these events; returns the index of the first illegal one, or -1."""
        if self.match is None:
            self.match = self.game.match(by_hand=True, backend=backend)
        bad = self.match.load_events(pairs)
        if bad < 0:
            self.match.seat_views.restore_narration(facts)
            self.match.let_chance(self.key)
        return bad

    def follow(self, new: Sequence[Entry]) -> bool:
        """Play on what another process stored; False where the match must be put together anew (`restore`)."""
        match, first = self.match, self.stored_plies
        if match is None or not first or match.length != first or any(entry.kind == RETRACT for entry in new):
            return False
        pairs = [pair for entry in new for pair in entry.pairs]
        facts = [of_event for entry in new for of_event in entry.facts]
        try:
            for seat, id in pairs:
                if seat >= 0:
                    match.play(seat, id)
        except HexdeckError:
            return False
        if pairs_since(match, first) != tuple(pairs) or len(facts) != len(pairs):
            return False
        match.seat_views.go_on_narration(first, facts)
        return True

    def undo(self) -> None:
        """Put the match back to what is stored."""
        if self.match is None or not self.stored_plies:
            self.match = None
        elif self.match.length != self.stored_plies:
            self.restore(self.match.driver.backend, self.pairs, self.facts)

    @property
    def valid_entries(self) -> list[Entry]:
        """The entries with events of the match, without choices that were taken back."""
        out: list[Entry] = []
        for entry in self.entries:
            if entry.kind == RETRACT:
                del out[last_index_of(out, entry.seat)]
            elif entry.pairs:
                out.append(entry)
        return out

    @property
    def stored_plies(self) -> int:
        """The number of stored events of the match, without those that were taken back."""
        count, plies = self._plies
        for entry in self.entries[count:]:
            plies += len(entry.pairs) - (entry.kind == RETRACT)
        self._plies = len(self.entries), plies
        return plies

    @property
    def pairs(self) -> Pairs:
        """The stored events of the match, without those that were taken back."""
        return tuple(pair for entry in self.valid_entries for pair in entry.pairs)

    @property
    def facts(self) -> list[tuple[Fact, ...]]:
        """The facts of each of these events."""
        return [facts for entry in self.valid_entries for facts in entry.facts]

    # --- changes of the match -----------------------------------------------------------------------------------------
    def deal_entry(self, version: int, now: float) -> Entry:
        """The entry of the deal."""
        return self._entry_since("start", -1, 0, version, now)

    def play(self, seat: int, action: int, now: float) -> Entry:
        """Make a legal move in the match; returns its entry."""
        assert self.match is not None
        mark, ply = public_mark(self.match.struct), self.match.length
        self.match.play(seat, action)
        kind = CHOICE if public_mark(self.match.struct) == mark else MOVE
        return self._entry_since(kind, seat, ply, self.version + 1, now)

    def retract(self, seat: int, now: float) -> Entry:
        """Take back a seat's secret choice in the match; returns its entry. Raises BadPly when there is none."""
        assert self.match is not None
        self.match.retract(seat)
        valid = self.valid_entries
        del valid[last_index_of(valid, seat)]
        self.match.seat_views.restore_narration([facts for entry in valid for facts in entry.facts])
        fact = Fact(EVERYONE, say("{seat} takes a choice back.", seat=Named(seat)))
        return Entry(self.version + 1, RETRACT, seat, facts=((fact,),), at=now)

    def _entry_since(self, kind: str, seat: int, ply: int, version: int, now: float) -> Entry:
        """The entry of all that happened in the match since a ply."""
        assert self.match is not None
        facts = tuple(tuple(facts) for facts in self.match.narration()[ply:])
        return Entry(version, kind, seat, pairs_since(self.match, ply), facts, now)

    # --- changes of the table -----------------------------------------------------------------------------------------
    def adopt(self, draft: Draft, runner: str) -> None:
        """Become what was drafted and stored; `runner`: the process that stored it."""
        self.entries += draft.entries
        self.version, self.runner = self.entries[-1].version, runner
        self.seats, self.state, self.terms = draft.seats, draft.state, draft.terms
        self.rematch = draft.rematch or self.rematch
        for entry in draft.entries:
            self.count_progress(entry)
        self.cache.clear()

    def recount_progress(self) -> None:
        """Work out from all entries at which versions seats moved and something public happened."""
        self._reset_progress()
        for entry in self.entries:
            self.count_progress(entry)

    def count_progress(self, entry: Entry) -> None:
        """Take note of what a new entry means for the progress of the match."""
        if entry.kind == "bot":
            self.stand_ins.add(entry.seat)
        elif entry.kind in ("back", "sit"):
            self.stand_ins.discard(entry.seat)
        if entry.kind in (MOVE, FORCED, CHOICE, RETRACT):
            self.moved_at[entry.seat] = entry.version
            self.noticed_at = self.noticed_at if entry.unnoticed_by(-1) else entry.version
        if entry.kind == "sit" or (entry.kind in (MOVE, CHOICE) and entry.seat not in self.stand_ins):
            self.owner_moved_at[entry.seat] = entry.version
        if not entry.is_private:
            self.public_version = entry.version


def command(change: Callable[Concatenate[LiveTable, P], R]) -> Callable[P, Callable[[LiveTable], R]]:
    """A change of a table as a function of all but the table, which is known when the change is drafted."""

    @functools.wraps(change)
    def drafter(*args: P.args, **options: P.kwargs) -> Callable[[LiveTable], R]:
        return lambda table: change(table, *args, **options)

    return drafter


def played_by_server(match: Match, seats: Sequence[Seat]) -> list[int]:
    """The seats that may act in a match and that the server plays.

    Programs over the network make their forced moves themselves: how long they take gives away only what they choose.
    """
    return [
        number
        for number in match.acting
        if seats[number].local
        or (seats[number].kind == PERSON and (nobody_decides(match, number) or asked_aside(match, number)))
    ]


def pairs_since(match: Match, first: int) -> Pairs:
    """The seat and id of each event of a match from one on: of a long match all would take long."""
    return tuple((event.seat, event.id) for event in map(match.event, range(first, match.length)))
