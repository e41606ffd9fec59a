"""The first page and those on the way to a table: what is wanted is in sight without scrolling, on a phone too."""

from typing import Any

import pytest

from hexdeck.engine.discovery.finding import game_names

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


BELOW = "(all) => all.map((node) => Math.round(node.getBoundingClientRect().bottom - innerHeight))"


@pytest.mark.parametrize("size", ["768x1024", "1024x768", "1366x768", "1920x1080", "2560x1440"])
def test_all_games_are_in_sight_at_once(visit: Any, size: str) -> None:
    wide, high = map(int, size.split("x"))
    below = visit("start-light", viewport={"width": wide, "height": high}).locator("[id^=play-]").evaluate_all(BELOW)
    assert len(below) == len(game_names()) and max(below) <= 0


@pytest.mark.parametrize("size", ["320x568", "390x844", "844x390", "1366x768"])
@pytest.mark.parametrize(
    ("name", "button"), [("new-light", ".set .button"), ("waiting-light", "#share"), ("join-light", "form .button")]
)
def test_a_table_is_set_up_shared_and_joined_without_scrolling(visit: Any, name: str, button: str, size: str) -> None:
    wide, high = map(int, size.split("x"))
    below = visit(name, viewport={"width": wide, "height": high}).locator(button).evaluate_all(BELOW)
    assert len(below) == 1 and max(below) <= 0


ASIDE = """() => { const { left, right } = document.querySelector("main").getBoundingClientRect();
  return Math.abs(left + right - document.documentElement.clientWidth); }"""


@pytest.mark.parametrize("name", ["start-light", "new-light", "waiting-light", "curtain-light", "me-light"])
def test_a_page_lies_in_the_middle_of_a_wide_window(visit: Any, name: str) -> None:
    assert visit(name, viewport={"width": 1920, "height": 1080}).evaluate(ASIDE) <= 2
