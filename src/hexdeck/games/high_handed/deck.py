"""High Handed on paper."""

from hexdeck.engine.printed import PrintedCard, ScoreSheet, standard_deck
from hexdeck.engine.text import say
from hexdeck.games.high_handed.components import OPTIONS

BOARD = tuple(option.default for option in OPTIONS if option.name in ("rows", "columns"))
SCORE_SHEET = ScoreSheet(say("Turn"), 26)


def printed() -> tuple[PrintedCard, ...]:
    """The cards to be printed, small enough for the board's cells."""
    copies = {option.name: option.default for option in OPTIONS}
    return standard_deck(PrintedCard("card-x2", copies["two_timers"]), PrintedCard("card-Tf", copies["thieves"]))
