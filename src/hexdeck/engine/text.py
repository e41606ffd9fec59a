"""Sentences as data: a format string and its arguments, put into words where they are read.

A `Text` is stored and sent as data, and each screen turns it into a sentence with a `Catalogue`. As in gettext, keys
are the English sentences themselves; `tools/catalogues.py` collects them from the calls of `say`, `say_n` and `_`.
"""

from __future__ import annotations

import functools
import gettext
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "nl")
PERCENT = "\u00a0%"  # a line doesn't end between a number and its sign
STANDARD_CARD = re.compile(r"(10|[2-9AJQK])([cshd])")
SYMBOLS = {"c": "♣", "s": "♠", "h": "♥", "d": "♦"}
CARD_NAMES = "cards.toml"  # beside the catalogues of a game: the names that its cards have, by their codes
CARD_NAME = re.compile("[^\0-\x1f\x7f-\x9f\u2028\u2029\ue000-\uf8ff]{1,16}")


@dataclass(frozen=True)
class Seat:
    """A message argument that stands for a seat; it is shown as the player's name."""

    index: int


@dataclass(frozen=True)
class Cards:
    """A message argument that stands for cards by their codes (`"7"`, `"Qh"`)."""

    codes: tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A message: its English key, its arguments by name, and the plural key if the argument `n` decides the form."""

    key: str
    args: dict[str, Any] = field(default_factory=dict)
    plural: str = ""

    def data(self) -> dict[str, Any]:
        """The message as JSON-able data; `from_data` is the inverse."""
        out: dict[str, Any] = {"key": self.key}
        if self.args:
            out["args"] = {name: pack(value) for name, value in self.args.items()}
        if self.plural:
            out["plural"] = self.plural
        return out

    def __str__(self) -> str:
        return Catalogue("en").words(self)


def _(key: str) -> str:
    """The key unchanged: it marks a key for the catalogues that is passed to `say` later."""
    return key


def say(key: str, **args: Any) -> Text:
    """A message with named arguments, each an int, str, Seat, Cards or Text.

    Large ints are shown with separators: give an int that people type, such as a seed or a port, as a str.
    """
    return Text(key, args)


def say_n(one: str, many: str, n: int, **args: Any) -> Text:
    """A message in the singular or plural, as the number `n` requires."""
    return Text(one, {"n": n, **args}, many)


OF = _("{number} of {total}")


def out_of(number: int, total: int) -> Text | int:
    """A number, and of how many it is where that is more than one."""
    return say(OF, number=number, total=total) if total > 1 else number


def in_cards(n: int) -> Text:
    """A number of cards."""
    return say_n("{n} card", "{n} cards", n)


def in_chips(n: int) -> Text:
    """A number of chips."""
    return say_n("{n} chip", "{n} chips", n)


def in_points(n: int) -> Text:
    """A number of points."""
    return say_n("{n} point", "{n} points", n)


def in_games(n: int) -> Text:
    """A number of games."""
    return say_n("{n} game", "{n} games", n)


def thousands(digits: str) -> Text | str:
    """An integer in groups of three digits, as the language separates them."""
    before, last = digits[:-3], digits[-3:]
    return say("{thousands},{rest}", thousands=thousands(before), rest=last) if before else last


def card_text(code: str, suits: bool) -> str:
    """A card for people: its code, or with `suits` a standard card with its suit's symbol, "7♥"."""
    match = STANDARD_CARD.fullmatch(code) if suits else None
    return match[1] + SYMBOLS[match[2]] if match else code


def pack(value: Any) -> Any:
    """A message argument as JSON-able data."""
    if isinstance(value, Seat):
        return {"seat": value.index}
    if isinstance(value, Cards):
        return {"cards": list(value.codes)}
    if isinstance(value, Text):
        return {"text": value.data()}
    return value


def unpack(value: Any) -> Any:
    """The message argument from `pack`'s data."""
    if not isinstance(value, dict):
        return value
    if "seat" in value:
        return Seat(value["seat"])
    if "cards" in value:
        return Cards(tuple(value["cards"]))
    return from_data(value["text"])


def from_data(data: dict[str, Any]) -> Text:
    """The Text from the data of `Text.data`."""
    args = {name: unpack(value) for name, value in data.get("args", {}).items()}
    return Text(data["key"], args, data.get("plural", ""))


