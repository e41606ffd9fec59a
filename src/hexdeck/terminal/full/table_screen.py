"""What the full screen shows, and how it follows its size; `app.py` decides what happens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text as Line
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from hexdeck.engine.text import Text
from hexdeck.terminal.full.frame import Frame, ScreenState
from hexdeck.terminal.full.panels import Panel, ReadingPage, table_panels
from hexdeck.terminal.full.screen_session import ScreenSession
from hexdeck.terminal.full.themes import themes, usual_theme


class TableScreen(App[None]):
    """The panels of a match, drawn from a session and a state."""

    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave", show=False, priority=True), Binding("ctrl+q", "leave", show=False, priority=True),
    ]  # fmt: skip

    def __init__(self, session: ScreenSession, look: str = "") -> None:
        super().__init__()
        self.session, self.state = session, ScreenState()
        for each in themes():
            self.register_theme(each)
        self.theme = look or usual_theme()

    def compose(self) -> ComposeResult:
        """The panels."""
        yield from table_panels()

    def refresh_view(self) -> None:
        """Look at the table again, and show it."""
        seat = self.session.viewing_seat()
        self.state.view, self.state.log = self.session.view(seat), self.session.log_and_news(seat)
        self.show()
        self.call_after_refresh(self.scroll)

    def frame(self) -> Frame:
        """What to show on a screen of the present size."""
        return Frame(self.session, self.state, *self.size)

    def show(self) -> None:
        """Draw all panels."""
        frame = self.frame()
        self.panel("log").parent.display = frame.beside  # type: ignore[union-attr]
        for name, lines in frame.panels().items():
            self.panel(name).draw(lines)

    def scroll(self) -> None:
        """Where not everything fits, scroll to the end of the log, and to the board."""
        main, log = (self.screen_stack[0].query_one(name) for name in ("#main", "#beside"))
        (main.scroll_end if self.frame().board else main.scroll_home)(animate=False)
        log.scroll_end(animate=False)

    def panel(self, name: str) -> Panel:
        """A panel by its name."""
        return self.screen_stack[0].query_one(f"#{name}", Panel)

    def on_resize(self) -> None:
        """The size has changed: draw again."""
        if self.is_running:
            self.call_after_refresh(self.resized)

    def resized(self) -> None:
        """Draw for another size."""
        self.show()
        self.call_after_refresh(self.scroll)

    def read(self, title: Text, body: Sequence[Line] | str, at_end: bool = False) -> None:
        """Show something to read."""
        self.push_screen(ReadingPage(self.session.words, title, body, at_end))
