"""The four bands of a table: rivals, stage, what is mine, hand. Nothing lies over anything, nothing is cut."""

from typing import Any

import gallery
import pytest

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site

DARK = Site("en", "dark")
SIZES = ["2560x1440", "1920x1080", "1366x768", "1024x768", "768x1024", "880x620", "844x390", "390x844", "320x568"]
# boxes of what is seen: cards by all that lie in a row, words by their lines
BOXES = """const seen = (node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest(".sr")
    && getComputedStyle(node).clipPath === "none" && node.getBoundingClientRect().width > 1;
  const all = (which) => [...document.querySelectorAll(which)].filter(seen);
  const box = (node) => {
    const range = document.createRange(), inner = node.matches(".cards, #stage")
      ? [...node.querySelectorAll(".card, .many, .heap, .pot, .title")].filter(seen) : [];
    range.selectNodeContents(node);
    const boxes = inner.length ? inner.map((each) => each.getBoundingClientRect())
      : [(node.matches(".prompt") ? range : node).getBoundingClientRect()];
    return { left: Math.min(...boxes.map((b) => b.left)), right: Math.max(...boxes.map((b) => b.right)),
      top: Math.min(...boxes.map((b) => b.top)), bottom: Math.max(...boxes.map((b) => b.bottom)) };
  };
  const name = (node) => `${node.closest("[id]").id} ${node.className}`;"""
OVER = f"""() => {{ {BOXES}
  const room = document.getElementById("room").getBoundingClientRect(), found = [], boxes = all(`#room :is(.head, .who,
    .counts .counted, .zone > .cards, .zone > .title, .zone > .note, .grid, .heap, .prompt, .moves .button, .clock,
    .passed, .finale :is(.deciding, .winners, h2, p), .fates > li, #result)`)
    .filter((node) => !node.closest(".done .hand")).map((node) => [node, box(node)]);
  for (const [k, [one, a]] of boxes.entries()) {{
    if (a.left < -1 || a.right > innerWidth + 1 || a.top < room.top - 1 || a.bottom > room.bottom + 2)
      found.push(`${{name(one)}} is cut`);
    for (const [other, b] of boxes.slice(k + 1)) {{
      const together = one.contains(other) || (one.parentNode === other.parentNode && one.closest(".bare"));
      if (!together && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3)
        found.push(`${{name(one)}} over ${{name(other)}}`);
    }}
  }}
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls sideways");
  return found; }}"""
PLACES = f"""() => {{ {BOXES}
  const stage = box(all(".grid, #stage")[0]);
  const high = (which) => Math.max(0, ...all(which).map((node) => node.offsetHeight));
  const own = all("#held > .seat .zones .cards").map(box), cells = all(".cell").map((node) => node.offsetWidth);
  const type = all("#room *").filter((node) => [...node.childNodes].some((each) => each.nodeType === 3
    && each.textContent.trim())).map((node) => parseFloat(getComputedStyle(node).fontSize));
  return {{ centre: (stage.left + stage.right) / 2 / innerWidth, stage: high("#stage .card"), hand: high(".hand .card"),
    own: own.map((each) => [each.left / innerWidth, each.right / innerWidth]), cell: Math.min(...cells),
    least: Math.min(...type) }}; }}"""


@pytest.fixture
def tables(visit: Any, shown: Any) -> Any:
    """Opens a game's tables in a size, each with its name: few players, four, and the most."""

    def opened(
        game: str, size: str, when: tuple[str, ...] = ("middle", "late"), letters: int = 16, most: int = 99
    ) -> Any:
        wide, high = map(int, size.split("x"))
        page = visit("start-dark", viewport={"width": wide, "height": high})
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
        least, most = (min(most, count) for count in definition(game).rules.PLAYERS)
        for players in sorted({least, min(4, most), most}):
            match = gallery.played(game, players, 7)
            for state in when:
                if state == "over":
                    match.go(match.length)
                else:
                    gallery.turn(match, gallery.PLIES[state])
                name = shown.add(f"bands-{game}-{players}-{state}", table_page.table(gallery.table_of(match, DARK)))
                page.goto(f"{shown.address}/{name}.html")
                yield page, name

    return opened


