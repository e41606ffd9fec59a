"""How tables begin: created by a player who takes a seat, or as the rematch of another, with the seats rotated.

A match and its rematches, with the same people, are a series.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from hexdeck.bots.players.levels import LEVELS, levels_of, usual_bot
from hexdeck.bots.players.manners import company
from hexdeck.bots.players.names import kept
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import by_name, read_options
from hexdeck.engine.play.score import ScoreSheet, score_sheet, winners
from hexdeck.engine.text import LANGUAGES, _, say
from hexdeck.engine.text import Seat as Named
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import Stale
from hexdeck.tables.fair import checked_contribution
from hexdeck.tables.keys import SYSTEM, invitation, new_id, new_token, unknown_code
from hexdeck.tables.model.device import moved_seats
from hexdeck.tables.model.entries import ANYONE, NOBODY, OVER, PLAYING, WAITING, Draft, Entry, Terms
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import BOT, GUEST, OPEN, PERSON, Seat, checked_clock, cleaned_name, free_name
from hexdeck.tables.service.commands import announcement, checked_bot, public_fact, with_deal
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage import codes, rows, subscriptions

YOU = "you"
HERE = "here"  # another player, on the creator's device
T = TypeVar("T")


@dataclass(frozen=True)
class TableSetup:
    """A new table: who sits where (`you`, `here`, `open`, or a bot's name), and its terms (see `Terms`).

    `names`: the names of those who sit `here`, by seat. `program`: the bot that the creator is, for programs.
    `contribution`: the creator's words in the key of the cards. `hints`: whether hints are allowed; None for the usual:
    where one person plays with bots. `coach`: the coach explains decisions to the creator. `promise`: the ticket of the
    promise that the creator saw (`fair.py`). `screen`: one screen shows the table to all, and phones are hands;
    then the creator's device may be that screen, and no seat be theirs. `guest`: what people without a name are called.
    `feedback`: players are asked what they thought, when the match is over.
    """

    game: Game
    chairs: tuple[str, ...]
    name: str = ""
    clock: str = "none"
    watch: str = ANYONE
    lang: str = ""
    hold: bool = False
    program: str = ""
    contribution: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    hints: bool | None = None
    coach: bool = False
    promise: str = ""
    screen: bool = False
    feedback: bool = True
    guest: str = GUEST

    @property
    def allows_hints(self) -> bool:
        """Whether hints are allowed at the table."""
        return OPEN not in self.chairs and HERE not in self.chairs if self.hints is None else self.hints


def typed_game(name: str, players: int, preset: str, typed: Mapping[str, str]) -> Game:
    """The game that a person asks for in a form; raises UnknownGame or BadOption."""
    return Game.at_table(name, players, preset, **read_options(definition(find_game(name)).rules.OPTIONS, typed))


def chosen_game(name: str, players: int | None, preset: str, options: Mapping[str, Any]) -> Game:
    """The game that a client asks for; raises UnknownGame or BadOption."""
    by_name(definition(find_game(name)).rules.OPTIONS, options)
    return Game.at_table(name, players, preset, **options)


def against_bots(
    game: Game, name: str = "", *, coach: bool = False, contribution: str = "", promise: str = ""
) -> TableSetup:
    """You on the first seat, bots on the others, of different manners; gentle ones with the coach."""
    level = LEVELS[0] if coach and LEVELS[0] in levels_of(game) else usual_bot(game)
    return TableSetup(
        game,
        (YOU, *company(game, level, game.players - 1)),
        name,
        coach=coach,
        contribution=contribution,
        promise=promise,
    )


def checked(setup: TableSetup) -> TableSetup:
    """The setup; raises BadOption or UnknownBot where it is impossible."""
    if len(setup.chairs) != setup.game.players:
        text = _("There are {players} seats, not {given}.")
        raise BadOption(say(text, players=setup.game.players, given=len(setup.chairs)))
    if setup.chairs.count(YOU) != 1 and not (setup.screen and YOU not in setup.chairs):
        raise BadOption(say("Exactly one seat must be yours."))
    if setup.screen:
        check_screen(setup)
    if setup.watch not in (ANYONE, NOBODY):
        raise BadOption(say("Who may watch is {anyone} or {nobody}.", anyone=ANYONE, nobody=NOBODY))
    if setup.lang not in ("", *LANGUAGES):
        text = _("There is no language {lang}; there are {langs}.")
        raise BadOption(say(text, lang=setup.lang[:20], langs=", ".join(LANGUAGES)))
    if HERE in setup.chairs and checked_clock(setup.clock) != "none":
        raise BadOption(say("There is no clock when several people share a device: passing it on takes time."))
    checked_clock(setup.clock)
    for chair in set(setup.chairs) - {YOU, HERE, OPEN}:
        checked_bot(setup.game, chair)
    return setup


def check_screen(setup: TableSetup) -> None:
    """Raise BadOption where a table with one screen for all is impossible."""
    if setup.watch != ANYONE:
        raise BadOption(say("A screen for all shows the table to anyone who has its link; let anyone watch."))
    if HERE in setup.chairs:
        text = say("With one screen for all, everybody plays on a device of their own; leave those seats open.")
        raise BadOption(text)
    if not {YOU, OPEN} & set(setup.chairs):
        raise BadOption(say("Leave a seat open for somebody to play."))


def seats_for(setup: TableSetup) -> tuple[Seat, ...]:
    """The seats of a setup, each with a name of its own."""
    out: list[Seat] = []
    guests = {seat: cleaned_name(name) for seat, name in setup.names.items()}
    own = cleaned_name(setup.name) or ("" if setup.program else setup.guest)  # programs are called like other bots
    for number, chair in enumerate(setup.chairs):
        later_names = [name for seat, name in guests.items() if seat > number]
        names = [own, *(seat.name for seat in out), *later_names]
        if chair == YOU:
            out.append(creator_seat(setup, own or free_name("", names, number)))
        elif chair == HERE:
            name = free_name(guests.get(number) or setup.guest, names, number)
            out.append(Seat(PERSON, name, owner=True, device=setup.chairs.index(YOU)))
        elif chair == OPEN:
            out.append(Seat(OPEN, free_name("", names, number), usual_bot(setup.game)))
        else:
            out.append(Seat(BOT, free_name("", names, number), kept(chair)))
    return tuple(out)


def creator_seat(setup: TableSetup, name: str) -> Seat:
    """The creator's seat."""
    is_program = bool(setup.program)
    return Seat(
        BOT if is_program else PERSON,
        name,
        cleaned_name(setup.program),
        owner=True,
        remote=is_program,
        program=is_program,
        coached=setup.coach,
        contribution=checked_contribution(setup.contribution),
    )


async def create(registry: TableRegistry, setup: TableSetup, secret: bytes, token: str, asker: str = "") -> LiveTable:
    """Create a table; the hashed token holds the creator's seat. The cards are dealt when no seat is open.

    They follow from the promised secret where there is a promise, else from `secret`. `asker`: where the creator is.
    """
    checked(setup)
    promise = registry.promise(setup.promise) if setup.promise else None
    plays = YOU in setup.chairs
    host = setup.chairs.index(YOU if plays else OPEN)
    about = {name: getattr(setup, name) for name in ("clock", "watch", "lang", "hold", "screen", "feedback")}
    terms = Terms(**about, host=host, hints=setup.allows_hints)
    seats, now = seats_for(setup), registry.clock()
    drawn, source = promise.secret if promise else secret, registry.runtime.random
    table = LiveTable(new_id(source), setup.game, terms, seats, drawn, new_token(source).encode())
    text = say("{name} sets up the table.", name=seats[host].name) if plays else say("The table is set up.")
    first = Entry(0, "create", host, facts=public_fact(text), at=now)
    ready = not setup.hold and all(seat.kind != OPEN for seat in seats)
    draft = with_deal(table, (first,), seats, now) if ready else Draft((first,), seats, WAITING, terms)
    registry.interest.note(table.id, asker or table.id)
    holders = [{"token": token, "table": table.id, "seat": host}] if plays else []
    return await registry.add(table, draft, holders, promise)


async def rematch(
    registry: TableRegistry, id: str, by: int = -1, contribution: str | None = None, speaker: int = -1
) -> str:
    """The id of the rematch, created if there is none yet: the same people and bots, each one seat further.

    Its secret is the one that the old table promised. `by`: the seat that asks for it; the others are told at the old
    table, and keep their seats. `contribution`: what the seat `speaker` adds to the key of the cards, in place of what
    it wanted to add before. A program that asks keeps its seat.
    """
    old = await registry.table(id)
    if old.rematch:
        return old.rematch
    if old.state != OVER:
        raise Stale(say("A rematch is possible once the match is over."))
    holders = await registry.run_job(rows.holders_of, id)
    added = {} if contribution is None else {speaker: contribution}
    table = rematch_table(old, by, added, registry.runtime.random)
    now = registry.clock()
    facts = public_fact(say("A rematch: everybody moves one seat on."))
    first = Entry(0, "create", table.terms.host, facts=facts, at=now)
    holders = [holder for holder in holders if table.seats[next_seat(holder["seat"], old)].owner]
    moved = [{**holder, "table": table.id, "seat": next_seat(holder["seat"], old)} for holder in holders]
    registry.interest.note(table.id, registry.interest.asker(id))
    await registry.add(table, with_deal(table, (first,), table.seats, now), moved)
    follow = {number: next_seat(number, old) for number in range(len(old.seats))}
    await registry.run_job(subscriptions.follow, old.id, table.id, follow)
    return await _link_rematch(registry, id, table.id, by)


def rematch_table(old: LiveTable, by: int, added: Mapping[int, str], source: Random = SYSTEM) -> LiveTable:
    """A new table like an old one, each seat one further; `added`: words for its cards, by their old seats."""
    level = usual_bot(old.game)
    seats = [
        rematch_seat(old_seat, level, number == by, added.get(number, old_seat.adds))
        for number, old_seat in enumerate(old.seats)
    ]
    past = past_for_rematch(old)
    terms = replace(old.terms, host=next_seat(old.terms.host, old), hold=False, past=past, day="")
    id, secret = old.rematch_identity
    return LiveTable(id, old.game, terms, moved_seats(rotate(seats)), secret, new_token(source).encode())


def rematch_seat(seat: Seat, level: str, asks: bool, added: str) -> Seat:
    """A seat of a rematch: one of our bots replaces a program that doesn't ask for it."""
    contribution = checked_contribution(added)
    new = replace(seat, due=None, left=None, freed=0, adds="", coached=False, contribution=contribution)
    if not seat.program:
        return new
    if asks:
        return replace(new, kind=BOT, remote=True)
    return replace(new, kind=BOT, owner=False, remote=False, program=False, level=level, contribution="")


def next_seat(seat: int, table: LiveTable) -> int:
    """The next seat."""
    return (seat + 1) % len(table.seats)


async def _link_rematch(registry: TableRegistry, id: str, new: str, by: int) -> str:
    """Link the old table to the rematch; returns the id of the one that it links to."""

    def draft(table: LiveTable) -> Draft:
        if table.rematch:
            raise Stale(say("There is already a rematch."))
        text = say("{seat} wants a rematch.", seat=Named(by)) if by >= 0 else say("The rematch is ready.")
        entry = announcement(table, "rematch", by, text, registry.clock())
        return Draft((entry,), table.seats, table.state, table.terms, new)

    try:
        await registry.change(id, draft)
    except Stale:
        return (await registry.table(id)).rematch or new
    return new


def invitations(table: LiveTable) -> dict[int, str]:
    """The invitation to each free seat."""
    key, seats = table.invitation_key, table.seats
    return {seat: invitation(table.id, seat, key, seats[seat].freed) for seat in seats_free(table)}


def seats_free(table: LiveTable) -> list[int]:
    """The seats that can be taken by invitation: open ones, else those of bots without an owner.

    None with a deal of the day: a guest would see cards that they can still be dealt.
    """
    if table.state not in (WAITING, PLAYING) or table.terms.day:
        return []
    free = [number for number, seat in enumerate(table.seats) if not seat.owner]
    return [number for number in free if table.seats[number].kind == OPEN] or free


async def draw_code(registry: TableRegistry, table: LiveTable) -> None:
    """Draw a table's code for guests if it has none yet."""
    if not table.code and table.state in (WAITING, PLAYING):
        drawn = registry.runtime.random
        table.code = await registry.run_job(codes.code_of, table.id, drawn)


async def table_of_code(registry: TableRegistry, code: str) -> LiveTable:
    """The table of a code that a guest types in; raises NoTable."""
    table = await registry.run_job(codes.table_of_code, code)
    if table is None:
        raise unknown_code()
    return await registry.table(table)


@dataclass(frozen=True)
class SeriesMatch:
    """A match of a series that is over: who won, and the totals by tally; by seat, as players sit now."""

    table: str
    won: tuple[bool, ...]
    totals: tuple[tuple[int, ...], ...]

    def data(self) -> dict[str, Any]:
        """The match as it is stored."""
        return {"table": self.table, "won": list(self.won), "totals": [list(total) for total in self.totals]}


def sheet_of(table: LiveTable) -> ScoreSheet | None:
    """The score sheet of a table, made anew when a deal has ended; None before the deal."""
    match = table.match
    if match is None or match.length != table.stored_plies:
        return None
    mark = int(match.struct.deal), match.over
    (deal, over), earlier = table.kept_sheet or ((0, False), None)
    if earlier is None or (deal, over) != mark:
        earlier = score_sheet(match, None if over or mark[0] < deal else earlier)
        table.kept_sheet = mark, earlier
    return earlier


def finished_matches(table: LiveTable) -> tuple[SeriesMatch, ...]:
    """The matches of the series that are over, with this one if it is."""
    past = ((match["table"], match["won"], match["totals"]) for match in table.terms.past)
    earlier = tuple(SeriesMatch(id, tuple(won), tuple(map(tuple, totals))) for id, won, totals in past)
    sheet = sheet_of(table) if table.state == OVER else None
    if sheet is None or table.match is None:
        return earlier
    return (*earlier, SeriesMatch(table.id, winners(table.match), sheet.totals))


def past_for_rematch(table: LiveTable) -> tuple[dict[str, Any], ...]:
    """The finished matches for a rematch, where all sit one seat further."""
    moved = (
        SeriesMatch(match.table, rotate(match.won), tuple(rotate(total) for total in match.totals))
        for match in finished_matches(table)
    )
    return tuple(match.data() for match in moved)


def rotate(by_seat: Sequence[T]) -> tuple[T, ...]:
    """Values by seat, when all have moved one seat further."""
    return (by_seat[-1], *by_seat[:-1])
