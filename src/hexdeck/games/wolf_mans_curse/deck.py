"""Wolf-Man's Curse on paper."""

from hexdeck.engine.discovery.printed import PrintedCard, ScoreSheet, standard_deck
from hexdeck.engine.text import say

SCORE_SHEET = ScoreSheet(say("Month"), 6, (say("clubs"), say("spades"), say("hearts"), say("diamonds")))


def printed() -> tuple[PrintedCard, ...]:
    """The cards to be printed."""
    return standard_deck(PrintedCard("card-Joker", 2))
