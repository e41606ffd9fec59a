"""The API for programs: JSON in place of pages, a token in a header in place of a cookie; and its OpenAPI form."""

import json
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.routing import BaseRoute, Mount

import hexdeck
from hexdeck.bots.players.levels import usual_bot
from hexdeck.engine.discovery.definition import definition, first_game, playable, preset, presets
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, say
from hexdeck.tables import commands
from hexdeck.tables.chat import LONGEST, PHRASES
from hexdeck.tables.entries import ANYONE, CLOCKS, NOBODY
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.fair import LONGEST_CONTRIBUTION
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable, beats_for, viewing_seat
from hexdeck.web.routes import advice, at_table, presenters
from hexdeck.web.routes.codes import table_of_code
from hexdeck.web.routes.new_table import begin_rematch, begin_table
from hexdeck.web.routes.replays import recorder
from hexdeck.web.routes.requests import NO_STORE, SEAT, JsonObject, Page, SiteRequest, json_response
from hexdeck.web.routes.seats import invited_seat
from hexdeck.web.server.state import StreamFrame, StreamResponse

Data = dict[str, Any]


# --- games and new tables ---------------------------------------------------------------------------------------------
async def openapi(request: SiteRequest) -> Data:
    """The description of this API."""
    return document(request.server.settings.prefix)


async def games(_request: SiteRequest) -> Data:
    """The games, their players and options."""
    return {"games": [game_data(name) for name in playable()]}


async def api_promise(request: SiteRequest) -> Data:
    """What a table that isn't set yet promises."""
    promise = request.registry.promise()
    return {"promise": promise.ticket, "commitment": promise.hash}


async def api_create(request: SiteRequest) -> Response:
    """Set up a table and take a seat."""
    data, token = await request.read_json(), request.fresh_token()
    table = await begin_table(request, commands.checked(setup_from_json(data)), token)
    answer = await request.table_data(table.id, table.terms.host, invites=True)
    return json_response(answer | {"token": token}, 201)


SET_UP = {"name": str, "clock": str, "watch": str, "lang": str, "contribution": str, "promise": str} | dict.fromkeys(
    ("hold", "hints", "coach", "feedback"), bool
)


def setup_from_json(data: JsonObject) -> commands.TableSetup:
    """The table that a program asks for; raises TableError, UnknownGame or BadOption."""
    game, facts = find_game(data.text("game")), commands.TableSetup
    terms = {name: data.value(name, kind, getattr(facts, name)) for name, kind in SET_UP.items()}
    preset = data.text("preset", "") or (first_game(game) if terms["coach"] else "")
    players, options = data.value("players", int, None), data.value("options", dict, {})
    chosen = commands.chosen_game(game, players, preset, options)
    usual = [commands.YOU, *[usual_bot(chosen)] * (chosen.players - 1)]
    chairs = [str(chair) for chair in data.value("seats", list, usual)]
    if commands.HERE in chairs:
        raise BadOption(say("Sharing one device between several players only works in the browser."))
    return commands.TableSetup(chosen, tuple(chairs), program=data.text("bot", ""), **terms)


async def api_join(request: SiteRequest) -> Response:
    """Take a seat by its invitation."""
    request.server.limits.allow_join(request.address)
    data = await request.read_json()
    table, seat = await invited_seat(request.server, data.text("invitation"))
    if table.id != request.table_id:
        raise Stale(say("This invitation is for another table."))
    return await joined(request, table, seat, data)


async def api_join_by_code(request: SiteRequest) -> Response:
    """Take the seat of a code: the one that it names, else the first that is free."""
    table, seat = await table_of_code(request, request.path_params["code"])
    free = commands.seats_free(table) if seat is None else [seat]
    if not free:
        raise Stale(say("Every seat is taken."))
    return await joined(request, table, free[0], await request.read_json())


async def joined(request: SiteRequest, table: LiveTable, seat: int, data: JsonObject) -> Response:
    """Give a seat to a program, with a token for it."""
    server, token = request.server, request.fresh_token()
    name, bot, contribution = (data.text(field, "") for field in ("name", "bot", "contribution"))
    holder = {"token": hashed(token), "table": table.id, "seat": seat}
    await server.registry.change(table.id, commands.sit(seat, name, bot, contribution, request.now), holder)
    server.registry.remember_holder(table.id, hashed(token), seat)
    return json_response(await request.table_data(table.id, seat) | {"token": token}, 201)


