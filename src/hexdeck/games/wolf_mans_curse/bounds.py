"""How good and how bad a match of Wolf-Man's Curse can end."""

from collections.abc import Mapping
from typing import Any


def bounds(_players: int, _options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and what all add up to, or None (WC-18)."""
    return 0.0, 1.0, None
