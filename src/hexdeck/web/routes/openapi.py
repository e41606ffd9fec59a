"""The description of the API, in OpenAPI 3.1: its addresses, and the JSON schemas of what is sent and answered."""

from __future__ import annotations

from typing import Any

import hexdeck
from hexdeck.engine.text import LANGUAGES
from hexdeck.tables.fair import LONGEST_CONTRIBUTION
from hexdeck.tables.model.entries import ANYONE, NOBODY
from hexdeck.tables.model.seats import CLOCKS
from hexdeck.tables.service.chat import LONGEST, PHRASES

Data = dict[str, Any]
TEXT: Data = {"type": "string"}
NUMBER: Data = {"type": "integer"}
BOOLEAN: Data = {"type": "boolean"}
OBJECT: Data = {"type": "object"}
MAYBE_TEXT: Data = {"type": ["string", "null"]}
MAYBE_OBJECT: Data = {"type": ["object", "null"]}
MAYBE_INTEGER: Data = {"type": ["integer", "null"]}
MAYBE_NUMBER: Data = {"type": ["number", "null"]}
CONTRIBUTION: Data = {
    "type": "string",
    "maxLength": LONGEST_CONTRIBUTION,
    "description": "added to the key of the cards",
}


def record(properties: Data, *optional: str) -> Data:
    """A JSON object; its properties are required but for the optional ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def array(items: Data) -> Data:
    """A JSON list."""
    return {"type": "array", "items": items}


def ref(name: str) -> Data:
    """A reference to a named schema."""
    return {"$ref": f"#/components/schemas/{name}"}


SENTENCE: Data = {"type": "object", "properties": {"key": TEXT}, "required": ["key"]}


# --- answers ----------------------------------------------------------------------------------------------------------
def schemas() -> Data:
    """The named schemas: those of whole answers."""
    return {
        "Table": table_schema(),
        "Hint": hint_schema(),
        "Taught": taught_schema(),
        "Analysis": analysis_schema(),
        "Beats": beats_schema(),
        "Promise": record({"promise": TEXT, "commitment": TEXT}),
        "Refusal": record({"error": TEXT, "rule": TEXT, "legal": array(TEXT)}, "rule", "legal"),
    }


def table_schema() -> Data:
    """A table as a seat knows it."""
    return record({
        "table": TEXT, "game": TEXT, "rules": NUMBER, "options": OBJECT,
        "state": {"enum": ["waiting", "playing", "over"]}, "version": NUMBER, "seat": MAYBE_INTEGER,
        "clock": {"enum": list(CLOCKS)}, "lang": {"enum": ["", *LANGUAGES]},
        "hints": {"type": "boolean", "description": "whether hints may be asked for"}, "commitment": TEXT,
        "seats": array(seat_schema()), "view": view_schema(), "log_from": NUMBER,
        "struct": {**MAYBE_TEXT, "description": "the struct as this seat knows it, in base64"},
        "rematch": MAYBE_TEXT, "rematch_commitment": {**MAYBE_TEXT, "description": "of a rematch that isn't there yet"},
        "words": BOOLEAN, "sayings": array(message_schema()),
        "secret": TEXT, "token": TEXT, "invitations": OBJECT,
    }, "secret", "token", "invitations")  # fmt: skip


def seat_schema() -> Data:
    """Who sits on a seat."""
    return record({
        "number": NUMBER, "name": TEXT, "kind": {"enum": ["person", "bot", "open"]}, "level": TEXT, "owner": BOOLEAN,
        "remote": BOOLEAN, "host": BOOLEAN, "due": MAYBE_NUMBER, "muted": BOOLEAN,
    })  # fmt: skip


def message_schema() -> Data:
    """A chat message."""
    return record({
        "number": NUMBER, "seat": NUMBER, "name": TEXT, "phrase": {"enum": ["", *PHRASES]}, "words": TEXT,
        "at": {"type": "number"},
    })  # fmt: skip


def view_schema() -> Data:
    """What a seat sees."""
    move = record({"id": NUMBER, "name": TEXT, "label": SENTENCE, "zone": TEXT, "cell": TEXT, "points": MAYBE_INTEGER})
    return record({
        "game": TEXT, "seat": NUMBER, "ply": NUMBER, "players": NUMBER, "names": array(TEXT), "acting": array(NUMBER),
        "over": BOOLEAN, "prompt": SENTENCE, "zones": array(OBJECT), "moves": array(move), "log": array(SENTENCE),
        "fates": array(SENTENCE),
    })  # fmt: skip


def hint_schema() -> Data:
    """The best moves."""
    advice = record({
        "id": NUMBER, "label": SENTENCE, "worth": {"type": "number", "description": "the utility expected"},
        "margin": {**MAYBE_NUMBER, "description": "half its 95 % interval; null: exact"}, "result": SENTENCE,
        "reason": MAYBE_OBJECT,
    })  # fmt: skip
    return record({"version": NUMBER, "hints": array(advice), "premises": array(SENTENCE)})


def taught_schema() -> Data:
    """What the coach explains."""
    lesson = record({"title": SENTENCE, "may": SENTENCE, "why": SENTENCE, "risk": SENTENCE, "aim": MAYBE_OBJECT})
    return record({
        "version": NUMBER, "coached": BOOLEAN, "lesson": {"anyOf": [lesson, {"type": "null"}]},
        "scored": array(SENTENCE),
    })  # fmt: skip


def beats_schema() -> Data:
    """What happened, step by step."""
    beat = record({
        "hold": {"type": "integer", "description": "milliseconds for which it is shown"}, "zones": array(OBJECT),
        "light": {**array(TEXT), "description": "zones, or cards by their place in a zone, such as trick.2"},
        "seats": array(NUMBER), "line": MAYBE_OBJECT, "cue": TEXT, "said": MAYBE_OBJECT,
    })  # fmt: skip
    return record({"version": NUMBER, "follows": NUMBER, "beats": array(beat)})


def analysis_schema() -> Data:
    """The analysis of a seat's decisions."""
    utility = {"type": "number", "description": "a utility"}
    decision = record({
        "ply": NUMBER, "prompt": SENTENCE, "played": SENTENCE, "best": SENTENCE, "reason": MAYBE_OBJECT,
        "same": BOOLEAN, "worth": utility, "got": utility, "cost": utility, "margin": MAYBE_NUMBER,
        "verdict": {"enum": ["same", "close", "costly", "better"]},
    })  # fmt: skip
    return record({
        "seat": NUMBER, "done": BOOLEAN, "failed": BOOLEAN, "total": MAYBE_INTEGER, "decisions": array(decision),
        "told": array(SENTENCE),
    })  # fmt: skip


