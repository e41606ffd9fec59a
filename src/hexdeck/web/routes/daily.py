"""The deals and the puzzles of the day: today's, playing or answering one, and how others did with the same cards.

A reader who answers a puzzle is known by the token of their browser, as for seats; their first answer to it counts.
"""

import contextlib
import functools
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from starlette.responses import Response

from hexdeck.engine.discovery.definition import soonest_learned
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.text import say
from hexdeck.engine.view import View
from hexdeck.puzzles import Explanation, Pool, Puzzle, explain, is_open, seat_names
from hexdeck.simulation.game import Game
from hexdeck.tables import daily
from hexdeck.tables.entries import OVER, Result, stored_result
from hexdeck.tables.errors import NoTable, Stale, TableError
from hexdeck.tables.holders import Answer, Solved, forget_puzzles, solved_by, store_answer
from hexdeck.tables.keys import hashed
from hexdeck.tables.thinker import Recent
from hexdeck.web.html import pages, table_page
from hexdeck.web.html.pages import DONE, GOING, OPEN, DealLine, Other, PuzzleLine
from hexdeck.web.html.rendering import Compared, Share
from hexdeck.web.routes import presenters
from hexdeck.web.routes.requests import SiteRequest, whole_number
from hexdeck.web.server.state import ServerState

SHOWN = 30  # of those who played a deal


# --- today's deals ----------------------------------------------------------------------------------------------------
async def deals(request: SiteRequest) -> Response:
    """Today's deals, and which of them the reader has played."""
    at = request.now
    clock = daily.local_time(at).strftime("%H:%M")
    facts = {"time": clock, "zone": daily.zone_at(at), "name": request.reader.name}
    html = pages.deals(request.site(), daily.day_at(at), await my_deals(request), **facts)
    return request.html_response(html, seats=True)


async def my_deals(request: SiteRequest) -> tuple[DealLine, ...]:
    """Today's deals as the reader sees them."""
    rows = await held_deals(request)
    return tuple(deal_line(game, rows.get(game)) for game in soonest_learned())


async def held_deals(request: SiteRequest, day: str = "") -> dict[str, daily.Row]:
    """The reader's tables with the deals of a day, today's if none is given, by game."""
    return await daily.own_deals(request.registry, request.reader.hashed_token, day or daily.day_at(request.now))


def deal_line(game: str, row: daily.Row | None) -> DealLine:
    """A deal as its reader sees it."""
    if row is None:
        return DealLine(game, OPEN)
    if row["state"] != OVER or not row["result"]:
        return DealLine(game, GOING, row["id"])
    result = stored_result(row["result"])
    return DealLine(game, DONE, row["id"], result.captions[row["seat"]], result.won[row["seat"]])


async def play(request: SiteRequest) -> Response:
    """Go to the reader's table with today's deal; it is created if there is none yet."""
    fields, name = await request.read_form(), find_game(request.path_params["game"])
    held = (await held_deals(request)).get(name)
    if held is not None:
        return request.redirect(f"/table/{held['id']}")
    server, token, address = request.server, await request.token_for_seat(), request.address
    nickname = fields.text("name") if "name" in fields else request.reader.name
    async with server.limits.beginning(address) as begin:
        try:
            guest = request.guest_name()
            table = await daily.begin_deal(server.registry, name, nickname, guest, hashed(token), address)
        except Stale:  # the button was pressed twice
            held = (await held_deals(request)).get(name)
            if held is None:
                raise
            return request.redirect(f"/table/{held['id']}")
        begin(table.id)
    server.registry.remember_holder(table.id, hashed(token), daily.SEAT)
    answer = request.with_token_cookie(request.redirect(f"/table/{table.id}"), token)
    return request.with_name_cookie(answer, nickname)


# --- how others did ---------------------------------------------------------------------------------------------------
async def deal(request: SiteRequest) -> Response:
    """How the reader did with a deal, today's or of the query `day`, beside bots and others; else today's deals."""
    name, server = find_game(request.path_params["game"]), request.server
    held = (await held_deals(request, request.query_params.get("day", ""))).get(name)
    if held is None or held["state"] != OVER:
        return request.redirect("/today")
    async with server.registry.reading(held["id"]) as table:
        day, result = table.terms.day, presenters.result(table)
    comparison, field = await compared_with_others(server, day, table.game, result)
    lines = tuple(
        Other(standing.name, standing.won, standing.told, standing.table == held["id"], standing.table)
        for standing in field[:SHOWN]
    )
    html = pages.deal(request.site(), day, held["id"], result.captions[daily.SEAT], comparison, lines)
    return request.html_response(html)


async def compared_with_others(
    server: ServerState, day: str, game: Game, result: Result
) -> tuple[Compared, tuple[daily.Standing, ...]]:
    """A result with a day's deal beside those of bots, who begin to play with that, and of people; and all of these."""
    await server.fields.get(day, game)
    field = await server.fields.standings(day, game.name)
    people = Share("people", sum(standing.won for standing in field), len(field)) if len(field) > 1 else None
    bots = server.fields.field(day, game.name)
    return presenters.compared_with(bots, game.name, day, result, people), field


