"""A reader's own seats: which tables, bringing others, carrying a seat to another device."""

from __future__ import annotations

import io
import ipaddress
from urllib.parse import urlsplit

import segno
from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables import acts, begin, rows
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.keys import hashed, invitation, invited, is_real, new_token, unknown_invitation
from hexdeck.tables.live import ANYONE, OVER, LiveTable
from hexdeck.web import fill, pages
from hexdeck.web.answers import go, html, with_token
from hexdeck.web.contexts import CarryPage, Invite, InvitePage, JoinPage, TableLine, TablesPage
from hexdeck.web.place import Place, first, form, own_seat, place_of, reader, site

LISTED = 40  # tables of one reader that are listed
CARRIED_FOR = 600.0  # seconds that a link which carries a seat holds


async def my_tables(request: Request) -> list[TableLine]:
    """The reader's tables, those that changed last first."""
    place, who = place_of(request), reader(request)
    if not who.token:
        return []
    found = await place.hall.ask(lambda connection: rows.tables_of(connection, who.hashed, LISTED))
    lines = [await _line(place, id, seat) for id, seat in found]
    return [line for line in lines if line]


async def _line(place: Place, id: str, seat: int) -> TableLine | None:
    try:
        async with place.hall.reading(id) as table:
            minutes = int(max(0.0, place.hall.clock() - table.entries[-1].at) // 60)
            mine = bool(table.view(seat).moves)
            return TableLine(id, table.game.name, table.names, mine, table.state == OVER, minutes)
    except HexdeckError:  # a table that can't be gone on with says so on its own page
        return None


async def tables(request: Request) -> Response:
    """The reader's tables."""
    return html(pages.tables(TablesPage(site(request), tuple(await my_tables(request)))))


# --- inviting ---------------------------------------------------------------------------------------------------------
def base(request: Request) -> str:
    """Where the site begins, as others on the network reach it."""
    place = place_of(request)
    shown = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return (place.settings.near if is_here(shown) and place.settings.near else shown) + place.settings.prefix


def reachable(request: Request) -> bool:
    """Whether others can reach the links that are shown."""
    return not is_here(base(request))


def is_here(address: str) -> bool:
    """Whether an address means whatever computer it is opened on."""
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def code(address: str) -> str:
    """A QR code as an SVG element."""
    out = io.BytesIO()
    segno.make(address, micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, dark="#000", light="#fff", nl=False
    )
    return out.getvalue().decode()


def linked(address: str, seat: int | None) -> Invite:
    """A link with its code."""
    return Invite(seat, address, code(address))


async def invite(request: Request) -> Response:
    """The links to the free seats of a table, for those who sit there."""
    id = request.path_params["table"]
    await own_seat(request, id)
    async with place_of(request).hall.reading(id) as table:
        start = base(request)
        links = [
            linked(f"{start}/join/{invitation(id, seat, table.invites)}", seat) for seat in begin.seats_free(table)
        ]
        if table.terms.watch == ANYONE:
            links.append(linked(f"{start}/table/{id}", None))
        page = InvitePage(site(request), id, table.game.name, tuple(links), reachable(request))
    return html(pages.invite(page))


async def invited_to(place: Place, token: str) -> tuple[LiveTable, int]:
    """The table and seat of an invitation; raises NoTable."""
    id, seat = invited(token)
    table = await place.hall.table(id)
    if seat >= table.game.players or not is_real(token, id, seat, table.invites):
        raise unknown_invitation()
    return table, seat


async def join_page(request: Request) -> Response:
    """What an invitation leads to; looking at it takes nothing."""
    place, token = place_of(request), request.path_params["token"]
    place.allow_take(request)
    found, seat = await invited_to(place, token)
    async with place.hall.reading(found.id) as table:
        lines, taken = fill.lines(place, table), table.seats[seat].owner or table.state == OVER
        page = JoinPage(site(request, path="/"), token, table.game.name, lines, seat, taken)
    return html(pages.join(page))


async def join(request: Request) -> Response:
    """Take a seat."""
    place, fields = place_of(request), await form(request)
    place.allow_take(request)
    table, seat = await invited_to(place, request.path_params["token"])
    token = reader(request).token or new_token()
    if await place.hall.seat_of(table.id, hashed(token)) is not None:
        return go(request, f"/table/{table.id}")
    held = {"token": hashed(token), "table": table.id, "seat": seat}
    drafter = acts.sit(seat, first(fields, "name"), "", first(fields, "contribution"), place.hall.clock())
    await place.hall.change(table.id, drafter, held)
    place.hall.held(table.id, hashed(token), seat)
    return with_token(request, go(request, f"/table/{table.id}"), token)


# --- carrying a seat --------------------------------------------------------------------------------------------------
async def carry(request: Request) -> Response:
    """A link, good for one use, that gives another device the reader's seat."""
    place, id, token = place_of(request), request.path_params["table"], new_token()
    seat = await own_seat(request, id)
    row = {"token": hashed(token), "table": id, "seat": seat, "until": place.hall.clock() + CARRIED_FOR}
    await place.hall.ask(lambda connection: rows.carry(connection, row))
    async with place.hall.reading(id) as table:
        link = linked(f"{base(request)}/carry/{token}", seat)
        page = CarryPage(site(request, path=f"/table/{id}"), table.game.name, table.seats[seat].name, id, link=link)
    return html(pages.carry(page))


def no_carry() -> NoTable:
    """What is said of a link that was used, or is too old."""
    return NoTable(say("This link was used already, or is too old; make another on the device that has the seat."))


async def carry_page(request: Request) -> Response:
    """What such a link leads to; looking at it takes nothing."""
    place, token = place_of(request), request.path_params["token"]
    place.allow_take(request)
    found = await place.hall.ask(lambda connection: rows.carried(connection, hashed(token), place.hall.clock()))
    if found is None:
        raise no_carry()
    async with place.hall.reading(found[0]) as table:
        name = table.seats[found[1]].name
        return html(pages.carry(CarryPage(site(request, path="/"), table.game.name, name, token=token)))


async def take_carried(request: Request) -> Response:
    """Have the seat on this device too."""
    place, token, mine = place_of(request), request.path_params["token"], reader(request).token or new_token()
    place.allow_take(request)
    now = place.hall.clock()
    there = await place.hall.ask(lambda connection: rows.carried(connection, hashed(token), now))
    if there is None:
        raise no_carry()
    already = await place.hall.seat_of(there[0], hashed(mine))
    if already not in (None, there[1]):
        raise Stale(say("You sit on another seat of this table already."))
    taken = await place.hall.ask(lambda connection: rows.take_carried(connection, hashed(token), hashed(mine), now))
    if taken is None:
        raise no_carry()
    place.hall.held(*(taken[0], hashed(mine), taken[1]))
    return with_token(request, go(request, f"/table/{taken[0]}"), mine)