# --- requests ---------------------------------------------------------------------------------------------------------
def bodies() -> dict[str, Data]:
    """The bodies of requests, by operation."""
    bot = {"type": "string", "description": "the bot that plays this seat over the network, if one does"}
    words = {"phrase": {"enum": list(PHRASES)}, "words": {"type": "string", "maxLength": LONGEST}}
    join = {"invitation": TEXT, "name": TEXT, "bot": bot, "contribution": CONTRIBUTION}
    return {
        "create": create_body(bot),
        "join": record(join, "name", "bot", "contribution"),
        "start": record({"contribution": CONTRIBUTION}, "contribution"),
        "add": record({"contribution": CONTRIBUTION}),
        "rematch": record({"contribution": CONTRIBUTION}, "contribution"),
        "move": record({"move": {"type": ["string", "integer"]}, "version": NUMBER}),
        "retract": record({"version": NUMBER}),
        "back": record({"bot": bot}, "bot"),
        "say": record(words, "phrase", "words"),
        "words": record({"on": BOOLEAN}),
        "mute": record({"muted": BOOLEAN}),
    }


def create_body(bot: Data) -> Data:
    """The body that creates a table."""
    create = record({
        "game": TEXT, "players": NUMBER,
        "preset": TEXT,
        "options": {"type": "object", "description": "those left out are as the preset has them; without one, as "
                    "/api/games says under at_tables, or with a coach as in a first game"},
        "seats": {**array(TEXT), "description": "for each seat you, open, or a bot's name"},
        "name": TEXT, "clock": {"enum": list(CLOCKS)}, "watch": {"enum": [ANYONE, NOBODY]},
        "lang": {"enum": ["", *LANGUAGES], "description": "of who comes by an invitation, and of the table's refusals, "
                 "for those who ask for none; empty: what each browser asks for"},
        "hints": {"type": "boolean", "description": "whether hints are allowed; usually where no seat is open"},
        "feedback": {"type": "boolean", "description": "whether players are asked what they thought; usually so"},
        "coach": {"type": "boolean", "description": "whether the seat's page explains each kind of decision once"},
        "promise": {"type": "string", "description": "of /api/promise: the table keeps to its commitment"},
        "hold": BOOLEAN, "bot": bot, "contribution": CONTRIBUTION,
    })  # fmt: skip
    return create | {"required": ["game"]}


