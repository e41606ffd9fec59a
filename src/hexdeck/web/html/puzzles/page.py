"""The pages of puzzles: those of today, and one of them before and after it is answered.

Before that, a page is made from what its seat knows and from nothing else of the puzzle.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import View, altered
from hexdeck.puzzles.explain import Explanation
from hexdeck.tables.model import choice
from hexdeck.web.html.about import game_info
from hexdeck.web.html.arrange import TableLayout, arrange, sprite_of
from hexdeck.web.html.fragments import fragments_for
from hexdeck.web.html.lines import log_lines
from hexdeck.web.html.looks import ZoneLayout, slot_with, with_slots
from hexdeck.web.html.page_models import Page, SeatLine
from hexdeck.web.html.rendering import game_catalogue, render, safe, site_catalogue
from hexdeck.web.html.table_models import TablePage

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
    return render("puzzles.html", page.site, site_catalogue(page.site), page=page, titles=titles)


def puzzle(page: PuzzlePage) -> str:
    """One puzzle."""
    view, info = page.view, game_info(page.view.game, page.site.lang)
    words = game_catalogue(page.site, view.game, page.names)
    log = view.log[-LINES:]
    lines = list(map(safe, log_lines(words, log, sprite_of(page.site.prefix))))
    since = max(0, len(log) - page.view.players - 1)
    fragments = fragments_for(page.site.lang, page.site.prefix)
    coach = definition(view.game).coach
    shown, moves = laid_out(page, words)
    next_one = next((k for k, each in enumerate(page.puzzles, 1) if each.solved is None and k != page.number), 0)
    return render(
        "puzzles_one.html", page.site, words, page=page, info=info, all=shown, moves=moves,
        held=safe(fragments.held(shown.mine, shown.hand)), news=lines[since:], log=tuple(reversed(lines[:since])),
        next_one=next_one, aim=coach.AIM if coach else None, **fragments.named,
    )  # fmt: skip


def laid_out(page: PuzzlePage, words: Catalogue) -> tuple[TableLayout, list[tuple[str, str]]]:
    """The table of a puzzle, and the moves that are made by buttons of their own: name and label.

    As at a table, a card or a cell makes its move; moves of several cards are buttons here, which need no script.
    """
    view = altered(page.view, moves=()) if page.answered else page.view
    shown = arrange(TablePage(page.site, "", view.ply, view, seat_lines(page), view.seat), words, 0)
    several = [(move.name, words.words(move.label)) for move in choice.moves_by_cards(view).values()]
    hand = shown.hand and without_questions(shown.hand)
    return replace(shown, hand=hand, boards=tuple(map(without_questions, shown.boards))), [*shown.moves, *several]


def without_questions(zone: ZoneLayout) -> ZoneLayout:
    """A zone in which places without a move ask nothing, and aren't chosen together with others."""
    return with_slots(zone, tuple(slot if slot.move else slot_with(slot, marked=slot.marked) for slot in zone.slots))


def seat_lines(page: PuzzlePage) -> tuple[SeatLine, ...]:
    """Who sits where: the reader, and bots."""
    return tuple(
        SeatLine(seat, name, "person" if seat == page.view.seat else "bot") for seat, name in enumerate(page.names)
    )
