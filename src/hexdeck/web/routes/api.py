"""The API for programs: JSON in place of pages, a token in a header in place of a cookie; and its OpenAPI form."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from time import perf_counter
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

import hexdeck
from hexdeck.bots.players.levels import usual_bot
from hexdeck.engine.discovery.definition import definition, first_game, playable, preset, presets
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, say
from hexdeck.tables import chat, commands
from hexdeck.tables.advice import decision_data
from hexdeck.tables.chat import LONGEST, PHRASES
from hexdeck.tables.entries import ANYONE, CLOCKS, NOBODY, OVER
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.fair import LONGEST_CONTRIBUTION
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import Drafter, LiveTable, beats_for, viewing_seat
from hexdeck.web.routes import advice, presenters
from hexdeck.web.routes.new_table import begin_rematch, begin_table
from hexdeck.web.routes.replays import recorder
from hexdeck.web.routes.requests import (
    NO_STORE,
    SEAT,
    assert_may_watch,
    client_address,
    find_token_holder,
    fresh_token,
    json_value,
    long_work,
    now,
    query_number,
    read_json,
    require_token_player,
    seat_number,
    server_of,
    table_id,
)
from hexdeck.web.routes.seats import invited_seat
from hexdeck.web.server.streams import StreamFrame, StreamResponse


# --- answers ----------------------------------------------------------------------------------------------------------
def json_response(data: Any, status: int = 200) -> Response:
    """JSON that is not to be cached."""
    return JSONResponse(data, status, NO_STORE)


async def table_response(
    request: Request, id: str, seat: int, status: int = 200, *, inviting: bool = False, **more: Any
) -> Response:
    """A table as it is now; `inviting`: with the invitations to its free seats."""
    async with server_of(request).registry.reading(id, newest=True) as table:
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
    async with server_of(request).registry.reading(table_id(request), newest=True) as table:
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
            length = len(table.view(viewing_seat(table, seat)).log)
            if length != sent:  # otherwise the same lines again, so that without news it is the same frame
                sent, since = length, min(sent, length)
            return stream_line(table, seat, since)

    opened = server.streams.open(id, seat, client_address(request))
    return StreamResponse(server.streams, opened, frame, "application/x-ndjson", b"\n", server.metrics.frames.inc)


def stream_line(table: LiveTable, seat: int, since: int) -> StreamFrame:
    """A table as a line of JSON, of the log the lines from an index on; for spectators it is made once."""
    kept: tuple[int, StreamFrame] | None = table.cache.get(("line", since)) if seat < 0 else None
    if kept and kept[0] == table.last_message:
        return kept[1]
    data = table_data(table, seat, since)
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    frame = StreamFrame(data["version"], line.encode())
    if seat < 0:
        table.cache["line", since] = table.last_message, frame
    return frame


async def api_record(request: Request) -> Response:
    """The record of a match that is over."""
    async with reading(request) as (table, _):
        record = recorder(table)
    text = await long_work(request, lambda: record().text(), table_id(request))
    return Response(text, media_type="application/json", headers=NO_STORE)


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


# --- the chat ---------------------------------------------------------------------------------------------------------
async def api_speak(request: Request) -> Response:
    """Send a phrase by its id, or words."""
    data, seat = await read_json(request), await require_token_player(request)
    phrase, text = json_value(data, "phrase", str, ""), json_value(data, "words", str, "")
    await chat.post_message(server_of(request).registry, table_id(request), seat, phrase, text)
    return await table_response(request, table_id(request), seat)


async def api_words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    data, seat = await read_json(request), await require_token_player(request)
    return await change_table(request, seat, chat.allow_words(seat, json_value(data, "on", bool), now(request)))


async def api_mute(request: Request) -> Response:
    """The host mutes a seat, or unmutes it."""
    data, by = await read_json(request), await require_token_player(request)
    muted = json_value(data, "muted", bool)
    return await change_table(request, by, chat.mute(seat_number(request), by, muted, now(request)))


# --- advice -----------------------------------------------------------------------------------------------------------
async def api_hint(request: Request) -> Response:
    """The best moves of the token's seat, from what it knows, where the table allows hints."""
    seat = await require_token_player(request)
    hint = await advice.hint_of(server_of(request), table_id(request), seat)
    if await require_token_player(request) != seat:  # meanwhile a shared device was handed over
        raise Stale(say("The table has moved on; look again."))
    return json_response(
        {
            "version": hint.version,
            "hints": [
                {
                    "id": move.action,
                    "label": move.label.data(),
                    "value": move.value,
                    "margin": move.margin,
                    "result": move.result.data(),
                    "reason": move.reason.data() if move.reason else None,
                }
                for move in hint.best
            ],
            "premises": [text.data() for text in hint.premises],
        }
    )


