"""What can happen at a table: each function makes a drafter for one change (see `TableRegistry.change`).

Whether somebody may do it is checked when it is drafted, against the newest version of the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hexdeck.bots.players.named import bot, budget_of, is_file
from hexdeck.engine.errors import BadOption, BadPly, GameIsOver, IllegalMove, NotActing, UnknownBot
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Fact
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.keys import checked_contribution
from hexdeck.tables.model import showing
from hexdeck.tables.model.clocks import with_clocks
from hexdeck.tables.model.entries import CHOICE, FORCED, FREE, OVER, PLAYING, WAITING, Draft, Entry, Terms
from hexdeck.tables.model.forced import asides, asked_aside
from hexdeck.tables.model.live import Drafter, LiveTable
from hexdeck.tables.model.seats import BOT, DAILY, GUEST, OPEN, PERSON, Seat, cleaned_name, free_name
from hexdeck.tables.service.drafts import announcement, assert_seat, public_fact, stand_in_bot, with_deal, with_seat

MOST_PLAYED = 2_000  # rollouts of a bot for a move, at a table: all bots of a server share a few threads
BY_CLOCK = -2  # who gives a seat to a bot when its time is up
HOST_AWAY = 60.0  # seconds after which somebody else may become host
HOST_AWAY_FOR_DAYS = 86_400.0  # the same in a match of days, where everybody is away most of the time


def checked_bot(game: Game, name: str) -> str:
    """The name of a bot that can play a game and leaves time for others; raises UnknownBot or BadOption.

    Bots with files are refused: clients can't name files of the server.
    """
    if is_file(name):
        raise UnknownBot(say("A bot that loads a file can't play at a table: {name}.", name=name[:40]))
    games, threads = budget_of(name)
    if games > MOST_PLAYED or threads > 1:
        text = _("The bot {name} is too slow for a table: it may play out at most {most} games a move, on one thread.")
        raise BadOption(say(text, name=name[:60], most=MOST_PLAYED))
    bot(name, game, backend="interpreted")
    return name


# --- the deal ---------------------------------------------------------------------------------------------------------
def deal(by: int | None, contribution: str, now: float) -> Drafter:
    """The host deals the cards; bots play the seats that are still open, until somebody takes them."""

    def draft(table: LiveTable) -> Draft:
        if table.state != WAITING:
            raise Stale(say("The cards have already been dealt."))
        if by != table.terms.host:
            raise NotYours(say("Only the host can have the cards dealt."))
        seats = tuple(replace(seat, kind=BOT) if seat.kind == OPEN else seat for seat in table.seats)
        if contribution:
            seats = with_seat(seats, by, replace(seats[by], contribution=checked_contribution(contribution)))
        return with_deal(table, (), seats, now)

    return draft


def contribute(seat: int, contribution: str, now: float) -> Drafter:
    """A seat adds words to the key of a rematch's cards."""

    def draft(table: LiveTable) -> Draft:
        if not table.rematch_commitment:
            raise Stale(say("You can add words for a rematch once the match is over, until the rematch is set up."))
        old, added = table.seats[seat], checked_contribution(contribution)
        if added == old.adds:
            raise Stale(say("These words are already saved.") if added else say("There are no words to save."))
        text = (
            _("{seat} adds words to the shuffle of a rematch.")
            if added
            else _("{seat} adds no words to the shuffle of a rematch.")
        )
        entry = announcement(table, "add", seat, say(text, seat=Named(seat)), now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, adds=added)), table.state, table.terms)

    return draft


# --- moves ------------------------------------------------------------------------------------------------------------
def move(seat: int, action: str | int, version: int | None, now: float, *, local: bool = False) -> Drafter:
    """A seat makes a move, by the action's name or id; `version` is the version that it saw.

    `local`: a bot of the server chose it. Raises Stale, NotYours, or a BadMove that says only what the seat may know.
    """

    def draft(table: LiveTable) -> Draft:
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

    return draft


def forced(seat: int, version: int, now: float) -> Drafter:
    """The table makes a person's only legal move; raises Stale where there is a choice, or the move is made."""

    def draft(table: LiveTable) -> Draft:
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

    return draft


def move_draft(table: LiveTable, entry: Entry, seats: tuple[Seat, ...], before: tuple[int, ...], now: float) -> Draft:
    """The draft of a move; `before`: the seats that were to act when it was made."""
    private, seats = entry.kind == CHOICE, with_open_asides(table, seats)
    shown = 0.0 if private or table.terms.seconds is None else showing.seconds_drafted(table, entry, now)
    timed = with_clocks(table, seats, now, before=before, mover=entry.seat, private=private, shown=shown)
    over = table.match is not None and table.match.over
    return Draft((entry,), timed, OVER if over else PLAYING, table.terms)


