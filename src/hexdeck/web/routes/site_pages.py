"""Pages that are no table: the start page, the form for a new table, rules, settings; also files and metrics."""

from __future__ import annotations

import functools
import gzip
import secrets
from dataclasses import replace
from math import ceil

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

import hexdeck
from hexdeck.bots.players.levels import usual_bot
from hexdeck.bots.players.manners import choices
from hexdeck.engine.discovery.definition import definition, first_game
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, Text, say, say_n
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import NoTable, NotYours, Stale
from hexdeck.tables.keys import hashed
from hexdeck.tables.model.entries import ANYONE, NOBODY
from hexdeck.tables.model.seats import OPEN
from hexdeck.tables.service import new_tables
from hexdeck.tables.service.keeping import ANSWERED, DAY, Keep
from hexdeck.tables.storage.messages import MOST_KEPT
from hexdeck.web import paper
from hexdeck.web.html import assets, pages
from hexdeck.web.html.page_models import (
    PACES,
    THEMES,
    AboutPage,
    DealPromise,
    Level,
    NewPage,
    PrivacyPage,
    RulesPage,
    StartPage,
)
from hexdeck.web.html.tomorrow.models import DONE
from hexdeck.web.requests.bearer import bearer_token
from hexdeck.web.requests.forms import Fields, first_value, read_form
from hexdeck.web.requests.identity import reader, token_for_seat
from hexdeck.web.requests.site import site_of
from hexdeck.web.requests.target import server_of
from hexdeck.web.routes.answers import (
    guest_name,
    html_response,
    redirect,
    set_cookie,
    with_name_cookie,
    with_token_cookie,
)
from hexdeck.web.routes.beginning import begin_table
from hexdeck.web.routes.my_seats import my_tables
from hexdeck.web.routes.tomorrow.today import my_deals

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
    page = StartPage(site, deal_promise(request), waiting, dealt)
    return html_response(request, pages.start(page), refused.status if refused else 200)


async def play(request: Request) -> Response:
    """Create a table with bots on all other seats."""
    fields = await read_form(request)
    learn = first_value(fields, "learn")
    game = find_game(learn or first_value(fields, "game"))
    setup = new_tables.against_bots(
        Game.at_table(game, preset=first_game(game) if learn else ""), name_of_creator(request, fields),
        coach=bool(learn), contribution=first_value(fields, "contribution"), promise=first_value(fields, "promise"),
    )  # fmt: skip
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
        found = registry.promise(ticket)
    except Stale:
        found = registry.promise()
    return DealPromise(found.ticket, found.hash)


# --- a new table ------------------------------------------------------------------------------------------------------
async def new_table(request: Request) -> Response:
    """The form for a new table."""
    given = {"name": reader(request).name} | dict(request.query_params)
    return new_table_response(request, find_game(request.path_params["game"]), given, None)


def new_table_response(request: Request, name: str, given: dict[str, str], notice: Text | None) -> Response:
    """The form for a new table, with what was given, and why it was refused."""
    low, high = definition(name).rules.PLAYERS
    wanted = given.get("players", "")
    is_number = wanted.isascii() and wanted.isdecimal() and len(wanted) < 3
    players = min(max(int(wanted) if is_number else USUAL_PLAYERS, low), high)
    game = Game.at_table(name, players)
    site, promise = site_of(request, notice, f"/new/{name}"), deal_promise(request, given.get("promise", ""))
    page = NewPage(site, name, players, bot_levels(game), promise, usual_bot(game), given)
    return html_response(request, pages.new_table(page), 400 if notice else 200)


def bot_levels(game: Game) -> tuple[Level, ...]:
    """The bots that a seat can be given to, with how well each plays."""
    return tuple(Level(name, label) for name, label in choices(game).items())


async def create(request: Request) -> Response:
    """Create a table as the form says."""
    fields = await read_form(request)
    name = find_game(first_value(fields, "game"))
    try:
        return await create_table(request, replace(setup_from_form(name, fields), guest=guest_name(request)))
    except (BadOption, Stale) as error:
        given = {key: values[0] for key, values in fields.items() if key != "promise" or isinstance(error, BadOption)}
        return new_table_response(request, name, given, error.text)


