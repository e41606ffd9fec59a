"""Decks, and drawing from counts of equal cards: plain functions, used by the rules.

Cards that are all different can be a set instead: bit k of an integer below 2**62 for card k.
A shuffled deck whose order nobody knows is the same as a bag of cards: chance draws the next card when it is needed.
"""

from hexdeck.engine.random import below

PAIRS = tuple(range(1, 11))  # copies of rank 1 to 10: the Pairs deck
RANKS = len(PAIRS)
SUITS = "cshd"
STANDARD = tuple(rank + suit for suit in SUITS for rank in ("A", *map(str, range(2, 11)), *"JQK"))


def counted(deck):
    """How many cards there are, of all ranks."""
    total = 0
    for r in range(deck.shape[0]):
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


def size(cards):
    """How many cards there are in a set."""
    cards -= (cards >> 1) & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + ((cards >> 2) & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((cards * 0x0101010101010101) >> 56) & 127  # compilers know this as one instruction


def lowest_card(cards):
    """The index of the lowest card of a set that isn't empty."""
    return size((cards & -cards) - 1)


def nth_card(cards, n):
    """The index of the card of a set that has n lower ones in it."""
    for _ in range(n):
        cards &= cards - 1
    return lowest_card(cards)


def any_of(cards, count, rng):
    """A random card, by its index, of a set of so many."""
    return nth_card(cards, below(rng, count))
