"""What can happen at a table, and how tables begin: each command drafts one change (see `TableRegistry.change`).

Whether a seat may do it is checked when it is drafted, against the newest version of the table.

A table is created by a player who takes a seat, or as the rematch of another, with the seats rotated. A match and its
rematches, with the same people, are a series.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, TypeVar

from hexdeck.bots.players.bot_names import bot_name, stored
from hexdeck.bots.players.levels import LEVELS, company, levels_of, usual_bot
from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption, BadPly, GameIsOver, IllegalMove, NotActing, UnknownBot
from hexdeck.engine.options import by_name
from hexdeck.engine.play.game import quickest_backend
from hexdeck.engine.play.score import ScoreSheet, score_sheet, winners
from hexdeck.engine.text import LANGUAGES, Seat, Text, _, say
from hexdeck.engine.view import EVERYONE, Fact
from hexdeck.simulation.game import Game
from hexdeck.tables import codes, entries, rows
from hexdeck.tables.entries import BOT, OPEN, OVER, PERSON, PLAYING, WAITING, Draft, Entry, TableSeat, Terms
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.fair import chance_key, checked_contribution
from hexdeck.tables.keys import SYSTEM, id_from, invitation, new_token
from hexdeck.tables.live import LiveTable, asides, asked_aside, command, seconds_drafted, with_clocks
from hexdeck.tables.player_names import checked_name, cleaned_name, free_name
from hexdeck.tables.registry import TableRegistry

MOST_PLAYED = 2_000  # rollouts of a bot for a move, at a table: all bots of a server share a few threads
BY_CLOCK = -2  # who gives a seat to a bot when its time is up
HOST_AWAY = 60.0  # seconds after which another player may become host
HOST_AWAY_FOR_DAYS = 86_400.0  # in a match of days, where players are away most of the time
YOU = "you"
HERE = "here"  # another player, on the creator's device
T = TypeVar("T")


def announcement(table: LiveTable, kind: str, seat: int, text: Text, now: float) -> Entry:
    """The next entry of a table, which tells all one sentence."""
    return Entry(table.version + 1, kind, seat, facts=public_fact(text), at=now)


def public_fact(text: Text) -> tuple[tuple[Fact, ...], ...]:
    """The facts of an entry that tells all one sentence."""
    return ((Fact(EVERYONE, text),),)


def with_seat(seats: tuple[TableSeat, ...], number: int, seat: TableSeat) -> tuple[TableSeat, ...]:
    """The seats with one of them replaced."""
    return (*seats[:number], seat, *seats[number + 1 :])


def assert_seat(table: LiveTable, seat: int) -> None:
    """Raise TableError where there is no such seat."""
    if not 0 <= seat < len(table.seats):
        raise TableError(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=len(table.seats) - 1))


def with_deal(table: LiveTable, first: tuple[Entry, ...], seats: tuple[TableSeat, ...], now: float) -> Draft:
    """A draft that also deals the cards, since every seat has added to their key by now."""
    table.match = table.game.match(by_hand=True, backend=quickest_backend(table.game.definition))
    table.match.let_chance(chance_key(table.secret, [seat.contribution for seat in seats]))
    last = first[-1].version if first else table.version
    entry = table.entry_since("start", -1, 0, last + 1, now)
    waited = tuple(replace(seat, awaited=seat.owner and table.terms.seconds is not None, face=-1) for seat in seats)
    timed = with_clocks(table, waited, now, private=False)
    return Draft((*first, entry), timed, OVER if table.match.over else PLAYING, table.terms)


def checked_bot(game: Game, name: str) -> str:
    """The name of a bot that can play a game and leaves time for others; raises UnknownBot or BadOption.

    Bots with files are refused: clients can't name files of the server.
    """
    parts = bot_name(name)
    if parts.files:
        raise UnknownBot(say("A bot that loads a file can't play at a table: {name}.", name=name[:40]))
    if parts.games > MOST_PLAYED or parts.threads > 1:
        text = _("The bot {name} is too slow for a table: it may play out at most {most} games a move, on one thread.")
        raise BadOption(say(text, name=name[:60], most=MOST_PLAYED))
    bot(name, game, backend="interpreted")
    return name


# --- the deal ---------------------------------------------------------------------------------------------------------
@command
def deal(table: LiveTable, by: int | None, contribution: str, now: float) -> Draft:
    """The host deals the cards; bots play the seats that are still open, until they are taken."""
    if table.state != WAITING:
        raise Stale(say("The cards have already been dealt."))
    if by != table.terms.host:
        raise NotYours(say("Only the host can have the cards dealt."))
    seats = tuple(replace(seat, kind=BOT) if seat.kind == OPEN else seat for seat in table.seats)
    if contribution:
        seats = with_seat(seats, by, replace(seats[by], contribution=checked_contribution(contribution)))
    return with_deal(table, (), seats, now)


@command
def contribute(table: LiveTable, seat: int, contribution: str, now: float) -> Draft:
    """A seat adds words to the key of a rematch's cards."""
    if not table.rematch_commitment:
        raise Stale(say("You can add words for a rematch once the match is over, until the rematch is set up."))
    old, added = table.seats[seat], checked_contribution(contribution)
    if added == old.adds:
        raise Stale(say("These words are already saved.") if added else say("There are no words to save."))
    text = _("{seat} adds words to the shuffle of a rematch.")
    if not added:
        text = _("{seat} adds no words to the shuffle of a rematch.")
    entry = announcement(table, "add", seat, say(text, seat=Seat(seat)), now)
    return Draft((entry,), with_seat(table.seats, seat, replace(old, adds=added)), table.state, table.terms)


