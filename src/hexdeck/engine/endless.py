"""What must come to an end: loops of rules that were written elsewhere, chance between decisions, whole matches.

`discovery.bounded_loading` puts `count_turn` or `counted` into each loop of such rules. Our own kernels call the
others; in code that is compiled `fast`, as our own games are, they are nothing.
"""

from hexdeck.engine.errors import RuleFault
from hexdeck.engine.text import say

MOST_TURNS = 20_000  # of the loops of a function, each time that it is called; of chance, see `expect_decision`
MOST_EVENTS = 1_000_000  # of a match


class EndlessLoop(Exception):
    """The loops of a function have turned too often."""

    def __str__(self) -> str:
        return f"this loop didn't end after {MOST_TURNS:,} turns"


class NoDecision(RuleFault):
    """Chance acts again and again."""

    def __init__(self) -> None:
        super().__init__(say("Chance acts {n} times, and nobody comes to decide anything.", n=MOST_TURNS))


class EndlessMatch(RuleFault):
    """A match goes on and on."""

    def __init__(self) -> None:
        super().__init__(say("The match isn't over after {n} moves and cards: perhaps it has no end.", n=MOST_EVENTS))


def counted(items):
    """The items of something that a rule goes through in an expression."""
    for turns, item in enumerate(items):
        count_turn(turns)
        yield item


def count_turn(turns):
    """Count a turn of a loop."""
    if turns >= MOST_TURNS:
        raise EndlessLoop
    return turns + 1


def expect_decision(draws):
    """Go on where chance has acted so often, in a deal or since a decision."""
    if draws >= MOST_TURNS:
        raise NoDecision


def expect_end(events):
    """Go on with a match of so many events."""
    if events >= MOST_EVENTS:
        raise EndlessMatch
