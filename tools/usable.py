"""How soon a page can be used on a slow phone: figures, of a server and a browser on this machine only.

    python tools/usable.py [--times 5] [--games hawthorn …] [--moves 0]

The phone is one of 360 by 640 points whose network answers after 150 ms and brings 1.6 Mbit/s, and whose processor is
four times slower than this machine's. A table is usable when its cards are drawn and its script has opened the stream;
it works by forms before that. Told are milliseconds from the click, medians, and the bytes that were sent: with an
empty cache, and with one that has seen the first page.

With `--moves N` two ordinary browsers play so many moves at one table, and told is how long after the click the other
one's page shows the move.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from typing import Any, NamedTuple

import browser
from load import served

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names

SLOWER = 4
PATIENCE = 60  # seconds for the moves of a game
NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
DRAWN = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


class Visit(NamedTuple):
    """A page that was opened: when it was drawn and could be used, in milliseconds; what was sent."""

    drawn: float
    usable: float
    sent: float


class Phone:
    """A slow phone with an empty cache."""

    def __init__(self, chromium: Any, base: str) -> None:
        self.context = chromium.new_context(
            base_url=base, viewport={"width": 360, "height": 640}, device_scale_factor=2, has_touch=True
        )
        self.page = self.context.new_page()
        self.streams: list[float] = []
        self.bytes: list[float] = []
        self.page.on("request", self._asked)
        wire = self.context.new_cdp_session(self.page)
        wire.send("Network.enable")
        wire.send("Network.emulateNetworkConditions", NETWORK)
        wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        wire.on("Network.loadingFinished", lambda each: self.bytes.append(each["encodedDataLength"]))

    def _asked(self, request: Any) -> None:
        if request.url.endswith("/stream"):
            self.streams.append(self.page.evaluate("performance.now()"))

    def table(self, game: str) -> str:
        """The address of a fresh table, which this phone has not seen yet."""
        headers = {"origin": self.page.url or "", "sec-fetch-site": "same-origin"}
        answer = self.context.request.post("/play", form={"game": game}, headers=headers, max_redirects=0)
        return str(answer.headers["location"])

    def visit(self, address: str, live: bool) -> Visit:
        """Open a page and wait until it can be used."""
        self.streams.clear()
        self.bytes.clear()
        self.page.goto(address, wait_until="load")
        while live and not self.streams:
            self.page.wait_for_timeout(10)
        drawn = self.page.evaluate(DRAWN)
        opened = self.page.evaluate(
            "performance.getEntriesByType('resource').find((each) => each.name.endsWith('.js'))?.responseEnd ?? 0"
        )
        self.page.wait_for_timeout(300)
        ready = self.streams[0] if self.streams else opened
        return Visit(drawn, max(drawn, ready), sum(self.bytes))

    def close(self) -> None:
        """Put it away."""
        self.context.close()


MOVES = ".hand .legal[name=move], .cell.open, .moves button[name=move]"
NOW = "performance.timeOrigin + performance.now()"
WATCH = f"""() => {{
  addEventListener("submit", () => {{ window.sent = {NOW}; }}, true);
  const shown = () => {{ window.shown = {NOW}; }}, table = document.getElementById("table");
  new MutationObserver(shown).observe(table, {{ attributes: true, attributeFilter: ["data-version"] }});
}}"""


def two_seats(chromium: Any, base: str, game: str) -> list[Any]:
    """Two people at a table, for as few as can play: their pages."""
    contexts = [chromium.new_context(base_url=base) for _ in range(2)]
    fewest = definition(game).rules.PLAYERS[0]
    bots = {f"seat-{number}": "bot:random" for number in range(2, fewest)}
    form = {"game": game, "players": str(fewest), "seat-1": "open", **bots}
    ask = {"headers": {"sec-fetch-site": "same-origin", "origin": base}, "max_redirects": 0}
    answer = contexts[0].request.post("/tables", form=form, **ask)
    address = answer.headers["location"]
    link = re.search(r"/join/[\w.-]+", contexts[0].request.get(f"{address}/invite").text())
    contexts[1].request.post(link[0] if link else "", form={}, **ask)
    pages = [context.new_page() for context in contexts]
    for page in pages:
        page.goto(address)
        page.wait_for_selector(".mine")
        page.evaluate(WATCH)
    return pages


def until_shown(chromium: Any, base: str, game: str, count: int) -> list[float]:
    """How many milliseconds after a click the other page shows the move, for so many moves."""
    pages, found, end = two_seats(chromium, base, game), list[float](), time.monotonic() + PATIENCE
    while len(found) < count and time.monotonic() < end and not pages[0].locator("#result").count():
        acting = next((page for page in pages if page.locator(MOVES).count()), None)
        if acting is None:
            pages[0].wait_for_timeout(20)
            continue
        other = pages[1 - pages.index(acting)]
        other.wait_for_timeout(400)  # until cards lie still
        other.evaluate("window.shown = 0")
        acting.locator(MOVES).first.evaluate("(node) => node.click()")
        other.wait_for_timeout(800)
        if shown := other.evaluate("window.shown"):  # a secret choice shows nowhere else
            found.append(shown - acting.evaluate("window.sent"))
    for page in pages:
        page.context.close()
    return found


def figures(name: str, visits: list[Visit]) -> str:
    """A line of figures."""
    drawn, usable, sent = (statistics.median(each) for each in zip(*visits, strict=True))
    return f"{name:32} drawn {drawn:5.0f} ms   usable {usable:5.0f} ms   {sent / 1000:6.1f} kB sent"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how often each page is opened (default: 5)")
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    parser.add_argument("--moves", type=int, default=0, help="moves after which another's page is watched, per game")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with served(pause=0.0) as ((port, _),), sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        found: dict[str, list[Visit]] = {}
        for _ in range(options.times):
            for game in options.games:
                for seen in (False, True):
                    phone = Phone(chromium, f"http://{THIS_COMPUTER}:{port}")
                    if seen:
                        found.setdefault("the first page", []).append(phone.visit("/", live=False))
                    name = f"{game}, {'after the first page' if seen else 'nothing cached'}"
                    found.setdefault(name, []).append(phone.visit(phone.table(game), live=True))
                    phone.close()
        for name in sorted(found, key=lambda name: (not name.startswith("the"), name)):
            print(figures(name, found[name]))
        chromium.close()
    if not options.moves:
        return
    with (
        served(pause=0.0) as ((port, _),),
        sync_playwright() as driver,
    ):  # a new one: tables that one asks for are counted
        chromium = driver.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        for game in options.games:
            times = sorted(until_shown(chromium, f"http://{THIS_COMPUTER}:{port}", game, options.moves))
            told = (
                f"{statistics.median(times):.0f} ms (median of {len(times)}; {times[0]:.0f} to {times[-1]:.0f})"
                if times
                else "nothing"
            )
            print(f"{game}: another's page shows a move after {told}", flush=True)
        chromium.close()


if __name__ == "__main__":
    main()
