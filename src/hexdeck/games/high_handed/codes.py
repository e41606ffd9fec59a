"""The cards of High Handed by their codes, as zones and sentences show them."""

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.text import Cards
from hexdeck.games.high_handed.components import REGULAR

CODES = (*STANDARD, "x2", "Tf")


def named(k):
    """A card by its code, for a sentence."""
    return Cards((CODES[k],))


def cards_of(hands, specials, p):
    """A seat's cards: the regular ones by rank, then the specials."""
    regular = tuple(STANDARD[k] for k in by_rank(hands[p]))
    return (*regular, *("x2",) * specials[p, 0], *("Tf",) * specials[p, 1])


def by_rank(cards):
    """The regular cards of a set, by rank."""
    return sorted((k for k in range(REGULAR) if cards >> k & 1), key=lambda k: (k % 13, k))
