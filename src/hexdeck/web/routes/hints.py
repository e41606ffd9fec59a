"""Hints on pages and for programs: asked for by a seat whose turn it is, where the table allows them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale, TooMany, Unavailable
from hexdeck.tables.model import device
from hexdeck.tables.service.hints import Hinted, question
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import Hint
from hexdeck.web.live.server_state import ServerState, held_seat, own_seat, place_of, site
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, html, scripted

PATIENCE = 6.0  # seconds that whoever asked waits; the answer is kept for who asks again


async def hint_of(place: ServerState, id: str, seat: int) -> Hinted:
    """A hint for a seat; raises what `question` does, TooMany, or Unavailable when it takes too long."""
    async with place.hall.reading(id) as table:
        asked = question(table, seat)
        if not place.asks.allows(f"{id} {seat}"):
            raise TooMany(say("That many hints so soon? Think for yourself for a moment, then ask again."))
        answer = asyncio.wrap_future(place.hints.ask(id, asked))
    try:
        return await asyncio.wait_for(asyncio.shield(answer), PATIENCE)
    except TimeoutError:
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody hears of it any more
        raise Unavailable(say("This hint takes longer than usual; ask again in a moment.")) from None


async def hint(request: Request) -> Response:
    """The best moves of the reader, as a part of the table's page: alone for a script, else in the page."""
    id, place = request.path_params["table"], place_of(request)
    holder, seat = await held_seat(request, id), await own_seat(request, id)
    found = await hint_of(place, id, seat)
    async with place.hall.reading(id) as table:
        if device.in_hand(table, holder) != seat or seat not in table.acting or not table.fits(seat, found.version):
            raise Stale(say("The table has moved on since; look again."))
        shown, told = site(request, path=f"/table/{id}", lang=table.terms.lang), worded(found)
        if scripted(request):
            part = pages.hint(shown, table.game.name, table.names, told)
            return JSONResponse({"hint": part}, headers=NO_STORE)
        page = replace(presenters.table_page(place, shown, table, holder), hint=told)
        return html(request, pages.table(page))


def worded(found: Hinted) -> Hint:
    """A hint as its page is told of it."""
    moves = tuple((each.label, each.result, each.reason) for each in found.best)
    return Hint(moves, found.premises, only=len(moves) == 1)
