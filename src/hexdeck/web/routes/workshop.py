"""The addresses of the workshop: its pages, a stream of figures, what is shared, a table of a variant."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.responses import Response, StreamingResponse

from hexdeck.bots.players.levels import levels_of, usual_bot
from hexdeck.engine.discovery.finding import find_game, places
from hexdeck.engine.text import Text, card_names, say
from hexdeck.lab.sharing import SharedVariant, from_file, from_link
from hexdeck.lab.workshop import Inquiry
from hexdeck.simulation.game import Game
from hexdeck.tables import commands
from hexdeck.tables.errors import NoTable, Stale, TooMany
from hexdeck.web.html import pages
from hexdeck.web.html import workshop as page
from hexdeck.web.html.rendering import Site
from hexdeck.web.routes.new_table import create_table, deal_promise, name_of_creator
from hexdeck.web.routes.requests import SiteRequest
from hexdeck.web.server.middleware import is_loopback, plain_address
from hexdeck.web.server.state import server_sent_event
from hexdeck.web.server.workshop import (
    FigureJob,
    Look,
    TuneWish,
    Wish,
    Workshop,
    read_tune_wish,
    read_wish,
    shared_wish,
)

PROXIES = {"forwarded", "via", "x-real-ip"}  # headers that only a proxy adds, as are all x-forwarded-…
PATIENCE = 2.5  # seconds in which the first figures are waited for, without a script
LINGERS = 9.0  # seconds for which they are measured on; the page asks again sooner
HEARTBEAT_EVERY = 20.0  # seconds


def workshop_of(request: SiteRequest, name: str = "") -> Workshop:
    """The workshop of the server, that of drafts for a fork whose rules change; raises NoTable where it is closed."""
    if not request.server.settings.workshop:
        raise NoTable(say("The workshop is closed on this server; whoever keeps it can open it with --workshop on."))
    workshop: Workshop = request.app.state.drafts if is_draft(request, name) else request.app.state.workshop
    return workshop


def may_write(request: SiteRequest) -> bool:
    """Whether the caller may fork games and write rules: on this computer, where the server was begun so.

    Its own name in the address, too: a page whose name leads here only since it was loaded (DNS rebinding) has another.
    """
    forwarded = any(name in PROXIES or name.startswith("x-forwarded-") for name in request.headers)
    address = plain_address(request.client.host if request.client else "")
    is_here = address is not None and address.is_loopback and is_loopback(f"http://{request.headers.get('host', '')}")
    return bool(request.server.settings.forks) and is_here and not forwarded


def is_draft(request: SiteRequest, name: str) -> bool:
    """Whether a game is a fork whose rules are written here: no link to a folder elsewhere."""
    location = places().get(name)
    folder = request.server.settings.forks
    return location is not None and folder != "" and location.folder.resolve().parent == Path(folder).resolve()


def english(request: SiteRequest, *how: Any, **more: Any) -> Site:
    """What pages are made with; the workshop is in English alone, as reports are."""
    return replace(request.site(*how, **more), lang="en")


async def games(request: SiteRequest) -> Response:
    """The page where a game is chosen."""
    workshop_of(request)
    return request.html_response(pages.games_page("workshop_games.html", english(request)))


async def workshop(request: SiteRequest) -> Response:
    """The page of a game. Without a script, Measure asks for figures, and the page asks again until they are in."""
    wish = wish_of(request)
    return await shown(request, wish)


async def shown(
    request: SiteRequest,
    wish: Wish,
    draft: page.RuleDraft | None = None,
    notice: Text | None = None,
    status: int = 200,
    fork: tuple[str, str] = ("", ""),
) -> Response:
    """The page of a wish; `draft`: a function that was written, with what is wrong with it; `fork`: a name, as well."""
    site_workshop = workshop_of(request, wish.name)
    measured = "measure" in request.query_params and wish.variant is not None
    query = request.url.query if request.method == "GET" else wish.query()
    site = english(request, notice, path=f"/workshop/{wish.name}{'?' * bool(query)}{query}")
    if measured:
        site = await measured_without_script(request, site_workshop, wish, site)
        status = 429 if site.notice else status
    if draft is None and may_write(request) and is_draft(request, wish.name):
        draft = page.RuleDraft(request.query_params.get("rule", ""))
    unprintable = lacking_on_paper(wish.name) if draft else ""
    html = page.workshop_page(
        site,
        wish,
        jobs_of(site_workshop, wish.asked),
        deal_promise(request),
        measured=measured,
        draft=draft,
        forks=may_write(request),
        fork=fork,
        unprintable=unprintable,
    )
    return request.html_response(html, 400 if wish.faults else status, seats=True)


def lacking_on_paper(game: str) -> str:
    """The signs in the names of a game's cards that can't be printed; none where nothing is printed."""
    names = card_names(places()[game].folder / "locale")
    try:
        from hexdeck.web.paper import lacking  # it is an extra, and its library is large
    except ImportError:
        return ""
    return lacking("".join(names.values())) if names else ""


async def tune(request: SiteRequest) -> Response:
    """The page that tunes a variant; what it is to find stands in its address once Tune was pressed."""
    wish, query, asks = tune_wish_of(request), request.url.query, "measure" in request.query_params
    site_workshop = workshop_of(request, wish.base.name)
    site = english(request, path=f"{request.url.path}{'?' * bool(query)}{query}")
    measured, fault = asks and wish.fault is None, wish.fault if asks or wish.base.faults else None
    if measured:
        site = await measured_without_script(request, site_workshop, wish, site)
    jobs, promise = jobs_of(site_workshop, wish.asked), deal_promise(request)
    html = page.tune_page(site, wish, jobs, promise, measured=measured, fault=fault)
    return request.html_response(html, 400 if fault else 429 if site.notice else 200, seats=True)


async def measured_without_script(
    request: SiteRequest, site_workshop: Workshop, wish: Wish | TuneWish, site: Site
) -> Site:
    """Measure until there are first figures, and a little longer; the site with a notice where it is full."""
    try:
        await measured_a_while(site_workshop, wish.asked, request.address)
    except TooMany as full:
        return english(request, full.text, site.path)
    return site


async def measured_a_while(site_workshop: Workshop, inquiries: Sequence[Inquiry], address: str) -> None:
    """Measure until there are first figures, and a little longer; raises TooMany."""
    look = site_workshop.begin(inquiries, address)
    site_workshop.linger(look, LINGERS)
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            while not all(job.has_news for job in jobs_of(site_workshop, inquiries)):
                look.news.clear()
                await look.news.wait()


def wish_of(request: SiteRequest) -> Wish:
    """What the address asks for; raises UnknownGame."""
    return read_wish(find_game(request.path_params["game"]), request.url.query)


def tune_wish_of(request: SiteRequest) -> TuneWish:
    """What the address of a tuning asks for; raises UnknownGame."""
    return read_tune_wish(find_game(request.path_params["game"]), request.url.query)


def jobs_of(site_workshop: Workshop, inquiries: Sequence[Inquiry]) -> list[FigureJob]:
    """What is known of what is asked."""
    return [site_workshop.jobs.get(inquiry.key, FigureJob()) for inquiry in inquiries]


# --- sharing ----------------------------------------------------------------------------------------------------------
def measured_now(request: SiteRequest) -> SharedVariant:
    """The variant that the address asks for, with the figures that are there; raises NoTable where there are none."""
    wish = wish_of(request)
    site_workshop = workshop_of(request, wish.name)
    figures = jobs_of(site_workshop, wish.asked)[0].figures if wish.asked else None
    if figures is None:
        raise NoTable(say("There are no figures of this variant here; measure it in the workshop first."))
    return SharedVariant.of(wish.asked[0], figures)


async def share(request: SiteRequest) -> Response:
    """To the page whose address is the link to a variant with its figures."""
    return request.redirect(f"/shared?it={measured_now(request).token}")


async def file(request: SiteRequest) -> Response:
    """A variant with its figures, as a file."""
    shared = measured_now(request)
    headers = {"content-disposition": f'attachment; filename="{shared.inquiry.game.name}-variant.json"'}
    return Response(shared.text, media_type="application/json", headers=headers)


async def shared(request: SiteRequest) -> Response:
    """The page of a shared variant, which can make the figures again; without one, the form that opens a file."""
    workshop_of(request)
    token = request.query_params.get("it", "")
    if not token:
        return request.html_response(pages.page("workshop_shared.html", english(request), shared=None, waits=False))
    variant, status = from_link(token), 200
    site, job = english(request, path=f"/shared?it={variant.token}"), None
    if "again" in request.query_params:
        try:
            site_workshop = workshop_of(request, variant.inquiry.game.name)
            await measured_a_while(site_workshop, [variant.again], request.address)
            job = jobs_of(site_workshop, [variant.again])[0]
        except TooMany as full:
            site, status = english(request, full.text, site.path), full.status
    html = page.shared_page(site, shared_wish(variant.inquiry), variant, job, deal_promise(request))
    return request.html_response(html, status, seats=True)


async def open_file(request: SiteRequest) -> Response:
    """To the page of the variant in a file."""
    workshop_of(request)
    fields = await request.read_form()
    return request.redirect(f"/shared?it={from_file(fields.text('text')).token}")


# --- figures as they come in ------------------------------------------------------------------------------------------
async def stream(request: SiteRequest) -> Response:
    """Figures as they come in, until they are as certain as they get or the page is left."""
    wish, site = wish_of(request), english(request, path="/")
    variant = wish.variant
    form = {
        "faults": {name: str(why) for name, why in wish.faults.items()},  # by field
        "changed": list(variant.changed) if variant else [],
        "query": wish.query() if variant else "",
    }
    begin = server_sent_event("form", json.dumps(form))
    return streamed(request, wish.name, wish, lambda jobs: page.figures_part(site, wish, jobs), begin)


async def tune_stream(request: SiteRequest) -> Response:
    """How far a tuning is, and what it found."""
    wish, site = tune_wish_of(request), english(request, path="/")
    return streamed(request, wish.base.name, wish, lambda jobs: page.front_part(site, wish, jobs))


Part = Callable[[list[FigureJob]], str]  # the part of the page that changes, of what is known


def streamed(request: SiteRequest, name: str, wish: Wish | TuneWish, part: Part, *begin: bytes) -> Response:
    """What is known of what is asked as it comes in, after what the stream begins with."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    frames = events(workshop_of(request, name), wish, part, request.address, begin)
    return StreamingResponse(frames, 200, headers, "text/event-stream")


