"""The chat of a table, as its page shows it."""

from __future__ import annotations

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.storage.messages import Message
from hexdeck.web.html.table_models import Chat, ChatLine

SHOWN = 30  # sayings that a page shows
FRESH = 12.0  # seconds for which the newest is shown over the table


def chat_of(table: LiveTable, seat: int, now: float) -> Chat | None:
    """The chat as a seat (-1: the public) reads it; None where there is nobody to talk to."""
    people = {number for number, each in enumerate(table.seats) if each.owner and not each.program}
    if len(people) < 2 and not table.messages:
        return None
    lines = tuple(chat_line(each) for each in table.messages[-SHOWN:])
    fresh = bool(lines) and table.messages[-1].seat != seat and now - table.messages[-1].at < FRESH
    speaks = seat in people and not table.seats[seat].muted
    return Chat(lines, speaks, table.terms.words, fresh, seat in people)


def chat_line(saying: Message) -> ChatLine:
    """A message as the page shows it."""
    return ChatLine(saying.number, saying.seat, saying.name, saying.phrase, saying.words)
