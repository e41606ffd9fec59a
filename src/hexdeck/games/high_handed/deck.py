"""The cards of High Handed: their codes, as zones and sentences show them, and all of the game on paper."""

from hexdeck.engine.cards import STANDARD
from hexdeck.engine.rulebook import PaperScores, Printed, PrintedCard
from hexdeck.engine.text import Cards, say
from hexdeck.games.high_handed import rules

CODES = (*STANDARD, "x2", "Tf")


def card_name(k):
    """A card by its code, for a sentence."""
    return Cards((CODES[k],))


def cards_of(hands, specials, p):
    """A seat's cards: the regular ones by rank, then the specials."""
    regular = tuple(STANDARD[k] for k in by_rank(hands[p]))
    return (*regular, *("x2",) * specials[p, 0], *("Tf",) * specials[p, 1])


def by_rank(cards):
    """The regular cards of a set, by rank."""
    return sorted((k for k in range(rules.REGULAR) if cards >> k & 1), key=lambda k: (k % 13, k))


def printed() -> Printed:
    """Its cards, small enough for the board's cells, its score sheet, and its board."""
    usual = {option.name: option.default for option in rules.OPTIONS}
    regular = [
        PrintedCard(f"card-{STANDARD[13 * suit + k]}") for suit in range(usual["suits"]) for k in range(usual["ranks"])
    ]
    specials = (
        PrintedCard(f"card-{code}", usual[name])
        for code, name in (("x2", "two_timers"), ("Tf", "thieves"))
        if usual[name]
    )
    cards = (*regular, *specials)
    return Printed(cards, PaperScores(say("Turn"), 26), (usual["rows"], usual["columns"]))
