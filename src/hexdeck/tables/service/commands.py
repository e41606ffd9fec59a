"""What can happen at a table: each command drafts one change (see `TableRegistry.change`).

Whether a seat may do it is checked when it is drafted, against the newest version of the table.
"""

from __future__ import annotations

from dataclasses import replace

from hexdeck.bots.players.levels import usual_bot
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.names import bot_name
from hexdeck.engine.errors import BadOption, BadPly, GameIsOver, IllegalMove, NotActing, UnknownBot
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import EVERYONE, Fact
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.fair import checked_contribution
from hexdeck.tables.model import timing
from hexdeck.tables.model.choice import asides, asked_aside
from hexdeck.tables.model.entries import CHOICE, FORCED, FREE, OVER, PLAYING, WAITING, Draft, Entry, Terms
from hexdeck.tables.model.live import LiveTable, command
from hexdeck.tables.model.seats import BOT, DAILY, GUEST, OPEN, PERSON, Seat, cleaned_name, free_name
from hexdeck.tables.model.timing import with_clocks

MOST_PLAYED = 2_000  # rollouts of a bot for a move, at a table: all bots of a server share a few threads
BY_CLOCK = -2  # who gives a seat to a bot when its time is up
HOST_AWAY = 60.0  # seconds after which another player may become host
HOST_AWAY_FOR_DAYS = 86_400.0  # in a match of days, where players are away most of the time


def announcement(table: LiveTable, kind: str, seat: int, text: Text, now: float) -> Entry:
    """The next entry of a table, which tells all one sentence."""
    return Entry(table.version + 1, kind, seat, facts=public_fact(text), at=now)


def public_fact(text: Text) -> tuple[tuple[Fact, ...], ...]:
    """The facts of an entry that tells all one sentence."""
    return ((Fact(EVERYONE, text),),)


