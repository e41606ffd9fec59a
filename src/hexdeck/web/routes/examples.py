"""A game's worked example, step by step."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.play.worked import steps
from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ExamplePage
from hexdeck.web.live.server_state import site
from hexdeck.web.routes.answers import html
from hexdeck.web.routes.replays import number


async def example(request: Request) -> Response:
    """The example of a game at one step; steps count from 1."""
    name, here = find_game(request.path_params["game"]), site(request)
    found = steps(name, here.lang)
    if not found:
        raise NoTable(say("This game has no example to step through."))
    step = max(1, number(request.query_params.get("step", ""), len(found), 1))
    shown = found[step - 1]
    there = site(request, path=f"/rules/{name}/example?step={step}")
    return html(request, pages.example(ExamplePage(there, step, len(found), shown.view, shown.passage)))
