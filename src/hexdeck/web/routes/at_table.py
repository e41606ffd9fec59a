"""A table in the browser: its page, its stream, and what the forms on its page do.

The way of a move to everybody's pages: `move` reads the form and finds the seat of the cookie (`requests.py`);
`TableRegistry.change` drafts, stores and adopts the move, then calls `ServerState._table_changed`, which wakes the
table's streams; each stream sends its reader's page anew (`presenters.stream_frame`).
"""

from time import perf_counter

from starlette.responses import Response

from hexdeck.engine.errors import IllegalMove
from hexdeck.engine.text import Text, say
from hexdeck.tables import chat, commands, live
from hexdeck.tables.entries import Draft
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.live import LiveTable
from hexdeck.web.html.rendering import Site, build
from hexdeck.web.html.table_page import ABOUT, spoken
from hexdeck.web.routes import presenters
from hexdeck.web.routes.new_table import begin_rematch
from hexdeck.web.routes.replays import recorder
from hexdeck.web.routes.requests import NO_STORE, Answer, Fields, SiteRequest, whole_number
from hexdeck.web.server.state import StreamFrame, StreamResponse, server_sent_event

EVENTS = "text/event-stream; charset=utf-8"


def heartbeat() -> bytes:
    """What a page's stream sends without news; by it a page that is open across an upgrade notices that it is old."""
    return server_sent_event("beat", build())


# --- the page ---------------------------------------------------------------------------------------------------------
async def table(request: SiteRequest) -> Response:
    """The page of a table, as its reader sees it."""
    async with request.reading_as_holder() as (live_table, seat):
        return request.table_response(live_table, seat)


async def stream(request: SiteRequest) -> StreamResponse:
    """The main part of a table's page, sent whenever it has changed, until the seat goes to another person."""
    async with request.reading_as_holder() as (table, seat):
        request.server.start_first_clock(table, seat)
        site, freed = request.table_site(table), table.freed(seat)
    return page_stream(request, site, seat, freed)


def page_stream(request: SiteRequest, site: Site, seat: int, freed: int, *, screen: bool = False) -> StreamResponse:
    """The page of a seat's holder (-1: the public), which had been freed so often; `screen`: one that all look at."""
    server, id = request.server, request.table_id

    async def frame(since: int) -> StreamFrame:
        live_table = server.registry.tables.get(id) if seat < 0 else None
        earlier = presenters.kept_frame(server, live_table, site, since, screen=screen) if live_table else None
        if earlier is not None:
            return earlier
        async with server.registry.reading(id, newest=False) as table:
            table.assert_held(seat, freed)
            return presenters.stream_frame(server, table, seat, site, since, screen=screen)

    opened = server.streams.open(id, seat, request.address, live.PACES[site.pace], screen=screen)
    return StreamResponse(server.streams, opened, frame, EVENTS, heartbeat(), server.metrics.frames.inc)


async def record(request: SiteRequest) -> Response:
    """The record of a match that is over, as a file."""
    async with request.reading_as_viewer() as (table, _):
        headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.json"', **NO_STORE}
        record = recorder(table)
    text = await request.long_work(lambda: record().text(), request.table_id)
    return Response(text + "\n", media_type="application/json", headers=headers)


# --- moves ------------------------------------------------------------------------------------------------------------
async def move(request: SiteRequest) -> Response:
    """Make a move, given by its name or by the cards that are played together."""
    began, server = perf_counter(), request.server
    fields, seat = await request.read_form(), await request.require_player()
    if fields.text("seat") not in ("", str(seat)):  # the page of whoever had a shared device before
        raise Stale(say("The table has moved on; look again."))
    version, name, cards = fields.version, fields.text("move"), fields.get("card", [])

    def draft(table: LiveTable) -> Draft:
        commands.assert_open(table, seat, local=False)
        together = None if name else live.find_move(table.view(seat), "", cards)
        if not name and together is None:
            raise IllegalMove(say("These cards can't be played together now."))
        return commands.move(seat, together.name if together else name, version, request.now)(table)

    await server.registry.change(request.table_id, draft)
    server.metrics.acknowledged.observe(perf_counter() - began)
    return request.back_to_table()


async def retract(request: SiteRequest) -> Response:
    """Take back a choice while others still choose."""
    fields, seat = await request.read_fields(), await request.require_player()
    return await request.change_table(commands.retract(seat, fields.version, request.now), seat)


async def aside(request: SiteRequest) -> Response:
    """Say something of another seat, or take it back: nobody else notices, and the game goes on."""
    fields, seat = await request.read_form(), await request.require_player()
    if fields.text("seat") not in ("", str(seat)):
        raise Stale(say("The table has moved on; look again."))
    is_said = "said" in fields
    about = whole_number(fields.text("said" if is_said else "unsaid"), 2)
    if about is None:
        raise TableError(say("Say which seat it is about."))
    await request.registry.amend(request.table_id, commands.say_aside(seat, about, is_said))
    return request.back_to_table()


async def explain(request: SiteRequest) -> Answer:
    """Say why something can't be played now, with the rule."""
    fields, seat = await request.read_form(), await request.require_player()
    async with request.registry.reading(request.table_id) as table:
        why, rule = reason_against(table, seat, fields)
        if request.is_script:
            sentence = request.catalogue(table).words(why)
            return {"error": sentence, "rule": rule}
        return request.table_response(table, await request.find_holder(table.id), why)


