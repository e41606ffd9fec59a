"""Cards, in plain functions that rules use: decks, sets, drawing from them, and what games with a Pairs deck share.

A deck is an array with the number of copies of each rank; ranks are indices from 0. A shuffled deck whose order nobody
knows is the same as an unordered one: chance draws the next card when it is needed. Where all cards differ, a set of
cards can be an integer below 2**62 instead, with bit k for card k. With a Pairs deck, the outcomes of chance are the
cards by rank, then the seats; sets of seats are bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from hexdeck.engine.options import Deck, Number, Option
from hexdeck.engine.random import below
from hexdeck.engine.text import Text, _, say

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


def next_of(seats, p):
    """The next of these seats after seat p, clockwise."""
    after = seats >> (p + 1) << (p + 1)
    return lowest_card(after or seats)


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


Listed = Iterator[tuple[Any, int]]


def in_counts(*arrays: Any) -> Listed:
    """The cards in arrays whose last axis counts them by kind."""
    for cells in arrays:
        for at in product(*map(range, cells.shape)):
            yield at[-1], cells[at]


def in_sets(*sets: int) -> Listed:
    """The cards in sets with a bit for each card."""
    for cards in sets:
        for card in range(cards.bit_length()):
            yield card, cards >> card & 1


TINY = (1, 2, 2)


def deck_option() -> Deck:
    """The option `deck`: the Pairs deck, a tiny one for study, or copies of each rank."""
    about = say("How many cards there are of each number")
    return Deck("deck", "pairs", "", about, (("pairs", PAIRS), ("tiny", TINY)))


def hand_option(high: int) -> Number:
    """The option `hand_cards`: how many cards each player is dealt, at most `high`; 0 means as the rules say."""
    return Number("hand_cards", 0, "", say("Cards dealt to each; 0: as the rules say"), 0, high)


def deck_in(options: Iterable[Option], chosen: Mapping[str, Any]) -> tuple[int, ...]:
    """The copies of each rank in the chosen deck."""
    return next(option for option in options if isinstance(option, Deck)).counts(chosen["deck"])


def too_few_cards(options: Iterable[Option], chosen: Mapping[str, Any], players: int, cards_each: int) -> Text | None:
    """The error text if the chosen deck can't give every player `cards_each` cards; None if it can."""
    cards = sum(deck_in(options, chosen))
    if cards >= players * cards_each:
        return None
    text = _(
        "A deck of {cards} cards can't give {players} players {each} cards each; "
        "use another deck or fewer players, or deal fewer cards."
    )
    return say(text, cards=cards, players=players, each=cards_each)


def weigh(s, by_lot, weights):
    """Write chance's weights, and return their sum: by lot one of the tied seats, else the next card of the deck."""
    for r in range(RANKS):
        weights[r] = 0 if by_lot else s.stock[r]
    for k in range(RANKS, weights.shape[0]):
        weights[k] = (s.tied >> (k - RANKS)) & 1 if by_lot else 0
    return weight(s, by_lot)


def weight(s, by_lot):
    """How many seats are tied, or cards left."""
    return size(s.tied) if by_lot else s.deck_left


def outcome_at(s, by_lot, u):
    """The seat, or the card, that has u before it."""
    return RANKS + nth_card(s.tied, u) if by_lot else card_at(s.stock, u)


def list_cards(s, seat, first, actions, count):
    """Append the action `first` + rank for each rank in a seat's hand; returns the new number of actions."""
    for r in range(RANKS):
        actions[count] = first + r
        count += s.hand[seat, r] > 0
    return count


def any_card(s, seat, rng):
    """A random rank from a seat's hand, each rank in it equally likely."""
    kinds = 0
    for r in range(RANKS):
        kinds += s.hand[seat, r] > 0
    u, r = below(rng, kinds), 0
    while u or not s.hand[seat, r]:
        u -= s.hand[seat, r] > 0
        r += 1
    return r
