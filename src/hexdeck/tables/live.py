"""A live table in memory: its match, its seats, what each seat sees and may do, and when things happen.

A change is drafted (`Draft`), stored, and only then adopted; if it can't be stored, `undo` puts the match back.

**Choices.** Where a person has only one legal move, the table makes it for them, after a delay. A game's table says
where that is so (`nobody_decides`). The move is an event like any other, and bots, programs, records and simulations
make it as usual. An aside is what a person may say of another seat while the game goes on (`asides` of a game's table),
such as an accusation. It is kept beside the seat, so that nothing changes for others; when the rules ask for it, the
table makes the move at once, for all who are asked alike: what they said, or else what silence means.

**Time.** A move is made at a time that tells nothing. What a bot thinks about longer may be its secret: a hand with
more to choose from, a card that changes everything. So it seems to think for as long as the public would expect of a
seat with so much to choose from (`thinking_pause`). That only one move is left may be a seat's secret, too. Beats are
for eyes: where no page of the table is open, they take no time (`LiveTable.pace` is 0). All waits follow from what the
public sees (`engine/play/story.py`), so they give nothing away.

**Devices.** Several people may share one. One seat, the holder's, has the token; the other seats name it as their
`device`. The player who has the device in hand is the holder's `face`: the page shows what that seat knows, as long as
no other seat on the device is to decide. Players are told of their turn alike, and at the same time, whatever they
hold. That a seat has only one legal move may be its secret, so it is told as if it had a choice. Only where the public
can tell that nothing is to be decided, no player is called.
"""

from __future__ import annotations

import asyncio
import functools
import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import log2
from random import Random
from typing import Any, Concatenate, ParamSpec, TypeVar

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import quickest_backend, raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import ScoreSheet, teams
from hexdeck.engine.play.story import BeatMaker, moments, public_mark
from hexdeck.engine.text import Cards, Seat, Text, _, say
from hexdeck.engine.view import EVERYONE, Aside, Beat, Fact, Move, View, Zone, altered, cell_name
from hexdeck.simulation.game import Game
from hexdeck.tables import entries
from hexdeck.tables.entries import Draft, Entry, Message, Pairs, TableSeat, Terms
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.fair import chance_key, commitment, rematch_identity
from hexdeck.tables.keys import SYSTEM

FEWEST = 2  # cards that are chosen together
P = ParamSpec("P")
R = TypeVar("R")
Drafter = Callable[["LiveTable"], Draft]  # makes the draft of one change, or raises why it can't be made
WORLDS = 3  # in which a bot's moves are counted, to say how long it seems to think
UNWATCHED_DELAY = 0.1  # seconds that a bot takes, at least, where no page waits for its move alone
# seconds before a forced move: the least, and the mean and the most of what is added
FORCED_LEAST, FORCED_MEAN, FORCED_MOST = 1.0, 1.0, 20.0
PACES = {"slow": 1.6, "normal": 1.0, "quick": 0.5}  # how long beats take, compared with what they say
MOST_VERSIONS = 8  # a page that is further behind shows the newest view at once
LONGEST_WAIT = 15.0  # seconds that bots wait at most, however much is shown
FIRST_LOOK = 5.0  # seconds after the deal for which bots wait for a person's page to be open
COVERED = -1  # no player has it in hand, and a curtain hides the cards
PUBLIC = -1


def codes_of(move: Move) -> tuple[str, ...]:
    """The codes of the cards that a move's label names."""
    return tuple(code for value in move.label.args.values() if isinstance(value, Cards) for code in value.codes)


def hand_of(view: View, zones: Sequence[Zone] | None = None) -> Zone | None:
    """The hand of the viewer: the first fan among its own zones; `zones`: as they are at a beat."""
    visible = view.zones if zones is None else zones
    return next((zone for zone in visible if zone.seat == view.seat and zone.shape == "fan"), None)


def hand_counts(view: View) -> Counter[str]:
    """How often each card code is in the hand."""
    hand = hand_of(view)
    return Counter(hand.cards if hand else ())


