"""The table keeps still: on it all moves by animations alone, and nothing else jumps in a match, nor when it ends."""

from __future__ import annotations

import random
from typing import Any

import pytest

from hexdeck.engine.discovery.finding import game_names
from tests.browser.beats.test_beats_live import SIT
from tests.web.serving import Served

SIZES = {"narrow": (360, 640), "upright": (390, 844), "sideways": (844, 390), "desk": (1280, 800)}
WATCH = """() => {
  window.shifts = [];
  const late = (each) => !window.asked && each.startTime - (window.played ?? -1e9) > 500;
  const version = () => document.getElementById("table").dataset.version;
  new MutationObserver(() => { // one's own move counts as made when it is answered, however long that takes
    if (window.asked && asked !== version()) { asked = ""; played = performance.now(); }
  }).observe(document.body, { subtree: true, attributeFilter: ["data-version"] });
  new PerformanceObserver((list) => { for (const each of list.getEntries().filter(late)) shifts.push([
    each.startTime, each.value,
    each.sources.map(({ node, previousRect: a, currentRect: b }) => [node?.id || node?.parentNode?.id ||
      (node?.className ?? node?.parentNode?.className) || node?.nodeName,
      [a.x, a.y, a.width, a.height, b.x, b.y, b.width, b.height].map(Math.round).join(" ")])]);
  }).observe({ type: "layout-shift", buffered: true });
}"""
PLAY = """dice => {  // a move chosen by chance, if there is one, without a pointer: what is tried again scrolls
  const main = document.querySelector("#table:not(.telling)"), boxes = [...main?.querySelectorAll(".pick input") ?? []];
  const chosen = (node) => { window.asked = main.dataset.version; node?.click(); };
  const offered = [...main?.querySelectorAll(".hand .legal[name=move], .cell.open, .moves button[name=move]") ?? []];
  if (boxes.length > 1 && (!offered.length || dice < 0.5)) {
    const first = Math.floor(dice * boxes.length);
    for (const box of [boxes[first], boxes[(first + 1) % boxes.length]]) if (!box.checked) box.click();
    chosen(document.getElementById("together"));
  } else if (offered.length) chosen(offered[Math.floor(dice * offered.length)]);
}"""
FOUND = "() => shifts"
LARGEST = 0.05  # of what jumps at once
TOGETHER = 0.1  # in a window, as the web vital has it: how much falls into one depends on how busy the machine is
RISEN = """() => getComputedStyle(document.getElementById("result")).visibility === "visible" &&
  document.getElementById("result").getAnimations().every((each) => each.playState === "finished") &&
  document.getElementById("turning")?.matches("[data-done], :not(:empty)") !== false"""  # it stands on the sheet


def windows(shifts: list[Any]) -> list[tuple[float, list[Any]]]:
    """Session windows, each with its sum: shifts less than 1 s apart, 5 s at most, as the web vital has them.

    What shifts within half a second of one's own move isn't counted (`WATCH`).
    """
    out: list[list[Any]] = []
    for shift in shifts:
        near = out and shift[0] - out[-1][-1][0] < 1000 and shift[0] - out[-1][0][0] < 5000
        out[-1].append(shift) if near else out.append([shift])
    return [(sum(shift[1] for shift in each), each) for each in out]


ALL = [(game, [*SIZES][k % len(SIZES)]) for k, game in enumerate(game_names())]  # every game, every size


@pytest.mark.parametrize(("game", "size"), ALL)
def test_nothing_jumps_during_a_match(browser: Any, site: Served, game: str, size: str) -> None:
    wide, high = SIZES[size]
    context = browser.new_context(base_url=site.base, viewport={"width": wide, "height": high})
    page, dice = context.new_page(), random.Random(game)
    context.request.post("/settings", form={"pace": "quick"}, headers={"origin": site.base})
    page.goto("/about")
    page.evaluate(SIT, game)
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#felt")
    page.evaluate(WATCH)
    while not page.locator("#result").count():
        page.evaluate(PLAY, dice.random())
        page.wait_for_timeout(150)
    page.wait_for_function(RISEN)
    found = windows(page.evaluate(FOUND))
    context.close()
    worst = max(found, key=lambda each: each[0], default=(0, []))
    print(f"{game} {size}: largest {worst[0]:.4f} of {len(found)} windows")
    jump = max((each[1] for _sum, window in found for each in window), default=0)
    assert jump <= LARGEST and worst[0] <= TOGETHER, [(round(each[1], 4), each[2]) for each in worst[1]]


SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200 * 1024, "uploadThroughput": 100 * 1024}


def test_a_table_comes_in_one_piece_on_a_slow_phone(browser: Any, site: Served) -> None:
    wide, high = SIZES["upright"]
    context = browser.new_context(base_url=site.base, viewport={"width": wide, "height": high})
    page = context.new_page()
    page.goto("/about")
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 11})
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    page.evaluate(SIT, "wolf-mans-curse")
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#felt")
    page.evaluate(WATCH)
    page.wait_for_function(
        "() => [...document.images].every((each) => each.complete) && document.fonts.status === 'loaded'"
    )
    page.wait_for_load_state("load")
    found = windows(page.evaluate(FOUND))
    context.close()
    assert sum(each[0] for each in found) < LARGEST / 5, found
