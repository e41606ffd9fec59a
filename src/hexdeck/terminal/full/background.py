"""Runs work in threads beside the app, so that it never freezes."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from typing import Any

from textual.app import App


def in_background(app: App[Any], work: Callable[[], Callable[[], None]], fail: Callable[[Exception], None]) -> None:
    """Run work in a thread, then call its result in the app; leaving the app doesn't wait for it."""

    def run() -> None:
        try:
            done = work()
        except Exception as error:  # it is raised when the screen is gone
            done = functools.partial(fail, error)
        with contextlib.suppress(RuntimeError):  # the app was left meanwhile
            app.call_from_thread(done)

    threading.Thread(target=run, daemon=True).start()
