"""What a request says, and answers to it: table and seat, who sent it, its form or JSON; pages, redirects, refusals.

A browser's cookie, or a program's bearer token, holds seats. A *holder* is the seat whose token it is. Where several
people share a device, the holder's token plays all their seats: the *player* is the seat that has the device in hand
now, and the *viewer* the seat whose cards it may show (`tables/live.py`).

Pages are gzipped without giving their secrets away by their lengths. A reader of the lengths of gzipped answers, who
can put words of their own into them, learns bit by bit what else is in them (an attack known as BREACH). So nothing
that holds a token is gzipped (see `html_response`): invitations, carried seats, answers to forms, all of the API. A
seat's page holds its cards beside names that others typed, so its length is blurred: a keyed digest of the page adds up
to 511 bytes, the same for the same page, so that nothing is gained by asking again, and the sum is rounded up. Streams
are not gzipped: each frame is sent at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import secrets
import struct
import zlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote

from sqlalchemy import Connection
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.errors import BrokenGame, GameIsOver, HexdeckError, IllegalMove, NotActing, UnknownGame
from hexdeck.engine.play.record import LIST, NAMED, WHOLE, WORDS
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, say
from hexdeck.tables import rows
from hexdeck.tables.daily import assert_unseen
from hexdeck.tables.entries import ANYONE, GUEST
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.holders import has_answers
from hexdeck.tables.keys import LONGEST_TOKEN, hashed, holder_token, is_holder_token, new_token
from hexdeck.tables.live import Drafter, LiveTable, playing_seat, viewing_seat
from hexdeck.tables.names import cleaned_name
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.games import without_paths
from hexdeck.web.html.models import PACES, THEMES, Site
from hexdeck.web.routes import presenters
from hexdeck.web.server.middleware import SAFE, address_of, host_of, is_loopback
from hexdeck.web.server.state import ServerState, in_time

T = TypeVar("T")
LONGEST_WAIT = 20.0  # seconds until an answer gives up on what takes long


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


async def long_work(request: Request, job: Callable[[], T], table: str = "") -> T:
    """What comes of a job that takes long, when it is the visitor's turn; raises TooMany, or Unavailable."""
    thinker = server_of(request).hints.thinker
    return await in_time(thinker.ask(job, client_address(request), table), LONGEST_WAIT)


def query_number(request: Request, name: str, highest: int, default: int) -> int:
    """A number of the query, at most `highest`; the default where there is none."""
    number = whole_number(request.query_params.get(name, ""), 7)
    return default if number is None else min(number, highest)


def whole_number(text: str, digits: int) -> int | None:
    """The number that a text of at most so many digits writes; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


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
COOKIE, CARRYING, BUNDLE = "hexdeck", "carry", "bundle"  # a token, and links to take it along; see `own_cookie`
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


def own_cookie(request: Request, name: str) -> str:
    """The name of a cookie that holds a secret: another for each database.

    Browsers send a cookie to all servers of a host, whatever their ports.
    """
    mark = hmac.new(server_of(request).registry.key, b"cookies", hashlib.sha256).hexdigest()[:8]
    return f"{name}-{mark}"


def reader(request: Request) -> Reader:
    """Who asks, by their cookies."""
    token = request.cookies.get(own_cookie(request, COOKIE), "")
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

    Another token may be known to others, or guessed. A browser has got one with the page that holds the form: raises
    NotYours where it keeps none.
    """
    registry, visitor = server_of(request).registry, reader(request)
    if not visitor.token and "text/html" in request.headers.get("accept", ""):
        raise NotYours(
            say(
                "Your browser keeps no cookies of this site, and can't hold a seat without one. Allow cookies for this "
                "address, load the page again, and try once more."
            )
        )
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
    async with server.registry.reading(id, newest=True) as table:
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
        raise NotYours(
            say("Only players at this table can see it. To play, open your invitation, or join with its code.")
        )
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


NO_STORE = {"cache-control": "no-store"}
NOTED = {403, 404, 429, 503}  # statuses of refusals that whoever keeps the server may want to know of
WITHOUT_TABLE = {403, 404, 410, 503}  # statuses of refusals for which the table can't be shown


# --- what was asked for -----------------------------------------------------------------------------------------------
def is_script(request: Request) -> bool:
    """Whether a script of ours asks, and wants no page."""
    return request.headers.get("hexdeck") == "1"


def is_api(request: Request) -> bool:
    """Whether a program asks, by the API."""
    return request.url.path.startswith("/api/")


def catalogue(request: Request, table: LiveTable | None = None) -> Catalogue:
    """The catalogue of the reader's language; at a table with its game's messages and its players' names."""
    if table is None:
        return Catalogue(language_of(request), (SHARED,))
    return game_words(table.game.name, language_of(request, table.terms.lang), table.names)


# --- pages ------------------------------------------------------------------------------------------------------------
def html_response(
    request: Request, text: str, status: int = 200, *, secret: bool = False, seats: bool = False
) -> Response:
    """A page for one reader, not to be cached; gzipped unless it is `secret`: its links hold tokens then.

    `seats`: its form takes a seat, or answers a puzzle. A browser without a token gets one with it, for as long as it
    is open, so that all its tabs send the same.
    """
    plain = text.encode()
    safe = request.method in SAFE and not secret and len(plain) >= LEAST
    if safe and accepts_gzip(request.headers.get("accept-encoding", "")):
        headers = {**NO_STORE, "content-encoding": "gzip", "vary": "accept-encoding"}
        answer = HTMLResponse(padded_gzip(plain), status, headers)
    else:
        answer = HTMLResponse(plain, status, NO_STORE)
    if seats and not reader(request).token:
        registry = server_of(request).registry
        set_cookie(
            request, answer, own_cookie(request, COOKIE), holder_token(registry.key, registry.runtime.random), None
        )
    return answer


