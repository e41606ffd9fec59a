"""The JSON schemas of the API: what it answers, and what is sent to it."""

from __future__ import annotations

from typing import Any

from hexdeck.engine.text import LANGUAGES
from hexdeck.tables.keys import LONGEST_CONTRIBUTION
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
