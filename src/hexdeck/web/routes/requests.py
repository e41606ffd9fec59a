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

import contextlib
import functools
import hashlib
import hmac
import json
import secrets
import struct
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import parse_qsl, quote, unquote

from sqlalchemy import Connection
from starlette import routing
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.errors import BrokenGame, GameIsOver, HexdeckError, IllegalMove, NotActing, UnknownGame
from hexdeck.engine.play.record import LIST, NAMED, WHOLE, WORDS
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, say
from hexdeck.tables import commands, rows
from hexdeck.tables.daily import assert_unseen
from hexdeck.tables.entries import ANYONE, GUEST
from hexdeck.tables.errors import NotYours, TableError
from hexdeck.tables.holders import has_answers
from hexdeck.tables.keys import LONGEST_TOKEN, hashed, holder_token, is_holder_token, new_token
from hexdeck.tables.live import Drafter, LiveTable, playing_seat, viewing_seat
from hexdeck.tables.player_names import cleaned_name
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.thinker import Recent
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.games import without_paths
from hexdeck.web.html.rendering import PACES, THEMES, Site
from hexdeck.web.routes import presenters
from hexdeck.web.server.middleware import SAFE, address_of, host_of, is_loopback, most_bytes
from hexdeck.web.server.state import ServerState, in_time

K = TypeVar("K")
T = TypeVar("T")
Answer = Response | dict[str, Any]  # a response, or what is answered as JSON
LONGEST_WAIT = 20.0  # seconds until an answer gives up on what takes long
SEAT = "{seat:seat}"  # in the address of a route
MOST_FIELDS = 100
REQUIRED: Any = object()
KINDS = {str: WORDS, int: WHOLE, bool: say("true or false"), dict: NAMED, list: LIST}
COOKIE, CARRYING, BUNDLE = "hexdeck", "carry", "bundle"  # a token, and links to take it along; see `own_cookie`
NAME = "name"  # the cookie that keeps the name that was chosen last
LONGEST_COOKIE = 400  # characters of a name, as a cookie has it
COOKIE_SECONDS = 400 * 24 * 3600  # the longest that browsers keep a cookie
SHORTEST_TOKEN = 20
USUAL_PACE = "normal"
MOST_LANGUAGES = 20  # of an Accept-Language header that are looked at
NO_STORE = {"cache-control": "no-store"}
NOTED = {403, 404, 429, 503}  # statuses of refusals that whoever keeps the server may want to know of
WITHOUT_TABLE = {403, 404, 410, 503}  # statuses of refusals for which the table can't be shown


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


class TooLong(TableError):
    """The body is longer than the server accepts."""

    status = 413


