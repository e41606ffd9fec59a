"""The questions after a match."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables import feedback
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.feedback import Feedback
from hexdeck.web.html import pages
from hexdeck.web.html.models import FeedbackPage
from hexdeck.web.requests import Fields, first_value, read_form, require_holder, server_of, site_of, table_id
from hexdeck.web.routes.answers import html_response, redirect


async def ask(request: Request) -> Response:
    """The questions, with what the reader's seat said before."""
    registry, id, seat = server_of(request).registry, table_id(request), await require_holder(request)
    async with registry.reading(id) as table:
        if not feedback.is_asked(table, seat):
            raise NotYours(say("Nobody asks about this match."))
        game, lang = table.game.name, table.terms.lang
    earlier = await feedback.feedback_from(registry, id, seat)
    site = site_of(request, path=f"/table/{id}/feedback", lang=lang)
    return html_response(request, pages.feedback(FeedbackPage(site, game, id, asdict(earlier), feedback.LONGEST)))


async def give(request: Request) -> Response:
    """Keep the answers, and lead back to the table."""
    fields, seat = await read_form(request), await require_holder(request)
    await feedback.give_feedback(server_of(request).registry, table_id(request), answers(fields, seat))
    return redirect(request, f"/table/{table_id(request)}")


def answers(fields: Fields, seat: int) -> Feedback:
    """What a form says; raises TableError."""
    fun, length, fair = (number(fields, name) for name in ("fun", "length", "fair"))
    return Feedback(seat, fun, length, fair, first_value(fields, "confused"), first_value(fields, "words"))


def number(fields: Fields, name: str) -> int | None:
    """The number in a field; None where nothing was chosen."""
    text = first_value(fields, name)
    try:
        return int(text) if text else None
    except (ValueError, HexdeckError):
        raise TableError(say("That isn't one of the answers.")) from None
