"""Hints in Cursed Hand: how results are told, and reasons for moves."""

from hexdeck.engine.measure import Measure
from hexdeck.engine.text import _, say
from hexdeck.games.cursed_hand import rules
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, PAIRED


def measure(s):
    """CH-15: with one loser among n seats, utility u is a chance of (n - 1) (1 + u) / n not to lose."""
    safe = 100.0 * (s.seats - 1) / s.seats
    text = _("stays safe in about {number} %")
    return Measure(text, text, _("{number} matches in 100"), say("% safe"), safe, safe, 0.0, 100.0, whole=True)


def because(s, seat, action, worlds):
    """How likely the ghost hand is or becomes cursed; of a card to bury, how likely somebody else holds its rank."""
    if action in (CALL, ACCEPT):
        n = worlds.of_100(_cursed)
        return say("The ghost hand is cursed in {n} of 100 possible deals.", n=n)
    if action < CALL:
        n = worlds.of_100(lambda world: any(world.hand[p, action] for p in range(s.seats) if p != seat))
        return say("Another player also holds a card with this number in {n} of 100 possible deals.", n=n)
    if _cursed(_added(next(iter(worlds)), action)):
        return say("The ghost hand you pass on is cursed.")
    return say("The ghost hand you pass on is clean.")


def _added(world, action):
    """A world with only the ghost hand as the move leaves it, since the next game may be dealt at once (CH-13)."""
    for r in rules.pair_of(action) if action >= PAIRED else (action - CARD,):
        world.ghost[world.ghost_size] = r
        world.ghost_size += 1
    return world


def _cursed(world):
    return rules.judge(world)[1]
