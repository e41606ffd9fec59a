"""What is said, once, where machine code can't be had as it should be: play goes on all the same."""

import sys

from hexdeck.engine.text import Catalogue, Text, say

MAKING = say("Making machine code; only the first time, for half a minute or so …")
TOLD: set[str] = set()
WORDS = [Catalogue("en")]  # in whose words it is said: the last one's


def tell(text: Text) -> None:
    """Say something on the error stream, unless it was said before."""
    if str(text) not in TOLD:
        TOLD.add(str(text))
        print(f"hexdeck: {WORDS[-1].words(text)}", file=sys.stderr, flush=True)