# --- moves ------------------------------------------------------------------------------------------------------------
@command
def move(
    table: LiveTable, seat: int, action: str | int, version: int | None, now: float, *, local: bool = False
) -> Draft:
    """A seat makes a move, by the action's name or id; `version` is the version that it saw.

    `local`: a bot of the server chose it. Raises Stale, NotYours, or a BadMove that says only what the seat may know.
    """
    assert_open(table, seat, local=local)
    if version is not None and not table.is_current_for(seat, version):
        raise Stale(say("The table has moved on; look again."))
    match, before = table.match, table.acting
    assert match is not None
    id = action_id(table, action)
    if seat not in before:
        raise NotActing(say("It isn't your turn."))
    reason = match.illegal_reason(seat, id)
    if reason:
        raise refusal(table, seat, reason)
    seats = with_seat(table.seats, seat, replace(table.seats[seat], awaited=False))
    return move_draft(table, table.play(seat, id, now), seats, before, now)


@command
def forced(table: LiveTable, seat: int, version: int, now: float) -> Draft:
    """The table makes a person's only legal move; raises Stale where there is a choice, or the move is made."""
    assert_open(table, seat, local=False)
    if not table.is_current_for(seat, version) or seat not in table.forced or table.match is None:
        raise Stale(say("The table has moved on; look again."))
    before, aside, own = table.acting, asked_aside(table.match, seat), table.seats[seat]
    if aside is None:
        (action,) = table.match.legal_ids(seat)
    else:
        action = aside.action if aside.about in own.asides else aside.silence
    entry = table.play(seat, action, now)
    kind = entries.CHOICE if entry.kind == entries.CHOICE else entries.FORCED
    return move_draft(table, replace(entry, kind=kind), table.seats, before, now)


def move_draft(
    table: LiveTable, entry: Entry, seats: tuple[TableSeat, ...], before: tuple[int, ...], now: float
) -> Draft:
    """The draft of a move; `before`: the seats that were to act when it was made."""
    private, match = entry.kind == entries.CHOICE, table.match
    assert match is not None
    if any(seat.asides for seat in seats):  # what can't be said any more is forgotten
        still = [{aside.about for aside in asides(match, number)} for number in range(len(seats))]
        seats = tuple(
            replace(seat, asides=tuple(about for about in seat.asides if about in still[number]))
            for number, seat in enumerate(seats)
        )
    beats = 0.0 if private or table.terms.seconds is None else seconds_drafted(table, entry, now)
    timed = with_clocks(table, seats, now, before=before, mover=entry.seat, private=private, beats=beats)
    return Draft((entry,), timed, OVER if match.over else PLAYING, table.terms)


@command
def halt(table: LiveTable, why: Text, now: float) -> Draft:
    """A bot can't move, since a rule of the game fails."""
    entry = announcement(table, entries.HALT, -1, say("A bot can't move: {why}", why=why), now)
    return Draft((entry,), table.seats, table.state, table.terms)


@command
def change_rules(table: LiveTable, now: float) -> Draft:
    """The rules of the game were changed meanwhile."""
    text = say("The rules of this game were changed; the match goes on by those that are there now.")
    return Draft((announcement(table, "rules", -1, text, now),), table.seats, table.state, table.terms)


