"""Strips of pictures of moments as they play in the browser: `python tools/strips.py FOLDER [--moments GAME:CUE …]`.

Looks through matches at random for a beat with that cue, shows the beats before it, and takes pictures of it at several
times; no server, no network. `GAME:CUE:PLACE` is one that lights a place which begins so, as `cursed-hand:flip:ghost`.
Pictures are named `GAME-CUE-SIZE-THEME.png`.
"""

from __future__ import annotations

import argparse
import io
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import browser
import gallery
from PIL import Image
from playwright.sync_api import sync_playwright

from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import BeatMaker, moments
from hexdeck.engine.view import Beat
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site

USUAL = (
    "cursed-hand:flip", "cursed-hand:flip:ghost", "cursed-hand:curse", "cursed-hand:good", "cursed-hand:bad",
    "hawthorn:flip", "hawthorn:bad", "hawthorn:chips", "hawthorn:good",
    "blackstone:place", "blackstone:bad", "blackstone:curse", "blackstone:chips", "blackstone:good",
    "black-hearts:pass", "black-hearts:upside-down", "black-hearts:early-bird", "black-hearts:little-one",
    "black-hearts:second", "black-hearts:mercy", "black-hearts:curse", "black-hearts:all-curses", "black-hearts:feast",
    "black-hearts:good", "black-hearts:bad", "black-hearts:forgiven",
    "high-handed:good", "high-handed:double", "high-handed:chips", "high-handed:lift", "high-handed:steal",
    "high-handed:accuse",
    "wolf-mans-curse:flip", "wolf-mans-curse:moon", "wolf-mans-curse:growl", "wolf-mans-curse:last-night",
    "wolf-mans-curse:torches", "wolf-mans-curse:rope", "wolf-mans-curse:bullet", "wolf-mans-curse:verdict",
    "wolf-mans-curse:feast",
)  # fmt: skip
# options without which a moment never comes
ALLOWED = {"high-handed:accuse": {"manual_draw": True, "uncle_bob_rule": True}}
TIMES = (0, 120, 260, 420, 640, 880)  # milliseconds of a beat
STREAM = """window.opened = []; window.begun = 0; window.EventSource = class extends EventTarget {
  constructor() { super(); opened.push(this); } close() {}
  say(type, data) { this.dispatchEvent(Object.assign(new Event(type), { data })); } };
const running = () => document.getAnimations().filter((each) => each.playState !== "finished");
document.addEventListener("beat", () => { begun += 1; });
document.addEventListener("beat", () => queueMicrotask(() => running().forEach((each) => each.pause())));"""
HOLD = (
    """t => { for (const each of document.getAnimations()) if (each.playState === "paused") each.currentTime = t; }"""
)


@dataclass(frozen=True)
class Found:
    """A moment: the page before it, its beats and the page after it, the index of the beat, and how long each holds."""

    before: str
    beats: str
    after: str
    at: int
    holds: tuple[int, ...]


def found(game: str, cue: str, site: Site, players: int | None, lit: str = "", seeds: int = 40) -> Found | None:
    """The first moment with a cue, and a light whose place begins so, in matches at random, as seat 0 sees it."""
    for seed in range(1, seeds):
        match = gallery.played(game, players, seed, **ALLOWED.get(f"{game}:{cue}", {}))
        match.go(match.length)
        for moment in moments(match):
            shown = BeatMaker(match.game, match.driver, [moment]).beats(0)
            at = next((k for k, beat in enumerate(shown) if beat.cue == cue and lights(beat, lit)), None)
            if at is not None:
                return placed(match, moment.ply, site, shown, at)
    return None


def lights(beat: Beat, place: str) -> bool:
    """Whether a place that begins so has the light; any beat does where no place is asked for."""
    return not place or any(each.startswith(place) for each in beat.light)


def placed(match: Match, ply: int, site: Site, shown: Any, at: int) -> Found:
    """A moment of a match as pages."""
    match.go(ply)
    before = replace(gallery.table_of(match, site), clock=None)
    match.go(ply + 1)
    after = replace(gallery.table_of(match, site), clock=None)
    steps = table_page.steps(after, shown, before.version)
    match.go(match.length)
    holds = tuple(beat.hold for beat in shown)
    return Found(table_page.table(before), steps, table_page.table_main(after), at, holds)


def frames(page: Any, address: str, moment: Found, times: tuple[int, ...]) -> Iterator[Image.Image]:
    """Pictures of a beat at several times."""
    page.goto(address)
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    page.evaluate("data => opened[0].say('beats', data)", moment.beats)
    page.evaluate("data => opened[0].say('table', data)", moment.after)
    for k, hold in enumerate(moment.holds[: moment.at]):
        wait_for_beat(page, k)
        page.evaluate("document.getAnimations().forEach((each) => each.finish())")
        page.clock.run_for(hold)
    wait_for_beat(page, moment.at)
    for time in (each for each in times if each <= moment.holds[moment.at]):
        page.evaluate(HOLD, time)
        yield Image.open(io.BytesIO(page.screenshot()))


def wait_for_beat(page: Any, at: int) -> None:
    """Wait until that beat has begun."""
    while page.evaluate("begun") <= at:
        page.wait_for_timeout(20)


def strip(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side."""
    wide, high = sum(each.width + 6 for each in pictures), pictures[0].height
    whole, x = Image.new("RGB", (wide, high), "#888"), 0
    for each in pictures:
        whole.paste(each, (x, 0))
        x += each.width + 6
    return whole


def main() -> None:
    """Make the strips."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--moments", nargs="+", default=list(USUAL))
    parser.add_argument("--players", type=int)
    parser.add_argument("--sizes", nargs="+", default=["390x844", "844x390", "1280x800"])
    parser.add_argument("--themes", nargs="+", default=["dark", "light"])
    parser.add_argument("--times", nargs="+", type=int, default=list(TIMES))
    options = parser.parse_args()
    gallery.written(options.folder, argparse.Namespace(games=[], players=None, seed=7, lang="en"))
    server = gallery.serve(options.folder)
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        for name in options.moments:
            photographed(chrome, server.server_port, name, options)
        chrome.close()
    server.shutdown()
    server.server_close()


def photographed(chrome: Any, port: int, name: str, options: argparse.Namespace) -> None:
    """Strips of a moment, in every size and theme."""
    game, cue, lit, *_ = [*name.split(":"), ""]
    title = name.replace(":", "-")
    for theme in options.themes:
        moment = found(game, cue, Site("en", theme), options.players, lit)
        if moment is None:
            print(f"{name}: not found")
            return
        (options.folder / f"{title}-{theme}.html").write_text(moment.before, encoding="utf-8")
        for size in options.sizes:
            wide, high = map(int, size.split("x"))
            page = chrome.new_page(viewport={"width": wide, "height": high})
            page.add_init_script(STREAM)
            page.clock.install()
            wrong: list[str] = []
            page.on("pageerror", lambda error, wrong=wrong: wrong.append(str(error)))
            pictures = [*frames(page, f"http://localhost:{port}/{title}-{theme}.html", moment, tuple(options.times))]
            strip(pictures).save(options.folder / f"{title}-{size}-{theme}.png")
            page.close()
            print(f"{name} {size} {theme}: {len(pictures)} pictures {' '.join(wrong)}")


if __name__ == "__main__":
    main()
