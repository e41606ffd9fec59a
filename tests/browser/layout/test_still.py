"""The table keeps still: on it all moves by animations alone, and nothing else jumps in a match, nor when it ends."""

from itertools import groupby
from operator import itemgetter
from typing import Any

import pytest

from hexdeck.engine.discovery.finding import game_names
from tests.browser.beats.test_beats_live import SIT
from tests.web.serving import Served

SIZES = {"narrow": (360, 640), "upright": (390, 844), "sideways": (844, 390), "desk": (1280, 800)}
WATCH = """() => { // times only say what came first: nothing depends on how long anything takes
  const asked = window.fetch; // what is one's own begins as a move is sent, and ends as it is seen or refused
  Object.assign(window, { shifts: [], own: [], steps: [], version: null, fetch: async (address, options) => {
    const mine = [performance.now(), Infinity];
    if (options?.method === "POST") own.push(mine);
    const answer = await asked(address, options);
    if (!answer.ok) mine[1] = performance.now();
    return answer;
  } });
  new MutationObserver(() => {
    const { dataset } = document.getElementById("table"), mine = own.filter((each) => each[1] === Infinity);
    if (dataset.version === version) return;
    version = dataset.version;
    steps.push(performance.now());
    requestAnimationFrame(() => requestAnimationFrame((now) => { for (const each of mine) each[1] = now; }));
  }).observe(document.body, { subtree: true, attributeFilter: ["data-version"] });
  document.addEventListener("beat", () => steps.push(performance.now()));
  // as the browser weighs it: how much of the window moves, and how far; slots paint nothing, cards fly by themselves
  const weighed = (sources) => {
    const boxes = sources.filter(({ node }) => !node?.matches?.(".slot")).map(({ previousRect: a, currentRect: b }) => [
      (Math.max(a.right, b.right) - Math.min(a.x, b.x)) * (Math.max(a.bottom, b.bottom) - Math.min(a.y, b.y)),
      Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))]);
    return boxes.reduce((sum, [area]) => sum + area, 0) / innerWidth / innerHeight *
      Math.max(0, ...boxes.map(([, far]) => far)) / Math.max(innerWidth, innerHeight);
  };
  new PerformanceObserver((list) => { for (const each of list.getEntries()) shifts.push([
    each.startTime, Math.min(each.value, weighed(each.sources)),
    each.sources.map(({ node, previousRect: a, currentRect: b }) => [node?.id || node?.parentNode?.id ||
      (node?.className ?? node?.parentNode?.className) || node?.nodeName,
      [a.x, a.y, a.width, a.height, b.x, b.y, b.width, b.height].map(Math.round).join(" ")])]);
  }).observe({ type: "layout-shift", buffered: true });
}"""
PLAY = """() => {  // a move, if there is one, by the table's version; without a pointer: what is tried again scrolls
  if (own.some(([, seen]) => seen === Infinity)) return;
  const dice = Math.abs(1e4 * Math.sin(document.getElementById("table").dataset.version)) % 1;
  const main = document.querySelector("#table:not(.telling)"), boxes = [...main?.querySelectorAll(".pick input") ?? []];
  const offered = [...main?.querySelectorAll(".hand .legal[name=move], .cell.open, .moves button[name=move]") ?? []];
  if (boxes.length > 1 && (!offered.length || dice < 0.5)) {
    const first = Math.floor(dice * boxes.length);
    for (const box of [boxes[first], boxes[(first + 1) % boxes.length]]) if (!box.checked) box.click();
    document.getElementById("together").click();
  } else offered[Math.floor(dice * offered.length)]?.click();
}"""
FOUND = """() => shifts
  .filter(([at]) => !own.some(([asked, seen]) => asked <= at && at <= seen))
  .map(([at, ...rest]) => [steps.findLast((since) => since <= at), ...rest])"""
LARGEST = 0.05  # of what jumps at once
TOGETHER = 0.1  # while one step is told, or one version of the table shown
RISEN = """() => getComputedStyle(document.getElementById("result")).visibility === "visible" &&
  document.getElementById("result").getAnimations().every((each) => each.playState === "finished") &&
  document.getElementById("turning")?.matches("[data-done], :not(:empty)") !== false"""  # it stands on the sheet


def together(shifts: list[Any]) -> list[tuple[float, list[Any]]]:
    """What shifts while one step is seen, with its sum; but for what one's own move does at once."""
    grouped = [[*each] for _step, each in groupby(shifts, itemgetter(0))]
    return [(sum(shift[1] for shift in each), each) for each in grouped]


ALL = [(game, [*SIZES][k % len(SIZES)]) for k, game in enumerate(game_names())]  # every game, every size


@pytest.mark.parametrize(("game", "size"), ALL)
def test_nothing_jumps_during_a_match(browser: Any, site: Served, game: str, size: str) -> None:
    wide, high = SIZES[size]
    context = browser.new_context(base_url=site.base, viewport={"width": wide, "height": high})
    page = context.new_page()
    context.request.post("/settings", form={"pace": "quick"}, headers={"origin": site.base})
    page.goto("/about")
    page.evaluate(SIT, game)
    page.wait_for_url("**/table/*")
    page.wait_for_selector("#felt")
    page.evaluate(WATCH)
    while not page.locator("#result").count():
        page.evaluate(PLAY)
        page.wait_for_timeout(150)
    page.wait_for_function(RISEN)
    found = together(page.evaluate(FOUND))
    context.close()
    worst = max(found, key=lambda each: each[0], default=(0, []))
    print(f"{game} {size}: largest {worst[0]:.4f} of {len(found)} steps")
    jump = max((each[1] for _sum, shifts in found for each in shifts), default=0)
    assert jump <= LARGEST and worst[0] <= TOGETHER, [(round(each[1], 4), each[2]) for each in worst[1]]


SLOW = {"offline": False, "latency": 150, "downloadThroughput": 200 * 1024, "uploadThroughput": 100 * 1024}


def test_a_table_comes_in_one_piece_on_a_slow_phone(browser: Any, site: Served) -> None:
    wide, high = SIZES["upright"]
    context = browser.new_context(base_url=site.base, viewport={"width": wide, "height": high})
    page = context.new_page()
    page.goto("/")
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
    found = together(page.evaluate(FOUND))
    context.close()
    assert sum(each[0] for each in found) < LARGEST / 2, found
