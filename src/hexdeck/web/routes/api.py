"""The API for programs: JSON beside the pages, a token in the header in the place of a cookie."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from hexdeck.engine.discovery.definition import definition, playable, preset
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.record import LIST, NAMED, WHOLE, WORDS
from hexdeck.engine.text import say
from hexdeck.tables.errors import NotYours, Stale, TableError
from hexdeck.tables.keys import LONGEST_TOKEN, hashed, new_token
from hexdeck.tables.model import device
from hexdeck.tables.model.live import ANYONE, OVER, LiveTable
from hexdeck.tables.service import commands, new_tables
from hexdeck.tables.service.registry import fresh_secret
from hexdeck.web.live.server_state import body, may_watch, place_of, timer
from hexdeck.web.live.streams import Flow
from hexdeck.web.ops.middleware import address_of
from hexdeck.web.ops.paths import SEAT
from hexdeck.web.routes.answers import NO_STORE
from hexdeck.web.routes.my_seats import invited_to
from hexdeck.web.routes.openapi import document
from hexdeck.web.routes.replays import record_of

GET, POST = ["GET"], ["POST"]
SAID = 20  # of what was said that is told with a table
MISSING: Any = object()
KINDS = {str: WORDS, int: WHOLE, bool: say("true or false"), dict: NAMED, list: LIST}


def routes(more: Sequence[BaseRoute] = ()) -> list[BaseRoute]:
    """Where the API is; `more`: what is told elsewhere."""
    at = "/tables/{table}"
    return [
        Mount("/api", routes=[
            Route("/openapi.json", openapi, methods=GET),
            Route("/games", games, methods=GET),
            Route("/promise", api_promise, methods=GET),
            Route("/tables", api_create, methods=POST),
            Route(at, api_table, methods=GET),
            Route(f"{at}/stream", api_stream, methods=GET),
            Route(f"{at}/record", api_record, methods=GET),
            Route(f"{at}/join", api_join, methods=POST),
            Route(f"{at}/start", api_start, methods=POST),
            Route(f"{at}/move", api_move, methods=POST),
            Route(f"{at}/retract", api_retract, methods=POST),
            Route(f"{at}/contribution", api_add, methods=POST),
            Route(f"{at}/rematch", api_rematch, methods=POST),
            Route(f"{at}/host", api_host, methods=POST),
            Route(f"{at}/seats/{SEAT}/free", api_free, methods=POST),
            Route(f"{at}/seats/{SEAT}/bot", api_to_bot, methods=POST),
            Route(f"{at}/seats/{SEAT}/back", api_back, methods=POST),
            *more,
        ]),
    ]  # fmt: skip


# --- what is asked ----------------------------------------------------------------------------------------------------
async def sent(request: Request) -> dict[str, Any]:
    """The JSON object that was sent, an empty one for nothing; raises TableError."""
    raw = await body(request, place_of(request).settings.limits.body)
    try:
        data = json.loads(raw) if raw.strip() else {}
        json.dumps(data, ensure_ascii=False).encode()  # half a character can't be stored
    except (ValueError, RecursionError):
        raise TableError(say("What was sent is no JSON.")) from None
    if not isinstance(data, dict):
        raise TableError(say("What is sent is a JSON object."))
    return data


def taken(data: dict[str, Any], name: str, kind: type, otherwise: Any = MISSING) -> Any:
    """A value of what was sent; raises TableError when it is missing or of another kind."""
    value = data.get(name, otherwise)
    if value is MISSING or (value is not otherwise and type(value) is not kind):
        raise TableError(say("{name} should be given, and be {kind}.", name=name, kind=KINDS[kind]))
    return value


def token(request: Request) -> str:
    """The token of the header, or nothing."""
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" and len(given) <= LONGEST_TOKEN else ""


async def seat_of(request: Request, id: str) -> int:
    """The seat that the token holds at a table, or -1 without a token; raises NotYours for a token of no seat there."""
    given = token(request)
    if not given:
        return -1
    found = await place_of(request).hall.seat_of(id, hashed(given))
    if found is None:
        await place_of(request).hall.table(id)
        raise NotYours(say("This token holds no seat at this table."))
    return found


async def own_seat(request: Request) -> tuple[str, int]:
    """The table and the seat of the token; raises NotYours."""
    id = request.path_params["table"]
    seat = await seat_of(request, id)
    if seat < 0:
        await place_of(request).hall.table(id)
        raise NotYours(say("Send the token of a seat: Authorization: Bearer TOKEN."))
    return id, device.in_hand(await place_of(request).hall.table(id), seat)


# --- what is answered -------------------------------------------------------------------------------------------------
def answer(data: Any, status: int = 200) -> Response:
    """JSON that isn't kept."""
    return JSONResponse(data, status, NO_STORE)


