"""Sentences of a log as HTML: escaped, and small pictures beside codes of cards that say little by themselves."""

from __future__ import annotations

import functools
import re
from collections import OrderedDict
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from hexdeck.engine.text import STANDARD_CARD, Cards, Catalogue, Text, card_text
from hexdeck.web.html.cards import picture

BEGIN, END = "\ue000", "\ue001"  # around a code until the sentence is escaped; nothing that people type holds them
CODE = re.compile(f"{BEGIN}([^{END}]*){END}")


class Pictured(Catalogue):
    """A catalogue that marks the codes of cards of which there is a picture to show."""

    def _argument(self, value: Any) -> str:
        if isinstance(value, Cards):
            return self._listed([marked(code, self.suits) for code in value.codes])
        return super()._argument(value)


@functools.cache
def marked(code: str, suits: bool) -> str:
    """A card in a sentence: standard cards and plain numbers as they are read, others with a mark around."""
    if STANDARD_CARD.fullmatch(code) or code.isdecimal() or picture(code).symbol == "card-blank":
        return card_text(code, suits)
    return f"{BEGIN}{code}{END}"


def written(words: Catalogue, text: Text, sprite: str) -> Markup:
    """A sentence as HTML."""
    told = pictured(words.lang, words.folders, tuple(words.names), words.suits).words(text)
    return Markup(CODE.sub(lambda found: small(found[1], sprite), str(escape(told))))  # noqa: S704


@functools.lru_cache(4096)
def pictured(lang: str, folders: tuple[Path, ...], names: tuple[str, ...], suits: bool) -> Pictured:
    """A catalogue that marks cards, made once for a table."""
    return Pictured(lang, folders, names, suits)


@functools.cache
def small(code: str, sprite: str) -> str:
    """A card's code with its picture before it."""
    shape = '<span class="named"><svg aria-hidden="true"><use href="{}#{}"/></svg>{}</span>'
    return shape.format(escape(sprite), escape(picture(code).symbol), escape(code))


class Lines:
    """Lines of logs in words: they are shown again with every move, and a stored line never changes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.kept: OrderedDict[tuple[int, str, tuple[str, ...], str], tuple[Text, Markup]] = OrderedDict()

    def words(self, words: Catalogue, text: Text, sprite: str) -> Markup:
        """A line in words, as HTML; it is known by being the same object."""
        key = id(text), words.lang, tuple(words.names), sprite
        found = self.kept.get(key)
        if found is None or found[0] is not text:
            found = self.kept[key] = text, written(words, text, sprite)
            if len(self.kept) > self.most:
                self.kept.popitem(last=False)
        return found[1]


remembered = Lines(50_000).words