def moves_by_card(view: View) -> dict[str, Move]:
    """The move of each card of the hand that can be played by itself; cards with several moves are left out."""
    if not view.moves:
        return {}
    hand, moves, several = hand_counts(view), dict[str, Move](), set[str]()
    for move in view.moves:
        codes = () if move.cell else codes_of(move)
        if len(codes) == 1 and codes[0] in hand:
            several |= moves.keys() & {codes[0]}
            moves[codes[0]] = move
    return {code: move for code, move in moves.items() if code not in several}


def moves_by_cards(view: View) -> dict[tuple[str, ...], Move]:
    """The moves of several cards of the hand at once, by their sorted codes."""
    if not view.moves:
        return {}
    hand, moves = hand_counts(view), dict[tuple[str, ...], Move]()
    for move in view.moves:
        codes = () if move.cell else codes_of(move)
        if len(codes) >= FEWEST and Counter(codes) <= hand:
            moves[tuple(sorted(codes))] = move
    return moves


def moves_by_cell(view: View, zone: Zone) -> dict[str, Move]:
    """The moves onto the cells of a board, by the cell's name."""
    return {move.cell: move for move in view.moves if move.zone == zone.id}


def other_moves(view: View, alone: Mapping[str, Move], several: Mapping[tuple[str, ...], Move]) -> list[Move]:
    """The moves that are neither in `moves_by_card` nor in `moves_by_cards`, nor onto a cell."""
    listed_ids = {move.id for move in (*alone.values(), *several.values())}
    boards = {zone.id for zone in view.zones if zone.shape == "board"}
    return [move for move in view.moves if move.id not in listed_ids and move.zone not in boards]


def find_move(view: View, move: str, cards: Sequence[str] = ()) -> Move | None:
    """The legal move of a name, else of cards chosen together; None where there is none."""
    if move:
        return next((option for option in view.moves if option.name == move), None)
    return moves_by_cards(view).get(tuple(sorted(cards)))


def actions_meant(match: Match, seat: int, card: str = "", cell: str = "") -> list[int]:
    """The ids of actions that a card of the hand or a cell could mean, legal or not, the likeliest first.

    Likely are actions of a kind that is legal now (the first word of their names). Only names are compared, since games
    have labels for nothing but legal moves.
    """
    view, actions = match.view(seat), match.game.rules.ACTIONS
    names = {card.lower()} if card else set[str]()
    board = next((zone for zone in view.zones if zone.shape == "board"), None)
    cells = [cell_name(k, board.columns) for k in range(len(board.cards))] if board else []
    if not card and cell in cells:
        names = {cell, str(cells.index(cell) + 1)}  # actions may name a cell by its name, or by its number
    ids = []
    for id, name in enumerate(actions):
        parts = name.lower().split()[1:]
        short = {re.sub(r"([a-z])[a-z]*-(\w+)", r"\1\2", word) for word in parts}  # "curse-7" as "c7"
        if names & {*parts, *short}:
            ids.append(id)
    likely = {move.name.split()[0] for move in view.moves}
    return sorted(ids, key=lambda id: actions[id].split()[0] not in likely)


def nobody_decides(match: Match, seat: int, viewer: int | None = None) -> bool:
    """Whether a seat has only one legal move, as far as it, or another viewer (-1: the public), can tell."""
    if seat not in match.acting:
        return False
    return bool(match.game.table.nobody_decides(match.knowledge(seat if viewer is None else viewer), seat))


def asides(match: Match, seat: int) -> tuple[Aside, ...]:
    """What a seat may say of others now."""
    return tuple(match.game.table.asides(match.knowledge(seat), seat))


def asked_aside(match: Match, seat: int) -> Aside | None:
    """The aside that the rules ask a seat for now."""
    if seat not in match.acting:
        return None
    return next((aside for aside in asides(match, seat) if aside.asked), None)