@pytest.mark.usual
def test_a_table_on_a_desk_has_its_stage_in_the_centre_and_nothing_lies_over_anything(tables):
    for page, name in tables("cursed-hand", "1366x768", ("late",)):
        assert page.evaluate(OVER) == [], name
        assert page.evaluate(PLACES)["centre"] == pytest.approx(0.5, abs=0.02), name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", game_names())
def test_nothing_lies_over_anything_and_nothing_is_cut(tables, game, size):
    for page, name in tables(game, size):
        assert page.evaluate(OVER) == [], name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", game_names())
def test_at_the_end_nothing_covers_how_it_ended_for_each_seat(tables, game, size):
    for page, name in tables(game, size, ("over",)):
        assert page.evaluate(OVER) == [], name
        ends = page.locator(".fates > li").all_inner_texts()
        assert len(ends) == page.locator(".seat").count() and all(ends), name


@pytest.mark.parametrize("size", ["1920x1080", "1366x768", "768x1024", "390x844"])
@pytest.mark.parametrize("game", game_names())
def test_a_television_shows_how_a_match_ended_over_nothing_else(visit, shown, game, size):
    wide, high = map(int, size.split("x"))
    page = visit(f"{game}-tv-over-dark", viewport={"width": wide, "height": high})
    assert page.evaluate(OVER) == []
    match = gallery.played(game, definition(game).rules.PLAYERS[1], 7)
    match.go(match.length)
    name = shown.add(f"most-{game}-tv-over", table_page.television(gallery.on_screen(match, DARK)))
    page.goto(f"{shown.address}/{name}.html")
    assert page.evaluate(OVER) == []


@pytest.mark.parametrize("letters", [24, 32])
@pytest.mark.parametrize("size", ["1920x1080", "1366x768", "768x1024", "844x390", "390x844", "320x568"])
@pytest.mark.parametrize("game", game_names())
def test_so_it_is_with_letters_half_as_large_again_and_twice_as_large(tables, game, size, letters):
    for page, name in tables(game, size, ("middle", "late", "over"), letters=letters, most=4):
        assert page.evaluate(OVER) == [], name


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", game_names())
def test_the_stage_lies_in_the_centre_and_is_largest_and_what_is_mine_lies_over_the_hand(tables, game, size):
    for page, name in tables(game, size):
        found = page.evaluate(PLACES)
        assert found["centre"] == pytest.approx(0.5, abs=0.02), name
        assert all(left >= 0.195 and right <= 0.805 for left, right in found["own"]), name
        assert found["least"] >= 13 and (found["cell"] or 34) >= 34, name
        if size in {"1366x768", "1920x1080", "2560x1440"} and found["stage"] and definition(game).rules.PLAYERS[1] < 8:
            assert found["stage"] >= 1.15 * found["hand"], name


@pytest.mark.parametrize("game", game_names())
def test_a_pile_beside_the_stage_is_named_on_a_phone_on_its_side(tables, game):
    seen = 0
    for page, name in tables(game, "844x390"):
        piles = page.locator(".side .zone:visible:not(.bare)")
        assert all(pile.locator(".title").is_visible() for pile in piles.all()), name
        seen += piles.count()
    assert seen or game == "hawthorn"


@pytest.mark.parametrize("size", ["768x1024", "390x844", "320x568"])
def test_a_board_lies_still_when_the_match_ends(tables, size):
    at = "() => [...document.querySelectorAll('.grid')].map((node) => node.getBoundingClientRect().top)"
    found: dict[str, set[float]] = {}
    for page, name in tables("high-handed", size, ("late", "over"), most=4):
        found.setdefault(name.split("-")[-2], set()).add(*page.evaluate(at))
    assert found and all(len(tops) == 1 for tops in found.values())
