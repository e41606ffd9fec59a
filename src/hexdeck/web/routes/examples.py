"""What belongs to the rules of a game: its worked example, step by step, and all of it as a PDF."""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.play.worked import steps
from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable
from hexdeck.web import paper
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ExamplePage
from hexdeck.web.requests.site import language_of, site_of
from hexdeck.web.requests.target import query_number
from hexdeck.web.routes.answers import html_response

PRESS = ThreadPoolExecutor(1, "hexdeck-paper")  # makes one PDF at a time, and each once; other jobs don't wait for it


async def example(request: Request) -> Response:
    """One step of a game's example, counted from 1."""
    name = find_game(request.path_params["game"])
    found = steps(name, language_of(request))
    if not found:
        raise NoTable(say("This game has no example to step through."))
    step = max(1, query_number(request, "step", len(found), 1))
    shown, site = found[step - 1], site_of(request, path=f"/rules/{name}/example?step={step}")
    return html_response(request, pages.example(ExamplePage(site, step, len(found), shown.view, shown.passage)))


async def pdf(request: Request) -> Response:
    """A game's rules, cards, board and score sheets on A4, or on Letter (`?paper=letter`); 404 without the library."""
    name, lang = find_game(request.path_params["game"]), language_of(request)
    if not paper.is_possible():
        raise HTTPException(404)
    size = "letter" if request.query_params.get("paper") == "letter" else "a4"
    made = await asyncio.get_running_loop().run_in_executor(PRESS, kept, name, lang, size)
    headers = {"content-disposition": f'inline; filename="{name}.pdf"', "cache-control": "private, max-age=3600"}
    return Response(made, media_type="application/pdf", headers=headers)


@functools.cache
def kept(name: str, lang: str, size: str) -> bytes:
    """The PDF, of which there are as many as games, languages and sizes of paper."""
    from hexdeck.web.paper.document import document

    return document(name, lang, size)
