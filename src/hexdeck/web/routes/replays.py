"""Matches that are over: their records, and the page that steps through them, from a seat's eyes or with open cards."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.engine.play.story import beats_between, facts_between, stops_of, view_at
from hexdeck.engine.text import say
from hexdeck.tables.entries import ANYONE, BOT, OVER
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.fair import Proof, proof_data
from hexdeck.tables.live import LiveTable
from hexdeck.web.html import pages
from hexdeck.web.html.models import ReplayPage, SeatLine
from hexdeck.web.requests import query_number, reading_as_viewer, site_address, site_of
from hexdeck.web.routes.answers import html_response

MOST = 32  # matches in the cache
OPEN_CARDS = "open"


def record_of(table: LiveTable) -> Record:
    """The record of a match that is over, with the proof of its cards; raises Stale before the end."""
    if table.state != OVER or table.match is None:
        raise Stale(say("You can download the record once the match is over: it holds everybody's cards."))
    proof = Proof(table.secret, table.commitment, tuple(seat.contribution for seat in table.seats))
    return Record.of(table.match, [seat.record_data() for seat in table.seats], fair=proof_data(proof))


class ReplayCache:
    """Copies of matches to step through, since the tables' own must stay at their last ply."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Match] = OrderedDict()

    def match(self, table: LiveTable) -> Match:
        """The copy of a table's match."""
        if table.id not in self._kept:
            backend = "interpreted" if table.match is None else table.match.driver.backend
            copy = table.game.match(by_hand=True, backend=backend)
            copy.load_events(table.pairs)
            copy.seat_views.restore_narration(table.facts)
            self._kept[table.id] = copy
        self._kept.move_to_end(table.id)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return self._kept[table.id]


def seats_of(table: LiveTable) -> tuple[SeatLine, ...]:
    """Who sits where, as the page of the table tells it."""
    return tuple(
        SeatLine(
            number,
            chair.name,
            chair.kind,
            chair.level if chair.kind == BOT else "",
            owner=chair.owner and not chair.remote,
        )
        for number, chair in enumerate(table.seats)
    )


async def replay(request: Request) -> Response:
    """A match at one ply: of the query `ply`, or of one of the stops, by its index `step`.

    A page that comes `from` the stop before is also told step by step how it came about.
    """
    async with reading_as_viewer(request) as (table, _):
        if table.state != OVER:
            raise NoTable(say("You can watch the replay once the match is over."))
        match = request.app.state.replays.match(table)
        eyes = request.query_params.get("seat", OPEN_CARDS)
        seat = None if eyes == OPEN_CARDS else query_number(request, "seat", table.game.players - 1, -1)
        stops = stops_of(match)
        nearest = bisect_left(stops, query_number(request, "ply", match.length, 0))
        step = query_number(request, "step", len(stops) - 1, nearest)
        view = replace(view_at(match, stops[step], seat), names=table.names)
        since = stops[step - 1] if step else 0
        lines = facts_between(match, stops[step], since, seat)
        follows = step > 0 and query_number(request, "from", match.length, -1) == since
        beats = beats_between(match, stops[step], since, seat) if follows else ()
        path = f"/replay/{table.id}?ply={stops[step]}&seat={eyes if seat is not None else OPEN_CARDS}"
        page = ReplayPage(
            site_of(request, path=path),
            table.id,
            stops,
            step,
            seat,
            view,
            lines,
            f"{site_address(request)}/replay/{table.id}",
            table.rematch or "",
            table.terms.watch != ANYONE,
            beats,
            seats_of(table),
        )
        return html_response(request, pages.replay(page))
