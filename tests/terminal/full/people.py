"""People before the full screen, for tests: they press keys, click, and read what is on it."""

import asyncio
import functools
import io
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import Any
from unittest.mock import patch

from rich.console import Console
from textual.pilot import Pilot

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.terminal.app import CoverPage, TableApp
from hexdeck.terminal.display import Chair
from hexdeck.terminal.drawing import DARK
from hexdeck.terminal.session import ScreenSession
from tests.loops import alone
from tests.support import PATIENCE


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
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


async def at_rest(app: TableApp, *_: Any) -> None:
    """Wait until every widget has done what it was told, and the screen shows it.

    Textual's own pilot waits until the process takes little time, as it also does where others take it all.
    """
    calm = 0
    while calm < 3 and app.is_running and app.screen_stack:
        pumps = [app, *(widget for screen in app.screen_stack for widget in screen.walk_children(with_self=True))]
        idle = all(pump._message_queue.ready_event._waiters and not pump._next_callbacks for pump in pumps)
        on = app.screen
        drawn = not (on._callbacks or on._layout_required or on._scroll_required or on._dirty_widgets)
        calm = calm + 1 if drawn and idle else 0
        await asyncio.sleep(0 if drawn else 0.001)


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
            rests = functools.partial(at_rest, app)
            with patch("textual.app.wait_for_idle", rests), patch("textual.pilot.wait_for_idle", rests):
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
        return shown(self.app)

    @property
    def covered(self) -> bool:
        """Whether a curtain or the greeting covers the table."""
        return isinstance(self.app.screen, CoverPage)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds, and the screen shows it."""
        end = monotonic() + PATIENCE
        await self.pilot.pause()
        while not holds():
            assert monotonic() < end, f"it doesn't come\n{self.screen}"
            await asyncio.sleep(0.001)
            await self.pilot.pause()

    async def shows(self, text: str) -> None:
        await self.until(lambda: text in self.screen)

    async def settled(self) -> None:
        """Wait until the person is asked, a curtain is drawn, or the match is over."""
        await self.until(
            lambda: (
                self.covered
                or self.app.state.turn is not None
                or not self.app.is_running
                or bool(self.app.state.view and self.app.state.view.over)
            )
        )

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settled()

    async def type(self, line: str) -> None:
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