@command
def say_aside(table: LiveTable, seat: int, about: int, is_said: bool) -> tuple[TableSeat, ...]:
    """A seat says something of another, or takes it back; raises Stale where that can't be said any more."""
    assert_open(table, seat, local=False)
    if about not in [aside.about for aside in table.asides(seat)]:
        raise Stale(say("The table has moved on; look again."))
    own = table.seats[seat]
    asides = {*own.asides, about} if is_said else {*own.asides} - {about}
    return with_seat(table.seats, seat, replace(own, asides=tuple(sorted(asides))))


@command
def retract(table: LiveTable, seat: int, version: int, now: float) -> Draft:
    """A seat takes back its secret choice while others still choose; `version` is the version that it saw."""
    assert_open(table, seat, local=False)
    if not table.is_current_for(seat, version):
        raise Stale(say("The table has moved on; look again."))
    try:
        entry = table.retract(seat, now)
    except BadPly:
        raise Stale(say("You have no choice left to take back.")) from None
    return Draft((entry,), with_clocks(table, table.seats, now), PLAYING, table.terms)


def assert_open(table: LiveTable, seat: int, *, local: bool) -> None:
    """Raise unless moves are being made, and a bot of the server (`local`), or else its player, plays the seat."""
    if table.state == WAITING:
        raise Stale(say("The cards aren't dealt yet."))
    if table.state != PLAYING:
        raise GameIsOver(say("The match is over; nothing can be played any more."))
    if table.seats[seat].local != local:
        if local:
            raise Stale(say("A person is playing this seat."))
        raise Stale(say("A bot is playing for you; take your seat back first."))


def action_id(table: LiveTable, action: str | int) -> int:
    """The id of an action, by its name or id; raises IllegalMove."""
    names = table.game.rules.ACTIONS
    if isinstance(action, str) and action in names:
        return int(names.index(action))
    if type(action) is int and 0 <= action < len(names):
        return action
    raise IllegalMove(say("{game} has no move {move}.", game=table.game.name, move=repr(action)[:60]))


def refusal(table: LiveTable, seat: int, reason: int) -> IllegalMove:
    """The error for an illegal move: why, the rule, and the legal moves."""
    match = table.match
    assert match is not None
    rule, names = table.game.definition.reason(reason).rule, table.game.rules.ACTIONS
    text = say("{why} ({rule})", why=match.why(reason), rule=rule)
    return IllegalMove(text, rule, tuple(names[id] for id in match.legal_ids(seat)))


def explained(table: LiveTable, seat: int, action: str) -> tuple[Text, str]:
    """Why a seat can't make a move now, and the rule; for a legal move, that it can."""
    if table.match is None or table.state != PLAYING or seat not in table.acting:
        return say("It isn't your turn."), ""
    reason = table.match.illegal_reason(seat, action_id(table, action))
    return table.match.why(reason), table.game.definition.reason(reason).rule if reason else ""


# --- seats ------------------------------------------------------------------------------------------------------------
@command
def sit(table: LiveTable, seat: int, name: str, program: str, contribution: str, now: float) -> Draft:
    """A person takes a seat by an invitation, or a program, which says what bot it is."""
    old = table.seats[seat]
    if table.terms.day:
        raise Stale(say("A deal of the day is for one person: play it at a table of your own."))
    if old.owner or old.kind not in (OPEN, BOT) or table.state not in (WAITING, PLAYING):
        raise Stale(say("This seat is taken."))
    neighbours = (*table.seats[:seat], *table.seats[seat + 1 :])
    names = [neighbour.name for neighbour in neighbours if neighbour.owner or table.state == PLAYING]
    own_name = free_name(checked_name(name) or ("" if program else entries.GUEST), names, seat)
    added = checked_contribution(contribution) if table.state == WAITING else old.contribution
    new = TableSeat(
        BOT if program else PERSON,
        own_name,
        cleaned_name(program),
        owner=True,
        remote=bool(program),
        program=bool(program),
        contribution=added,
        awaited=table.terms.seconds is not None,
        freed=old.freed,
    )
    text = _("{name} takes a seat: a bot over the network.") if program else _("{name} takes a seat.")
    entry = announcement(table, "sit", seat, say(text, name=own_name), now)
    used_names = [own_name, *table.names]  # a seat without an owner makes way for the name
    chairs = (
        chair
        if number == seat or chair.owner or chair.name != own_name
        else replace(chair, name=free_name("", used_names, number))
        for number, chair in enumerate(table.seats)
    )
    seats = with_seat(tuple(chairs), seat, new)
    ready = not table.terms.hold and all(chair.kind != OPEN for chair in seats)
    if table.state == WAITING and ready:
        drafted = with_deal(table, (entry,), seats, now)
    else:
        drafted = Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)
    alone = not table.seats[table.terms.host].owner  # set up for a screen: the first guest is the host
    return replace(drafted, terms=replace(drafted.terms, host=seat)) if alone else drafted