REFUSALS = {
    "400": "what was sent can't be used", "403": "not for this token", "404": "no such table, invitation or game",
    "409": "the table has moved on, or isn't where this can be done", "410": "the table can't be gone on with",
    "413": "too much was sent", "429": "too often, or too many",
    "503": "the tables can't be read just now, or the table's game can't be played",
}  # fmt: skip
AT, SEAT = "/api/tables/{table}", "/api/tables/{table}/seats/{seat}"
IN_PATH: Data = {"name": "table", "in": "path", "required": True, "schema": TEXT}
SEAT_IN_PATH: Data = {"name": "seat", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
SINCE_IN_QUERY: Data = {"name": "since", "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}}
SEAT_IN_QUERY: Data = {**SEAT_IN_PATH, "in": "query", "required": False}


def document(prefix: str = "") -> Data:
    """The whole document; `prefix`: where the site begins."""
    about = "Create, join, view, move; a stream for each seat. A seat is a token: send it as a bearer token."
    return {
        "openapi": "3.1.0",
        "info": {"title": "Hexdeck", "version": hexdeck.__version__, "description": about},
        "servers": [{"url": prefix or "/"}],
        "paths": paths(),
        "components": {"schemas": schemas(), "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}},
    }


# --- operations -------------------------------------------------------------------------------------------------------
def json_of(schema: Data) -> Data:
    """A body of JSON."""
    return {"content": {"application/json": {"schema": schema}}}


def operation(
    name: str, about: str, ok: Data, *, status: str = "200", sent: Data | None = None, seat: bool = True
) -> Data:
    """An operation: what is sent, and what is answered; `seat`: it goes by the token of a seat."""
    answers: Data = {status: {"description": about, **ok}}
    answers |= {code: {"description": text, **json_of(ref("Refusal"))} for code, text in REFUSALS.items()}
    out: Data = {"operationId": name, "summary": about, "responses": answers}
    if sent is not None:
        out["requestBody"] = {"required": bool(sent.get("required")), **json_of(sent)}
    return out | ({"security": [{"seat": []}, {}]} if seat else {})


def change(name: str, about: str, *, sent: Data | None = None) -> Data:
    """An operation that changes a table and answers the table after it."""
    return operation(name, about, json_of(ref("Table")), sent=sent)


def at_table(**operations: Data) -> Data:
    """Operations at the address of a table."""
    return {**operations, "parameters": [IN_PATH]}


def at_seat(**operations: Data) -> Data:
    """Operations at the address of a seat."""
    return {**operations, "parameters": [IN_PATH, SEAT_IN_PATH]}


# --- addresses --------------------------------------------------------------------------------------------------------
def paths() -> Data:
    """Every address with its operations."""
    sent = bodies()
    return {
        **site_paths(sent),
        **table_paths(sent),
        **advice_paths(),
        f"{AT}/contribution": at_table(
            post=change("add", "after a match, words for a rematch", sent=sent["add"])
        ),
        f"{AT}/rematch": at_table(post=operation(
            "rematch", "the table of the rematch, made if nobody has yet; the same tokens hold the seats",
            json_of(ref("Table")), status="201", sent=sent["rematch"],
        )),
        f"{AT}/host": at_table(post=change("host", "become host in the place of one who is away")),
        f"{SEAT}/free": at_seat(post=change("free", "the host takes a seat from who holds it")),
        f"{SEAT}/bot": at_seat(post=change("bot", "let a bot take over a seat")),
        f"{SEAT}/back": at_seat(post=change("back", "take one's seat back", sent=sent["back"])),
        **chat_paths(sent),
    }  # fmt: skip


def site_paths(sent: dict[str, Data]) -> Data:
    """Games, promises and new tables."""
    table, promise = json_of(ref("Table")), json_of(ref("Promise"))
    create = operation("create", "set a table and take a seat", table, status="201", sent=sent["create"], seat=False)
    return {
        "/api/games": {
            "get": operation("games", "the games, their players and options", json_of(OBJECT), seat=False),
        },
        "/api/promise": {
            "get": operation("promise", "what a table that isn't set yet promises", promise, seat=False),
        },
        "/api/tables": {"post": create},
    }  # fmt: skip


def table_paths(sent: dict[str, Data]) -> Data:
    """Looking at a table, joining it, and moves."""
    table, lines = json_of(ref("Table")), {"content": {"application/x-ndjson": {"schema": TEXT}}}
    join = operation("join", "take a seat by its invitation", table, status="201", sent=sent["join"], seat=False)
    retract = change("retract", "take back a choice while others still choose", sent=sent["retract"])
    stream = operation("stream", "the table now and at each change, a Table a line", lines)
    return {
        AT: at_table(get=operation("table", "a table as the seat knows it", table)),
        f"{AT}/stream": at_table(get=stream),
        f"{AT}/record": at_table(get=operation("record", "the record of a match that is over", json_of(OBJECT))),
        f"{AT}/join": at_table(post=join),
        f"{AT}/start": at_table(post=change("start", "the host has the cards dealt", sent=sent["start"])),
        f"{AT}/move": at_table(post=change("move", "play a move that is legal now", sent=sent["move"])),
        f"{AT}/retract": at_table(post=retract),
    }


def advice_paths() -> dict[str, Data]:
    """Hints, lessons, analyses, and beats."""
    hint = operation("hint", "the best moves, the best first, from what the seat knows", json_of(ref("Hint")))
    lesson = operation(
        "lesson", "what the coach explains now, and at the end how it was scored", json_of(ref("Taught"))
    )
    analysis = operation("analysis", "a seat's decisions in a match that is over, as far as they are judged",
                         json_of(ref("Analysis")))  # fmt: skip
    beats = operation("beats", "what happened since a version, step by step; nothing for who is far behind",
                      json_of(ref("Beats")))  # fmt: skip
    return {
        f"{AT}/beats": {"get": beats, "parameters": [IN_PATH, SINCE_IN_QUERY]},
        f"{AT}/hint": at_table(post=hint),
        f"{AT}/lesson": at_table(get=lesson),
        f"{AT}/analysis": {"get": analysis, "parameters": [IN_PATH, SEAT_IN_QUERY]},
    }


def chat_paths(sent: dict[str, Data]) -> dict[str, Data]:
    """The chat, and what its host allows."""
    speak = change("say", "say a phrase by its id, or words; people only", sent=sent["say"])
    words = change("words", "the host allows words of one's own, or phrases only", sent=sent["words"])
    mute = change("mute", "the host silences a seat, or lets it talk", sent=sent["mute"])
    return {
        f"{AT}/say": at_table(post=speak),
        f"{AT}/words": at_table(post=words),
        f"{SEAT}/mute": at_seat(post=mute),
    }