# --- looking at a table -----------------------------------------------------------------------------------------------
async def api_table(request: SiteRequest) -> Data:
    """A table as the seat knows it."""
    async with request.reading_as_holder() as (table, seat):
        request.server.start_first_clock(table, seat)
        return presenters.table_data(table, seat)


async def api_stream(request: SiteRequest) -> StreamResponse:
    """The table now and at each change, a Table a line."""
    server, id, sent, since = request.server, request.table_id, 0, 0
    async with request.reading_as_holder() as (table, seat):
        server.start_first_clock(table, seat)
        freed = table.freed(seat)

    async def frame(_since: int) -> StreamFrame:
        nonlocal sent, since
        async with server.registry.reading(id, newest=False) as table:
            table.assert_held(seat, freed)
            length = len(table.view(viewing_seat(table, seat)).log)
            if length != sent:  # otherwise the same lines again, so that without news it is the same frame
                sent, since = length, min(sent, length)
            return stream_line(table, seat, since)

    opened = server.streams.open(id, seat, request.address)
    return StreamResponse(server.streams, opened, frame, "application/x-ndjson", b"\n", server.metrics.frames.inc)


def stream_line(table: LiveTable, seat: int, since: int) -> StreamFrame:
    """A table as a line of JSON, of the log the lines from an index on; for spectators it is made once."""
    stored: tuple[int, StreamFrame] | None = table.cache.get(("line", since)) if seat < 0 else None
    if stored and stored[0] == table.last_message:
        return stored[1]
    data = presenters.table_data(table, seat, since)
    line = json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
    frame = StreamFrame(data["version"], line.encode())
    if seat < 0:
        table.cache["line", since] = table.last_message, frame
    return frame


async def api_record(request: SiteRequest) -> Response:
    """The record of a match that is over."""
    async with request.reading_as_holder() as (table, _):
        record = recorder(table)
    text = await request.long_work(lambda: record().text(), request.table_id)
    return Response(text, media_type="application/json", headers=NO_STORE)


# --- what players do --------------------------------------------------------------------------------------------------
async def api_move(request: SiteRequest) -> Data:
    """Play a move that is legal now."""
    began, server = perf_counter(), request.server
    data, seat = await request.read_json(), await request.require_player()
    action = data.value("move", int if type(data.get("move")) is int else str)
    draft = commands.move(seat, action, data.version, request.now)
    await server.registry.change(request.table_id, draft)
    server.metrics.acknowledged.observe(perf_counter() - began)
    return await request.table_data(request.table_id, seat)


async def api_rematch(request: SiteRequest) -> Response:
    """The table of the rematch, made if nobody has yet; the same tokens hold the seats."""
    server, id, data = request.server, request.table_id, await request.read_json()
    speaker = await request.require_player()
    table, seat = await server.registry.table(id), await request.find_holder(id)
    contribution = data.value("contribution", str, None)
    new = await begin_rematch(request, table, seat, contribution, speaker)
    return json_response(await request.table_data(new, await request.find_holder(new)), 201)


async def api_back(request: SiteRequest) -> Response:
    """Take one's seat back."""
    data, seat = await request.read_json(), await request.require_player()
    if seat != request.seat_number:
        raise NotYours(say("This seat isn't yours."))
    return await request.change_table(commands.take_back(seat, data.text("bot", ""), request.now), seat)


# --- advice -----------------------------------------------------------------------------------------------------------
async def api_hint(request: SiteRequest) -> Data:
    """The best moves, the best first, from what the seat knows."""
    seat = await request.require_player()
    hint = await advice.hint_of(request.server, request.table_id, seat)
    if await request.require_player() != seat:  # meanwhile a shared device was handed over
        raise Stale(say("The table has moved on; look again."))
    fields = ("label", "value", "margin", "result", "reason")
    best = [{"id": move.action} | {name: getattr(move, name) for name in fields} for move in hint.best]
    return {"version": hint.version, "hints": best, "premises": hint.premises}


async def api_lesson(request: SiteRequest) -> Data:
    """What the coach explains now, and at the end how it was scored."""
    seat = await request.require_player()
    async with request.registry.reading(request.table_id) as table:
        lesson, scored = presenters.lesson(table, seat), presenters.scored(table, seat)
        about = {"version": table.version_for(seat), "coached": table.seats[seat].coached}
        return about | {"lesson": vars(lesson) if lesson else None, "scored": scored}


