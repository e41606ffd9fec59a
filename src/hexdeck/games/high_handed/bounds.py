"""How good and how bad a match of High Handed can end."""

from collections.abc import Mapping
from typing import Any

MOST = 32_767.0  # points that a side can have: scores are kept in 16 bits


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and what all add up to, or None (HH-20): of two sides, nothing."""
    two = (options["teams"] or players) == 2
    return -2 * MOST, 2 * MOST, 0.0 if two else None
