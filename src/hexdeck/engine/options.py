"""The options of a game: which values they take, how values are checked, how the struct stores them.

A game declares its own in `OPTIONS` of its rules.
"""

import difflib
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from hexdeck.engine.errors import BadOption, between, shortened, shown, whole_numbers
from hexdeck.engine.text import Text, _, say

RANKS = 10
MAX_COPIES = 15
MAX_DECK = 100
NO_SEATS = "none"
THE_MATCH, HOUSE_RULES, THE_CARDS = "match", "rules", "cards"
GROUPS = {  # the groups of options in a form, in order
    THE_MATCH: say("The match"),
    HOUSE_RULES: say("House rules"),
    THE_CARDS: say("For experiments: the cards themselves"),
}


@dataclass(frozen=True)
class Option:
    """An option of a game: its `name`, `default`, the id of the `rule` it belongs to, and a sentence for people.

    `needs`: another option and the value that it must have where this one isn't at its default; it gets that value
    unless somebody gives it another. `group`: where a form shows it, one of GROUPS; "" for what suits its kind.
    """

    name: str
    default: Any
    rule: str
    about: Text
    needs: tuple[str, Any] | None = field(default=None, kw_only=True)
    group: str = field(default="", kw_only=True)
    of_cards: ClassVar[bool] = False  # what the cards are, not a ruling

    @property
    def shown_in(self) -> str:
        """The group of a form that shows it: what stands for no ruling, or for what the cards are, comes last."""
        return self.group or (HOUSE_RULES if self.rule and not self.of_cards else THE_CARDS)

    @property
    def label(self) -> Text:
        """What forms call it, and how it is typed, for error messages."""
        return say("“{about}” ({name})", about=self.about, name=self.name)

    def parse(self, value: Any) -> Any:
        """The canonical form of a value; raises BadOption, saying what is allowed."""
        raise NotImplementedError

    def read(self, typed: str) -> Any:
        """The canonical form of what a person typed; raises BadOption. `spell` is the inverse."""
        return self.parse(typed)

    def spell(self, value: Any) -> str:
        """A canonical value as a person types it."""
        return str(value)

    def explained(self, value: Any) -> Text | None:
        """What a canonical value says of what, where how it is typed doesn't tell."""

    def choices(self) -> dict[str, Text]:
        """What a form offers to choose from: values as they are typed, each in words; empty where one types."""
        return {}

    def in_words(self, value: Any) -> Text:
        """A canonical value as a form shows it."""
        typed = self.spell(value)
        return self.explained(value) or self.choices().get(typed, Text(typed))

    def chosen(self, value: Any) -> Text:
        """The option and a canonical value as a form shows them."""
        return say("“{about}”: {value}", about=self.about, value=self.in_words(value))

    def beside_others(self, value: Any, _chosen: Mapping[str, Any]) -> Any:
        """A canonical value where the others are as chosen: the same, but for names of values."""
        return value

    def store(self, value: Any) -> Any:
        """A canonical value as the struct stores it."""
        return value

    def plain(self, value: Any) -> Any:
        """A canonical value as plain Python: a list if it is several numbers."""
        return value

    def fields(self) -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
        """The struct fields that store this option."""
        return [(self.name, "i4")]

    def allowed(self) -> Text:
        """The allowed values in a few words, for error messages."""
        raise NotImplementedError

    def typeable(self) -> Text:
        """What a person may type, in a few words, for help and error messages."""
        return self.allowed()

    def refuse(self, value: Any, allowed: Text | None = None) -> BadOption:
        """The error for a value that isn't allowed."""
        text = _("{option} can't be {value}; it takes {allowed}.")
        words = say(text, option=self.label, value=shown(value), allowed=allowed or self.allowed())
        return BadOption(words, self.name)