async def api_beats(request: SiteRequest) -> Data:
    """What happened since a version, step by step; nothing for who is far behind."""
    async with request.reading_as_holder() as (table, holder):
        seat = viewing_seat(table, holder)
        since = request.query_number("since", table.version, table.version)
        return {"version": table.version_for(seat), "follows": since, "beats": beats_for(table, seat, since)}


async def api_analysis(request: SiteRequest) -> Data:
    """A seat's decisions in a match that is over, as far as they are judged."""
    async with request.reading_as_holder() as (table, holder):
        analysis = await advice.analysis_for(request, table, advice.seat_asked_for(request, table, holder))
        facts = {name: getattr(analysis, name) for name in ("seat", "done", "failed", "summary")}
        decisions = [vars(decision) | {"verdict": decision.verdict} for decision in list(analysis.decisions)]
        return facts | {"total": analysis.total if analysis.total >= 0 else None, "decisions": decisions}


# --- games as data ----------------------------------------------------------------------------------------------------
def game_data(name: str) -> Data:
    """A game: its players and actions; its presets, and its options with their values at tables where none is given."""
    game, at_tables = definition(name), preset(name).options
    return {
        "name": name,
        "title": str(game.table.ABOUT.title),
        "rules": game.struct_version,
        "players": game.rules.PLAYERS,
        "presets": [
            {"name": entry.name, "title": str(entry.title), "about": str(entry.about), "options": dict(entry.options)}
            for entry in presets(name)
        ],
        "options": [
            {name: getattr(option, name) for name in ("name", "default", "rule")}
            | {"at_tables": at_tables.get(option.name, option.default)}
            | {"about": str(option.about), "allowed": str(option.allowed())}
            for option in game.rules.OPTIONS
        ],
        "actions": game.rules.ACTIONS,
    }


# --- schemas ----------------------------------------------------------------------------------------------------------
def typed(kind: str) -> Data:
    """The schema of a type, such as `int`; of `int?`, which may be null; of `int[]`, a list."""
    if kind.endswith("[]"):
        return {"type": "array", "items": TYPES[kind[:-2]]}
    schema = TYPES[kind.removesuffix("?")]
    return {"type": [schema["type"], "null"]} if kind.endswith("?") else schema


def record(fields: str) -> Data:
    """A JSON object by its fields, such as `name:text points:int? log:sentence[] bot*`.

    `*`: may be left out. A field without a type has the one of its name.
    """
    parts = [field.removesuffix("*").partition(":") for field in fields.split()]
    required = [field.partition(":")[0] for field in fields.split() if not field.endswith("*")]
    properties = {name: typed(kind or name) for name, _, kind in parts}
    return {"type": "object", "properties": properties, "required": required}


def about(kind: str, description: str) -> Data:
    """A type with a description."""
    return typed(kind) | {"description": description}


def one_of(*values: str) -> Data:
    """One of some strings."""
    return {"enum": list(values)}