async def api_lesson(request: Request) -> Response:
    """What the coach explains to the token's seat now and, after the end, how the match was scored."""
    seat = await require_token_player(request)
    async with server_of(request).registry.reading(table_id(request)) as table:
        lesson = presenters.lesson(table, seat)
        return json_response(
            {
                "version": table.version_for(seat),
                "coached": table.seats[seat].coached,
                "lesson": {name: text and text.data() for name, text in vars(lesson).items()} if lesson else None,
                "scored": [text.data() for text in presenters.scored(table, seat)],
            }
        )


async def api_beats(request: Request) -> Response:
    """What happened since a version, step by step, as the token's seat or the public sees it."""
    async with reading(request) as (table, holder):
        seat = viewing_seat(table, holder)
        since = query_number(request, "since", table.version, table.version)
        beats = beats_for(table, seat, since)
        return json_response(
            {"version": table.version_for(seat), "follows": since, "beats": [beat.data() for beat in beats]}
        )


async def api_analysis(request: Request) -> Response:
    """The analysis of a seat's decisions in a match that is over, as far as it has come."""
    async with reading(request) as (table, holder):
        seat = advice.seat_asked_for(request, table, holder)
        analysis = await advice.analysis_for(request, table, seat)
        decisions = [decision_data(decision) | {"verdict": decision.verdict} for decision in list(analysis.decisions)]
        return json_response(
            {
                "seat": analysis.seat,
                "done": analysis.done,
                "failed": analysis.failed,
                "total": analysis.total if analysis.total >= 0 else None,
                "decisions": decisions,
                "summary": [text.data() for text in analysis.summary],
            }
        )


# --- tables and games as data -----------------------------------------------------------------------------------------
MESSAGES_SENT, LINES_SENT = 20, 1_000  # chat messages and lines of the log that are sent with a table: the last
SEAT_FIELDS = ("name", "kind", "level", "owner", "remote", "due", "muted")


def table_data(table: LiveTable, seat: int, log_from: int = 0) -> dict[str, Any]:
    """A table as the holder of a seat (-1: the public) knows it; of the log the last lines, from an index on."""
    seat = viewing_seat(table, seat)
    view = table.view(seat)
    log_from = max(log_from, len(view.log) - LINES_SENT)
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
        "seats": [
            {"number": number, "host": number == table.terms.host}
            | {name: getattr(chair, name) for name in SEAT_FIELDS}
            for number, chair in enumerate(table.seats)
        ],
        "view": replace(view, log=view.log[log_from:]).data(),
        "log_from": log_from,
        "struct": None if table.match is None else b64encode(table.match.concealed(seat)).decode(),
        "rematch": table.rematch,
        "rematch_commitment": table.rematch_commitment or None,
        "words": table.terms.words,
        "messages": [asdict(message) for message in table.messages[-MESSAGES_SENT:]],
    }
    return data | ({"secret": table.secret.hex()} if table.state == OVER else {})


def game_data(name: str) -> dict[str, Any]:
    """A game: its players and actions; its presets, and its options with their values at tables where none is given."""
    game, at_tables = definition(name), preset(name).options
    return {
        "name": name,
        "title": str(game.table.ABOUT.title),
        "rules": game.struct_version,
        "players": list(game.rules.PLAYERS),
        "presets": [
            {
                "name": variety.name,
                "title": str(variety.title),
                "about": str(variety.about),
                "options": dict(variety.options),
            }
            for variety in presets(name)
        ],
        "options": [
            {
                "name": option.name,
                "default": option.default,
                "at_tables": at_tables.get(option.name, option.default),
                "rule": option.rule,
                "about": str(option.about),
                "allowed": str(option.allowed()),
            }
            for option in game.rules.OPTIONS
        ],
        "actions": list(game.rules.ACTIONS),
    }


