"""Who asks through the API: a token in the Authorization header, in place of a browser's cookie."""

from __future__ import annotations

from starlette.requests import Request

from hexdeck.engine.text import say
from hexdeck.tables.errors import NotYours
from hexdeck.tables.keys import LONGEST_TOKEN, hashed
from hexdeck.tables.model import device
from hexdeck.web.requests.target import client_address, server_of, table_id


def bearer_token(request: Request) -> str:
    """The token of the Authorization header, or an empty string."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and len(given) <= LONGEST_TOKEN else ""


async def find_holder(request: Request, id: str) -> int:
    """The seat that the token holds at a table, or -1 without a token; raises NotYours if it holds no seat there."""
    token, registry = bearer_token(request), server_of(request).registry
    if not token:
        return -1
    found = await registry.seat_of(id, hashed(token))
    if found is None:
        await registry.table(id)
        raise NotYours(say("This token has no seat at this table."))
    server_of(request).holder_asks(id, client_address(request))
    return found


async def require_player(request: Request) -> int:
    """The seat that the token plays now; raises NotYours without a seat, Stale while a shared device is covered."""
    id, registry = table_id(request), server_of(request).registry
    seat = await find_holder(request, id)
    if seat < 0:
        await registry.table(id)
        raise NotYours(say("Send the token of a seat: Authorization: Bearer TOKEN."))
    return device.playing_seat(await registry.table(id), seat)
