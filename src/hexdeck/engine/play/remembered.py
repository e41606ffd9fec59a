"""Zones of positions: the same position is shown again and again, to many, and as the start of the next move.

They are looked up by the whole of what a seat knows, so that nothing of one seat's view can come into another's.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from hexdeck.engine.view import Zone

POSITIONS = 512  # of a game, as seats know them

Zones = Callable[[Any, int], Iterable[Zone]]


def remembered(zones: Zones) -> Callable[[Any, int], tuple[Zone, ...]]:
    """A game's `zones`, made once for each seat and struct."""
    positions: OrderedDict[tuple[bytes, int], tuple[Zone, ...]] = OrderedDict()

    @functools.wraps(zones)
    def zones_of(s: Any, seat: int) -> tuple[Zone, ...]:
        key = bytes(s.row_), seat
        if key not in positions:
            positions[key] = tuple(zones(s, seat))
            if len(positions) > POSITIONS:
                positions.popitem(last=False)
        return positions[key]

    return zones_of
