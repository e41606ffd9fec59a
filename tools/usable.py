"""How soon a page can be used on a slow phone: figures, of a server and a browser on this machine only.

    python tools/usable.py [--times 5] [--games hawthorn …]

The phone is one of 360 by 640 points whose network answers after 150 ms and brings 1.6 Mbit/s, and whose processor is
four times slower than this machine's. A table is usable when its cards are drawn and its script has opened the stream;
it works by forms before that. Told are milliseconds from the click, medians, and the bytes that were sent: with an
empty cache, and with one that has seen the first page.
"""

from __future__ import annotations

import argparse
import statistics
from typing import Any, NamedTuple

import browser
from load import served

from hexdeck.cli.serve import THIS_COMPUTER
from hexdeck.engine.game import game_names

SLOWER = 4
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


def told(name: str, visits: list[Visit]) -> str:
    """A line of figures."""
    drawn, usable, sent = (statistics.median(each) for each in zip(*visits, strict=True))
    return f"{name:32} drawn {drawn:5.0f} ms   usable {usable:5.0f} ms   {sent / 1000:6.1f} kB sent"


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5, help="how often each page is opened (default: 5)")
    parser.add_argument("--games", nargs="+", default=list(game_names()), choices=game_names())
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with served() as (port, _), sync_playwright() as driver:
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
            print(told(name, found[name]))
        chromium.close()


if __name__ == "__main__":
    main()
