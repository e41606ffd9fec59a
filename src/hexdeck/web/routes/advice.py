"""Hints, lessons and analyses, each from what a seat knows: in the browser and for programs."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from hexdeck.bots.advice.hints import Advice
from hexdeck.engine.play.coach import Lesson
from hexdeck.engine.text import say
from hexdeck.tables.advice import Analysis, HintResult, decision_data, hint_request
from hexdeck.tables.entries import OVER
from hexdeck.tables.errors import Stale, TooMany, Unavailable
from hexdeck.tables.live import LiveTable, beats_for, playing_seat, viewing_seat
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.models import AnalysisPage, Hint
from hexdeck.web.live.server_state import ServerState, too_many_requests
from hexdeck.web.requests import (
    client_address,
    query_number,
    reading_as_viewer,
    require_holder,
    require_player,
    require_token_player,
    server_of,
    site_of,
    table_id,
)
from hexdeck.web.routes import api, presenters
from hexdeck.web.routes.answers import NO_STORE, html_response, is_script

PATIENCE = 6.0  # seconds until a request gives up; the hint is kept for when it is asked for again


async def hint_of(server: ServerState, id: str, seat: int) -> HintResult:
    """A hint for a seat; raises what `hint_request` does, TooMany, or Unavailable when it takes too long."""
    async with server.registry.reading(id) as table:
        question = hint_request(table, seat)
        if not server.limits.hints.allows(f"{id} {seat}"):
            raise TooMany(say("That many hints so soon? Think for yourself for a moment, then ask again."))
        answer = asyncio.wrap_future(server.hints.ask(id, question, server.registry.interest.asker(id)))
    try:
        return await asyncio.wait_for(asyncio.shield(answer), PATIENCE)
    except TimeoutError:
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits for it any more
        raise Unavailable(say("This hint takes longer than usual; ask again in a moment.")) from None


async def hint(request: Request) -> Response:
    """The best moves of the reader: a script gets that part of the page alone, others the whole page."""
    id, server = table_id(request), server_of(request)
    holder, seat = await require_holder(request), await require_player(request)
    result = await hint_of(server, id, seat)
    async with server.registry.reading(id) as table:
        same_player = playing_seat(table, holder) == seat
        if not same_player or seat not in table.acting or not table.is_current_for(seat, result.version):
            raise Stale(say("The table has moved on; look again."))
        site, advice = site_of(request, path=f"/table/{id}", lang=table.terms.lang), hint_model(result)
        if is_script(request):
            part = table_page.hint(site, table.game.name, table.names, advice)
            return JSONResponse({"hint": part}, headers=NO_STORE)
        page = replace(presenters.table_page(server, site, table, holder), hint=advice)
        return html_response(request, table_page.table(page))


def hint_model(result: HintResult) -> Hint:
    """A hint as its page shows it."""
    moves = tuple((advice.label, advice.result, advice.reason) for advice in result.best)
    return Hint(moves, result.premises, only=len(moves) == 1)


# --- analyses ---------------------------------------------------------------------------------------------------------
MOST_TURNING = 4  # analyses of an address that may wait, for one to be started only to find a turning point


async def analysis(request: Request) -> Response:
    """What a seat could expect at each decision and what its moves cost, as far as that is known."""
    async with reading_as_viewer(request) as (table, viewer):
        seat = seat_asked_for(request, table, viewer)
        result = await analysis_for(request, table, seat)
        site = site_of(request, path=f"/table/{table.id}/analysis?seat={seat}", lang=table.terms.lang)
        page = AnalysisPage(
            site,
            table.game.name,
            table.id,
            table.names,
            seat,
            result.done,
            result.failed,
            len(result.decisions),
            result.total,
            tuple(result.decisions),
            result.summary,
            result.measure,
            result.result,
            own=seat == viewer,
        )
    return html_response(request, pages.analysis(page))


async def turning(request: Request) -> Response:
    """Where the reader's match turned, as a part of the table's page; nothing while that is looked for, or unknown.

    It is looked for in the background where few others wait; otherwise there is none.
    """
    server = server_of(request)
    async with reading_as_viewer(request) as (table, seat):
        if table.state != OVER:
            raise Stale(say("A match can be analysed once it is over."))
        looked_at, is_done = presenters.turning_seat(table, seat), True
        await server.analyses.load_stored(table, looked_at)
        if (
            server.analyses.is_known(table, looked_at)
            or server.analyses.waiting(client_address(request)) < MOST_TURNING
        ):
            with contextlib.suppress(TooMany):
                is_done = (await analysis_for(request, table, looked_at)).done
        point = presenters.known_turning_point(server, table, seat)
        site = site_of(request, path=f"/table/{table.id}", lang=table.terms.lang)
        page = presenters.table_page(server, site, table, seat) if point else None
    sentence = table_page.turning_point(page, point) if page and point else ""
    return JSONResponse({"done": is_done, "turning": sentence}, headers=NO_STORE)


def seat_asked_for(request: Request, table: LiveTable, own: int) -> int:
    """The seat of the query, else the reader's own, else the first."""
    return query_number(request, "seat", table.game.players - 1, max(own, 0))


