"""The pictures of the README and of docs/, made from the program itself: `make pictures`.

    python tools/pictures.py [FOLDER] [--only NAME …]

A table in the browser and at the terminal, the posters, a moment of each game as it moves, the first page of a report.
`contents.json` beside them says what stands on each: size, elements and text. Nothing is asked of the network.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import browser
import gallery
import strips
from PIL import Image
from playwright.sync_api import sync_playwright
from rich.console import Console

import hexdeck
from hexdeck.cli import main as run_command
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names, game_words
from hexdeck.terminal.app import TableApp
from hexdeck.terminal.display import Chair
from hexdeck.terminal.drawing import DARK
from hexdeck.terminal.session import ScreenSession
from hexdeck.terminal.typed_moves import with_keys
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site

FOLDER = Path(__file__).parents[1] / "docs" / "pictures"
SITE = Site("en", "dark")
MOMENTS = {  # each game's best: its cue
    "cursed-hand": "curse",
    "hawthorn": "bad",
    "blackstone": "curse",
    "black-hearts": "curse",
    "high-handed": "chips",
    "wolf-mans-curse": "torches",
}
TABLE = "wolf-mans-curse", 0.62  # the game on the large picture, and how far it is
WIDE, MOVING, POSTER = (1200, 750), (880, 620), (320, 180)
TERMINAL, TERMINAL_MOVES = "cursed-hand", 1  # the game there, and the moves that are made first
LONGEST = 2000  # times that a bot is waited for
EVERY, LINGER = 60, 1400  # milliseconds between the frames of a moving picture, and at its end
REPORT = "--games", "20000", "--sample", "40", "--seed", "1", "--threads", "1"
FIRST_PAGE = (1000, 1160)
SEEN = """() => {
  const inside = (node) => { const box = node.getBoundingClientRect();
    return box.width && box.height && box.top < innerHeight && box.bottom > 0 && node.checkVisibility(); };
  const words = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.data.trim() && inside(walk.currentNode.parentElement))
    words.push(walk.currentNode.data.trim().replace(/\\s+/g, " "));
  return { elements: [...document.body.querySelectorAll("[id]")].filter(inside).map((node) => node.id), text: words };
}"""
Contents = dict[str, Any]
Made = tuple[list[Image.Image], Contents]


# --- what is on the pictures --------------------------------------------------------------------------------------
class Studio:
    """A browser before a folder of pages."""

    def __init__(self, chrome: Any, folder: Path, port: int) -> None:
        self.chrome, self.folder, self.port = chrome, folder, port

    @contextlib.contextmanager
    def page(self, name: str, html: str, size: tuple[int, int]) -> Iterator[Any]:
        """A window of a size, and a page to be opened in it; its streams are silent."""
        (self.folder / f"{name}.html").write_text(html, encoding="utf-8")
        page = self.chrome.new_page(viewport={"width": size[0], "height": size[1]})
        page.add_init_script(strips.STREAM)
        yield page
        page.close()

    def address(self, name: str) -> str:
        """Where a page is."""
        return f"http://localhost:{self.port}/{name}.html"

    def still(self, name: str, html: str, size: tuple[int, int]) -> Made:
        """A picture of a page, and what stands on it."""
        with self.page(name, html, size) as page:
            page.goto(self.address(name))
            page.evaluate("document.fonts.ready.then(() => true)")
            return [Image.open(io.BytesIO(page.screenshot()))], page.evaluate(SEEN)


def table(studio: Studio) -> Made:
    """A table in the middle of play."""
    match = gallery.played(TABLE[0], None, 7)
    gallery.turn(match, TABLE[1])
    return studio.still("table", table_page.table(replace(gallery.table_of(match, SITE), clock=None)), WIDE)


def poster(game: str) -> Callable[[Studio], Made]:
    """A game's poster."""

    def made(studio: Studio) -> Made:
        drawing = (definition(game).folder / "art.svg").read_text(encoding="utf-8")
        hidden = f'<div style="height:0;overflow:hidden">{drawing}</div>'
        show = f'<svg width="320" height="180"><use href="#art-{game}"/></svg>'
        return studio.still(
            f"poster-{game}", f'<meta charset="utf-8"><body style="margin:0">{hidden}{show}</body>', POSTER
        )

    return made


