"""What is done at a table: its page, its stream, moves, seats."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from hexdeck.engine.errors import IllegalMove
from hexdeck.engine.text import Text, say
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.model import choice, device
from hexdeck.tables.model.device import group
from hexdeck.tables.model.live import Draft, LiveTable
from hexdeck.tables.service import commands, new_tables
from hexdeck.web.live.server_state import (
    first,
    form,
    held,
    held_seat,
    holder_of,
    looking,
    own_seat,
    place_of,
    site,
    timer,
)
from hexdeck.web.live.streams import Flow, event
from hexdeck.web.ops.middleware import address_of
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, done, go, scripted, table_answer, words
from hexdeck.web.routes.replays import record_of


async def table(request: Request) -> Response:
    """The page of a table, as its reader sees it."""
    async with held(request, request.path_params["table"]) as (found, seat):
        return table_answer(request, found, seat)


async def stream(request: Request) -> Flow:
    """The stream of a table: its page's main part, whenever it has changed, until the seat is another's."""
    place, id = place_of(request), request.path_params["table"]
    async with held(request, id) as (found, seat):
        shown, freed = site(request, path=f"/table/{id}", lang=found.terms.lang), found.freed(seat)

    async def frame() -> bytes:
        async with place.hall.reading(id) as found:
            found.assert_held(seat, freed)
            return presenters.frame(place, found, seat, shown)

    opened = place.streams.open(id, seat, address_of(request.scope))
    return Flow(
        place.streams, opened, frame, "text/event-stream; charset=utf-8", event("beat", "on"), place.metrics.frames.inc
    )


async def move(request: Request) -> Response:
    """A move, by its name or by the cards that are chosen together."""
    began, id = timer(), request.path_params["table"]
    fields, place = await form(request), place_of(request)
    seat = await own_seat(request, id)
    if first(fields, "seat") not in ("", str(seat)):  # a page of who had a shared device in hand before
        raise Stale(say("The table has moved on since; look again."))
    version, name, cards = seen_at(fields), first(fields, "move"), fields.get("card", [])

    def draft(found: LiveTable) -> Draft:
        commands.assert_open(found, seat, local=False)
        chosen = name or named(found, seat, cards)
        return commands.move(seat, chosen, version, place.hall.clock())(found)

    await place.hall.change(id, draft)
    place.metrics.acknowledged.observe(timer() - began)
    return done(request, id)


def seen_at(fields: dict[str, list[str]]) -> int:
    """The version of the table that a form was made at; raises TableError."""
    version = first(fields, "version")
    if not (version.isascii() and version.isdecimal() and len(version) < 10):
        raise TableError(say("A move says which version of the table it was made at."))
    return int(version)


def named(found: LiveTable, seat: int, cards: list[str]) -> str:
    """The name of the move that cards chosen together mean; raises IllegalMove."""
    meant = choice.chosen(found.view(seat), "", cards)
    if meant is None:
        raise IllegalMove(say("These cards can't be played together now."))
    return meant.name


async def explain(request: Request) -> Response:
    """Why something can't be played now, in words, with the rule."""
    id, fields = request.path_params["table"], await form(request)
    seat = await own_seat(request, id)
    async with place_of(request).hall.reading(id) as found:
        why, rule = reason(found, seat, fields)
        said = words(request, found).words(why)
        if scripted(request):
            return JSONResponse({"error": said, "rule": rule}, headers=NO_STORE)
        return table_answer(request, found, await holder_of(request, id), why)


def reason(found: LiveTable, seat: int, fields: dict[str, list[str]]) -> tuple[Text, str]:
    """Why a move, a card or a cell can't be played."""
    action = first(fields, "action")
    if found.match is None or found.state != "playing" or seat not in found.acting or action:
        return commands.explained(found, seat, action)
    ids = choice.meant(found.match, seat, first(fields, "card"), first(fields, "cell"))
    reasons = [found.match.illegal_reason(seat, id) for id in ids]
    if not reasons or 0 in reasons:
        return say("That can be played in another way; see the moves below."), ""
    rule = found.game.rules.REASONS[reasons[0]]
    return say("{why} ({rule})", why=found.match.why(reasons[0]), rule=rule), rule


