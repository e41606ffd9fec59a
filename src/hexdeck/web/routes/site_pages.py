"""Pages that are no table: rules, example and PDF, settings, the installable app, problem reports; files and health.

A page that isn't in front asks now and then whose turn it is; a browser may be told of it while no page is open. A
problem report tells of a match what its reader knows: the position and the log as they were told. Names, addresses,
tokens and cookies are left out; so is whatever looks like one in what the browser says.
"""

import functools
import gzip
import hashlib
import json
import logging
import platform
import re
import secrets
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

import hexdeck
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.finding import SHARED, find_game, game_words
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.rulebook import steps
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, say, say_n
from hexdeck.engine.view import View
from hexdeck.simulation.game import Game
from hexdeck.tables import rows
from hexdeck.tables.entries import MESSAGES_KEPT, PLAYING, WAITING
from hexdeck.tables.errors import NoTable, NotYours, TableError
from hexdeck.tables.live import is_turn, turn_known
from hexdeck.tables.runner import ANSWERED, DAY, Retention
from hexdeck.web.html import pages, rendering
from hexdeck.web.html.rendering import PACES, THEMES, Site
from hexdeck.web.routes.new_table import deal_promise
from hexdeck.web.routes.requests import NO_STORE, SiteRequest
from hexdeck.web.server.push import SECRET, endpoint_of, is_point, unplain
from hexdeck.web.server.workshop import read_wish


# --- texts and settings -----------------------------------------------------------------------------------------------
async def rules(request: SiteRequest) -> Response:
    """The rules of a game."""
    name = find_game(request.path_params["game"])
    html = pages.rules(request.site(), name, deal_promise(request))
    return request.html_response(html, seats=True)


async def about(request: SiteRequest) -> Response:
    """The page about the site."""
    return request.html_response(pages.games_page("about.html", request.site(), version=hexdeck.__version__))


async def privacy(request: SiteRequest) -> Response:
    """The page about what is kept of people."""
    periods = kept_for(request.server.settings.keep)
    facts = {"kept": periods, "messages": MESSAGES_KEPT, "answers": round(ANSWERED / DAY)}  # days
    return request.html_response(pages.page("privacy.html", request.site(), **facts))


def kept_for(keep: Retention) -> tuple[Text, ...]:
    """For how long tables are kept, as sentences."""
    unused, days = ceil(keep.unused_hours), ceil(keep.days)
    finished = days if keep.finished_days is None else ceil(keep.finished_days)
    periods = [
        say_n(
            "A table where nobody has joined or moved is deleted after {n} hour.",
            "A table where nobody has joined or moved is deleted after {n} hours.",
            unused,
        ),
        say_n(
            "A table where nothing happens is deleted after {n} day.",
            "A table where nothing happens is deleted after {n} days.",
            days,
        ),
        say_n(
            "A table whose match is over is deleted after {n} day.",
            "A table whose match is over is deleted after {n} days.",
            finished,
        ),
    ]
    out = [period for period, length in zip(periods, (unused, days, finished), strict=True) if length]
    if not (days and finished):
        forever = say("Other tables stay until somebody deletes them.")
        out.append(forever if out else say("Tables stay until somebody deletes them."))
    return tuple(out)


async def settings(request: SiteRequest) -> Response:
    """Store language, theme, pace and whether bots' remarks are shown in cookies, and go back to the page."""
    fields = await request.read_form()
    back, lang, theme, pace, talk = (fields.text(name) for name in ("back", "lang", "theme", "pace", "remarks"))
    # leads to no other host
    is_own = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    answer = request.redirect(back if is_own else "/")
    choices = (
        ("lang", lang, LANGUAGES),
        ("theme", theme, THEMES),
        ("pace", pace, PACES),
        ("remarks", talk, ("on", "off")),
    )
    for name, value, allowed in choices:
        if value in allowed:
            request.set_cookie(answer, name, value)
    return answer


