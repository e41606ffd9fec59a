"""New tables: the start page, the form for a table, and tables as far as an address may begin one."""

from __future__ import annotations

from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.bots.players.levels import choices, usual_bot
from hexdeck.engine.discovery.definition import definition, first_game
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import read_options
from hexdeck.engine.text import Text, say
from hexdeck.simulation.game import Game
from hexdeck.tables import commands
from hexdeck.tables.entries import ANYONE, NOBODY, OPEN
from hexdeck.tables.errors import Stale
from hexdeck.tables.fair import fresh_secret
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.models import DealPromise
from hexdeck.web.html.pages import DONE
from hexdeck.web.routes.daily import my_deals
from hexdeck.web.routes.requests import (
    Fields,
    client_address,
    first_value,
    guest_name,
    html_response,
    read_form,
    reader,
    redirect,
    server_of,
    site_of,
    token_for_seat,
    whole_number,
    with_name_cookie,
    with_token_cookie,
)
from hexdeck.web.routes.seats import my_tables


async def begin_table(request: Request, setup: commands.TableSetup, token: str) -> LiveTable:
    """Create a table, where the token holds the creator's seat; raises TooMany."""
    server, address = server_of(request), client_address(request)
    async with server.limits.beginning(address) as begin:
        table = await commands.create(
            server.registry, setup, fresh_secret(server.runtime.random), hashed(token), address
        )
        begin(table.id)
    return table


async def begin_rematch(request: Request, old: LiveTable, by: int, contribution: str | None, speaker: int) -> str:
    """The id of a table's rematch, created if there is none yet (see `commands.rematch`); raises TooMany."""
    server = server_of(request)
    if old.rematch:
        return old.rematch
    async with server.limits.beginning(client_address(request)) as begin:
        new = await commands.rematch(server.registry, old.id, by, contribution, speaker)
        begin(new)
    return new


USUAL_PLAYERS = 4
SCREEN_IS_THIS, SCREEN_IS_ANOTHER = "this", "another"  # device, where one screen shows the table to all


# --- starting a match -------------------------------------------------------------------------------------------------
async def home(request: Request) -> Response:
    """The start page."""
    return await start_response(request, None)


async def start_response(request: Request, refused: Stale | None) -> Response:
    """The start page, with what was refused above it."""
    waiting = sum(line.goes_on for line in await my_tables(request))
    site = site_of(request, refused.text, "/") if refused else site_of(request)
    dealt = sum(line.kind == DONE for line in await my_deals(request))
    html = pages.start(site, deal_promise(request), waiting, dealt)
    return html_response(request, html, refused.status if refused else 200, seats=True)


async def play(request: Request) -> Response:
    """Create a table with bots on all other seats."""
    fields = await read_form(request)
    learn = first_value(fields, "learn")
    game = find_game(learn or first_value(fields, "game"))
    setup = commands.against_bots(
        Game.at_table(game, preset=first_game(game) if learn else ""),
        name_of_creator(request, fields),
        coach=bool(learn),
        contribution=first_value(fields, "contribution"),
        promise=first_value(fields, "promise"),
    )
    try:
        return await create_table(request, setup)
    except Stale as refused:
        return await start_response(request, refused)


def name_of_creator(request: Request, fields: Fields) -> str:
    """The name that a form has, else the one that was chosen last, else that of a guest."""
    return first_value(fields, "name") if "name" in fields else reader(request).name or guest_name(request)


def deal_promise(request: Request, ticket: str = "") -> DealPromise:
    """The promise that a form shows: that of a ticket while it is good, else a new one."""
    registry = server_of(request).registry
    try:
        promise = registry.promise(ticket)
    except Stale:
        promise = registry.promise()
    return DealPromise(promise.ticket, promise.hash)


# --- a new table ------------------------------------------------------------------------------------------------------
async def new_table(request: Request) -> Response:
    """The form for a new table."""
    fields = {"name": reader(request).name} | dict(request.query_params)
    return new_table_response(request, find_game(request.path_params["game"]), fields, None)


def new_table_response(request: Request, name: str, fields: dict[str, str], notice: Text | None) -> Response:
    """The form for a new table, with what was given, and why it was refused."""
    low, high = definition(name).rules.PLAYERS
    typed = whole_number(fields.get("players", ""), 2)
    players = min(max(USUAL_PLAYERS if typed is None else typed, low), high)
    game = Game.at_table(name, players)
    site, promise = site_of(request, notice, f"/new/{name}"), deal_promise(request, fields.get("promise", ""))
    html = pages.new_table(site, name, players, choices(game), promise, fields, usual_bot(game))
    return html_response(request, html, 400 if notice else 200, seats=True)


async def create(request: Request) -> Response:
    """Create a table as the form says."""
    fields = await read_form(request)
    name = find_game(first_value(fields, "game"))
    try:
        return await create_table(request, replace(setup_from_form(name, fields), guest=guest_name(request)))
    except (BadOption, Stale) as error:
        typed = {key: values[0] for key, values in fields.items() if key != "promise" or isinstance(error, BadOption)}
        return new_table_response(request, name, typed, error.text)


def setup_from_form(name: str, fields: Fields) -> commands.TableSetup:
    """The table that a form asks for; raises BadOption."""
    typed = {key.removeprefix("option-"): values[0] for key, values in fields.items() if key.startswith("option-")}
    options = {key: value for key, value in typed.items() if value.strip()}  # else it is as in the preset
    players = whole_number(first_value(fields, "players"), 3)
    if players is None:
        raise BadOption(say("Choose how many people play."))
    values = read_options(definition(name).rules.OPTIONS, options)
    chosen = Game.at_table(name, players, first_value(fields, "preset"), **values)
    chairs = [first_value(fields, f"seat-{number}").removeprefix("bot:") or OPEN for number in range(chosen.players)]
    watch, screen = NOBODY if first_value(fields, "watch") == "no" else ANYONE, first_value(fields, "screen")
    first = OPEN if screen == SCREEN_IS_THIS else commands.YOU
    sharing = [seat for seat, chair in enumerate(chairs) if seat and chair == commands.HERE]
    names = {seat: first_value(fields, f"name-{seat}") for seat in sharing}
    return commands.TableSetup(
        chosen,
        (first, *chairs[1:]),
        first_value(fields, "name"),
        first_value(fields, "clock") or "none",
        watch,
        first_value(fields, "lang"),
        hold=first_value(fields, "hold") == "yes",
        contribution=first_value(fields, "contribution"),
        names=names,
        hints={"yes": True, "no": False}.get(first_value(fields, "hints")),
        promise=first_value(fields, "promise"),
        screen=screen in (SCREEN_IS_THIS, SCREEN_IS_ANOTHER),
        feedback=first_value(fields, "feedback") != "no",
    )


async def create_table(request: Request, setup: commands.TableSetup) -> Response:
    """Create a table, and lead its creator there; raises BadOption, Stale or TooMany."""
    commands.checked(setup)
    token = await token_for_seat(request)
    table = await begin_table(request, setup, token)
    if commands.YOU not in setup.chairs:
        return redirect(request, f"/table/{table.id}/tv")
    server_of(request).registry.remember_holder(table.id, hashed(token), table.terms.host)
    answer = with_token_cookie(request, redirect(request, f"/table/{table.id}"), token)
    return answer if setup.name == guest_name(request) else with_name_cookie(request, answer, setup.name)
