"""Renders templates: card pictures, sentences with pictures, faces, and what every template can use."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

from hexdeck.bots.players.levels import BOT_NAMES, bot_text, grade_text
from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.text import STANDARD_CARD, Cards, Catalogue, Text, card_text, say, say_n
from hexdeck.tables.entries import LONGEST_NAME
from hexdeck.web.html.assets import address, build, contents, sprite_of
from hexdeck.web.html.models import SeatLine, Site

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


ENVIRONMENT = Environment(
    loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=StrictUndefined,
    auto_reload=False,
)
BACK = CardPicture("card-back")


def items(lines: Sequence[str]) -> Markup:
    """Lines that are HTML as the items of a list."""
    return safe("<li>" + "</li>\n<li>".join(lines) + "</li>" if lines else "")


@functools.cache
def template(name: str) -> Template:
    """A template, compiled once."""
    return ENVIRONMENT.get_template(name)


def render(name: str, site: Site, catalogue: Catalogue, /, **more: Any) -> str:
    """A template as HTML; `more`: its variables, besides those that all templates can use."""
    return template(name).render(**template_context(site, catalogue), **more)


def template_context(site: Site, catalogue: Catalogue) -> dict[str, Any]:
    """What all templates can use: addresses, and sentences in the reader's language."""

    def translate(key: str, **args: Any) -> str:
        return catalogue.words(say(key, **args))

    def translate_n(singular: str, plural: str, n: int, **args: Any) -> str:
        return catalogue.words(say_n(singular, plural, n, **args))

    def level(name: str) -> str:
        text = bot_text(name)
        return catalogue.words(text) if text else name

    def grade(name: str) -> str:
        text = grade_text(name)
        return catalogue.words(text) if text else ""

    def rank(name: str) -> str:
        return " · ".join(dict.fromkeys(filter(None, (grade(name), level(name)))))

    return {
        "site": site,
        "say": translate,
        "say_n": translate_n,
        "words": catalogue.words,
        "level": level,
        "grade": grade,
        "rank": rank,
        "sprite": safe(sprite_of(site.prefix)),
        "likeness": likeness,
        "items": items,
        "back": BACK,
        "longest_name": LONGEST_NAME,
        "static_path": address,
        "build": build(),
        "url": lambda path: site.prefix + quote(path),
        "static": lambda file: f"{site.prefix}/{address(file)}",
    }


def site_catalogue(site: Site) -> Catalogue:
    """The catalogue of sentences that belong to no game."""
    return Catalogue(site.lang, (SHARED,))


def game_catalogue(site: Site, game: str, names: Sequence[str] = ()) -> Catalogue:
    """The catalogue of a game, with symbols for the suits of cards."""
    return replace(game_words(game, site.lang, tuple(names)), suits=True)


def safe(html: str) -> Markup:
    """HTML that is our own: a template's, or an address."""
    return Markup(html)  # noqa: S704 - as said


# --- faces: a bot's own by its name, a person's initial in a colour ---------------------------------------------------
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


def likeness_of(name: str, bot: bool) -> Likeness:
    """The face that goes with a name: the same name has the same face at every table."""
    number = zlib.crc32(name.strip().casefold().encode())
    if bot:
        face = name if name in BOT_NAMES else BOT_NAMES[number % len(BOT_NAMES)]
        return Likeness(f"face-{face.lower()}")
    return Likeness(initial=name.strip()[:1].upper() or "?", hue=number % HUES)
