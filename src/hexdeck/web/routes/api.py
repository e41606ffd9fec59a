"""The API for programs: JSON in place of pages, a token in a header in place of a cookie."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from time import perf_counter
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from hexdeck.bots.players.levels import usual_bot
from hexdeck.engine.discovery.definition import definition, first_game, playable, preset, presets
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Option, Preset
from hexdeck.engine.text import say
from hexdeck.tables import commands
from hexdeck.tables.entries import ANYONE, OVER
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import Drafter, LiveTable, viewing_seat
from hexdeck.web.live.streams import StreamFrame, StreamResponse
from hexdeck.web.requests import (
    SEAT,
    assert_may_watch,
    client_address,
    find_token_holder,
    fresh_token,
    json_value,
    now,
    read_json,
    require_token_player,
    seat_number,
    server_of,
    table_id,
)
from hexdeck.web.routes.answers import NO_STORE
from hexdeck.web.routes.new_table import begin_rematch, begin_table
from hexdeck.web.routes.openapi import document
from hexdeck.web.routes.replays import record_of
from hexdeck.web.routes.seats import invited_seat

GET, POST = ["GET"], ["POST"]


def routes(extra: Sequence[BaseRoute] = ()) -> list[BaseRoute]:
    """The addresses of the API; `extra`: those that other modules answer."""
    at = "/tables/{table}"
    return [
        Mount(
            "/api",
            routes=[
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
                *extra,
            ],
        )
    ]


# --- answers ----------------------------------------------------------------------------------------------------------
def json_response(data: Any, status: int = 200) -> Response:
    """JSON that is not to be cached."""
    return JSONResponse(data, status, NO_STORE)


async def table_response(
    request: Request, id: str, seat: int, status: int = 200, *, inviting: bool = False, **more: Any
) -> Response:
    """A table as it is now; `inviting`: with the invitations to its free seats."""
    async with server_of(request).registry.reading(id) as table:
        links = {"invitations": {str(free): link for free, link in commands.invitations(table).items()}}
        return json_response(table_data(table, seat) | (links if inviting else {}) | more, status)


async def change_table(request: Request, seat: int, draft: Drafter, *, inviting: bool = False) -> Response:
    """Change the table of the request; the answer is the table after it, as the seat knows it."""
    await server_of(request).registry.change(table_id(request), draft)
    return await table_response(request, table_id(request), seat, inviting=inviting)


@asynccontextmanager
async def reading(request: Request) -> AsyncIterator[tuple[LiveTable, int]]:
    """The table, locked, and the seat that the token holds (-1: none); raises NotYours if nobody may watch."""
    seat = await find_token_holder(request, table_id(request))
    async with server_of(request).registry.reading(table_id(request)) as table:
        await assert_may_watch(request, table, seat)
        yield table, seat


# --- games and new tables ---------------------------------------------------------------------------------------------
async def openapi(request: Request) -> Response:
    """The description of this API."""
    return json_response(document(server_of(request).settings.prefix))


async def games(_request: Request) -> Response:
    """All games, with their players and options."""
    return json_response({"games": [game_data(name) for name in playable()]})


async def api_promise(request: Request) -> Response:
    """A promise for a new table: the hash of its secret, and the ticket to create it with."""
    promise = server_of(request).registry.promise()
    return json_response({"promise": promise.ticket, "commitment": promise.hash})


async def api_create(request: Request) -> Response:
    """Create a table; the answer holds the token of the creator's seat."""
    data, token = await read_json(request), fresh_token(request)
    table = await begin_table(request, commands.checked(setup_from_json(data)), token)
    return await table_response(request, table.id, table.terms.host, 201, inviting=True, token=token)


def setup_from_json(data: dict[str, Any]) -> commands.TableSetup:
    """The table that a program asks for; raises TableError, UnknownGame or BadOption."""
    game, coach = find_game(json_value(data, "game", str)), json_value(data, "coach", bool, False)
    preset = json_value(data, "preset", str, "") or (first_game(game) if coach else "")
    chosen = commands.chosen_game(
        game, json_value(data, "players", int, None), preset, json_value(data, "options", dict, {})
    )
    usual = [commands.YOU, *[usual_bot(chosen)] * (chosen.players - 1)]
    chairs = [str(chair) for chair in json_value(data, "seats", list, usual)]
    if commands.HERE in chairs:
        raise BadOption(say("Sharing one device between several players only works in the browser."))
    watch = json_value(data, "watch", str, ANYONE)
    return commands.TableSetup(
        chosen,
        tuple(chairs),
        json_value(data, "name", str, ""),
        json_value(data, "clock", str, "none"),
        watch,
        json_value(data, "lang", str, ""),
        json_value(data, "hold", bool, False),
        json_value(data, "bot", str, ""),
        json_value(data, "contribution", str, ""),
        hints=json_value(data, "hints", bool, None),
        coach=coach,
        promise=json_value(data, "promise", str, ""),
        feedback=json_value(data, "feedback", bool, True),
    )


