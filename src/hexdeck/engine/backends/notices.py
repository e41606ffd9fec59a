"""What is said on the error stream, once, where machine code is missing or takes long; play goes on all the same."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from hexdeck.engine.text import Catalogue, Text, say

MAKING = say("Compiling; this can take half a minute …")
SOLVING = say("Solving the game; this takes a while, but only the first time …")
TOLD: set[str] = set()
LOCK = threading.Lock()
WORDS = [Catalogue("en")]  # the last one's language is used
THREAD = threading.local()  # `timer`: of the thread that reads machine code, or compiles it


def tell(text: Text, about: str = "") -> None:
    """Say something on the error stream, unless it was said before, or something else about the same."""
    with LOCK:
        is_new = (about or str(text)) not in TOLD
        TOLD.add(about or str(text))
    if is_new:
        print(f"hexdeck: {WORDS[-1].words(text)}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def told_if_slow(text: Text = MAKING) -> Iterator[None]:
    """Say what is being done, machine code being made unless told otherwise, where it takes longer than a second."""
    with told_if_compiled(text):
        compiles()
        yield


@contextlib.contextmanager
def told_if_compiled(text: Text = MAKING) -> Iterator[None]:
    """The same, where it takes longer than a second after this thread called `compiles`; nothing if it never does."""
    before, timer = getattr(THREAD, "timer", None), threading.Timer(1, tell, [text])
    timer.daemon, THREAD.timer = True, timer
    try:
        yield
    finally:
        timer.cancel()
        THREAD.timer = before


def compiles() -> None:
    """Note that this thread compiles from now on, for it found nothing that was kept."""
    timer = getattr(THREAD, "timer", None)
    if timer is not None and timer.ident is None:
        timer.start()