def whole_number(text: str, digits: int) -> int | None:
    """The number that a text of at most so many digits writes; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


class Fields(dict[str, list[str]]):
    """The fields of a form, each with its values in order."""

    def text(self, name: str, default: str | None = None) -> str:
        """The first value of a field; the default, or an empty string, where there is none."""
        return self.get(name, [default or ""])[0]

    def flag(self, name: str) -> bool:
        """Whether a field says yes."""
        return self.text(name) == "yes"

    @property
    def version(self) -> int:
        """The version of the table that the form was made at; raises TableError."""
        version = whole_number(self.text("version"), 9)
        if version is None:
            raise TableError(say("A move must say which version of the table it was made for."))
        return version


class JsonObject(dict[str, Any]):
    """A JSON object that a program sent."""

    def value(self, name: str, kind: type, default: Any = REQUIRED) -> Any:
        """A value; raises TableError when it is missing or of another type."""
        value = self.get(name, default)
        if value is REQUIRED or (value is not default and type(value) is not kind):
            raise TableError(say("{name} is missing, or is not {kind}.", name=name, kind=KINDS[kind]))
        return value

    def text(self, name: str, default: str | None = None) -> str:
        """A text; raises TableError where it is missing and has no default."""
        return str(self.value(name, str, REQUIRED if default is None else default))

    def flag(self, name: str) -> bool:
        """True or false; raises TableError."""
        return bool(self.value(name, bool))

    @property
    def version(self) -> int:
        """The version of the table that was seen; raises TableError."""
        return int(self.value("version", int))


@dataclass(frozen=True)
class Reader:
    """What the cookies say: the token, empty without one, the theme, the pace in which events are shown, and the name.

    `name`: which the reader chose last; empty without one. `remarks`: whether bots' are shown.
    """

    token: str
    theme: str
    pace: str
    name: str = ""
    remarks: bool = True

    @property
    def hashed_token(self) -> str:
        """The token as the database stores it, empty without one."""
        return self.token and hashed(self.token)


class SiteRequest(Request):
    """A request to this site, by a browser or a program."""

    @property
    def server(self) -> ServerState:
        """The server that received it."""
        server: ServerState = self.app.state.server
        return server

    @property
    def registry(self) -> TableRegistry:
        """The server's tables."""
        return self.server.registry

    @property
    def table_id(self) -> str:
        """The id of the table in its path."""
        return str(self.path_params["table"])

    @property
    def seat_number(self) -> int:
        """The seat in its path."""
        return int(self.path_params["seat"])

    @property
    def address(self) -> str:
        """The network address that it comes from; of IPv6 the network that is one visitor's."""
        return address_of(self.scope)

    @property
    def now(self) -> float:
        """The time by the server's clock, in seconds since 1970."""
        return self.registry.clock()

    @property
    def is_script(self) -> bool:
        """Whether a script of ours asks, and wants no page."""
        return self.headers.get("hexdeck") == "1"

    @property
    def is_api(self) -> bool:
        """Whether a program asks, by the API."""
        return self.url.path.startswith("/api/")

    def fresh_token(self) -> str:
        """A new token, for the caller."""
        return new_token(self.server.runtime.random)

    async def long_work(self, job: Callable[[], T], table: str = "") -> T:
        """What comes of a job that takes long, when it is the visitor's turn; raises TooMany, or Unavailable."""
        return await in_time(self.server.hints.thinker.ask(job, self.address, table), LONGEST_WAIT)

    async def made_once(self, cache: Recent[K, T], key: K, make: Callable[[], T], table: str = "") -> T:
        """What is kept under a key; where nothing is, it is made as `long_work`."""
        cache[key] = cache[key] if key in cache else await self.long_work(make, table)
        return cache[key]

    def query_number(self, name: str, highest: int, default: int) -> int:
        """A number of the query, at most `highest`; the default where there is none."""
        number = whole_number(self.query_params.get(name, ""), 7)
        return default if number is None else min(number, highest)

    # --- what was sent ------------------------------------------------------------------------------------------------
    async def read_body(self) -> bytes:
        """The body; raises TooLong."""
        limit = most_bytes(self.server.settings.limits, self.scope["path"])
        parts, length = [], 0
        async for part in self.stream():
            length += len(part)
            if length > limit:
                raise TooLong(say("That is too much: at most {bytes} bytes are accepted.", bytes=limit))
            parts.append(part)
        return b"".join(parts)

    async def read_form(self) -> Fields:
        """The fields of a form, see `read_body`; raises TooLong or TableError."""
        try:
            text = (await self.read_body()).decode("utf-8")
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=False)
        except ValueError:
            raise TableError(say("This form can't be read.")) from None
        out = Fields()
        for name, value in pairs:
            out.setdefault(name, []).append(value.replace("\0", ""))
        return out

    async def read_json(self) -> JsonObject:
        """The JSON object that was sent, empty when the body is; raises TooLong or TableError."""
        raw = await self.read_body()
        try:
            data = json.loads(raw) if raw.strip() else {}
            json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair can't be stored
        except (ValueError, RecursionError):
            raise TableError(say("The body is not valid JSON.")) from None
        if not isinstance(data, dict):
            raise TableError(say("The body must be a JSON object."))
        return JsonObject(data)

    async def read_fields(self) -> Fields | JsonObject:
        """What a browser's form says, or a program's JSON."""
        return await self.read_json() if self.is_api else await self.read_form()

    # --- readers by their cookies -------------------------------------------------------------------------------------
    def own_cookie(self, name: str) -> str:
        """The name of a cookie that holds a secret: another for each database.

        Browsers send a cookie to all servers of a host, whatever their ports.
        """
        return f"{name}-{hmac.new(self.registry.key, b'cookies', hashlib.sha256).hexdigest()[:8]}"

    @functools.cached_property
    def reader(self) -> Reader:
        """Who asks, by their cookies."""
        token = self.cookies.get(self.own_cookie(COOKIE), "")
        theme, pace = self.cookies.get("theme", ""), self.cookies.get("pace", "")
        return Reader(
            token if SHORTEST_TOKEN <= len(token) <= LONGEST_TOKEN else "",
            theme if theme in THEMES else THEMES[0],
            pace if pace in PACES else USUAL_PACE,
            cleaned_name(unquote(self.cookies.get(NAME, "")[:LONGEST_COOKIE])),
            self.cookies.get("remarks") != "off",
        )

    async def token_for_seat(self) -> str:
        """The token that will hold a seat or answers to puzzles: the cookie's if this server gave it, else a new one.

        Another token may be known to others, or guessed. A browser has got one with the page that holds the form:
        raises NotYours where it keeps none.
        """
        token, key = self.reader.token, self.registry.key
        if not token and "text/html" in self.headers.get("accept", ""):
            raise NotYours(
                say(
                    "Your browser keeps no cookies of this site, and can't hold a seat without one. Allow cookies for "
                    "this address, load the page again, and try once more."
                )
            )
        if is_holder_token(token, key):
            return token
        return await self.known_token() or holder_token(key, self.server.runtime.random)

    async def known_token(self) -> str:
        """The cookie's token if it holds a seat, or answers to puzzles; else an empty string."""
        token = self.reader.hashed_token

        def holds(connection: Connection) -> bool:
            return bool(rows.tables_of(connection, token, 1)) or has_answers(connection, token)

        is_known = bool(token) and await self.registry.run_job(holds)
        return self.reader.token if is_known else ""

    # --- seats --------------------------------------------------------------------------------------------------------
    @property
    def bearer_token(self) -> str:
        """The token of the Authorization header, or an empty string."""
        scheme, _, token = self.headers.get("authorization", "").partition(" ")
        return token.strip() if scheme.lower() == "bearer" and len(token) <= LONGEST_TOKEN else ""

    async def find_holder(self, id: str) -> int:
        """The seat at a table of the cookie's token, or of a program's; -1 for none.

        Raises NotYours where a program sends a token without a seat there.
        """
        token = self.bearer_token if self.is_api else self.reader.token
        seat = await self.registry.seat_of(id, hashed(token)) if token else None
        if seat is not None:
            self.server.holder_asks(id, self.address)
        elif token and self.is_api:
            await self.registry.table(id)
            raise NotYours(say("This token has no seat at this table."))
        return -1 if seat is None else seat

    async def require_holder(self) -> int:
        """The seat that the token holds, whoever has the device in hand; raises NotYours for a spectator."""
        seat = await self.find_holder(self.table_id)
        if seat < 0:
            await self.registry.table(self.table_id)
            hint = say("Send the token of a seat: Authorization: Bearer TOKEN.")
            raise NotYours(hint if self.is_api else say("You have no seat at this table."))
        return seat

    async def require_player(self) -> int:
        """The seat that plays on this device now; raises NotYours for a spectator, Stale while it is covered."""
        table = await self.registry.table(self.table_id)
        return playing_seat(table, await self.require_holder())

    @contextlib.asynccontextmanager
    async def reading_as_holder(self) -> AsyncIterator[tuple[LiveTable, int]]:
        """The table, locked, and the seat of the token (-1: none); raises NotYours if nobody may watch."""
        seat = await self.find_holder(self.table_id)
        async with self.registry.reading(self.table_id) as table:
            await self.assert_may_watch(table, seat)
            if not self.is_api:  # a page is open by its stream; without a script, when it is back
                self.server.start_first_clock(table, seat, opened=table.asked)
                table.asked = table.asked or seat >= 0
            yield table, seat

    @contextlib.asynccontextmanager
    async def reading_as_viewer(self) -> AsyncIterator[tuple[LiveTable, int]]:
        """The table, locked, and the seat whose cards may be shown (-1: the public's); raises NotYours."""
        async with self.reading_as_holder() as (table, holder):
            yield table, viewing_seat(table, holder)

    async def assert_may_watch(self, table: LiveTable, seat: int) -> None:
        """Raise NotYours where a spectator (seat -1) may not watch, or could still be dealt the same cards today."""
        if seat >= 0:
            return
        if table.terms.watch != ANYONE:
            raise NotYours(
                say("Only players at this table can see it. To play, open your invitation, or join with its code.")
            )
        await assert_unseen(self.registry, table, self.reader.hashed_token)

    # --- the site as a reader sees it ---------------------------------------------------------------------------------
    def language(self, table: str = "") -> str:
        """The language of the cookie, else of the table, else the first the browser accepts, else the server's."""
        accepted = self.headers.get("accept-language", "").split(",")
        tags = (part.partition(";")[0].strip()[:2].lower() for part in accepted)
        choices = [self.cookies.get("lang", ""), table, *tags]
        return next((lang for lang in choices[:MOST_LANGUAGES] if lang in LANGUAGES), self.server.settings.lang)

    def site(self, notice: Text | None = None, path: str | None = None, lang: str = "") -> Site:
        """The site as this reader sees it; `lang` is a table's language, `path` this page's if not the request's."""
        settings, base = self.server.settings, self.site_address
        is_own = host_of(self.headers) in settings.hosts or base == self.lan_address
        return Site(
            self.language(lang),
            self.reader.theme,
            settings.prefix,
            self.url.path if path is None else path,
            notice,
            base,
            self.reader.pace,
            base if is_own else "",
            settings.workshop,
            self.reader.remarks,
        )

    def table_site(self, table: LiveTable, page: str = "", notice: Text | None = None) -> Site:
        """The site of a page of a table, in its language; `page`: such as `/fair`."""
        return self.site(notice, f"/table/{table.id}{page}", table.terms.lang)

    @property
    def lan_address(self) -> str:
        """Where the site begins on the network, as the server itself says."""
        return self.server.settings.lan_address + self.server.settings.prefix

    @property
    def site_address(self) -> str:
        """Where the site begins, as others on the network reach it."""
        settings = self.server.settings
        address = f"{self.url.scheme}://{self.headers.get('host', '')}"
        return (settings.lan_address if is_loopback(address) and settings.lan_address else address) + settings.prefix

    def catalogue(self, table: LiveTable | None = None) -> Catalogue:
        """The catalogue of the reader's language; at a table with its game's messages and its players' names."""
        if table is None:
            return Catalogue(self.language(), (SHARED,))
        return game_words(table.game.name, self.language(table.terms.lang), table.names)

    def guest_name(self, lang: str = "") -> str:
        """What a player without a name is called, in their language; `lang`: the table's."""
        return Catalogue(self.language(lang), (SHARED,)).words(say(GUEST))

    # --- answers ------------------------------------------------------------------------------------------------------
    def html_response(self, text: str, status: int = 200, *, secret: bool = False, seats: bool = False) -> Response:
        """A page for one reader, not to be cached; gzipped unless it is `secret`: its links hold tokens then.

        `seats`: its form takes a seat, or answers a puzzle. A browser without a token gets one with it, for as long as
        it is open, so that all its tabs send the same.
        """
        plain = text.encode()
        safe = self.method in SAFE and not secret and len(plain) >= LEAST
        if safe and accepts_gzip(self.headers.get("accept-encoding", "")):
            headers = {**NO_STORE, "content-encoding": "gzip", "vary": "accept-encoding"}
            answer = HTMLResponse(padded_gzip(plain), status, headers)
        else:
            answer = HTMLResponse(plain, status, NO_STORE)
        if seats and not self.reader.token:
            token = holder_token(self.registry.key, self.server.runtime.random)
            self.set_cookie(answer, self.own_cookie(COOKIE), token, None)
        return answer

    def table_response(self, table: LiveTable, holder: int, notice: Text | None = None, status: int = 200) -> Response:
        """The page of a table as the holder of a seat sees it; `notice` is shown above it."""
        page = presenters.table_page(self.server, self.table_site(table, notice=notice), table, holder)
        html = table_page.table(page, still="still" in self.query_params)
        return self.html_response(html, status, secret=bool(page.invites))

    def redirect(self, path: str, status: int = 303) -> Response:
        """On to another page of the site; a script is told only that it is done."""
        if self.is_script:
            return Response(status_code=204)
        return RedirectResponse(self.server.settings.prefix + path, status, NO_STORE)

    def back_to_table(self) -> Response:
        """Back to the table after something was done there."""
        return self.redirect(f"/table/{self.table_id}")

    async def table_data(self, id: str, seat: int, *, invites: bool = False) -> dict[str, Any]:
        """A table as it is now, for a program; `invites`: with the invitations to its free seats."""
        async with self.registry.reading(id) as table:
            links = {"invitations": {str(free): link for free, link in commands.invitations(table).items()}}
            return presenters.table_data(table, seat) | (links if invites else {})

    async def changed_table(self, seat: int, *, invites: bool = False) -> Response:
        """After a change: a browser goes back to the table, a program gets it as its seat knows it now."""
        if self.is_api:
            return json_response(await self.table_data(self.table_id, seat, invites=invites))
        return self.back_to_table()

    async def change_table(self, draft: Drafter, seat: int, *, invites: bool = False) -> Response:
        """A seat changes the table of the path."""
        await self.registry.change(self.table_id, draft)
        return await self.changed_table(seat, invites=invites)

    def set_cookie(self, answer: Response, name: str, value: str, seconds: int | None = COOKIE_SECONDS) -> None:
        """Set a cookie that scripts can't read and other sites don't send; for None it goes with the browser's end."""
        path, secure = self.server.settings.prefix or "/", self.url.scheme == "https"
        answer.set_cookie(name, value, seconds, path=path, secure=secure, httponly=True, samesite="lax")

    def with_token_cookie(self, answer: Response, token: str) -> Response:
        """The answer, with the cookie that makes its reader the holder of the token's seats."""
        self.set_cookie(answer, self.own_cookie(COOKIE), token)
        return answer

    def with_name_cookie(self, answer: Response, name: str) -> Response:
        """The answer, with the cookie that keeps a name for the next table; without a name as it is."""
        if cleaned := cleaned_name(name):
            self.set_cookie(answer, NAME, quote(cleaned))
        return answer

    def error_response(self, status: int, text: Text) -> Response:
        """A refusal: JSON for programs and scripts, else a page."""
        if self.is_api or self.is_script:
            return json_response({"error": self.catalogue().words(text)}, status)
        table = str(self.path_params.get("table", ""))
        problem = "" if status < 500 else f"/table/{table}/problem" if table else "/problem"
        site = self.site(path="/")  # a refused address may hold a secret, so nothing leads back to it
        if self.url.path.startswith(("/workshop", "/shared")):  # it is in English alone
            site = replace(site, lang="en")
        return self.html_response(pages.page("error.html", site, status=status, text=text, problem=problem), status)