@command
def page_opened(table: LiveTable, seat: int, now: float) -> Draft:
    """The seat's page was opened for the first time since the deal: its first clock starts."""
    old, seconds = table.seats[seat], table.terms.seconds
    if not old.awaited or table.state != PLAYING or seconds is None:
        raise Stale(say("The clock of this seat is still running."))
    due = None if old.due is None else min(old.due, now + seconds)
    entry = Entry(table.version + 1, "open", seat, at=now)
    return Draft((entry,), with_seat(table.seats, seat, replace(old, awaited=False, due=due)), PLAYING, table.terms)


@command
def rename(table: LiveTable, seat: int, name: str, now: float) -> Draft:
    """A seat takes another name."""
    if not cleaned_name(name):
        raise TableError(say("A name needs at least one visible character."))
    old, names = table.seats[seat], (*table.names[:seat], *table.names[seat + 1 :])
    new = replace(old, name=free_name(checked_name(name), names, seat))
    entry = announcement(table, "name", seat, say("{name} is now called {other}.", name=old.name, other=new.name), now)
    return Draft((entry,), with_seat(table.seats, seat, new), table.state, table.terms)


@command
def give_to_bot(table: LiveTable, seat: int, by: int | None, now: float) -> Draft:
    """A bot takes over a seat: the host or its owner wants it, or its clock has run out (`by` is BY_CLOCK)."""
    assert_seat(table, seat)
    old = table.seats[seat]
    if by != BY_CLOCK and by not in (table.terms.host, seat, seat if old.device is None else old.device):
        raise NotYours(say("Only the host, or the player in a seat, can let a bot play it."))
    if table.state != PLAYING or old.local:
        raise Stale(say("There is nobody in this seat to take over from."))
    if by == BY_CLOCK and (old.due is None or old.due > now):
        raise Stale(say("The clock of this seat is still running."))
    text = _("Time is up: a bot plays for {seat}.") if by == BY_CLOCK else _("A bot plays for {seat}.")
    entry = announcement(table, "bot", seat, say(text, seat=Seat(seat)), now)
    new = replace(old, kind=BOT, remote=False, level=usual_bot(table.game), awaited=False)
    news, terms = [entry], table.terms
    if by == BY_CLOCK and seat == terms.host:  # then the next person is host
        next_seats = [(seat + step) % len(table.seats) for step in range(1, len(table.seats))]
        heir = next((number for number in next_seats if table.seats[number].kind == PERSON), None)
        if heir is not None:
            news.append(host_entry(entry.version + 1, heir, now))
            terms = replace(terms, host=heir)
    return Draft(tuple(news), with_clocks(table, with_seat(table.seats, seat, new), now), table.state, terms)


@command
def take_back(table: LiveTable, seat: int, program: str, now: float) -> Draft:
    """A seat's owner takes it back from a bot; a program says what bot it is."""
    old = table.seats[seat]
    if not old.local or not old.owner:
        raise Stale(say("You play this seat yourself."))
    if old.left == 0 and seat in table.acting:
        raise Stale(say("Time's up: a bot makes this move. You can take your seat back after it."))
    new = replace(
        old, kind=BOT if program else PERSON, level=cleaned_name(program), remote=bool(program), program=bool(program)
    )
    entry = announcement(table, "back", seat, say("{seat} plays again.", seat=Seat(seat)), now)
    seats = with_seat(table.seats, seat, new)
    return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)


