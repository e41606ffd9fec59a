"""Lighthouse's figures of the start page and of tables where a match runs: of a server and a browser on this machine.

    python tools/lighthouse.py [--times 5] [--games hawthorn …] [--program lighthouse]

Lighthouse is a program of its own that this project doesn't bring: `npm install lighthouse` gets it, `--program` names
it. Told are medians: the four scores of its mobile profile, of 100 each, and the layout shift; then which audits that
count lost points in the first run.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, Request, build_opener

import browser
from load import served

from hexdeck.cli.command_line import THIS_COMPUTER
from hexdeck.engine.discovery.finding import game_names

CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
LIMIT = 180  # seconds for one run
SHIFT = "cumulative-layout-shift"


class Place(NamedTuple):
    """A page: its name here, its address, and the cookies of who looks."""

    name: str
    address: str
    cookies: str = ""


class Still(HTTPRedirectHandler):
    """Goes nowhere else by itself."""

    def redirect_request(self, *_given: Any) -> None:
        """Stay."""


def table(base: str, game: str) -> Place:
    """A fresh table with bots, where a match runs."""
    headers = {"origin": base, "sec-fetch-site": "same-origin"}
    try:
        build_opener(Still).open(Request(f"{base}/play", urlencode({"game": game}).encode(), headers))
    except HTTPError as answer:
        cookies = answer.headers.get_all("set-cookie") or []
        return Place(game, base + answer.headers["location"], "; ".join(each.split(";")[0] for each in cookies))
    raise SystemExit(f"{game}: no table was set")


def run(program: str, place: Place) -> dict[str, Any]:
    """What Lighthouse says of a page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "found.json"
        command = [
            program,
            place.address,
            "--quiet",
            "--output=json",
            f"--output-path={file}",
            f"--chrome-flags={' '.join(browser.FLAGS)}",
            f"--only-categories={','.join(CATEGORIES)}",
        ]
        if place.cookies:
            command.append(f"--extra-headers={json.dumps({'Cookie': place.cookies})}")
        environment = {**os.environ, "CHROME_PATH": browser.chromium()}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False)
        if not file.is_file():
            raise SystemExit(f"Lighthouse failed on {place.name}: {done.stderr[-500:]}")
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        return found


def told(place: Place, runs: list[dict[str, Any]]) -> str:
    """A line of figures, and a line for each audit that lost points."""
    scores = [statistics.median(100 * each["categories"][name]["score"] for each in runs) for name in CATEGORIES]
    shift = statistics.median(each["audits"][SHIFT]["numericValue"] for each in runs)
    cells = "  ".join(f"{name} {score:.0f}" for name, score in zip(CATEGORIES, scores, strict=True))
    lines = [f"{place.name:18} {cells}  shift {shift:.3f}"]
    for name in CATEGORIES:
        for each in runs[0]["categories"][name]["auditRefs"]:
            audit = runs[0]["audits"][each["id"]]
            if each["weight"] and audit["score"] is not None and audit["score"] < 1:
                lines.append(f"    {each['id']}: {100 * audit['score']:.0f}, {audit.get('displayValue', '')}")
    return "\n".join(lines)


def main() -> int:
    """Read the arguments, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--games", nargs="*", default=list(game_names()), metavar="GAME")
    parser.add_argument("--program", default="lighthouse")
    wanted = parser.parse_args()
    program = shutil.which(wanted.program)
    if not program or not browser.chromium():
        print(browser.WANTED if program else f"There is no {wanted.program} here: npm install lighthouse gets it.")
        return 2
    with served() as servers:
        base = f"http://{THIS_COMPUTER}:{servers[0][0]}"
        for place in (Place("start page", f"{base}/"), *(table(base, game) for game in wanted.games)):
            print(told(place, [run(program, place) for _ in range(wanted.times)]), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
