"""Sealed words: first everybody's hashes are added, then the words are shown, so that nobody can choose theirs last.

Whoever seals words sends `sealed:` and their SHA-256 in their place, and the words once every seat is taken: for a
rematch, once it is set up. Words are short: so that they can't be guessed from the hash, their owner puts a random
number behind them. Once any were shown, nobody can add others. The host can start without words that aren't shown
(`SHOWING` seconds after the last that were), which everybody is told.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import re
from collections.abc import Sequence

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale, TableError
from hexdeck.tables.keys import checked_contribution
from hexdeck.tables.model.entries import SHOW, Entry
from hexdeck.tables.model.seats import OPEN, Seat

SEALED = re.compile(r"sealed:([0-9a-f]{64})")
SHOWING = 20.0  # seconds for which browsers have time to show words, before the host can start without them
BEGINS = "create", "sit", "seal", SHOW  # the kinds of entries after which there is so much time


def seal_of(words: str) -> str:
    """The hash of words."""
    return hashlib.sha256(words.encode()).hexdigest()


def added_words(words: str) -> tuple[str, str]:
    """The words that somebody adds, and the seal of words that they show later; raises TableError."""
    found = SEALED.fullmatch(words)
    return ("", found[1]) if found is not None else (checked_contribution(words), "")


def closed_seats(seats: Sequence[Seat]) -> list[int]:
    """The seats whose sealed words haven't been shown."""
    return [number for number, seat in enumerate(seats) if seat.sealed and not seat.contribution]


def to_show(seats: Sequence[Seat], number: int, *, hold: bool) -> str:
    """The seal of the words that a seat is to show now, or an empty string; `hold`: the host hasn't begun yet."""
    wanted = not hold and number in closed_seats(seats) and all(each.kind != OPEN for each in seats)
    return seats[number].sealed if wanted else ""


def seconds_to_show(entries: Sequence[Entry], now: float) -> int:
    """For how many seconds more the host has to wait for sealed words; 0: no longer."""
    left = SHOWING - (now - max((entry.at for entry in entries if entry.kind in BEGINS), default=now - SHOWING))
    return math.ceil(left) if 0 < left <= SHOWING else 0


def assert_addable(entries: Sequence[Entry], words: str) -> None:
    """Raise Stale where somebody wants to add words after sealed ones were shown, even if whoever did has left."""
    if words and any(entry.kind == SHOW for entry in entries):
        raise Stale(say("The others have shown their words already; take part without words of your own."))


def shown_words(seats: Sequence[Seat], number: int, words: str) -> str:
    """The words that a seat sealed; raises Stale before every seat is taken, TableError for other words."""
    seat = seats[number]
    if not seat.sealed or seat.contribution:
        raise Stale(say("You have no sealed words to show."))
    if any(each.kind == OPEN for each in seats):
        raise Stale(say("Sealed words are shown once every seat is taken."))
    if not hmac.compare_digest(seal_of(checked_contribution(words)), seat.sealed):
        raise TableError(say("These aren't the words that you sealed."))
    return words
