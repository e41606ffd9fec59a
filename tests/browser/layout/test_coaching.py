"""What the coach says lies over no cell that is to be chosen, and not under a hint."""

from dataclasses import replace
from typing import Any

import gallery
import pytest

from hexdeck.engine.play.coach import course_of, kind_at
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site, TablePage

HIT = """() => { const cells = [...document.querySelectorAll(".cell.open")], hit = cells.filter((cell) => {
    const { x, y, width, height } = cell.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2)?.closest(".cell") === cell; });
  return [cells.length, hit.length]; }"""


def choosing_a_cell() -> TablePage:
    """The page of seat 0 whose coach explains the choice of a cell."""
    match = gallery.played("high-handed", 4, 11)
    course = course_of(match)
    for ply in range(match.length):
        match.go(ply)
        kind = kind_at(match, 0) if 0 in match.acting else None
        if course and kind and "cell" in kind:
            lesson = course.lessons[kind](match.knowledge(0), 0)
            page = gallery.table_of(match, Site("nl", "dark"))
            return replace(page, hints=True, coached=True, lesson=lesson)
    raise AssertionError


@pytest.mark.parametrize("size", ["360x640", "844x390", "1280x720"])
def test_the_coach_lies_over_no_cell_that_is_to_be_chosen(visit: Any, shown: Any, size: str) -> None:
    wide, high = map(int, size.split("x"))
    page = visit(shown.add("choosing", table_page.table(choosing_a_cell())), viewport={"width": wide, "height": high})
    cells, hit = page.evaluate(HIT)
    assert cells == hit > 50 and page.locator(".coach").is_visible()
    page.locator(".coach summary").click()
    assert page.locator(".coach dl").is_visible()
    if high < 481:  # where it has room beside the board
        assert page.evaluate(HIT) == [cells, cells]


@pytest.mark.parametrize("size", ["360x640", "844x390", "1280x720"])
def test_the_coach_is_out_of_sight_while_there_is_a_hint(visit: Any, shown: Any, size: str) -> None:
    wide, high = map(int, size.split("x"))
    hint = gallery.hinted(gallery.played("high-handed", 4, 11), Site("en", "dark")).hint
    page = visit(
        shown.add("both", table_page.table(replace(choosing_a_cell(), hint=hint))),
        viewport={"width": wide, "height": high},
    )
    assert page.locator("#hint").is_visible() and not page.locator(".coach").is_visible()
