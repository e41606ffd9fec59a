"""What a request says: its server, table and seat, who sent it, and the form or JSON that came with it.

A browser's cookie, or a program's bearer token, holds seats. A *holder* is the seat whose token it is. Where several
people share a device, the holder's token plays all their seats: the *player* is the seat that has the device in hand
now, and the *viewer* the seat whose cards it may show (`tables/live.py`).
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, unquote

from sqlalchemy import Connection
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request

from hexdeck.engine.play.record import LIST, NAMED, WHOLE, WORDS
from hexdeck.engine.text import LANGUAGES, Text, say
from hexdeck.tables import rows
from hexdeck.tables.daily import assert_unseen
from hexdeck.tables.entries import ANYONE, cleaned_name
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.holders import has_answers
from hexdeck.tables.keys import LONGEST_TOKEN, hashed, holder_token, is_holder_token, new_token
from hexdeck.tables.live import LiveTable, playing_seat, viewing_seat
from hexdeck.web.html.models import PACES, THEMES, Site
from hexdeck.web.live.server_state import ServerState
from hexdeck.web.ops.middleware import address_of, host_of
from hexdeck.web.ops.settings import is_loopback


def server_of(request: Request) -> ServerState:
    """The server that received a request."""
    server: ServerState = request.app.state.server
    return server


def table_id(request: Request) -> str:
    """The id of the table in the request's path."""
    return str(request.path_params["table"])


def seat_number(request: Request) -> int:
    """The seat in the request's path."""
    return int(request.path_params["seat"])


def client_address(request: Request) -> str:
    """The network address that a request comes from; of IPv6 the network that is one visitor's."""
    return address_of(request.scope)


def now(request: Request) -> float:
    """The time by the server's clock, in seconds since 1970."""
    return server_of(request).registry.clock()


def fresh_token(request: Request) -> str:
    """A new token, for whoever asks."""
    return new_token(server_of(request).runtime.random)


def query_number(request: Request, name: str, highest: int, default: int) -> int:
    """A number of the query, at most `highest`; the default where there is none."""
    text = request.query_params.get(name, "")
    return min(int(text), highest) if text.isascii() and text.isdecimal() and len(text) < 8 else default


# --- seats in addresses -----------------------------------------------------------------------------------------------
SEAT = "{seat:seat}"


class SeatConvertor(Convertor[int]):
    """The converter of seat numbers; Python refuses to read a number of thousands of digits."""

    regex = "[0-9]{1,3}"

    def convert(self, value: str) -> int:
        """The number."""
        return int(value)

    def to_string(self, value: int) -> str:
        """The number as it stands in an address."""
        return str(value)


register_url_convertor("seat", SeatConvertor())


MOST_FIELDS = 100
REQUIRED: Any = object()
KINDS = {str: WORDS, int: WHOLE, bool: say("true or false"), dict: NAMED, list: LIST}
Fields = dict[str, list[str]]


class TooLong(TableError):
    """The body is longer than the server accepts."""

    status = 413


async def read_body(request: Request) -> bytes:
    """The body of a request; raises TooLong."""
    limit = server_of(request).settings.limits.body
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > limit:
            raise TooLong(say("That is too much: at most {bytes} bytes are accepted.", bytes=limit))
        parts.append(part)
    return b"".join(parts)


# --- forms ------------------------------------------------------------------------------------------------------------
async def read_form(request: Request) -> Fields:
    """The fields of a form, each with its values in order; raises TooLong or TableError."""
    try:
        text = (await read_body(request)).decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=False)
    except ValueError:
        raise TableError(say("This form can't be read.")) from None
    out: Fields = {}
    for name, value in pairs:
        out.setdefault(name, []).append(value.replace("\0", ""))
    return out


def first_value(fields: Fields, name: str) -> str:
    """The first value of a field, or an empty string."""
    return fields.get(name, [""])[0]