@command
def free_seat(table: LiveTable, seat: int, by: int, now: float) -> Draft:
    """The host takes a seat from its holder; a bot plays it until then. Link and code are new."""
    assert_seat(table, seat)
    old = table.seats[seat]
    if by != table.terms.host:
        raise NotYours(say("Only the host can remove a player."))
    if not old.owner or seat == by or table.state not in (WAITING, PLAYING):
        raise Stale(say("There is nobody in this seat to remove."))
    entry = announcement(table, entries.FREE, seat, say("{name}'s seat is free.", name=old.name), now)
    seats = tuple(
        vacated_seat(table, chair) if seat in (number, chair.device) else chair
        for number, chair in enumerate(table.seats)
    )
    return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms, vacated=seat)


@command
def set_coach(table: LiveTable, seat: int, on: bool, now: float) -> Draft:
    """Turn the coach of a seat on or off."""
    if table.state not in (WAITING, PLAYING):
        raise Stale(say("There is nothing more to explain."))
    text = say("Explanations are on.") if on else say("Explanations are off.")
    facts = ((Fact(1 << seat, text),),)  # for this seat only
    entry = Entry(table.version + 1, "coach", seat, facts=facts, at=now)
    seats = with_seat(table.seats, seat, replace(table.seats[seat], coached=on))
    return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)


def vacated_seat(table: LiveTable, old: TableSeat) -> TableSeat:
    """A seat without a holder; those who play on the holder's device leave with them."""
    if table.state == WAITING:
        old = replace(old, contribution="")
    kind = OPEN if table.state == WAITING else BOT
    level = usual_bot(table.game)
    return replace(unheld(old), kind=kind, level=level, remote=False, program=False, awaited=False)


def unheld(old: TableSeat) -> TableSeat:
    """A seat that has lost its holder, and what was the holder's own."""
    return replace(old, owner=False, freed=old.freed + 1, coached=False, muted=False, device=None, face=-1)


@command
def become_host(table: LiveTable, seat: int, absent: bool, now: float) -> Draft:
    """A seat becomes host, since the host is away."""
    if not may_host(table, seat, absent, now):
        raise Stale(say("The host is still here; you can become host once the host has been away for a minute."))
    return Draft((host_entry(table.version + 1, seat, now),), table.seats, table.state, replace(table.terms, host=seat))


def may_host(table: LiveTable, seat: int, absent: bool, now: float) -> bool:
    """Whether a seat may become host; `absent`: the host's page has been closed for some time."""
    host = table.terms.host
    if not absent or seat == host or table.state not in (WAITING, PLAYING) or not table.seats[seat].owner:
        return False
    patience = HOST_AWAY_FOR_DAYS if table.terms.clock == entries.DAILY else HOST_AWAY
    return max((entry.at for entry in table.entries if entry.seat == host), default=now) <= now - patience


def host_entry(version: int, seat: int, now: float) -> Entry:
    """The entry of a new host."""
    return Entry(version, "host", seat, facts=public_fact(say("{seat} is now the host.", seat=Seat(seat))), at=now)


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
    watch: str = entries.ANYONE
    lang: str = ""
    hold: bool = False
    program: str = ""
    contribution: str = ""
    names: Mapping[int, str] = field(default_factory=dict)
    hints: bool | None = None
    coach: bool = False
    promise: str = ""
    screen: bool = False
    feedback: bool = False
    guest: str = entries.GUEST


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
    if setup.screen and setup.watch != entries.ANYONE:
        raise BadOption(say("A screen for all shows the table to anyone who has its link; let anyone watch."))
    if setup.screen and HERE in setup.chairs:
        reason = say("With one screen for all, everybody plays on a device of their own; leave those seats open.")
        raise BadOption(reason)
    if setup.screen and not {YOU, OPEN} & set(setup.chairs):
        raise BadOption(say("Leave a seat open for somebody to play."))
    if setup.watch not in (entries.ANYONE, entries.NOBODY):
        raise BadOption(say("Who may watch is {anyone} or {nobody}.", anyone=entries.ANYONE, nobody=entries.NOBODY))
    if setup.lang not in ("", *LANGUAGES):
        text = _("There is no language {lang}; there are {langs}.")
        raise BadOption(say(text, lang=setup.lang[:20], langs=", ".join(LANGUAGES)))
    if HERE in setup.chairs and entries.checked_clock(setup.clock) != "none":
        raise BadOption(say("There is no clock when several people share a device: passing it on takes time."))
    entries.checked_clock(setup.clock)
    for chair in set(setup.chairs) - {YOU, HERE, OPEN}:
        checked_bot(setup.game, chair)
    return setup


