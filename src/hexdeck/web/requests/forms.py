"""Reads what a request sends: the fields of a form, or a JSON object."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request

from hexdeck.engine.play.record import LIST, NAMED, WHOLE, WORDS
from hexdeck.engine.text import say
from hexdeck.tables.errors import TableError
from hexdeck.web.requests.target import server_of

MOST_FIELDS = 100
REQUIRED: Any = object()
KINDS = {str: WORDS, int: WHOLE, bool: say("true or false"), dict: NAMED, list: LIST}
Fields = dict[str, list[str]]


class TooLong(TableError):
    """The body is longer than the server accepts."""

    status = 413


async def read_body(request: Request) -> bytes:
    """The body of a request; raises TooLong."""
    most = server_of(request).settings.limits.body
    parts, length = [], 0
    async for part in request.stream():
        length += len(part)
        if length > most:
            raise TooLong(say("That is too much: at most {bytes} bytes are accepted.", bytes=most))
        parts.append(part)
    return b"".join(parts)


# --- forms ------------------------------------------------------------------------------------------------------------
async def read_form(request: Request) -> Fields:
    """The fields of a form, each with its values in order; raises TooLong or TableError."""
    try:
        text = (await read_body(request)).decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, strict_parsing=False)
    except ValueError:
        raise TableError(say("This form can't be read.")) from None
    out: Fields = {}
    for name, value in pairs:
        out.setdefault(name, []).append(value.replace("\0", ""))
    return out


def first_value(fields: Fields, name: str) -> str:
    """The first value of a field, or an empty string."""
    return fields.get(name, [""])[0]


# --- JSON -------------------------------------------------------------------------------------------------------------
async def read_json(request: Request) -> dict[str, Any]:
    """The JSON object that was sent, empty when the body is; raises TooLong or TableError."""
    raw = await read_body(request)
    try:
        data = json.loads(raw) if raw.strip() else {}
        json.dumps(data, ensure_ascii=False).encode()  # half a surrogate pair can't be stored
    except (ValueError, RecursionError):
        raise TableError(say("The body is not valid JSON.")) from None
    if not isinstance(data, dict):
        raise TableError(say("The body must be a JSON object."))
    return data


def json_value(data: dict[str, Any], name: str, kind: type, default: Any = REQUIRED) -> Any:
    """A value of a JSON object; raises TableError when it is missing or of another type."""
    value = data.get(name, default)
    if value is REQUIRED or (value is not default and type(value) is not kind):
        raise TableError(say("{name} is missing, or is not {kind}.", name=name, kind=KINDS[kind]))
    return value
