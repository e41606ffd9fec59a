"""The page that shows how a table's cards are made, and checks them once the match is over."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import Text, say_n
from hexdeck.tables.model.fair import verify
from hexdeck.tables.model.live import OVER, LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import FairPage
from hexdeck.web.live.server_state import looking, place_of, site
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import html
from hexdeck.web.routes.replays import record_of


async def fair(request: Request) -> Response:
    """The promise, what the reader added; after the end the secret and all additions, and a check if asked for."""
    id, record = request.path_params["table"], None
    async with looking(request, id) as (table, seat):
        page = fair_page(request, table, seat)
        if page.secret and "check" in request.query_params:
            record, promise = record_of(table), table.commitment
    if record is None:
        return html(request, pages.fair(page))
    verdict, holds = await asyncio.get_running_loop().run_in_executor(None, checked, record, promise)
    return html(request, pages.fair(page, verdict, holds))


def fair_page(request: Request, table: LiveTable, seat: int) -> FairPage:
    """What a seat (-1: the public) may know: nobody's addition but its own before the end."""
    over = table.state == OVER
    added = tuple(
        each.contribution if over or number == seat else None for number, each in enumerate(table.seats)
    )  # fmt: skip
    later = tuple(each.adds if number == seat or not each.adds else None for number, each in enumerate(table.seats))
    lines = presenters.lines(place_of(request), table, seat)
    shown = site(request, path=f"/table/{table.id}/fair", lang=table.terms.lang)
    return FairPage(shown, table.id, table.game.name, table.commitment, lines, None if seat < 0 else seat, added,
                    table.secret.hex() if over else "", table.promised, later)  # fmt: skip


def checked(record: Record, promise: str) -> tuple[Text, bool]:
    """What the check of a record found, as a sentence, and whether the cards are as promised."""
    try:
        draws = verify(record, promise)
    except BadRecord as wrong:
        return wrong.text, False
    return say_n("Checked: {n} draw follows from the secret, as it was dealt.",
                 "Checked: all {n} draws follow from the secret, as they were dealt.", draws), True  # fmt: skip
