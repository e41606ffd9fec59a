"""Sentences for people: a key and arguments now, words in somebody's language later.

A `Text` is stored and sent as data. Each screen turns it into words with a `Catalogue`. English keys are the messages
themselves (gettext's way); `tools/catalogues.py` collects them from calls of `say` and `say_n`.
"""

from __future__ import annotations

import functools
import gettext
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "nl")
STANDARD_CARD = re.compile(r"(10|[2-9AJQK])([cshd])")
SYMBOLS = {"c": "♣", "s": "♠", "h": "♥", "d": "♦"}


@dataclass(frozen=True)
class Seat:
    """An argument that names a seat: shown as that player's name."""

    index: int


@dataclass(frozen=True)
class Cards:
    """An argument that names cards by their codes (`"7"`, `"Qh"`); a catalogue may write suits as symbols."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A message: its English key, arguments by name, and the plural key if `n` decides."""

    key: str
    args: dict[str, Any] = field(default_factory=dict)
    plural: str = ""

    def data(self) -> dict[str, Any]:
        """As JSON-able data; `from_data` reads it back."""
        out: dict[str, Any] = {"key": self.key}
        if self.args:
            out["args"] = {name: pack(value) for name, value in self.args.items()}
        if self.plural:
            out["plural"] = self.plural
        return out

    def __str__(self) -> str:
        return Catalogue("en").words(self)


def _(key: str) -> str:
    """The key itself: marks a key for the catalogues that is given to `say` elsewhere."""
    return key


def say(key: str, **args: Any) -> Text:
    """A message with named arguments: int, str, Seat, Cards or another Text."""
    return Text(key, args)


def say_n(one: str, many: str, n: int, **args: Any) -> Text:
    """A message whose form depends on the number `n`."""
    return Text(one, {"n": n, **args}, many)


def card_text(code: str, suits: bool) -> str:
    """A card as people read it: with `suits` a standard card has the symbol of its suit, "7♥"; else its code."""
    found = STANDARD_CARD.fullmatch(code) if suits else None
    return found[1] + SYMBOLS[found[2]] if found else code


def pack(value: Any) -> Any:
    """An argument as JSON-able data."""
    if isinstance(value, Seat):
        return {"seat": value.index}
    if isinstance(value, Cards):
        return {"cards": list(value.codes)}
    if isinstance(value, Text):
        return {"text": value.data()}
    return value


def unpack(value: Any) -> Any:
    """The argument that `pack` made data of."""
    if not isinstance(value, dict):
        return value
    if "seat" in value:
        return Seat(value["seat"])
    if "cards" in value:
        return Cards(tuple(value["cards"]))
    return from_data(value["text"])


def from_data(data: dict[str, Any]) -> Text:
    """The Text that `Text.data` made data of."""
    args = {name: unpack(value) for name, value in data.get("args", {}).items()}
    return Text(data["key"], args, data.get("plural", ""))


@dataclass(frozen=True)
class Catalogue:
    """Turns messages into words of one language; `folders` are searched for `LANG/LC_MESSAGES/messages.mo`.

    `names` are the players' names by seat; without one a seat is "Seat 2". `suits`: whether cards are written with the
    symbols of their suits.
    """

    lang: str = "en"
    folders: tuple[Path, ...] = ()
    names: Sequence[str] = ()
    suits: bool = False

    def words(self, text: Text) -> str:
        """The message in this language, arguments filled in."""
        if not text.args and not text.plural:
            return self._pattern(text.key, "", 0).format()
        n = text.args.get("n")
        pattern = self._pattern(text.key, text.plural, n if isinstance(n, int) else 0)
        return pattern.format(**{name: self._argument(value) for name, value in text.args.items()})

    def _pattern(self, key: str, plural: str, n: int) -> str:
        if plural:
            return self._looked_up(key, plural, n)
        found = self._patterns.get(key)
        if found is None:
            found = self._patterns[key] = self._looked_up(key, "", 0)
        return found

    @functools.cached_property
    def _patterns(self) -> dict[str, str]:
        return patterns(self.lang, self.folders)

    def _looked_up(self, key: str, plural: str, n: int) -> str:
        for folder in self.folders:
            found = translations(folder, self.lang)
            if found is None:
                continue
            words = found.ngettext(key, plural, n) if plural else found.gettext(key)
            if words not in (key, plural):
                return words
        return plural if plural and n != 1 else key

    def _argument(self, value: Any) -> str:
        if isinstance(value, Seat):
            return self.name(value.index)
        if isinstance(value, Cards):
            return self._listed([self.card(code) for code in value.codes])
        if isinstance(value, Text):
            return self.words(value)
        return str(value)

    def card(self, code: str) -> str:
        """A card as this catalogue writes it."""
        return card_text(code, self.suits)

    def _listed(self, cards: Sequence[str]) -> str:
        if len(cards) < 2:
            return "".join(cards)
        joined = ", ".join(cards[:-1])
        return self.words(say("{first} and {last}", first=joined, last=cards[-1]))

    def name(self, seat: int) -> str:
        """The name of the player on a seat."""
        if 0 <= seat < len(self.names):
            return self.names[seat]
        return self.words(say("Seat {number}", number=seat))


@functools.cache
def patterns(_lang: str, _folders: tuple[Path, ...]) -> dict[str, str]:
    """What was looked up already in these folders, messages without a number only."""
    return {}


@functools.cache
def translations(folder: Path, lang: str) -> gettext.GNUTranslations | None:
    """The compiled catalogue of a folder, or None where the language needs or has none."""
    file = folder / lang / "LC_MESSAGES" / "messages.mo"
    if not file.is_file():
        return None
    with file.open("rb") as stream:
        return gettext.GNUTranslations(stream)
