"""Zones that were made already: the same position is shown again and again, to many, and as the start of the next move.

What is remembered is found by its whole content, so that nothing of one seat's view can come into another's.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from hexdeck.engine.view import Zone, first_made, one_object

POSITIONS = 512  # of a game, as seats know them

Zones = Callable[[Any, int], Iterable[Zone]]


def remembered(zones: Zones) -> Callable[[Any, int], tuple[Zone, ...]]:
    """A game's `zones`, made once for each seat and struct. Zones with the same content are the same object."""
    kept: OrderedDict[tuple[bytes, int], tuple[Zone, ...]] = OrderedDict()

    @functools.wraps(zones)
    def found(s: Any, seat: int) -> tuple[Zone, ...]:
        key = bytes(s.row_), seat
        known = kept.get(key)
        if known is None:
            known = kept[key] = tuple([zone if id(zone) in first_made else one_object(zone) for zone in zones(s, seat)])
            if len(kept) > POSITIONS:
                kept.popitem(last=False)
        return known

    return found