class LiveTable:
    """A table as this process knows it, at its newest stored version."""

    def __init__(
        self, id: str, game: Game, terms: Terms, seats: tuple[TableSeat, ...], secret: bytes, invitation_key: bytes
    ) -> None:
        self.id, self.game, self.terms, self.seats = id, game, terms, seats
        self.secret, self.invitation_key = secret, invitation_key
        self.version, self.state, self.runner = -1, entries.WAITING, ""
        self.rematch: str | None = None
        self.code = ""  # of a few letters, for guests (`rows.py`); "" until it is drawn
        self.entries: list[Entry] = []
        self.messages: list[Message] = []
        self.kept_sheet: tuple[tuple[int, bool], ScoreSheet] | None = None  # see `commands.sheet_of`
        self.match: Match | None = None
        self.stored_struct = b""  # of its position, without what is drafted
        self.lock = asyncio.Lock()
        self.pace = 0.0  # how long beats are shown, compared with what they say; 0 where no page is open
        self.shown_version: int | None = None  # the version up to which `shown_until` counts, see `note_shown`
        self.shown_until, self.seen = 0.0, False  # whether the page of a seat has been open
        self.asked = False  # whether a seat has asked for its page, which opens a while later
        self.halted_at = -1  # the version at which a bot couldn't move, since a rule failed
        self.cache: dict[Any, Any] = {}  # what was made of this version, such as views and pages; see `cached`
        self.recount_progress()

    def recount_progress(self) -> None:
        """Work out from all entries at which versions seats moved and something public happened."""
        self.public_version = 0  # the last version at which something public happened in the match
        self.moved_at = [-1] * self.game.players  # the version of each seat's last move
        self.noticed_at = -1  # the version of the last move that the public noticed
        self.owner_moved_at = [-1] * self.game.players  # the version at which each seat's owner last moved, or sat down
        self.stand_ins: set[int] = set()  # seats that bots play for their owners
        for entry in self.entries:
            self.count_progress(entry)

    # --- what it is ---------------------------------------------------------------------------------------------------
    @property
    def names(self) -> tuple[str, ...]:
        """The names of all seats."""
        return tuple(seat.name for seat in self.seats)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act; none before the deal and after the end."""
        return self.match.acting if self.match and self.state == entries.PLAYING else ()

    @property
    def played_by_server(self) -> list[int]:
        """The seats that may act and that the server plays: its bots' seats, and the `forced` ones."""
        return played_by_server(self.match, self.seats) if self.match and self.state == entries.PLAYING else []

    @property
    def forced(self) -> list[int]:
        """The seats of people who have only one legal move, so that the table makes it."""
        return [seat for seat in self.played_by_server if not self.seats[seat].local]

    def asides(self, seat: int) -> tuple[Aside, ...]:
        """What the person in a seat may say of others now; nothing for bots and the public (-1)."""
        if self.match is None or self.state != entries.PLAYING or seat < 0 or self.seats[seat].kind != entries.PERSON:
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
        return commitment(self.rematch_identity[1]) if self.state == entries.OVER and not self.rematch else ""

    @functools.cached_property
    def team_of(self) -> tuple[int, ...]:
        """The team of each seat; empty where all play alone."""
        return teams(self.game.match(by_hand=True, backend="interpreted"))

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
        self.messages = [*self.messages, *messages][-entries.MESSAGES_KEPT :]
        return bool(messages)

    def is_news(self, version: int) -> bool:
        """Whether a version, or the news number of a chat message, isn't known here yet."""
        return version > self.version or version < entries.news_number(self.last_message)

    # --- the log ------------------------------------------------------------------------------------------------------
    def lines_since(self, seat: int, version: int = 0) -> list[Text]:
        """The lines of the log of a seat (-1: the public) from a version on."""
        return [text for entry in self.entries if entry.version >= version for text in entry.heard_by(seat)]

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
        return self.cached(("view", seat), lambda: self._view(seat))

    def _view(self, seat: int) -> View:
        assert self.match is None or self.match.length == self.stored_plies, "only what is stored may be seen"
        log = tuple(self.lines_since(seat))
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

    def cached(self, key: Any, make: Callable[[], R]) -> R:
        """Something made of this version, made once."""
        if key not in self.cache:
            self.cache[key] = make()
        value: R = self.cache[key]
        return value

    @property
    def choices_key(self) -> bytes:
        """The key of what its bots draw for the match; at tables of a deal of the day all their choices follow from it.

        It follows from the secret behind the cards, and so is the same at all tables of a deal of the day.
        """
        return hmac.new(self.secret, b"choices of bots", hashlib.sha256).digest()

    # --- the match ----------------------------------------------------------------------------------------------------
    @property
    def key(self) -> bytes:
        """The key of the generator that deals its cards."""
        return chance_key(self.secret, [seat.contribution for seat in self.seats])

    def restore(self, backend: str, pairs: Pairs, facts: Sequence[Sequence[Fact]]) -> int:
        """Put the match to the position after these events; returns the index of the first illegal one, or -1."""
        if self.match is None:
            self.match = self.game.match(by_hand=True, backend=backend)
        bad = self.match.load_events(pairs)
        if bad < 0:
            self.match.restore_narration(facts)
            self.match.let_chance(self.key)
            self.note_stored()
        return bad

    def note_stored(self) -> None:
        """What is stored leads to the position of the match."""
        self.stored_struct = raw(self.match.rows)[0].tobytes() if self.match else b""

    def follow(self, pairs: Pairs) -> int:
        """Play stored events that come next; returns the index of the first that isn't possible, or -1."""
        match = self.match
        assert match is not None
        for k, (seat, id) in enumerate(pairs, first := match.length):
            try:
                if k == match.length and seat < 0:
                    match.deal(id)
                elif k == match.length:
                    match.play(seat, id)
                event = match.event(k)
            except HexdeckError:
                return k
            if (event.seat, event.id) != (seat, id):
                return k
        if match.length != first + len(pairs):
            return first + len(pairs)
        match.restore_narration(self.facts)
        self.note_stored()
        return -1

    def replace_by(self, loaded: LiveTable) -> None:
        """Become what was loaded anew of the same table, also where what is older has changed."""
        for name in ("entries", "messages", "match", "seats", "terms", "version", "state", "runner", "rematch", "code"):
            setattr(self, name, getattr(loaded, name))
        self.kept_sheet = None
        self.note_stored()
        self.recount_progress()
        self.cache.clear()

    def replayer(self) -> Callable[[], Match]:
        """What makes the match anew, as far as it is stored, to step through; also in another thread."""
        game, pairs, facts, names = self.game, self.pairs, self.facts, self.names

        def replay() -> Match:
            match = game.match(by_hand=True, backend=quickest_backend(game.definition), names=names)
            match.load_events(pairs)
            match.restore_narration(facts)
            return match

        return replay

    def undo(self) -> None:
        """Put the match back to what is stored."""
        if self.match is None or not self.stored_plies:
            self.match = None
        elif self.match.length > self.stored_plies:
            self.match.back_to(self.stored_plies, self.stored_struct)
        elif self.match.length != self.stored_plies:  # a choice was taken back
            self.restore(self.match.driver.backend, self.pairs, self.facts)

    @property
    def valid_entries(self) -> list[Entry]:
        """The entries with events of the match, without choices that were taken back."""
        out: list[Entry] = []
        for entry in self.entries:
            if entry.kind == entries.RETRACT:
                del out[entries.last_index_of(out, entry.seat)]
            elif entry.pairs:
                out.append(entry)
        return out

    @property
    def stored_plies(self) -> int:
        """The number of stored events of the match, without those that were taken back."""
        return sum(len(entry.pairs) - (entry.kind == entries.RETRACT) for entry in self.entries)

    @property
    def pairs(self) -> Pairs:
        """The stored events of the match, without those that were taken back."""
        return tuple(pair for entry in self.valid_entries for pair in entry.pairs)

    @property
    def facts(self) -> list[tuple[Fact, ...]]:
        """The facts of each of these events."""
        return [facts for entry in self.valid_entries for facts in entry.facts]

    # --- changes of the match -----------------------------------------------------------------------------------------
    def play(self, seat: int, action: int, now: float) -> Entry:
        """Make a legal move in the match; returns its entry."""
        assert self.match is not None
        mark, ply = public_mark(self.match.struct), self.match.length
        self.match.play(seat, action)
        kind = entries.CHOICE if public_mark(self.match.struct) == mark else entries.MOVE
        return self.entry_since(kind, seat, ply, self.version + 1, now)

    def retract(self, seat: int, now: float) -> Entry:
        """Take back a seat's secret choice in the match; returns its entry. Raises BadPly when there is none."""
        assert self.match is not None
        self.match.retract(seat)
        valid = self.valid_entries
        del valid[entries.last_index_of(valid, seat)]
        self.match.restore_narration([facts for entry in valid for facts in entry.facts])
        fact = Fact(EVERYONE, say("{seat} takes a choice back.", seat=Seat(seat)))
        return Entry(self.version + 1, entries.RETRACT, seat, facts=((fact,),), at=now)

    def entry_since(self, kind: str, seat: int, ply: int, version: int, now: float) -> Entry:
        """The entry of all that happened in the match since a ply."""
        assert self.match is not None
        facts = tuple(tuple(facts) for facts in self.match.narration()[ply:])
        events = map(self.match.event, range(ply, self.match.length))
        return Entry(version, kind, seat, tuple((event.seat, event.id) for event in events), facts, now)

    # --- changes of the table -----------------------------------------------------------------------------------------
    def adopt(self, draft: Draft, runner: str) -> None:
        """Become what was drafted and stored; `runner`: the process that stored it."""
        self.entries += draft.entries
        self.version, self.runner = self.entries[-1].version, runner
        self.seats, self.state, self.terms = draft.seats, draft.state, draft.terms
        self.rematch = draft.rematch or self.rematch
        for entry in draft.entries:
            self.count_progress(entry)
        self.note_stored()
        self.cache.clear()

    def count_progress(self, entry: Entry) -> None:
        """Take note of what a new entry means for the progress of the match."""
        if entry.kind == "bot":
            self.stand_ins.add(entry.seat)
        elif entry.kind in ("back", "sit"):
            self.stand_ins.discard(entry.seat)
        if entry.kind in (entries.MOVE, entries.FORCED, entries.CHOICE, entries.RETRACT):
            self.moved_at[entry.seat] = entry.version
            self.noticed_at = self.noticed_at if entry.unnoticed_by(-1) else entry.version
        if entry.kind == "sit" or (entry.kind in (entries.MOVE, entries.CHOICE) and entry.seat not in self.stand_ins):
            self.owner_moved_at[entry.seat] = entry.version
        if entry.pairs and entry.kind != entries.CHOICE:  # something public happened in the match
            self.public_version = entry.version


