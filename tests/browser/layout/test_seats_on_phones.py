"""Seats on a phone: nothing about a seat lies over its name, its cards or what is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gallery
import pytest

from hexdeck.engine.text import say
from hexdeck.engine.view import Zone
from hexdeck.games.blackstone.table import FOLDED, TWO_STONES
from hexdeck.web.html import table_page
from hexdeck.web.html.models import Site, TablePage

SIZES = ["360x640", "844x390"]
OVER = """([over, under]) => { const found = [], boxes = (which) => [...document.querySelectorAll(which)]
    .filter((node) => node.checkVisibility({ visibilityProperty: true })).map((node) => [node.closest("[id]").id,
      node.getBoundingClientRect()]).filter(([, box]) => box.width);
  for (const [id, a] of boxes(over)) for (const [other, b] of boxes(under))
    if (a.left < b.right - 1 && a.right > b.left + 1 && a.top < b.bottom - 1 && a.bottom > b.top + 1)
      found.push([id, other]);
  return [boxes(over).length, found]; }"""
WRAPPED = """() => [...document.querySelectorAll("#seats .counts")].filter((counts) => new Set([...counts.children]
  .filter((node) => getComputedStyle(node).position === "static").map((node) => node.offsetTop)).size > 1).length"""


@pytest.fixture
def opened(visit: Any, shown: Any) -> Any:
    """Opens a page of a table in a size."""

    def page_of(page: TablePage, name: str, size: str) -> Any:
        wide, high = map(int, size.split("x"))
        return visit(shown.add(name, table_page.table(page)), viewport={"width": wide, "height": high})

    return page_of


def with_zones(page: TablePage, *zones: Zone) -> TablePage:
    """A page whose table has these zones."""
    return replace(page, view=replace(page.view, zones=zones))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["wolf-mans-curse", "high-handed"])
def test_who_has_chosen_keeps_a_name_that_can_be_read(opened: Any, game: str, size: str) -> None:
    match = gallery.played(game, 4, 11)
    gallery.turn(match, 0.3)
    page = gallery.table_of(match, Site("en", "dark"))
    seats = tuple(replace(line, chosen=True) for line in page.seats)
    found = opened(replace(page, seats=seats), f"chosen-{game}", size).evaluate(OVER, [".chosen", ".who b"])
    assert found == [4, []]


@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize("size", SIZES)
def test_many_counts_stand_in_one_line_and_no_pile_covers_a_title(opened: Any, size: str, lang: str) -> None:
    match, zones = gallery.played("wolf-mans-curse", 4, 11), list[Zone]()
    match.go(next(ply for ply in range(match.length) if gone(match, ply)))
    page = gallery.table_of(match, Site(lang, "dark"))
    for zone in page.view.zones:
        zones.append(replace(zone, count=12) if zone.id.startswith("clubs") else zone)
        if zone.id.startswith("captured-0"):
            zones.append(replace(zone, id="captured-0-9", title=say("Night {night}", night=3)))
    shown = opened(with_zones(page, *zones), f"nights-{lang}", size)
    assert shown.evaluate(WRAPPED) == 0
    titles, covered = shown.evaluate(OVER, ["#held .zones .title", "#held .zones .card"])
    assert titles == 1 and covered == []


def gone(match: Any, ply: int) -> bool:
    """Whether seat 0 has cards of one night."""
    match.go(ply)
    return any(zone.id.startswith("captured-0") and zone.cards for zone in match.view(0).zones)


@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize("size", [*SIZES, "390x844"])
def test_what_became_of_a_seat_covers_no_card_and_no_word_and_is_not_cut(opened: Any, size: str, lang: str) -> None:
    match = gallery.played("blackstone", 4, 11)
    gallery.turn(match, 0.3)
    page = gallery.table_of(match, Site(lang, "dark"))
    ends = {
        "stones-0": (("10", "10"), TWO_STONES),
        "stones-1": (("10", "10"), TWO_STONES),
        "stones-2": (("10",), FOLDED),
    }
    zones = [
        replace(zone, cards=ends[zone.id][0], note=ends[zone.id][1]) if zone.id in ends else zone
        for zone in page.view.zones
    ]
    shown = opened(with_zones(page, *zones), f"out-{lang}", size)
    under = ".plate :is(.card, .counted, .who b, .title), #facts > *"
    assert shown.evaluate(OVER, [".plate .zone > .note", under]) == [3, []]
    cut = "all => all.filter((node) => node.scrollWidth > node.clientWidth).length"
    assert shown.locator(".plate .zone > .note").evaluate_all(cut) == 0
    folded = [replace(zone, cards=(), note=FOLDED) if zone.id == "stones-0" else zone for zone in page.view.zones]
    shown = opened(with_zones(page, *folded), f"folded-{lang}", size)
    assert shown.locator("#zone-stones-0 > .title").evaluate("node => getComputedStyle(node).visibility") == "hidden"


@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize("size", SIZES)
def test_what_a_seat_has_caught_makes_its_place_no_higher(opened: Any, size: str, lang: str) -> None:
    match, heights = gallery.played("black-hearts", 4, 11), list[float]()
    gallery.turn(match, 0.1)
    page = gallery.table_of(match, Site(lang, "dark"))
    caught = next(zone for zone in page.view.zones if zone.id == "caught-0")
    for cards in ((), tuple(f"C{number}" for number in range(1, 10))):
        own = replace(caught, cards=cards, count=sum(range(1, len(cards) + 1)))
        zones = [own if zone is caught else zone for zone in page.view.zones]
        shown = opened(with_zones(page, *zones), f"caught-{lang}-{len(cards)}", size)
        heights.append(shown.locator("#held .seat").bounding_box()["height"])
    assert heights[0] == pytest.approx(heights[1], abs=0.5)
