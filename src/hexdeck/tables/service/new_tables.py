"""How tables begin: set by somebody who takes a seat, or as the rematch of another, with the seats rotated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hexdeck.bots.players.levels import LEVELS, levels_of
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import unknown_option
from hexdeck.engine.text import LANGUAGES, _, say
from hexdeck.engine.text import Seat as Named
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import Stale
from hexdeck.tables.keys import contribution, invitation, new_id, new_token
from hexdeck.tables.model.device import rotated
from hexdeck.tables.model.live import ANYONE, NOBODY, OVER, PLAYING, WAITING, Draft, Entry, LiveTable, Terms
from hexdeck.tables.model.seats import BOT, OPEN, PERSON, Seat, checked_clock, free_name, given_name
from hexdeck.tables.service.commands import checked_bot, fact, stand_in, with_deal
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.series import passed_on
from hexdeck.tables.storage import rows

YOU = "you"
HERE = "here"  # somebody else, on the device of whoever sets the table


@dataclass(frozen=True)
class Wish:
    """A table as somebody wishes it: who sits where (`you`, `here`, `open`, or a bot's name), on what terms (`Terms`).

    `names`: what those are called who sit `here`, by seat. `program`: the bot that the creator is, for programs;
    `given`: what the creator adds to the cards' key. `hints`: whether they are allowed; None for what is usual: only
    where one person plays with bots. `coach`: whether each kind of decision is explained to the creator once.
    `promise`: the ticket of what the creator was promised (`promises.py`).
    """

    game: Game
    chairs: tuple[str, ...]
    name: str = ""
    clock: str = "none"
    watch: str = ANYONE
    lang: str = ""
    hold: bool = False
    program: str = ""
    given: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    hints: bool | None = None
    coach: bool = False
    promise: str = ""

    @property
    def hinted(self) -> bool:
        """Whether hints are allowed at the table."""
        return OPEN not in self.chairs and HERE not in self.chairs if self.hints is None else self.hints


def chosen_game(name: str, players: int | None, options: Mapping[str, Any]) -> Game:
    """A game for a table, as somebody from outside asks for it; raises UnknownGame or BadOption."""
    known = {option.name: option for option in definition(find_game(name)).rules.OPTIONS}
    for option in options:
        if option not in known:
            raise BadOption(unknown_option(option[:60], known))
    return Game.at_table(name, players, **options)


def against_bots(game: Game, name: str = "", *, coach: bool = False, given: str = "", promise: str = "") -> Wish:
    """You on the first seat, bots on all others; gentle ones with the coach."""
    level = LEVELS[0] if coach and LEVELS[0] in levels_of(game) else stand_in(game)
    return Wish(game, (YOU, *[level] * (game.players - 1)), name, coach=coach, given=given, promise=promise)


def checked(wish: Wish) -> Wish:
    """The wish; raises BadOption or UnknownBot where it can't be fulfilled."""
    if len(wish.chairs) != wish.game.players:
        text = _("There are {players} seats, and {given} were set.")
        raise BadOption(say(text, players=wish.game.players, given=len(wish.chairs)))
    if wish.chairs.count(YOU) != 1:
        raise BadOption(say("Exactly one seat is yours."))
    if wish.watch not in (ANYONE, NOBODY):
        raise BadOption(say("Who may watch is {anyone} or {nobody}.", anyone=ANYONE, nobody=NOBODY))
    if wish.lang not in ("", *LANGUAGES):
        text = _("There is no language {lang}; there are {langs}.")
        raise BadOption(say(text, lang=wish.lang[:20], langs=", ".join(LANGUAGES)))
    if HERE in wish.chairs and checked_clock(wish.clock) != "none":
        raise BadOption(say("Where several people share a device there is no clock: the device must be handed on."))
    checked_clock(wish.clock)
    for chair in set(wish.chairs) - {YOU, HERE, OPEN}:
        checked_bot(wish.game, chair)
    return wish


def seats_of(wish: Wish) -> tuple[Seat, ...]:
    """The seats of a wish, under names that nobody else there has."""
    out: list[Seat] = []
    mine, called = given_name(wish.name), {seat: given_name(name) for seat, name in wish.names.items()}
    for number, chair in enumerate(wish.chairs):
        later = [name for seat, name in called.items() if seat > number]
        taken = [mine, *(seat.name for seat in out), *later]
        if chair == YOU:
            out.append(own_seat(wish, mine or free_name("", taken, number)))
        elif chair == HERE:
            name = free_name(called.get(number, ""), taken, number)
            out.append(Seat(PERSON, name, owner=True, device=wish.chairs.index(YOU)))
        elif chair == OPEN:
            out.append(Seat(OPEN, free_name("", taken, number), stand_in(wish.game)))
        else:
            out.append(Seat(BOT, free_name("", taken, number), chair))
    return tuple(out)


def own_seat(wish: Wish, name: str) -> Seat:
    """The seat of whoever sets the table."""
    kind, level, added = BOT if wish.program else PERSON, given_name(wish.program), contribution(wish.given)
    return Seat(
        kind, name, level, owner=True, remote=bool(wish.program), contribution=added, program=bool(wish.program),
        coached=wish.coach,
    )  # fmt: skip


async def create(hall: TableRegistry, wish: Wish, secret: bytes, token: str) -> LiveTable:
    """Set a table; the hashed token holds the creator's seat. The cards are dealt when no seat is open.

    They follow from the secret that was promised, where one was, else from the one given.
    """
    checked(wish)
    promise = hall.promise(wish.promise) if wish.promise else None
    me = wish.chairs.index(YOU)
    terms = Terms(wish.clock, wish.watch, wish.lang, me, wish.hold, wish.hinted)
    seats, now = seats_of(wish), hall.clock()
    drawn = promise.secret if promise else secret
    table = LiveTable(new_id(), wish.game, terms, seats, drawn, new_token().encode())
    first = Entry(0, "create", me, facts=fact(say("{name} sets the table.", name=seats[me].name)), at=now)
    ready = not wish.hold and all(seat.kind != OPEN for seat in seats)
    draft = with_deal(table, (first,), seats, now) if ready else Draft((first,), seats, WAITING, terms)
    return await hall.add(table, draft, [{"token": token, "table": table.id, "seat": me}], promise)


async def rematch(hall: TableRegistry, id: str, by: int = -1, given: str | None = None, speaker: int = -1) -> str:
    """The table of the rematch, made if nobody has yet: the same people and bots, each one seat further.

    Its secret is the one that the old table promised. `by`: the seat that asks for it; the others are told at the old
    table, and find their seats taken for them. `given`: what the seat `speaker` adds to the cards' key, in the place of
    what it wished to add before. A program that asks keeps its seat.
    """
    old = await hall.table(id)
    if old.rematch:
        return old.rematch
    if old.state != OVER:
        raise Stale(say("A rematch comes after the end of the match."))
    held = await hall.ask(lambda connection: rows.holders_of(connection, id))
    table = again(old, by, {} if given is None else {speaker: contribution(given)})
    now = hall.clock()
    first = Entry(0, "create", table.terms.host, facts=fact(say("A rematch: everybody sits one seat further.")), at=now)
    held = [holder for holder in held if table.seats[further(holder["seat"], old)].owner]
    moved = [{**holder, "table": table.id, "seat": further(holder["seat"], old)} for holder in held]
    await hall.add(table, with_deal(table, (first,), table.seats, now), moved)
    return await _linked(hall, id, table.id, by)


def again(old: LiveTable, by: int, added: Mapping[int, str]) -> LiveTable:
    """A new table like an old one, each seat one further; `added`: what some add to its cards, by their old seats."""
    level = stand_in(old.game)
    fresh = [anew(seat, level, number == by, added.get(number, seat.adds)) for number, seat in enumerate(old.seats)]
    terms = replace(old.terms, host=further(old.terms.host, old), hold=False, past=passed_on(old))
    id, secret = old.following
    return LiveTable(id, old.game, terms, rotated((fresh[-1], *fresh[:-1])), secret, new_token().encode())


def anew(seat: Seat, level: str, asks: bool, added: str) -> Seat:
    """A seat at the beginning of a rematch: a bot of ours takes the place of a program that doesn't ask for it."""
    kept = replace(seat, due=None, left=None, freed=0, contribution=added, adds="", coached=False)
    if not seat.program:
        return kept
    if asks:
        return replace(kept, kind=BOT, remote=True)
    return replace(kept, kind=BOT, owner=False, remote=False, program=False, level=level, contribution="")


def further(seat: int, table: LiveTable) -> int:
    """The next seat."""
    return (seat + 1) % len(table.seats)


async def _linked(hall: TableRegistry, id: str, new: str, by: int) -> str:
    """Tell the old table of the new one."""

    def draft(table: LiveTable) -> Draft:
        if table.rematch:
            raise Stale(say("There is a rematch already."))
        told = say("{seat} asks for a rematch.", seat=Named(by)) if by >= 0 else say("There is a rematch.")
        entry = Entry(table.version + 1, "rematch", by, facts=fact(told), at=hall.clock())
        return Draft((entry,), table.seats, table.state, table.terms, new)

    try:
        await hall.change(id, draft)
    except Stale:
        return (await hall.table(id)).rematch or new
    return new


def invitations(table: LiveTable) -> dict[int, str]:
    """The invitation to each free seat."""
    return {seat: invitation(table.id, seat, table.invites, table.seats[seat].freed) for seat in seats_free(table)}


def seats_free(table: LiveTable) -> list[int]:
    """The seats that an invitation leads to: those that are open, else those of bots that nobody owns."""
    if table.state not in (WAITING, PLAYING):
        return []
    free = [number for number, seat in enumerate(table.seats) if not seat.owner]
    return [number for number in free if table.seats[number].kind == OPEN] or free
