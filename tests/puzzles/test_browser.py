"""The pages of puzzles in a real browser: axe finds nothing, nothing is wider than a phone, a card is an answer."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest

from hexdeck.puzzles import DAYS, shipped
from hexdeck.tables.daily import date_at
from tests.settings import much
from tests.web.serving import Served, file_in, served
from tests.web.test_puzzles import one_page

WIDTHS = 360, 1200


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(file_in(Path(tmp_path_factory.mktemp("site")))) as server:
        yield server


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context()
    opened = context.new_page()
    opened.errors = []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.on("console", lambda said: opened.errors.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()


def one_of_each(site: Served) -> dict[str, str]:
    today, pool = date_at(site.state.registry.clock()), site.app.state.puzzles.pool
    days = [today - timedelta(k) for k in range(DAYS)]
    return {puzzle.game: f"/puzzles/{day}/{k}" for day in days for k, puzzle in enumerate(pool.of_day(day), 1)}


def check(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate((Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    page.locator("details").evaluate_all("all => all.forEach((node) => { node.open = true })")
    found = page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
    assert [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def answered(page: Any) -> None:
    """Choose the first move that the page has: a card or cell that is one, or a button."""
    page.locator("#table [name=move]:visible").first.click()
    page.locator("#why").wait_for()


APART = """() => {
  const box = (node) => node.getBoundingClientRect(), note = box(document.querySelector(".hand .title small"))
  return [...document.querySelectorAll(".held .card")].map(box).every((card) => card.right <= note.left ||
    card.left >= note.right || card.bottom <= note.top || card.top >= note.bottom) }"""


def test_what_is_noted_of_a_hand_covers_no_card_on_a_phone(site: Served, page: Any) -> None:
    page.set_viewport_size({"width": WIDTHS[0], "height": 640})
    page.goto(f"{site.base}/puzzles")
    looked = 0
    for puzzle in shipped("black-hearts").puzzles:
        page.set_content(one_page(puzzle, "nl"), wait_until="load")
        if page.locator(".hand .title small").count():
            assert page.evaluate(APART), puzzle.key
            looked += 1
    assert looked > 2 and page.errors == []


@pytest.mark.usual
@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_axe_finds_nothing_before_and_after_an_answer(site: Served, page: Any, theme: str) -> None:
    page.emulate_media(color_scheme=theme)
    most = much(1, 6)
    for k, path in enumerate([*one_of_each(site).values()][:most]):
        page.goto(f"{site.base}{path}")
        check(page, WIDTHS[k % 2])
        answered(page)
        check(page, WIDTHS[0])
    page.goto(f"{site.base}/puzzles")
    check(page, WIDTHS[0])
    assert page.errors == []
    assert "You have solved" in page.locator("#solved").inner_text()
    page.locator("#forget").click()
    page.wait_for_url("**/puzzles")
    assert page.locator("#solved").count() == 0
