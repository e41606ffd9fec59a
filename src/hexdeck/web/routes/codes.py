"""The code of a table: where a guest types it in, the invitation that it leads to, and the seat that it takes."""

from starlette.responses import Response

from hexdeck.engine.text import Text
from hexdeck.tables import commands
from hexdeck.tables.codes import parse_code, parse_link, typed_text, unknown_code
from hexdeck.tables.errors import NoTable, TooMany
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.routes.requests import SiteRequest
from hexdeck.web.routes.seats import join_response, take_seat

LONGEST_SHOWN = 24  # characters of what was typed


async def type_code(request: SiteRequest) -> Response:
    """The field for a code or one of our links, which an installed page has no other field for; on to its page."""
    typed = typed_text(request.query_params.get("code", ""))
    if not typed:
        return code_response(request, "", None)
    if link := parse_link(typed):
        return request.redirect(link)
    try:
        code, seat = parse_code(typed)
    except NoTable as error:
        return code_response(request, typed, error.text, error.status)
    return request.redirect(f"/j/{code}{'' if seat is None else seat + 1}")


def code_response(request: SiteRequest, typed: str, why: Text | None, status: int = 200) -> Response:
    """The field for a code, with what was typed, and why that was refused."""
    html = pages.page("code.html", request.site(why, "/j"), typed=typed[:LONGEST_SHOWN])
    return request.html_response(html, status)


async def table_of_code(request: SiteRequest, typed: str) -> tuple[LiveTable, int | None]:
    """The table of a code, and the seat that it names; raises NoTable, and TooMany after too many wrong ones."""
    server, address = request.server, request.address
    server.limits.allow_join(address)
    with server.limits.trying_code(address):
        code, seat = parse_code(typed)
        table = await commands.table_of_code(server.registry, code)
        if seat is not None and seat >= table.game.players:
            raise unknown_code()
    return table, seat


async def invitation(request: SiteRequest) -> Response:
    """The invitation of a code; opening it takes nothing."""
    typed = request.path_params["code"]
    try:
        table, seat = await table_of_code(request, typed)
    except (NoTable, TooMany) as error:
        return code_response(request, typed, error.text, error.status)
    free = next(iter(commands.seats_free(table)), None) if seat is None else seat
    return await join_response(request, table, free, f"/j/{typed}")


async def take(request: SiteRequest) -> Response:
    """Take the seat of a code: the one that it names, else the first that is free."""
    typed = request.path_params["code"]
    table, seat = await table_of_code(request, typed)
    return await take_seat(request, table, commands.seats_free(table) if seat is None else [seat], f"/j/{typed}")