Data = dict[str, Any]
TYPES: dict[str, Data] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "object": {"type": "object"},
    "sentence": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
}


# --- schemas ----------------------------------------------------------------------------------------------------------
def record(fields: str, **schemas: Data) -> Data:
    """A JSON object by its fields, such as `name:text points:int? log:sentence[] bot*`.

    `?`: may be null. `[]`: a list. `*`: may be left out. A field without a type has its schema among `schemas`.
    """
    properties, required = {}, []
    for field in fields.split():
        name, _, kind = field.removesuffix("*").partition(":")
        properties[name] = typed(kind) if kind else schemas[name]
        required += [] if field.endswith("*") else [name]
    return {"type": "object", "properties": properties, "required": required}


def typed(kind: str) -> Data:
    """The schema of a type as `record` has it."""
    if kind.endswith("[]"):
        return array(TYPES[kind[:-2]])
    schema = TYPES[kind.removesuffix("?")]
    return {"type": [schema["type"], "null"]} if kind.endswith("?") else schema


def array(items: Data) -> Data:
    """A JSON list."""
    return {"type": "array", "items": items}


def ref(name: str) -> Data:
    """A reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


def about(kind: str, description: str) -> Data:
    """A type with a description."""
    return typed(kind) | {"description": description}


def one_of(*values: str) -> Data:
    """One of some strings."""
    return {"enum": list(values)}


def schemas() -> dict[str, Data]:
    """The named schemas: those of whole answers."""
    return {
        "Table": table_schema(),
        "Hint": record(
            "version:int hints premises:sentence[]",
            hints=array(
                record(
                    "id:int label:sentence value margin result:sentence reason:object?",
                    value=about("number", "the utility expected"),
                    margin=about("number?", "half its 95 % interval; null: exact"),
                )
            ),
        ),
        "Lesson": record(
            "version:int coached:bool lesson scored:sentence[]",
            lesson={
                "anyOf": [
                    record("title:sentence may:sentence why:sentence risk:sentence aim:object?"),
                    {"type": "null"},
                ]
            },
        ),
        "Analysis": analysis_schema(),
        "Beats": record(
            "version:int follows:int beats",
            beats=array(
                record(
                    "hold zones:object[] light seats:int[] line:object? cue:text said:object?",
                    hold=about("int", "milliseconds for which it is shown"),
                    light=about("text[]", "zones, or cards by their place in a zone, such as trick.2"),
                )
            ),
        ),
        "Promise": record("promise:text commitment:text"),
        "Refusal": record("error:text rule:text* legal:text[]*"),
    }


def table_schema() -> Data:
    """A table as a seat knows it."""
    seat = record(
        "number:int name:text kind level:text owner:bool remote:bool host:bool due:number? muted:bool",
        kind=one_of("person", "bot", "open"),
    )
    message = record("number:int seat:int name:text phrase words:text at:number", phrase=one_of("", *PHRASES))
    view = record(
        "game:text seat:int ply:int players:int names:text[] acting:int[] over:bool prompt:sentence zones:object[]"
        " moves log:sentence[] outcomes:sentence[]",
        moves=array(record("id:int name:text label:sentence zone:text cell:text points:int?")),
    )
    return record(
        "table:text game:text rules:int options:object state version:int seat:int? clock lang hints commitment:text"
        " seats view log_from:int struct rematch:text? rematch_commitment words:bool messages"
        " secret:text* token:text* invitations:object*",
        state=one_of("waiting", "playing", "over"),
        clock=one_of(*CLOCKS),
        lang=one_of("", *LANGUAGES),
        hints=about("bool", "whether hints may be asked for"),
        seats=array(seat),
        view=view,
        struct=about("text?", "the struct as this seat knows it, in base64"),
        rematch_commitment=about("text?", "of a rematch that isn't there yet"),
        messages=array(message),
    )


def analysis_schema() -> Data:
    """The analysis of a seat's decisions."""
    decision = record(
        "ply:int prompt:sentence played:sentence best:sentence reason:object? same:bool worth got cost margin:number?"
        " verdict",
        **dict.fromkeys(("worth", "got", "cost"), about("number", "a utility")),
        verdict=one_of("same", "close", "costly", "better"),
    )
    fields = "seat:int done:bool failed:bool total:int? decisions summary:sentence[]"
    return record(fields, decisions=array(decision))


