"""What can happen at a table besides its beginning: each function drafts one change (see `TableRegistry.change`).

Whether somebody may do it is checked when it is drafted, against the newest version of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hexdeck.bots.players.levels import usual
from hexdeck.bots.players.named import bot, effort, is_file
from hexdeck.engine.errors import BadOption, BadPly, GameIsOver, IllegalMove, NotActing, UnknownBot
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import EVERYONE, Fact
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.keys import checked_contribution
from hexdeck.tables.model.clocks import with_clocks
from hexdeck.tables.model.entries import CHOICE, FORCED, OVER, PLAYING, WAITING, Draft, Entry, Terms
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import BOT, OPEN, PERSON, Seat, cleaned_name, free_name

Drafter = Callable[[LiveTable], Draft]
MOST_PLAYED = 2_000  # games that a bot at a table plays out for a move: all bots of a server share a few threads
BY_CLOCK = -2  # who hands a seat to a bot when its time is up
HOST_AWAY = 60.0  # seconds after which somebody else may become the host


def stand_in_bot(game: Game) -> str:
    """The bot that takes over a seat."""
    return usual(game)


def checked_bot(game: Game, name: str) -> str:
    """A bot's name that can play a game, and lets the other bots of a server play; raises UnknownBot or BadOption.

    Files are not for those who sit far away.
    """
    if is_file(name):
        raise UnknownBot(say("At a table no bot plays with a file: {name}.", name=name[:40]))
    games, threads = effort(name)
    if games > MOST_PLAYED or threads > 1:
        text = _(
            "The bot {name} asks too much of a table: for a move at most {most} games are played out, on one thread."
        )
        raise BadOption(say(text, name=name[:60], most=MOST_PLAYED))
    bot(name, game, backend="interpreted")
    return name


def public_fact(text: Text) -> tuple[tuple[Fact, ...], ...]:
    """Something that everybody is told."""
    return ((Fact(EVERYONE, text),),)


def with_seat(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with another on one place."""
    return (*seats[:number], seat, *seats[number + 1 :])


# --- the deal ---------------------------------------------------------------------------------------------------------
def with_deal(table: LiveTable, entries: tuple[Entry, ...], seats: tuple[Seat, ...], now: float) -> Draft:
    """A draft that also deals the cards: every seat has added to their key by now."""
    stored, table.seats = table.seats, seats
    table.deal(quickest_backend(table.game.definition))
    table.seats = stored
    assert table.match is not None
    last = entries[-1].version if entries else table.version
    entry = table.deal_entry(last + 1, now)
    waited = tuple(replace(seat, awaited=seat.owner and table.terms.seconds is not None, face=-1) for seat in seats)
    timed = with_clocks(table, waited, now, private=False)
    return Draft((*entries, entry), timed, OVER if table.match.over else PLAYING, table.terms)


def deal(by: int | None, contribution: str, now: float) -> Drafter:
    """The host has the cards dealt; bots play the seats that are still open, until somebody takes them."""

    def draft(table: LiveTable) -> Draft:
        if table.state != WAITING:
            raise Stale(say("The cards are dealt already."))
        if by != table.terms.host:
            raise NotYours(say("Only the host has the cards dealt."))
        seats = tuple(replace(seat, kind=BOT) if seat.kind == OPEN else seat for seat in table.seats)
        if contribution:
            seats = with_seat(seats, by, replace(seats[by], contribution=checked_contribution(contribution)))
        return with_deal(table, (), seats, now)

    return draft


def contribute(seat: int, contribution: str, now: float) -> Drafter:
    """Whoever sits at a table that is over adds words to the key of a rematch's cards, or takes them back."""

    def draft(table: LiveTable) -> Draft:
        if not table.rematch_commitment:
            raise Stale(say("Words for a rematch are added after the end of the match, before there is a rematch."))
        old, added = table.seats[seat], checked_contribution(contribution)
        if added == old.adds:
            raise Stale(say("These words are kept already.") if added else say("There are no words to keep."))
        text = _("{seat} adds words to a rematch's cards.") if added else _("{seat} adds nothing to a rematch's cards.")
        entry = Entry(table.version + 1, "add", seat, facts=public_fact(say(text, seat=Named(seat))), at=now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, adds=added)), table.state, table.terms)

    return draft


