"""The best and the worst result of a match of Cursed Hand, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.options import Deck
from hexdeck.games.cursed_hand.rules import OPTIONS, hand_size


def bounds(_players: int, _options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (CH-15)."""
    return -1.0, 1.0, 0.0


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (CH-1 to CH-14).

    After the graveyards, starting a ghost hand takes one card more from a hand than is drawn, and adding a card takes
    one: two decisions each. Starting also takes a card from the deck; before the first ghost hand and at the end a
    seat may be picked. In each game somebody loses.
    """
    deck = next(option for option in OPTIONS if isinstance(option, Deck)).counts(options["deck"])
    each = hand_size(players, options["hand_cards"])
    left, spent = sum(deck) - players * each, players * (each - 1)
    picks = 1 + (options["tied_losers"] == "one_at_random")
    games = players * (options["losses"] - 1) + 1
    return games * (players + 2 * spent), games * (players * each + min(left, spent) + picks)