class Page(routing.Route):
    """A route whose handler is given a `SiteRequest`; it may give data, which is answered as JSON."""

    def __init__(
        self, path: str, handler: Callable[[SiteRequest], Awaitable[Any]], method: str = "GET", name: str | None = None
    ) -> None:
        @functools.wraps(handler)
        async def endpoint(request: Request) -> Any:
            asked = SiteRequest(request.scope, request.receive)
            async with asked.server.streams.turns.turn(asked.address):
                answer = await handler(asked)
            return json_response(answer) if isinstance(answer, dict) else answer

        super().__init__(path, endpoint, methods=[method], name=name)


def json_response(data: Any, status: int = 200) -> Response:
    """Data as JSON, not to be cached; sentences, and whatever else has data, as that."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=lambda value: value.data())
    return Response(text, status, NO_STORE, "application/json")


# --- refusals ---------------------------------------------------------------------------------------------------------
def error_response(request: Request, status: int, text: Text) -> Response:
    """The refusal of a request that no route has been given."""
    return SiteRequest(request.scope).error_response(status, text)


async def on_refusal(plain: Request, error: Exception) -> Response:
    """The exception handler for HexdeckError: at a table the answer is the table, with the refusal above it.

    What may be an attempt at something, or a limit, is noted for the log.
    """
    assert isinstance(error, HexdeckError)
    request = SiteRequest(plain.scope)
    if isinstance(error, TableError) and error.status in NOTED:
        request.server.refusals.note(error.text.key, request.address)
    status, details = 404 if isinstance(error, UnknownGame) else 400, dict[str, Any]()
    if isinstance(error, TableError):
        status = error.status
    elif isinstance(error, (NotActing, GameIsOver)):
        status = 409
    if isinstance(error, BrokenGame):
        return request.error_response(status, without_paths(error.text))
    if isinstance(error, IllegalMove):
        details = {"rule": error.rule, "legal": list(error.legal)}
    at_table = bool(request.path_params.get("table"))
    if not at_table or (isinstance(error, TableError) and error.status in WITHOUT_TABLE):
        return request.error_response(status, error.text)
    try:
        async with request.reading_as_holder() as (table, holder):
            if request.is_api or request.is_script:
                sentence = request.catalogue(table).words(error.text)
                return json_response({"error": sentence, **details}, status)
            return request.table_response(table, holder, error.text, status)
    except HexdeckError:
        return request.error_response(status, error.text)


async def on_http_error(request: Request, error: Exception) -> Response:
    """The exception handler for what the router raises: an unknown address, or another method than is allowed."""
    status = getattr(error, "status_code", 404)
    text = say("There is no such page.") if status == 404 else say("That can't be done here.")
    answer = error_response(request, status, text)
    answer.headers.update(getattr(error, "headers", None) or {})
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
    """Data in gzip, padded to a blurred multiple of `STEP` by the file name in its header."""
    blur = int.from_bytes(hashlib.blake2b(plain, key=KEY, digest_size=4).digest(), "big") % STEP
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = packer.compress(plain) + packer.flush() + struct.pack("<II", zlib.crc32(plain), len(plain) & 0xFFFFFFFF)
    bare = len(HEAD) + 1 + len(body) + blur
    return HEAD + b"x" * (blur + -bare % STEP) + b"\0" + body
