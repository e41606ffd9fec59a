"""The page that explains how a table's cards are dealt, and checks them once the match is over."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import CHAIN, Record
from hexdeck.engine.text import Text, say_n
from hexdeck.tables.model.chain import head_at
from hexdeck.tables.model.entries import OVER
from hexdeck.tables.model.fair import verify
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.storage.signing_keys import public_keys
from hexdeck.web.html import pages
from hexdeck.web.html.models import FairPage
from hexdeck.web.requests import (
    assert_may_watch,
    find_token_holder,
    now,
    reading_as_viewer,
    server_of,
    site_of,
    table_id,
)
from hexdeck.web.routes import presenters
from hexdeck.web.routes.answers import NO_STORE, html_response
from hexdeck.web.routes.replays import record_of


async def fair(request: Request) -> Response:
    """The promise and the reader's words; after the end the secret, everybody's words, and a check if asked for."""
    record = None
    async with reading_as_viewer(request) as (table, seat):
        page = fair_page(request, table, seat)
        signed = await server_of(request).registry.signer.shown_head(table, now(request))
        page = replace(
            page,
            seals=tuple(each.sealed for each in table.seats),
            head=head_at(table, table.version_for(-1)),
            signed=signed,
        )
        if page.secret and "check" in request.query_params:
            record, promise = record_of(table), table.commitment
    if record is None:
        return html_response(request, pages.fair(page))
    verdict, holds = await asyncio.get_running_loop().run_in_executor(None, check_cards, record, promise)
    return html_response(request, pages.fair(page, verdict, holds))


def fair_page(request: Request, table: LiveTable, seat: int) -> FairPage:
    """What a seat (-1: the public) may know: before the end, nobody's words but its own."""
    over = table.state == OVER
    added = tuple(each.contribution if over or number == seat else None for number, each in enumerate(table.seats))
    later = tuple(each.adds if number == seat or not each.adds else None for number, each in enumerate(table.seats))
    lines = presenters.seat_lines(server_of(request), table, seat)
    site = site_of(request, path=f"/table/{table.id}/fair", lang=table.terms.lang)
    return FairPage(site, table.game.name, table.id, table.commitment, lines, None if seat < 0 else seat, added,
                    table.secret.hex() if over else "", table.rematch_commitment, later)  # fmt: skip


def check_cards(record: Record, promise: str) -> tuple[Text, bool]:
    """Whether the cards of a record are as promised: the verdict as a sentence, and whether it holds."""
    try:
        draws = verify(record, promise)
    except BadRecord as wrong:
        return wrong.text, False
    if CHAIN not in record.notes:
        return say_n("Checked: {n} draw follows from the secret, as it was dealt.",
                     "Checked: all {n} draws follow from the secret, as they were dealt.", draws), True  # fmt: skip
    return say_n("Checked: {n} draw follows from the secret, as it was dealt. The chain holds options, seats, names,"
                 " words and everything that happened, in this order.",
                 "Checked: all {n} draws follow from the secret, as they were dealt. The chain holds options, seats,"
                 " names, words and everything that happened, in this order.", draws), True  # fmt: skip


# --- for programs -----------------------------------------------------------------------------------------------------
def api_routes() -> list[BaseRoute]:
    """The addresses of what anybody can check a table's chain with."""
    return [
        Route("/keys", api_keys, methods=["GET"]),
        Route("/tables/{table}/chain", api_chain, methods=["GET"]),
    ]


async def api_keys(request: Request) -> Response:
    """The public keys that this server signs heads of chains with, by day."""
    found = await server_of(request).registry.run_job(public_keys)
    return JSONResponse({"keys": [{"day": day, "key": key} for day, key in found]}, headers=NO_STORE)


async def api_chain(request: Request) -> Response:
    """The head of a table's chain that everybody may see, signed; all is null at a table without a chain."""
    id = table_id(request)
    seat = await find_token_holder(request, id)
    registry = server_of(request).registry
    async with registry.reading(id) as table:
        await assert_may_watch(request, table, seat)
        signed = await registry.signer.shown_head(table, now(request))
        number = table.version_for(-1)
        head = head_at(table, number)
    bare = {"number": number if head else None, "head": head or None}
    return JSONResponse({"table": id, **bare, "signed": signed.data() if signed else None}, headers=NO_STORE)
