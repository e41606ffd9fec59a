"""Beats of real tables in a real browser: what is seen of a night, and whether a page keeps up with its table."""

import contextlib
import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

from tests.web.serving import Served

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
def page(browser: Any, site: Served) -> Iterator[Any]:
    """A page of somebody at a new table with bots, who likes it quick; an error on it fails the test."""
    context, wrong = browser.new_context(base_url=site.base), []
    page = context.new_page()
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda line: wrong.append(line.text) if line.type in {"error", "warning"} else None)
    context.request.post("/settings", form={"pace": "quick"}, headers={"origin": site.base})
    page.goto("/about")
    page.evaluate(SIT, "wolf-mans-curse")
    page.wait_for_url("**/table/*")
    page.evaluate(WATCH)
    yield page
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
            page.wait_for_function(
                "old => document.querySelector('#table').dataset.version !== old || "
                "document.querySelector('#table.telling')",
                arg=version,
                timeout=5_000,
            )
            chosen = True
    return not page.locator("#result").count()


def test_a_match_is_told_night_by_night(page: Any) -> None:
    dice = random.Random(1)
    while plays(page, dice):
        pass
    seen = [tuple(each) for each in page.evaluate("seen")]
    named = [each for each in seen if each[2] == "growl"]
    assert named and all(cards == 4 and lit == 1 for _, _, _, cards, lit in named)
    told_to_the_end = [cue for _, telling, cue, _, _ in seen if telling and cue == "verdict"]
    assert told_to_the_end


def test_a_page_put_together_from_parts_is_as_it_is_made_anew(page: Any) -> None:
    dice, compared = random.Random(4), 0
    while compared < 20 and plays(page, dice):
        while (same := page.evaluate(AS_MADE_ANEW)) is None:
            page.wait_for_timeout(50)
        compared += 1
        assert same
    assert compared
