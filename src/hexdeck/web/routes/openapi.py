"""The description of the API, as OpenAPI 3.1 has it."""

from __future__ import annotations

from typing import Any

import hexdeck
from hexdeck.engine.text import LANGUAGES
from hexdeck.tables.keys import LONGEST_CONTRIBUTION
from hexdeck.tables.model.live import ANYONE, NOBODY
from hexdeck.tables.model.seats import CLOCKS
from hexdeck.tables.service.talk import LONGEST, PHRASES

Data = dict[str, Any]
TEXT: Data = {"type": "string"}
NUMBER: Data = {"type": "integer"}
BOOLEAN: Data = {"type": "boolean"}
MAYBE: Data = {"type": ["string", "null"]}
GIVEN: Data = {"type": "string", "maxLength": LONGEST_CONTRIBUTION, "description": "added to the key of the cards"}
REFUSALS = {
    "400": "what was sent can't be used", "403": "not for this token", "404": "no such table, invitation or game",
    "409": "the table has moved on, or isn't where this can be done", "410": "the table can't be gone on with",
    "413": "too much was sent", "429": "too often, or too many", "503": "the tables can't be read just now",
}  # fmt: skip


def record(properties: Data, *optional: str) -> Data:
    """A JSON object, all of whose properties are there but the optional ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
    }


def array(items: Data) -> Data:
    """A JSON list."""
    return {"type": "array", "items": items}


def ref(name: str) -> Data:
    """A schema by name."""
    return {"$ref": f"#/components/schemas/{name}"}


def json_of(schema: Data) -> Data:
    """A body of JSON."""
    return {"content": {"application/json": {"schema": schema}}}


def operation(
    name: str, about: str, ok: Data, *, status: str = "200", sent: Data | None = None, seat: bool = True
) -> Data:
    """An operation: what it takes and answers."""
    answers: Data = {status: {"description": about, **ok}}
    answers |= {code: {"description": text, **json_of(ref("Refusal"))} for code, text in REFUSALS.items()}
    out: Data = {"operationId": name, "summary": about, "responses": answers}
    if sent is not None:
        out["requestBody"] = {"required": bool(sent.get("required")), **json_of(sent)}
    return out | ({"security": [{"seat": []}, {}]} if seat else {})


def schemas() -> Data:
    """What is answered."""
    say = {"type": "object", "properties": {"key": TEXT}, "required": ["key"]}
    seat = record({"number": NUMBER, "name": TEXT, "kind": {"enum": ["person", "bot", "open"]}, "level": TEXT,
                   "owner": {"type": "boolean"}, "remote": {"type": "boolean"}, "host": {"type": "boolean"},
                   "due": {"type": ["number", "null"]}, "muted": BOOLEAN})  # fmt: skip
    saying = record({"number": NUMBER, "seat": NUMBER, "name": TEXT, "phrase": {"enum": ["", *PHRASES]}, "words": TEXT,
                     "at": {"type": "number"}})  # fmt: skip
    view = record({
        "game": TEXT, "seat": NUMBER, "ply": NUMBER, "players": NUMBER, "names": array(TEXT), "acting": array(NUMBER),
        "over": {"type": "boolean"}, "prompt": say, "zones": array({"type": "object"}),
        "moves": array(record({"id": NUMBER, "name": TEXT, "label": say, "zone": TEXT, "cell": TEXT,
                               "points": {"type": ["integer", "null"]}})),
        "log": array(say), "fates": array(say),
    })  # fmt: skip
    table = record({
        "table": TEXT, "game": TEXT, "rules": NUMBER, "options": {"type": "object"},
        "state": {"enum": ["waiting", "playing", "over"]}, "version": NUMBER, "seat": {"type": ["integer", "null"]},
        "clock": {"enum": list(CLOCKS)}, "lang": {"enum": ["", *LANGUAGES]},
        "hints": {"type": "boolean", "description": "whether hints may be asked for"}, "commitment": TEXT,
        "seats": array(seat), "view": view, "log_from": NUMBER,
        "struct": {"type": ["string", "null"], "description": "the struct as this seat knows it, in base64"},
        "rematch": MAYBE, "rematch_commitment": {**MAYBE, "description": "of a rematch that isn't there yet"},
        "words": BOOLEAN, "sayings": array(saying),
        "secret": TEXT, "token": TEXT, "invitations": {"type": "object"},
    }, "secret", "token", "invitations")  # fmt: skip
    advice = record({"id": NUMBER, "label": say, "worth": {"type": "number", "description": "the utility expected"},
                     "margin": {"type": ["number", "null"], "description": "half its 95 % interval; null: exact"},
                     "result": say, "reason": {"type": ["object", "null"]}})  # fmt: skip
    hint = record({"version": NUMBER, "hints": array(advice), "premises": array(say)})
    refusal = record({"error": TEXT, "rule": TEXT, "legal": array(TEXT)}, "rule", "legal")
    lesson = record({"title": say, "may": say, "why": say, "risk": say, "aim": {"type": ["object", "null"]}})
    taught = record({"version": NUMBER, "coached": BOOLEAN, "lesson": {"anyOf": [lesson, {"type": "null"}]},
                     "scored": array(say)})  # fmt: skip
    number = {"type": "number", "description": "a utility"}
    decision = record({
        "ply": NUMBER, "prompt": say, "played": say, "best": say, "reason": {"type": ["object", "null"]},
        "same": BOOLEAN, "worth": number, "got": number, "cost": number, "margin": {"type": ["number", "null"]},
        "verdict": {"enum": ["same", "close", "costly", "better"]},
    })  # fmt: skip
    analysis = record({"seat": NUMBER, "done": BOOLEAN, "failed": BOOLEAN, "total": {"type": ["integer", "null"]},
                       "decisions": array(decision), "told": array(say)})  # fmt: skip
    promise = record({"promise": TEXT, "commitment": TEXT})
    return {
        "Table": table,
        "Hint": hint,
        "Taught": taught,
        "Analysis": analysis,
        "Promise": promise,
        "Refusal": refusal,
    }


def bodies() -> dict[str, Data]:
    """What is sent."""
    bot = {"type": "string", "description": "the bot that plays this seat over the network, if one does"}
    create = record({
        "game": TEXT, "players": NUMBER,
        "options": {"type": "object", "description": "those left out are as /api/games says under at_tables"},
        "seats": {**array(TEXT), "description": "for each seat you, open, or a bot's name"},
        "name": TEXT, "clock": {"enum": list(CLOCKS)}, "watch": {"enum": [ANYONE, NOBODY]},
        "lang": {"enum": ["", *LANGUAGES], "description": "of who comes by an invitation, and of the table's refusals, "
                 "for those who ask for none; empty: what each browser asks for"},
        "hints": {"type": "boolean", "description": "whether hints are allowed; usually where no seat is open"},
        "coach": {"type": "boolean", "description": "whether the seat's page explains each kind of decision once"},
        "promise": {"type": "string", "description": "of /api/promise: the table keeps to its commitment"},
        "hold": {"type": "boolean"}, "bot": bot, "contribution": GIVEN,
    })  # fmt: skip
    return {
        "create": create | {"required": ["game"]},
        "join": record(
            {"invitation": TEXT, "name": TEXT, "bot": bot, "contribution": GIVEN}, "name", "bot", "contribution"
        ),
        "start": record({"contribution": GIVEN}, "contribution"),
        "add": record({"contribution": GIVEN}),
        "rematch": record({"contribution": GIVEN}, "contribution"),
        "move": record({"move": {"type": ["string", "integer"]}, "version": NUMBER}),
        "retract": record({"version": NUMBER}),
        "back": record({"bot": bot}, "bot"),
        "say": record(
            {"phrase": {"enum": list(PHRASES)}, "words": {"type": "string", "maxLength": LONGEST}}, "phrase", "words"
        ),
        "words": record({"on": BOOLEAN}),
        "mute": record({"muted": BOOLEAN}),
    }


def paths() -> Data:
    """Every address and what can be done there."""
    table, sent = json_of(ref("Table")), bodies()
    lines = {"content": {"application/x-ndjson": {"schema": TEXT}}}
    in_path: Data = {"name": "table", "in": "path", "required": True, "schema": TEXT}
    number: Data = {"name": "seat", "in": "path", "required": True, "schema": {"type": "integer", "minimum": 0}}
    at, seat = "/api/tables/{table}", "/api/tables/{table}/seats/{seat}"

    def here(**operations: Data) -> Data:
        return {**operations, "parameters": [in_path]}

    seats = {"parameters": [in_path, number]}
    anything = json_of({"type": "object"})
    create = operation("create", "set a table and take a seat", table, status="201", sent=sent["create"], seat=False)
    back = operation("back", "take one's seat back", table, sent=sent["back"])
    retract = operation("retract", "take back a choice while others still choose", table, sent=sent["retract"])
    join = operation("join", "take a seat by its invitation", table, status="201", sent=sent["join"], seat=False)
    promise = operation("promise", "what a table that isn't set yet promises", json_of(ref("Promise")), seat=False)
    rematch = operation("rematch", "the table of the rematch, made if nobody has yet; the same tokens hold the seats",
                        table, status="201", sent=sent["rematch"])  # fmt: skip
    return {
        "/api/games": {"get": operation("games", "the games, their players and options", anything, seat=False)},
        "/api/promise": {"get": promise},
        "/api/tables": {"post": create},
        at: here(get=operation("table", "a table as the seat knows it", table)),
        f"{at}/stream": here(get=operation("stream", "the table now and at each change, a Table a line", lines)),
        f"{at}/record": here(get=operation("record", "the record of a match that is over", anything)),
        f"{at}/join": here(post=join),
        f"{at}/start": here(post=operation("start", "the host has the cards dealt", table, sent=sent["start"])),
        f"{at}/move": here(post=operation("move", "play a move that is legal now", table, sent=sent["move"])),
        f"{at}/retract": here(post=retract),
        **studying(at, in_path),
        f"{at}/contribution": here(post=operation("add", "words for the cards of a rematch", table, sent=sent["add"])),
        f"{at}/rematch": here(post=rematch),
        f"{at}/host": here(post=operation("host", "become host in the place of one who is away", table)),
        f"{seat}/free": {"post": operation("free", "the host takes a seat from who holds it", table), **seats},
        f"{seat}/bot": {"post": operation("bot", "let a bot take over a seat", table), **seats},
        f"{seat}/back": {"post": back, **seats},
        **talking(at, seat, in_path, number),
    }


def studying(at: str, in_path: Data) -> dict[str, Data]:
    """What is told to who studies a match."""
    asked: Data = {"name": "seat", "in": "query", "required": False, "schema": {"type": "integer", "minimum": 0}}
    hint = operation("hint", "the best moves, the best first, from what the seat knows", json_of(ref("Hint")))
    taught = operation(
        "lesson", "what the coach explains now, and at the end how it was scored", json_of(ref("Taught"))
    )
    analysed = operation("analysis", "a seat's decisions in a match that is over, as far as they are judged",
                         json_of(ref("Analysis")))  # fmt: skip
    return {
        f"{at}/hint": {"post": hint, "parameters": [in_path]},
        f"{at}/lesson": {"get": taught, "parameters": [in_path]},
        f"{at}/analysis": {"get": analysed, "parameters": [in_path, asked]},
    }


def talking(at: str, seat: str, in_path: Data, number: Data) -> dict[str, Data]:
    """What can be said at a table, and what its host allows."""
    table, sent = json_of(ref("Table")), bodies()
    speak = operation("say", "say a phrase by its id, or words; people only", table, sent=sent["say"])
    words = operation("words", "the host allows words of one's own, or phrases only", table, sent=sent["words"])
    mute = operation("mute", "the host silences a seat, or lets it talk", table, sent=sent["mute"])
    return {
        f"{at}/say": {"post": speak, "parameters": [in_path]},
        f"{at}/words": {"post": words, "parameters": [in_path]},
        f"{seat}/mute": {"post": mute, "parameters": [in_path, number]},
    }


def document(prefix: str = "") -> Data:
    """The document that is served."""
    about = "Create, join, view, move; a stream for each seat. A seat is a token: send it as a bearer token."
    return {
        "openapi": "3.1.0",
        "info": {"title": "Hexdeck", "version": hexdeck.__version__, "description": about},
        "servers": [{"url": prefix or "/"}],
        "paths": paths(),
        "components": {"schemas": schemas(), "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}}},
    }
