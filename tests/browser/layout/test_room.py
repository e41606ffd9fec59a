"""The room of a table: words cover no card, what was told lies in a drawer, a television."""

from typing import Any

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.text import Text
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site
from tests.browser.beats.test_moments import begun
from tests.browser.conftest import visiting

DARK = Site("en", "dark")
SIZES = {"upright": (390, 844), "sideways": (844, 390), "desk": (1280, 800)}
COVERED = """() => { const a = document.querySelector(".caption").getBoundingClientRect();
  return [...document.querySelectorAll(":is(#felt, .me) :is(.card, .face, .title, .note)")].filter((node) => {
    const b = node.getBoundingClientRect();
    return b.width && b.left < a.right && b.right > a.left && b.top < a.bottom - 1 && b.bottom > a.top + 1;
  }).map((node) => node.id || node.className); }"""
LIT = {"wolf-mans-curse": "zone-tonight.0 plate-1", "hawthorn": "zone-row-1.0", "high-handed": "zone-board.1"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", LIT)
def test_what_a_moment_says_covers_no_card_no_face_and_no_word(visit, game, size):
    wide, high = SIZES[size]
    sized = visiting(visit, viewport={"width": wide, "height": high}, reduced_motion="reduce")
    page = begun(sized, "growl", f"{game}-middle-dark", lit=LIT[game]).page
    assert page.locator(".caption").inner_text() == "told"
    assert page.evaluate(COVERED) == []
    assert page.locator("#prompt").evaluate("node => getComputedStyle(node).opacity") == "0"  # it is said once


GROWN = """() => { for (const each of document.getAnimations()) each.finish();
  const a = document.querySelector(".seats .card.lit").getBoundingClientRect();
  return [...document.querySelectorAll(".seats :is(.head, .who b, .counted)")].filter((node) => {
    const b = node.getBoundingClientRect();
    return b.width && b.left < a.right && b.right > a.left && b.top < a.bottom && b.bottom > a.top;
  }).map((node) => node.textContent); }"""


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_what_a_seat_has_to_take_grows_over_nobodys_name_beside_it(visit, seat):
    """On a phone on its side, where cards lie beside the name."""
    sized = visiting(visit, viewport={"width": 844, "height": 390})
    page = begun(sized, "bad", "cursed-hand-late-dark", lit=f"zone-grave-{seat}.1 plate-{seat}").page
    assert page.evaluate(GROWN) == []


UNDER = """() => [...document.querySelectorAll(".site :is(#bell, #sound, a)")].filter((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return width && !each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}).map((each) => each.id || each.textContent)"""


@pytest.mark.parametrize("size", [(390, 844), (568, 320), (667, 375), (740, 360), (844, 390), (932, 430), (1280, 800)])
def test_the_newest_line_lies_over_no_button_of_the_bar(visit, size):
    page = visit("hawthorn-middle-dark", viewport={"width": size[0], "height": size[1]})
    assert page.locator("#bell, #sound").count() == 2 and page.evaluate(UNDER) == []


NAMED = """() => { const a = document.querySelector(".speech").getBoundingClientRect();
  return [...document.querySelectorAll(".plate :is(.who b, .head), #facts > *")].filter((node) => {
    const b = node.getBoundingClientRect();
    return b.left < a.right && b.right > a.left && b.top < a.bottom && b.bottom > a.top; }).length; }"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("game", "words"),
    [
        ("hawthorn", "A pair!"),
        ("high-handed", "A pair!"),
        ("hawthorn", "A card, please."),
        ("hawthorn", "Uit mijn hand."),
        ("blackstone", "One more."),
        ("cursed-hand", "I accept."),
    ],
)
def test_what_a_seat_says_covers_nobodys_name_and_nothing_counted(visit, game, words, size):
    wide, high = SIZES[size]
    sized = visiting(visit, viewport={"width": wide, "height": high}, reduced_motion="reduce")
    for seat in range(4):
        said = f'data-said="{words}" data-by="plate-{seat}"'
        page = begun(sized, "place", f"{game}-middle-dark", lit=f"plate-{seat}", more=said).page
        assert page.evaluate(NAMED) == 0, seat


def test_all_that_was_told_lies_in_a_drawer_that_the_newest_line_opens(visit):
    for how in ({}, {"java_script_enabled": False}):
        page = visit("hawthorn-middle-dark", viewport={"width": 1280, "height": 800}, **how)
        felt = page.locator("#felt").bounding_box()
        assert felt["width"] > 1200 and page.locator(".newest").inner_text() and not page.locator("#log").is_visible()
        page.locator("#beside > summary").click()
        assert page.locator("#log").is_visible() and page.locator("#felt").bounding_box() == felt
        page.locator("#beside > summary").click()
        assert not page.locator("#log").is_visible()


@pytest.mark.parametrize("game", game_names())
def test_a_television_shows_names_of_three_percent_of_its_height_and_no_hand(visit, game):
    page = visit(f"{game}-watched-dark", viewport={"width": 1920, "height": 1080})
    sizes = page.locator("#seats .who").evaluate_all(
        "all => all.map((node) => parseFloat(getComputedStyle(node).fontSize))"
    )
    faces = page.locator("#seats .face").evaluate_all("all => all.map((node) => node.getBoundingClientRect().width)")
    assert min(sizes) >= 0.03 * 1080 and min(faces) >= 64
    assert page.locator(".hand").count() == 0
    assert page.locator("#room").evaluate("node => node.getBoundingClientRect().bottom") <= 1080


def test_the_first_player_of_hawthorn_has_a_marker(visit, shown):
    match = gallery.played("hawthorn", 4, 7)
    first = [ply for ply in range(match.length) if _first(match, ply)]
    page = visit(shown.add("first", table_page.table(gallery.table_of(_gone(match, first[0]), DARK))))
    seat = _first(match, first[0])[0]
    assert page.locator(".marker").count() == 1
    assert page.locator(f"#{seat} .marker title").text_content() == "First Player"
    assert not page.locator(f"#{seat} .who .note").evaluate("node => node.matches(':not(.sr)')")


def _gone(match: Any, ply: int) -> Any:
    match.go(ply)
    return match


def _first(match: Any, ply: int) -> list[str]:
    named: list[tuple[int | None, Text | None]] = [(zone.seat, zone.note) for zone in _gone(match, ply).view(0).zones]
    return [f"plate-{seat}" for seat, note in named if note and note.key == "First Player"]
