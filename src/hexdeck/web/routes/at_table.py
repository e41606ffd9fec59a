"""A table in the browser: its page, its stream, and what the forms on its page do.

The way of a move to everybody's pages: `move` reads the form and finds the seat of the cookie (`requests.py`);
`TableRegistry.change` drafts, stores and adopts the move, then calls `ServerState._table_changed`, which wakes the
table's streams; each stream sends its reader's page anew (`presenters.stream_frame`).
"""

from __future__ import annotations

from time import perf_counter

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.errors import IllegalMove
from hexdeck.engine.text import Text, say
from hexdeck.tables import chat, commands
from hexdeck.tables.entries import Draft
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.live import (
    COVERED,
    PACES,
    LiveTable,
    actions_meant,
    find_move,
    hand_over,
    seats_sharing,
    viewing_seat,
)
from hexdeck.web.html.models import Site
from hexdeck.web.html.rendering import build
from hexdeck.web.html.table_page import ABOUT, spoken
from hexdeck.web.routes import presenters
from hexdeck.web.routes.new_table import begin_rematch
from hexdeck.web.routes.replays import recorder
from hexdeck.web.routes.requests import (
    NO_STORE,
    Fields,
    back_to_table,
    catalogue,
    change_table,
    client_address,
    find_holder,
    first_value,
    is_script,
    long_work,
    now,
    read_form,
    reading_as_holder,
    reading_as_viewer,
    redirect,
    require_holder,
    require_player,
    seat_number,
    server_of,
    site_of,
    table_id,
    table_response,
    whole_number,
    with_name_cookie,
)
from hexdeck.web.server.streams import StreamFrame, StreamResponse, server_sent_event

EVENTS = "text/event-stream; charset=utf-8"


def heartbeat() -> bytes:
    """What a page's stream sends without news; by it a page that is open across an upgrade notices that it is old."""
    return server_sent_event("beat", build())


# --- the page ---------------------------------------------------------------------------------------------------------
async def table(request: Request) -> Response:
    """The page of a table, as its reader sees it."""
    async with reading_as_holder(request) as (live, seat):
        return table_response(request, live, seat)


async def stream(request: Request) -> StreamResponse:
    """The main part of a table's page, sent whenever it has changed, until the seat goes to somebody else."""
    async with reading_as_holder(request) as (table, seat):
        server_of(request).start_first_clock(table, seat)
        site, freed = site_of(request, path=f"/table/{table.id}", lang=table.terms.lang), table.freed(seat)
    return page_stream(request, site, seat, freed)


def page_stream(request: Request, site: Site, seat: int, freed: int, *, screen: bool = False) -> StreamResponse:
    """The page of a seat's holder (-1: the public), which had been freed so often; `screen`: one that all look at."""
    server, id = server_of(request), table_id(request)

    async def frame(since: int) -> StreamFrame:
        live = server.registry.tables.get(id) if seat < 0 else None
        earlier = presenters.kept_frame(server, live, site, since, screen=screen) if live else None
        if earlier is not None:
            return earlier
        async with server.registry.reading(id) as table:
            table.assert_held(seat, freed)
            return presenters.stream_frame(server, table, seat, site, since, screen=screen)

    opened = server.streams.open(id, seat, client_address(request), PACES[site.pace], screen=screen)
    return StreamResponse(server.streams, opened, frame, EVENTS, heartbeat(), server.metrics.frames.inc)


async def record(request: Request) -> Response:
    """The record of a match that is over, as a file."""
    async with reading_as_viewer(request) as (table, _):
        headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.json"', **NO_STORE}
        record = recorder(table)
    text = await long_work(request, lambda: record().text(), table_id(request))
    return Response(text + "\n", media_type="application/json", headers=headers)


