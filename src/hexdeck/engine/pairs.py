"""What the games with a Pairs deck share in their options."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.cards import PAIRS
from hexdeck.engine.options import Deck, Number, Option
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
