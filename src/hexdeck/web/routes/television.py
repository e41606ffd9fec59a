"""One screen for all: a television shows what the public knows of a table, and each player's phone their hand.

Whoever opens it, it is nobody's page: a cookie that holds a seat opens a private table, and changes no byte of it.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.tables import commands
from hexdeck.tables.errors import NoTable
from hexdeck.tables.live import PACES, LiveTable
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.models import ScreenPage
from hexdeck.web.live.streams import StreamFrame, StreamResponse
from hexdeck.web.requests import assert_may_watch, client_address, find_holder, server_of, site_of, table_id
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import html_response, redirect
from hexdeck.web.routes.at_table import HEARTBEAT
from hexdeck.web.routes.codes import LONGEST_SHOWN, table_of_code


async def choose(request: Request) -> Response:
    """Where a television is made the table; with a code, on to that table."""
    typed, site = request.query_params.get("code", ""), site_of(request, path="/tv")
    if not typed:
        return html_response(request, pages.choose_screen(ScreenPage(site)))
    try:
        table, _ = await table_of_code(request, typed)
    except NoTable as error:
        page = ScreenPage(site_of(request, error.text, "/tv"), typed[:LONGEST_SHOWN])
        return html_response(request, pages.choose_screen(page), error.status)
    return redirect(request, f"/table/{table.id}/tv")


@contextlib.asynccontextmanager
async def reading_for_screen(request: Request) -> AsyncIterator[LiveTable]:
    """The table, locked, for whoever may watch it; raises NotYours. No seat's clock starts: it isn't its page."""
    registry, id = server_of(request).registry, table_id(request)
    seat, live = await find_holder(request, id), await registry.table(id)
    await assert_may_watch(request, live, seat)
    if live.terms.screen:
        await commands.draw_code(registry, live)
    async with registry.reading(id) as table:
        yield table


async def television(request: Request) -> Response:
    """The page of a screen that all look at."""
    async with reading_for_screen(request) as table:
        site = site_of(request, lang=table.terms.lang)
        page = presenters.screen_page(server_of(request), site, table)
        return html_response(request, table_page.screen(page), secret=page.joining is not None)


async def stream(request: Request) -> StreamResponse:
    """The main part of such a page, sent whenever it has changed."""
    server, id = server_of(request), table_id(request)
    async with reading_for_screen(request) as table:
        site = site_of(request, path=f"/table/{id}", lang=table.terms.lang)

    async def frame(since: int) -> StreamFrame:
        live = server.registry.tables.get(id)
        earlier = presenters.kept_frame(server, live, site, since, screen=True) if live else None
        if earlier is not None:
            return earlier
        async with server.registry.reading(id) as table:
            return presenters.stream_frame(server, table, -1, site, since, screen=True)

    opened = server.streams.open(id, -1, client_address(request), PACES[site.pace], screen=True)
    media = "text/event-stream; charset=utf-8"
    return StreamResponse(server.streams, opened, frame, media, HEARTBEAT, server.metrics.frames.inc)