def ref(name: str) -> Data:
    """A reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


TYPES: dict[str, Data] = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "number": {"type": "number"},
    "bool": {"type": "boolean"},
    "object": {"type": "object"},
    "sentence": {"type": "object", "properties": {"key": {"type": "string"}}, "required": ["key"]},
    "action": {"type": ["string", "integer"]},
    "speech": {"type": "string", "maxLength": LONGEST},
}
TYPES |= {
    "bot": about("text", "the bot that plays this seat over the network, if one does"),
    "clock": one_of(*CLOCKS) | {"description": "how long a seat may take; usually none"},
    "coach": about("bool", "whether the seat's page explains each kind of decision once"),
    "contribution": about("text", "added to the key of the cards") | {"maxLength": LONGEST_CONTRIBUTION},
    "feedback": about("bool", "whether players are asked what they thought; usually not"),
    "hints": about("bool", "whether hints are allowed; usually where no seat is open"),
    "hold": about("int", "milliseconds for which it is shown"),
    "kind": one_of("person", "bot", "open"),
    "lang": one_of("", *LANGUAGES),
    "light": about("text[]", "zones, or cards by their place in a zone, such as trick.2"),
    "margin": about("number?", "half its 95 % interval; null: exact"),
    "options": about(
        "object",
        "those left out are as the preset has them; without one, as /api/games says under at_tables, or with a coach as"
        " in a first game",
    ),
    "phrase": one_of(*PHRASES),
    "promise": about("text", "of /api/promise: the table keeps to its commitment"),
    "rematch_commitment": about("text?", "of a rematch that isn't there yet"),
    "seats": about("text[]", "for each seat you, open, or a bot's name"),
    "state": one_of("waiting", "playing", "over"),
    "struct": about("text?", "the struct as this seat knows it, in base64"),
    "utility": about("number", "a utility"),
    "value": about("number", "the utility expected"),
    "verdict": one_of("same", "close", "costly", "better"),
    "watch": one_of(ANYONE, NOBODY) | {"description": "who may look on"},
    "invitation": about("text", "of invitations, or what follows /join/ in the link of a seat"),
    "preset": about("text", "a named set of options, of /api/games; usually the first"),
    # where several records have a field of the same name
    "game_wanted": about("text", "its name, or the beginning of it"),
    "game_size": about("int", "how many play; usually 4, where the game allows it"),
    "own_name": about("text", "of who takes the seat; usually Guest"),
    "chosen": TYPES["action"] | {"description": "the id or the name of one of view.moves"},
    "seen": about("int", "the version of the table that was seen; 409 if it has moved on"),
    "waits": about("bool", "whether the host starts, even with all seats taken; usually not"),
    "hinted": about("bool", "whether hints may be asked for"),
    "spoken": one_of("", *PHRASES),
    "lang_wanted": one_of("", *LANGUAGES)
    | {
        "description": "of who comes by an invitation, and of the table's refusals, for those who ask for none;"
        " empty: what each browser asks for"
    },
}
TYPES |= {  # parts of answers
    "beat": record("hold zones:object[] light seats:int[] line:object? cue:text said:object?"),
    "decision": record(
        "ply:int prompt:sentence played:sentence best:sentence reason:object? same:bool best_value:utility"
        " played_value:utility cost:utility margin:number? verdict"
    ),
    "hint": record("id:int label:sentence value margin result:sentence reason:object?"),
    "lesson": {
        "anyOf": [record("title:sentence may:sentence why:sentence risk:sentence aim:object?"), {"type": "null"}]
    },
    "message": record("number:int seat:int name:text phrase:spoken words:text at:number"),
    "move": record("id:int name:text label:sentence zone:text cell:text points:int?"),
    "seat": record("number:int name:text kind level:text owner:bool remote:bool host:bool due:number? muted:bool"),
}
TYPES["view"] = record(
    "game:text seat:int ply:int players:int names:text[] acting:int[] over:bool prompt:sentence zones:object[]"
    " moves:move[] log:sentence[] outcomes:sentence[]"
)
SCHEMAS = {  # whole answers
    "Table": record(
        "table:text game:text rules:int options:object state version:int seat:int? clock lang hints:hinted"
        " commitment:text seats:seat[] view log_from:int struct rematch:text? rematch_commitment words:bool"
        " messages:message[] secret:text* token:text* invitations:object*"
    ),
    "Hint": record("version:int hints:hint[] premises:sentence[]"),
    "Lesson": record("version:int coached:bool lesson scored:sentence[]"),
    "Analysis": record("seat:int done:bool failed:bool total:int? decisions:decision[] summary:sentence[]"),
    "Beats": record("version:int follows:int beats:beat[]"),
    "Promise": record("promise:text commitment:text"),
    "Refusal": record("error:text rule:text* legal:text[]*"),
}
BODIES = {  # of requests, by operation
    "create": record(
        "game:game_wanted players:game_size* preset* options* seats* name:own_name* clock* watch* lang:lang_wanted*"
        " hints* feedback* coach* promise* hold:waits* bot* contribution*"
    ),
    "join": record("invitation name:own_name* bot* contribution*"),
    "join_by_code": record("name:own_name* bot* contribution*"),
    "start": record("contribution*"),
    "add": record("contribution"),
    "rematch": record("contribution*"),
    "move": record("move:chosen version:seen"),
    "retract": record("version:seen"),
    "back": record("bot*"),
    "say": record("phrase* words:speech*"),
    "words": record("on:bool"),
    "mute": record("muted:bool"),
}


# --- operations -------------------------------------------------------------------------------------------------------
class Operation(NamedTuple):
    """What is done at an address below `/api`: what answers, and says what it does; its name, and a field of its query.

    `seat`: it goes by the token of a seat.
    """

    method: str
    path: str
    answers: Callable[[SiteRequest], Awaitable[Any]]
    name: str
    answer: Data = ref("Table")
    query: str = ""
    status: str = "200"
    media: str = "application/json"
    seat: bool = True

    @property
    def about(self) -> str:
        """What it does, as a summary."""
        text = (self.answers.__doc__ or "").strip().rstrip(".")
        return text[:1].lower() + text[1:]


REFUSALS = {
    "400": "what was sent can't be used",
    "403": "not for this token",
    "404": "no such table, invitation or game",
    "409": "the table has moved on, or isn't where this can be done",
    "410": "the table can't be resumed",
    "413": "too much was sent",
    "429": "too often, or too many",
    "503": "the tables can't be read just now, or the table's game can't be played",
}
GET, POST, AT, CHAIR = "GET", "POST", "/tables/{table}", f"/tables/{{table}}/seats/{SEAT}"
OPERATIONS = (
    Operation(GET, "/games", games, "games", TYPES["object"], seat=False),
    Operation(GET, "/promise", api_promise, "promise", ref("Promise"), seat=False),
    Operation(GET, AT, api_table, "table"),
    Operation(GET, f"{AT}/stream", api_stream, "stream", TYPES["text"], media="application/x-ndjson"),
    Operation(GET, f"{AT}/record", api_record, "record", TYPES["object"]),
    Operation(GET, f"{AT}/beats", api_beats, "beats", ref("Beats"), "since"),
    Operation(GET, f"{AT}/lesson", api_lesson, "lesson", ref("Lesson")),
    Operation(GET, f"{AT}/analysis", api_analysis, "analysis", ref("Analysis"), "seat"),
    Operation(POST, "/tables", api_create, "create", status="201", seat=False),
    Operation(POST, f"{AT}/join", api_join, "join", status="201", seat=False),
    Operation(POST, "/codes/{code}/join", api_join_by_code, "join_by_code", status="201", seat=False),
    Operation(POST, f"{AT}/start", at_table.start, "start"),
    Operation(POST, f"{AT}/move", api_move, "move"),
    Operation(POST, f"{AT}/retract", at_table.retract, "retract"),
    Operation(POST, f"{AT}/hint", api_hint, "hint", ref("Hint")),
    Operation(POST, f"{AT}/contribution", at_table.add, "add"),
    Operation(POST, f"{AT}/rematch", api_rematch, "rematch", status="201"),
    Operation(POST, f"{AT}/host", at_table.host, "host"),
    Operation(POST, f"{CHAIR}/free", at_table.free, "free"),
    Operation(POST, f"{CHAIR}/bot", at_table.to_bot, "bot"),
    Operation(POST, f"{CHAIR}/back", api_back, "back"),
    Operation(POST, f"{AT}/say", at_table.speak, "say"),
    Operation(POST, f"{AT}/words", at_table.words, "words"),
    Operation(POST, f"{CHAIR}/mute", at_table.mute, "mute"),
)


def routes() -> list[BaseRoute]:
    """The addresses of the API."""
    described = [Page(operation.path, operation.answers, operation.method) for operation in OPERATIONS]
    return [Mount("/api", routes=[Page("/openapi.json", openapi), *described])]


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
        "components": {"schemas": SCHEMAS, "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}},
    }


def operation_data(path: str, operation: Operation) -> Data:
    """An operation: what is sent, and what is answered."""
    refused = {"content": {"application/json": {"schema": ref("Refusal")}}}
    answer = {"description": operation.about, "content": {operation.media: {"schema": operation.answer}}}
    number = {"type": "integer", "minimum": 0}
    in_path = {"table": TYPES["text"], "code": TYPES["text"], "seat": number}
    parameters = [parameter(name, "path", schema) for name, schema in in_path.items() if f"{{{name}}}" in path]
    parameters += [parameter(operation.query, "query", number)] if operation.query else []
    out: Data = {
        "operationId": operation.name,
        "summary": operation.about,
        "parameters": parameters,
        "responses": {operation.status: answer}
        | {status: {"description": text, **refused} for status, text in REFUSALS.items()},
    }
    if body := BODIES.get(operation.name):
        content = {"content": {"application/json": {"schema": body}}}
        out["requestBody"] = {"required": bool(body["required"]), **content}
    return out | ({"security": [{"seat": []}, {}]} if operation.seat else {})


def parameter(name: str, location: str, schema: Data) -> Data:
    """A parameter of the path or the query."""
    return {"name": name, "in": location, "required": location == "path", "schema": schema}
