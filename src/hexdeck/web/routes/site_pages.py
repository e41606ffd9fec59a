"""Pages that are no table: rules with their example and PDF, settings; also files, health and metrics."""

from __future__ import annotations

import asyncio
import functools
import gzip
import secrets
from concurrent.futures import ThreadPoolExecutor
from math import ceil

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

import hexdeck
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.play.replay import steps
from hexdeck.engine.text import LANGUAGES, Text, say, say_n
from hexdeck.tables.entries import MESSAGES_KEPT
from hexdeck.tables.errors import NoTable, NotYours
from hexdeck.tables.runner import ANSWERED, DAY, Keep
from hexdeck.web import paper
from hexdeck.web.html import assets, pages
from hexdeck.web.html.models import PACES, THEMES, AboutPage, ExamplePage, PrivacyPage, RulesPage
from hexdeck.web.requests import bearer_token, first_value, language_of, query_number, read_form, server_of, site_of
from hexdeck.web.routes.answers import html_response, redirect, set_cookie
from hexdeck.web.routes.new_table import deal_promise


# --- texts and settings -----------------------------------------------------------------------------------------------
async def rules(request: Request) -> Response:
    """The rules of a game."""
    name = find_game(request.path_params["game"])
    return html_response(
        request, pages.rules(RulesPage(site_of(request), name, deal_promise(request), paper.is_possible()))
    )


async def about(request: Request) -> Response:
    """The page about the site."""
    return html_response(request, pages.about(AboutPage(site_of(request), hexdeck.__version__)))


async def privacy(request: Request) -> Response:
    """The page about what is kept of people."""
    periods = kept_for(server_of(request).settings.keep)
    return html_response(
        request, pages.privacy(PrivacyPage(site_of(request), periods, MESSAGES_KEPT, round(ANSWERED / DAY)))
    )


def kept_for(keep: Keep) -> tuple[Text, ...]:
    """For how long tables are kept, as sentences."""
    finished, out = keep.days if keep.finished_days is None else keep.finished_days, list[Text]()
    if keep.unused_hours:
        out.append(
            say_n(
                "A table where nobody has joined or moved is deleted after {n} hour.",
                "A table where nobody has joined or moved is deleted after {n} hours.",
                ceil(keep.unused_hours),
            )
        )
    if keep.days:
        out.append(
            say_n(
                "A table where nothing happens is deleted after {n} day.",
                "A table where nothing happens is deleted after {n} days.",
                ceil(keep.days),
            )
        )
    if finished:
        out.append(
            say_n(
                "A table whose match is over is deleted after {n} day.",
                "A table whose match is over is deleted after {n} days.",
                ceil(finished),
            )
        )
    stay = (
        say("Other tables stay until somebody deletes them.")
        if out
        else say("Tables stay until somebody deletes them.")
    )
    return (*out, *([] if keep.days and finished else [stay]))


async def settings(request: Request) -> Response:
    """Store language, theme and pace in cookies, and go back to the page."""
    fields = await read_form(request)
    back, lang, theme, pace = (first_value(fields, name) for name in ("back", "lang", "theme", "pace"))
    answer = redirect(request, back if is_own_path(back) else "/")
    if lang in LANGUAGES:
        set_cookie(request, answer, "lang", lang)
    if theme in THEMES:
        set_cookie(request, answer, "theme", theme)
    if pace in PACES:
        set_cookie(request, answer, "pace", pace)
    return answer


def is_own_path(path: str) -> bool:
    """Whether a path leads to a page of this site, and to no other host."""
    return path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()


# --- files and metrics ------------------------------------------------------------------------------------------------
@functools.cache
def static_file(name: str) -> tuple[bytes, bytes, str] | None:
    """A static file, plain and gzipped, and its media type; None where there is none of that name."""
    file = assets.find(name)
    if file is None:
        return None
    plain = file[0]
    return plain, gzip.compress(plain, 9, mtime=0), file[1]


async def static(request: Request) -> Response:
    """A file that browsers keep for good, since its address changes with its contents."""
    name = request.path_params["name"]
    file = static_file(name) if len(name) < 80 else None
    if file is None:
        raise NoTable(say("There is no such file."))
    plain, packed, media = file
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=media, headers={**headers, "content-encoding": "gzip"})
    return Response(plain, media_type=media, headers=headers)


async def healthz(request: Request) -> Response:
    """Whether this process can serve tables, and store what happens there, for load balancers and monitors."""
    well = await server_of(request).is_healthy()
    return JSONResponse({"ok": well, "version": hexdeck.__version__}, 200 if well else 503)


async def livez(_request: Request) -> Response:
    """Whether this process answers at all, for whoever starts it again if it doesn't."""
    return JSONResponse({"ok": True})


def is_keeper(request: Request) -> bool:
    """Whether whoever asks has the token for metrics."""
    token = server_of(request).settings.metrics_token
    return bool(token) and secrets.compare_digest(bearer_token(request).encode(), token.encode())


async def metrics(request: Request) -> Response:
    """The metrics, in Prometheus' text format, for whoever keeps the server; raises NotYours.

    They count steps that players keep secret, and time what bots think: no player may see them.
    """
    if not is_keeper(request):
        raise NotYours(say("Metrics are only for whoever keeps this server: they need its token for metrics."))
    return PlainTextResponse(server_of(request).metrics.text(), media_type="text/plain; version=0.0.4")


# --- a game's worked example, and its PDF -----------------------------------------------------------------------------
PRESS = ThreadPoolExecutor(1, "hexdeck-paper")  # makes one PDF at a time, and each once; other jobs don't wait for it


async def example(request: Request) -> Response:
    """One step of a game's example, counted from 1."""
    name = find_game(request.path_params["game"])
    positions = steps(name, language_of(request))
    if not positions:
        raise NoTable(say("This game has no example to step through."))
    step = max(1, query_number(request, "step", len(positions), 1))
    position, site = positions[step - 1], site_of(request, path=f"/rules/{name}/example?step={step}")
    return html_response(
        request, pages.example(ExamplePage(site, step, len(positions), position.view, position.passage))
    )


async def pdf(request: Request) -> Response:
    """A game's rules, cards, board and score sheets on A4, or on Letter (`?paper=letter`); 404 without the library."""
    name, lang = find_game(request.path_params["game"]), language_of(request)
    if not paper.is_possible():
        raise HTTPException(404)
    size = "letter" if request.query_params.get("paper") == "letter" else "a4"
    document = await asyncio.get_running_loop().run_in_executor(PRESS, printed, name, lang, size)
    headers = {"content-disposition": f'inline; filename="{name}.pdf"', "cache-control": "private, max-age=3600"}
    return Response(document, media_type="application/pdf", headers=headers)


@functools.cache
def printed(name: str, lang: str, size: str) -> bytes:
    """The PDF, of which there are as many as games, languages and sizes of paper."""
    from hexdeck.web.paper.document import document

    return document(name, lang, size)
