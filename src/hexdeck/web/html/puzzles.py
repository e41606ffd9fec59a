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
from hexdeck.tables.model import choice
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import log_lines
from hexdeck.web.html.daily import day_text
from hexdeck.web.html.games import game_info
from hexdeck.web.html.layout import ZoneLayout, arrange, slot_with, with_slots
from hexdeck.web.html.models import AgainPage, Page, SeatLine, TablePage
from hexdeck.web.html.rendering import game_catalogue, render, safe, site_catalogue
from hexdeck.web.html.table_page import fragments_for

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
    titles = [game_info(each.game, page.site.lang).title for each in page.puzzles]
    day = day_text(page.day)
    return render("puzzles.html", page.site, site_catalogue(page.site), page=page, titles=titles, day=day)


def puzzle(page: PuzzlePage) -> str:
    """One puzzle."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    words = game_catalogue(page.site, view.game, page.names)
    coach = definition(view.game).coach
    seen = altered(view, moves=()) if page.answered else view
    table = TablePage(page.site, "", view.ply, seen, seat_lines(page), view.seat)
    next_one = next((k for k, each in enumerate(page.puzzles, 1) if each.solved is None and k != page.number), 0)
    return render(
        "puzzles_one.html", page.site, words, page=page, info=info, next_one=next_one, aim=coach and coach.COURSE.aim,
        **laid_out(table, words),
    )  # fmt: skip


def retry(page: AgainPage) -> str:
    """A decision that cost something, to be made once more, as its seat saw the table then."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    words = game_catalogue(page.site, view.game, tuple(line.name for line in page.seats))
    table = TablePage(page.site, page.table_id, view.ply, view, page.seats, page.seat)
    next_one = next((k for k, done in enumerate(page.solved, 1) if not done and k != page.number), 0)
    return render("again.html", page.site, words, page=page, info=info, next_one=next_one, **laid_out(table, words))


def laid_out(page: TablePage, words: Catalogue) -> dict[str, Any]:
    """The table of a position that somebody is to judge, and what happened before it.

    As at a table, a card or a cell makes its move; moves of several cards are buttons here, which need no script.
    """
    fragments = fragments_for(page.site.lang, page.site.prefix)
    log = page.view.log[-LINES:]
    lines = list(map(safe, log_lines(words, log, sprite_of(page.site.prefix))))
    since = max(0, len(log) - page.view.players - 1)
    shown = arrange(page, words, 0)
    several = [(move.name, words.words(move.label)) for move in choice.moves_by_cards(page.view).values()]
    hand = shown.hand and without_questions(shown.hand)
    shown = replace(shown, hand=hand, boards=tuple(map(without_questions, shown.boards)))
    return {
        "all": shown, "moves": [*shown.moves, *several], "held": safe(fragments.held(shown.mine, shown.hand)),
        "news": lines[since:], "log": tuple(reversed(lines[:since])), **fragments.named,
    }  # fmt: skip


def without_questions(zone: ZoneLayout) -> ZoneLayout:
    """A zone in which places without a move ask nothing, and aren't chosen together with others.

    Nor is any card marked, as noted ones are at a table: it would look like the answer.
    """
    slots = (slot_with(slot, slot.move, slot.label, points=slot.points) if slot.move else slot_with(slot)
             for slot in zone.slots)  # fmt: skip
    return with_slots(zone, tuple(slots))


def seat_lines(page: PuzzlePage) -> tuple[SeatLine, ...]:
    """Who sits where: the reader, and bots."""
    return tuple(
        SeatLine(seat, name, "person" if seat == page.view.seat else "bot") for seat, name in enumerate(page.names)
    )
