"""Blackstone on paper."""

from hexdeck.engine.discovery.rulebook import Printed, ScoreSheet, pairs_deck
from hexdeck.engine.text import say


def printed() -> Printed:
    """Its cards and its score sheet."""
    return Printed(pairs_deck(), ScoreSheet(say("Round"), 15))
