"""Cursed Hand for hints: how results are said, and facts that speak for a move."""

from hexdeck.engine.measure import Measure
from hexdeck.engine.text import _, say
from hexdeck.games.cursed_hand import rules
from hexdeck.games.cursed_hand.rules import ACCEPT, CALL, CARD, PAIRED


def measure(s):
    """CH-15: with one loser, the chance to stay safe (of n seats, at utility u): (n - 1) (1 + u) / n."""
    safe = 100.0 * (s.seats - 1) / s.seats
    text = _("stays safe in about {number} %")
    return Measure(text, text, _("{number} matches in 100"), say("% safe"), safe, safe, 0.0, 100.0, whole=True)


def because(s, seat, action, worlds):
    """Whether the ghost hand is cursed, or becomes so; for a graveyard, whether somebody else has such a card."""
    if action in (CALL, ACCEPT):
        n = worlds.of_100(_cursed)
        return say("The ghost hand is cursed in {n} of 100 deals that fit what you know.", n=n)
    if action < CALL:
        n = worlds.of_100(lambda world: any(world.hand[p, action] for p in range(s.seats) if p != seat))
        return say("Another player holds such a card too in {n} of 100 deals that fit what you know.", n=n)
    if _cursed(_added(next(iter(worlds)), action)):
        return say("The ghost hand that you pass on is cursed.")
    return say("The ghost hand that you pass on is clean.")


def _added(world, action):
    """A world with what a move puts into the ghost hand and no more: CH-13 may deal the next game at once."""
    for r in rules.pair_of(action) if action >= PAIRED else (action - CARD,):
        world.ghost[world.ghost_size] = r
        world.ghost_size += 1
    return world


def _cursed(world):
    return rules.judge(world)[1]