# --- moves ------------------------------------------------------------------------------------------------------------
def move(seat: int, action: str | int, version: int | None, now: float, *, local: bool = False) -> Drafter:
    """A seat moves, by the name or the id of the action; `version` is what it saw of the table.

    `local`: a bot of the server chose it. Raises Stale, NotYours, or a BadMove that tells only what the seat may know.
    """

    def draft(table: LiveTable) -> Draft:
        assert_open(table, seat, local=local)
        if version is not None and not table.is_current_for(seat, version):
            raise Stale(say("The table has moved on since; look again."))
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

    return draft


def forced(seat: int, version: int, now: float) -> Drafter:
    """The table makes a person's move that nobody decides; raises Stale where somebody does, or where it is made."""

    def draft(table: LiveTable) -> Draft:
        assert_open(table, seat, local=False)
        if not table.is_current_for(seat, version) or seat not in table.forced or table.match is None:
            raise Stale(say("The table has moved on since; look again."))
        before, (only,) = table.acting, table.match.legal_ids(seat)
        entry = table.play(seat, only, now)
        kind = CHOICE if entry.kind == CHOICE else FORCED
        return move_draft(table, replace(entry, kind=kind), table.seats, before, now)

    return draft


def move_draft(table: LiveTable, entry: Entry, seats: tuple[Seat, ...], before: tuple[int, ...], now: float) -> Draft:
    """The draft of a move that was made in the match when some seats were to act."""
    timed = with_clocks(table, seats, now, before=before, mover=entry.seat, private=entry.kind == CHOICE)
    over = table.match is not None and table.match.over
    return Draft((entry,), timed, OVER if over else PLAYING, table.terms)


def retract(seat: int, version: int, now: float) -> Drafter:
    """A seat takes back the secret choice it made, while others still choose; `version` is what it saw of the table."""

    def draft(table: LiveTable) -> Draft:
        assert_open(table, seat, local=False)
        if not table.is_current_for(seat, version):
            raise Stale(say("The table has moved on since; look again."))
        try:
            entry = table.retract(seat, now)
        except BadPly:
            raise Stale(say("There is no choice of yours that could still be taken back.")) from None
        return Draft((entry,), with_clocks(table, table.seats, now), PLAYING, table.terms)

    return draft


def assert_open(table: LiveTable, seat: int, *, local: bool) -> None:
    """Raise unless moves are made at the table now, by this kind of player on that seat."""
    if table.state == WAITING:
        raise Stale(say("The cards aren't dealt yet."))
    if table.state != PLAYING:
        raise GameIsOver(say("The match is over; nothing can be played any more."))
    if table.seats[seat].local != local:
        raise Stale(say("A bot plays this seat; take it back first.") if not local else say("A person plays it."))


def action_id(table: LiveTable, action: str | int) -> int:
    """An action's id from its name or id; raises IllegalMove."""
    names = table.game.rules.ACTIONS
    if isinstance(action, str) and action in names:
        return int(names.index(action))
    if type(action) is int and 0 <= action < len(names):
        return action
    raise IllegalMove(say("{game} has no move {move}.", game=table.game.name, move=repr(action)[:60]))


def refusal(table: LiveTable, seat: int, reason: int) -> IllegalMove:
    """Why the rules forbid a move, in words, with the rule and the moves that they allow."""
    match = table.match
    assert match is not None
    rule, names = table.game.rules.REASONS[reason], table.game.rules.ACTIONS
    text = say("{why} ({rule})", why=match.why(reason), rule=rule)
    return IllegalMove(text, rule, tuple(names[id] for id in match.legal_ids(seat)))


def explained(table: LiveTable, seat: int, action: str) -> tuple[Text, str]:
    """Why a seat can't make a move now, and the rule; of a move that it can make, that it can."""
    if table.match is None or table.state != PLAYING or seat not in table.acting:
        return say("It isn't your turn."), ""
    reason = table.match.illegal_reason(seat, action_id(table, action))
    return table.match.why(reason), table.game.rules.REASONS[reason] if reason else ""


