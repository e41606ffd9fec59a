"""How good and how bad a session of Blackstone can end."""

from collections.abc import Mapping
from typing import Any


def bounds(players: int, options: Mapping[str, Any]) -> tuple[float, float, float | None]:
    """The least and the greatest utility of a seat, and what all add up to, or None (BS-14): a pot may be left over."""
    chips = float(options["chips"])
    return -chips, chips * (players - 1), None