def seats_for(setup: TableSetup) -> tuple[TableSeat, ...]:
    """The seats of a setup, each with a name of its own."""
    out: list[TableSeat] = []
    guests = {seat: checked_name(name) for seat, name in setup.names.items()}
    own = checked_name(setup.name) or ("" if setup.program else setup.guest)  # programs are called like other bots
    for number, chair in enumerate(setup.chairs):
        later_names = [name for seat, name in guests.items() if seat > number]
        names = [own, *(seat.name for seat in out), *later_names]
        if chair == YOU:
            program = bool(setup.program)
            creator = TableSeat(
                BOT if program else PERSON,
                own or free_name("", names, number),
                cleaned_name(setup.program),
                owner=True,
                remote=program,
                program=program,
                coached=setup.coach,
                contribution=checked_contribution(setup.contribution),
            )
            out.append(creator)
        elif chair == HERE:
            name = free_name(guests.get(number) or setup.guest, names, number)
            out.append(TableSeat(PERSON, name, owner=True, device=setup.chairs.index(YOU)))
        elif chair == OPEN:
            out.append(TableSeat(OPEN, free_name("", names, number), usual_bot(setup.game)))
        else:
            out.append(TableSeat(BOT, free_name("", names, number), stored(chair)))
    return tuple(out)


async def create(registry: TableRegistry, setup: TableSetup, secret: bytes, token: str, asker: str = "") -> LiveTable:
    """Create a table; the hashed token holds the creator's seat. The cards are dealt when no seat is open.

    They follow from the promised secret where there is a promise, else from `secret`. `asker`: where the creator is.
    """
    checked(setup)
    promise = registry.promise(setup.promise) if setup.promise else None
    plays = YOU in setup.chairs
    host = setup.chairs.index(YOU if plays else OPEN)
    about = {name: getattr(setup, name) for name in ("clock", "watch", "lang", "hold", "screen", "feedback")}
    alone = OPEN not in setup.chairs and HERE not in setup.chairs
    terms = Terms(**about, host=host, hints=alone if setup.hints is None else setup.hints)
    seats, now = seats_for(setup), registry.clock()
    drawn, source = promise.secret if promise else secret, registry.runtime.random
    table = LiveTable(id_from(source.randbytes(9)), setup.game, terms, seats, drawn, new_token(source).encode())
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
    await registry.run_job(rows.follow_rematch, old.id, table.id, follow)

    def link(former: LiveTable) -> Draft:
        if former.rematch:
            raise Stale(say("There is already a rematch."))
        text = say("{seat} wants a rematch.", seat=Seat(by)) if by >= 0 else say("The rematch is ready.")
        entry = announcement(former, "rematch", by, text, registry.clock())
        return Draft((entry,), former.seats, former.state, former.terms, table.id)

    try:
        await registry.change(id, link)
    except Stale:
        return (await registry.table(id)).rematch or table.id
    return table.id


def rematch_table(old: LiveTable, by: int, added: Mapping[int, str], source: Random = SYSTEM) -> LiveTable:
    """A new table like an old one, each seat one further; `added`: words for its cards, by their old seats."""
    seats = []
    for number, seat in enumerate(old.seats):
        contribution = checked_contribution(added.get(number, seat.adds))
        new = replace(seat, due=None, left=None, freed=0, adds="", coached=False, contribution=contribution)
        if seat.program and number == by:
            new = replace(new, kind=BOT, remote=True)
        elif seat.program:  # one of our bots replaces a program that doesn't ask for a rematch
            usual = usual_bot(old.game)
            new = replace(new, kind=BOT, owner=False, remote=False, program=False, level=usual, contribution="")
        seats.append(replace(new, face=-1, device=None if seat.device is None else next_seat(seat.device, old)))
    past = tuple(
        SeriesMatch(match.table, rotate(match.won), tuple(rotate(total) for total in match.totals)).data()
        for match in finished_matches(old)
    )
    terms = replace(old.terms, host=next_seat(old.terms.host, old), hold=False, past=past, day="")
    id, secret = old.rematch_identity
    return LiveTable(id, old.game, terms, rotate(seats), secret, new_token(source).encode())


def next_seat(seat: int, table: LiveTable) -> int:
    """The next seat."""
    return (seat + 1) % len(table.seats)


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
        raise codes.unknown_code()
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


def rotate(by_seat: Sequence[T]) -> tuple[T, ...]:
    """Values by seat, when all have moved one seat further."""
    return (by_seat[-1], *by_seat[:-1])
