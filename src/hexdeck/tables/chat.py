"""The chat of a table: phrases, which each reader gets in their own language, people's own words, and bots' remarks.

Chat is stored beside the match and never touches it: no version, event or record knows of it. Remarks aren't stored.
"""

import functools
from dataclasses import replace

from hexdeck.bots.players.bot_names import parted
from hexdeck.engine.text import Seat, Text, _, say
from hexdeck.engine.view import GOOD, Beat
from hexdeck.tables.commands import announcement, assert_seat, with_seat
from hexdeck.tables.entries import Draft, Message, news_number
from hexdeck.tables.errors import NotYours, Stale, TableError, TooMany
from hexdeck.tables.live import LiveTable, command, maker_since
from hexdeck.tables.player_names import one_line
from hexdeck.tables.registry import TRIES, TableRegistry
from hexdeck.tables.rows import store_message

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
REMARKS: dict[tuple[str, bool], tuple[Text, ...]] = {  # of bots: by manner, and whether it went well for them
    ("", True): (say("That went well."), say("Lucky me!")),
    ("", False): (say("Oh well."), say("That stings.")),
    ("bold", True): (say("Fortune favours the bold!"), say("I told you so!")),
    ("bold", False): (say("It was worth a try!"), say("I'd do it again.")),
    ("careful", True): (say("Slow and steady."), say("Phew!")),
    ("careful", False): (say("I was afraid of that."), say("I should have been more careful.")),
    ("sly", True): (say("Nobody saw that coming."), say("All according to plan.")),
    ("sly", False): (say("You've found me out."), say("Well spotted.")),
}
LONGEST = 160  # characters of a message
MOST_MESSAGES, MESSAGE_WINDOW = 5, 15.0  # messages that a seat may post in so many seconds


async def post_message(registry: TableRegistry, id: str, seat: int, phrase: str = "", text: str = "") -> LiveTable:
    """Post a phrase, by its id, or a seat's own words; stored before it is read. Raises as `new_message`."""
    async with registry.reading(id) as table:
        for _try in range(TRIES):
            saying = new_message(table, seat, phrase, text, registry.clock())
            job = functools.partial(store_message, table=id, message=saying)
            if await registry.run_announced(job, (id, news_number(saying.number))):
                table.add_messages([saying])
                registry.on_change(table)
                return table
            await registry.refresh(table)
    raise Stale(say("The table has moved on; look again."))


def new_message(table: LiveTable, seat: int, phrase: str, content: str, now: float) -> Message:
    """The next message of a seat; raises NotYours, TooMany or TableError where it isn't allowed."""
    assert_seat(table, seat)
    if not table.seats[seat].owner or table.seats[seat].program:
        raise NotYours(say("Only people can chat at a table."))
    if table.seats[seat].muted:
        raise NotYours(say("The host has muted you."))
    if sum(message.seat == seat and now - message.at < MESSAGE_WINDOW for message in table.messages) >= MOST_MESSAGES:
        raise TooMany(say("You have sent a lot of messages; wait a moment."))
    if phrase:
        if phrase not in PHRASES:
            text = _("There is no phrase {phrase}; there are {phrases}.")
            raise TableError(say(text, phrase=phrase[:20], phrases=", ".join(PHRASES)))
        return Message(table.last_message + 1, seat, table.seats[seat].name, phrase, "", now)
    if not table.terms.words:
        raise NotYours(say("The host has turned off free chat; pick a phrase instead."))
    return Message(table.last_message + 1, seat, table.seats[seat].name, "", checked_words(content), now)


def checked_words(content: str) -> str:
    """Words on one line, without what can't be printed; raises TableError where nothing is left."""
    line = one_line(content)
    if not line:
        raise TableError(say("Say something, or choose a phrase."))
    if len(line) > LONGEST:
        text = _("That is too long: a message has at most {most} characters.")
        raise TableError(say(text, most=LONGEST))
    return line


# --- what bots say ----------------------------------------------------------------------------------------------------
def remarks(table: LiveTable, version: int) -> tuple[Text | None, ...]:
    """What bots say of each beat since a version: one that has the spotlight says a phrase of its manner.

    It follows from what the public sees, so that everybody hears the same, and from nothing that a bot holds or means.
    """
    maker = maker_since(table, version)
    return tuple(remark(table, beat, ply) for ply, beat in maker.public_beats()) if maker else ()


def remark(table: LiveTable, beat: Beat, ply: int) -> Text | None:
    """What is said of a beat of the public, if anything."""
    if beat.spotlight is None or not beat.seats:
        return None
    number = beat.seats[-1]  # whom it strikes
    seat = table.seats[number]
    phrases = REMARKS[parted(seat.level)[1], beat.spotlight.tone == GOOD]
    return phrases[(ply + number) % len(phrases)] if seat.local and not seat.owner else None


# --- what the host decides --------------------------------------------------------------------------------------------
@command
def mute(table: LiveTable, seat: int, by: int, muted: bool, now: float) -> Draft:
    """The host mutes a seat, or unmutes it: also its own, if it was muted before it was the host's."""
    assert_seat(table, seat)
    if by != table.terms.host or (seat == by and muted):
        raise NotYours(say("Only the host can mute a player, and not themselves."))
    if table.seats[seat].muted == muted:
        raise Stale(say("That is already the case."))
    text = _("The host has muted {seat}.") if muted else _("{seat} is no longer muted.")
    entry = announcement(table, "mute", seat, say(text, seat=Seat(seat)), now)
    seats = with_seat(table.seats, seat, replace(table.seats[seat], muted=muted))
    return Draft((entry,), seats, table.state, table.terms)


@command
def allow_words(table: LiveTable, by: int, on: bool, now: float) -> Draft:
    """The host lets people write words of their own, or only phrases."""
    if by != table.terms.host:
        raise NotYours(say("Only the host can turn free chat on or off."))
    if table.terms.words == on:
        raise Stale(say("That is already the case."))
    text = say("Free chat is on again.") if on else say("From now on, phrases only.")
    entry = announcement(table, "words", by, text, now)
    return Draft((entry,), table.seats, table.state, replace(table.terms, words=on))
