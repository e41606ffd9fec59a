"""Positions to be judged: puzzles of a day, before and after they are answered, and decisions to be tried again.

Before the answer, a page is made from what its seat knows and from nothing else of the puzzle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import View, altered
from hexdeck.puzzles.explain import Explanation
from hexdeck.tables.live import moves_by_cards
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import sentence_html
from hexdeck.web.html.daily import day_text
from hexdeck.web.html.games import game_info
from hexdeck.web.html.layout import ZoneLayout, arrange
from hexdeck.web.html.models import Page, RetryPage, SeatLine, TablePage
from hexdeck.web.html.rendering import game_catalogue, render, site_catalogue

LINES = 60  # of the log


@dataclass(frozen=True)
class PuzzleLine:
    """A puzzle of the day in a list: its game, for how many, and whether the reader solved it (None: not answered)."""

    game: str
    players: int
    solved: bool | None


@dataclass(frozen=True)
class PuzzlesPage(Page):
    """The puzzles of a day, as in 2026-11-26, by a clock in a time zone.

    `solved` of `total`: how many the reader solved of all that they answered here.
    """

    day: str
    zone: str
    puzzles: tuple[PuzzleLine, ...]
    solved: int = 0
    total: int = 0


@dataclass(frozen=True)
class PuzzlePage(Page):
    """A puzzle of a day: `number` of `puzzles`, the view of its seat, the players' names, and what came of it."""

    day: str
    number: int
    puzzles: tuple[PuzzleLine, ...]
    view: View
    names: tuple[str, ...]
    answered: Explanation | None = None


def puzzles(page: PuzzlesPage) -> str:
    """The puzzles of today."""
    titles = [game_info(line.game, page.site.lang).title for line in page.puzzles]
    day = day_text(page.day)
    return render("puzzles.html", page.site, site_catalogue(page.site), page=page, titles=titles, day=day)


def puzzle(page: PuzzlePage) -> str:
    """One puzzle."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    catalogue = game_catalogue(page.site, view.game, page.names)
    coach = definition(view.game).coach
    position = altered(view, moves=()) if page.answered else view
    table = TablePage(page.site, "", view.ply, position, seat_lines(page), view.seat)
    next_one = next((k for k, line in enumerate(page.puzzles, 1) if line.solved is None and k != page.number), 0)
    return render(
        "puzzles_one.html",
        page.site,
        catalogue,
        page=page,
        info=info,
        next_one=next_one,
        aim=coach and coach.COURSE.aim,
        **laid_out(table, catalogue),
    )


def retry(page: RetryPage) -> str:
    """A decision that cost something, to be made once more, as its seat saw the table then."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    catalogue = game_catalogue(page.site, view.game, tuple(line.name for line in page.seats))
    table = TablePage(page.site, page.table_id, view.ply, view, page.seats, page.seat)
    next_one = next((k for k, is_solved in enumerate(page.solved, 1) if not is_solved and k != page.number), 0)
    return render(
        "retry.html", page.site, catalogue, page=page, info=info, next_one=next_one, **laid_out(table, catalogue)
    )


def laid_out(page: TablePage, catalogue: Catalogue) -> dict[str, Any]:
    """The table of a position that somebody is to judge, and what happened before it.

    As at a table, a card or a cell makes its move; moves of several cards are buttons here, which need no script.
    """
    log = page.view.log[-LINES:]
    lines = [sentence_html(catalogue, text, sprite_of(page.site.prefix)) for text in log]
    since = max(0, len(log) - page.view.players - 1)
    layout = arrange(page, catalogue, 0)
    several = [(move.name, catalogue.words(move.label)) for move in moves_by_cards(page.view).values()]
    hand = layout.hand and without_questions(layout.hand)
    layout = replace(layout, hand=hand, boards=tuple(map(without_questions, layout.boards)))
    return {
        "all": layout,
        "moves": [*layout.moves, *several],
        "news": lines[since:],
        "log": tuple(reversed(lines[:since])),
    }


def without_questions(zone: ZoneLayout) -> ZoneLayout:
    """A zone in which places without a move ask nothing, and aren't chosen together with others.

    Nor is any card marked, as noted ones are at a table: it would look like the answer.
    """
    slots = tuple(altered(slot, picks=False, asks=False, marked=False) for slot in zone.slots)
    return altered(zone, slots=slots)


def seat_lines(page: PuzzlePage) -> tuple[SeatLine, ...]:
    """Who sits where: the reader, and bots."""
    return tuple(
        SeatLine(seat, name, "person" if seat == page.view.seat else "bot") for seat, name in enumerate(page.names)
    )
