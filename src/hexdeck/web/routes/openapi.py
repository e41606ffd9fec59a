"""The description of the API, in OpenAPI 3.1: its addresses, and the JSON schemas of what is sent and answered."""

from __future__ import annotations

from typing import Any, NamedTuple

import hexdeck
from hexdeck.engine.text import LANGUAGES
from hexdeck.tables.chat import LONGEST, PHRASES
from hexdeck.tables.entries import ANYONE, CLOCKS, NOBODY
from hexdeck.tables.fair import LONGEST_CONTRIBUTION

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
        "Taught": record(
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
    """What is done at an address: its name, what it does, what it answers, a field of the query, the status.

    `seat`: it goes by the token of a seat.
    """

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
AT, SEAT = "/api/tables/{table}", "/api/tables/{table}/seats/{seat}"
GETS = {
    "/api/games": Operation("games", "the games, their players and options", TYPES["object"], seat=False),
    "/api/promise": Operation("promise", "what a table that isn't set yet promises", ref("Promise"), seat=False),
    AT: Operation("table", "a table as the seat knows it"),
    f"{AT}/stream": Operation(
        "stream", "the table now and at each change, a Table a line", TYPES["text"], media="application/x-ndjson"
    ),
    f"{AT}/record": Operation("record", "the record of a match that is over", TYPES["object"]),
    f"{AT}/beats": Operation(
        "beats", "what happened since a version, step by step; nothing for who is far behind", ref("Beats"), "since"
    ),
    f"{AT}/lesson": Operation("lesson", "what the coach explains now, and at the end how it was scored", ref("Taught")),
    f"{AT}/analysis": Operation(
        "analysis", "a seat's decisions in a match that is over, as far as they are judged", ref("Analysis"), "seat"
    ),
}
POSTS = {
    "/api/tables": Operation("create", "set a table and take a seat", status="201", seat=False),
    f"{AT}/join": Operation("join", "take a seat by its invitation", status="201", seat=False),
    f"{AT}/start": Operation("start", "the host has the cards dealt"),
    f"{AT}/move": Operation("move", "play a move that is legal now"),
    f"{AT}/retract": Operation("retract", "take back a choice while others still choose"),
    f"{AT}/hint": Operation("hint", "the best moves, the best first, from what the seat knows", ref("Hint")),
    f"{AT}/contribution": Operation("add", "after a match, words for a rematch"),
    f"{AT}/rematch": Operation(
        "rematch", "the table of the rematch, made if nobody has yet; the same tokens hold the seats", status="201"
    ),
    f"{AT}/host": Operation("host", "become host in the place of one who is away"),
    f"{SEAT}/free": Operation("free", "the host takes a seat from who holds it"),
    f"{SEAT}/bot": Operation("bot", "let a bot take over a seat"),
    f"{SEAT}/back": Operation("back", "take one's seat back"),
    f"{AT}/say": Operation("say", "say a phrase by its id, or words; people only"),
    f"{AT}/words": Operation("words", "the host allows words of one's own, or phrases only"),
    f"{SEAT}/mute": Operation("mute", "the host silences a seat, or lets it talk"),
}


def document(prefix: str = "") -> Data:
    """The whole document; `prefix`: where the site begins."""
    description = "Create, join, view, move; a stream for each seat. A seat is a token: send it as a bearer token."
    paths: dict[str, Data] = {}
    for method, operations in (("get", GETS), ("post", POSTS)):
        for path, operation in operations.items():
            paths.setdefault(path, {})[method] = operation_data(path, operation)
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
