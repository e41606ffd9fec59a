"""The page that steps through a game's worked example."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.play.worked import steps
from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ExamplePage
from hexdeck.web.requests.site import language_of, site_of
from hexdeck.web.requests.target import query_number
from hexdeck.web.routes.answers import html_response


async def example(request: Request) -> Response:
    """One step of a game's example, counted from 1."""
    name = find_game(request.path_params["game"])
    found = steps(name, language_of(request))
    if not found:
        raise NoTable(say("This game has no example to step through."))
    step = max(1, query_number(request, "step", len(found), 1))
    shown, site = found[step - 1], site_of(request, path=f"/rules/{name}/example?step={step}")
    return html_response(request, pages.example(ExamplePage(site, step, len(found), shown.view, shown.passage)))
