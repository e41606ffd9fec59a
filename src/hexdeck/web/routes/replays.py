"""Matches that are over, seen again: records, and the view at any ply from a seat's eyes or with open cards."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.play.lookback import facts_between, stops_of, view_at
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.engine.text import say
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.model.fair import Proof, as_data
from hexdeck.tables.model.live import ANYONE, OVER, LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.page_models import ReplayPage
from hexdeck.web.live.server_state import base, looking, site
from hexdeck.web.routes.answers import html

MOST = 32  # matches that are kept at hand
OPEN = "open"


def record_of(table: LiveTable) -> Record:
    """The record of a match that is over, with all that proves its cards; raises Stale while it goes on."""
    if table.state != OVER or table.match is None:
        raise Stale(say("The record can be had when the match is over: it holds everybody's cards."))
    proof = Proof(table.secret, table.commitment, tuple(seat.contribution for seat in table.seats))
    return Record.of(table.match, [seat.recorded() for seat in table.seats], fair=as_data(proof))


class Replays:
    """Matches to step through: copies, for the tables' own stay where they are."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Match] = OrderedDict()

    def match(self, table: LiveTable) -> Match:
        """The match of a table, to step through."""
        if table.id not in self._kept:
            made = table.game.match(
                by_hand=True, backend="interpreted" if table.match is None else table.match.driver.backend
            )
            made.load_events(table.pairs)
            made.seat_views.restore_narration(table.told)
            self._kept[table.id] = made
        self._kept.move_to_end(table.id)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return self._kept[table.id]


def number(text: str, most: int, otherwise: int) -> int:
    """A number of a query, kept between 0 and the most that there is."""
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) < 8 else otherwise


async def replay(request: Request) -> Response:
    """A match at one ply."""
    async with looking(request, request.path_params["table"]) as (table, _):
        if table.state != OVER:
            raise NoTable(say("A match can be looked back on when it is over."))
        match = request.app.state.replays.match(table)
        eyes = request.query_params.get("seat", OPEN)
        seat = None if eyes == OPEN else number(eyes, table.game.players - 1, -1)
        stops = stops_of(match)
        asked = bisect_left(stops, number(request.query_params.get("ply", ""), match.length, 0))
        step = number(request.query_params.get("step", ""), len(stops) - 1, asked)
        view = replace(view_at(match, stops[step], seat), names=table.names)
        told = facts_between(match, stops[step], stops[step - 1] if step else 0, seat)
        path = f"/replay/{table.id}?ply={stops[step]}&seat={eyes if seat is not None else OPEN}"
        page = ReplayPage(
            site(request, path=path), table.id, stops, step, seat, view, told,
            f"{base(request)}/replay/{table.id}", table.rematch or "",
            table.terms.watch != ANYONE,
        )  # fmt: skip
        return html(request, pages.replay(page))
