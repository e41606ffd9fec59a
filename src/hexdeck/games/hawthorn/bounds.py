"""The best and the worst result of a session of Hawthorn, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.engine.options import Deck
from hexdeck.games.hawthorn.rules import OPTIONS


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (HT-14): no chip is lost."""
    chips = float(options["chips"])
    return -chips, chips * (players - 1), 0.0


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (HT-2 to HT-12).

    On each turn a row grows by a rank that it lacks, or its owner goes out; the last one in doesn't. Dealing and ties
    take each card of the deck once; then chance picks who is first.
    """
    deck = next(option for option in OPTIONS if isinstance(option, Deck)).counts(options["deck"])
    turns = players * sum(copies > 0 for copies in deck) - 1
    return options["deals"] * (players + turns), options["deals"] * (sum(deck) + 1 + turns)