def command(change: Callable[Concatenate[LiveTable, P], R]) -> Callable[P, Callable[[LiveTable], R]]:
    """A change of a table as a function of all but the table, which is known when the change is drafted."""

    @functools.wraps(change)
    def drafter(*args: P.args, **options: P.kwargs) -> Callable[[LiveTable], R]:
        return lambda table: change(table, *args, **options)

    return drafter


def played_by_server(match: Match, seats: Sequence[TableSeat]) -> list[int]:
    """The seats that may act in a match and that the server plays.

    Programs over the network make their forced moves themselves: how long they take gives away only what they choose.
    """
    return [
        number
        for number in match.acting
        if seats[number].local
        or (seats[number].kind == entries.PERSON and (nobody_decides(match, number) or asked_aside(match, number)))
    ]


def with_clocks(
    table: LiveTable,
    seats: Sequence[TableSeat],
    now: float,
    *,
    before: Sequence[int] = (),
    mover: int = -1,
    private: bool = True,
    beats: float = 0.0,
) -> tuple[TableSeat, ...]:
    """The seats with their clocks set: a seat that comes to act, or acts again, has the whole time.

    `private`: nothing public happened, so every seat is still at the same decision (a clock that began anew would give
    a secret step away), and a clock that was stopped goes on from where it stood. Otherwise only seats that acted
    `before`, other than the `mover`, are at the same decision. `beats`: seconds for which pages still show what
    happened, and new clocks don't run yet.
    """
    seconds = table.terms.seconds
    if seconds is None:
        return tuple(seats)
    acting = set(table.match.acting if table.match and not table.match.over else ())
    out = []
    for number, seat in enumerate(seats):
        same_decision = private or (number in before and number != mover)
        seconds_left = (seat.left if seat.due is None else max(0.0, seat.due - now)) if same_decision else None
        if not (number in acting and (seat.kind == entries.PERSON or seat.remote)):
            out.append(replace(seat, due=None, left=seconds_left))
        elif seconds_left is not None:
            out.append(replace(seat, due=seat.due or now + seconds_left, left=None))
        else:
            due = now + seconds + beats + (entries.FIRST_CLOCK_WAIT if seat.awaited else 0.0)
            out.append(replace(seat, due=due, left=None))
    return tuple(out)


