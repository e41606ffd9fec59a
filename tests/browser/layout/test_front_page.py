"""The first page: a game can be begun without scrolling, on a phone too; and pages in a wide window."""

from typing import Any

import pytest

LIES = """() => [document.querySelector("[id^=play-]").getBoundingClientRect().bottom - innerHeight,
  document.documentElement.scrollWidth - innerWidth,
  new Set([...document.querySelectorAll(".besides :is(p, form, a:first-child)")]
    .map((node) => Math.round(node.getBoundingClientRect().left))).size]"""


@pytest.mark.parametrize("size", ["360x640", "844x390", "1280x720"])
@pytest.mark.parametrize("name", ["start-light", "start-nl-light"])
def test_a_game_can_be_begun_without_scrolling_and_all_lines_begin_together(visit: Any, name: str, size: str) -> None:
    wide, high = map(int, size.split("x"))
    below, wider, edges = visit(name, viewport={"width": wide, "height": high}).evaluate(LIES)
    assert below <= 0 and wider <= 0 and edges == 1


ASIDE = """() => { const { left, right } = document.querySelector("main").getBoundingClientRect();
  return Math.abs(left + right - document.documentElement.clientWidth); }"""


@pytest.mark.parametrize("name", ["start-light", "new-light", "waiting-light", "curtain-light", "mine-light"])
def test_a_page_lies_in_the_middle_of_a_wide_window(visit: Any, name: str) -> None:
    assert visit(name, viewport={"width": 1920, "height": 1080}).evaluate(ASIDE) <= 2