async def compared(request: SiteRequest) -> dict[str, Any]:
    """The comparison as a part of the page of the reader's own table, as far as bots have played; it begins with that.

    A deal of a day before can be asked for, too: it is the table's.
    """
    await request.require_holder()
    async with request.registry.reading(request.table_id) as table:
        if table.state != OVER or not table.terms.day:
            raise NoTable(say("There is nothing to compare at this table."))
        day, result, site = table.terms.day, presenters.result(table), request.table_site(table)
    comparison, _field = await compared_with_others(request.server, day, table.game, result)
    return {"done": comparison.done, "compared": table_page.comparison(site, comparison)}


MOST_KEPT = 64  # positions, and explanations, in memory


class Shelf:
    """The puzzles of a server: which a day has, their positions as their seats see them, and explanations of answers.

    Positions and explanations are made in a thread, and kept for a while.
    """

    def __init__(self, files: tuple[str, ...]) -> None:
        self._files = files
        self._views, self._explained = Recent[str, View](MOST_KEPT), Recent[tuple[str, str], Explanation](MOST_KEPT)

    @functools.cached_property
    def pool(self) -> Pool:
        """All puzzles, read when they are first asked for."""
        return Pool.of(map(Path, self._files))

    async def view(self, request: SiteRequest, puzzle: Puzzle) -> View:
        """What the seat of a puzzle sees."""
        return await request.made_once(self._views, puzzle.key, lambda: puzzle.match().view(puzzle.seat))

    async def explanation(self, request: SiteRequest, puzzle: Puzzle, move: str) -> Explanation:
        """What is said of an answer."""
        key = puzzle.key, move
        return await request.made_once(self._explained, key, lambda: explain(puzzle, puzzle.match(), move))


def shelf_of(request: SiteRequest) -> Shelf:
    """The puzzles of the server that received a request."""
    shelf: Shelf = request.app.state.puzzles
    return shelf


@dataclass(frozen=True)
class Asked:
    """The puzzle that a request is about: its day, its number from 1, and those of its day."""

    day: str
    number: int
    puzzles: tuple[Puzzle, ...]

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle itself."""
        return self.puzzles[self.number - 1]

    @property
    def path(self) -> str:
        """Its address on the site."""
        return f"/puzzles/{self.day}/{self.number}"


def puzzle_of(request: SiteRequest) -> Asked:
    """The puzzle in the request's path; raises NoTable for one that isn't open."""
    number, puzzles = whole_number(str(request.path_params["number"]), 1) or 0, tuple[Puzzle, ...]()
    with contextlib.suppress(ValueError):
        day = date.fromisoformat(str(request.path_params["day"]))
        puzzles = shelf_of(request).pool.of_day(day) if is_open(day, daily.date_at(request.now)) else ()
    if not 1 <= number <= len(puzzles):
        raise NoTable(say("There is no such puzzle now; today's are on the page of puzzles."))
    return Asked(day.isoformat(), number, puzzles)


# --- pages ------------------------------------------------------------------------------------------------------------
async def today(request: SiteRequest) -> Response:
    """The puzzles of today, and how many the reader has solved."""
    day, zone = daily.date_at(request.now), daily.zone_at(request.now)
    puzzles = shelf_of(request).pool.of_day(day)
    solved = await solved_of(request, puzzles)
    listing = lines(puzzles, solved)
    return request.html_response(
        pages.puzzles(request.site(), day.isoformat(), zone, listing, solved.solved, solved.total)
    )


async def puzzle(request: SiteRequest) -> Response:
    """A puzzle; once the reader has answered it, with the explanation."""
    about = puzzle_of(request)
    solved = await solved_of(request, about.puzzles)
    reply, shelf = solved.get(about.puzzle.key), shelf_of(request)
    view = await shelf.view(request, about.puzzle)
    explained = await shelf.explanation(request, about.puzzle, reply.move) if reply else None
    names = seat_names(about.puzzle, request.catalogue().words(say("You")))
    site, listing = request.site(path=about.path), lines(about.puzzles, solved)
    html = pages.puzzle(site, about.day, about.number, listing, view, names, explained)
    return request.html_response(html, seats=True)


async def answer(request: SiteRequest) -> Response:
    """Keep an answer, and show what comes of it."""
    about, fields, server = puzzle_of(request), await request.read_form(), request.server
    move = fields.text("move")
    if move != about.puzzle.best and move not in about.puzzle.costs:
        raise TableError(say("Choose one of the moves."))
    token = await request.token_for_seat()
    if not await request.known_token():
        server.limits.allow_join(request.address)
    reply = Answer(move, move == about.puzzle.best)
    await server.registry.run_job(store_answer, hashed(token), about.puzzle.key, reply, request.now)
    return request.with_token_cookie(request.redirect(about.path), token)


async def forget(request: SiteRequest) -> Response:
    """Delete what is kept of the reader's answers."""
    token = await request.known_token()
    if token:
        await forget_puzzles(request.registry, hashed(token))
    return request.redirect("/puzzles")


async def solved_of(request: SiteRequest, puzzles: tuple[Puzzle, ...]) -> Solved:
    """What the reader has solved."""
    keys = [puzzle.key for puzzle in puzzles]
    return await request.registry.run_job(solved_by, request.reader.hashed_token, keys)


def lines(puzzles: tuple[Puzzle, ...], solved: Solved) -> tuple[PuzzleLine, ...]:
    """The puzzles of a day as lists show them."""
    replies = [solved.get(puzzle.key) for puzzle in puzzles]
    pairs = zip(puzzles, replies, strict=True)
    return tuple(PuzzleLine(puzzle.game, puzzle.players, answer.solved if answer else None) for puzzle, answer in pairs)