def bot_delay(took: float, pause: float) -> float:
    """How long after its turn began a bot moves that thought for `took` seconds: the pause, doubled until it suffices.

    All thoughts within the pause look the same; a longer one shows only how often it was doubled. Without a pause
    nothing is waited for.
    """
    delay = pause
    while 0 < delay < took:
        delay *= 2
    return delay


def thinking_pause(match: Match, seat: int, pause: float) -> float:
    """How long a bot seems to think that people watch, in seconds: half the pause for one move, twice it for many.

    The moves are counted in worlds that the public (-1) thinks possible, drawn by what it knows, so that the time tells
    nothing of the bot's hand and is the same for all who look.
    """
    if not pause:
        return 0.0
    worlds = (match.resample(PUBLIC, match.key(PUBLIC) + number) for number in range(WORLDS))
    moves = max(1.0, sum(len(world.legal_ids(seat)) for world in worlds) / WORLDS)
    return pause * min(2.0, 0.5 + log2(moves) / 4)


def forced_delay(pause: float, source: Random = SYSTEM) -> float:
    """How long the table waits before a forced move, in seconds; 0 where bots don't wait either (`pause` is 0).

    That only one move is left may be the seat's secret: in High Handed it means that the seat holds no regular card. A
    move made at once, or always after the same time, would give it away. So the delay is drawn at random, the same way
    in every game, whether others could know it anyway or not; and it has a long tail, as people's have: however late a
    move comes, it may have been forced.
    """
    if not pause:
        return 0.0
    return FORCED_LEAST + min(source.expovariate(1 / FORCED_MEAN), FORCED_MOST)


