"""When a bot's move is made: at a time that tells nothing of how long it thought.

What a bot thinks about longer may be its secret: a hand with more to choose from, a card that changes everything.
"""

from __future__ import annotations

UNWATCHED = 0.1  # seconds that a bot takes, at least, where no page waits for its move alone


def moment(took: float, pause: float) -> float:
    """How long after its turn began a bot moves that thought for `took` seconds: the pause, doubled until it suffices.

    All thoughts within the pause look the same; a longer one shows only how often it was doubled. Without a pause
    nothing is waited for.
    """
    found = pause
    while 0 < found < took:
        found *= 2
    return found
