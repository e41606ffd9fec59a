"""What people at a table say to each other: quick phrases, which each reads in a language of their own, and words.

Talk is kept beside the match and never touches it: no version of the table, no event and no record knows of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace
from unicodedata import category

from hexdeck.engine.play.record import clean_name
from hexdeck.engine.text import Seat as Named
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.errors import NotYours, Stale, TableError, TooMany
from hexdeck.tables.model.entries import Draft, Entry
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.commands import assert_seat, public_fact, with_seat
from hexdeck.tables.service.registry import TRIES, TableRegistry
from hexdeck.tables.storage.messages import Message, news_number, store_message

PHRASES: dict[str, Text] = {
    "hello": say("Hello, everybody!"),
    "luck": say("Good luck!"),
    "played": say("Well played!"),
    "ouch": say("Ouch!"),
    "ha": say("Ha!"),
    "oops": say("Oops, my mistake."),
    "moment": say("One moment, please."),
    "turn": say("Whose turn is it?"),
    "thanks": say("Thank you!"),
    "again": say("Once more?"),
    "bye": say("Good night!"),
}
LONGEST = 160  # characters of what is said
MOST_MARKS = 2  # marks on a letter: more would paint over the lines around
MOST, WHILE = 5, 15.0  # so much may a seat say in so many seconds
Drafter = Callable[[LiveTable], Draft]


# --- saying something -------------------------------------------------------------------------------------------------
async def post_message(registry: TableRegistry, id: str, seat: int, phrase: str = "", words: str = "") -> LiveTable:
    """A seat says a phrase, by its id, or words of its own; stored before anybody reads it. Raises as `said` does."""
    async with registry.reading(id) as table:
        for _try in range(TRIES):
            saying = new_message(table, seat, phrase, words, registry.clock())
            job = functools.partial(store_message, table=id, message=saying)
            if await registry.run_job(job, (id, news_number(saying.number))):
                table.add_messages([saying])
                registry.on_change(table)
                return table
            await registry.refresh(table)
    raise Stale(say("The table has moved on; look again."))


def new_message(table: LiveTable, seat: int, phrase: str, words: str, now: float) -> Message:
    """What a seat says next; raises NotYours, TooMany or TableError where it may not."""
    assert_may_speak(table, seat, now)
    if phrase:
        if phrase not in PHRASES:
            text = _("There is no phrase {phrase}; there are {phrases}.")
            raise TableError(say(text, phrase=phrase[:20], phrases=", ".join(PHRASES)))
        return Message(table.last_message + 1, seat, table.seats[seat].name, phrase, "", now)
    if not table.terms.words:
        raise NotYours(say("The host has switched words of your own off; choose a phrase."))
    return Message(table.last_message + 1, seat, table.seats[seat].name, "", checked_words(words), now)


def assert_may_speak(table: LiveTable, seat: int, now: float) -> None:
    """Raise where a seat may say nothing now."""
    assert_seat(table, seat)
    if not table.seats[seat].owner or table.seats[seat].program:
        raise NotYours(say("Only people talk at a table."))
    if table.seats[seat].muted:
        raise NotYours(say("The host has silenced your seat."))
    if sum(each.seat == seat and now - each.at < WHILE for each in table.messages) >= MOST:
        raise TooMany(say("You have said a lot just now; wait a moment."))


def checked_words(words: str) -> str:
    """Words of one's own on one line, without what can't be printed; raises TableError where nothing is left."""
    clean = limit_marks(" ".join(clean_name(" ".join(words.split())).split()))
    if not clean:
        raise TableError(say("Say something, or choose a phrase."))
    if len(clean) > LONGEST:
        text = _("That is too long: at most {most} characters are said at once.")
        raise TableError(say(text, most=LONGEST))
    return clean


def limit_marks(words: str) -> str:
    """Words with no more than a few marks on a letter, in any script."""
    out, pile = "", 0
    for letter in words:
        pile = pile + 1 if category(letter) in ("Mn", "Me") else 0
        out += letter if pile <= MOST_MARKS else ""
    return out


# --- what the host decides --------------------------------------------------------------------------------------------
def mute(seat: int, by: int, muted: bool, now: float) -> Drafter:
    """The host silences a seat, or lets it talk again: its own, too, if it was silenced before it was the host's."""

    def draft(table: LiveTable) -> Draft:
        assert_seat(table, seat)
        if by != table.terms.host or (seat == by and muted):
            raise NotYours(say("Only the host silences a seat, and no seat of its own."))
        if table.seats[seat].muted == muted:
            raise Stale(say("That is so already."))
        text = _("The host has silenced {seat}.") if muted else _("{seat} may talk again.")
        entry = Entry(table.version + 1, "mute", seat, facts=public_fact(say(text, seat=Named(seat))), at=now)
        seats = with_seat(table.seats, seat, replace(table.seats[seat], muted=muted))
        return Draft((entry,), seats, table.state, table.terms)

    return draft


def allow_words(by: int, on: bool, now: float) -> Drafter:
    """The host lets people write words of their own, or leaves them the phrases."""

    def draft(table: LiveTable) -> Draft:
        if by != table.terms.host:
            raise NotYours(say("Only the host decides whether words of one's own can be written."))
        if table.terms.words == on:
            raise Stale(say("That is so already."))
        told = say("Words of one's own can be written again.") if on else say("From now on there are only phrases.")
        entry = Entry(table.version + 1, "words", by, facts=public_fact(told), at=now)
        return Draft((entry,), table.seats, table.state, replace(table.terms, words=on))

    return draft
