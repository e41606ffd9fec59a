"""What is said, once, where machine code can't be had as it should be: play goes on all the same."""

import contextlib
import sys
import threading
from collections.abc import Iterator

from hexdeck.engine.text import Catalogue, Text, say

MAKING = say("Compiling; this can take half a minute …")
TOLD: set[str] = set()
WORDS = [Catalogue("en")]  # in whose words it is said: the last one's


def tell(text: Text) -> None:
    """Say something on the error stream, unless it was said before."""
    if str(text) not in TOLD:
        TOLD.add(str(text))
        print(f"hexdeck: {WORDS[-1].words(text)}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def told_if_slow() -> Iterator[None]:
    """Say that machine code is being made, where that takes longer than a second."""
    timer = threading.Timer(1, tell, [MAKING])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