async def start(request: Request) -> Response:
    """The host has the cards dealt."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await held_seat(request, id)
    await place.hall.change(id, commands.start(seat, first(fields, "contribution"), place.hall.clock()))
    return done(request, id)


async def to_bot(request: Request) -> Response:
    """A bot takes over a seat."""
    id, place = request.path_params["table"], place_of(request)
    by = await held_seat(request, id)
    await place.hall.change(id, commands.to_bot(request.path_params["seat"], by, place.hall.clock()))
    return done(request, id)


async def back(request: Request) -> Response:
    """Whoever owns a seat takes it back from a bot."""
    id, place, number = request.path_params["table"], place_of(request), request.path_params["seat"]
    if number not in group((await place.hall.table(id)).seats, await held_seat(request, id)):
        raise NotYours(say("This seat isn't yours."))
    await place.hall.change(id, commands.back(number, "", place.hall.clock()))
    return done(request, id)


async def free(request: Request) -> Response:
    """The host takes a seat from who holds it."""
    id, place = request.path_params["table"], place_of(request)
    by = await held_seat(request, id)
    await place.hall.change(id, commands.free(request.path_params["seat"], by, place.hall.clock()))
    return done(request, id)


async def host(request: Request) -> Response:
    """The reader becomes host in the place of one who is away."""
    id, place = request.path_params["table"], place_of(request)
    seat = await held_seat(request, id)
    away = place.away(await place.hall.table(id), commands.HOST_AWAY)
    await place.hall.change(id, commands.host(seat, away, place.hall.clock()))
    return done(request, id)


async def coach(request: Request) -> Response:
    """Have decisions explained, or not any more."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await own_seat(request, id)
    await place.hall.change(id, commands.coach(seat, first(fields, "on") == "yes", place.hall.clock()))
    return done(request, id)


async def hand(request: Request) -> Response:
    """Who has a shared device in hand: a seat, or nobody, so that the cards are covered."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    holder, seat = await held_seat(request, id), first(fields, "seat")
    to = int(seat) if seat.isascii() and seat.isdecimal() and len(seat) < 3 else device.COVERED
    await place.hall.change(id, device.hand(holder, to, place.hall.clock()))
    return done(request, id)


async def retract(request: Request) -> Response:
    """Take back one's own choice, while others still choose."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await own_seat(request, id)
    await place.hall.change(id, commands.retract(seat, seen_at(fields), place.hall.clock()))
    return done(request, id)


async def rename(request: Request) -> Response:
    """Another name."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await own_seat(request, id)
    await place.hall.change(id, commands.rename(seat, first(fields, "name"), place.hall.clock()))
    return done(request, id)


async def add(request: Request) -> Response:
    """Words of one's own for the cards of a rematch."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await own_seat(request, id)
    await place.hall.change(id, commands.add(seat, first(fields, "contribution"), place.hall.clock()))
    return done(request, id)


async def rematch(request: Request) -> Response:
    """Once more, everybody one seat further."""
    id, place = request.path_params["table"], place_of(request)
    seat = await held_seat(request, id)
    found, fields = await place.hall.table(id), await form(request)
    if not found.rematch:
        await place.allow_table(request)
    given = first(fields, "contribution") if "contribution" in fields else None
    path = f"/table/{await new_tables.rematch(place.hall, id, seat, given, device.eyes(found, seat))}"
    if scripted(request):
        return JSONResponse({"go": place.settings.prefix + path}, headers=NO_STORE)
    return go(request, path)


async def record(request: Request) -> Response:
    """The record of a match that is over."""
    id = request.path_params["table"]
    async with looking(request, id) as (found, _):
        headers = {"content-disposition": f'attachment; filename="{found.game.name}-{id}.json"', **NO_STORE}
        return Response(record_of(found).text() + "\n", media_type="application/json", headers=headers)
