"""The room of a table: words cover no card, full tables fit, what lies beside can be shut, a television."""

from __future__ import annotations

from typing import Any

import gallery
import pytest

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.text import Text
from hexdeck.web.html import table_page
from hexdeck.web.html.models import Site
from tests.browser.beats.test_moments import begun
from tests.browser.test_looks import own_turns
from tests.settings import in_turn

DARK = Site("en", "dark")
SIZES = {"upright": (390, 844), "sideways": (844, 390), "desk": (1280, 800)}
COVERED = """() => { const a = document.querySelector(".caption").getBoundingClientRect();
  return [...document.querySelectorAll("#felt :is(.card, .face, .title, .note)")].filter((node) => {
    const b = node.getBoundingClientRect();
    return b.width && b.left < a.right && b.right > a.left && b.top < a.bottom - 1 && b.bottom > a.top + 1;
  }).map((node) => node.id || node.className); }"""
LIT = {"wolf-mans-curse": "zone-tonight.0 plate-1", "hawthorn": "zone-row-1.0", "high-handed": "zone-board.1"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", LIT)
def test_what_a_moment_says_covers_no_card_no_face_and_no_word(visit, game, size):
    def sized(name: str, before: Any) -> Any:
        wide, high = SIZES[size]
        return visit(name, before=before, viewport={"width": wide, "height": high}, reduced_motion="reduce")

    sized.folder = visit.folder
    page = begun(sized, "growl", f"{game}-middle-dark", lit=LIT[game]).page
    assert page.locator(".caption").inner_text() == "told"
    assert page.evaluate(COVERED) == []
    assert page.locator("#prompt").evaluate("node => getComputedStyle(node).opacity") == "0"  # it is said once


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
    def sized(name: str, before: Any) -> Any:
        wide, high = SIZES[size]
        return visit(name, before=before, viewport={"width": wide, "height": high}, reduced_motion="reduce")

    sized.folder = visit.folder
    for seat in range(4):
        said = f'data-said="{words}" data-by="plate-{seat}"'
        page = begun(sized, "place", f"{game}-middle-dark", lit=f"plate-{seat}", more=said).page
        assert page.evaluate(NAMED) == 0, seat


BEHIND = """() => [...document.querySelectorAll("#middle .many")].filter((node) => {
  const a = node.getBoundingClientRect(), cards = [...document.querySelectorAll("#middle .card, #asked")];
  return cards.map((each) => each.getBoundingClientRect()).some((b) =>
    b.width && b.left < a.right - 1 && b.right > a.left + 1 && b.top < a.bottom && b.bottom > a.top); }).length"""


@pytest.mark.parametrize("size", ["390x844", "360x640", "844x390", "640x360"])
def test_piles_tell_their_number_and_the_stolen_card_has_room(visit, shown, size):
    wide, high = map(int, size.split("x"))
    match = gallery.played("high-handed", 2, 11)
    page = visit(shown.names[0], viewport={"width": wide, "height": high})
    table = table_page.table(gallery.table_of(_gone(match, 101), DARK))
    page.goto(f"{shown.address}/{shown.add('stolen', table)}.html")
    assert page.locator("#zone-out .card").count() == 1 and page.locator("#middle .many").count() == 3
    assert page.evaluate(BEHIND) == 0
    assert page.locator("#room").evaluate("node => node.getBoundingClientRect().bottom - innerHeight") <= 0


SHORT = """() => ["room", "held"].map((id) =>
  document.getElementById(id).getBoundingClientRect().bottom - innerHeight)"""


@pytest.mark.parametrize("size", ["1280x800", "360x640"])
@pytest.mark.parametrize("game", list(game_names()))
def test_the_fullest_table_fits_its_screen(visit, shown, game, size):
    wide, high = map(int, size.split("x"))
    page, most = visit(shown.names[0], viewport={"width": wide, "height": high}), definition(game).rules.PLAYERS[1]
    for turn in own_turns(game, most):
        page.goto(f"{shown.address}/{shown.add(f'full-{game}-{turn.version}', table_page.table(turn))}.html")
        room, held = page.evaluate(SHORT)
        assert room <= 0 and held <= 0, turn.version


CROWDED = """() => { const lines = (node) => [...node.querySelectorAll("dt:not(:has(svg)), b, small")]
    .flatMap((each) => [...each.getClientRects()]);
  const all = [...document.querySelectorAll(".facts > .counted")].map(lines);
  return all.flatMap((some, k) => all.slice(k + 1).flat().filter((b) => some.some((a) =>
    a.right > b.left + 2 && b.right > a.left + 2 && a.bottom > b.top + 4 && b.bottom > a.top + 4))).length; }"""


@pytest.mark.parametrize(
    ("game", "size"), in_turn(game_names(), ["768x1024", "1024x768", "1366x657", "1280x720", "1280x600", "1366x768"])
)
def test_a_table_fits_a_tablet_and_a_small_laptop(visit, shown, game, size):
    """What is asked lies over nothing, no pile over the number of another, and what is told of the table has room."""
    wide, high = map(int, size.split("x"))
    page = visit("start-dark", viewport={"width": wide, "height": high})
    for name in sorted({f"{game}-{when}-dark" for when in ("early", "middle", "late")} & set(shown.names)):
        page.goto(f"{shown.address}/{name}.html")
        assert page.evaluate(SHORT)[0] <= 1 and page.evaluate(BEHIND) == 0, name
        assert page.evaluate(CROWDED) == 0, name
        assert wide < 1100 or page.evaluate("document.documentElement.scrollHeight") == high, name


SHORT_DESKS = ["1024x800", "1280x600", "1280x741", "1366x768", "1440x900"]
MUCH_TOLD = ["black-hearts", "wolf-mans-curse"]


@pytest.mark.parametrize(("game", "size"), in_turn(MUCH_TOLD, SHORT_DESKS))
def test_what_is_told_of_a_table_has_room_with_any_number_of_players(visit, shown, game, size):
    wide, high = map(int, size.split("x"))
    page = visit("start-dark", viewport={"width": wide, "height": high})
    least, most = definition(game).rules.PLAYERS
    for players in range(least, most + 1):
        for turn in own_turns(game, players):
            name = shown.add(f"told-{game}-{players}-{turn.version}", table_page.table(turn))
            page.goto(f"{shown.address}/{name}.html")
            assert page.evaluate(SHORT)[0] <= 1 and page.evaluate(CROWDED) == 0, name


LONG = {  # what is said there at its longest
    "high-handed": "The match is won with 17 points: Hanneke, Wilhelmina, Floris, Eefje.",
    "wolf-mans-curse": "Eefje is strongest and wins 2c, 5c, 6s, 9s, 3h, 4h, 9h, 10d and Joker: clubs 2, spades 2, "
    "hearts 3, diamonds 1.",
    "blackstone": "Draw 3 cards or more, or fold for 9 chips. Two black stones cost you 13 chips, plus one for each "
    "white stone you turn up.",
}
CUT = """text => { const prompt = document.getElementById("prompt"), table = document.getElementById("table");
  prompt.textContent = text;
  table.classList.add("telling");
  return prompt.scrollHeight - prompt.clientHeight; }"""


@pytest.mark.parametrize("size", ["640x360", "667x375", "844x390", "390x844", "768x1024"])
@pytest.mark.parametrize("game", LONG)
def test_what_is_said_is_not_cut_off_where_it_is_long(visit, game, size):
    wide, high = map(int, size.split("x"))
    page = visit(f"{game}-early-dark", viewport={"width": wide, "height": high})
    assert page.evaluate(CUT, LONG[game]) <= 3


OVER_WON = """() => { const note = document.querySelector(".hand .title small"), a = note.getBoundingClientRect();
  const won = [...document.querySelectorAll("#held .zones .card")].map((each) => each.getBoundingClientRect());
  return [won.length, getComputedStyle(note).opacity !== "0" && won.filter((b) =>
    b.left < a.right && b.right > a.left && b.top < a.bottom && b.bottom > a.top).length]; }"""


@pytest.mark.parametrize("size", ["844x390", "640x360", "390x844", "1280x800"])
def test_the_note_of_cards_that_were_passed_covers_none_that_were_won(visit, shown, size):
    wide, high = map(int, size.split("x"))
    page = visit(shown.names[0], viewport={"width": wide, "height": high})
    table = table_page.table(gallery.table_of(_gone(gallery.played("black-hearts", 4, 6), 86), DARK))
    page.goto(f"{shown.address}/{shown.add('won', table)}.html")
    won, covered = page.evaluate(OVER_WON)
    assert won == 4 and not covered


COUNT_OVER = """() => [...document.querySelectorAll("#seats .icon-hand")].filter((node) => {
  const a = node.getBoundingClientRect(), all = [...document.querySelectorAll("#seats :is(.head, .who b, .gone)")];
  return a.right > innerWidth || all.map((each) => each.getBoundingClientRect()).some((b) =>
    b.left < a.right && b.right > a.left && b.top < a.bottom && b.bottom > a.top); }).length"""


def test_what_a_seat_has_stands_in_one_line_on_an_upright_phone(visit):
    page = visit("wolf-mans-curse-middle-dark", viewport={"width": 390, "height": 844})
    tops = (
        """all => all.map((node) => [...node.children].map((each) => Math.round(each.getBoundingClientRect().top)))"""
    )
    found = page.locator("#seats .counts").evaluate_all(tops)
    assert len(found) == 3 and all(len({*suits[:4]}) == 1 and hand < suits[0] for *suits, hand in found), found
    assert page.evaluate(COUNT_OVER) == 0


TYPE = """() => { const found = new Set(), walk = document.createTreeWalker(
  document.getElementById("room"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement, size = parseFloat(getComputedStyle(node).fontSize);
    const seen = walk.currentNode.textContent.trim() && node.getClientRects().length && !node.closest(".sr, svg");
    if (seen && size && !node.closest("#result")) found.add(Math.round(2 * size) / 2);
  }
  return [...found].sort(); }"""


@pytest.mark.parametrize(("size", "most"), [("390x844", 4), ("360x640", 5), ("844x390", 4), ("1280x800", 5)])
def test_type_has_few_sizes_and_none_is_tiny(visit, shown, size, most):
    wide, high = map(int, size.split("x"))
    page = visit("start-dark", viewport={"width": wide, "height": high})
    names = [f"{game}-{when}-dark" for game in game_names() for when in ("early", "middle")] + ["hinted-dark"]
    found = {}
    for name in names:
        page.goto(f"{shown.address}/{name}.html")
        found[name] = page.evaluate(TYPE)
    assert {name: sizes for name, sizes in found.items() if len(sizes) > most or min(sizes) < 12} == {}


DARK_SIGNS = """() => { for (const id of ["bell", "sound"]) document.getElementById(id).hidden = false;
  return [...document.querySelectorAll("header.site :is(nav > a, nav > button, summary, .brand)")].filter((node) =>
    node.getClientRects().length && Math.min(...getComputedStyle(node).color.match(/\\d+/g).slice(0, 3)) < 180)
    .map((node) => node.id || node.textContent.trim()); }"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_on_its_side_what_lies_on_the_dark_felt_at_the_top_is_light(visit, theme):
    page = visit(f"hawthorn-middle-{theme}", viewport={"width": 844, "height": 390})
    assert page.evaluate(DARK_SIGNS) == []


def test_what_lies_beside_a_table_can_be_shut_and_stays_shut(visit):
    page = visit("hawthorn-middle-dark", viewport={"width": 1280, "height": 800})
    felt = page.locator("#felt").bounding_box()["width"]
    page.locator("#beside > summary").click()
    assert page.locator("#felt").bounding_box()["width"] > felt + 200
    page.reload()
    page.wait_for_function("() => !document.getElementById('beside').open")
    assert not page.locator("#news").is_visible() and page.locator("#beside > summary").is_visible()
    still = visit("hawthorn-middle-dark", java_script_enabled=False)
    assert still.locator("#log").is_visible() and not still.locator("#beside > summary").is_visible()


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
    assert not page.locator(f"#zone-row-{seat[-1]} .note").evaluate("node => node.matches(':not(.sr)')")


def _gone(match: Any, ply: int) -> Any:
    match.go(ply)
    return match


def _first(match: Any, ply: int) -> list[str]:
    """The First Player's seat at a ply, if there is one."""
    named: list[tuple[int | None, Text | None]] = [(zone.seat, zone.note) for zone in _gone(match, ply).view(0).zones]
    return [f"plate-{seat}" for seat, note in named if note and note.key == "First Player"]
