"""The page that analyses a match that is over, for each seat from what it knew at the time."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.analyses import Analysis
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import AnalysisPage
from hexdeck.web.live.limits import too_many_requests
from hexdeck.web.requests.identity import reading_as_viewer
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import client_address, query_number, server_of
from hexdeck.web.routes.answers import html_response


async def analysis(request: Request) -> Response:
    """What a seat could expect at each decision and what its moves cost, as far as that is known."""
    async with reading_as_viewer(request) as (table, viewer):
        seat = seat_asked_for(request, table, viewer)
        found = await analysis_for(request, table, seat)
        site = site_of(request, path=f"/table/{table.id}/analysis?seat={seat}", lang=table.terms.lang)
        page = AnalysisPage(
            site, table.game.name, table.id, table.names, seat, found.done, found.failed, len(found.found), found.total,
            tuple(found.found), found.summary, found.measure,
        )  # fmt: skip
    return html_response(request, pages.analysis(page))


def seat_asked_for(request: Request, table: LiveTable, own: int) -> int:
    """The seat of the query, else the reader's own, else the first."""
    return query_number(request, "seat", table.game.players - 1, max(own, 0))


async def analysis_for(request: Request, table: LiveTable, seat: int) -> Analysis:
    """The analysis of a seat, started if nobody asked for it before; raises TooMany, or Stale before the end."""
    server = server_of(request)
    await server.analyses.load_stored(table, seat)
    if not server.analyses.is_known(table, seat) and not server.limits.hints.allows(client_address(request)):
        raise too_many_requests()
    return server.analyses.get(table, seat)