# --- moves ------------------------------------------------------------------------------------------------------------
async def move(request: Request) -> Response:
    """Make a move, given by its name or by the cards that are played together."""
    began, server = perf_counter(), server_of(request)
    fields, seat = await read_form(request), await require_player(request)
    if first_value(fields, "seat") not in ("", str(seat)):  # the page of whoever had a shared device before
        raise Stale(say("The table has moved on; look again."))
    version, name, cards = version_of(fields), first_value(fields, "move"), fields.get("card", [])

    def draft(table: LiveTable) -> Draft:
        commands.assert_open(table, seat, local=False)
        together = None if name else find_move(table.view(seat), "", cards)
        if not name and together is None:
            raise IllegalMove(say("These cards can't be played together now."))
        return commands.move(seat, together.name if together else name, version, now(request))(table)

    await server.registry.change(table_id(request), draft)
    server.metrics.acknowledged.observe(perf_counter() - began)
    return back_to_table(request)


def version_of(fields: Fields) -> int:
    """The version of the table that a form was made at; raises TableError."""
    version = whole_number(first_value(fields, "version"), 9)
    if version is None:
        raise TableError(say("A move must say which version of the table it was made for."))
    return version


async def retract(request: Request) -> Response:
    """Take back the player's own choice, while others still choose."""
    fields, seat = await read_form(request), await require_player(request)
    return await change_table(request, commands.retract(seat, version_of(fields), now(request)))


async def aside(request: Request) -> Response:
    """Say something of another seat, or take it back: nobody else notices, and the game goes on."""
    fields, seat = await read_form(request), await require_player(request)
    if first_value(fields, "seat") not in ("", str(seat)):
        raise Stale(say("The table has moved on; look again."))
    is_said = "said" in fields
    about = whole_number(first_value(fields, "said" if is_said else "unsaid"), 2)
    if about is None:
        raise TableError(say("Say which seat it is about."))
    await server_of(request).registry.amend(table_id(request), commands.say_aside(seat, about, is_said))
    return back_to_table(request)


async def explain(request: Request) -> Response:
    """Say why something can't be played now, with the rule."""
    fields, seat = await read_form(request), await require_player(request)
    async with server_of(request).registry.reading(table_id(request)) as table:
        why, rule = reason_against(table, seat, fields)
        if is_script(request):
            sentence = catalogue(request, table).words(why)
            return JSONResponse({"error": sentence, "rule": rule}, headers=NO_STORE)
        return table_response(request, table, await find_holder(request, table.id), why)


def reason_against(table: LiveTable, seat: int, fields: Fields) -> tuple[Text, str]:
    """Why a move, a card or a cell can't be played, and the rule."""
    action = first_value(fields, "action")
    if table.match is None or table.state != "playing" or seat not in table.acting or action:
        return commands.explained(table, seat, action)
    ids = actions_meant(table.match, seat, first_value(fields, "card"), first_value(fields, "cell"))
    reasons = [table.match.illegal_reason(seat, id) for id in ids]
    if not reasons or 0 in reasons:
        return say("Those cards can be played in another way; see the moves below."), ""
    rule = table.game.definition.reason(reasons[0]).rule
    return say("{why} ({rule})", why=table.match.why(reasons[0]), rule=rule), rule


# --- what the host does -----------------------------------------------------------------------------------------------
async def start(request: Request) -> Response:
    """The host deals the cards."""
    fields, seat = await read_form(request), await require_holder(request)
    return await change_table(request, commands.deal(seat, first_value(fields, "contribution"), now(request)))


async def to_bot(request: Request) -> Response:
    """Let a bot take over a seat."""
    by = await require_holder(request)
    return await change_table(request, commands.give_to_bot(seat_number(request), by, now(request)))


async def free(request: Request) -> Response:
    """The host takes a seat from its holder."""
    by = await require_holder(request)
    return await change_table(request, commands.free_seat(seat_number(request), by, now(request)))


