"""What games with a Pairs deck share: options, and plain functions for the rules; ranks are indices, seats bits."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import PAIRS, RANKS
from hexdeck.engine.options import Deck, Number, Option
from hexdeck.engine.random import below
from hexdeck.engine.text import Text, say

TINY = (1, 2, 2)


def deck_option() -> Deck:
    """Which deck: the Pairs deck, a tiny one to study, or copies of each rank."""
    about = say("The deck: copies of each rank, for study and experiments")
    return Deck("deck", "pairs", "", about, (("pairs", PAIRS), ("tiny", TINY)))


def hand_option(high: int) -> Number:
    """How many cards each is dealt; 0 as the rules say."""
    return Number("hand_cards", 0, "", say("Cards dealt to each; 0: as the rules say"), 0, high)


def too_few_cards(options: tuple[Option, ...], chosen: Mapping[str, Any], players: int, each: int) -> Text | None:
    """Why a deck can't be dealt, or None."""
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
    """The weights of chance's outcomes, cards then seats, when the next card of a deck comes."""
    for r in range(RANKS):
        weights[r] = stock[r]
    for k in range(RANKS, weights.shape[0]):
        weights[k] = 0


def weigh_seats(seats, weights):
    """The weights of chance's outcomes when one of these seats is picked; returns how many they are."""
    total = 0
    for r in range(RANKS):
        weights[r] = 0
    for k in range(RANKS, weights.shape[0]):
        weights[k] = (seats >> (k - RANKS)) & 1
        total += (seats >> (k - RANKS)) & 1
    return total


def list_cards(s, seat, first, actions, count):
    """Append an action, from id `first` on by rank, for each rank in a hand; returns how many actions there are now."""
    for r in range(RANKS):
        actions[count] = first + r
        count += s.hand[seat, r] > 0
    return count


def any_card(s, seat, rng):
    """One of the ranks in a hand, each as likely."""
    kinds = 0
    for r in range(RANKS):
        kinds += s.hand[seat, r] > 0
    u, r = below(rng, kinds), 0
    while u or not s.hand[seat, r]:
        u -= s.hand[seat, r] > 0
        r += 1
    return r