@dataclass(frozen=True)
class Choice(Option):
    """One of a few named values; the struct stores its index. `words`: the values in words, from the game's `WORDS`."""

    values: tuple[str, ...] = ()
    words: Mapping[str, Text] = field(default_factory=dict, compare=False, repr=False)

    def parse(self, value: Any) -> str:
        """The value itself, if it is one of the names."""
        if isinstance(value, str) and value in self.values:
            return value
        raise self.refuse(value)

    def refuse(self, value: Any, allowed: Text | None = None) -> BadOption:  # noqa: ARG002
        """The error for a value that is none of the names: all of them, each with the words of a form."""
        text = _("{option} can't be {value}: it takes {allowed}.")
        return BadOption(say(text, option=self.name, value=shown(value), allowed=self.typeable()), self.name)

    def choices(self) -> dict[str, Text]:
        """The values."""
        return {value: self.words.get(value, Text(value)) for value in self.values}

    def store(self, value: str) -> int:
        """The index of the value."""
        return self.values.index(value)

    def allowed(self) -> Text:
        """The names."""
        return say("one of {names}", names=", ".join(self.values))

    def typeable(self) -> Text:
        """The names, each with the words of a form where these say more."""
        named = [
            Text("{name}", {"name": name}) if str(words) == name else say("{name} ({words})", name=name, words=words)
            for name, words in self.choices().items()
        ]
        return say("{first} or {last}", first=listed(named[:-1]), last=named[-1]) if named[1:] else named[0]


@dataclass(frozen=True)
class Number(Option):
    """An integer from `low` to `high`."""

    low: int = 0
    high: int = 0

    def parse(self, value: Any) -> int:
        """The value as an int; a string of digits will do."""
        if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,9}", value.strip()):
            value = int(value)
        number = between(value, self.low, self.high)
        if number is None:
            raise self.refuse(value)
        return number

    def allowed(self) -> Text:
        """The range."""
        return say("a whole number from {low} to {high}", low=self.low, high=self.high)


@dataclass(frozen=True)
class Switch(Option):
    """On or off; the struct stores 1 or 0."""

    def parse(self, value: Any) -> bool:
        """The value as a bool; the strings on/off, yes/no, true/false and 1/0 will do."""
        if isinstance(value, str):
            value = {"on": True, "yes": True, "true": True, "1": True}.get(
                value.lower(), {"off": False, "no": False, "false": False, "0": False}.get(value.lower(), value)
            )
        if isinstance(value, bool):
            return value
        raise self.refuse(value)

    def spell(self, value: bool) -> str:
        """`on` or `off`."""
        return "on" if value else "off"

    def choices(self) -> dict[str, Text]:
        """On and off."""
        return {"on": say("on"), "off": say("off")}

    def store(self, value: bool) -> int:
        """1 or 0."""
        return int(value)

    def allowed(self) -> Text:
        """On or off."""
        return say("on or off")


@dataclass(frozen=True)
class Deck(Option):
    """A deck: a name from `named`, or the copies of rank 1, 2, 3 … such as `1-2-3`. The struct stores ten counts."""

    named: tuple[tuple[str, tuple[int, ...]], ...] = ()
    of_cards = True

    def parse(self, value: Any) -> str:
        """A name, or the counts joined by hyphens; a list of ints will do."""
        if isinstance(value, str) and value in dict(self.named):
            return value
        counts = numbers_in(value)
        if counts is None or not 1 <= len(counts) <= RANKS or min(counts) < 0 or max(counts) > MAX_COPIES:
            raise self.refuse(value)
        if not 1 <= sum(counts) <= MAX_DECK:
            raise self.refuse(value)
        return "-".join(map(str, counts))

    def counts(self, value: str) -> tuple[int, ...]:
        """The number of copies of each of the ten ranks."""
        numbers = dict(self.named).get(value) or tuple(int(part) for part in value.split("-"))
        return (*numbers, *[0] * (RANKS - len(numbers)))

    def store(self, value: str) -> tuple[int, ...]:
        """The counts."""
        return self.counts(value)

    def plain(self, value: str) -> list[int]:
        """The counts."""
        return list(self.counts(value))

    def fields(self) -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
        """One byte for each of the ten ranks."""
        return [(self.name, "i1", (RANKS,))]

    def allowed(self) -> Text:
        """The names, and the limits of counts."""
        return say(
            "{names}, or how many there are of 1, 2, 3 …, like 1-2-3 (at most {copies} of each, {cards} in all)",
            names=", ".join(name for name, _ in self.named),
            copies=MAX_COPIES,
            cards=MAX_DECK,
        )


