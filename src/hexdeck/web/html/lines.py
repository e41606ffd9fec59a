"""Sentences as HTML: escaped, with small pictures beside codes of cards that say little by themselves."""

from __future__ import annotations

import functools
import re
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from hexdeck.engine.text import STANDARD_CARD, Cards, Catalogue, Text, card_text
from hexdeck.web.html.cards import picture

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


def sentence_html(words: Catalogue, text: Text, sprite: str) -> Markup:
    """A sentence as HTML."""
    sentence = marking_catalogue(words.lang, words.folders, tuple(words.names), words.suits).words(text)
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


class LineCache:
    """Lines of logs as HTML: they are shown again with every move, and a stored line never changes.

    For so many tables and languages, each with as many lines as are shown of a log, and some.
    """

    def __init__(self, most: int, lines: int) -> None:
        self.most, self.lines = most, lines
        self.kept: OrderedDict[tuple[Any, ...], OrderedDict[int, tuple[Text, Markup]]] = OrderedDict()

    def all(self, words: Catalogue, texts: Sequence[Text], sprite: str) -> list[Markup]:
        """Lines as HTML; they are told apart by being the same object."""
        key = words.lang, words.folders, tuple(words.names), sprite
        kept = self.kept.setdefault(key, OrderedDict())
        self.kept.move_to_end(key)
        if len(self.kept) > self.most:
            self.kept.popitem(last=False)
        return [self._line(kept, words, text, sprite) for text in texts]

    def _line(self, kept: OrderedDict[int, tuple[Text, Markup]], words: Catalogue, text: Text, sprite: str) -> Markup:
        found = kept.get(id(text))
        if found is None or found[0] is not text:
            found = kept[id(text)] = text, sentence_html(words, text, sprite)
            if len(kept) > self.lines:
                kept.popitem(last=False)
        return found[1]


log_lines = LineCache(2048, 400).all


def log_line(words: Catalogue, text: Text, sprite: str) -> Markup:
    """A line of a log as HTML."""
    return log_lines(words, (text,), sprite)[0]