def seen(table: LiveTable, seat: int, log_from: int = 0) -> dict[str, Any]:
    """A table as who holds a seat (-1: the public) knows it; of the log the lines from an index on."""
    seat = device.eyes(table, seat)
    view = table.view(seat).data()
    view["log"] = view["log"][log_from:]
    data = {
        "table": table.id, "game": table.game.name, "rules": table.game.rules.STRUCT_VERSION,
        "options": dict(table.game.options), "state": table.state, "version": table.seen(seat),
        "seat": seat if seat >= 0 else None, "clock": table.terms.clock, "lang": table.terms.lang,
        "hints": table.terms.hints,
        "commitment": table.commitment,
        "seats": [seat_data(table, number) for number in range(len(table.seats))], "view": view, "log_from": log_from,
        "struct": concealed(table, seat), "rematch": table.rematch,
        "rematch_commitment": table.promised or None,
        "words": table.terms.words, "sayings": [asdict(each) for each in table.sayings[-SAID:]],
    }  # fmt: skip
    return data | ({"secret": table.secret.hex()} if table.state == OVER else {})


def seat_data(table: LiveTable, number: int) -> dict[str, Any]:
    """Who sits on a seat."""
    seat = table.seats[number]
    return {
        "number": number, "name": seat.name, "kind": seat.kind, "level": seat.level, "owner": seat.owner,
        "remote": seat.remote, "host": number == table.terms.host, "due": seat.due, "muted": seat.muted,
    }  # fmt: skip


def concealed(table: LiveTable, seat: int) -> str | None:
    """The struct as a seat knows it, in base64; None before the deal."""
    return None if table.match is None else b64encode(table.match.concealed(seat)).decode()


async def now_at(
    request: Request, id: str, seat: int, status: int = 200, *, inviting: bool = False, **more: Any
) -> Response:
    """The table as it is now; `inviting`: with the invitations to its free seats."""
    async with place_of(request).hall.reading(id) as table:
        links = {"invitations": {str(free): link for free, link in new_tables.invitations(table).items()}}
        return answer(seen(table, seat) | (links if inviting else {}) | more, status)


# --- what can be done -------------------------------------------------------------------------------------------------
async def openapi(request: Request) -> Response:
    """The description of this API."""
    return answer(document(place_of(request).settings.prefix))


async def games(_request: Request) -> Response:
    """The games, their players and options."""
    return answer({"games": [game_data(name) for name in playable()]})


def game_data(name: str) -> dict[str, Any]:
    """A game: players, options with defaults, what they are at tables if not given, and the rules they stand for."""
    rules, at_tables = definition(name).rules, preset(name)
    options = [
        {
            "name": each.name,
            "default": each.default,
            "at_tables": at_tables.get(each.name, each.default),
            "rule": each.rule,
            "about": str(each.about),
            "allowed": str(each.allowed()),
        }
        for each in rules.OPTIONS
    ]
    low, high = rules.PLAYERS
    return {"name": name, "title": str(definition(name).table.TITLE), "rules": rules.STRUCT_VERSION,
            "players": [low, high], "options": options, "actions": list(rules.ACTIONS)}  # fmt: skip


async def api_promise(request: Request) -> Response:
    """What a table that isn't set yet promises: the hash of its secret, and the ticket to set it with."""
    promise = place_of(request).hall.promise()
    return answer({"promise": promise.ticket, "commitment": promise.hash})


async def api_create(request: Request) -> Response:
    """Set a table; whoever does holds a seat, by a token."""
    place, data, mine = place_of(request), await sent(request), new_token()
    wish = new_tables.checked(wished(data))
    await place.allow_table(request)
    table = await new_tables.create(place.hall, wish, fresh_secret(), hashed(mine))
    return await now_at(request, table.id, table.terms.host, 201, inviting=True, token=mine)


def wished(data: dict[str, Any]) -> new_tables.Wish:
    """The table that a program asks for."""
    chosen = new_tables.chosen_game(
        taken(data, "game", str), taken(data, "players", int, None), taken(data, "options", dict, {})
    )
    usual = [new_tables.YOU, *[commands.stand_in(chosen)] * (chosen.players - 1)]
    chairs = [str(chair) for chair in taken(data, "seats", list, usual)]
    if new_tables.HERE in chairs:
        raise BadOption(say("Several people share a device in the browser only."))
    watch = taken(data, "watch", str, ANYONE)
    return new_tables.Wish(
        chosen, tuple(chairs), taken(data, "name", str, ""), taken(data, "clock", str, "none"), watch,
        taken(data, "lang", str, ""), taken(data, "hold", bool, False), taken(data, "bot", str, ""),
        taken(data, "contribution", str, ""), hints=taken(data, "hints", bool, None),
        coach=taken(data, "coach", bool, False), promise=taken(data, "promise", str, ""),
    )  # fmt: skip


async def api_table(request: Request) -> Response:
    """A table as its seat knows it, or as the public does."""
    id = request.path_params["table"]
    seat = await seat_of(request, id)
    async with place_of(request).hall.reading(id) as table:
        may_watch(table, seat)
        place_of(request).saw(table, seat)
        return answer(seen(table, seat))


