"""Sealed words at a table: a seat shows them, or the cards are dealt without them (see `model/sealing.py`)."""

from __future__ import annotations

from dataclasses import replace

from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import _, say
from hexdeck.tables.errors import Stale
from hexdeck.tables.model.entries import SHOW, WAITING, Draft, Entry
from hexdeck.tables.model.live import Drafter, LiveTable
from hexdeck.tables.model.sealing import added_words, closed_seats, seconds_to_show, shown_words
from hexdeck.tables.model.seats import Seat
from hexdeck.tables.service.drafts import announcement, public_fact, with_deal, with_seat


def with_words(seat: Seat, words: str) -> Seat:
    """A seat that adds words, or seals them; raises TableError."""
    contribution, sealed = added_words(words)
    return replace(seat, contribution=contribution, sealed=sealed)


def without_words(table: LiveTable, closed: list[int], now: float) -> tuple[Entry, ...]:
    """What everybody is told where sealed words aren't shown: an entry for each seat."""
    text = _("{seat} hasn't shown the sealed words: the cards are dealt without them.")
    return tuple(
        Entry(table.version + k, "unshown", seat, facts=public_fact(say(text, seat=Named(seat))), at=now)
        for k, seat in enumerate(closed, 1)
    )


def assert_waited(table: LiveTable, now: float) -> None:
    """Raise Stale while browsers still have time to show sealed words."""
    missing = seconds_to_show(table.entries, now)
    if missing:
        text = _("Sealed words are being shown: in {seconds} seconds you can start without those that are missing.")
        raise Stale(say(text, seconds=missing))


def show_words(seat: int, words: str, now: float) -> Drafter:
    """A seat shows the words that it sealed; with the last of them the cards are dealt."""

    def draft(table: LiveTable) -> Draft:
        if table.state != WAITING or table.terms.hold:
            raise Stale(say("Sealed words are shown once every seat is taken."))
        shown = shown_words(table.seats, seat, words)
        seats = with_seat(table.seats, seat, replace(table.seats[seat], contribution=shown))
        text = say("{seat} has shown the sealed words.", seat=Named(seat))
        entry = announcement(table, SHOW, seat, text, now)
        if closed_seats(seats):
            return Draft((entry,), seats, WAITING, table.terms)
        return with_deal(table, (entry,), seats, now)

    return draft