BOT = about("text", "the bot that plays this seat over the network, if one does")
CONTRIBUTION = about("text", "added to the key of the cards") | {"maxLength": LONGEST_CONTRIBUTION}


def bodies() -> dict[str, Data]:
    """The bodies of requests, by operation."""
    contribution = {"contribution": CONTRIBUTION}
    return {
        "create": create_body(),
        "join": record("invitation:text name:text* bot* contribution*", bot=BOT, **contribution),
        "start": record("contribution*", **contribution),
        "add": record("contribution", **contribution),
        "rematch": record("contribution*", **contribution),
        "move": record("move version:int", move={"type": ["string", "integer"]}),
        "retract": record("version:int"),
        "back": record("bot*", bot=BOT),
        "say": record("phrase* words*", phrase=one_of(*PHRASES), words={"type": "string", "maxLength": LONGEST}),
        "words": record("on:bool"),
        "mute": record("muted:bool"),
    }


def create_body() -> Data:
    """The body that creates a table."""
    return record(
        "game:text players:int* preset:text* options* seats* name:text* clock* watch* lang* hints* feedback* coach*"
        " promise* hold:bool* bot* contribution*",
        options=about(
            "object",
            "those left out are as the preset has them; without one, as /api/games says under at_tables, or with a"
            " coach as in a first game",
        ),
        seats=about("text[]", "for each seat you, open, or a bot's name"),
        clock=one_of(*CLOCKS),
        watch=one_of(ANYONE, NOBODY),
        lang=one_of("", *LANGUAGES)
        | {
            "description": "of who comes by an invitation, and of the table's refusals, for those who ask for none;"
            " empty: what each browser asks for"
        },
        hints=about("bool", "whether hints are allowed; usually where no seat is open"),
        feedback=about("bool", "whether players are asked what they thought; usually so"),
        coach=about("bool", "whether the seat's page explains each kind of decision once"),
        promise=about("text", "of /api/promise: the table keeps to its commitment"),
        bot=BOT,
        contribution=CONTRIBUTION,
    )


# --- operations -------------------------------------------------------------------------------------------------------
class Operation(NamedTuple):
    """What is done at an address below `/api`: what answers, its name, what it does, a field of its query, its status.

    `seat`: it goes by the token of a seat.
    """

    method: str
    path: str
    answers: Callable[[Request], Awaitable[Any]]
    name: str
    about: str
    answer: Data = ref("Table")
    query: str = ""
    status: str = "200"
    media: str = "application/json"
    seat: bool = True


