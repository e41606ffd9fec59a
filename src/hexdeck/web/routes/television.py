"""A television as the table: the page where it is given a table's code, what it shows, and its stream.

The code that it shows to guests is drawn by `tables/codes.py` and laid out by `presenters.join_code`.
"""

import contextlib
from collections.abc import AsyncIterator

from starlette.responses import Response

from hexdeck.tables import commands
from hexdeck.tables.errors import NoTable
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages, table_page
from hexdeck.web.routes import presenters
from hexdeck.web.routes.at_table import page_stream
from hexdeck.web.routes.codes import LONGEST_SHOWN, table_of_code
from hexdeck.web.routes.requests import SiteRequest
from hexdeck.web.server.state import StreamResponse


async def choose(request: SiteRequest) -> Response:
    """Where a television is made the table; with a code, on to that table."""
    typed, site = request.query_params.get("code", ""), request.site(path="/tv")
    if not typed:
        return request.html_response(pages.games_page("television_code.html", site, typed=""))
    try:
        table, _ = await table_of_code(request, typed)
    except NoTable as error:
        site = request.site(error.text, "/tv")
        html = pages.games_page("television_code.html", site, typed=typed[:LONGEST_SHOWN])
        return request.html_response(html, error.status)
    return request.redirect(f"/table/{table.id}/tv")


@contextlib.asynccontextmanager
async def reading_for_television(request: SiteRequest) -> AsyncIterator[LiveTable]:
    """The table, locked, for a caller who may watch it; raises NotYours. No seat's clock starts: it isn't its page."""
    registry, id = request.registry, request.table_id
    seat, live = await request.find_holder(id), await registry.table(id)
    await request.assert_may_watch(live, seat)
    if live.terms.screen:
        await commands.draw_code(registry, live)
    async with registry.reading(id) as table:
        yield table


async def show(request: SiteRequest) -> Response:
    """The page of a screen that all look at."""
    async with reading_for_television(request) as table:
        site = request.site(lang=table.terms.lang)
        page = presenters.television_page(request.server, site, table)
        return request.html_response(table_page.television(page), secret=page.joining is not None)


async def stream(request: SiteRequest) -> StreamResponse:
    """The main part of such a page, sent whenever it has changed."""
    async with reading_for_television(request) as table:
        site = request.table_site(table)
    return page_stream(request, site, -1, 0, screen=True)
