"""How good and how bad a session of Hawthorn can end."""

from collections.abc import Mapping
from typing import Any


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and what all add up to, or None (HT-14): no chip is lost."""
    chips = float(options["chips"])
    return -chips, chips * (players - 1), 0.0