def table_response(
    request: Request, table: LiveTable, holder: int, notice: Text | None = None, status: int = 200
) -> Response:
    """The page of a table as the holder of a seat sees it; `notice` is shown above it."""
    site = site_of(request, notice, f"/table/{table.id}", table.terms.lang)
    page = presenters.table_page(server_of(request), site, table, holder)
    still = "still" in request.query_params
    return html_response(request, table_page.table(page, still=still), status, secret=bool(page.invites))


def redirect(request: Request, path: str, status: int = 303) -> Response:
    """On to another page of the site; a script is told only that it is done."""
    if is_script(request):
        return Response(status_code=204)
    return RedirectResponse(server_of(request).settings.prefix + path, status, NO_STORE)


def back_to_table(request: Request) -> Response:
    """Back to the table after something was done there."""
    return redirect(request, f"/table/{table_id(request)}")


async def change_table(request: Request, draft: Drafter) -> Response:
    """Change the table that a form was about, and go back to it."""
    await server_of(request).registry.change(table_id(request), draft)
    return back_to_table(request)


# --- cookies ----------------------------------------------------------------------------------------------------------
def with_token_cookie(request: Request, answer: Response, token: str) -> Response:
    """The answer, with the cookie that makes its reader the holder of the token's seats."""
    set_cookie(request, answer, own_cookie(request, COOKIE), token)
    return answer


def set_cookie(request: Request, answer: Response, name: str, value: str, seconds: int | None = COOKIE_SECONDS) -> None:
    """Set a cookie that scripts can't read and other sites don't send; for None it goes when the browser is closed."""
    path = server_of(request).settings.prefix or "/"
    answer.set_cookie(
        name, value, max_age=seconds, path=path, secure=request.url.scheme == "https", httponly=True, samesite="lax"
    )


def with_name_cookie(request: Request, answer: Response, name: str) -> Response:
    """The answer, with the cookie that keeps a name for the next table; without a name as it is."""
    if cleaned := cleaned_name(name):
        set_cookie(request, answer, NAME, quote(cleaned))
    return answer


def guest_name(request: Request, lang: str = "") -> str:
    """What somebody without a name is called, in their language; `lang`: the table's."""
    return Catalogue(language_of(request, lang), (SHARED,)).words(say(GUEST))


# --- refusals ---------------------------------------------------------------------------------------------------------
def error_response(request: Request, status: int, text: Text) -> Response:
    """A refusal: JSON for programs and scripts, else a page."""
    if is_api(request) or is_script(request):
        return JSONResponse({"error": catalogue(request).words(text)}, status, NO_STORE)
    table = str(request.path_params.get("table", ""))
    report = "" if status < 500 else f"/table/{table}/report" if table else "/report"
    site = site_of(request, path="/")  # a refused address may hold a secret, so nothing leads back to it
    html = pages.page("error.html", site, status=status, text=text, report=report)
    return html_response(request, html, status)


async def on_refusal(request: Request, error: Exception) -> Response:
    """The exception handler for HexdeckError: at a table the answer is the table, with the refusal above it.

    What may be an attempt at something, or a limit, is noted for the log.
    """
    assert isinstance(error, HexdeckError)
    if isinstance(error, TableError) and error.status in NOTED:
        server_of(request).refusals.note(error.text.key, client_address(request))
    status, details = 404 if isinstance(error, UnknownGame) else 400, dict[str, Any]()
    if isinstance(error, TableError):
        status = error.status
    elif isinstance(error, (NotActing, GameIsOver)):
        status = 409
    if isinstance(error, BrokenGame):
        return error_response(request, status, without_paths(error.text))
    if isinstance(error, IllegalMove):
        details = {"rule": error.rule, "legal": list(error.legal)}
    at_table = bool(request.path_params.get("table"))
    if not at_table or (isinstance(error, TableError) and error.status in WITHOUT_TABLE):
        return error_response(request, status, error.text)
    try:
        async with reading_as_holder(request) as (table, holder):
            if is_api(request) or is_script(request):
                sentence = catalogue(request, table).words(error.text)
                return JSONResponse({"error": sentence, **details}, status, NO_STORE)
            return table_response(request, table, holder, error.text, status)
    except HexdeckError:
        return error_response(request, status, error.text)


async def on_http_error(request: Request, error: Exception) -> Response:
    """The exception handler for what the router raises: an unknown address, or another method than is allowed."""
    status = getattr(error, "status_code", 404)
    text = say("There is no such page.") if status == 404 else say("That can't be done here.")
    answer = error_response(request, status, text)
    for name, value in (getattr(error, "headers", None) or {}).items():
        answer.headers[name] = value
    return answer


# --- compression ------------------------------------------------------------------------------------------------------
KEY = secrets.token_bytes(32)
LEAST = 1400  # bytes: what is shorter fits into one packet anyway
STEP = 512  # lengths are multiples of it
LEVEL = 5
HEAD = bytes((0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 255))  # gzip, deflated, with a name, no time, no system


def accepts_gzip(encodings: str) -> bool:
    """Whether an Accept-Encoding header accepts gzip."""
    for part in encodings.lower().split(","):
        coding, _, weight = part.replace(" ", "").partition(";")
        if coding in {"gzip", "*"}:
            return weight not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def padded_gzip(plain: bytes) -> bytes:
    """The same in gzip, padded to a blurred multiple of `STEP` by the file name in its header."""
    blur = int.from_bytes(hashlib.blake2b(plain, key=KEY, digest_size=4).digest(), "big") % STEP
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(plain) + packer.flush() + struct.pack("<II", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    bare = len(HEAD) + 1 + len(body) + blur
    return HEAD + b"x" * (blur + -bare % STEP) + b"\0" + body
