"""Decks, and drawing from counts of equal cards: plain functions, used by the rules.

A shuffled deck whose order nobody knows is the same as a bag of cards: chance draws the next card when it is needed.
"""

from hexdeck.engine.random import below

PAIRS = tuple(range(1, 11))  # copies of rank 1 to 10: the Pairs deck
RANKS = len(PAIRS)
STANDARD = tuple(rank + suit for suit in "cshd" for rank in "A23456789TJQK")  # codes of a standard deck of 52


def counted(deck):
    """How many cards there are, of all ranks."""
    total = 0
    for r in range(RANKS):
        total += deck[r]
    return total


def draw(deck, left, rng):
    """Take a random card from a bag of `left` cards and return its index."""
    u = below(rng, left)
    r = 0
    while u >= deck[r]:
        u -= deck[r]
        r += 1
    deck[r] -= 1
    return r