# --- files and metrics ------------------------------------------------------------------------------------------------
@functools.cache
def static_file(name: str) -> tuple[bytes, bytes, str] | None:
    """A static file, plain and gzipped, and its media type; None where there is none of that name."""
    file = rendering.find(name)
    return file and (file[0], gzip.compress(file[0], 9, mtime=0), file[1])


async def static(request: SiteRequest) -> Response:
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


async def healthz(request: SiteRequest) -> Response:
    """Whether this process can serve tables, and store what happens there, for load balancers and monitors."""
    well = await request.server.is_healthy()
    return JSONResponse({"ok": well, "version": hexdeck.__version__}, 200 if well else 503)


async def livez(_request: SiteRequest) -> dict[str, Any]:
    """Whether this process answers at all, for whoever starts it again if it doesn't."""
    return {"ok": True}


def is_keeper(request: SiteRequest) -> bool:
    """Whether the caller has the token for metrics."""
    token = request.server.settings.metrics_token
    return bool(token) and secrets.compare_digest(request.bearer_token.encode(), token.encode())


async def metrics(request: SiteRequest) -> Response:
    """The metrics, in Prometheus' text format, for the keeper of the server; raises NotYours.

    They count steps that players keep secret, and time what bots think: no player may see them.
    """
    if not is_keeper(request):
        raise NotYours(say("Metrics are only for whoever keeps this server: they need its token for metrics."))
    return PlainTextResponse(request.server.metrics.text(), media_type="text/plain; version=0.0.4")


# --- a game's worked example, and its PDF -----------------------------------------------------------------------------


async def example(request: SiteRequest) -> Response:
    """One step of a game's example, counted from 1."""
    name = find_game(request.path_params["game"])
    positions = steps(name, request.language())
    if not positions:
        raise NoTable(say("This game has no example to step through."))
    step = max(1, request.query_number("step", len(positions), 1))
    position, site = positions[step - 1], request.site(path=f"/rules/{name}/example?step={step}")
    html = pages.example(site, step, len(positions), position.view, position.passage)
    return request.html_response(html)


async def pdf(request: SiteRequest) -> Response:
    """A game's rules, cards, board and score sheets on A4, or on Letter (`?paper=letter`); 404 without the library.

    With options, as the workshop has them in its addresses, of a variant.
    """
    name, lang, variant = find_game(request.path_params["game"]), request.language(), None
    if not pages.PRINTS:
        raise HTTPException(404)
    if any(key.startswith("option-") or key == "players" for key in request.query_params):
        wish = read_wish(name, request.url.query)
        if wish.variant is None:
            raise BadOption(next(iter(wish.faults.values())))
        variant = wish.variant.game
    size = "letter" if request.query_params.get("paper") == "letter" else "a4"
    game = definition(name)
    document = await request.long_work(functools.partial(printed, game, lang, size, variant))
    caching = "no-store" if game.original else "private, max-age=3600"
    headers = {"content-disposition": f'inline; filename="{name}.pdf"', "cache-control": caching}
    return Response(document, media_type="application/pdf", headers=headers)


@functools.lru_cache(64)
def printed(game: GameDefinition, lang: str, size: str, variant: GameSetup | None = None) -> bytes:
    """The PDF of a game as it is now; a fork may change."""
    from hexdeck.web.paper import PARTS, document

    return document(game.name, lang, size, PARTS, variant)


FILES = ("style.css", "mark.svg", "offline.js")  # what the page without a connection needs
ICONS = (("icon-192.png", 192, "any"), ("icon-512.png", 512, "any"), ("icon-mask.png", 512, "maskable"))
NIGHT = "#0f1428"
NEVER_STALE = {"cache-control": "no-cache"}


def requested_language(request: SiteRequest) -> str:
    """The language of the query, else the reader's."""
    lang = request.query_params.get("lang", "")
    return lang if lang in LANGUAGES else request.language()