async def events(
    site_workshop: Workshop, wish: Wish | TuneWish, part: Part, address: str, begin: Sequence[bytes]
) -> AsyncIterator[bytes]:
    """What the stream begins with, the part whenever there is something new in it, and the end."""
    for event in begin:
        yield event
    if wish.asked:
        try:
            with site_workshop.looking(wish.asked, address) as look:
                async for event in figures(site_workshop, wish, part, look):
                    yield event
        except TooMany as full:
            yield server_sent_event("full", json.dumps(str(full.text)))
    yield server_sent_event("done", "{}")


async def figures(site_workshop: Workshop, wish: Wish | TuneWish, part: Part, look: Look) -> AsyncIterator[bytes]:
    """The part until nothing more is found, or the workshop is closed."""
    while not look.ended:
        look.news.clear()
        jobs = jobs_of(site_workshop, wish.asked)
        yield server_sent_event("figures", part(jobs))
        if all(job.done for job in jobs):
            return
        while not look.news.is_set():
            try:
                await asyncio.wait_for(look.news.wait(), HEARTBEAT_EVERY)
            except TimeoutError:
                yield b": still here\n\n"


# --- a table of a variant ---------------------------------------------------------------------------------------------
async def play(request: SiteRequest) -> Response:
    """Set up a table of a variant, with its bots on the other seats."""
    workshop_of(request)
    fields, name = await request.read_form(), find_game(request.path_params["game"])
    query = fields.text("variant")
    variant = read_wish(name, query).variant
    if variant is None:
        return request.redirect(f"/workshop/{name}?{query}")
    game = Game.named(name, variant.game.players, **variant.game.options)
    # the levels of play stay, the quick bots are what tables usually have
    bots = [bot if bot in levels_of(game) else usual_bot(game) for bot in variant.bots[1:]]
    setup = commands.TableSetup(
        game,
        (commands.YOU, *bots),
        name_of_creator(request, fields),
        promise=fields.text("promise"),
        guest=request.guest_name(),
    )
    try:
        return await create_table(request, setup)
    except Stale as refused:  # the promise of these cards was used before
        site, wish = request.site(refused.text, f"/workshop/{name}"), read_wish(name, query)
        html = page.workshop_page(site, wish, [], deal_promise(request), measured=False)
        return request.html_response(html, refused.status)
