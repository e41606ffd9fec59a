"""The page that explains how a table's cards are dealt, and checks them once the match is over."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import Text, say_n
from hexdeck.tables.entries import OVER
from hexdeck.tables.fair import verify
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.models import FairPage
from hexdeck.web.requests import reading_as_viewer, server_of, site_of
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import html_response
from hexdeck.web.routes.replays import record_of


async def fair(request: Request) -> Response:
    """The promise and the reader's words; after the end the secret, everybody's words, and a check if asked for."""
    record = None
    async with reading_as_viewer(request) as (table, seat):
        page = fair_page(request, table, seat)
        if page.secret and "check" in request.query_params:
            record, promise = record_of(table), table.commitment
    if record is None:
        return html_response(request, pages.fair(page))
    verdict, holds = await asyncio.get_running_loop().run_in_executor(None, check_cards, record, promise)
    return html_response(request, pages.fair(page, verdict, holds))


def fair_page(request: Request, table: LiveTable, seat: int) -> FairPage:
    """What a seat (-1: the public) may know: before the end, nobody's words but its own."""
    over = table.state == OVER
    added = tuple(chair.contribution if over or number == seat else None for number, chair in enumerate(table.seats))
    rematch_added = tuple(
        chair.adds if number == seat or not chair.adds else None for number, chair in enumerate(table.seats)
    )
    lines = presenters.seat_lines(server_of(request), table, seat)
    site = site_of(request, path=f"/table/{table.id}/fair", lang=table.terms.lang)
    return FairPage(
        site,
        table.game.name,
        table.id,
        table.commitment,
        lines,
        None if seat < 0 else seat,
        added,
        table.secret.hex() if over else "",
        table.rematch_commitment,
        rematch_added,
    )


def check_cards(record: Record, promise: str) -> tuple[Text, bool]:
    """Whether the cards of a record are as promised: the verdict as a sentence, and whether it holds."""
    try:
        draws = verify(record, promise)
    except BadRecord as wrong:
        return wrong.text, False
    return say_n(
        "Checked: {n} draw follows from the secret, as it was dealt.",
        "Checked: all {n} draws follow from the secret, as they were dealt.",
        draws,
    ), True
