"""Hawthorn on paper."""

from hexdeck.engine.rulebook import PaperScores, Printed, pairs_deck
from hexdeck.engine.text import say


def printed() -> Printed:
    """Its cards and its score sheet."""
    return Printed(pairs_deck(), PaperScores(say("Deal"), 12))