async def manifest(request: SiteRequest) -> Response:
    """The web app manifest."""
    prefix, lang = request.server.settings.prefix, requested_language(request)
    catalogue = Catalogue(lang, (SHARED,))
    icons = [
        {
            "src": f"{prefix}/{rendering.address(name)}",
            "sizes": f"{size}x{size}",
            "type": "image/png",
            "purpose": purpose,
        }
        for name, size, purpose in ICONS
    ]
    data = {
        "id": f"{prefix}/",
        "start_url": f"{prefix}/",
        "scope": f"{prefix}/",
        "lang": lang,
        "dir": "ltr",
        "name": "Hexdeck",
        "short_name": "Hexdeck",
        "description": catalogue.words(say("Card games to play with people and bots.")),
        "display": "standalone",
        "background_color": NIGHT,
        "theme_color": NIGHT,
        "categories": ["games"],
        "icons": icons,
        "shortcuts": [{"name": catalogue.words(say("My tables")), "url": f"{prefix}/tables", "icons": icons[:1]}],
    }
    return JSONResponse(data, headers=NEVER_STALE, media_type="application/manifest+json")


async def worker(request: SiteRequest) -> Response:
    """The service worker, which shows the offline page when there is no connection."""
    script = worker_script(request.server.settings.prefix, requested_language(request))
    return Response(script, media_type="text/javascript", headers=NEVER_STALE)


@functools.cache
def worker_script(prefix: str, lang: str) -> str:
    """The service worker's script; it changes whenever the files that it keeps do."""
    code = (rendering.FOLDER / "worker.js").read_text(encoding="utf-8")
    files = [f"{prefix}/{rendering.address(name)}" for name in FILES]
    page = pages.page("offline.html", Site(lang, prefix=prefix))
    digest = hashlib.sha256("\n".join([code, page, *files]).encode()).hexdigest()[:12]
    own = f"hexdeck {prefix}/ "
    constants = {
        "prefix": own,
        "kept": f"{own}{lang} {digest}",
        "page": f"{prefix}/offline?lang={lang}",
        "files": files,
        "call": Catalogue(lang, (SHARED,)).words(say("It's your turn.")),
        "picture": f"{prefix}/{rendering.address(ICONS[0][0])}",
    }
    return f"const SITE = {json.dumps(constants)};\n{code}"


async def turn(request: SiteRequest) -> dict[str, Any]:
    """Whether it is the reader's turn, for a page that isn't in front; and whether the match is over.

    Whoever asks doesn't look: their first clock waits on.
    """
    holder = await request.find_holder(request.table_id)
    async with request.registry.reading(request.table_id) as table:
        await request.assert_may_watch(table, holder)
        over = table.state not in (WAITING, PLAYING)
        return {"turn": is_turn(table, holder), "over": over}


async def push(request: SiteRequest) -> Response:
    """The reader's browser wants to be told of their turns while no page is open, or no more (`on` is "no")."""
    fields, holder, server = await request.read_form(), await request.require_holder(), request.server
    if not server.calls.public_key:
        raise NoTable(say("This server sends no messages."))
    address = fields.text("endpoint")
    endpoint_of(address, server.settings.push)
    browser = hashlib.sha256(address.encode()).hexdigest()
    if fields.text("on") == "no":
        await server.registry.run_job(rows.unsubscribe, browser)
        return Response(status_code=204)
    try:
        public, secret = (unplain(fields.text(name)[:100]) for name in ("p256dh", "auth"))
    except ValueError:
        public = secret = b""
    if not is_point(public) or len(secret) != SECRET:
        raise TableError(say("Your browser sent no keys that messages can be encrypted with."))
    is_plain = re.fullmatch(r"https://[A-Za-z0-9.:-]{1,200}(/[\w~.-]{1,40})*", request.site_address)
    site = request.site_address if is_plain else ""  # which the push service is told
    row = {"browser": browser, "seat": holder, "endpoint": address, "site": site, "made": request.now}
    async with server.registry.reading(request.table_id) as table:
        row |= {"public": public, "secret": secret} | {"table": table.id, "told": turn_known(table, holder)}
    await server.registry.run_job(rows.subscribe, row)
    return Response(status_code=204)


