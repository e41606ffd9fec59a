"""Talk at a table: saying something, and what the host allows; by forms and by the API."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hexdeck.tables.service import talk
from hexdeck.web.live.server_state import first, form, held_seat, own_seat, place_of
from hexdeck.web.ops.paths import SEAT
from hexdeck.web.routes import api
from hexdeck.web.routes.answers import done

GET, POST = ["GET"], ["POST"]


def routes() -> list[BaseRoute]:
    """What forms do."""
    return [
        Route("/table/{table}/say", speak, methods=POST),
        Route("/table/{table}/words", words, methods=POST),
        Route(f"/table/{{table}}/seat/{SEAT}/mute", mute, methods=POST),
    ]


def api_routes() -> list[BaseRoute]:
    """What programs do, below the address of the API."""
    return [
        Route("/tables/{table}/say", api_speak, methods=POST),
        Route("/tables/{table}/words", api_words, methods=POST),
        Route(f"/tables/{{table}}/seats/{SEAT}/mute", api_mute, methods=POST),
    ]


# --- forms ------------------------------------------------------------------------------------------------------------
async def speak(request: Request) -> Response:
    """Say a phrase, or words of one's own."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await own_seat(request, id)
    await talk.speak(place.hall, id, seat, first(fields, "phrase"), first(fields, "words"))
    return done(request, id)


async def words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    seat = await held_seat(request, id)
    await place.hall.change(id, talk.words(seat, first(fields, "on") == "yes", place.hall.clock()))
    return done(request, id)


async def mute(request: Request) -> Response:
    """The host silences a seat, or lets it talk again."""
    id, place, fields = request.path_params["table"], place_of(request), await form(request)
    by, seat = await held_seat(request, id), request.path_params["seat"]
    await place.hall.change(id, talk.mute(seat, by, first(fields, "muted") == "yes", place.hall.clock()))
    return done(request, id)


# --- programs ---------------------------------------------------------------------------------------------------------
async def api_speak(request: Request) -> Response:
    """Say a phrase by its id, or words."""
    place, data = place_of(request), await api.sent(request)
    id, seat = await api.own_seat(request)
    phrase, said = api.taken(data, "phrase", str, ""), api.taken(data, "words", str, "")
    await talk.speak(place.hall, id, seat, phrase, said)
    return await api.now_at(request, id, seat)


async def api_words(request: Request) -> Response:
    """The host lets people write words of their own, or not."""
    place, data = place_of(request), await api.sent(request)
    id, seat = await api.own_seat(request)
    await place.hall.change(id, talk.words(seat, api.taken(data, "on", bool), place.hall.clock()))
    return await api.now_at(request, id, seat)


async def api_mute(request: Request) -> Response:
    """The host silences a seat, or lets it talk again."""
    place, data = place_of(request), await api.sent(request)
    id, by = await api.own_seat(request)
    muted = api.taken(data, "muted", bool)
    await place.hall.change(id, talk.mute(request.path_params["seat"], by, muted, place.hall.clock()))
    return await api.now_at(request, id, by)
