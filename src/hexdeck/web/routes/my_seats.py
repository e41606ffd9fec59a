"""A reader's own seats: which tables, bringing others, carrying a seat to another device."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.keys import hashed, invited, is_real, new_token, unknown_invitation
from hexdeck.tables.model.device import group
from hexdeck.tables.model.live import ANYONE, ENDED, OVER, PLAYING, WAITING, LiveTable
from hexdeck.tables.model.seats import Seat, seats_of
from hexdeck.tables.service import commands
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.rows import Row
from hexdeck.web.html import pages
from hexdeck.web.html.links import invites, is_here, linked
from hexdeck.web.html.page_models import CarryPage, InvitePage, JoinPage, TableLine, TablesPage
from hexdeck.web.live.server_state import (
    ServerState,
    first,
    form,
    held_seat,
    holder_of,
    place_of,
    reader,
    site,
    token_to_hold,
)
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import go, html, keep, with_token

LISTED = 40  # tables of one reader that are listed
CARRIED_FOR = 600  # seconds that a link which carries a seat holds
CARRYING = "carry"  # the cookie that shows such a link to who made it


async def my_tables(request: Request) -> list[TableLine]:
    """The reader's tables, those that changed last first."""
    place, who = place_of(request), reader(request)
    if not who.token:
        return []
    found = await place.hall.ask(lambda connection: rows.tables_of(connection, who.hashed, LISTED))
    return [await _line(place, row) for row in found]


async def _line(place: ServerState, row: Row) -> TableLine:
    seats = seats_of(json.loads(row["seats"]))
    minutes = int(max(0.0, place.hall.clock() - row["changed"]) // 60)
    return TableLine(row["table"], row["game"], tuple(seat.name for seat in seats), await _kind(place, row, seats),
                     minutes)  # fmt: skip


async def _kind(place: ServerState, row: Row, seats: tuple[Seat, ...]) -> str:
    """How a table stands for who sits there, see `TableLine`."""
    seat, acting = row["seat"], row["acting"]
    if row["state"] != PLAYING:
        return str(row["state"])
    if seats[seat].local:
        return "bot"
    if acting is None:  # stored by an older hexdeck
        try:
            acting = sum(1 << each for each in (await place.hall.table(row["table"])).acting)
        except HexdeckError:
            return ENDED
    return "mine" if any(acting >> each & 1 for each in group(seats, seat)) else "others"


async def tables(request: Request) -> Response:
    """The reader's tables."""
    return html(request, pages.tables(TablesPage(site(request), tuple(await my_tables(request)))))


# --- inviting ---------------------------------------------------------------------------------------------------------
async def invite(request: Request) -> Response:
    """The links to the free seats of a table, for those who sit there."""
    id = request.path_params["table"]
    await held_seat(request, id)
    shown = site(request)
    async with place_of(request).hall.reading(id) as table:
        links = list(invites(table, shown.base))
        if table.terms.watch == ANYONE:
            links.append(linked(f"{shown.base}/table/{id}", None))
        page = InvitePage(shown, id, table.game.name, tuple(links), not is_here(shown.base),
                          place_of(request).settings.lan)  # fmt: skip
    return html(request, pages.invite(page), secret=True)


async def invited_to(place: ServerState, token: str) -> tuple[LiveTable, int]:
    """The table and seat of an invitation; raises NoTable."""
    id, seat = invited(token)
    table = await place.hall.table(id)
    if seat >= table.game.players or not is_real(token, id, seat, table.invites, table.seats[seat].freed):
        raise unknown_invitation()
    return table, seat


async def join_page(request: Request) -> Response:
    """What an invitation leads to; looking at it takes nothing. Who sits at the table already is led to it."""
    place, token = place_of(request), request.path_params["token"]
    place.allow_take(request)
    found, seat = await invited_to(place, token)
    if await holder_of(request, found.id) >= 0:
        return go(request, f"/table/{found.id}")
    async with place.hall.reading(found.id) as table:
        lines, taken = presenters.lines(place, table), table.seats[seat].owner or table.state == OVER
        page = JoinPage(site(request, path="/", lang=table.terms.lang), token, table.game.name, lines, seat, taken,
                        table.commitment if table.state == WAITING else "")  # fmt: skip
    return html(request, pages.join(page), secret=True)


async def join(request: Request) -> Response:
    """Take a seat."""
    place, fields = place_of(request), await form(request)
    place.allow_take(request)
    table, seat = await invited_to(place, request.path_params["token"])
    token = await token_to_hold(request)
    if await place.hall.seat_of(table.id, hashed(token)) is not None:
        return go(request, f"/table/{table.id}")
    held = {"token": hashed(token), "table": table.id, "seat": seat}
    drafter = commands.sit(seat, first(fields, "name"), "", first(fields, "contribution"), place.hall.clock())
    try:
        await place.hall.change(table.id, drafter, held)
    except Stale:
        if await place.hall.seat_of(table.id, hashed(token)) is None:
            raise
        return go(request, f"/table/{table.id}")  # the same button, pressed twice
    place.hall.held(table.id, hashed(token), seat)
    return with_token(request, go(request, f"/table/{table.id}"), token)


# --- carrying a seat --------------------------------------------------------------------------------------------------
async def carry(request: Request) -> Response:
    """Make a link, good for one use, that gives another device the reader's seat; a page shows it."""
    place, id, token = place_of(request), request.path_params["table"], new_token()
    seat = await held_seat(request, id)
    row = {"token": hashed(token), "table": id, "seat": seat, "until": place.hall.clock() + CARRIED_FOR}
    await place.hall.ask(lambda connection: rows.carry(connection, row))
    answer = go(request, f"/table/{id}/carry")
    keep(request, answer, CARRYING, token, CARRIED_FOR)
    return answer


async def carried(request: Request) -> Response:
    """The link that was made on this device last, as long as it can be used."""
    place, id, token = place_of(request), request.path_params["table"], request.cookies.get(CARRYING, "")
    seat = await held_seat(request, id)
    found = await place.hall.ask(lambda connection: rows.carried(connection, hashed(token), place.hall.clock()))
    if found != (id, seat):
        raise no_carry()
    async with place.hall.reading(id) as table:
        shown = site(request, path=f"/table/{id}/carry", lang=table.terms.lang)
        link = linked(f"{shown.base}/carry/{token}", seat)
        return html(
            request, pages.carry(CarryPage(shown, table.game.name, table.seats[seat].name, id, link=link)), secret=True
        )


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
        return html(
            request, pages.carry(CarryPage(site(request, path="/"), table.game.name, name, token=token)), secret=True
        )


async def take_carried(request: Request) -> Response:
    """Have the seat on this device too."""
    place, token = place_of(request), request.path_params["token"]
    place.allow_take(request)
    mine = await token_to_hold(request)
    now = place.hall.clock()
    taken = await place.hall.ask(lambda connection: rows.take_carried(connection, hashed(token), hashed(mine), now))
    if taken is None:
        raise no_carry()
    place.hall.held(*(taken[0], hashed(mine), taken[1]))
    return with_token(request, go(request, f"/table/{taken[0]}"), mine)
