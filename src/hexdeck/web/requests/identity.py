"""Who asks through a browser: a cookie holds their token, and a token holds seats.

A *holder* is the seat whose token it is. Where several people share a device, the holder's token plays all their seats:
the *player* is the seat that has the device in hand now, and the *viewer* the seat whose cards it may show
(`tables/model/device.py`).
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from urllib.parse import unquote

from sqlalchemy import Connection
from starlette.requests import Request

from hexdeck.engine.text import say
from hexdeck.tables.errors import NotYours
from hexdeck.tables.keys import LONGEST_TOKEN, hashed
from hexdeck.tables.model import device
from hexdeck.tables.model.entries import ANYONE
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import cleaned_name
from hexdeck.tables.service.daily.deals import assert_unseen
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.puzzles.answers import has_answers
from hexdeck.web.html.page_models import PACES, THEMES
from hexdeck.web.requests.target import client_address, fresh_token, server_of, table_id

COOKIE = "hexdeck"
NAME = "name"  # the cookie that keeps the name that was chosen last
LONGEST_COOKIE = 400  # characters of a name, as a cookie has it
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep a cookie
SHORTEST_TOKEN = 20
USUAL_PACE = "normal"


@dataclass(frozen=True)
class Reader:
    """What the cookies say: the token, empty without one, the theme, the pace in which events are shown, and the name.

    `name`: which the reader chose last; empty without one.
    """

    token: str
    theme: str
    pace: str
    name: str = ""

    @property
    def hashed_token(self) -> str:
        """The token as the database stores it."""
        return hashed(self.token)


def reader(request: Request) -> Reader:
    """Who asks, by their cookies."""
    token = request.cookies.get(COOKIE, "")
    theme, pace = request.cookies.get("theme", ""), request.cookies.get("pace", "")
    is_token = SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN
    return Reader(
        token if is_token else "", theme if theme in THEMES else THEMES[0], pace if pace in PACES else USUAL_PACE,
        cleaned_name(unquote(request.cookies.get(NAME, "")[:LONGEST_COOKIE])),
    )  # fmt: skip


async def token_for_seat(request: Request) -> str:
    """The token that will hold a seat or answers to puzzles: the cookie's if it holds any already, else a new one.

    A token that this server didn't give out may be known to others, or guessed.
    """
    return await known_token(request) or fresh_token(request)


async def known_token(request: Request) -> str:
    """The cookie's token if it holds a seat, or answers to puzzles; else an empty string."""
    who = reader(request)

    def holds(connection: Connection) -> bool:
        return bool(rows.tables_of(connection, who.hashed_token, 1)) or has_answers(connection, who.hashed_token)

    if not who.token:
        return ""
    found = await server_of(request).registry.run_job(holds)
    return who.token if found else ""


# --- seats ------------------------------------------------------------------------------------------------------------
async def find_holder(request: Request, id: str) -> int:
    """The seat that the cookie's token holds at a table, or -1."""
    who = reader(request)
    found = await server_of(request).registry.seat_of(id, who.hashed_token) if who.token else None
    if found is None:
        return -1
    server_of(request).holder_asks(id, client_address(request))
    return found


async def require_holder(request: Request) -> int:
    """The seat that the cookie's token holds, whoever has the device in hand; raises NotYours for a spectator."""
    id = table_id(request)
    seat = await find_holder(request, id)
    if seat < 0:
        await server_of(request).registry.table(id)
        raise NotYours(say("You have no seat at this table."))
    return seat


async def require_player(request: Request) -> int:
    """The seat that plays on this device now; raises NotYours for a spectator, Stale while the device is covered."""
    table = await server_of(request).registry.table(table_id(request))
    return device.playing_seat(table, await require_holder(request))


# --- looking at a table -----------------------------------------------------------------------------------------------
@contextlib.asynccontextmanager
async def reading_as_holder(request: Request) -> AsyncIterator[tuple[LiveTable, int]]:
    """The table, locked, and the seat that the cookie's token holds (-1: none); raises NotYours if nobody may watch."""
    id, server = table_id(request), server_of(request)
    seat = await find_holder(request, id)
    async with server.registry.reading(id) as table:
        await assert_may_watch(request, table, seat)
        server.start_first_clock(table, seat, opened=table.asked)  # by its stream; without a script, when it is back
        table.asked = table.asked or seat >= 0
        yield table, seat


@contextlib.asynccontextmanager
async def reading_as_viewer(request: Request) -> AsyncIterator[tuple[LiveTable, int]]:
    """The table, locked, and the seat whose cards may be shown (-1: the public's); raises as `reading_as_holder`."""
    async with reading_as_holder(request) as (table, holder):
        yield table, device.viewing_seat(table, holder)


async def assert_may_watch(request: Request, table: LiveTable, seat: int) -> None:
    """Raise NotYours where a spectator (seat -1) may not watch, or could still be dealt the same cards today."""
    if seat >= 0:
        return
    if table.terms.watch != ANYONE:
        raise NotYours(say("Only players at this table can see it."))
    who = reader(request)
    await assert_unseen(server_of(request).registry, table, who.hashed_token if who.token else "")
