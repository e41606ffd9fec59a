"""The API's advice: hints, what the coach explains, the analysis of a match that is over; and beats, to show it."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hexdeck.bots.advice.hints import Advice
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale
from hexdeck.tables.model import device, showing
from hexdeck.tables.service.afterwards.analyses import Analysis, decision_data
from hexdeck.web.requests.bearer import require_player
from hexdeck.web.requests.target import query_number, server_of, table_id
from hexdeck.web.routes import api, hints, presenters
from hexdeck.web.routes.analyses import analysis_for, seat_asked_for

GET, POST = ["GET"], ["POST"]


def api_routes() -> list[BaseRoute]:
    """The addresses for programs, below that of the API."""
    return [
        Route("/tables/{table}/hint", api_hint, methods=POST),
        Route("/tables/{table}/lesson", api_lesson, methods=GET),
        Route("/tables/{table}/beats", api_beats, methods=GET),
        Route("/tables/{table}/analysis", api_analysis, methods=GET),
    ]


async def api_hint(request: Request) -> Response:
    """The best moves of the token's seat, from what it knows, where the table allows hints."""
    seat = await require_player(request)
    hint = await hints.hint_of(server_of(request), table_id(request), seat)
    if await require_player(request) != seat:  # meanwhile a shared device was handed over
        raise Stale(say("The table has moved on; look again."))
    return api.json_response({"version": hint.version, "hints": [hint_data(each) for each in hint.best],
                              "premises": [text.data() for text in hint.premises]})  # fmt: skip


def hint_data(advice: Advice) -> dict[str, Any]:
    """A move that is proposed."""
    return {
        "id": advice.action, "label": advice.label.data(), "worth": advice.value, "margin": advice.margin,
        "result": advice.result.data(), "reason": advice.reason.data() if advice.reason else None,
    }  # fmt: skip


async def api_lesson(request: Request) -> Response:
    """What the coach explains to the token's seat now and, after the end, how the match was scored."""
    seat = await require_player(request)
    async with server_of(request).registry.reading(table_id(request)) as table:
        lesson = presenters.lesson(table, seat)
        return api.json_response({
            "version": table.version_for(seat), "coached": table.seats[seat].coached,
            "lesson": lesson_data(lesson) if lesson else None,
            "scored": [text.data() for text in presenters.scored(table, seat)],
        })  # fmt: skip


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A kind of decision, explained."""
    return {
        "title": lesson.title.data(), "may": lesson.may.data(), "why": lesson.why.data(), "risk": lesson.risk.data(),
        "aim": lesson.aim.data() if lesson.aim else None,
    }  # fmt: skip


async def api_beats(request: Request) -> Response:
    """What happened since a version, step by step, as the token's seat or the public sees it."""
    async with api.reading(request) as (table, holder):
        seat = device.viewing_seat(table, holder)
        since = query_number(request, "since", table.version, table.version)
        beats = showing.beats_for(table, seat, since)
        return api.json_response({
            "version": table.version_for(seat), "follows": since, "beats": [beat.data() for beat in beats],
        })  # fmt: skip


async def api_analysis(request: Request) -> Response:
    """The analysis of a seat's decisions in a match that is over, as far as it has come."""
    async with api.reading(request) as (table, holder):
        seat = seat_asked_for(request, table, holder)
        return api.json_response(analysis_data(await analysis_for(request, table, seat)))


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis, as far as it has come."""
    decisions = [decision_data(each) | {"verdict": each.verdict} for each in list(analysis.found)]
    return {
        "seat": analysis.seat, "done": analysis.done, "failed": analysis.failed,
        "total": analysis.total if analysis.total >= 0 else None, "decisions": decisions,
        "told": [text.data() for text in analysis.summary],
    }  # fmt: skip