def reason_against(table: LiveTable, seat: int, fields: Fields) -> tuple[Text, str]:
    """Why a move, a card or a cell can't be played, and the rule."""
    action = fields.text("action")
    if table.match is None or table.state != "playing" or seat not in table.acting or action:
        return commands.explained(table, seat, action)
    ids = live.actions_meant(table.match, seat, fields.text("card"), fields.text("cell"))
    reasons = [table.match.illegal_reason(seat, id) for id in ids]
    if not reasons or 0 in reasons:
        return say("Those cards can be played in another way; see the moves below."), ""
    rule = table.game.definition.reason(reasons[0]).rule
    return say("{why} ({rule})", why=table.match.why(reasons[0]), rule=rule), rule


# --- what the host does -----------------------------------------------------------------------------------------------
async def start(request: SiteRequest) -> Response:
    """The host has the cards dealt."""
    fields, seat = await request.read_fields(), await request.require_holder()
    return await request.change_table(commands.deal(seat, fields.text("contribution", ""), request.now), seat)


async def to_bot(request: SiteRequest) -> Response:
    """Let a bot take over a seat."""
    by = await request.require_holder()
    return await request.change_table(commands.give_to_bot(request.seat_number, by, request.now), by)


async def free(request: SiteRequest) -> Response:
    """The host takes a seat from who holds it."""
    by = await request.require_holder()
    return await request.change_table(commands.free_seat(request.seat_number, by, request.now), by, invites=True)


async def host(request: SiteRequest) -> Response:
    """Become host in the place of one who is away."""
    seat, server = await request.require_holder(), request.server
    is_away = server.host_away(await server.registry.table(request.table_id), commands.HOST_AWAY)
    return await request.change_table(commands.become_host(seat, is_away, request.now), seat)


# --- what players do besides moves ------------------------------------------------------------------------------------
async def back(request: SiteRequest) -> Response:
    """Take a seat back from a bot; only its owner may."""
    table, number = await request.registry.table(request.table_id), request.seat_number
    if number not in live.seats_sharing(table.seats, await request.require_holder()):
        raise NotYours(say("This seat isn't yours."))
    return await request.change_table(commands.take_back(number, "", request.now), number)


async def hand(request: SiteRequest) -> Response:
    """Hand a shared device to the player of a seat, or cover its cards."""
    fields, holder = await request.read_form(), await request.require_holder()
    to = whole_number(fields.text("seat"), 2)
    return await request.change_table(live.hand_over(holder, live.COVERED if to is None else to, request.now), holder)


async def coach(request: SiteRequest) -> Response:
    """Turn the coach on or off."""
    fields, seat = await request.read_form(), await request.require_player()
    return await request.change_table(commands.set_coach(seat, fields.flag("on"), request.now), seat)


async def rename(request: SiteRequest) -> Response:
    """Take another name."""
    fields, holder = await request.read_form(), await request.require_holder()
    seat, name = await request.require_player(), fields.text("name")
    answer = await request.change_table(commands.rename(seat, name, request.now), seat)
    return request.with_name_cookie(answer, name) if seat == holder else answer


async def add(request: SiteRequest) -> Response:
    """After a match, words for a rematch."""
    fields, seat = await request.read_fields(), await request.require_player()
    return await request.change_table(commands.contribute(seat, fields.text("contribution"), request.now), seat)


async def rematch(request: SiteRequest) -> Answer:
    """Go to the rematch, where everybody sits one seat further; it is created if there is none yet."""
    server, id, holder = request.server, request.table_id, await request.require_holder()
    table, fields = await server.registry.table(id), await request.read_form()
    contribution = fields.text("contribution") if "contribution" in fields else None
    speaker = live.viewing_seat(table, holder)
    path = f"/table/{await begin_rematch(request, table, holder, contribution, speaker)}"
    if request.is_script:
        return {"go": server.settings.prefix + path}
    return request.redirect(path)


# --- for ears ---------------------------------------------------------------------------------------------------------
async def ask(request: SiteRequest) -> Answer:
    """The answer to one of `ABOUT`, as the reader knows the table: a script gets it alone, others the whole page."""
    about = request.query_params.get("about", "")
    if about not in ABOUT:
        raise TableError(say("You can ask about {there}.", there=", ".join(ABOUT)))
    async with request.reading_as_holder() as (table, holder):
        site = request.table_site(table)
        answer = spoken(presenters.table_page(request.server, site, table, holder), about)
        if request.is_script:
            return {"said": answer}
        return request.table_response(table, holder, Text("{said}", {"said": answer}))


# --- the chat ---------------------------------------------------------------------------------------------------------
async def speak(request: SiteRequest) -> Response:
    """Say a phrase by its id, or words; people only."""
    fields, seat = await request.read_fields(), await request.require_player()
    phrase, text = fields.text("phrase", ""), fields.text("words", "")
    await chat.post_message(request.registry, request.table_id, seat, phrase, text)
    return await request.changed_table(seat)


async def words(request: SiteRequest) -> Response:
    """The host allows words of one's own, or phrases only."""
    fields, by = await request.read_fields(), await request.require_holder()
    return await request.change_table(chat.allow_words(by, fields.flag("on"), request.now), by)


async def mute(request: SiteRequest) -> Response:
    """The host mutes a seat, or lets it chat again."""
    fields, by = await request.read_fields(), await request.require_holder()
    muted = chat.mute(request.seat_number, by, fields.flag("muted"), request.now)
    return await request.change_table(muted, by)