def maker_since(table: LiveTable, version: int) -> BeatMaker | None:
    """What makes the beats of all that happened since a version; None where only the newest view can be shown."""
    newer = [entry for entry in table.entries if entry.version > version]
    if table.match is None or not newer or any(entry.kind == entries.RETRACT for entry in newer):
        return None
    match, first = table.match, table.match.length - sum(len(entry.pairs) for entry in newer)
    return table.cached(("beats", version), lambda: BeatMaker(match.game, match.driver, moments(match, first)))


def beats_for(table: LiveTable, seat: int, version: int) -> tuple[Beat, ...]:
    """The beats that lead a seat (-1: the public) from a version to the newest that it knows; none if it is far behind.

    Later choices of others, which it hasn't noticed, count for nothing.
    """
    behind = table.version_for(seat) - version
    maker = maker_since(table, version) if version >= 0 and 0 < behind <= MOST_VERSIONS else None
    return maker.beats(seat) if maker else ()


def seconds_shown(table: LiveTable, since: int) -> float:
    """How long what happened since a version is shown, at the table's pace."""
    maker = maker_since(table, since) if table.pace else None
    return maker.total / 1000 * table.pace if maker else 0.0


def note_shown(table: LiveTable, now: float) -> None:
    """Take note of a new version: until when pages show what happened."""
    before, table.shown_version = table.shown_version, table.version
    if before is not None and before < table.version:
        lasts = max(table.shown_until, now) + seconds_shown(table, before)
        table.shown_until = min(lasts, now + LONGEST_WAIT)


def seconds_drafted(table: LiveTable, entry: Entry, now: float) -> float:
    """How long from now on pages show what happens, with an entry that was played but isn't stored yet."""
    if not table.pace or table.match is None:
        return 0.0
    match = table.match
    maker = BeatMaker(match.game, match.driver, moments(match, match.length - len(entry.pairs)))
    return min(still_shown(table, now) + maker.total / 1000 * table.pace, LONGEST_WAIT)


