"""Blackstone for hints: how results are said, and facts that speak for a move."""

from hexdeck.engine.measure import CHIPS
from hexdeck.engine.text import say
from hexdeck.games.blackstone import rules
from hexdeck.games.blackstone.rules import DRAW, FOLD, NAME, SIT, STOP


def measure(_s):
    """BS-14: chips."""
    return CHIPS


def because(s, seat, action, worlds):
    """How likely a second black stone is with these cards; when leaving, with the fewest that could be drawn."""
    if action <= SIT or not s.deck_left:
        return None
    leaving = action in (STOP, FOLD)
    announced = s.drawing == rules.ANNOUNCED
    tried = (NAME + s.least - 1 if announced else DRAW) if leaving else action
    if leaving and rules.forbids(s, seat, tried):
        return None
    n = worlds.of_100(lambda world: world.purse[seat] < s.purse[seat], tried)
    if leaving:
        return say("Drawing would bring a second black stone {n} times in 100.", n=n)
    return say("A second black stone comes {n} times in 100.", n=n)
