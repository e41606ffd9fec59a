"""What a page's address asks for: a variant, what it is compared with, and variants that are pinned beside it.

The address is all: `players=3&option-chips=50&bot=sharp&pin=…&against=0` is the same page for everybody. An option of
several numbers may come as several fields. What is as usual stands in no address that we make.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

from hexdeck.bots.players.levels import levels_of
from hexdeck.engine.discovery.definition import definition, preset
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import Deck, Option
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text, say
from hexdeck.lab.workshop import Asked

USUAL_PLAYERS = 4
MOST_PINS = 3
HOUSE, RANDOM = "house", "random"
USUAL = ""  # in `against`: the game as it is at tables
Given = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Variant:
    """A game with its options, and the bot of each seat."""

    game: GameSetup
    bots: tuple[str, ...]

    @property
    def usual(self) -> GameSetup:
        """The game for as many players as it is at tables."""
        return GameSetup.at_table(self.game.name, self.game.players)

    @property
    def changed(self) -> dict[str, str]:
        """The options that aren't as at tables, as they are typed."""
        usual, options = self.usual.options, {option.name: option for option in self.game.rules.OPTIONS}
        return {name: options[name].spell(value) for name, value in self.game.options.items() if value != usual[name]}

    @property
    def query(self) -> str:
        """The variant as the query of an address."""
        pairs = [("players", str(self.game.players)), *((f"option-{name}", v) for name, v in self.changed.items())]
        bots = [("bot", self.bots[0])] if len(set(self.bots)) == 1 else list(seat_fields(self.bots))
        return urlencode([*pairs, *(pair for pair in bots if pair[1] != HOUSE)])


@dataclass(frozen=True)
class Wish:
    """A page's address, read: `given` has its fields, `faults` what is wrong by field; then there is no variant.

    `pins`: the variants beside it. `against`: the number of the pin that it is compared with, or USUAL.
    """

    name: str
    players: int
    given: dict[str, str]
    faults: dict[str, Text]
    variant: Variant | None
    pins: tuple[Variant, ...] = ()
    against: str = USUAL

    @property
    def base(self) -> GameSetup | None:
        """The game that the variant is compared with; None where that is the same."""
        if self.variant is None:
            return None
        chosen = self.pins[int(self.against)].game if self.against else self.variant.usual
        return None if chosen == self.variant.game else chosen

    @property
    def asked(self) -> list[Asked]:
        """What is measured: the variant, then what is pinned."""
        if self.variant is None:
            return []
        return [
            Asked(self.variant.game, self.variant.bots, self.base),
            *(Asked(pin.game, pin.bots) for pin in self.pins),
        ]

    def query(self, *, pins: Sequence[Variant] | None = None, against: str | None = None) -> str:
        """The address of the page again, perhaps with other pins."""
        variant = self.variant.query if self.variant else ""
        pinned = [("pin", pin.query) for pin in (self.pins if pins is None else pins)]
        base = self.against if against is None else against
        return "&".join(filter(None, [variant, urlencode([*pinned, *([("against", base)] if base else [])])]))

    def comparable(self, pin: Variant) -> bool:
        """Whether the variant can be compared with a pin: as many players, the same bots."""
        mine = self.variant
        return mine is not None and (mine.game.players, mine.bots) == (pin.game.players, pin.bots)


def read_wish(name: str, query: str) -> Wish:
    """The wish of an address's query; whatever is wrong is in its `faults`."""
    fields = fields_of(query)
    typed, faults = {key: as_one(values) for key, values in fields.items() if key != "pin"}, dict[str, Text]()
    players = number_of(typed.get("players", ""), name)
    options = read_fields(name, typed, faults)
    game = None if faults else playable_game(name, players, options, faults)
    if game is None:
        return Wish(name, players, typed, faults, None)
    bots = bots_of(typed, game, faults)
    if faults:
        return Wish(name, players, typed, faults, None)
    wish = Wish(name, players, typed, faults, Variant(game, bots), pins_of(name, fields.get("pin", [])))
    against = typed.get("against", USUAL)
    is_comparable = against in map(str, range(len(wish.pins))) and wish.comparable(wish.pins[int(against)])
    return Wish(name, players, typed, faults, wish.variant, wish.pins, against if is_comparable else USUAL)


