"""The page that analyses a match that is over, for each seat from what it knew at the time."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.text import say
from hexdeck.tables.errors import TooMany
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.analyses import Analysis
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import AnalysisPage
from hexdeck.web.live.server_state import ServerState, looking, place_of, site
from hexdeck.web.ops.middleware import address_of
from hexdeck.web.routes.answers import html
from hexdeck.web.routes.replays import number


async def analysis(request: Request) -> Response:
    """What a seat could expect, and what its moves cost; as far as that is known by now."""
    id, place = request.path_params["table"], place_of(request)
    async with looking(request, id) as (table, mine):
        seat = number(request.query_params.get("seat", ""), table.game.players - 1, max(mine, 0))
        found = await asked_for(place, request, table, seat)
        shown = site(request, path=f"/table/{id}/analysis?seat={seat}", lang=table.terms.lang)
        page = AnalysisPage(
            shown, id, table.game.name, table.names, seat, found.done, found.failed, len(found.found), found.total,
            tuple(found.found), found.told, found.measure,
        )  # fmt: skip
    return html(request, pages.analysis(page))


async def asked_for(place: ServerState, request: Request, table: LiveTable, seat: int) -> Analysis:
    """The analysis of a seat, begun now if need be; raises TooMany, or Stale while the match goes on."""
    await place.analyses.recall(table, seat)
    if not place.analyses.known(table, seat) and not place.asks.allows(address_of(request.scope)):
        raise TooMany(say("Too many requests from your address; wait a moment."))
    return place.analyses.of(table, seat)