async def offline(request: SiteRequest) -> Response:
    """The offline page."""
    site = request.site(path="/", lang=requested_language(request))
    return request.html_response(pages.page("offline.html", site))


LOG = logging.getLogger("hexdeck.web")


LONGEST = 400  # letters of what a browser says of itself, or of a fault
LAST_LINES = 500  # of the log that a problem report has
TELLING = re.compile(r"(?:https?|blob|file):\S*|/(?:join|carry|table|replay|tables)/\S*|[\w-]{20,}")
NAMING = "name", "other"  # what names are called in the log


async def problem_of_site(request: SiteRequest) -> Response:
    """A problem report where no table is concerned."""
    return problem_response(request, ["table: none"], "/problem")


async def problem_at_table(request: SiteRequest) -> Response:
    """A problem report with the table as its reader knows it; one that can't be told of keeps nobody from reporting."""
    try:
        async with request.reading_as_viewer() as (table, seat):
            make = functools.partial(table_facts, table.state, table.version_for(seat), table.game, table.view(seat))
        lines = await request.long_work(make, request.table_id)
    except Exception as error:
        LOG.warning("a problem report without its table", exc_info=error)
        lines = [f"table: can't be told of ({type(error).__name__})"]
    return problem_response(request, lines, f"/table/{request.path_params['table']}/problem")


def problem_response(request: SiteRequest, table: list[str], path: str) -> Response:
    """A problem report as a page, or as a file if that is asked for; in English, for whoever mends it."""
    fault, site = request.query_params.get("fault", ""), request.site(path=path)
    head = {
        "hexdeck": hexdeck.__version__,
        "Python": f"{platform.python_version()} on {platform.system()}",
        "browser": without_secrets(request.headers.get("user-agent", "")),
        "language": request.site(path="/").lang,
        "time": datetime.fromtimestamp(request.now, UTC).isoformat(timespec="seconds"),
        "fault": without_secrets(fault),
    }
    text = "\n".join([*(f"{name}: {value or 'not said'}" for name, value in head.items()), *table]) + "\n"
    if "file" in request.query_params:
        headers = {"content-disposition": 'attachment; filename="hexdeck-problem.txt"', **NO_STORE}
        return Response(text, media_type="text/plain", headers=headers)
    back = path.removesuffix("/problem") or "/"
    html = pages.page("problem.html", site, text=text, back_to=back, fault=fault[:LONGEST])
    return request.html_response(html, secret=True)


def without_secrets(text: str) -> str:
    """What a browser said, on one line, without addresses and whatever is long enough to be a token."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text[: 4 * LONGEST])
    return TELLING.sub("…", plain)[:LONGEST].strip()


def table_facts(state: str, version_seen: int, game: Game, view: View) -> list[str]:
    """A table in lines: what it is, the last of the log and the position as a view has them, and both as data.

    What people call themselves, which some lines of the log tell, is left out.
    """
    before, log = max(0, len(view.log) - LAST_LINES), list[Text]()
    for text in view.log[before:]:
        blanks = {key: "…" for key in NAMING if isinstance(text.args.get(key), str)}
        log.append(replace(text, args={**text.args, **blanks}))
    view = replace(view, names=(), log=tuple(log))
    version, options = int(game.definition.struct_version), json.dumps(dict(game.options))
    eyes = "no seat" if view.seat < 0 else f"seat {view.seat}"
    return [
        f"game: {view.game}, version {version}, {view.players} players, {options}",
        f"table: {state}, version {version_seen}, ply {view.ply}, as {eyes} knows it",
        "",
        f"The log, without the first {before} lines:" if before else "The log:",
        *(f"  {game_words(view.game, 'en').words(text)}" for text in view.log),
        "",
        "The position:",
        *(f"  {line}" for line in view.text().splitlines()),
        "",
        "Both as data:",
        json.dumps(view.data(), ensure_ascii=False),
    ]