def setup_from_form(name: str, fields: Fields) -> new_tables.TableSetup:
    """The table that a form asks for; raises BadOption."""
    typed = {key.removeprefix("option-"): values[0] for key, values in fields.items() if key.startswith("option-")}
    options = {key: value for key, value in typed.items() if value.strip()}  # else it is as in the preset
    players = first_value(fields, "players")
    if not (players.isascii() and players.isdecimal() and len(players) < 4):
        raise BadOption(say("Choose how many people play."))
    chosen = new_tables.typed_game(name, int(players), first_value(fields, "preset"), options)
    chairs = [first_value(fields, f"seat-{number}").removeprefix("bot:") or OPEN for number in range(chosen.players)]
    watch, screen = NOBODY if first_value(fields, "watch") == "no" else ANYONE, first_value(fields, "screen")
    first = OPEN if screen == SCREEN_IS_THIS else new_tables.YOU
    here = [seat for seat, chair in enumerate(chairs) if seat and chair == new_tables.HERE]
    names = {seat: first_value(fields, f"name-{seat}") for seat in here}
    return new_tables.TableSetup(
        chosen, (first, *chairs[1:]), first_value(fields, "name"), first_value(fields, "clock") or "none",
        watch, first_value(fields, "lang"), hold=first_value(fields, "hold") == "yes",
        contribution=first_value(fields, "contribution"), names=names,
        hints={"yes": True, "no": False}.get(first_value(fields, "hints")), promise=first_value(fields, "promise"),
        screen=screen in (SCREEN_IS_THIS, SCREEN_IS_ANOTHER), feedback=first_value(fields, "feedback") != "no",
    )  # fmt: skip


async def create_table(request: Request, setup: new_tables.TableSetup) -> Response:
    """Create a table, and lead its creator there; raises BadOption, Stale or TooMany."""
    new_tables.checked(setup)
    token = await token_for_seat(request)
    table = await begin_table(request, setup, token)
    if new_tables.YOU not in setup.chairs:
        return redirect(request, f"/table/{table.id}/tv")
    server_of(request).registry.remember_holder(table.id, hashed(token), table.terms.host)
    answer = with_token_cookie(request, redirect(request, f"/table/{table.id}"), token)
    return answer if setup.name == guest_name(request) else with_name_cookie(request, answer, setup.name)


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
    kept = kept_for(server_of(request).settings.keep)
    return html_response(request, pages.privacy(PrivacyPage(site_of(request), kept, MOST_KEPT, round(ANSWERED / DAY))))


def kept_for(keep: Keep) -> tuple[Text, ...]:
    """For how long tables are kept, as sentences."""
    finished, out = keep.days if keep.finished_days is None else keep.finished_days, list[Text]()
    if keep.unused_hours:
        out.append(say_n("A table where nobody has joined or moved is deleted after {n} hour.",
                         "A table where nobody has joined or moved is deleted after {n} hours.",
                         ceil(keep.unused_hours)))  # fmt: skip
    if keep.days:
        out.append(say_n("A table where nothing happens is deleted after {n} day.",
                         "A table where nothing happens is deleted after {n} days.", ceil(keep.days)))  # fmt: skip
    if finished:
        out.append(say_n("A table whose match is over is deleted after {n} day.",
                         "A table whose match is over is deleted after {n} days.", ceil(finished)))  # fmt: skip
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
    found = assets.find(name)
    if found is None:
        return None
    plain = found[0]
    return plain, gzip.compress(plain, 9, mtime=0), found[1]


async def static(request: Request) -> Response:
    """A file that browsers keep for good, since its address changes with its contents."""
    name = request.path_params["name"]
    found = static_file(name) if len(name) < 80 else None
    if found is None:
        raise NoTable(say("There is no such file."))
    plain, packed, media = found
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