REFUSALS = {
    "400": "what was sent can't be used",
    "403": "not for this token",
    "404": "no such table, invitation or game",
    "409": "the table has moved on, or isn't where this can be done",
    "410": "the table can't be gone on with",
    "413": "too much was sent",
    "429": "too often, or too many",
    "503": "the tables can't be read just now, or the table's game can't be played",
}
GET, POST, AT, CHAIR = "GET", "POST", "/tables/{table}", f"/tables/{{table}}/seats/{SEAT}"
OPERATIONS = (
    Operation(GET, "/games", games, "games", "the games, their players and options", TYPES["object"], seat=False),
    Operation(
        GET, "/promise", api_promise, "promise", "what a table that isn't set yet promises", ref("Promise"), seat=False
    ),
    Operation(GET, AT, api_table, "table", "a table as the seat knows it"),
    Operation(
        GET,
        f"{AT}/stream",
        api_stream,
        "stream",
        "the table now and at each change, a Table a line",
        TYPES["text"],
        media="application/x-ndjson",
    ),
    Operation(GET, f"{AT}/record", api_record, "record", "the record of a match that is over", TYPES["object"]),
    Operation(
        GET,
        f"{AT}/beats",
        api_beats,
        "beats",
        "what happened since a version, step by step; nothing for who is far behind",
        ref("Beats"),
        "since",
    ),
    Operation(
        GET,
        f"{AT}/lesson",
        api_lesson,
        "lesson",
        "what the coach explains now, and at the end how it was scored",
        ref("Lesson"),
    ),
    Operation(
        GET,
        f"{AT}/analysis",
        api_analysis,
        "analysis",
        "a seat's decisions in a match that is over, as far as they are judged",
        ref("Analysis"),
        "seat",
    ),
    Operation(POST, "/tables", api_create, "create", "set a table and take a seat", status="201", seat=False),
    Operation(POST, f"{AT}/join", api_join, "join", "take a seat by its invitation", status="201", seat=False),
    Operation(POST, f"{AT}/start", api_start, "start", "the host has the cards dealt"),
    Operation(POST, f"{AT}/move", api_move, "move", "play a move that is legal now"),
    Operation(POST, f"{AT}/retract", api_retract, "retract", "take back a choice while others still choose"),
    Operation(
        POST, f"{AT}/hint", api_hint, "hint", "the best moves, the best first, from what the seat knows", ref("Hint")
    ),
    Operation(POST, f"{AT}/contribution", api_add, "add", "after a match, words for a rematch"),
    Operation(
        POST,
        f"{AT}/rematch",
        api_rematch,
        "rematch",
        "the table of the rematch, made if nobody has yet; the same tokens hold the seats",
        status="201",
    ),
    Operation(POST, f"{AT}/host", api_host, "host", "become host in the place of one who is away"),
    Operation(POST, f"{CHAIR}/free", api_free, "free", "the host takes a seat from who holds it"),
    Operation(POST, f"{CHAIR}/bot", api_to_bot, "bot", "let a bot take over a seat"),
    Operation(POST, f"{CHAIR}/back", api_back, "back", "take one's seat back"),
    Operation(POST, f"{AT}/say", api_speak, "say", "say a phrase by its id, or words; people only"),
    Operation(POST, f"{AT}/words", api_words, "words", "the host allows words of one's own, or phrases only"),
    Operation(POST, f"{CHAIR}/mute", api_mute, "mute", "the host silences a seat, or lets it talk"),
)


def routes() -> list[BaseRoute]:
    """The addresses of the API."""
    described = [Route(operation.path, operation.answers, methods=[operation.method]) for operation in OPERATIONS]
    return [Mount("/api", routes=[Route("/openapi.json", openapi, methods=[GET]), *described])]


def document(prefix: str = "") -> Data:
    """The OpenAPI 3.1 description of the whole API; `prefix`: where the site begins."""
    description = "Create, join, view, move; a stream for each seat. A seat is a token: send it as a bearer token."
    paths: dict[str, Data] = {}
    for operation in OPERATIONS:
        path = f"/api{operation.path}".replace(SEAT, "{seat}")
        paths.setdefault(path, {})[operation.method.lower()] = operation_data(path, operation)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Hexdeck", "version": hexdeck.__version__, "description": description},
        "servers": [{"url": prefix or "/"}],
        "paths": paths,
        "components": {"schemas": schemas(), "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}},
    }


def operation_data(path: str, operation: Operation) -> Data:
    """An operation: what is sent, and what is answered."""
    refused = {"content": {"application/json": {"schema": ref("Refusal")}}}
    answer = {"description": operation.about, "content": {operation.media: {"schema": operation.answer}}}
    number = {"type": "integer", "minimum": 0}
    in_path = {"table": TYPES["text"], "seat": number}
    parameters = [parameter(name, "path", schema) for name, schema in in_path.items() if f"{{{name}}}" in path]
    parameters += [parameter(operation.query, "query", number)] if operation.query else []
    out: Data = {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": parameters,
        "responses": {operation.status: answer}
        | {status: {"description": text, **refused} for status, text in REFUSALS.items()},
    }
    if body := bodies().get(operation.name):
        content = {"content": {"application/json": {"schema": body}}}
        out["requestBody"] = {"required": bool(body["required"]), **content}
    return out | ({"security": [{"seat": []}, {}]} if operation.seat else {})


def parameter(name: str, location: str, schema: Data) -> Data:
    """A parameter of the path or the query."""
    return {"name": name, "in": location, "required": location == "path", "schema": schema}