@dataclass(frozen=True)
class Numbers(Option):
    """A list of `least` to `most` integers from `low` to `high`, such as `1-1-2`; the struct pads it with zeros.

    `names`: what each number is for, in a word or two, where that isn't its place in the list. `named`: lists that can
    be given by a number, where the option `beside`, which has as many numbers, has more than one.
    """

    low: int = 0
    high: int = 0
    least: int = 1
    most: int = 1
    names: tuple[Text, ...] = ()
    named: tuple[tuple[str, str], ...] = ()
    beside: str = ""
    of_cards = True

    def beside_others(self, value: str, chosen: Mapping[str, Any]) -> str:
        """The list that a number names, where a list of one number can't be meant."""
        return dict(self.named).get(value, value) if "-" in chosen.get(self.beside, "") else value

    def parse(self, value: Any) -> str:
        """The numbers joined by hyphens; a list of ints will do, or the number that names a list."""
        numbers = numbers_in(str(value) if str(value) in dict(self.named) else value)
        if numbers is None or not self.least <= len(numbers) <= self.most:
            raise self.refuse(value)
        if not all(self.low <= number <= self.high for number in numbers):
            raise self.refuse(value)
        return "-".join(map(str, numbers))

    def explained(self, value: str) -> Text | None:
        """Each number with its name, if they have names."""
        pairs = zip(self.names, self.plain(value), strict=False)
        told = [say("{name} {number}", name=name, number=number) for name, number in pairs]
        return listed(told) if told else None

    def store(self, value: str) -> tuple[int, ...]:
        """The numbers, padded with zeros."""
        numbers = [int(part) for part in value.split("-")]
        return (*numbers, *[0] * (self.most - len(numbers)))

    def fields(self) -> list[tuple[str, str] | tuple[str, str, tuple[int, ...]]]:
        """One byte for each number."""
        return [(self.name, "i1", (self.most,))]

    def plain(self, value: str) -> list[int]:
        """The numbers."""
        return [int(part) for part in value.split("-")]

    def allowed(self) -> Text:
        """How many numbers, and their range."""
        few, many = self.least, self.most
        count = str(many) if few == many else say("{low} to {high}", low=few, high=many)
        text = _("{count} whole numbers from {low} to {high} joined by hyphens, like {example}")
        told: dict[str, Any] = {"count": count, "low": self.low, "high": self.high, "example": self.default}
        if self.named:
            plain = say(text, **told)
            return say("{numbers}; or one of {names}", numbers=plain, names=", ".join(name for name, _ in self.named))
        if not self.names:
            return say(text, **told)
        named = _("{count} whole numbers from {low} to {high} joined by hyphens, like {example}, for {names}")
        return say(named, names=listed(self.names), **told)


def listed(names: Sequence[Text]) -> Text:
    """Names with commas between them."""
    return functools.reduce(lambda first, last: say("{first}, {last}", first=first, last=last), names)


@dataclass(frozen=True)
class Seats(Option):
    """A set of seats, or `none`; the struct stores a bit for each seat.

    Records and Python count seats from 0, as in `0-2`; people type and read the same seats from 1, as in `1-3`.
    """

    seats: int = 0

    def parse(self, value: Any) -> str:
        """The seats in ascending order joined by hyphens, or `none`; a list of ints will do."""
        seats = [] if value == NO_SEATS else numbers_in(value)
        if seats is None or not all(0 <= seat < self.seats for seat in seats):
            raise self.refuse(value)
        return "-".join(map(str, sorted(set(seats)))) or NO_SEATS

    def read(self, typed: str) -> str:
        """The seats that a person counted from 1."""
        seats = [] if typed == NO_SEATS else numbers_in(typed)
        if seats is None or not all(1 <= seat <= self.seats for seat in seats):
            raise self.refuse(typed, self.typeable())
        return self.parse([seat - 1 for seat in seats])

    def spell(self, value: str) -> str:
        """The seats counted from 1."""
        return "-".join(str(seat + 1) for seat in self.plain(value)) or NO_SEATS

    def store(self, value: str) -> int:
        """The seats as bits."""
        return sum(1 << seat for seat in self.plain(value))

    def plain(self, value: str) -> list[int]:
        """The seats as a list."""
        return [] if value == NO_SEATS else [int(part) for part in value.split("-")]

    def allowed(self) -> Text:
        """None, or a range of seats."""
        return seats_between(0, self.seats - 1)

    def typeable(self) -> Text:
        """None, or a range of seats counted from 1."""
        return seats_between(1, self.seats)


