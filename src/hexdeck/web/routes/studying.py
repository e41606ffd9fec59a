"""What programs are told who study a match: hints, what the coach says, the analysis after the end."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from hexdeck.bots.advice.hints import Advice
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import say
from hexdeck.tables.errors import Stale
from hexdeck.tables.service.analyses import data_of
from hexdeck.web.live.server_state import may_watch, place_of
from hexdeck.web.routes import api, hints, presenters
from hexdeck.web.routes.analyses import asked_for
from hexdeck.web.routes.replays import number

GET, POST = ["GET"], ["POST"]


def api_routes() -> list[BaseRoute]:
    """What programs do, below the address of the API."""
    return [
        Route("/tables/{table}/hint", api_hint, methods=POST),
        Route("/tables/{table}/lesson", api_lesson, methods=GET),
        Route("/tables/{table}/analysis", api_analysis, methods=GET),
    ]


async def api_hint(request: Request) -> Response:
    """The best moves of the token's seat, from what it knows, where the table allows hints."""
    id, seat = await api.own_seat(request)
    hint = await hints.hint_of(place_of(request), id, seat)
    if await api.own_seat(request) != (id, seat):  # a shared device went to somebody else meanwhile
        raise Stale(say("The table has moved on since; look again."))
    return api.answer({"version": hint.version, "hints": [hint_data(each) for each in hint.best],
                       "premises": [text.data() for text in hint.premises]})  # fmt: skip


def hint_data(advice: Advice) -> dict[str, Any]:
    """A move that is proposed."""
    return {
        "id": advice.action, "label": advice.label.data(), "worth": advice.worth, "margin": advice.margin,
        "result": advice.result.data(), "reason": advice.reason.data() if advice.reason else None,
    }  # fmt: skip


async def api_lesson(request: Request) -> Response:
    """What the coach explains to the token's seat now, and after the end how the match was scored, if it is coached."""
    id, seat = await api.own_seat(request)
    async with place_of(request).hall.reading(id) as table:
        taught = presenters.lesson(table, seat)
        return api.answer({
            "version": table.seen(seat), "coached": table.seats[seat].coached,
            "lesson": lesson_data(taught) if taught else None,
            "scored": [text.data() for text in presenters.scored(table, seat)],
        })  # fmt: skip


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A kind of decision explained."""
    return {
        "title": lesson.title.data(), "may": lesson.may.data(), "why": lesson.why.data(), "risk": lesson.risk.data(),
        "aim": lesson.aim.data() if lesson.aim else None,
    }  # fmt: skip


async def api_analysis(request: Request) -> Response:
    """What a seat could expect in a match that is over, and what its moves cost, as far as that is known by now."""
    id, place = request.path_params["table"], place_of(request)
    mine = await api.seat_of(request, id)
    async with place.hall.reading(id) as table:
        may_watch(table, mine)
        seat = number(request.query_params.get("seat", ""), table.game.players - 1, max(mine, 0))
        found = await asked_for(place, request, table, seat)
        decisions = [data_of(each) | {"verdict": each.verdict} for each in list(found.found)]
        return api.answer({
            "seat": seat, "done": found.done, "failed": found.failed,
            "total": found.total if found.total >= 0 else None, "decisions": decisions,
            "told": [text.data() for text in found.told],
        })  # fmt: skip