async def api_stream(request: Request) -> Flow:
    """The table now, and again whenever the seat sees a change: a line of JSON each."""
    place, id, told, since = place_of(request), request.path_params["table"], 0, 0
    seat = await seat_of(request, id)
    async with place.hall.reading(id) as table:
        may_watch(table, seat)
        place.saw(table, seat)
        freed = table.freed(seat)

    async def frame() -> bytes:
        nonlocal told, since
        async with place.hall.reading(id) as table:
            table.assert_held(seat, freed)
            log = table.log(device.eyes(table, seat))
            if len(log) != told:  # else the same lines again: without news it is the same frame
                told, since = len(log), min(told, len(log))
            data = seen(table, seat, since)
            return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"

    opened = place.streams.open(id, seat, address_of(request.scope))
    return Flow(place.streams, opened, frame, "application/x-ndjson", b"\n", place.metrics.frames.inc)


async def api_record(request: Request) -> Response:
    """The record of a match that is over."""
    id = request.path_params["table"]
    seat = await seat_of(request, id)
    async with place_of(request).hall.reading(id) as table:
        may_watch(table, seat)
        return answer(record_of(table).data())


async def api_join(request: Request) -> Response:
    """Take a seat by its invitation."""
    place, data, mine = place_of(request), await sent(request), new_token()
    place.allow_take(request)
    table, seat = await invited_to(place, taken(data, "invitation", str))
    if table.id != request.path_params["table"]:
        raise Stale(say("This invitation is to another table."))
    name, bot, given = (taken(data, field, str, "") for field in ("name", "bot", "contribution"))
    held = {"token": hashed(mine), "table": table.id, "seat": seat}
    await place.hall.change(table.id, commands.sit(seat, name, bot, given, place.hall.clock()), held)
    place.hall.held(table.id, hashed(mine), seat)
    return await now_at(request, table.id, seat, 201, token=mine)


async def api_start(request: Request) -> Response:
    """The host has the cards dealt."""
    place, data = place_of(request), await sent(request)
    id, seat = await own_seat(request)
    await place.hall.change(id, commands.start(seat, taken(data, "contribution", str, ""), place.hall.clock()))
    return await now_at(request, id, seat)


async def api_move(request: Request) -> Response:
    """A move, by name or id, at a version."""
    began, place, data = timer(), place_of(request), await sent(request)
    id, seat = await own_seat(request)
    given = data.get("move")
    action = taken(data, "move", int if type(given) is int else str)
    await place.hall.change(id, commands.move(seat, action, taken(data, "version", int), place.hall.clock()))
    place.metrics.acknowledged.observe(timer() - began)
    return await now_at(request, id, seat)


async def api_retract(request: Request) -> Response:
    """Take back a choice, while others still choose."""
    place, data = place_of(request), await sent(request)
    id, seat = await own_seat(request)
    await place.hall.change(id, commands.retract(seat, taken(data, "version", int), place.hall.clock()))
    return await now_at(request, id, seat)


async def api_add(request: Request) -> Response:
    """Words of a seat for the cards of a rematch."""
    place, data = place_of(request), await sent(request)
    id, seat = await own_seat(request)
    await place.hall.change(id, commands.add(seat, taken(data, "contribution", str), place.hall.clock()))
    return await now_at(request, id, seat)


async def api_rematch(request: Request) -> Response:
    """Once more, everybody one seat further: the new table, where the same tokens hold the seats."""
    place, data = place_of(request), await sent(request)
    id, speaker = await own_seat(request)
    found, seat = await place.hall.table(id), await seat_of(request, id)
    if not found.rematch:
        await place.allow_table(request)
    new = await new_tables.rematch(place.hall, id, seat, taken(data, "contribution", str, None), speaker)
    return await now_at(request, new, await seat_of(request, new), 201)


async def api_host(request: Request) -> Response:
    """Become host in the place of one who is away."""
    place = place_of(request)
    id, seat = await own_seat(request)
    away = place.away(await place.hall.table(id), commands.HOST_AWAY)
    await place.hall.change(id, commands.host(seat, away, place.hall.clock()))
    return await now_at(request, id, seat)


async def api_free(request: Request) -> Response:
    """The host takes a seat from who holds it."""
    place = place_of(request)
    id, by = await own_seat(request)
    await place.hall.change(id, commands.free(request.path_params["seat"], by, place.hall.clock()))
    return await now_at(request, id, by, inviting=True)


async def api_to_bot(request: Request) -> Response:
    """A bot takes over a seat."""
    place = place_of(request)
    id, by = await own_seat(request)
    await place.hall.change(id, commands.to_bot(request.path_params["seat"], by, place.hall.clock()))
    return await now_at(request, id, by)


async def api_back(request: Request) -> Response:
    """Take one's own seat back from a bot."""
    place, data = place_of(request), await sent(request)
    id, seat = await own_seat(request)
    if seat != request.path_params["seat"]:
        raise NotYours(say("This seat isn't yours."))
    await place.hall.change(id, commands.back(seat, taken(data, "bot", str, ""), place.hall.clock()))
    return await now_at(request, id, seat)