def numbers_in(value: Any) -> list[int] | None:
    """Numbers joined by hyphens, or a list or tuple of ints, as a list; None for anything else."""
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})*", value):
        return [int(part) for part in value.split("-")]
    return whole_numbers(value)


def seats_between(first: int, last: int) -> Text:
    """The allowed sets of seats, in words."""
    text = _("none, or seats from {first} to {last} joined by hyphens, like {example}")
    return say(text, first=first, last=last, example=f"{first}-{first + 2}")


def parse_options(options: tuple[Option, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game in canonical form, with what these switch on, defaults filled in.

    Raises BadOption for a bad name or value, and for an option that needs another which is set otherwise.
    """
    chosen = stored_options(options, {**switched_on(options, values), **values})
    check_needs({option.name: option for option in options}, chosen)
    return chosen


def stored_options(options: tuple[Option, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a game in canonical form, as they were stored: one may stand without another that it needs.

    Raises BadOption for a bad name or value.
    """
    declared = by_name(options, values)
    chosen = {name: option.parse(values.get(name, option.default)) for name, option in declared.items()}
    return {name: option.beside_others(chosen[name], chosen) for name, option in declared.items()}


def switched_on(options: tuple[Option, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    """The options that given ones switch on, unless they were given too; raises BadOption for a bad value."""
    out: dict[str, Any] = {}
    for option in options:
        if option.needs and option.name in values and option.parse(values[option.name]) != option.default:
            name, value = option.needs
            if name not in values:
                out |= {name: value, **switched_on(options, {**values, name: value})}
    return out


def check_needs(declared: Mapping[str, Option], chosen: Mapping[str, Any]) -> None:
    """Raise BadOption where an option that was chosen needs another that is set otherwise."""
    for name, option in declared.items():
        if option.needs and chosen[name] != option.default and chosen[option.needs[0]] != option.needs[1]:
            needed, value = declared[option.needs[0]], option.needs[1]
            text = _("{option} needs {needed} to be {value}.")
            raise BadOption(say(text, option=option.label, needed=needed.label, value=needed.in_words(value)))


def read_options(options: tuple[Option, ...], typed: Mapping[str, str]) -> dict[str, Any]:
    """The options that a person typed, in canonical form. Raises BadOption for a bad name or value."""
    declared = by_name(options, typed)
    return {name: declared[name].read(value) for name, value in typed.items()}


def by_name(options: tuple[Option, ...], names: Iterable[str]) -> dict[str, Option]:
    """Options by their names; raises BadOption where a given name is none of them."""
    declared = {option.name: option for option in options}
    for name in names:
        if name not in declared:
            raise BadOption(unknown_option(name, declared))
    return declared


def unknown_option(name: str, declared: Mapping[str, Option]) -> Text:
    """The error text for an unknown option name: the nearest name, and all that exist."""
    begun = [each for each in declared if name and each.startswith(name)]
    near, name = begun or difflib.get_close_matches(name, declared, 1), shortened(name)
    names = ", ".join(declared)
    if not declared:
        return say("There is no option {name}; this game has none.", name=name)
    if near:
        return say(
            "There is no option {name} (did you mean {near}?); there are {there}.", name=name, near=near[0], there=names
        )
    return say("There is no option {name}; there are {there}.", name=name, there=names)


# --- presets ----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Preset:
    """A named set of options, in the words of the game's rule sheet: what people choose from at a table.

    `name`: as it is typed. `options`: what differs from the game's defaults; `by_players`: what differs from these with
    some number of players. `first_game`: whether it is for a first game, as the coach explains it.
    """

    name: str
    title: Text
    about: Text
    options: Mapping[str, Any] = field(default_factory=dict)
    by_players: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    first_game: bool = False

    def options_for(self, players: int) -> dict[str, Any]:
        """The options that differ from the defaults with so many players."""
        return {**self.options, **self.by_players.get(players, {})}


AS_USUAL = Preset("usual", say("The usual rules"), say("As the rules say."))