async def analysis_for(request: Request, table: LiveTable, seat: int) -> Analysis:
    """The analysis of a seat, started if nobody asked for it before; raises TooMany, or Stale before the end."""
    server = server_of(request)
    await server.analyses.load_stored(table, seat)
    if not server.analyses.is_known(table, seat) and not server.limits.hints.allows(client_address(request)):
        raise too_many_requests()
    return server.analyses.get(table, seat, client_address(request))


# --- for programs -----------------------------------------------------------------------------------------------------
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
    seat = await require_token_player(request)
    hint = await hint_of(server_of(request), table_id(request), seat)
    if await require_token_player(request) != seat:  # meanwhile a shared device was handed over
        raise Stale(say("The table has moved on; look again."))
    return api.json_response(
        {
            "version": hint.version,
            "hints": [hint_data(advice) for advice in hint.best],
            "premises": [text.data() for text in hint.premises],
        }
    )


def hint_data(advice: Advice) -> dict[str, Any]:
    """A move that is proposed."""
    return {
        "id": advice.action,
        "label": advice.label.data(),
        "value": advice.value,
        "margin": advice.margin,
        "result": advice.result.data(),
        "reason": advice.reason.data() if advice.reason else None,
    }


async def api_lesson(request: Request) -> Response:
    """What the coach explains to the token's seat now and, after the end, how the match was scored."""
    seat = await require_token_player(request)
    async with server_of(request).registry.reading(table_id(request)) as table:
        lesson = presenters.lesson(table, seat)
        return api.json_response(
            {
                "version": table.version_for(seat),
                "coached": table.seats[seat].coached,
                "lesson": lesson_data(lesson) if lesson else None,
                "scored": [text.data() for text in presenters.scored(table, seat)],
            }
        )


def lesson_data(lesson: Lesson) -> dict[str, Any]:
    """A kind of decision, explained."""
    return {
        "title": lesson.title.data(),
        "may": lesson.may.data(),
        "why": lesson.why.data(),
        "risk": lesson.risk.data(),
        "aim": lesson.aim.data() if lesson.aim else None,
    }


async def api_beats(request: Request) -> Response:
    """What happened since a version, step by step, as the token's seat or the public sees it."""
    async with api.reading(request) as (table, holder):
        seat = viewing_seat(table, holder)
        since = query_number(request, "since", table.version, table.version)
        beats = beats_for(table, seat, since)
        return api.json_response(
            {"version": table.version_for(seat), "follows": since, "beats": [beat.data() for beat in beats]}
        )


async def api_analysis(request: Request) -> Response:
    """The analysis of a seat's decisions in a match that is over, as far as it has come."""
    async with api.reading(request) as (table, holder):
        seat = seat_asked_for(request, table, holder)
        return api.json_response(analysis_data(await analysis_for(request, table, seat)))


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis, as far as it has come."""
    decisions = [decision_data(decision) | {"verdict": decision.verdict} for decision in list(analysis.decisions)]
    return {
        "seat": analysis.seat,
        "done": analysis.done,
        "failed": analysis.failed,
        "total": analysis.total if analysis.total >= 0 else None,
        "decisions": decisions,
        "summary": [text.data() for text in analysis.summary],
    }
