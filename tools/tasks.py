"""How long a slow phone's page is busy at once while it plays whole matches: figures, of this machine only.

    python tools/tasks.py [--games hawthorn …] [--size 390x844] [--most 200]

A person moves by chance at a table with bots, at the quick pace. Told is the longest task of the page: of loading it,
and of playing. The phone's processor is taken to be four times slower than this machine's, whose processor time is
measured (not the clock's: what else runs here doesn't count, as it does where the browser is slowed down). Exit is 1
when one of playing takes more than `--most` milliseconds.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from typing import Any, NamedTuple

import browser
from load import served
from usable import SLOWER

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.engine.discovery.finding import game_names

PIECE = 30  # moves tried while one trace is kept: a trace of a whole match would be too long
TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
PLAY = """dice => {  // a move chosen by chance, if there is one
  const main = document.querySelector("#table:not(.telling)"), boxes = [...main?.querySelectorAll(".pick input") ?? []];
  const open = [...main?.querySelectorAll(".hand .legal[name=move], .cell.open, .moves button[name=move]") ?? []];
  if (boxes.length > 1 && (!open.length || dice < 0.5)) {
    const first = Math.floor(dice * boxes.length);
    for (const box of [boxes[first], boxes[(first + 1) % boxes.length]]) if (!box.checked) box.click();
    document.getElementById("together")?.click();
  } else open[Math.floor(dice * open.length)]?.click();
}"""


class Found(NamedTuple):
    """The longest tasks of a match, in milliseconds of a slow phone's processor; whether it came to its end."""

    loading: float
    playing: float
    over: bool

    def line(self, game: str) -> str:
        """A line of figures."""
        cut = "" if self.over else "   (cut off before its end)"
        return f"{game:18} loading {self.loading:4.0f} ms   playing {self.playing:4.0f} ms{cut}"


class Traced:
    """The longest task of a page while something is done."""

    def __init__(self, chromium: Any, page: Any) -> None:
        self.chromium, self.page, self.longest = chromium, page, 0.0

    def __enter__(self) -> Traced:
        self.chromium.start_tracing(page=self.page, categories=TRACED)
        return self

    def __exit__(self, *_: object) -> None:
        events = json.loads(self.chromium.stop_tracing())["traceEvents"]
        pages = {(each["pid"], each["tid"]) for each in events if each["args"].get("name") == "CrRendererMain"}
        tasks = [each for each in events if each["name"] == "RunTask" and (each["pid"], each["tid"]) in pages]
        self.longest = max((each.get("tdur", 0) / 1000 * SLOWER for each in tasks), default=0)


def tasks_of(chromium: Any, base: str, game: str, size: str, seconds: float) -> Found:
    """The longest tasks of a match, which is cut off after so many seconds."""
    wide, high = map(int, size.split("x"))
    context = chromium.new_context(base_url=base, viewport={"width": wide, "height": high}, device_scale_factor=2)
    page, dice, end, playing = context.new_page(), random.Random(game), time.monotonic() + seconds, 0.0
    over = page.locator("#result")
    context.request.post("/settings", form={"pace": "quick"}, headers={"origin": base})
    headers = {"origin": base, "sec-fetch-site": "same-origin"}
    answer = context.request.post("/play", form={"game": game}, headers=headers, max_redirects=0)
    with Traced(chromium, page) as loading:
        page.goto(answer.headers["location"])
        page.wait_for_timeout(1500)
    while not over.count() and time.monotonic() < end:
        with Traced(chromium, page) as piece:
            for _ in range(PIECE):
                page.evaluate(PLAY, dice.random())
                page.wait_for_timeout(200)
                if over.count():
                    page.wait_for_timeout(3000)  # its sheet
                    break
        playing = max(playing, piece.longest)
    found = Found(loading.longest, playing, bool(over.count()))
    context.close()
    return found


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    parser.add_argument("--size", default="390x844", help="of the screen (default: 390x844)")
    parser.add_argument("--most", type=float, default=200, help="milliseconds that a task may take (default: 200)")
    parser.add_argument("--seconds", type=float, default=300, help="after which a match is cut off (default: 300)")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    longest = 0.0
    with served(pause=0.05) as ((port, _),), sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        for game in options.games:
            base = f"http://{THIS_COMPUTER}:{port}"
            found = tasks_of(chromium, base, game, options.size, options.seconds)
            print(found.line(game), flush=True)
            longest = max(longest, found.playing)
        chromium.close()
    return int(longest > options.most)


if __name__ == "__main__":
    sys.exit(main())
