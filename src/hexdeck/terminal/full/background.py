"""Work beside the app, in threads, so that it never freezes."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable
from typing import Any

from textual.app import App


def in_background(app: App[Any], work: Callable[[], Callable[[], None]], fail: Callable[[Exception], None]) -> None:
    """Do something beside the app, then what comes of it in the app; nobody waits for it when the app is left."""

    def run() -> None:
        try:
            done = work()
        except Exception as error:  # told when the screen is gone
            done = functools.partial(fail, error)
        with contextlib.suppress(RuntimeError):  # the app was left meanwhile
            app.call_from_thread(done)

    threading.Thread(target=run, daemon=True).start()
