"""What games with a Pairs deck share: options, and plain functions for their rules.

Ranks are indices from 0; sets of seats are bits; the outcomes of chance are the cards by rank, then the seats.
"""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import PAIRS, RANKS, nth_card
from hexdeck.engine.options import Deck, Number, Option
from hexdeck.engine.random import below
from hexdeck.engine.text import Text, say

TINY = (1, 2, 2)


def deck_option() -> Deck:
    """The option `deck`: the Pairs deck, a tiny one for study, or copies of each rank."""
    about = say("The deck: copies of each number, for study and experiments")
    return Deck("deck", "pairs", "", about, (("pairs", PAIRS), ("tiny", TINY)))


def hand_option(high: int) -> Number:
    """The option `hand_cards`: how many cards each player is dealt, at most `high`; 0 means as the rules say."""
    return Number("hand_cards", 0, "", say("Cards dealt to each; 0: as the rules say"), 0, high)


def too_few_cards(options: tuple[Option, ...], chosen: Mapping[str, Any], players: int, each: int) -> Text | None:
    """The error text if the chosen deck can't give every player `each` cards; None if it can."""
    deck = next(option for option in options if isinstance(option, Deck))
    cards = sum(deck.counts(chosen["deck"]))
    if cards >= players * each:
        return None
    return say(
        "A deck of {cards} cards can't give {players} players {each} cards each; "
        "use another deck or fewer players, or deal fewer cards.",
        cards=cards, players=players, each=each,
    )  # fmt: skip


def weigh_cards(stock, weights):
    """Write chance's weights for drawing the next card from a deck."""
    for r in range(RANKS):
        weights[r] = stock[r]
    for k in range(RANKS, weights.shape[0]):
        weights[k] = 0


def weigh_seats(seats, weights):
    """Write chance's weights for picking one of some seats (bits), and return how many seats they are."""
    total = 0
    for r in range(RANKS):
        weights[r] = 0
    for k in range(RANKS, weights.shape[0]):
        weights[k] = (seats >> (k - RANKS)) & 1
        total += (seats >> (k - RANKS)) & 1
    return total


def nth_seat(seats, n):
    """The outcome that picks the seat of a set that has n lower ones in it."""
    return RANKS + nth_card(seats, n)


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
