"""Cards on a page: their pictures in the sprite, and their names for screen readers."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from hexdeck.engine.discovery.catalogues import SHARED
from hexdeck.engine.text import STANDARD_CARD, Catalogue, say
from hexdeck.web.html.assets import contents

SUITS = {"c": say("clubs"), "s": say("spades"), "h": say("hearts"), "d": say("diamonds")}
RANKS = {"A": say("ace"), "J": say("jack"), "Q": say("queen"), "K": say("king")}
LETTERED = re.compile(r"(.*\d)([a-f])")


@dataclass(frozen=True)
class Picture:
    """A symbol of the sprite, and what is written on it because the picture doesn't show it."""

    symbol: str
    written: str = ""


@functools.cache
def symbols() -> frozenset[str]:
    """The ids of all symbols in the sprite."""
    return frozenset(re.findall(r'<symbol id="([^"]+)"', contents("sprite.svg").decode()))


@functools.cache
def picture(code: str) -> Picture:
    """The picture of a card; a code without one is written on a blank card."""
    if f"card-{code}" in symbols():
        return Picture(f"card-{code}")
    found = LETTERED.fullmatch(code)
    if found and f"card-{found[1]}" in symbols():
        return Picture(f"card-{found[1]}", found[2])
    return Picture("card-blank", code)


@functools.cache
def tile(code: str) -> Picture:
    """The picture of a card on a board: the square one where there is one."""
    return Picture(f"tile-{code}") if f"tile-{code}" in symbols() else picture(code)


def icon(zone_id: str) -> str:
    """The icon of what is counted in a zone, by the zone's name without the seat; "" without one."""
    name = f"icon-{zone_id.split('-', maxsplit=1)[0]}"
    return name if name in symbols() else ""


@functools.cache
def emblem(zone_id: str, note: str) -> str:
    """The symbol of what a zone's note says, up to a colon or comma (`gift-upside-down`); "" without one."""
    name = f"{zone_id}-{re.sub('[^a-z0-9]+', '-', re.split('[:,]', note)[0].lower())}"
    return name if name in symbols() else ""


@functools.cache
def spoken_name(code: str, lang: str) -> str:
    """A card as it is read aloud, such as "7 of hearts"; codes of other cards as they are."""
    found, words = STANDARD_CARD.fullmatch(code), Catalogue(lang, (SHARED,))
    if found is None:
        return code
    rank = words.words(RANKS[found[1]]) if found[1] in RANKS else found[1]
    return words.words(say("{rank} of {suit}", rank=rank, suit=SUITS[found[2]]))
