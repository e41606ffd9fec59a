"""Starts a match in the full screen, where that is possible."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec

from rich.console import Console

from hexdeck.engine.play.score import headlines
from hexdeck.terminal.full.screen_session import ScreenSession
from hexdeck.terminal.screen import is_fancy

LEAST = (40, 16)  # columns and lines


def possible(console: Console) -> bool:
    """Whether the full screen can be shown: an interactive terminal, large enough, not asked to be plain."""
    term = os.environ.get("TERM", "" if sys.platform != "win32" else "windows")
    size = shutil.get_terminal_size()
    return (
        sys.stdin.isatty()
        and console.is_terminal
        and sys.stdout.isatty()
        and term not in {"", "dumb"}
        and os.environ.get("HEXDECK_PLAIN", "") in {"", "0"}
        and size.columns >= LEAST[0]
        and size.lines >= LEAST[1]
        and is_fancy(console)
        and find_spec("textual") is not None
    )


def play(session: ScreenSession, look: str | None) -> int:
    """Play in the full screen, then say how it ended or how to resume; returns the exit status."""
    from hexdeck.terminal.full.app import TableApp

    app = TableApp(session, f"hexdeck-{look}" if look else "")
    try:
        app.run()
    finally:
        session.on_screen = False
    if app.error is not None:
        session.leave()
        raise app.error
    return ended(session) if session.match.over else session.leave()


def ended(session: ScreenSession) -> int:
    """Print the result and where the record is, when the full screen is gone."""
    seat = session.viewing_seat()
    told = headlines(session.match, seat)
    for line in session.screen().result(session.match.view(seat), session.match.returns(), told):
        session.console.print(line, soft_wrap=True)
    for text in session.farewell:
        session.print(text)
    return 0