def with_seat(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with one of them replaced."""
    return (*seats[:number], seat, *seats[number + 1 :])


def assert_seat(table: LiveTable, seat: int) -> None:
    """Raise TableError where there is no such seat."""
    if not 0 <= seat < len(table.seats):
        raise TableError(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=len(table.seats) - 1))


def with_deal(table: LiveTable, entries: tuple[Entry, ...], seats: tuple[Seat, ...], now: float) -> Draft:
    """A draft that also deals the cards, since every seat has added to their key by now."""
    stored, table.seats = table.seats, seats
    table.deal(quickest_backend(table.game.definition))
    table.seats = stored
    assert table.match is not None
    last = entries[-1].version if entries else table.version
    entry = table.deal_entry(last + 1, now)
    waited = tuple(replace(seat, awaited=seat.owner and table.terms.seconds is not None, face=-1) for seat in seats)
    timed = with_clocks(table, waited, now, private=False)
    return Draft((*entries, entry), timed, OVER if table.match.over else PLAYING, table.terms)


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
    entry = announcement(table, "add", seat, say(text, seat=Named(seat)), now)
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
    kind = CHOICE if entry.kind == CHOICE else FORCED
    return move_draft(table, replace(entry, kind=kind), table.seats, before, now)


def move_draft(table: LiveTable, entry: Entry, seats: tuple[Seat, ...], before: tuple[int, ...], now: float) -> Draft:
    """The draft of a move; `before`: the seats that were to act when it was made."""
    private, seats = entry.kind == CHOICE, with_open_asides(table, seats)
    beats = 0.0 if private or table.terms.seconds is None else timing.seconds_drafted(table, entry, now)
    timed = with_clocks(table, seats, now, before=before, mover=entry.seat, private=private, beats=beats)
    over = table.match is not None and table.match.over
    return Draft((entry,), timed, OVER if over else PLAYING, table.terms)


def with_open_asides(table: LiveTable, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats without asides that can't be said any more; the match has moved on already."""
    if table.match is None or not any(seat.asides for seat in seats):
        return seats
    still = [{aside.about for aside in asides(table.match, number)} for number in range(len(seats))]
    return tuple(
        replace(seat, asides=tuple(about for about in seat.asides if about in still[number]))
        for number, seat in enumerate(seats)
    )


@command
def say_aside(table: LiveTable, seat: int, about: int, said: bool) -> tuple[Seat, ...]:
    """A seat says something of another, or takes it back; raises Stale where that can't be said any more."""
    assert_open(table, seat, local=False)
    if about not in [aside.about for aside in table.asides(seat)]:
        raise Stale(say("The table has moved on; look again."))
    own = table.seats[seat]
    asides = {*own.asides, about} if said else {*own.asides} - {about}
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
    own_name = free_name(cleaned_name(name) or ("" if program else GUEST), names, seat)
    added = checked_contribution(contribution) if table.state == WAITING else old.contribution
    new = Seat(
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
    seats = with_seat(others_renamed(table.seats, seat, own_name), seat, new)
    ready = not table.terms.hold and all(other.kind != OPEN for other in seats)
    if table.state == WAITING and ready:
        drafted = with_deal(table, (entry,), seats, now)
    else:
        drafted = Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)
    alone = not table.seats[table.terms.host].owner  # set up for a screen: the first guest is the host
    return replace(drafted, terms=replace(drafted.terms, host=seat)) if alone else drafted


def others_renamed(seats: tuple[Seat, ...], seat: int, name: str) -> tuple[Seat, ...]:
    """The seats, where one without an owner takes another name if it has that of a newcomer."""
    names = [name, *(other.name for other in seats)]
    return tuple(
        replace(other, name=free_name("", names, number))
        if number != seat and not other.owner and other.name == name
        else other
        for number, other in enumerate(seats)
    )


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
    new = replace(old, name=free_name(cleaned_name(name), names, seat))
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
    entry = announcement(table, "bot", seat, say(text, seat=Named(seat)), now)
    new = replace(old, kind=BOT, remote=False, level=usual_bot(table.game), awaited=False)
    entries, terms = with_next_host((entry,), table, now) if by == BY_CLOCK else ((entry,), table.terms)
    return Draft(entries, with_clocks(table, with_seat(table.seats, seat, new), now), table.state, terms)


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
    entry = announcement(table, "back", seat, say("{seat} plays again.", seat=Named(seat)), now)
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
    entry = announcement(table, FREE, seat, say("{name}'s seat is free.", name=old.name), now)
    seats = tuple(
        vacated_seat(table, other) if seat in (number, other.device) else other
        for number, other in enumerate(table.seats)
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


def vacated_seat(table: LiveTable, old: Seat) -> Seat:
    """A seat without a holder; those who play on the holder's device leave with them."""
    if table.state == WAITING:
        old = replace(old, contribution="")
    return replace(
        old,
        kind=OPEN if table.state == WAITING else BOT,
        level=usual_bot(table.game),
        owner=False,
        remote=False,
        program=False,
        awaited=False,
        freed=old.freed + 1,
        coached=False,
        muted=False,
        device=None,
        face=-1,
    )


@command
def become_host(table: LiveTable, seat: int, away: bool, now: float) -> Draft:
    """A seat becomes host, since the host is away."""
    if not may_host(table, seat, away, now):
        raise Stale(say("The host is still here; you can become host once the host has been away for a minute."))
    return Draft((host_entry(table.version + 1, seat, now),), table.seats, table.state, replace(table.terms, host=seat))


def may_host(table: LiveTable, seat: int, away: bool, now: float) -> bool:
    """Whether a seat may become host; `away`: the host's page has been closed for some time."""
    host = table.terms.host
    if not away or seat == host or table.state not in (WAITING, PLAYING) or not table.seats[seat].owner:
        return False
    patience = HOST_AWAY_FOR_DAYS if table.terms.clock == DAILY else HOST_AWAY
    return max((entry.at for entry in table.entries if entry.seat == host), default=now) <= now - patience


def host_entry(version: int, seat: int, now: float) -> Entry:
    """The entry of a new host."""
    return Entry(version, "host", seat, facts=public_fact(say("{seat} is now the host.", seat=Named(seat))), at=now)


def with_next_host(entries: tuple[Entry, ...], table: LiveTable, now: float) -> tuple[tuple[Entry, ...], Terms]:
    """The entries and terms after a clock has run out: if it was the host's, the next person is host."""
    seat, count = entries[-1].seat, len(table.seats)
    seats = [(seat + step) % count for step in range(1, count)]
    heir = next((number for number in seats if table.seats[number].kind == PERSON), None)
    if seat != table.terms.host or heir is None:
        return entries, table.terms
    return (*entries, host_entry(entries[-1].version + 1, heir, now)), replace(table.terms, host=heir)