def fields_of(query: str) -> dict[str, list[str]]:
    """The fields of a query, each with its values in order; none where it can't be read."""
    out: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=200)
    except ValueError:
        pairs = []
    for key, value in pairs:
        out.setdefault(key, []).append(value.replace("\0", "")[:2000])
    return out


def as_one(values: Sequence[str]) -> str:
    """The value of a field; of several cells the numbers joined by hyphens, without cells left empty."""
    return values[0] if len(values) == 1 else "-".join(value.strip() for value in values if value.strip())


def number_of(typed: str, name: str) -> int:
    """The number of players, as near to what was typed as the game allows."""
    low, high = definition(name).rules.PLAYERS
    players = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 3 else USUAL_PLAYERS
    return int(min(max(players, low), high))


def read_fields(name: str, typed: Mapping[str, str], faults: dict[str, Text]) -> dict[str, Any]:
    """The options that were given, in canonical form; what is wrong with them goes to `faults`."""
    out: dict[str, Any] = {}
    for option in definition(name).rules.OPTIONS:
        value = typed.get(f"option-{option.name}")
        if value is not None:
            try:
                out[option.name] = named_deck(option, option.read(value.strip()))
            except BadOption as error:
                faults[option.name] = error.text
    return out


def named_deck(option: Option, value: Any) -> Any:
    """A deck by its name, where its counts have one; any other value as it is."""
    if isinstance(option, Deck):
        names = (name for name, _ in option.named if option.counts(name) == option.counts(value))
        return next(names, value)
    return value


def playable_game(name: str, players: int, options: dict[str, Any], faults: dict[str, Text]) -> GameSetup | None:
    """The game with these options; where they can't be played together, `faults` says so at one of them."""
    try:
        return GameSetup.at_table(name, players, **options)
    except BadOption as error:
        usual = {
            option.name: preset(name).options.get(option.name, option.default)
            for option in definition(name).rules.OPTIONS
        }
        changed = [key for key, value in options.items() if value != usual[key]]
        faults[next((key for key in reversed(changed) if can_do_without(name, players, options, key)), "players")] = (
            error.text
        )
        return None


def can_do_without(name: str, players: int, options: Mapping[str, Any], key: str) -> bool:
    """Whether the other options can be played together."""
    try:
        GameSetup.at_table(name, players, **{name_of: value for name_of, value in options.items() if name_of != key})
    except BadOption:
        return False
    return True


def bots_of(typed: Mapping[str, str], game: GameSetup, faults: dict[str, Text]) -> tuple[str, ...]:
    """The bot of each seat: the seat's own, else that of all."""
    allowed = bots_for(game)
    every = typed.get("bot", "") or HOUSE
    chosen = tuple(typed.get(f"bot-{seat}", "") or every for seat in range(game.players))
    for bot in chosen:
        if bot not in allowed:
            faults["bot"] = say(
                "There is no bot {name} here; there are {bots}.", name=bot[:40], bots=", ".join(allowed)
            )
    return chosen


def bots_for(game: GameSetup) -> list[str]:
    """The bots that the workshop offers for a game: the quick ones, and the levels of play."""
    return list(dict.fromkeys([HOUSE, RANDOM, *levels_of(game)]))


def seat_fields(bots: Sequence[str]) -> list[tuple[str, str]]:
    """A field for each seat's bot."""
    return [(f"bot-{seat}", bot) for seat, bot in enumerate(bots)]


def pins_of(name: str, queries: Sequence[str]) -> tuple[Variant, ...]:
    """The pinned variants that can be played, each once."""
    out: list[Variant] = []
    for query in queries[: 2 * MOST_PINS]:
        try:
            pin = read_wish(name, without_pins(query)).variant
        except HexdeckError:
            continue
        if pin is not None and pin not in out:
            out.append(pin)
    return tuple(out[:MOST_PINS])


def without_pins(query: str) -> str:
    """A query without pins of its own."""
    return urlencode([(key, value) for key, values in fields_of(query).items() for value in values if key != "pin"])
