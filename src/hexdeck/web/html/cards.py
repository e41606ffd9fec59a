"""Cards on a page: their pictures in the sprite, their names for screen readers, and sentences that show them."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from hexdeck.engine.discovery.finding import SHARED
from hexdeck.engine.text import STANDARD_CARD, Cards, Catalogue, Text, card_text, say
from hexdeck.web.html.assets import contents

SUITS = {"c": say("clubs"), "s": say("spades"), "h": say("hearts"), "d": say("diamonds")}
RANKS = {"A": say("ace"), "J": say("jack"), "Q": say("queen"), "K": say("king")}
LETTERED = re.compile(r"(.*\d)([a-f])")


@dataclass(frozen=True)
class CardPicture:
    """A symbol of the sprite, and what is written on it because the picture doesn't show it."""

    symbol: str
    written: str = ""


@functools.cache
def symbols() -> frozenset[str]:
    """The ids of all symbols in the sprite."""
    return frozenset(re.findall(r'<symbol id="([^"]+)"', contents("sprite.svg").decode()))


@functools.cache
def picture(code: str) -> CardPicture:
    """The picture of a card; a code without one is written on a blank card."""
    if f"card-{code}" in symbols():
        return CardPicture(f"card-{code}")
    match = LETTERED.fullmatch(code)
    if match and f"card-{match[1]}" in symbols():
        return CardPicture(f"card-{match[1]}", match[2])
    return CardPicture("card-blank", code)


@functools.cache
def tile(code: str) -> CardPicture:
    """The picture of a card on a board: the square one where there is one."""
    return CardPicture(f"tile-{code}") if f"tile-{code}" in symbols() else picture(code)


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
    match, catalogue = STANDARD_CARD.fullmatch(code), Catalogue(lang, (SHARED,))
    if match is None:
        return code
    rank = catalogue.words(RANKS[match[1]]) if match[1] in RANKS else match[1]
    return catalogue.words(say("{rank} of {suit}", rank=rank, suit=SUITS[match[2]]))


# --- sentences as HTML: escaped, with pictures beside codes of cards that say little by themselves --------------------
BEGIN, END = "\ue000", "\ue001"  # around a code until the sentence is escaped; from the private use area
CODE = re.compile(f"{BEGIN}([^{END}]*){END}")


class MarkingCatalogue(Catalogue):
    """A catalogue that marks the codes of cards for which there is a picture to show."""

    def _argument(self, value: Any) -> str:
        if isinstance(value, Cards):
            return self._listed([marked_card(code, self.suits) for code in value.codes])
        return super()._argument(value)


@functools.cache
def marked_card(code: str, suits: bool) -> str:
    """A card in a sentence: standard cards and plain numbers as they are read, others between marks."""
    if STANDARD_CARD.fullmatch(code) or code.isdecimal() or picture(code).symbol == "card-blank":
        return card_text(code, suits)
    return f"{BEGIN}{code}{END}"


def sentence_html(catalogue: Catalogue, text: Text, sprite: str) -> Markup:
    """A sentence as HTML."""
    sentence = marking_catalogue(catalogue.lang, catalogue.folders, tuple(catalogue.names), catalogue.suits).words(text)
    return Markup(CODE.sub(lambda found: card_with_picture(found[1], sprite), str(escape(sentence))))  # noqa: S704


@functools.lru_cache(4096)
def marking_catalogue(lang: str, folders: tuple[Path, ...], names: tuple[str, ...], suits: bool) -> MarkingCatalogue:
    """A catalogue that marks cards, made once for a table."""
    return MarkingCatalogue(lang, folders, names, suits)


@functools.cache
def card_with_picture(code: str, sprite: str) -> str:
    """A card's code after its picture."""
    shape = '<span class="named"><svg aria-hidden="true"><use href="{}#{}"/></svg>{}</span>'
    return shape.format(escape(sprite), escape(picture(code).symbol), escape(code))
