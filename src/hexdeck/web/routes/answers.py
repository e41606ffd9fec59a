"""How requests are answered: pages, redirects, refusals as pages or as JSON."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from hexdeck.engine.discovery.catalogues import SHARED, game_words
from hexdeck.engine.errors import GameIsOver, HexdeckError, IllegalMove, NotActing, UnknownGame
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.tables.errors import TableError
from hexdeck.tables.model.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ErrorPage, Site
from hexdeck.web.live.server_state import COOKIE, KEPT_FOR, held, language, place_of, site
from hexdeck.web.ops.middleware import SAFE
from hexdeck.web.ops.packing import LEAST, accepts, packed
from hexdeck.web.routes import presenters

NO_STORE = {"cache-control": "no-store"}


def html(request: Request, text: str, status: int = 200, *, secret: bool = False) -> Response:
    """A page that isn't kept: it is one reader's. It is packed unless it is `secret`: its links give a seat away."""
    plain = text.encode()
    safe = request.method in SAFE and not secret and len(plain) >= LEAST
    if not safe or not accepts(request.headers.get("accept-encoding", "")):
        return HTMLResponse(plain, status, NO_STORE)
    return HTMLResponse(packed(plain), status, {**NO_STORE, "content-encoding": "gzip", "vary": "accept-encoding"})


def status_of(error: HexdeckError) -> int:
    """The status that HTTP has for a refusal."""
    if isinstance(error, TableError):
        return error.status
    if isinstance(error, (NotActing, GameIsOver)):
        return 409
    return 404 if isinstance(error, UnknownGame) else 400


def scripted(request: Request) -> bool:
    """Whether a script of ours asks, and wants no page."""
    return request.headers.get("hexdeck") == "1"


def is_api(request: Request) -> bool:
    """Whether a program asks."""
    return request.url.path.startswith("/api/")


def go(request: Request, path: str, status: int = 303) -> Response:
    """On to another page of ours; a script is told that it is done."""
    if scripted(request):
        return Response(status_code=204)
    return RedirectResponse(place_of(request).settings.prefix + path, status, NO_STORE)


def done(request: Request, id: str) -> Response:
    """Back to the table after something was done there."""
    return go(request, f"/table/{id}")


def error_page(request: Request, status: int, text: Text) -> Response:
    """A refusal: JSON for programs and scripts, else a page."""
    if is_api(request) or scripted(request):
        return JSONResponse({"error": words(request).words(text)}, status, NO_STORE)
    return html(request, pages.error(ErrorPage(plain_site(request), status, text)), status)


def table_answer(
    request: Request, table: LiveTable, seat: int, notice: Text | None = None, status: int = 200
) -> Response:
    """The page of a table as who holds a seat sees it, with a sentence above it if there is something to say."""
    shown = site(request, notice, f"/table/{table.id}", table.terms.lang)
    page = presenters.table_page(place_of(request), shown, table, seat)
    return html(request, pages.table(page), status, secret=bool(page.invites))


def plain_site(request: Request) -> Site:
    """A site that leads back to the start: an address that was refused may hold a secret."""
    return site(request, path="/")


def words(request: Request, table: LiveTable | None = None) -> Catalogue:
    """The reader's language; at a table with its game's words."""
    if table is None:
        return Catalogue(language(request), (SHARED,))
    return game_words(table.game.name, language(request, table.terms.lang), table.names)


async def refuse(request: Request, error: HexdeckError) -> Response:
    """What is said of an error that we raise on purpose; a refused move comes with the table."""
    status, id = status_of(error), request.path_params.get("table", "")
    told: dict[str, Any] = {}
    if isinstance(error, IllegalMove):
        told = {"rule": error.rule, "legal": list(error.legal)}
    if not id or (isinstance(error, TableError) and error.status in {404, 403, 410, 503}):
        return error_page(request, status, error.text)
    try:
        async with held(request, id) as (table, seat):
            if is_api(request) or scripted(request):
                said = words(request, table).words(error.text)
                return JSONResponse({"error": said, **told}, status, NO_STORE)
            return table_answer(request, table, seat, error.text, status)
    except HexdeckError:
        return error_page(request, status, error.text)


async def on_refusal(request: Request, error: Exception) -> Response:
    """The handler of HexdeckError."""
    assert isinstance(error, HexdeckError)
    return await refuse(request, error)


async def on_nothing(request: Request, error: Exception) -> Response:
    """The handler of what the router raises: no such page, or another method."""
    status = getattr(error, "status_code", 404)
    text = say("There is no such page.") if status == 404 else say("That can't be done here.")
    answer = error_page(request, status, text)
    for name, value in (getattr(error, "headers", None) or {}).items():
        answer.headers[name] = value
    return answer


def with_token(request: Request, answer: Response, token: str) -> Response:
    """The answer, with a cookie that makes its reader who holds the token."""
    keep(request, answer, COOKIE, token)
    return answer


def keep(request: Request, answer: Response, name: str, value: str, seconds: int = KEPT_FOR) -> None:
    """Set a cookie that no script reads and no other site sends."""
    path = place_of(request).settings.prefix or "/"
    answer.set_cookie(
        name, value, max_age=seconds, path=path, secure=request.url.scheme == "https", httponly=True, samesite="lax"
    )
