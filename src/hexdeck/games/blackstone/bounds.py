"""How good and how bad a session of Blackstone can end, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.options import Deck
from hexdeck.games.blackstone.rules import OPTIONS, TEN


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and what all add up to, or None (BS-14): a pot may be left over."""
    chips = float(options["chips"])
    return -chips, chips * (players - 1), None


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The most decisions and the most chance events (BS-2 to BS-12).

    Each card drawn takes at most two decisions, to draw it and to stop after it; all but one of those who staked may
    fold. A card before each of them doesn't come back; extra tens do. When the deck is out, chance picks who begins.
    """
    deck = next(option for option in OPTIONS if isinstance(option, Deck)).counts(options["deck"])
    several = options["sit_out"] or options["rounds"] > 1
    staking = 2 if several else players  # the fewer they are, the more cards are left to draw
    turns = 2 * (sum(deck) - staking) + staking - 1
    chances = sum(deck) + max(0, deck[TEN] - 1) + 1
    return options["rounds"] * (turns + players * options["sit_out"]), options["rounds"] * chances
