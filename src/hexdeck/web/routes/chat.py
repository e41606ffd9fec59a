"""The chat of a table: messages, and what the host allows; by forms and by the API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hexdeck.tables import chat
from hexdeck.web import requests
from hexdeck.web.requests import (
    SEAT,
    first_value,
    json_value,
    now,
    read_form,
    read_json,
    require_holder,
    require_player,
    seat_number,
    server_of,
    table_id,
)
from hexdeck.web.routes import api
from hexdeck.web.routes.answers import back_to_table, change_table

GET, POST = ["GET"], ["POST"]


def routes() -> list[BaseRoute]:
    """The addresses of forms."""
    return [
        Route("/table/{table}/say", speak, methods=POST),
        Route("/table/{table}/words", words, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/mute", mute, methods=POST),
    ]


def api_routes() -> list[BaseRoute]:
    """The addresses for programs, below that of the API."""
    return [
        Route("/tables/{table}/say", api_speak, methods=POST),
        Route("/tables/{table}/words", api_words, methods=POST),
        Route(f"/tables/{{table}}/seats/{SEAT}/mute", api_mute, methods=POST),
    ]


# --- forms ------------------------------------------------------------------------------------------------------------
async def speak(request: Request) -> Response:
    """Send a phrase, or words of one's own."""
    fields, seat = await read_form(request), await require_player(request)
    phrase, text = first_value(fields, "phrase"), first_value(fields, "words")
    await chat.post_message(server_of(request).registry, table_id(request), seat, phrase, text)
    return back_to_table(request)


async def words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    fields, by = await read_form(request), await require_holder(request)
    return await change_table(request, chat.allow_words(by, first_value(fields, "on") == "yes", now(request)))


async def mute(request: Request) -> Response:
    """The host mutes a seat, or unmutes it."""
    fields, by = await read_form(request), await require_holder(request)
    muted = first_value(fields, "muted") == "yes"
    return await change_table(request, chat.mute(seat_number(request), by, muted, now(request)))


# --- programs ---------------------------------------------------------------------------------------------------------
async def api_speak(request: Request) -> Response:
    """Send a phrase by its id, or words."""
    data, seat = await read_json(request), await requests.require_token_player(request)
    phrase, text = json_value(data, "phrase", str, ""), json_value(data, "words", str, "")
    await chat.post_message(server_of(request).registry, table_id(request), seat, phrase, text)
    return await api.table_response(request, table_id(request), seat)


async def api_words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    data, seat = await read_json(request), await requests.require_token_player(request)
    return await api.change_table(request, seat, chat.allow_words(seat, json_value(data, "on", bool), now(request)))


async def api_mute(request: Request) -> Response:
    """The host mutes a seat, or unmutes it."""
    data, by = await read_json(request), await requests.require_token_player(request)
    muted = json_value(data, "muted", bool)
    return await api.change_table(request, by, chat.mute(seat_number(request), by, muted, now(request)))
