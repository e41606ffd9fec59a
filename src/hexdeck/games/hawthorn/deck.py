"""Hawthorn on paper."""

from hexdeck.engine.discovery.printed import PrintedCard, ScoreSheet, pairs_deck
from hexdeck.engine.text import say

SCORE_SHEET = ScoreSheet(say("Deal"), 12)


def printed() -> tuple[PrintedCard, ...]:
    """The cards to be printed."""
    return pairs_deck()
