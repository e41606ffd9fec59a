"""Wolf-Man's Curse for hints: how results are said, and facts that speak for a move."""

from hexdeck.engine.cards import size
from hexdeck.engine.measure import WINS
from hexdeck.engine.text import say
from hexdeck.games.wolf_mans_curse import rules
from hexdeck.games.wolf_mans_curse.rules import CARDS, NONE


def measure(_s):
    """WC-18: the share of a win."""
    return WINS


def because(_s, seat, action, worlds):
    """How likely the card captures those of the night."""
    n = worlds.of_100(lambda world: _capturing(world, seat, action))
    return say("It captures tonight's cards in {n} of 100 deals that fit what you know, if the others play anything.",
               n=n)  # fmt: skip


def _capturing(world, seat, card):
    """How likely all others' cards are weaker: those that lie there, and any of the hands that are still to play."""
    mine, chance = rules.strength(world, card), 1.0
    for p in range(world.seats):
        if p != seat:
            laid = world.card[p]
            cards = world.hand[p] if laid == NONE else 1 << laid
            weaker = sum(cards >> k & 1 for k in range(CARDS) if rules.strength(world, k) < mine)
            chance *= weaker / size(cards)
    return chance