async def host(request: Request) -> Response:
    """The reader becomes host in place of one who is away."""
    seat, server = await require_holder(request), server_of(request)
    is_away = server.host_away(await server.registry.table(table_id(request)), commands.HOST_AWAY)
    return await change_table(request, commands.become_host(seat, is_away, now(request)))


# --- what players do besides moves ------------------------------------------------------------------------------------
async def back(request: Request) -> Response:
    """Take a seat back from a bot; only its owner may."""
    table, number = await server_of(request).registry.table(table_id(request)), seat_number(request)
    if number not in seats_sharing(table.seats, await require_holder(request)):
        raise NotYours(say("This seat isn't yours."))
    return await change_table(request, commands.take_back(number, "", now(request)))


async def hand(request: Request) -> Response:
    """Hand a shared device to the player of a seat, or cover its cards."""
    fields, holder = await read_form(request), await require_holder(request)
    to = whole_number(first_value(fields, "seat"), 2)
    return await change_table(request, hand_over(holder, COVERED if to is None else to, now(request)))


async def coach(request: Request) -> Response:
    """Turn the coach on or off."""
    fields, seat = await read_form(request), await require_player(request)
    return await change_table(request, commands.set_coach(seat, first_value(fields, "on") == "yes", now(request)))


async def rename(request: Request) -> Response:
    """Take another name."""
    fields, holder = await read_form(request), await require_holder(request)
    seat, name = await require_player(request), first_value(fields, "name")
    answer = await change_table(request, commands.rename(seat, name, now(request)))
    return with_name_cookie(request, answer, name) if seat == holder else answer


async def add(request: Request) -> Response:
    """Add words of one's own to the shuffle of a rematch."""
    fields, seat = await read_form(request), await require_player(request)
    return await change_table(request, commands.contribute(seat, first_value(fields, "contribution"), now(request)))


async def rematch(request: Request) -> Response:
    """Go to the rematch, where everybody sits one seat further; it is created if there is none yet."""
    server, id, holder = server_of(request), table_id(request), await require_holder(request)
    table, fields = await server.registry.table(id), await read_form(request)
    contribution = first_value(fields, "contribution") if "contribution" in fields else None
    speaker = viewing_seat(table, holder)
    path = f"/table/{await begin_rematch(request, table, holder, contribution, speaker)}"
    if is_script(request):
        return JSONResponse({"go": server.settings.prefix + path}, headers=NO_STORE)
    return redirect(request, path)


# --- for ears ---------------------------------------------------------------------------------------------------------
async def ask(request: Request) -> Response:
    """The answer to one of `ABOUT`, as the reader knows the table: a script gets it alone, others the whole page."""
    about = request.query_params.get("about", "")
    if about not in ABOUT:
        raise TableError(say("You can ask about {there}.", there=", ".join(ABOUT)))
    async with reading_as_holder(request) as (table, holder):
        site = site_of(request, path=f"/table/{table.id}", lang=table.terms.lang)
        answer = spoken(presenters.table_page(server_of(request), site, table, holder), about)
        if is_script(request):
            return JSONResponse({"said": answer}, headers=NO_STORE)
        return table_response(request, table, holder, Text("{said}", {"said": answer}))


# --- the chat ---------------------------------------------------------------------------------------------------------
async def speak(request: Request) -> Response:
    """Send a phrase, or words of one's own."""
    fields, seat = await read_form(request), await require_player(request)
    phrase, text = first_value(fields, "phrase"), first_value(fields, "words")
    await chat.post_message(server_of(request).registry, table_id(request), seat, phrase, text)
    return back_to_table(request)


async def words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    fields, by = await read_form(request), await require_holder(request)
    return await change_table(request, chat.allow_words(by, first_value(fields, "on") == "yes", now(request)))


async def mute(request: Request) -> Response:
    """The host mutes a seat, or unmutes it."""
    fields, by = await read_form(request), await require_holder(request)
    muted = first_value(fields, "muted") == "yes"
    return await change_table(request, chat.mute(seat_number(request), by, muted, now(request)))