async def api_join(request: Request) -> Response:
    """Take a seat by its invitation."""
    server, data, token = server_of(request), await read_json(request), fresh_token(request)
    server.limits.allow_join(client_address(request))
    table, seat = await invited_seat(server, json_value(data, "invitation", str))
    if table.id != table_id(request):
        raise Stale(say("This invitation is for another table."))
    name, bot, contribution = (json_value(data, field, str, "") for field in ("name", "bot", "contribution"))
    holder = {"token": hashed(token), "table": table.id, "seat": seat}
    await server.registry.change(table.id, commands.sit(seat, name, bot, contribution, now(request)), holder)
    server.registry.remember_holder(table.id, hashed(token), seat)
    return await table_response(request, table.id, seat, 201, token=token)


# --- looking at a table -----------------------------------------------------------------------------------------------
async def api_table(request: Request) -> Response:
    """A table as its seat knows it, or as the public does."""
    async with reading(request) as (table, seat):
        server_of(request).start_first_clock(table, seat)
        return json_response(table_data(table, seat))


async def api_stream(request: Request) -> StreamResponse:
    """The table now, and again whenever the seat sees a change: a line of JSON each."""
    server, id, sent, since = server_of(request), table_id(request), 0, 0
    async with reading(request) as (table, seat):
        server.start_first_clock(table, seat)
        freed = table.freed(seat)

    async def frame(_since: int) -> StreamFrame:
        nonlocal sent, since
        async with server.registry.reading(id) as table:
            table.assert_held(seat, freed)
            log = table.log(viewing_seat(table, seat))
            if len(log) != sent:  # otherwise the same lines again, so that without news it is the same frame
                sent, since = len(log), min(sent, len(log))
            data = table_data(table, seat, since)
            line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
            return StreamFrame(data["version"], line.encode())

    opened = server.streams.open(id, seat, client_address(request))
    return StreamResponse(server.streams, opened, frame, "application/x-ndjson", b"\n", server.metrics.frames.inc)


async def api_record(request: Request) -> Response:
    """The record of a match that is over."""
    async with reading(request) as (table, _):
        return json_response(record_of(table).data())


# --- what players do --------------------------------------------------------------------------------------------------
async def api_move(request: Request) -> Response:
    """Make a move, by its name or id, at a version."""
    began, server = perf_counter(), server_of(request)
    data, seat = await read_json(request), await require_token_player(request)
    action = json_value(data, "move", int if type(data.get("move")) is int else str)
    draft = commands.move(seat, action, json_value(data, "version", int), now(request))
    await server.registry.change(table_id(request), draft)
    server.metrics.acknowledged.observe(perf_counter() - began)
    return await table_response(request, table_id(request), seat)


async def api_retract(request: Request) -> Response:
    """Take back a choice, while others still choose."""
    data, seat = await read_json(request), await require_token_player(request)
    return await change_table(request, seat, commands.retract(seat, json_value(data, "version", int), now(request)))


async def api_add(request: Request) -> Response:
    """Add words of the seat to the shuffle of a rematch."""
    data, seat = await read_json(request), await require_token_player(request)
    contribution = json_value(data, "contribution", str)
    return await change_table(request, seat, commands.contribute(seat, contribution, now(request)))


async def api_rematch(request: Request) -> Response:
    """The table of the rematch, created if there is none yet; the same tokens hold its seats, one further."""
    server, id, data = server_of(request), table_id(request), await read_json(request)
    speaker = await require_token_player(request)
    table, seat = await server.registry.table(id), await find_token_holder(request, id)
    contribution = json_value(data, "contribution", str, None)
    new = await begin_rematch(request, table, seat, contribution, speaker)
    return await table_response(request, new, await find_token_holder(request, new), 201)