def moment(game: str) -> Callable[[Studio], Made]:
    """A game's best moment, as it moves."""

    def made(studio: Studio) -> Made:
        found = strips.found(game, MOMENTS[game], SITE, None)
        assert found is not None, f"{game} has no moment of the kind {MOMENTS[game]}"
        times = tuple(range(0, min(900, found.holds[found.at]) + 1, EVERY))
        with studio.page(f"moment-{game}", found.before, MOVING) as page:
            page.clock.install()
            frames = [*strips.frames(page, studio.address(f"moment-{game}"), found, times)]
            return frames, page.evaluate(SEEN)

    return made


def report(game: str) -> Callable[[Studio], Made]:
    """The first page of a report on a game."""

    def made(studio: Studio) -> Made:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            words = *gallery.as_at_tables(game), *REPORT, "--page", f"{folder}/report.html"
            status = run_command(["report", game, *words])
            assert not status, "the report wasn't made"
            page = (Path(folder) / "report.html").read_text(encoding="utf-8")
            return studio.still(f"report-{game}", page, FIRST_PAGE)

    return made


def terminal(studio: Studio) -> Made:
    """A table at the terminal, in the full screen."""
    with ThreadPoolExecutor(1) as apart:  # Playwright has a loop of its own
        drawing = apart.submit(asyncio.run, screen()).result()
    text = re.sub(r"@font-face \{.*?\}", "", drawing, flags=re.DOTALL).replace("Fira Code", "DejaVu Sans Mono")
    size = tuple(round(float(side) * 0.8) for side in re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', text)[0])
    return studio.still("terminal", f'<meta charset="utf-8"><body style="margin:0">{text}</body>', (size[0], size[1]))


async def screen() -> str:
    """The full screen after some moves of a person, as a drawing."""
    chairs = [Chair("You"), *(Chair(name, "house") for name in gallery.NAMES[1:4])]
    names = [chair.name for chair in chairs]
    match = hexdeck.game(TERMINAL, 4).match(7, backend="fast", names=names)
    console = Console(file=io.StringIO(), width=80)
    session = ScreenSession(match, chairs, game_words(TERMINAL, "en", names), console, 0.0, seed=7)
    app = TableApp(session, DARK, False)
    async with app.run_test(size=(100, 30)) as pilot:
        for move in range(TERMINAL_MOVES + 1):
            if move:
                (key, _), *_ = with_keys(app.state.moves)
                await pilot.press(*key.lower(), "enter")
            for _ in range(LONGEST):
                await pilot.pause(0.005)
                if app.state.turn is not None:
                    break
        return app.export_screenshot(title="hexdeck play")


# --- making them --------------------------------------------------------------------------------------------------
def all_pictures() -> dict[str, Callable[[Studio], Made]]:
    """What makes each picture, by the name of its file."""
    made: dict[str, Callable[[Studio], Made]] = {"table.png": table, "terminal.png": terminal}
    for game in game_names():
        made |= {f"{game}.png": poster(game), f"{game}-moment.webp": moment(game), f"report-{game}.png": report(game)}
    return made


def saved(frames: list[Image.Image], path: Path) -> None:
    """Write a picture, or frames as a moving one."""
    if path.suffix == ".png":
        frames[0].convert("RGB").quantize(192, dither=Image.Dither.NONE).save(path, optimize=True)
    else:
        lasts = [EVERY] * (len(frames) - 1) + [LINGER]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=lasts, loop=0, quality=70, method=6)


def make(folder: Path, only: list[str]) -> dict[str, Contents]:
    """Make pictures, and tell what stands on each."""
    folder.mkdir(parents=True, exist_ok=True)
    told: dict[str, Contents] = {}
    with tempfile.TemporaryDirectory() as site, sync_playwright() as playwright:
        gallery.written(Path(site), argparse.Namespace(games=[], players=None, seed=7, lang="en"))
        server = gallery.serve(Path(site))
        chrome = playwright.chromium.launch(executable_path=browser.chromium(), args=list(browser.FLAGS))
        studio = Studio(chrome, Path(site), server.server_port)
        for name, picture in all_pictures().items():
            if not only or name in only:
                frames, contents = picture(studio)
                saved(frames, folder / name)
                told[name] = {"size": list(frames[0].size), "frames": len(frames), **contents}
        chrome.close()
        server.shutdown()
        server.server_close()
    return told


def main() -> None:
    """Make them all, or some."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--only", nargs="+", default=[], choices=list(all_pictures()), metavar="NAME")
    options = parser.parse_args()
    told, path = make(options.folder, options.only), options.folder / "contents.json"
    if options.only and path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        told = {name: (kept | told)[name] for name in all_pictures() if name in kept | told}
    path.write_text(json.dumps(told, indent=1, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
