"""Hints in the browser and for programs: the best moves of a seat whose turn it is, where the table allows hints."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale, TooMany, Unavailable
from hexdeck.tables.model import device
from hexdeck.tables.service.hints import HintResult, hint_request
from hexdeck.web.html import pages
from hexdeck.web.html.table_models import Hint
from hexdeck.web.live.server_state import ServerState
from hexdeck.web.requests.identity import require_holder, require_player
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import server_of, table_id
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, html_response, is_script

PATIENCE = 6.0  # seconds until a request gives up; the hint is kept for when it is asked for again


async def hint_of(server: ServerState, id: str, seat: int) -> HintResult:
    """A hint for a seat; raises what `hint_request` does, TooMany, or Unavailable when it takes too long."""
    async with server.registry.reading(id) as table:
        asked = hint_request(table, seat)
        if not server.limits.hints.allows(f"{id} {seat}"):
            raise TooMany(say("That many hints so soon? Think for yourself for a moment, then ask again."))
        answer = asyncio.wrap_future(server.hints.ask(id, asked, server.registry.interest.asker(id)))
    try:
        return await asyncio.wait_for(asyncio.shield(answer), PATIENCE)
    except TimeoutError:
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits for it any more
        raise Unavailable(say("This hint takes longer than usual; ask again in a moment.")) from None


async def hint(request: Request) -> Response:
    """The best moves of the reader: a script gets that part of the page alone, others the whole page."""
    id, server = table_id(request), server_of(request)
    holder, seat = await require_holder(request), await require_player(request)
    found = await hint_of(server, id, seat)
    async with server.registry.reading(id) as table:
        same_player = device.playing_seat(table, holder) == seat
        if not same_player or seat not in table.acting or not table.is_current_for(seat, found.version):
            raise Stale(say("The table has moved on; look again."))
        site, shown = site_of(request, path=f"/table/{id}", lang=table.terms.lang), hint_model(found)
        if is_script(request):
            part = pages.hint(site, table.game.name, table.names, shown)
            return JSONResponse({"hint": part}, headers=NO_STORE)
        page = replace(presenters.table_page(server, site, table, holder), hint=shown)
        return html_response(request, pages.table(page))


def hint_model(found: HintResult) -> Hint:
    """A hint as its page shows it."""
    moves = tuple((each.label, each.result, each.reason) for each in found.best)
    return Hint(moves, found.premises, only=len(moves) == 1)
