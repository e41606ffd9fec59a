"""Zones that were made already: the same position is shown again and again, to many, and as the start of the next move.

What is remembered is found by its whole content, so that nothing of one seat's view can come into another's.
"""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import fields
from operator import attrgetter
from typing import Any

from hexdeck.engine.text import Text
from hexdeck.engine.view import Zone

POSITIONS = 512  # of a game, as seats know them
ZONES = 16_384

Zones = Callable[[Any, int], Iterable[Zone]]


def remembered(zones: Zones) -> Callable[[Any, int], tuple[Zone, ...]]:
    """A game's `zones`, made once for each seat and struct. Zones with the same content are the same object."""
    kept: OrderedDict[tuple[bytes, int], tuple[Zone, ...]] = OrderedDict()

    @functools.wraps(zones)
    def found(s: Any, seat: int) -> tuple[Zone, ...]:
        key = bytes(s.row_), seat
        known = kept.get(key)
        if known is None:
            known = kept[key] = tuple([zone if id(zone) in _first else one_object(zone) for zone in zones(s, seat)])
            if len(kept) > POSITIONS:
                kept.popitem(last=False)
        return known

    return found


_known: dict[tuple[Any, ...], Zone] = {}
_first: set[int] = set()  # their ids
plain_fields = attrgetter(*(field.name for field in fields(Zone) if field.name not in {"title", "note"}))


def one_object(zone: Zone) -> Zone:
    """The zone with this content that was made first."""
    key = (*plain_fields(zone), content(zone.title), content(zone.note))
    found = _known.get(key)
    if found is None:
        if len(_known) >= ZONES:
            _known.clear()
            _first.clear()
        found = _known[key] = zone
        _first.add(id(zone))
    return found


def content(text: Text | None) -> Any:
    """All of a text, to look it up by."""
    if text is None or not (text.args or text.plural):
        return text and text.key
    values = tuple((name, type(value), _plain(value)) for name, value in text.args.items())
    return text.key, text.plural, values


def _plain(value: Any) -> Any:
    return content(value) if isinstance(value, Text) else value
