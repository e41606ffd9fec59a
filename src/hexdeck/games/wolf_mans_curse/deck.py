"""Wolf-Man's Curse on paper."""

from hexdeck.engine.rulebook import PaperScores, Printed, PrintedCard, standard_deck
from hexdeck.engine.text import say


def printed() -> Printed:
    """Its cards and its score sheet."""
    return Printed(
        standard_deck(PrintedCard("card-Joker", 2)),
        PaperScores(say("Month"), 6, (say("clubs"), say("spades"), say("hearts"), say("diamonds"))),
    )
