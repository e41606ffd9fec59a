"""Hints, lessons, analyses, and choosing once more, each from what a seat knows: in the browser and for programs."""

import asyncio
import contextlib
import functools
from dataclasses import replace
from typing import Any

from starlette.responses import Response

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.text import say
from hexdeck.tables import advice
from hexdeck.tables.entries import OVER
from hexdeck.tables.errors import NotYours, Stale, TableError, TooMany, Unavailable
from hexdeck.tables.live import LiveTable, playing_seat, viewing_seat
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.rendering import HintView
from hexdeck.web.routes import presenters
from hexdeck.web.routes.replays import seats_of
from hexdeck.web.routes.requests import Answer, SiteRequest, whole_number
from hexdeck.web.server.middleware import too_many_requests
from hexdeck.web.server.state import ServerState

PATIENCE = 6.0  # seconds until a request gives up; the hint is kept for when it is asked for again


async def hint_of(server: ServerState, id: str, seat: int) -> advice.HintResult:
    """A hint for a seat; raises what `hint_request` does, TooMany, or Unavailable when it takes too long."""
    async with server.registry.reading(id) as table:
        question = advice.hint_request(table, seat)
        if not server.limits.hints.allows(f"{id} {seat}"):
            raise TooMany(say("That many hints so soon? Think for yourself for a moment, then ask again."))
        answer = asyncio.wrap_future(server.hints.ask(id, question, server.registry.interest.asker(id)))
    try:
        return await asyncio.wait_for(asyncio.shield(answer), PATIENCE)
    except TimeoutError:
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits for it any more
        raise Unavailable(say("This hint takes longer than usual; ask again in a moment.")) from None


async def hint(request: SiteRequest) -> Answer:
    """The best moves of the reader: a script gets that part of the page alone, others the whole page."""
    id, server = request.table_id, request.server
    holder, seat = await request.require_holder(), await request.require_player()
    result = await hint_of(server, id, seat)
    async with server.registry.reading(id) as table:
        same_player = playing_seat(table, holder) == seat
        if not same_player or seat not in table.acting or not table.is_current_for(seat, result.version):
            raise Stale(say("The table has moved on; look again."))
        site = request.table_site(table)
        moves = tuple((move.label, move.result, move.reason) for move in result.best)
        best = HintView(moves, result.premises, only=len(moves) == 1)
        if request.is_script:
            part = table_page.hint(site, table.game.name, table.names, best)
            return {"hint": part}
        page = replace(presenters.table_page(server, site, table, holder), hint=best)
        return request.html_response(table_page.table(page))


# --- analyses ---------------------------------------------------------------------------------------------------------
MOST_TURNING = 4  # analyses of an address that may wait, for one to be started only to find a turning point


async def analysis(request: SiteRequest) -> Response:
    """What a seat could expect at each decision and what its moves cost, as far as that is known."""
    async with request.reading_as_viewer() as (table, viewer):
        seat = seat_asked_for(request, table, viewer)
        result = await analysis_for(request, table, seat)
        site = request.table_site(table, f"/analysis?seat={seat}")
        html = pages.analysis(site, table.id, table.game.name, table.names, result, own=seat == viewer)
    return request.html_response(html)


async def turning(request: SiteRequest) -> dict[str, Any]:
    """Where the reader's match turned, as a part of the table's page; nothing while that is looked for, or unknown.

    It is looked for in the background where few others wait; otherwise there is none.
    """
    server = request.server
    async with request.reading_as_viewer() as (table, seat):
        if table.state != OVER:
            raise Stale(say("A match can be analysed once it is over."))
        looked_at, is_done = presenters.turning_seat(table, seat), True
        await server.analyses.load_stored(table, looked_at)
        if server.analyses.is_known(table, looked_at) or server.analyses.waiting(request.address) < MOST_TURNING:
            with contextlib.suppress(TooMany):
                is_done = (await analysis_for(request, table, looked_at)).done
        point = presenters.known_turning_point(server, table, seat)
        site = request.table_site(table)
        page = presenters.table_page(server, site, table, seat) if point else None
    sentence = table_page.turning_point(page, point) if page and point else ""
    return {"done": is_done, "turning": sentence}


