"""Pages that are no table: the start, setting a table, rules, settings; files and measures."""

from __future__ import annotations

import functools
import gzip

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

import hexdeck
from hexdeck.bots.players.levels import label, levels_of, usual
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, Text, say
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.keys import hashed
from hexdeck.tables.model.live import ANYONE, NOBODY
from hexdeck.tables.model.seats import OPEN
from hexdeck.tables.service import new_tables
from hexdeck.tables.service.registry import fresh_secret
from hexdeck.web.html import assets, pages
from hexdeck.web.html.page_models import THEMES, AboutPage, Level, NewPage, Promised, RulesPage, StartPage
from hexdeck.web.live.server_state import alive, first, form, place_of, site, token_to_hold
from hexdeck.web.routes.answers import go, html, keep, with_token
from hexdeck.web.routes.my_seats import my_tables


async def home(request: Request) -> Response:
    """The first page."""
    waiting = sum(line.goes_on for line in await my_tables(request))
    return html(request, pages.start(StartPage(site(request), promised(request), waiting)))


async def play(request: Request) -> Response:
    """A table at once: you and bots."""
    fields = await form(request)
    learn = first(fields, "learn")
    wish = new_tables.against_bots(
        Game.at_table(learn or first(fields, "game") or "nothing"), first(fields, "name"), coach=bool(learn),
        given=first(fields, "contribution"), promise=first(fields, "promise"),
    )  # fmt: skip
    try:
        return await _created(request, wish)
    except Stale as stale:
        waiting = sum(line.goes_on for line in await my_tables(request))
        shown = site(request, stale.text, "/")
        return html(request, pages.start(StartPage(shown, promised(request), waiting)), stale.status)


def promised(request: Request, ticket: str = "") -> Promised:
    """What the tables of a form are promised: a new promise, or that of a ticket that is still good."""
    hall = place_of(request).hall
    try:
        found = hall.promise(ticket)
    except Stale:
        found = hall.promise()
    return Promised(found.ticket, found.hash)


async def new_table(request: Request) -> Response:
    """Setting a table."""
    return new_page(request, find_game(request.path_params["game"]), dict(request.query_params), None)


def new_page(request: Request, name: str, given: dict[str, str], notice: Text | None) -> Response:
    """The form for a table, with what was given and why it was refused."""
    low, high = definition(name).rules.PLAYERS
    wanted = given.get("players", "")
    players = min(max(int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 3 else 4, low), high)
    table = Game.at_table(name, players)
    page = NewPage(site(request, notice, f"/new/{name}"), name, players, levels(table),
                   promised(request, given.get("promise", "")), usual(table), given)  # fmt: skip
    return html(request, pages.new_table(page), 400 if notice else 200)


def levels(chosen: Game) -> tuple[Level, ...]:
    """The bots that a seat can be given to, with what was measured of each."""
    return tuple(Level(level, label(chosen, level)) for level in levels_of(chosen))


async def create(request: Request) -> Response:
    """Set a table as the form says."""
    fields = await form(request)
    name = find_game(first(fields, "game"))
    try:
        return await _created(request, wished(name, fields))
    except (BadOption, Stale) as error:
        given = {key: values[0] for key, values in fields.items() if key != "promise" or isinstance(error, BadOption)}
        return new_page(request, name, given, error.text)


def wished(name: str, fields: dict[str, list[str]]) -> new_tables.Wish:
    """The table that a form asks for; raises BadOption."""
    options = {key.removeprefix("option-"): values[0] for key, values in fields.items() if key.startswith("option-")}
    players = first(fields, "players")
    if not (players.isascii() and players.isdecimal() and len(players) < 4):
        raise BadOption(say("Say how many play."))
    chosen = new_tables.chosen_game(name, int(players), options)
    chairs = [first(fields, f"seat-{number}").removeprefix("bot:") or OPEN for number in range(chosen.players)]
    watch = NOBODY if first(fields, "watch") == "no" else ANYONE
    here = [seat for seat, chair in enumerate(chairs) if seat and chair == new_tables.HERE]
    names = {seat: first(fields, f"name-{seat}") for seat in here}
    return new_tables.Wish(
        chosen, (new_tables.YOU, *chairs[1:]), first(fields, "name"), first(fields, "clock") or "none", watch,
        first(fields, "lang"),
        hold=first(fields, "hold") == "yes", given=first(fields, "contribution"), names=names,
        hints={"yes": True, "no": False}.get(first(fields, "hints")), promise=first(fields, "promise"),
    )  # fmt: skip


async def _created(request: Request, wish: new_tables.Wish) -> Response:
    place = place_of(request)
    new_tables.checked(wish)
    await place.allow_table(request)
    token = await token_to_hold(request)
    table = await new_tables.create(place.hall, wish, fresh_secret(), hashed(token))
    place.hall.held(table.id, hashed(token), table.terms.host)
    return with_token(request, go(request, f"/table/{table.id}"), token)


async def rules(request: Request) -> Response:
    """The rules of a game."""
    name = find_game(request.path_params["game"])
    return html(request, pages.rules(RulesPage(site(request), name, promised(request))))


async def about(request: Request) -> Response:
    """About the site."""
    return html(request, pages.about(AboutPage(site(request), hexdeck.__version__)))


async def settings(request: Request) -> Response:
    """Language and theme, kept in cookies."""
    fields = await form(request)
    back, lang, theme = first(fields, "back"), first(fields, "lang"), first(fields, "theme")
    answer = go(
        request, back if back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable() else "/"
    )
    if lang in LANGUAGES:
        keep(request, answer, "lang", lang)
    if theme in THEMES:
        keep(request, answer, "theme", theme)
    return answer


# --- files and measures -----------------------------------------------------------------------------------------------
@functools.cache
def static_file(name: str) -> tuple[bytes, bytes, str] | None:
    """A file for good, plain and packed, and its media type."""
    found = assets.find(name)
    if found is None:
        return None
    plain = found[0]
    return plain, gzip.compress(plain, 9, mtime=0), found[1]


async def static(request: Request) -> Response:
    """A file whose address changes with its contents."""
    found = static_file(request.path_params["name"]) if len(request.path_params["name"]) < 80 else None
    if found is None:
        raise NoTable(say("There is no such file."))
    plain, packed, media = found
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, media_type=media, headers={**headers, "content-encoding": "gzip"})
    return Response(plain, media_type=media, headers=headers)


async def healthz(request: Request) -> Response:
    """Whether this process can serve tables."""
    well = await alive(place_of(request))
    return JSONResponse({"ok": well, "version": hexdeck.__version__}, 200 if well else 503)


async def metrics(request: Request) -> Response:
    """What is counted and measured."""
    return PlainTextResponse(place_of(request).metrics.text(), media_type="text/plain; version=0.0.4")