def with_open_asides(table: LiveTable, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """The seats without what was said of others and can't be said any more; the match has moved on already."""
    if table.match is None or not any(seat.asides for seat in seats):
        return seats
    still = [{each.about for each in asides(table.match, number)} for number in range(len(seats))]
    return tuple(
        replace(seat, asides=tuple(about for about in seat.asides if about in still[number]))
        for number, seat in enumerate(seats)
    )


def say_aside(seat: int, about: int, said: bool) -> Callable[[LiveTable], tuple[Seat, ...]]:
    """A seat says something of another, or takes it back; raises Stale where there is nothing to be said any more."""

    def change(table: LiveTable) -> tuple[Seat, ...]:
        assert_open(table, seat, local=False)
        if about not in [each.about for each in table.asides(seat)]:
            raise Stale(say("The table has moved on; look again."))
        own = table.seats[seat]
        kept = {*own.asides, about} if said else {*own.asides} - {about}
        return with_seat(table.seats, seat, replace(own, asides=tuple(sorted(kept))))

    return change


def retract(seat: int, version: int, now: float) -> Drafter:
    """A seat takes back its secret choice while others still choose; `version` is the version that it saw."""

    def draft(table: LiveTable) -> Draft:
        assert_open(table, seat, local=False)
        if not table.is_current_for(seat, version):
            raise Stale(say("The table has moved on; look again."))
        try:
            entry = table.retract(seat, now)
        except BadPly:
            raise Stale(say("You have no choice left to take back.")) from None
        return Draft((entry,), with_clocks(table, table.seats, now), PLAYING, table.terms)

    return draft


def assert_open(table: LiveTable, seat: int, *, local: bool) -> None:
    """Raise unless moves are being made, and a bot of the server (`local`), or else its player, plays the seat."""
    if table.state == WAITING:
        raise Stale(say("The cards aren't dealt yet."))
    if table.state != PLAYING:
        raise GameIsOver(say("The match is over; nothing can be played any more."))
    if table.seats[seat].local != local:
        raise Stale(
            say("A bot is playing for you; take your seat back first.")
            if not local
            else say("A person is playing this seat.")
        )


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
    rule, names = table.game.rules.REASONS[reason], table.game.rules.ACTIONS
    text = say("{why} ({rule})", why=match.why(reason), rule=rule)
    return IllegalMove(text, rule, tuple(names[id] for id in match.legal_ids(seat)))


def explained(table: LiveTable, seat: int, action: str) -> tuple[Text, str]:
    """Why a seat can't make a move now, and the rule; for a legal move, that it can."""
    if table.match is None or table.state != PLAYING or seat not in table.acting:
        return say("It isn't your turn."), ""
    reason = table.match.illegal_reason(seat, action_id(table, action))
    return table.match.why(reason), table.game.rules.REASONS[reason] if reason else ""


# --- seats ------------------------------------------------------------------------------------------------------------
def sit(seat: int, name: str, program: str, contribution: str, now: float) -> Drafter:
    """Somebody takes a seat by an invitation: a person, or a program, which says what bot it is."""

    def draft(table: LiveTable) -> Draft:
        old = table.seats[seat]
        if table.terms.day:
            raise Stale(say("A deal of the day is for one person: play it at a table of your own."))
        if old.owner or old.kind not in (OPEN, BOT) or table.state not in (WAITING, PLAYING):
            raise Stale(say("This seat is taken."))
        around = [each for number, each in enumerate(table.seats) if number != seat]
        others = [each.name for each in around if each.owner or table.state == PLAYING]
        called = free_name(cleaned_name(name) or ("" if program else GUEST), others, seat)
        words = checked_contribution(contribution) if table.state == WAITING else old.contribution
        new = Seat(
            BOT if program else PERSON, called, cleaned_name(program), owner=True, remote=bool(program),
            program=bool(program), contribution=words,
            awaited=table.terms.seconds is not None, freed=old.freed,
        )  # fmt: skip
        text = _("{name} takes a seat: a bot over the network.") if program else _("{name} takes a seat.")
        entry = announcement(table, "sit", seat, say(text, name=called), now)
        seats = with_seat(others_renamed(table.seats, seat, called), seat, new)
        ready = not table.terms.hold and all(each.kind != OPEN for each in seats)
        if table.state == WAITING and ready:
            drafted = with_deal(table, (entry,), seats, now)
        else:
            drafted = Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)
        alone = not table.seats[table.terms.host].owner  # set up for a screen: whoever comes first is the host
        return replace(drafted, terms=replace(drafted.terms, host=seat)) if alone else drafted

    return draft


def others_renamed(seats: tuple[Seat, ...], seat: int, called: str) -> tuple[Seat, ...]:
    """The seats where one that nobody owns leaves its name to somebody who is called so."""
    taken = [called, *(each.name for each in seats)]
    return tuple(
        replace(each, name=free_name("", taken, number))
        if number != seat and not each.owner and each.name == called
        else each
        for number, each in enumerate(seats)
    )