def seat_asked_for(request: SiteRequest, table: LiveTable, own: int) -> int:
    """The seat of the query, else the reader's own, else the first."""
    return request.query_number("seat", table.game.players - 1, max(own, 0))


async def analysis_for(request: SiteRequest, table: LiveTable, seat: int) -> advice.Analysis:
    """The analysis of a seat, started if nobody asked for it before; raises TooMany, or Stale before the end."""
    server = request.server
    await server.analyses.load_stored(table, seat)
    if not server.analyses.is_known(table, seat) and not server.limits.hints.allows(request.address):
        raise too_many_requests()
    return server.analyses.get(table, seat, request.address)


# --- choosing once more -----------------------------------------------------------------------------------------------


async def retry(request: SiteRequest) -> Response:
    """One of the reader's decisions that cost something: the position as they knew it, and the moves they had."""
    async with request.reading_as_holder() as (table, holder):
        seat, analysis = await analysed(request, table, holder)
        if not analysis.done:
            return request.redirect(f"/table/{table.id}/analysis?seat={seat}")
        return await retry_response(request, table, seat, analysis, request.query_number("number", 10**3, 1))


async def judge(request: SiteRequest) -> Response:
    """Judge another move for that decision, and say what it would have brought."""
    fields, server, id = await request.read_form(), request.server, request.table_id
    number, action = whole_number(fields.text("number"), 6) or 0, fields.text("move")
    async with request.reading_as_holder() as (table, holder):
        seat, analysis = await analysed(request, table, holder)
        if not analysis.done:
            return request.redirect(f"/table/{id}/analysis?seat={seat}")
        decision = chosen(analysis, number)
        replay = table.replayer()
    if not server.limits.hints.allows(f"{id} {seat}"):
        raise too_many_requests()
    trial = await request.long_work(functools.partial(advice.retry_result, replay, seat, decision, action), id)
    await server.registry.run_job(advice.store_attempt, id, seat, decision.ply, solved=trial.solved)
    async with request.reading_as_holder() as (table, _holder):
        return await retry_response(request, table, seat, analysis, number, trial)


async def analysed(request: SiteRequest, table: LiveTable, holder: int) -> tuple[int, advice.Analysis]:
    """The reader's seat and its analysis, as far as it is made; raises NotYours for who has no seat."""
    seat = viewing_seat(table, holder)
    if seat < 0:
        raise NotYours(say("Only whoever played can try again."))
    return seat, await analysis_for(request, table, seat)


async def retry_response(
    request: SiteRequest,
    table: LiveTable,
    seat: int,
    analysis: advice.Analysis,
    number: int,
    trial: advice.Retry | None = None,
) -> Response:
    """The page of a decision."""
    server, decisions = request.server, advice.worth_retrying(analysis.decisions)
    site = request.table_site(table, f"/again?number={number}")
    decision = chosen(analysis, number) if decisions else None
    attempts = await server.registry.run_job(advice.attempts_of, table.id, seat)
    solved = tuple(attempts.get(decision.ply) for decision in decisions)
    match, _stops = await request.app.state.replays.match(request, table)
    match.go(decision.ply if decision else match.length)
    view = match.view(seat)
    sentence = advice.verdict(trial, analysis.measure) if trial and analysis.measure else None
    html = pages.retry(site, table.id, seat, view, seats_of(table), number, solved, decision, sentence)
    return request.html_response(html)


def chosen(analysis: advice.Analysis, number: int) -> Decision:
    """The decision of that number, from 1; raises TableError where there are fewer."""
    decisions = advice.worth_retrying(analysis.decisions)
    if not 1 <= number <= len(decisions):
        raise TableError(say("There is no such moment to try again."))
    return decisions[number - 1]