async def api_back(request: Request) -> Response:
    """Take one's own seat back from a bot."""
    data, seat = await read_json(request), await require_token_player(request)
    if seat != seat_number(request):
        raise NotYours(say("This seat isn't yours."))
    return await change_table(request, seat, commands.take_back(seat, json_value(data, "bot", str, ""), now(request)))


# --- what the host does -----------------------------------------------------------------------------------------------
async def api_start(request: Request) -> Response:
    """The host deals the cards."""
    data, seat = await read_json(request), await require_token_player(request)
    contribution = json_value(data, "contribution", str, "")
    return await change_table(request, seat, commands.deal(seat, contribution, now(request)))


async def api_host(request: Request) -> Response:
    """Become host in place of one who is away."""
    seat, server = await require_token_player(request), server_of(request)
    is_away = server.host_away(await server.registry.table(table_id(request)), commands.HOST_AWAY)
    return await change_table(request, seat, commands.become_host(seat, is_away, now(request)))


async def api_free(request: Request) -> Response:
    """The host takes a seat from its holder."""
    by = await require_token_player(request)
    draft = commands.free_seat(seat_number(request), by, now(request))
    return await change_table(request, by, draft, inviting=True)


async def api_to_bot(request: Request) -> Response:
    """Let a bot take over a seat."""
    by = await require_token_player(request)
    return await change_table(request, by, commands.give_to_bot(seat_number(request), by, now(request)))


# --- tables and games as data -----------------------------------------------------------------------------------------
MESSAGES_SENT = 20  # chat messages that are sent with a table


def table_data(table: LiveTable, seat: int, log_from: int = 0) -> dict[str, Any]:
    """A table as the holder of a seat (-1: the public) knows it; of the log the lines from an index on."""
    seat = viewing_seat(table, seat)
    view = table.view(seat).data()
    view["log"] = view["log"][log_from:]
    data = {
        "table": table.id,
        "game": table.game.name,
        "rules": table.game.definition.struct_version,
        "options": dict(table.game.options),
        "state": table.state,
        "version": table.version_for(seat),
        "seat": seat if seat >= 0 else None,
        "clock": table.terms.clock,
        "lang": table.terms.lang,
        "hints": table.terms.hints,
        "commitment": table.commitment,
        "seats": [seat_data(table, number) for number in range(len(table.seats))],
        "view": view,
        "log_from": log_from,
        "struct": struct_base64(table, seat),
        "rematch": table.rematch,
        "rematch_commitment": table.rematch_commitment or None,
        "words": table.terms.words,
        "messages": [asdict(message) for message in table.messages[-MESSAGES_SENT:]],
    }
    return data | ({"secret": table.secret.hex()} if table.state == OVER else {})


def seat_data(table: LiveTable, number: int) -> dict[str, Any]:
    """A seat: who plays it, and for whom."""
    seat = table.seats[number]
    return {
        "number": number,
        "name": seat.name,
        "kind": seat.kind,
        "level": seat.level,
        "owner": seat.owner,
        "remote": seat.remote,
        "host": number == table.terms.host,
        "due": seat.due,
        "muted": seat.muted,
    }


def struct_base64(table: LiveTable, seat: int) -> str | None:
    """The struct as a seat knows it, in base64; None before the deal."""
    return None if table.match is None else b64encode(table.match.concealed(seat)).decode()


def game_data(name: str) -> dict[str, Any]:
    """A game: its players, its options, and its actions."""
    game, at_tables = definition(name), preset(name).options
    options = [option_data(option, at_tables.get(option.name, option.default)) for option in game.rules.OPTIONS]
    return {
        "name": name,
        "title": str(game.table.ABOUT.title),
        "rules": game.struct_version,
        "players": list(game.rules.PLAYERS),
        "presets": [preset_data(option) for option in presets(name)],
        "options": options,
        "actions": list(game.rules.ACTIONS),
    }


def preset_data(preset: Preset) -> dict[str, Any]:
    """A preset: its name, and the options that differ from the defaults."""
    return {
        "name": preset.name,
        "title": str(preset.title),
        "about": str(preset.about),
        "options": dict(preset.options),
    }


def option_data(option: Option, at_tables: Any) -> dict[str, Any]:
    """An option: its default, its value at tables where none is given, and the rule it stands for."""
    return {
        "name": option.name,
        "default": option.default,
        "at_tables": at_tables,
        "rule": option.rule,
        "about": str(option.about),
        "allowed": str(option.allowed()),
    }
