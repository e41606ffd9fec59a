"""The best and the worst result of a session of Blackstone, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.options import Deck
from hexdeck.games.blackstone.rules import OPTIONS, TEN


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (BS-14): a pot may remain."""
    chips = float(options["chips"])
    return -chips, chips * (players - 1), None


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (BS-2 to BS-12).

    Each card drawn takes at most two decisions, to draw it and to stop after it; all who staked but one may fold. The
    first card dealt to each of them doesn't return to the deck; extra tens do. If the deck runs out, chance picks who
    begins.
    """
    deck = next(option for option in OPTIONS if isinstance(option, Deck)).counts(options["deck"])
    several = options["sit_out"] or options["rounds"] > 1
    staking = 2 if several else players  # with fewer of them, more cards are left to draw
    turns = 2 * (sum(deck) - staking) + staking - 1
    chances = sum(deck) + max(0, deck[TEN] - 1) + 1
    return options["rounds"] * (turns + players * options["sit_out"]), options["rounds"] * chances
