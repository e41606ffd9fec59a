"""New tables: the start page, the form for a table, and tables as far as an address may begin one."""

from dataclasses import replace
from typing import Any

from starlette.responses import Response

from hexdeck.bots.players.levels import choices, measured_with, usual_bot
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
from hexdeck.web.html.pages import DONE
from hexdeck.web.html.rendering import DealPromise
from hexdeck.web.routes.daily import my_deals
from hexdeck.web.routes.requests import Fields, SiteRequest, whole_number
from hexdeck.web.routes.seats import my_tables


async def begin_table(request: SiteRequest, setup: commands.TableSetup, token: str) -> LiveTable:
    """Create a table, where the token holds the creator's seat; raises TooMany."""
    secret = fresh_secret(request.server.runtime.random)
    async with request.server.limits.beginning(request.address) as begin:
        table = await commands.create(request.registry, setup, secret, hashed(token), request.address)
        begin(table.id)
    return table


async def begin_rematch(request: SiteRequest, old: LiveTable, by: int, contribution: str | None, speaker: int) -> str:
    """The id of a table's rematch, created if there is none yet (see `commands.rematch`); raises TooMany."""
    if old.rematch:
        return old.rematch
    async with request.server.limits.beginning(request.address) as begin:
        new = await commands.rematch(request.registry, old.id, by, contribution, speaker)
        begin(new)
    return new


USUAL_PLAYERS = 4
TERMS = "name", "lang", "contribution", "promise"  # fields of a form that are as in the setup
SCREEN_IS_THIS, SCREEN_IS_ANOTHER = "this", "another"  # device, where one screen shows the table to all


# --- starting a match -------------------------------------------------------------------------------------------------
async def home(request: SiteRequest) -> Response:
    """The start page."""
    return await start_response(request, None)


async def start_response(request: SiteRequest, refused: Stale | None) -> Response:
    """The start page, with what was refused above it."""
    waiting = sum(line.goes_on for line in await my_tables(request))
    site = request.site(refused.text, "/") if refused else request.site()
    dealt = sum(line.kind == DONE for line in await my_deals(request))
    html = pages.start(site, deal_promise(request), waiting, dealt)
    return request.html_response(html, refused.status if refused else 200, seats=True)


async def play(request: SiteRequest) -> Response:
    """Create a table with bots on all other seats."""
    fields = await request.read_form()
    learn = fields.text("learn")
    game = find_game(learn or fields.text("game"))
    setup = commands.against_bots(
        Game.at_table(game, preset=first_game(game) if learn else ""),
        name_of_creator(request, fields),
        coach=bool(learn),
        contribution=fields.text("contribution"),
        promise=fields.text("promise"),
    )
    try:
        return await create_table(request, setup)
    except Stale as refused:
        return await start_response(request, refused)


def name_of_creator(request: SiteRequest, fields: Fields) -> str:
    """The name that a form has, else the one that was chosen last, else that of a guest."""
    return fields.text("name") if "name" in fields else request.reader.name or request.guest_name()


def deal_promise(request: SiteRequest, ticket: str = "") -> DealPromise:
    """The promise that a form shows: that of a ticket while it is good, else a new one."""
    registry = request.registry
    try:
        promise = registry.promise(ticket)
    except Stale:
        promise = registry.promise()
    return DealPromise(promise.ticket, promise.hash)


# --- a new table ------------------------------------------------------------------------------------------------------
async def new_table(request: SiteRequest) -> Response:
    """The form for a new table; it keeps what was typed when other players or other company are chosen."""
    fields = {"name": request.reader.name} | dict(request.query_params)
    where = fields.pop("where", None)
    if where is not None:  # other company: its seats, not those of before
        fields = {key: typed for key, typed in fields.items() if not key.startswith(("with", "screen", "seat-"))}
        fields["screen" if where in (SCREEN_IS_THIS, SCREEN_IS_ANOTHER) else "with"] = where
    return new_table_response(request, find_game(request.path_params["game"]), fields, None)


def new_table_response(
    request: SiteRequest, name: str, fields: dict[str, str], notice: Text | None, fault: str = ""
) -> Response:
    """The form for a new table, with what was given, why it was refused, and the option that was at fault."""
    low, high = definition(name).rules.PLAYERS
    typed = whole_number(fields.get("players", ""), 2)
    players = min(max(USUAL_PLAYERS if typed is None else typed, low), high)
    game = Game.at_table(name, players)
    site, promise = request.site(notice, f"/new/{name}"), deal_promise(request, fields.get("promise", ""))
    usual, note = usual_bot(game), measured_with(game)
    phone = "Mobi" in request.headers.get("user-agent", "")
    html = pages.new_table(site, name, players, choices(game), promise, fields, usual, note, fault, phone)
    return request.html_response(html, 400 if notice else 200, seats=True)


async def create(request: SiteRequest) -> Response:
    """Create a table as the form says."""
    fields = await request.read_form()
    name = find_game(fields.text("game"))
    try:
        return await create_table(request, replace(setup_from_form(name, fields), guest=request.guest_name()))
    except (BadOption, Stale) as error:
        typed = {key: values[0] for key, values in fields.items() if key != "promise" or isinstance(error, BadOption)}
        return new_table_response(request, name, typed, error.text, getattr(error, "option", ""))


def setup_from_form(name: str, fields: Fields) -> commands.TableSetup:
    """The table that a form asks for; raises BadOption."""
    typed = {key.removeprefix("option-"): values[0] for key, values in fields.items() if key.startswith("option-")}
    options = {key: value for key, value in typed.items() if value.strip()}  # else it is as in the preset
    players = whole_number(fields.text("players"), 3)
    if players is None:
        raise BadOption(say("Choose how many people play."))
    values = read_options(definition(name).rules.OPTIONS, options)
    chosen = Game.at_table(name, players, fields.text("preset"), **values)
    chairs = [fields.text(f"seat-{number}").removeprefix("bot:") or OPEN for number in range(chosen.players)]
    screen = fields.text("screen")
    first = OPEN if screen == SCREEN_IS_THIS else commands.YOU
    sharing = [seat for seat, chair in enumerate(chairs) if seat and chair == commands.HERE]
    names = {seat: fields.text(f"name-{seat}") for seat in sharing}
    return commands.TableSetup(
        chosen,
        (first, *chairs[1:]),
        clock=fields.text("clock") or "none",
        watch=NOBODY if fields.text("watch") == "no" else ANYONE,
        hold=fields.flag("hold"),
        names=names,
        hints={"yes": True, "no": False}.get(fields.text("hints")),
        screen=screen in (SCREEN_IS_THIS, SCREEN_IS_ANOTHER),
        feedback=fields.flag("feedback"),
        **dict[str, Any]({name: fields.text(name) for name in TERMS}),
    )


async def create_table(request: SiteRequest, setup: commands.TableSetup) -> Response:
    """Create a table, and lead its creator there; raises BadOption, Stale or TooMany."""
    commands.checked(setup)
    token = await request.token_for_seat()
    table = await begin_table(request, setup, token)
    if commands.YOU not in setup.chairs:
        return request.redirect(f"/table/{table.id}/tv")
    request.registry.remember_holder(table.id, hashed(token), table.terms.host)
    answer = request.with_token_cookie(request.redirect(f"/table/{table.id}"), token)
    return answer if setup.name == request.guest_name() else request.with_name_cookie(answer, setup.name)
