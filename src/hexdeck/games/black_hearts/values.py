"""What is printed on the cards of Black Hearts, read from cards.toml beside this file and checked entry by entry."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from hexdeck.engine.errors import HexdeckError, shown
from hexdeck.engine.text import Text, _, say

FILE = Path(__file__).with_name("cards.toml")
GIFTS = ("upside-down", "early-bird", "little-one", "second", "mercy")
GIFT_NAMES = say("Upside down"), say("Early bird"), say("Little one"), say("Second to the crown"), say("Mercy")


class BadCards(HexdeckError):
    """cards.toml can't be read, or holds something that isn't allowed."""


class EntryShape(NamedTuple):
    """What an entry of the file may be: a number from `low` to `high`, or a list of `least` to `most` such numbers."""

    low: int
    high: int
    least: int = 0
    most: int = 0

    def takes(self, value: Any) -> bool:
        """Whether a value is allowed for the entry."""
        numbers = value if self.most else [value]
        if not isinstance(numbers, list) or (self.most and not self.least <= len(numbers) <= self.most):
            return False
        return all(type(number) is int and self.low <= number <= self.high for number in numbers)

    def allowed(self) -> Text:
        """What is allowed for the entry, in a few words."""
        if self.most == 0:
            return say("a whole number from {low} to {high}", low=self.low, high=self.high)
        count = str(self.most) if self.least == self.most else say("{low} to {high}", low=self.least, high=self.most)
        return say("a list of {count} whole numbers from {low} to {high}", count=count, low=self.low, high=self.high)


POINT_SETS = ("13", "1-1-2-2-3-4"), ("8", "1-1-1-1-2-2")  # BH-2: the points of all Curse cards, and of each
NUMBERS, POINTS, TWO_OCLOCK = EntryShape(1, 6, 1, 6), EntryShape(0, 20, 1, 6), EntryShape(1, 6)
COPIES, GIFT = EntryShape(0, 9, 6, 6), EntryShape(0, 9)
ENTRIES: dict[str, dict[str, EntryShape]] = {
    "curse": {"numbers": NUMBERS, "points": POINTS},
    "fixed": {"numbers": NUMBERS, "two_oclock": TWO_OCLOCK},
    "random": {"copies": COPIES},
    "gifts": dict.fromkeys(GIFTS, GIFT),
}


def printed(file: Path = FILE) -> dict[str, Any]:
    """The values in a file, by the names of the options that they are defaults of. Raises BadCards."""
    try:
        values = tomllib.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        why = str(error).rstrip(".")
        raise BadCards(say("{file} can't be read: {why}.", file=file.name, why=why)) from None
    check_keys(file, values, ENTRIES, "")
    for section, entries in ENTRIES.items():
        if not isinstance(values[section], dict):
            raise BadCards(say("In {file}, {section} must be a section: [{section}].", file=file.name, section=section))
        check_keys(file, values[section], entries, f"{section}.")
        for key, entry in entries.items():
            if not entry.takes(values[section][key]):
                text = _("In {file}, {entry} can't be {value}; it must be {allowed}.")
                name, value = f"{section}.{key}", shown(values[section][key])
                raise BadCards(say(text, file=file.name, entry=name, value=value, allowed=entry.allowed()))
    curse, fixed = values["curse"], values["fixed"]
    wrong = misfit(curse["numbers"], curse["points"], fixed["numbers"], fixed["two_oclock"])
    if wrong is not None:
        raise BadCards(say("{file}: {wrong}", file=file.name, wrong=wrong))
    return {
        "curse_numbers": joined(curse["numbers"]),
        "curse_points": joined(curse["points"]),
        "fixed_numbers": joined(fixed["numbers"]),
        "two_oclock": fixed["two_oclock"],
        "random_copies": joined(values["random"]["copies"]),
        "gift_copies": joined([values["gifts"][gift] for gift in GIFTS]),
    }


def joined(numbers: list[int]) -> str:
    """Numbers in the form of an option's value."""
    return "-".join(map(str, numbers))


def check_keys(file: Path, values: dict[str, Any], allowed: dict[str, Any], prefix: str) -> None:
    """Check that these keys are there, and no others; `prefix`: the section that they are in."""
    names = ", ".join(prefix + key for key in allowed)
    for key in [*values, *allowed]:
        if key not in values or key not in allowed:
            unknown = _("{file} has an unknown entry, {entry}; the entries are {there}.")
            text = _("{file} lacks {entry}; it must have {there}.") if key in allowed else unknown
            raise BadCards(say(text, file=file.name, entry=prefix + key, there=names))


def misfit(numbers: list[int], points: list[int], fixed: list[int], two_oclock: int) -> Text | None:
    """Why these values don't fit together, or None (BH-2, BH-3, BH-13)."""
    if len(points) != len(numbers):
        text = _("there are {numbers} Curse cards, but points for {points}; each card needs its own.")
        return say(text, numbers=len(numbers), points=len(points))
    if sum(points) < 1:
        return say("the Curse cards carry no points; together they need at least 1.")
    if two_oclock > len(fixed):
        message = _("Two o'clock can't be Fixed card {position}; there are {cards} of them.")
        return say(message, position=two_oclock, cards=len(fixed))
    return None
