"""Questions after a match: what its players thought of it, for whoever designs the game. The host decides whether."""

from __future__ import annotations

import functools

from hexdeck.engine.text import _, say
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.model.entries import OVER
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import PERSON
from hexdeck.tables.service.chat import one_line
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.storage.feedback import Feedback, feedback_of, store_feedback

GRADES = range(1, 6)  # of fun and fairness
LENGTHS = (-1, 0, 1)  # too short, right, too long
LONGEST = 400  # characters of an answer in words


def is_asked(table: LiveTable, seat: int) -> bool:
    """Whether a seat is asked: a person's, at a table whose match is over and whose host lets us ask."""
    return table.state == OVER and table.terms.feedback and seat >= 0 and table.seats[seat].kind == PERSON


async def said_before(registry: TableRegistry, id: str, seat: int) -> Feedback:
    """What a seat has said already; empty if nothing."""
    found = await registry.run_job(feedback_of(id))
    return next((each for each in found if each.seat == seat), Feedback(seat))


async def give(registry: TableRegistry, id: str, given: Feedback) -> None:
    """Keep what a seat says, in place of what it said before; raises NotYours where it isn't asked, or TableError."""
    checked = Feedback(
        given.seat, _one_of(given.fun, GRADES), _one_of(given.length, LENGTHS), _one_of(given.fair, GRADES),
        _clean(given.confused), _clean(given.words), registry.clock(),
    )  # fmt: skip
    async with registry.reading(id) as table:
        if not is_asked(table, given.seat):
            raise NotYours(say("Nobody asks about this match."))
        await registry.run_job(functools.partial(store_feedback, table=id, given=checked))


def _one_of(answer: int | None, allowed: range | tuple[int, ...]) -> int | None:
    if answer is not None and answer not in allowed:
        raise TableError(say("That isn't one of the answers."))
    return answer


def _clean(words: str) -> str:
    clean = one_line(words)
    if len(clean) > LONGEST:
        text = _("That is too long: an answer has at most {most} characters.")
        raise TableError(say(text, most=LONGEST))
    return clean
