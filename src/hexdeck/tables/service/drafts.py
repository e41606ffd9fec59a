"""Parts of drafts that several commands need: entries that tell everybody something, seats, and the deal."""

from __future__ import annotations

from dataclasses import replace

from hexdeck.bots.players.levels import usual_bot
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import EVERYONE, Fact
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import TableError
from hexdeck.tables.model.clocks import with_clocks
from hexdeck.tables.model.entries import OVER, PLAYING, Draft, Entry
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import Seat


def announcement(table: LiveTable, kind: str, seat: int, text: Text, now: float) -> Entry:
    """The next entry of a table, which tells everybody one sentence."""
    return Entry(table.version + 1, kind, seat, facts=public_fact(text), at=now)


def public_fact(text: Text) -> tuple[tuple[Fact, ...], ...]:
    """The facts of an entry that tells everybody one sentence."""
    return ((Fact(EVERYONE, text),),)


def with_seat(seats: tuple[Seat, ...], number: int, seat: Seat) -> tuple[Seat, ...]:
    """The seats with one of them replaced."""
    return (*seats[:number], seat, *seats[number + 1 :])


def assert_seat(table: LiveTable, seat: int) -> None:
    """Raise TableError where there is no such seat."""
    if not 0 <= seat < len(table.seats):
        raise TableError(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=len(table.seats) - 1))


def stand_in_bot(game: Game) -> str:
    """The bot that takes over a seat."""
    return usual_bot(game)


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
