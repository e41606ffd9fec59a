"""Matches that are over, seen again: records, and the view at any ply from a seat's eyes or with open cards."""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from dataclasses import replace

from starlette.requests import Request
from starlette.responses import Response

from hexdeck.engine.match import Match
from hexdeck.engine.record import Record
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import View, Zone
from hexdeck.tables.errors import NoTable, Stale
from hexdeck.tables.fair import Proof, as_data
from hexdeck.tables.live import ANYONE, OVER, LiveTable
from hexdeck.web import pages
from hexdeck.web.answers import html
from hexdeck.web.contexts import ReplayPage
from hexdeck.web.place import base, looking, site

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
                by_hand=True, lane="interpreted" if table.match is None else table.match.driver.lane
            )
            made.load_events(table.pairs)
            made.sight.recall(table.told)
            self._kept[table.id] = made
        self._kept.move_to_end(table.id)
        while len(self._kept) > MOST:
            self._kept.popitem(last=False)
        return self._kept[table.id]


def view_at(match: Match, ply: int, seat: int | None) -> View:
    """What a seat saw at a ply (-1: the public); None shows every card that somebody saw."""
    match.go(ply)
    if seat is not None:
        return replace(match.view(seat), moves=())
    views = [match.view(each) for each in range(-1, match.game.players)]
    zones = tuple(_most_open(zone, views) for zone in views[0].zones)
    return replace(views[0], zones=zones, moves=())


def _most_open(zone: Zone, views: list[View]) -> Zone:
    """A zone as whoever knows most of it sees it; its owner, where several know as much."""
    known = [each for view in views for each in view.zones if each.id == zone.id]
    return min(known, key=lambda each: each.hidden)


def stops_of(match: Match) -> tuple[int, ...]:
    """The plies to stop at: wherever a seat is about to move, and the end; chance is passed over."""
    moves = (ply for ply in range(match.length) if match.event(ply).seat >= 0)
    return (*moves, match.length)


def told_at(match: Match, ply: int, since: int, seat: int | None) -> tuple[Text, ...]:
    """What the events from one ply to another told a seat, or the public."""
    match.go(ply)
    return tuple(match.facts(-1 if seat is None else seat, since))


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
        told = told_at(match, stops[step], stops[step - 1] if step else 0, seat)
        path = f"/replay/{table.id}?ply={stops[step]}&seat={eyes if seat is not None else OPEN}"
        page = ReplayPage(
            site(request, path=path), table.id, stops, step, seat, view, told,
            f"{base(request)}/replay/{table.id}", table.rematch or "",
            table.terms.watch != ANYONE,
        )  # fmt: skip
        return html(request, pages.replay(page))