@dataclass(frozen=True)
class Catalogue:
    """Turns messages into sentences of one language; `folders` are searched for `LANG/LC_MESSAGES/messages.po`.

    `names` are the players' names by seat; without a name a seat is shown as "Seat 2". With `suits`, cards are shown
    with the symbols of their suits.
    """

    lang: str = "en"
    folders: tuple[Path, ...] = ()
    names: Sequence[str] = ()
    suits: bool = False

    def words(self, text: Text) -> str:
        """The sentence for a message, its arguments filled in."""
        n = text.args.get("n", 0) if text.plural else 0
        words = pattern(self.lang, self.folders, text.key, text.plural, n if isinstance(n, int) else 0)
        return words.format(**{name: self._argument(value) for name, value in text.args.items()})

    def _argument(self, value: Any) -> str:
        if type(value) is int and value >= 1000:
            value = thousands(str(value))
        if isinstance(value, Seat):
            return self.name(value.index)
        if isinstance(value, Cards):
            return self._listed([self.card(code) for code in value.codes])
        if isinstance(value, Text):
            return self.words(value)
        return str(value)

    def card(self, code: str) -> str:
        """A card as this catalogue shows it, with its name if it has one."""
        return card_text(code, self.suits) + self.named(code)

    def named(self, code: str) -> str:
        """The name of a card after its code, with a space before it; "" without one."""
        name = next((names[code] for folder in self.folders if code in (names := card_names(folder))), "")
        return f"\u00a0{name}" if name else ""

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
def card_names(folder: Path) -> dict[str, str]:
    """The names of cards by their codes, as a file in a folder has them; raises ValueError for a bad one."""
    file = folder / CARD_NAMES
    return names_from(file.read_text(encoding="utf-8")) if file.is_file() else {}


def names_from(text: str) -> dict[str, str]:
    """The names of cards in the text of a file; raises ValueError."""
    import tomllib  # few games name cards

    names = tomllib.loads(text)
    for code, name in names.items():
        if not isinstance(name, str) or not CARD_NAME.fullmatch(name):
            raise ValueError(f"the name of the card {code} must be 1 to 16 letters on a line")
    return names


@functools.lru_cache(50_000)
def pattern(lang: str, folders: tuple[Path, ...], key: str, plural: str, n: int) -> str:
    """A message in a language, in the form that goes with n if it has forms, before its arguments are filled in."""
    for folder in folders:
        translation = translations(folder, lang).of(key, n if plural else None)
        if translation not in (None, key, plural):
            return str(translation).replace(" %", PERCENT)
    return (plural if plural and n != 1 else key).replace(" %", PERCENT)


@dataclass(frozen=True)
class Translations:
    """The messages of a `.po` file: for each English one its translation, or the forms of it, and which goes with n."""

    forms: dict[str, tuple[str, ...]]
    form: Callable[[int], int] = int

    @classmethod
    def parsed(cls, text: str) -> Translations:
        """The messages of the text of a `.po` file but fuzzy and empty ones; raises ValueError if it isn't one."""
        forms: dict[str, tuple[str, ...]] = {}
        for entry in re.split(r"\n\s*\n", text):
            fields: dict[str, str] = {}
            name = ""
            for line in entry.splitlines():
                if not line.startswith("#"):
                    keyword, quoted = re.split('(?=")', line, maxsplit=1)
                    name = keyword.strip() or name
                    fields[name] = fields.get(name, "") + json.loads(quoted)  # escapes are those of JSON
            translation = tuple(fields[name] for name in fields if name.startswith("msgstr"))
            if fields and all(translation) and not re.search("^#,.*fuzzy", entry, re.MULTILINE):
                forms[fields["msgid"]] = translation
        rule = re.search(r"plural=(.*?);", forms.get("", ("",))[0])
        return cls(forms, gettext.c2py(rule[1]) if rule else int)

    def of(self, key: str, n: int | None = None) -> str | None:
        """The translation of a message, if there is one; in the form that goes with n, if it has forms."""
        forms = self.forms.get(key)
        return None if forms is None else forms[0 if n is None else min(self.form(n), len(forms) - 1)]


@functools.cache
def translations(folder: Path, lang: str) -> Translations:
    """The catalogue in a folder for a language; empty if there is none, as for English."""
    file = folder / lang / "LC_MESSAGES" / "messages.po"
    return Translations.parsed(file.read_text(encoding="utf-8")) if file.is_file() else Translations({})


def number(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals; a minus sign if it is negative."""
    written = f"{abs(value):.{digits}f}"
    whole, point, rest = written.partition(".")
    grouped: Text | str = thousands(whole)
    text: Text | str = say("{whole}.{tenth}", whole=grouped, tenth=rest) if point else grouped
    return say("{sign}{number}", sign="\u2212", number=text) if is_negative(value, written) else text


def signed(value: float, digits: int) -> Text | str:
    """A number with `digits` decimals, and a plus or minus sign."""
    text = number(value, digits)
    negative = is_negative(value, f"{abs(value):.{digits}f}")
    return text if negative else say("{sign}{number}", sign="+", number=text)


def is_negative(value: float, written: str) -> bool:
    """Whether a number is negative as it is written; -0.0 isn't."""
    return value < 0 and any(letter in "123456789" for letter in written)


def count(things: int) -> Text | str:
    """A number of things."""
    return number(things, 0)
