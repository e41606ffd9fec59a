"""The best and the worst result of a match of Wolf-Man's Curse, and how long it can last."""

from collections.abc import Mapping
from typing import Any

from hexdeck.games.wolf_mans_curse.rules import hand_size


def bounds(_players: int, _options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and the sum of all if it is fixed (WC-18)."""
    return 0.0, 1.0, None


def lengths(players: int, options: Mapping[str, Any]) -> tuple[int, int]:
    """The greatest number of decisions, and of chance events (WC-4 to WC-11).

    Each night takes a card from the face pile; a queen of hearts that comes too early is replaced by another card.
    """
    nights, faces = options["nights"], sum(int(copies) for copies in options["faces"].split("-"))
    months, early = -(-faces // nights), nights * (options["queen_month"] - 1)
    dealt = months * players * hand_size(options["hand_cards"])
    return faces * players, dealt + faces + min(early, faces - 1)
