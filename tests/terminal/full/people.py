"""People before the full screen, for tests: they press keys, click, and read what is on it."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from rich.console import Console
from textual.pilot import Pilot

import hexdeck
from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.terminal.chairs import Chair
from hexdeck.terminal.full.app import TableApp
from hexdeck.terminal.full.panels import CoverPage
from hexdeck.terminal.full.screen_session import ScreenSession
from hexdeck.terminal.full.themes import DARK
from tests.loops import alone

LONGEST = 4000  # times that a test waits for a bot


def new_session(
    name: str, people: Sequence[str] = ("You",), players: int = 3, lang: str = "en", seed: int = 7, **how: Any
) -> ScreenSession:
    """A session with people on the first seats, house bots on the others."""
    chairs = [Chair(person) for person in people]
    chairs += [Chair(f"Bot {seat}", "house") for seat in range(len(people), players)]
    names = [chair.name for chair in chairs]
    match = hexdeck.game(name, players, **how.pop("options", {})).match(seed, backend="fast", names=names)
    console = Console(file=io.StringIO(), width=80)
    return ScreenSession(match, chairs, game_words(name, lang, names), console, 0.0, seed=seed, **how)


def shown(app: TableApp) -> str:
    """The text on the screen."""
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def before(
    at: ScreenSession,
    do: Callable[["Person"], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    greeting: bool = False,
) -> TableApp:
    """Run a test with somebody before the full screen."""

    async def run() -> TableApp:
        app = TableApp(at, DARK, greeting)
        async with app.run_test(size=size) as pilot:
            person = Person(app, pilot)
            await person.settled()
            await do(person)
        return app

    return alone(run())


class Person:
    """Somebody before the screen."""

    def __init__(self, app: TableApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot, self.session = app, pilot, app.session

    @property
    def screen(self) -> str:
        """What stands on the screen."""
        return shown(self.app)

    @property
    def covered(self) -> bool:
        """Whether a curtain or the greeting covers the table."""
        return isinstance(self.app.screen, CoverPage)

    async def settled(self) -> None:
        """Wait until the person is asked, a curtain is drawn, or the match is over."""
        for _ in range(LONGEST):
            await self.pilot.pause()
            state = self.app.state
            if self.covered or state.turn is not None or (state.view and state.view.over) or not self.app.is_running:
                return
            await asyncio.sleep(0.001)
        raise AssertionError("nothing more happens")

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)
        await self.settled()

    async def type(self, line: str) -> None:
        """Type a line and Enter."""
        await self.press(*("space" if letter == " " else letter for letter in line), "enter")

    async def click(self, mark: str, value: object) -> None:
        """Click on a mark, in whichever panel it is."""
        for name in ("table", "own", "ask", "keys", "line"):
            panel = self.app.panel(name)
            for y, strip in enumerate(panel.render_lines(panel.size.region) if panel.display else ()):
                x = 0
                for segment in strip:
                    if segment.style and segment.style.meta.get(mark) == value:
                        await self.pilot.click(panel, offset=(x, y))
                        await self.settled()
                        return
                    x += segment.cell_length
        raise AssertionError(f"nothing on the screen is {mark} {value}\n{self.screen}")