# --- JSON -------------------------------------------------------------------------------------------------------------
async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object that was sent, empty when the body is; raises TooLong or TableError."""
    raw = await read_body(request)
    try:
        data = json.loads(raw) if raw.strip() else {}
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair can't be stored
    except (ValueError, RecursionError):
        raise TableError(say("The body is not valid JSON.")) from None
    if not isinstance(data, dict):
        raise TableError(say("The body must be a JSON object."))
    return data


def json_value(data: dict[str, Any], name: str, kind: type, default: Any = REQUIRED) -> Any:
    """A value of a JSON object; raises TableError when it is missing or of another type."""
    value = data.get(name, default)
    if value is REQUIRED or (value is not default and type(value) is not kind):
        raise TableError(say("{name} is missing, or is not {kind}.", name=name, kind=KINDS[kind]))
    return value


# --- readers by their cookies -----------------------------------------------------------------------------------------
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
        token if is_token else "",
        theme if theme in THEMES else THEMES[0],
        pace if pace in PACES else USUAL_PACE,
        cleaned_name(unquote(request.cookies.get(NAME, "")[:LONGEST_COOKIE])),
    )


async def token_for_seat(request: Request) -> str:
    """The token that will hold a seat or answers to puzzles: the cookie's if this server gave it out, else a new one.

    Another token may be known to others, or guessed. Two forms that a browser sends at once get one token.
    """
    registry, visitor = server_of(request).registry, reader(request)
    if is_holder_token(visitor.token, registry.key):
        return visitor.token
    return await known_token(request) or holder_token(registry.key, registry.runtime.random)


async def known_token(request: Request) -> str:
    """The cookie's token if it holds a seat, or answers to puzzles; else an empty string."""
    visitor = reader(request)

    def holds(connection: Connection) -> bool:
        return bool(rows.tables_of(connection, visitor.hashed_token, 1)) or has_answers(
            connection, visitor.hashed_token
        )

    if not visitor.token:
        return ""
    is_known = await server_of(request).registry.run_job(holds)
    return visitor.token if is_known else ""


# --- seats ------------------------------------------------------------------------------------------------------------
async def find_holder(request: Request, id: str) -> int:
    """The seat that the cookie's token holds at a table, or -1."""
    visitor = reader(request)
    seat = await server_of(request).registry.seat_of(id, visitor.hashed_token) if visitor.token else None
    if seat is None:
        return -1
    server_of(request).holder_asks(id, client_address(request))
    return seat


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
    return playing_seat(table, await require_holder(request))


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
        yield table, viewing_seat(table, holder)


async def assert_may_watch(request: Request, table: LiveTable, seat: int) -> None:
    """Raise NotYours where a spectator (seat -1) may not watch, or could still be dealt the same cards today."""
    if seat >= 0:
        return
    if table.terms.watch != ANYONE:
        raise NotYours(say("Only players at this table can see it."))
    visitor = reader(request)
    await assert_unseen(server_of(request).registry, table, visitor.hashed_token if visitor.token else "")


# --- programs by their tokens -----------------------------------------------------------------------------------------
def bearer_token(request: Request) -> str:
    """The token of the Authorization header, or an empty string."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and len(token) <= LONGEST_TOKEN else ""


async def find_token_holder(request: Request, id: str) -> int:
    """The seat that the token holds at a table, or -1 without a token; raises NotYours if it holds no seat there."""
    token, registry = bearer_token(request), server_of(request).registry
    if not token:
        return -1
    seat = await registry.seat_of(id, hashed(token))
    if seat is None:
        await registry.table(id)
        raise NotYours(say("This token has no seat at this table."))
    server_of(request).holder_asks(id, client_address(request))
    return seat


async def require_token_player(request: Request) -> int:
    """The seat that the token plays now; raises NotYours without a seat, Stale while a shared device is covered."""
    id, registry = table_id(request), server_of(request).registry
    seat = await find_token_holder(request, id)
    if seat < 0:
        await registry.table(id)
        raise NotYours(say("Send the token of a seat: Authorization: Bearer TOKEN."))
    return playing_seat(await registry.table(id), seat)


# --- the site as a reader sees it -------------------------------------------------------------------------------------
MOST_LANGUAGES = 20  # of an Accept-Language header that are looked at


def language_of(request: Request, table: str = "") -> str:
    """The language of the cookie, else of the table, else the first the browser accepts, else the server's."""
    accepted = request.headers.get("accept-language", "").split(",")
    choices = [
        request.cookies.get("lang", ""),
        table,
        *(part.partition(";")[0].strip()[:2].lower() for part in accepted),
    ]
    return next((lang for lang in choices[:MOST_LANGUAGES] if lang in LANGUAGES), server_of(request).settings.lang)


def site_of(request: Request, notice: Text | None = None, path: str | None = None, lang: str = "") -> Site:
    """The site as this reader sees it; `lang` is a table's language, `path` this page's if not the request's."""
    location = request.url.path if path is None else path
    prefix = server_of(request).settings.prefix
    visitor, base = reader(request), site_address(request)
    is_named = host_of(request.headers) in server_of(request).settings.hosts
    own_base = base if is_named or base == lan_address(request) else ""
    open_workshop = server_of(request).settings.workshop
    return Site(
        language_of(request, lang), visitor.theme, prefix, location, notice, base, visitor.pace, own_base, open_workshop
    )


def lan_address(request: Request) -> str:
    """Where the site begins on the network, as the server itself says."""
    settings = server_of(request).settings
    return settings.lan_address + settings.prefix


def site_address(request: Request) -> str:
    """Where the site begins, as others on the network reach it."""
    settings = server_of(request).settings
    address = f"{request.url.scheme}://{request.headers.get('host', '')}"
    return (settings.lan_address if is_loopback(address) and settings.lan_address else address) + settings.prefix