def page_opened(seat: int, now: float) -> Drafter:
    """The seat's page was opened for the first time since the deal: its first clock starts."""

    def draft(table: LiveTable) -> Draft:
        old, seconds = table.seats[seat], table.terms.seconds
        if not old.awaited or table.state != PLAYING or seconds is None:
            raise Stale(say("The clock of this seat is still running."))
        due = None if old.due is None else min(old.due, now + seconds)
        entry = Entry(table.version + 1, "open", seat, at=now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, awaited=False, due=due)), PLAYING, table.terms)

    return draft


def rename(seat: int, name: str, now: float) -> Drafter:
    """A seat takes another name."""

    def draft(table: LiveTable) -> Draft:
        called = cleaned_name(name)
        if not called:
            raise TableError(say("A name needs at least one visible character."))
        others = [each.name for number, each in enumerate(table.seats) if number != seat]
        called, old = free_name(called, others, seat), table.seats[seat]
        text = say("{name} is now called {other}.", name=old.name, other=called)
        entry = announcement(table, "name", seat, text, now)
        return Draft((entry,), with_seat(table.seats, seat, replace(old, name=called)), table.state, table.terms)

    return draft


def give_to_bot(seat: int, by: int | None, now: float) -> Drafter:
    """A bot takes over a seat: the host or its owner wants it, or its clock has run out (`by` is BY_CLOCK)."""

    def draft(table: LiveTable) -> Draft:
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
        new = replace(old, kind=BOT, remote=False, level=stand_in_bot(table.game), awaited=False)
        entries, terms = with_next_host((entry,), table, now) if by == BY_CLOCK else ((entry,), table.terms)
        return Draft(entries, with_clocks(table, with_seat(table.seats, seat, new), now), table.state, terms)

    return draft


def take_back(seat: int, program: str, now: float) -> Drafter:
    """A seat's owner takes it back from a bot; a program says what bot it is."""

    def draft(table: LiveTable) -> Draft:
        old = table.seats[seat]
        if not old.local or not old.owner:
            raise Stale(say("You play this seat yourself."))
        if old.left == 0 and seat in table.acting:
            raise Stale(say("Time's up: a bot makes this move. You can take your seat back after it."))
        new = replace(
            old, kind=BOT if program else PERSON, level=cleaned_name(program), remote=bool(program),
            program=bool(program),
        )  # fmt: skip
        entry = announcement(table, "back", seat, say("{seat} plays again.", seat=Named(seat)), now)
        seats = with_seat(table.seats, seat, new)
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)

    return draft


def free_seat(seat: int, by: int, now: float) -> Drafter:
    """The host takes a seat from its holder, for somebody else; a bot plays it until then. Link and code are new."""

    def draft(table: LiveTable) -> Draft:
        assert_seat(table, seat)
        old = table.seats[seat]
        if by != table.terms.host:
            raise NotYours(say("Only the host can remove a player."))
        if not old.owner or seat == by or table.state not in (WAITING, PLAYING):
            raise Stale(say("There is nobody in this seat to remove."))
        entry = announcement(table, FREE, seat, say("{name}'s seat is free.", name=old.name), now)
        seats = tuple(
            vacated_seat(table, each) if seat in (number, each.device) else each
            for number, each in enumerate(table.seats)
        )
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms, vacated=seat)

    return draft


def set_coach(seat: int, on: bool, now: float) -> Drafter:
    """Turn the coach of a seat on or off."""

    def draft(table: LiveTable) -> Draft:
        if table.state not in (WAITING, PLAYING):
            raise Stale(say("There is nothing more to explain."))
        text = say("Explanations are on.") if on else say("Explanations are off.")
        facts = ((Fact(1 << seat, text),),)  # for this seat only
        entry = Entry(table.version + 1, "coach", seat, facts=facts, at=now)
        seats = with_seat(table.seats, seat, replace(table.seats[seat], coached=on))
        return Draft((entry,), with_clocks(table, seats, now), table.state, table.terms)

    return draft


def vacated_seat(table: LiveTable, old: Seat) -> Seat:
    """A seat without a holder; those who play on the holder's device leave with them."""
    if table.state == WAITING:
        old = replace(old, contribution="")
    return replace(
        old, kind=OPEN if table.state == WAITING else BOT, level=stand_in_bot(table.game), owner=False, remote=False,
        program=False, awaited=False, freed=old.freed + 1, coached=False, muted=False, device=None, face=-1,
    )  # fmt: skip


def become_host(seat: int, away: bool, now: float) -> Drafter:
    """A seat becomes host, since the host is away."""

    def draft(table: LiveTable) -> Draft:
        if not may_host(table, seat, away, now):
            raise Stale(say("The host is still here; you can become host once the host has been away for a minute."))
        return Draft(
            (host_entry(table.version + 1, seat, now),), table.seats, table.state, replace(table.terms, host=seat)
        )

    return draft


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
    others = [(seat + step) % count for step in range(1, count)]
    heir = next((other for other in others if table.seats[other].kind == PERSON), None)
    if seat != table.terms.host or heir is None:
        return entries, table.terms
    return (*entries, host_entry(entries[-1].version + 1, heir, now)), replace(table.terms, host=heir)
