"""A puzzle's page holds nothing of the answer or of hidden cards before it is answered, be it in bytes, order or time.

In time it doesn't since nothing of the answer is made before.
"""

import random
from dataclasses import replace
from typing import Any

import pytest

from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.puzzles import Puzzle, seat_names, shipped
from hexdeck.tables.daily import date_at
from hexdeck.web.html import pages
from hexdeck.web.html.pages import PuzzleLine
from hexdeck.web.html.rendering import Site
from tests.settings import every_game, much
from tests.web.serving import Person, Served

BARE = "blackstone"  # whose struct hides nothing after the stakes but the order of the deck, which chance has


def shown(puzzle: Puzzle, match: Match, log: Any) -> str:
    lines = (PuzzleLine(puzzle.game, puzzle.players, None),)
    view = replace(match.view(puzzle.seat, log), ply=0)
    return pages.puzzle(Site(), "2026-11-26", 1, lines, view, seat_names(puzzle, "You"))


@every_game
def test_with_all_that_the_seat_does_not_know_dealt_anew_the_page_is_the_same(name: str) -> None:
    found, rng, changed = shipped(name).puzzles, random.Random(1), 0
    for puzzle in much(found[::10], found):
        match = puzzle.match()
        log = match.view(puzzle.seat).log
        page = shown(puzzle, match, log)
        for _ in range(3):
            other = match.resample(puzzle.seat, rng.getrandbits(60))
            changed += raw(other.rows)[0].tobytes() != raw(match.rows)[0].tobytes()
            assert shown(puzzle, other, log) == page
    assert changed or name == BARE


def with_other_answers(puzzle: Puzzle) -> Puzzle:
    best, *others = [*puzzle.costs, puzzle.best]
    return replace(puzzle, best=best, worth=-9.0, bots={}, costs=dict.fromkeys(others, (7.0, 0.5)))


def test_the_page_is_the_same_whatever_the_answer_is(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, shelf = Person(site.base), site.app.state.puzzles
    day, of_day = date_at(site.state.registry.clock()), shelf.pool.of_day
    paths = ["/puzzles", *(f"/puzzles/{day}/{number}" for number in (1, 2, 3))]
    before = [ann.get(path).text for path in paths]
    changed = tuple(map(with_other_answers, of_day(day)))
    monkeypatch.setattr(shelf.pool, "of_day", lambda _day: changed)
    shelf._views.clear()
    assert [ann.get(path).text for path in paths] == before


def test_nothing_of_the_answer_is_made_before_it_is_given(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def explained(*_each: Any) -> Any:
        raise AssertionError("nobody has answered")

    monkeypatch.setattr("hexdeck.web.routes.daily.explain", explained)
    day, ann = date_at(site.state.registry.clock()), Person(site.base)
    for number in (1, 2, 3):
        page = ann.get(f"/puzzles/{day}/{number}")
        assert page.status_code == 200 and "less" not in page.text and "surely worse" not in page.text
