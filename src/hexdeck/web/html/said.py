"""What a page is told of the talk at a table."""

from __future__ import annotations

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.storage.sayings import Saying
from hexdeck.web.html.page_models import Talk, TalkLine

SHOWN = 30  # sayings that a page shows
FRESH = 12.0  # seconds for which the newest is shown over the table


def talk_of(table: LiveTable, seat: int, now: float) -> Talk | None:
    """What was said, as a seat (-1: the public) reads it; None where there is nobody to talk to."""
    people = {number for number, each in enumerate(table.seats) if each.owner and not each.program}
    if len(people) < 2 and not table.sayings:
        return None
    lines = tuple(line_of(each) for each in table.sayings[-SHOWN:])
    fresh = bool(lines) and table.sayings[-1].seat != seat and now - table.sayings[-1].at < FRESH
    speaks = seat in people and not table.seats[seat].muted
    return Talk(lines, speaks, table.terms.words, fresh, seat in people)


def line_of(saying: Saying) -> TalkLine:
    """Something said, for a page."""
    return TalkLine(saying.number, saying.seat, saying.name, saying.phrase, saying.words)
