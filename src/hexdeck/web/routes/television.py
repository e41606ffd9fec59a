"""A television as the table: the page where it is given a table's code, what it shows, and its stream.

The code that it shows to guests is drawn by `tables/codes.py` and laid out by `presenters.join_code`.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.tables import commands
from hexdeck.tables.errors import NoTable
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages, table_page
from hexdeck.web.routes import presenters
from hexdeck.web.routes.at_table import page_stream
from hexdeck.web.routes.codes import LONGEST_SHOWN, table_of_code
from hexdeck.web.routes.requests import (
    assert_may_watch,
    find_holder,
    html_response,
    redirect,
    server_of,
    site_of,
    table_id,
)
from hexdeck.web.server.streams import StreamResponse


async def choose(request: Request) -> Response:
    """Where a television is made the table; with a code, on to that table."""
    typed, site = request.query_params.get("code", ""), site_of(request, path="/tv")
    if not typed:
        return html_response(request, pages.games_page("television_code.html", site, typed=""))
    try:
        table, _ = await table_of_code(request, typed)
    except NoTable as error:
        site = site_of(request, error.text, "/tv")
        html = pages.games_page("television_code.html", site, typed=typed[:LONGEST_SHOWN])
        return html_response(request, html, error.status)
    return redirect(request, f"/table/{table.id}/tv")


@contextlib.asynccontextmanager
async def reading_for_television(request: Request) -> AsyncIterator[LiveTable]:
    """The table, locked, for whoever may watch it; raises NotYours. No seat's clock starts: it isn't its page."""
    registry, id = server_of(request).registry, table_id(request)
    seat, live = await find_holder(request, id), await registry.table(id)
    await assert_may_watch(request, live, seat)
    if live.terms.screen:
        await commands.draw_code(registry, live)
    async with registry.reading(id) as table:
        yield table


async def show(request: Request) -> Response:
    """The page of a screen that all look at."""
    async with reading_for_television(request) as table:
        site = site_of(request, lang=table.terms.lang)
        page = presenters.television_page(server_of(request), site, table)
        return html_response(request, table_page.television(page), secret=page.joining is not None)


async def stream(request: Request) -> StreamResponse:
    """The main part of such a page, sent whenever it has changed."""
    async with reading_for_television(request) as table:
        site = site_of(request, path=f"/table/{table.id}", lang=table.terms.lang)
    return page_stream(request, site, -1, 0, screen=True)
