"""The page on which a player chooses once more where a choice cost something."""

from __future__ import annotations

import asyncio
import functools

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.text import say
from hexdeck.tables.advice import (
    MOST_WAITING_HINTS,
    Analysis,
    FinishedMatch,
    Retry,
    attempts_of,
    retry_result,
    store_attempt,
    verdict,
    worth_retrying,
)
from hexdeck.tables.errors import NotYours, TableError, TooMany, Unavailable
from hexdeck.tables.live import LiveTable, viewing_seat
from hexdeck.web.html import puzzles as pages
from hexdeck.web.html.models import RetryPage
from hexdeck.web.live.server_state import too_many_requests
from hexdeck.web.requests import (
    client_address,
    first_value,
    query_number,
    read_form,
    reading_as_holder,
    server_of,
    site_of,
    table_id,
)
from hexdeck.web.routes.advice import analysis_for
from hexdeck.web.routes.answers import html_response, redirect
from hexdeck.web.routes.replays import seats_of

PATIENCE = 10.0  # seconds


async def retry(request: Request) -> Response:
    """One of the reader's decisions that cost something: the position as they knew it, and the moves they had."""
    async with reading_as_holder(request) as (table, holder):
        seat, analysis = await analysed(request, table, holder)
        if not analysis.done:
            return redirect(request, f"/table/{table.id}/analysis?seat={seat}")
        return await retry_response(request, table, seat, analysis, query_number(request, "number", 10**3, 1))


async def judge(request: Request) -> Response:
    """Judge another move for that decision, and say what it would have brought."""
    fields, server, id = await read_form(request), server_of(request), table_id(request)
    number, action = number_from(first_value(fields, "number")), first_value(fields, "move")
    async with reading_as_holder(request) as (table, holder):
        seat, analysis = await analysed(request, table, holder)
        if not analysis.done:
            return redirect(request, f"/table/{id}/analysis?seat={seat}")
        decision = chosen(analysis, number)
        played = FinishedMatch(table.id, table.game, table.pairs, table.facts, table.names)
    asker = client_address(request)
    if not server.limits.hints.allows(f"{id} {seat}"):
        raise too_many_requests()
    if server.hints.thinker.waiting(asker) >= MOST_WAITING_HINTS:
        raise TooMany(say("Much is being thought about for your address just now; ask again in a moment."))
    job = server.hints.thinker.work(functools.partial(retry_result, played, seat, decision, action), asker, id)
    try:
        trial = await asyncio.wait_for(asyncio.wrap_future(job), PATIENCE)
    except TimeoutError:
        raise Unavailable(say("This takes longer than usual; try again in a moment.")) from None
    await server.registry.run_job(store_attempt, id, seat, decision.ply, solved=trial.solved)
    async with reading_as_holder(request) as (table, _holder):
        return await retry_response(request, table, seat, analysis, number, trial)


async def analysed(request: Request, table: LiveTable, holder: int) -> tuple[int, Analysis]:
    """The reader's seat and its analysis, as far as it is made; raises NotYours for who has no seat."""
    seat = viewing_seat(table, holder)
    if seat < 0:
        raise NotYours(say("Only whoever played can try again."))
    return seat, await analysis_for(request, table, seat)


async def retry_response(
    request: Request, table: LiveTable, seat: int, analysis: Analysis, number: int, trial: Retry | None = None
) -> Response:
    """The page of a decision."""
    server, decisions = server_of(request), worth_retrying(analysis.decisions)
    site = site_of(request, path=f"/table/{table.id}/again?number={number}", lang=table.terms.lang)
    decision = chosen(analysis, number) if decisions else None
    tried = await server.registry.run_job(attempts_of, table.id, seat)
    solved = tuple(tried.get(decision.ply) for decision in decisions)
    match = request.app.state.replays.match(table)
    match.go(decision.ply if decision else match.length)
    view = match.view(seat)
    sentence = verdict(trial, analysis.measure) if trial and analysis.measure else None
    page = RetryPage(site, table.id, seat, view, seats_of(table), number, solved, decision, sentence)
    return html_response(request, pages.retry(page))


def chosen(analysis: Analysis, number: int) -> Decision:
    """The decision of that number, from 1; raises TableError where there are fewer."""
    decisions = worth_retrying(analysis.decisions)
    if not 1 <= number <= len(decisions):
        raise TableError(say("There is no such moment to try again."))
    return decisions[number - 1]


def number_from(text: str) -> int:
    """A whole number that a form holds; raises TableError."""
    if not (text.isascii() and text.isdecimal() and len(text) < 7):
        raise TableError(say("There is no such moment to try again."))
    return int(text)
