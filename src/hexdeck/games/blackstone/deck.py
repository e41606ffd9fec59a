"""Blackstone on paper."""

from hexdeck.engine.discovery.printed import PrintedCard, ScoreSheet, pairs_deck
from hexdeck.engine.text import say

SCORE_SHEET = ScoreSheet(say("Round"), 15)


def printed() -> tuple[PrintedCard, ...]:
    """The cards to be printed."""
    return pairs_deck()
