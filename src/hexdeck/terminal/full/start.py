"""Whether the full screen is possible here, and a match in it."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec

from rich.console import Console

from hexdeck.terminal.full.screen_session import ScreenSession
from hexdeck.terminal.screen import is_fancy

LEAST = (40, 16)  # columns and lines


def possible(console: Console) -> bool:
    """Whether a full screen can be shown: a terminal on both sides, of some size, that isn't asked to be plain."""
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


def play(sitting: ScreenSession, look: str | None) -> int:
    """Play in the full screen; then tell how it ended, or how to go on. Returns the exit status."""
    from hexdeck.terminal.full.app import TableApp

    app = TableApp(sitting, f"hexdeck-{look}" if look else "")
    try:
        app.run()
    finally:
        sitting.on_screen = False
    if app.error is not None:
        sitting.leave()
        raise app.error
    return ended(sitting) if sitting.match.over else sitting.leave()


def ended(sitting: ScreenSession) -> int:
    """The result, and where the record is, where they can be read when the full screen is gone."""
    view = sitting.match.view(sitting.viewing_seat())
    for line in sitting.screen().result(view, sitting.match.returns()):
        sitting.console.print(line, soft_wrap=True)
    for text in sitting.farewell:
        sitting.print(text)
    return 0
