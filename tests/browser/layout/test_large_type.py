"""Letters as large as somebody has set them in the browser, on a small phone: all is there, and nothing is cut."""

import pytest

from hexdeck.engine.discovery.finding import game_names

OUTSIDE = """() => [...document.querySelectorAll("body *")].filter((node) => {
  const { right, width } = node.getBoundingClientRect();
  return right > innerWidth + 1 && width > 1 && getComputedStyle(node).clipPath === "none";
}).map((node) => node.outerHTML.slice(0, 90))"""
HIDDEN = """() => [...document.querySelectorAll(".legal, .cell.open, .moves button, .pick")].filter((move) => {
  if (!move.checkVisibility()) return false;
  move.scrollIntoView({ block: "center" });
  const { left, right, top, height } = move.getBoundingClientRect();
  return ![.25, .5, .75].some((part) => {
    const hit = document.elementFromPoint((left + Math.min(right, left + 16)) / 2, top + part * height);
    return hit && (move.contains(hit) || (hit.closest("label") ?? 0) === move.closest("label"));
  });
}).map((move) => move.outerHTML.slice(0, 90))"""


@pytest.fixture
def small(visit):
    def opened(letters):
        page = visit("start-dark", viewport={"width": 320, "height": 568})
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": letters}})
        return page

    return opened


@pytest.mark.usual
@pytest.mark.parametrize("letters", [24, *(pytest.param(size, marks=pytest.mark.long) for size in (20, 32))])
def test_no_page_is_pushed_sideways_and_every_move_can_be_reached(small, shown, letters):
    page = small(letters)
    for name in ("start-dark", "cursed-hand-middle-dark"):
        page.goto(f"{shown.address}/{name}.html")
        assert page.evaluate("() => parseFloat(getComputedStyle(document.documentElement).fontSize)") == letters
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320, (name, page.evaluate(OUTSIDE))
        assert page.evaluate(HIDDEN) == [], name


@pytest.mark.parametrize("letters", [20, 24, 32])
def test_so_it_is_on_all_pages(small, shown, letters):
    page, wide, hidden = small(letters), {}, {}
    for name in (name for name in shown.names if name.endswith("-dark")):
        page.goto(f"{shown.address}/{name}.html")
        if page.evaluate("() => document.documentElement.scrollWidth") > 320:
            wide[name] = page.evaluate(OUTSIDE)
        if name.startswith(tuple(game_names())):
            hidden[name] = page.evaluate(HIDDEN)
    assert wide == {}
    assert not any(hidden.values()), hidden
