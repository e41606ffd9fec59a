"""Renders templates: what all of them can use, and the catalogues for their sentences."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from hexdeck.bots.players.manners import BOT_NAMES, bot_text, grade_text
from hexdeck.engine.discovery.finding import SHARED, game_words
from hexdeck.engine.text import Catalogue, say, say_n
from hexdeck.tables.entries import LONGEST_NAME
from hexdeck.web.html.assets import address, sprite_of
from hexdeck.web.html.cards import CardPicture
from hexdeck.web.html.models import SeatLine, Site

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


def render(name: str, site: Site, catalogue: Catalogue, **more: Any) -> str:
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
