"""Answers to requests: pages, redirects, and refusals as pages or as JSON.

Pages are gzipped without giving their secrets away by their lengths. A reader of the lengths of gzipped answers, who
can put words of their own into them, learns bit by bit what else is in them (an attack known as BREACH). So nothing
that holds a token is gzipped (see `html_response`): invitations, carried seats, answers to forms, all of the API. A
seat's page holds its cards beside names that others typed, so its length is blurred: a keyed digest of the page adds up
to 511 bytes, the same for the same page, so that nothing is gained by asking again, and the sum is rounded up. Streams
are not gzipped: each frame is sent at once.
"""

from __future__ import annotations

import hashlib
import secrets
import struct
import zlib
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.errors import BrokenGame, GameIsOver, HexdeckError, IllegalMove, NotActing, UnknownGame
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.tables.entries import GUEST, cleaned_name
from hexdeck.tables.errors import TableError
from hexdeck.tables.live import Drafter, LiveTable
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.games import without_paths
from hexdeck.web.html.models import ErrorPage, Site
from hexdeck.web.ops.middleware import SAFE
from hexdeck.web.requests import (
    COOKIE,
    COOKIE_SECONDS,
    NAME,
    client_address,
    language_of,
    reading_as_holder,
    server_of,
    site_of,
    table_id,
)
from hexdeck.web.routes import presenters

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
def html_response(request: Request, text: str, status: int = 200, *, secret: bool = False) -> Response:
    """A page for one reader, not to be cached; gzipped unless it is `secret`: its links hold tokens then."""
    plain = text.encode()
    safe = request.method in SAFE and not secret and len(plain) >= LEAST
    if not safe or not accepts_gzip(request.headers.get("accept-encoding", "")):
        return HTMLResponse(plain, status, NO_STORE)
    headers = {**NO_STORE, "content-encoding": "gzip", "vary": "accept-encoding"}
    return HTMLResponse(padded_gzip(plain), status, headers)


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
    set_cookie(request, answer, COOKIE, token)
    return answer


def set_cookie(request: Request, answer: Response, name: str, value: str, seconds: int = COOKIE_SECONDS) -> None:
    """Set a cookie that scripts can't read and other sites don't send."""
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
    return html_response(
        request, pages.error(ErrorPage(start_site(request), status, text, report_at(request, status))), status
    )


def report_at(request: Request, status: int) -> str:
    """Where a report is made of a fault of ours; empty where nothing broke."""
    table = str(request.path_params.get("table", ""))
    return "" if status < 500 else f"/table/{table}/report" if table else "/report"


def start_site(request: Request) -> Site:
    """The site with the start page as its path: a refused address may hold a secret, so nothing leads back to it."""
    return site_of(request, path="/")


def status_of(error: HexdeckError) -> int:
    """The HTTP status of a refusal."""
    if isinstance(error, TableError):
        return error.status
    if isinstance(error, (NotActing, GameIsOver)):
        return 409
    return 404 if isinstance(error, UnknownGame) else 400


async def refusal_response(request: Request, error: HexdeckError) -> Response:
    """The answer to a request that raised a HexdeckError; at a table it is the table, with the refusal above it."""
    status, details = status_of(error), dict[str, Any]()
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


async def on_refusal(request: Request, error: Exception) -> Response:
    """The exception handler for HexdeckError; what may be an attempt at something, or a limit, is noted for the log."""
    assert isinstance(error, HexdeckError)
    if isinstance(error, TableError) and error.status in NOTED:
        server_of(request).refusals.note(error.text.key, client_address(request))
    return await refusal_response(request, error)


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