# --- seats ------------------------------------------------------------------------------------------------------------
def sit(seat: int, name: str, program: str, contribution: str, now: float) -> Drafter:
    """Somebody takes a seat by an invitation: a person, or a program that says which bot it is."""

    def draft(table: LiveTable) -> Draft:
        old = table.seats[seat]
        if old.owner or old.kind not in (OPEN, BOT) or table.state not in (WAITING, PLAYING):
            raise Stale(say("This seat is taken."))
        others = [each.name for number, each in enumerate(table.seats) if number != seat]
        called = free_name(cleaned_name(name), others, seat)
        added = checked_contribution(contribution) if table.state == WAITING else old.contribution
        new = Seat(BOT if program else PERSON, called, cleaned_name(program), owner=True, remote=bool(program),
                   contribution=added, awaited=table.terms.seconds is not None, freed=old.freed,
                   program=bool(program))  # fmt: skip
        text = _("{name} takes a seat: a bot over the network.") if program else _("{name} takes a seat.")
        who = say(text, name=called)
        entry = Entry(table.version + 1, "sit", seat, facts=public_fact(who), at=now)
        seats = with_seat(table.seats, seat, new)
        if table.state == WAITING and not table.terms.hold and all(each.kind != OPEN for each in seats):
            return with_deal(table, (entry,), seats, now)
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)

    return draft


def page_opened(seat: int, now: float) -> Drafter:
    """Whoever sits there has opened the page for the first time since the deal: the first clock starts."""

    def draft(table: LiveTable) -> Draft:
        old, seconds = table.seats[seat], table.terms.seconds
        if not old.awaited or table.state != PLAYING or seconds is None:
            raise Stale(say("The clock of this seat goes on."))
        due = None if old.due is None else min(old.due, now + seconds)
        entry = Entry(table.version + 1, "open", seat, at=now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, awaited=False, due=due)), PLAYING, table.terms)

    return draft


def rename(seat: int, name: str, now: float) -> Drafter:
    """Somebody takes another name."""

    def draft(table: LiveTable) -> Draft:
        called = cleaned_name(name)
        if not called:
            raise TableError(say("A name has at least one letter that can be seen."))
        others = [each.name for number, each in enumerate(table.seats) if number != seat]
        called, old = free_name(called, others, seat), table.seats[seat]
        text = say("{name} is called {other} now.", name=old.name, other=called)
        entry = Entry(table.version + 1, "name", seat, facts=public_fact(text), at=now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, name=called)), table.state, table.terms)

    return draft


def give_to_bot(seat: int, by: int | None, now: float) -> Drafter:
    """A bot takes over a seat: the host asks for it, its owner does, or its clock has run out (`by` is CLOCK)."""

    def draft(table: LiveTable) -> Draft:
        assert_seat(table, seat)
        old = table.seats[seat]
        if by != BY_CLOCK and by not in (table.terms.host, seat, seat if old.device is None else old.device):
            raise NotYours(say("Only the host and whoever sits there can hand a seat to a bot."))
        if table.state != PLAYING or old.local:
            raise Stale(say("There is nobody to take over from on this seat."))
        if by == BY_CLOCK and (old.due is None or old.due > now):
            raise Stale(say("The clock of this seat goes on."))
        text = _("Time is up: a bot plays for {seat}.") if by == BY_CLOCK else _("A bot plays for {seat}.")
        told = say(text, seat=Named(seat))
        entry = Entry(table.version + 1, "bot", seat, facts=public_fact(told), at=now)
        new = replace(old, kind=BOT, remote=False, level=stand_in_bot(table.game), awaited=False)
        entries, terms = with_next_host((entry,), table, now) if by == BY_CLOCK else ((entry,), table.terms)
        return Draft(entries, with_clocks(table, with_seat(table.seats, seat, new), now), table.state, terms)

    return draft


