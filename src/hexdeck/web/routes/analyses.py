"""The page that analyses a match that is over, for each seat from what it knew at the time."""

from __future__ import annotations

import contextlib

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale, TooMany
from hexdeck.tables.model.entries import OVER
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service.afterwards.analyses import Analysis
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import AnalysisPage
from hexdeck.web.live.limits import too_many_requests
from hexdeck.web.requests.identity import reading_as_viewer
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import client_address, query_number, server_of
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, html_response

MOST_TURNING = 4  # analyses of an address that may wait, for one to be started only to find a turning point


async def analysis(request: Request) -> Response:
    """What a seat could expect at each decision and what its moves cost, as far as that is known."""
    async with reading_as_viewer(request) as (table, viewer):
        seat = seat_asked_for(request, table, viewer)
        found = await analysis_for(request, table, seat)
        site = site_of(request, path=f"/table/{table.id}/analysis?seat={seat}", lang=table.terms.lang)
        page = AnalysisPage(
            site, table.game.name, table.id, table.names, seat, found.done, found.failed, len(found.found), found.total,
            tuple(found.found), found.summary, found.measure, found.result, own=seat == viewer,
        )  # fmt: skip
    return html_response(request, pages.analysis(page))


async def turning(request: Request) -> Response:
    """Where the reader's match turned, as a part of the table's page; nothing while that is looked for, or unknown.

    It is looked for in the background where few others wait; otherwise there is none.
    """
    server = server_of(request)
    async with reading_as_viewer(request) as (table, seat):
        if table.state != OVER:
            raise Stale(say("A match can be analysed once it is over."))
        looked_at, done = presenters.turning_seat(table, seat), True
        await server.analyses.load_stored(table, looked_at)
        if (
            server.analyses.is_known(table, looked_at)
            or server.analyses.waiting(client_address(request)) < MOST_TURNING
        ):
            with contextlib.suppress(TooMany):
                done = (await analysis_for(request, table, looked_at)).done
        point = presenters.known_turning_point(server, table, seat)
        site = site_of(request, path=f"/table/{table.id}", lang=table.terms.lang)
        page = presenters.table_page(server, site, table, seat) if point else None
    shown = pages.turning_point(page, point) if page and point else ""
    return JSONResponse({"done": done, "turning": shown}, headers=NO_STORE)


def seat_asked_for(request: Request, table: LiveTable, own: int) -> int:
    """The seat of the query, else the reader's own, else the first."""
    return query_number(request, "seat", table.game.players - 1, max(own, 0))


async def analysis_for(request: Request, table: LiveTable, seat: int) -> Analysis:
    """The analysis of a seat, started if nobody asked for it before; raises TooMany, or Stale before the end."""
    server = server_of(request)
    await server.analyses.load_stored(table, seat)
    if not server.analyses.is_known(table, seat) and not server.limits.hints.allows(client_address(request)):
        raise too_many_requests()
    return server.analyses.get(table, seat, client_address(request))