def still_shown(table: LiveTable, now: float) -> float:
    """For how many seconds more pages show what happened last."""
    return max(0.0, table.shown_until - now)


def awaits_look(table: LiveTable, now: float) -> bool:
    """Whether bots wait for a person's page to be open, so that no player misses the beginning."""
    if table.seen or table.state != entries.PLAYING or not any(seat.kind == entries.PERSON for seat in table.seats):
        return False
    return now < next((entry.at for entry in table.entries if entry.kind == "start"), 0.0) + FIRST_LOOK


def seats_sharing(seats: Sequence[TableSeat], holder: int) -> tuple[int, ...]:
    """The seats on the device of a seat's holder; none for the public (-1)."""
    return tuple(number for number, seat in enumerate(seats) if holder >= 0 and holder in (number, seat.device))


def viewing_seat(table: LiveTable, holder: int) -> int:
    """The seat whose cards a device shows: the holder's own where it isn't shared; -1 while it is covered."""
    shared, face = seats_sharing(table.seats, holder), table.seats[holder].face
    if len(shared) < 2 or table.state == entries.WAITING:
        return holder
    if table.state == entries.OVER:
        return face if face in shared else holder
    return face if face in shared and next_to_decide(table, holder) in (None, face) else COVERED


def next_to_decide(table: LiveTable, holder: int) -> int | None:
    """The seat on a device that is to decide next, first the one that has it in hand; None where none is."""
    shared, face = seats_sharing(table.seats, holder), table.seats[holder].face
    people = (seat for seat in shared if seat in table.acting and table.seats[seat].kind == entries.PERSON)
    # where the public can tell that a seat has only one legal move, the device isn't needed for it
    acting = [seat for seat in people if table.match and not nobody_decides(table.match, seat, PUBLIC)]
    if face in acting:
        return face
    return min(acting, key=lambda seat: (seat - face - 1) % len(table.seats), default=None)


def playing_seat(table: LiveTable, holder: int) -> int:
    """The seat that plays on a device now; raises Stale while it is covered."""
    seat = viewing_seat(table, holder)
    if holder >= 0 and seat == COVERED:
        raise Stale(say("The cards are covered: first say who is holding the device."))
    return seat


@command
def hand_over(table: LiveTable, holder: int, to: int, now: float) -> Draft:
    """Hand the device to the player of seat `to`, or cover it (-1)."""
    shared, next_ = seats_sharing(table.seats, holder), next_to_decide(table, holder)
    if len(shared) < 2 or to not in (COVERED, *shared):
        raise NotYours(say("That seat doesn't play on this device."))
    if table.state != entries.PLAYING:
        raise Stale(say("Nothing is hidden now."))
    if to != COVERED and next_ not in (None, to):
        raise Stale(say(_("It is {name}'s turn with the device now."), name=table.seats[next_].name))
    seats = tuple(replace(seat, face=to) if number == holder else seat for number, seat in enumerate(table.seats))
    return Draft((Entry(table.version + 1, entries.HAND, holder, at=now),), seats, table.state, table.terms)


def is_turn(table: LiveTable, holder: int) -> bool:
    """Whether it is the turn of a seat on the device of a seat's holder; False for the public (-1)."""
    return holder >= 0 and table.state == entries.PLAYING and next_to_decide(table, holder) is not None


def turn_to_tell(table: LiveTable, holder: int) -> int | None:
    """The number of the holder's turn, if it came without a move of their own; it grows from turn to turn.

    None where it isn't their turn, or their own move was the last that all noticed: they have just been here.
    """
    last = last_move(table, holder)
    return last + 1 if is_turn(table, holder) and last < table.public_version else None


def turn_known(table: LiveTable, holder: int) -> int:
    """The number of the last turn that a holder who is here now knows of, if there was one."""
    return last_move(table, holder) + is_turn(table, holder)


def last_move(table: LiveTable, holder: int) -> int:
    """The version of the last move on the device of a seat's holder, -1 before it; -1 for the public."""
    return max((table.moved_at[seat] for seat in seats_sharing(table.seats, holder)), default=-1)
