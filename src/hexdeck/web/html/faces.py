"""Who sits there, as a face: a bot's own by its name, a person's initial in a colour."""

from __future__ import annotations

import functools
import zlib
from dataclasses import dataclass

from hexdeck.bots.players.names import BOT_NAMES
from hexdeck.web.html.page_models import SeatLine

HUES = 10  # colours of initials, `hue-0` and on


@dataclass(frozen=True)
class Likeness:
    """A symbol of the sprite, or else an initial and its colour's number."""

    symbol: str = ""
    initial: str = ""
    hue: int = 0


def likeness(line: SeatLine) -> Likeness:
    """The face of a seat; a person keeps the initial while a bot plays for them."""
    return likeness_of(line.name, line.kind == "bot" and not line.owner)


@functools.lru_cache(4096)
def likeness_of(name: str, bot: bool) -> Likeness:
    """The face that goes with a name: the same name has the same face at every table."""
    number = zlib.crc32(name.strip().casefold().encode())
    if bot:
        known = name if name in BOT_NAMES else BOT_NAMES[number % len(BOT_NAMES)]
        return Likeness(f"face-{known.lower()}")
    return Likeness(initial=name.strip()[:1].upper() or "?", hue=number % HUES)
