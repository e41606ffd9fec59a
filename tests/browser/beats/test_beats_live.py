"""Beats of real tables in a real browser: what is seen of a night, and moves that are made while one is shown."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

from tests.settings import much
from tests.web.serving import PATIENCE, Served

WATCH = """() => { window.seen = []; new MutationObserver(() => {
  const main = document.getElementById("table"), cards = document.querySelectorAll("#zone-tonight .card:not(.none)");
  const now = [main.dataset.version, main.matches(".telling"), main.dataset.cue ?? "", cards.length,
    document.querySelectorAll(".card.lit").length];
  if (JSON.stringify(seen.at(-1)) !== JSON.stringify(now)) seen.push(now);
}).observe(document.body, { subtree: true, childList: true, attributes: true }); }"""
AS_MADE_ANEW = """async () => {
  const html = await (await fetch(location.href)).text(), anew = new DOMParser().parseFromString(html, "text/html");
  const plain = (root) => {
    const table = root.getElementById("table").cloneNode(true);
    for (const said of table.querySelectorAll("#why, #hint, #turning, #clock")) said.remove();
    const found = [...table.querySelectorAll("*")].map((node) => [node.id, node.dataset.code, node.value, node.href]);
    return JSON.stringify([table.dataset.version, found, table.textContent.replace(/\\s+/g, " ")]);
  };
  const now = document.getElementById("table");
  if (now.matches(".telling") || now.dataset.version !== anew.getElementById("table").dataset.version) return null;
  return plain(document) === plain(anew);
}"""
SIT = """game => { const form = document.createElement("form");
  Object.assign(form, { method: "post", action: "/play" });
  form.innerHTML = `<input name="game" value="${game}"><input name="name" value="Anna">`;
  document.body.append(form); form.submit(); }"""


@pytest.fixture
def pages(browser: Any, site: Served) -> Iterator[list[Any]]:
    """Two pages of one person at a new table with bots, who likes it quick; an error on either fails the test."""
    context, wrong = browser.new_context(base_url=site.base), []
    first, second = context.new_page(), context.new_page()
    for page in (first, second):
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type in {"error", "warning"} else None)
    context.request.post("/settings", form={"pace": "quick"}, headers={"origin": site.base})
    first.goto("/about")
    first.evaluate(SIT, "wolf-mans-curse")
    first.wait_for_url("**/table/*")
    second.goto(first.url)
    for page in (first, second):
        page.evaluate(WATCH)
    yield [first, second]
    context.close()
    assert [line for line in wrong if "status of 4" not in line] == []


def plays(page: Any, dice: random.Random) -> bool:
    """A move once nothing is shown and there is one to make; returns whether the match goes on."""
    cards, chosen = page.locator("#table:not(.telling) .hand .legal"), False
    while not chosen:
        page.wait_for_selector("#table:not(.telling) :is(.hand .legal, #result)")
        if page.locator("#result").count():
            break
        version = page.locator("#table").get_attribute("data-version")
        with contextlib.suppress(
            TooLate
        ):  # what others do may take a card away, or begin to be told, under the pointer
            cards.nth(dice.randrange(cards.count() or 1)).click(timeout=2_000)
            page.wait_for_function("old => document.querySelector('#table').dataset.version !== old || "
                                   "document.querySelector('#table.telling')", arg=version, timeout=5_000)  # fmt: skip
            chosen = True
    return not page.locator("#result").count()


def test_a_match_is_told_night_by_night(pages: list[Any]) -> None:
    page, dice = pages[0], random.Random(1)
    for _ in range(much(2, 1000)):
        if not plays(page, dice):
            break
    seen = [tuple(each) for each in page.evaluate("seen")]
    named = [each for each in seen if each[2] == "growl"]
    assert named and all(cards == 4 and lit == 1 for _, _, _, cards, lit in named)
    told_to_the_end = [cue for _, telling, cue, _, _ in seen if telling and cue == "verdict"]
    assert told_to_the_end or not page.locator("#result").count()


def test_a_move_made_on_another_page_during_a_beat_ends_in_the_newest_view(pages: list[Any]) -> None:
    first, second = pages
    dice = random.Random(2)
    plays(first, dice)
    for _ in range(much(1, 4)):
        first.wait_for_selector("#table.telling")
        second.wait_for_selector("#table.telling")
        second.keyboard.press("Escape")
        second.wait_for_timeout(300)  # for which nothing can be hit
        if not plays(second, dice):
            break
    newest = """() => [document.querySelector("#table:not(.telling)")?.dataset.version,
        document.querySelectorAll("#log li").length]"""
    end = time.monotonic() + 10 * PATIENCE  # until which others may move, who are then waited for
    while (found := [page.evaluate(newest) for page in pages])[0] != found[1] or found[0][0] is None:
        assert time.monotonic() < end, found
        first.wait_for_timeout(50)


def test_a_page_put_together_from_parts_is_as_it_is_made_anew(pages: list[Any]) -> None:
    page, dice, compared = pages[0], random.Random(4), 0
    end = time.monotonic() + 10 * PATIENCE
    while compared < much(3, 40) and time.monotonic() < end and plays(page, dice):
        same = None
        while same is None and time.monotonic() < end:
            page.wait_for_timeout(100)
            same = page.evaluate(AS_MADE_ANEW)
        compared += 1
        assert same
    assert compared


def test_a_tap_during_a_beat_only_skips_it(pages: list[Any]) -> None:
    page, dice = pages[0], random.Random(3)
    posts: list[str] = []
    page.on("request", lambda request: posts.append(request.url) if request.url.endswith("/move") else None)
    plays(page, dice)
    page.wait_for_selector("#table.telling[data-cue=growl]")
    box = page.locator("#zone-hand-0 .card").first.bounding_box()
    page.mouse.click(box["x"] + 10, box["y"] + 10)
    assert page.locator("#table.telling[data-cue=growl]").count() == 0
    assert len(posts) == 1
