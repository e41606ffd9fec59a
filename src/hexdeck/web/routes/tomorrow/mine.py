"""The page of what somebody has played, all of it as a file, and all their seats on another device."""

from __future__ import annotations

import functools
import json
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hexdeck.engine.text import say, say_n
from hexdeck.tables.errors import NotYours
from hexdeck.tables.keys import hashed
from hexdeck.tables.service.daily.dates import day_at
from hexdeck.tables.service.daily.standings import ENOUGH, Tally, tallies_of
from hexdeck.tables.storage.daily.bundles import holder_of, store_bundle, take_bundle
from hexdeck.tables.storage.daily.own import Data, own_data
from hexdeck.tables.storage.puzzles.answers import Solved, answers_of, solved_by
from hexdeck.web.html.links import invite_link
from hexdeck.web.html.tomorrow import pages
from hexdeck.web.html.tomorrow.models import BundlePage, GameTally, MinePage, Section
from hexdeck.web.requests.identity import known_token, reader, token_for_seat
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import client_address, fresh_token, now, server_of
from hexdeck.web.routes.answers import (
    NO_STORE,
    html_response,
    redirect,
    set_cookie,
    with_token_cookie,
)
from hexdeck.web.routes.my_seats import BUNDLE, CARRIED_FOR, carry_link_spent, my_tables
from hexdeck.web.routes.tomorrow.today import my_deals


def routes() -> list[BaseRoute]:
    """The addresses of what is somebody's own."""
    return [
        Route("/me", mine, methods=["GET"]),
        Route("/me/file", file, methods=["GET"]),
        Route("/me/carry", made, methods=["GET"]),
        Route("/me/carry", make, methods=["POST"], name="make"),
        Route("/bring/{token}", offered, methods=["GET"]),
        Route("/bring/{token}", take, methods=["POST"], name="take"),
    ]


# --- what somebody has played -----------------------------------------------------------------------------------------
async def mine(request: Request) -> Response:
    """What the reader has played, and today's deals."""
    who, registry = reader(request), server_of(request).registry
    found = await tallies_of(registry, who.hashed_token) if who.token else ()
    parts = [part for section in SECTIONS if (part := await section(request)) is not None]
    page = MinePage(site_of(request), day_at(now(request)), await my_deals(request), tuple(map(game_tally, found)),
                    ENOUGH, tuple(parts))  # fmt: skip
    return html_response(request, pages.mine(page))


def game_tally(found: Tally) -> GameTally:
    """What the reader has played of a game, as the page shows it."""
    ends = found.share
    share = None if ends is None else (int(100 * ends[0]), -int(-100 * ends[1] // 1))
    return GameTally(found.game, found.played, found.won, found.best, found.best_at, share)


async def going_on(request: Request) -> Section | None:
    """The tables where the reader's match goes on."""
    n = sum(line.goes_on for line in await my_tables(request))
    if not n:
        return None
    line = say_n("{n} match goes on.", "{n} matches go on.", n)
    return Section(say("Still to be played"), line, "/tables", say("My tables"))


async def puzzles_solved(request: Request) -> Section | None:
    """How many puzzles the reader has solved."""
    who = reader(request)
    found = await server_of(request).registry.run_job(solved_by(who.hashed_token, ())) if who.token else Solved()
    line = say_n("{solved} of {n} puzzle solved.", "{solved} of {n} puzzles solved.", found.total, solved=found.solved)
    return Section(
        say("Puzzles"), line if found.total else say("Three new ones every day."), "/puzzles", say("Puzzles")
    )


SECTIONS: list[Callable[[Request], Awaitable[Section | None]]] = [
    going_on,
    puzzles_solved,
]  # what else the page tells, if anything


async def file(request: Request) -> Response:
    """All that is kept of the reader, as JSON."""
    who = reader(request)
    registry, found = server_of(request).registry, list[Data]()
    puzzles = list[Data]()
    if who.token:
        found = await registry.run_job(own_data(who.hashed_token))
        puzzles = await registry.run_job(functools.partial(answers_of, token=who.hashed_token))
    data = {"name": who.name, "tables": found, "puzzles": puzzles}
    headers = {"content-disposition": 'attachment; filename="hexdeck-mine.json"', **NO_STORE}
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    return Response(text, media_type="application/json", headers=headers)


# --- all seats on another device --------------------------------------------------------------------------------------
async def make(request: Request) -> Response:
    """Make a link that gives another device all seats of the reader, once; the next page shows it."""
    who, link, at = reader(request), fresh_token(request), now(request)
    if not await known_token(request):
        raise NotYours(say("This browser has no seats yet, so there is nothing to take along."))
    keep = functools.partial(store_bundle, token=hashed(link), holder=who.hashed_token, until=at + CARRIED_FOR, now=at)
    await server_of(request).registry.run_job(keep)
    answer = redirect(request, "/me/carry")
    set_cookie(request, answer, BUNDLE, link, CARRIED_FOR)
    return answer


async def made(request: Request) -> Response:
    """The last such link that was made on this device, while it can be used."""
    who, link = reader(request), request.cookies.get(BUNDLE, "")
    if not who.token or await carried_by(request, link) != who.hashed_token:
        raise carry_link_spent()
    site = site_of(request, path="/me")
    shown = BundlePage(site, invite_link(f"{site.base}/bring/{link}", None))
    return html_response(request, pages.bundle(shown), secret=True)


async def offered(request: Request) -> Response:
    """The page of such a link; opening it takes nothing."""
    server_of(request).limits.allow_join(client_address(request))
    link = request.path_params["token"]
    if await carried_by(request, link) is None:
        raise carry_link_spent()
    return html_response(request, pages.bundle(BundlePage(site_of(request, path="/"), token=link)), secret=True)


async def take(request: Request) -> Response:
    """Take all seats of such a link to this device, too."""
    registry, link = server_of(request).registry, request.path_params["token"]
    server_of(request).limits.allow_join(client_address(request))
    token, at = await token_for_seat(request), now(request)
    job = functools.partial(take_bundle, token=hashed(link), to=hashed(token), now=at, today=day_at(at))
    given = await registry.run_job(job)
    if given is None:
        raise carry_link_spent()
    for table, seat in given.items():
        registry.remember_holder(table, hashed(token), seat)
    return with_token_cookie(request, redirect(request, "/me"), token)


async def carried_by(request: Request, link: str) -> str | None:
    """Whose seats a link carries, while it is good: their hashed token."""
    job = functools.partial(holder_of, token=hashed(link), now=now(request))
    return await server_of(request).registry.run_job(job)
