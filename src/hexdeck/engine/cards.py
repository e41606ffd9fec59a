"""Decks of cards, and drawing from them: plain functions that rules use.

A deck is an array with the number of copies of each rank. A shuffled deck whose order nobody knows is the same as an
unordered one: chance draws the next card when it is needed. Where all cards differ, a set of cards can be an integer
below 2**62 instead, with bit k for card k.
"""

from hexdeck.engine.random import below

PAIRS = tuple(range(1, 11))  # copies of rank 1 to 10: the Pairs deck
RANKS = len(PAIRS)
SUITS = "cshd"
STANDARD = tuple(rank + suit for suit in SUITS for rank in ("A", *map(str, range(2, 11)), *"JQK"))


def counted(deck):
    """The number of cards in a deck, all ranks together."""
    total = 0
    for r in range(deck.shape[0]):
        total += deck[r]
    return total


def card_at(deck, n):
    """The index of the card that has n others before it, cards of a lower rank first."""
    r = 0
    for k in range(deck.shape[0] - 1):
        n -= deck[k]
        r += n >= 0
    return r


def draw(deck, left, rng):
    """Remove a random card from a deck of `left` cards, and return its index."""
    r = card_at(deck, below(rng, left))
    deck[r] -= 1
    return r


def size(cards):
    """The number of cards in a set."""
    cards -= (cards >> 1) & 0x5555555555555555
    cards = (cards & 0x3333333333333333) + ((cards >> 2) & 0x3333333333333333)
    cards = (cards + (cards >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((cards * 0x0101010101010101) >> 56) & 127  # compilers turn this into one instruction


def lowest_card(cards):
    """The index of the lowest card of a non-empty set."""
    return size((cards & -cards) - 1)


def nth_card(cards, n):
    """The index of card n of a set, counting from 0 at the lowest: by halves, without branches."""
    at = 0
    for step in (32, 16, 8, 4, 2, 1):
        lower = size((cards >> at) & ((1 << step) - 1))
        beyond = n >= lower
        n -= lower * beyond
        at += step * beyond
    return at


def any_of(cards, count, rng):
    """The index of a random card of a set of `count` cards."""
    return nth_card(cards, below(rng, count))