def take_back(seat: int, program: str, now: float) -> Drafter:
    """Whoever owns a seat takes it back from a bot; a program says which bot it is."""

    def draft(table: LiveTable) -> Draft:
        old = table.seats[seat]
        if not old.local or not old.owner:
            raise Stale(say("You play this seat yourself."))
        if old.left == 0 and seat in table.acting:
            raise Stale(say("Your time for this choice is up; the bot makes it, then take your seat back."))
        new = replace(
            old,
            kind=BOT if program else PERSON,
            remote=bool(program),
            level=cleaned_name(program),
            program=bool(program),
        )
        text = say("{seat} plays again.", seat=Named(seat))
        entry = Entry(table.version + 1, "back", seat, facts=public_fact(text), at=now)
        seats = with_seat(table.seats, seat, new)
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)

    return draft


def free_seat(seat: int, by: int, now: float) -> Drafter:
    """The host takes a seat from who holds it, for somebody else: a bot plays it until then; there is a new link."""

    def draft(table: LiveTable) -> Draft:
        assert_seat(table, seat)
        old = table.seats[seat]
        if by != table.terms.host:
            raise NotYours(say("Only the host frees a seat."))
        if not old.owner or seat == by or table.state not in (WAITING, PLAYING):
            raise Stale(say("There is nobody to take this seat from."))
        entry = Entry(
            table.version + 1, "free", seat, facts=public_fact(say("{name}'s seat is free.", name=old.name)), at=now
        )
        seats = tuple(
            vacated_seat(table, each) if seat in (number, each.device) else each
            for number, each in enumerate(table.seats)
        )
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms, vacated=seat)

    return draft


def set_coach(seat: int, on: bool, now: float) -> Drafter:
    """Whoever owns a seat has decisions explained from now on, or not any more."""

    def draft(table: LiveTable) -> Draft:
        if table.state not in (WAITING, PLAYING):
            raise Stale(say("There is nothing more to explain."))
        text = say("The coach explains.") if on else say("The coach is silent.")
        told = ((Fact(1 << seat, text),),)
        entry = Entry(table.version + 1, "coach", seat, facts=told, at=now)
        seats = with_seat(table.seats, seat, replace(table.seats[seat], coached=on))
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)

    return draft


def vacated_seat(table: LiveTable, old: Seat) -> Seat:
    """A seat that nobody holds any more; whoever plays on the device of who held it goes with them."""
    return replace(
        old, kind=OPEN if table.state == WAITING else BOT, level=stand_in_bot(table.game), owner=False, remote=False,
        program=False, awaited=False, freed=old.freed + 1, coached=False, muted=False, device=None, face=-1,
    )  # fmt: skip


def become_host(seat: int, away: bool, now: float) -> Drafter:
    """Somebody at the table becomes its host when the host is away."""

    def draft(table: LiveTable) -> Draft:
        if not may_host(table, seat, away, now):
            raise Stale(say("The table needs no other host; somebody may be host when the host is away for a minute."))
        return Draft(
            (host_entry(table.version + 1, seat, now),), table.seats, table.state, replace(table.terms, host=seat)
        )

    return draft


def may_host(table: LiveTable, seat: int, away: bool, now: float) -> bool:
    """Whether a seat may become host; `away`: nobody has had the host's page open for some time."""
    host = table.terms.host
    if not away or seat == host or table.state not in (WAITING, PLAYING) or not table.seats[seat].owner:
        return False
    return max((entry.at for entry in table.entries if entry.seat == host), default=now) <= now - HOST_AWAY


def host_entry(version: int, seat: int, now: float) -> Entry:
    """The entry of a new host."""
    return Entry(version, "host", seat, facts=public_fact(say("{seat} is the host now.", seat=Named(seat))), at=now)


def with_next_host(entries: tuple[Entry, ...], table: LiveTable, now: float) -> tuple[tuple[Entry, ...], Terms]:
    """What follows when a clock has run out: if it was the host's, the next person is the host."""
    seat, count = entries[-1].seat, len(table.seats)
    others = [(seat + step) % count for step in range(1, count)]
    heir = next((other for other in others if table.seats[other].kind == PERSON), None)
    if seat != table.terms.host or heir is None:
        return entries, table.terms
    return (*entries, host_entry(entries[-1].version + 1, heir, now)), replace(table.terms, host=heir)


def assert_seat(table: LiveTable, seat: int) -> None:
    """Raise when there is no such seat."""
    if not 0 <= seat < len(table.seats):
        raise TableError(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=len(table.seats) - 1))
