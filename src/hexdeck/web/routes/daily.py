"""The deals of the day: today's, playing one, and how others did with the same cards."""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.text import say
from hexdeck.tables.daily import (
    SEAT,
    Row,
    Standing,
    begin_deal,
    day_at,
    local_time,
    own_deals,
    standings,
    zone_at,
)
from hexdeck.tables.entries import OVER, result_from_data
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.keys import hashed
from hexdeck.web.html import daily
from hexdeck.web.html.daily import DONE, GOING, OPEN, DaysPage, DealLine, DealPage, Other
from hexdeck.web.html.models import Compared, Share
from hexdeck.web.requests import (
    client_address,
    first_value,
    now,
    read_form,
    reader,
    require_holder,
    server_of,
    site_of,
    table_id,
    token_for_seat,
)
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import (
    NO_STORE,
    guest_name,
    html_response,
    redirect,
    with_name_cookie,
    with_token_cookie,
)

SHOWN = 30  # of those who played a deal


def routes() -> list[BaseRoute]:
    """The addresses of the deals of the day."""
    return [
        Route("/today", deals, methods=["GET"]),
        Route("/today/{game}", deal, methods=["GET"]),
        Route("/today/{game}", play, methods=["POST"], name="play deal"),
        Route("/table/{table}/compared", compared, methods=["GET"]),
    ]


# --- today's deals ----------------------------------------------------------------------------------------------------
async def deals(request: Request) -> Response:
    """Today's deals, and which of them the reader has played."""
    at = now(request)
    clock = local_time(at).strftime("%H:%M")
    page = DaysPage(site_of(request), day_at(at), clock, zone_at(at), await my_deals(request), reader(request).name)
    return html_response(request, daily.deals(page))


async def my_deals(request: Request) -> tuple[DealLine, ...]:
    """Today's deals as the reader sees them."""
    rows = await held_deals(request)
    return tuple(deal_line(game, rows.get(game)) for game in playable())


async def held_deals(request: Request, day: str = "") -> dict[str, Row]:
    """The reader's tables with the deals of a day, today's if none is given, by game."""
    visitor, registry = reader(request), server_of(request).registry
    return await own_deals(registry, visitor.hashed_token if visitor.token else "", day or day_at(now(request)))


def deal_line(game: str, row: Row | None) -> DealLine:
    """A deal as its reader sees it."""
    if row is None:
        return DealLine(game, OPEN)
    if row["state"] != OVER or not row["result"]:
        return DealLine(game, GOING, row["id"])
    result = result_from_data(json.loads(row["result"]))
    return DealLine(game, DONE, row["id"], result.captions[row["seat"]], result.won[row["seat"]])


async def play(request: Request) -> Response:
    """Go to the reader's table with today's deal; it is created if there is none yet."""
    fields, name = await read_form(request), find_game(request.path_params["game"])
    held = (await held_deals(request)).get(name)
    if held is not None:
        return redirect(request, f"/table/{held['id']}")
    server, token, address = server_of(request), await token_for_seat(request), client_address(request)
    nickname = first_value(fields, "name") if "name" in fields else reader(request).name
    async with server.limits.beginning(address) as begin:
        try:
            guest = guest_name(request)
            table = await begin_deal(server.registry, name, nickname, guest, hashed(token), address)
        except Stale:  # the button was pressed twice
            held = (await held_deals(request)).get(name)
            if held is None:
                raise
            return redirect(request, f"/table/{held['id']}")
        begin(table.id)
    server.registry.remember_holder(table.id, hashed(token), SEAT)
    answer = with_token_cookie(request, redirect(request, f"/table/{table.id}"), token)
    return with_name_cookie(request, answer, nickname)


# --- how others did ---------------------------------------------------------------------------------------------------
async def deal(request: Request) -> Response:
    """How the reader did with a deal, today's or of the query `day`, beside bots and others; else today's deals."""
    name, server = find_game(request.path_params["game"]), server_of(request)
    held = (await held_deals(request, request.query_params.get("day", ""))).get(name)
    if held is None or held["state"] != OVER:
        return redirect(request, "/today")
    async with server.registry.reading(held["id"]) as table:
        day, chosen = table.terms.day, table.game
        result = presenters.result(table)
    await server.fields.get(day, chosen)
    field = await standings(server.registry, day, name)
    found_by_bots = presenters.compared_with(server.fields.known(day, name), name, day, result, people_of(field))
    lines = tuple(
        Other(standing.name, standing.won, standing.told, standing.table == held["id"], standing.table)
        for standing in listed_standings(field)
    )
    page = DealPage(
        site_of(request), name, day, zone_at(now(request)), held["id"], result.captions[SEAT], found_by_bots, lines
    )
    return html_response(request, daily.deal(page))


def listed_standings(field: tuple[Standing, ...]) -> tuple[Standing, ...]:
    """Those of whom a page tells."""
    return field[:SHOWN]


def people_of(field: tuple[Standing, ...]) -> Share | None:
    """How many people have won; None where that is one alone, or nobody."""
    return Share("people", sum(standing.won for standing in field), len(field)) if len(field) > 1 else None


async def compared(request: Request) -> Response:
    """The comparison as a part of the page of the reader's own table, as far as bots have played; it begins with that.

    A deal of a day before can be asked for, too: it is the table's.
    """
    await require_holder(request)
    server, id = server_of(request), table_id(request)
    async with server.registry.reading(id) as table:
        if table.state != OVER or not table.terms.day:
            raise NoTable(say("There is nothing to compare at this table."))
        day, chosen, result, lang = table.terms.day, table.game, presenters.result(table), table.terms.lang
    await server.fields.get(day, chosen)
    people = people_of(await standings(server.registry, day, chosen.name))
    comparison: Compared = presenters.compared_with(
        server.fields.known(day, chosen.name), chosen.name, day, result, people
    )
    site = site_of(request, path=f"/table/{id}", lang=lang)
    return JSONResponse({"done": comparison.done, "compared": daily.comparison(site, comparison)}, headers=NO_STORE)
