"""A game with its number of players and its options: what matches, bots, simulations and reports start from.

`SOLVER` in a game's `solver.py` offers exact best play, as a `Solver`; a `Summary` is what it tells, for any screen.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, Self

import numpy as np

from hexdeck.engine.arguments import between, shown
from hexdeck.engine.backends.kernels import TEMPLATE
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.definition import preset as preset_of
from hexdeck.engine.discovery.finding import read_name
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import parse_options, switched_on
from hexdeck.engine.play.driver import Driver, backend_named, driver, raw, usual_backend
from hexdeck.engine.random import DEAL_BITS
from hexdeck.engine.text import Text, _, say


@dataclass(frozen=True, eq=False)
class GameSetup:
    """A game, its number of players, and its options in canonical form; `hexdeck.game` returns its subclass `Game`.

    Two setups are equal if name, players and options are.
    """

    name: str
    players: int
    options: Mapping[str, Any]

    @classmethod
    def named(cls, name: str, players: int | None = None, **options: Any) -> Self:
        """A game by name; without `players` four, or as near to four as the game allows.

        The name may be that of a size, such as `cursed-hand/tiny`: its options count where none are given.
        Raises UnknownGame, or BadOption for players or options out of range.
        """
        canonical, _size, players, frozen = read_name(name, players)
        rules = definition(canonical).rules
        low, high = rules.PLAYERS
        seats = between(min(max(4, low), high) if players is None else players, low, high)
        if seats is None:
            text = _("{game} is for {low} to {high} players, not {given}.")
            raise BadOption(say(text, game=canonical, low=low, high=high, given=shown(players)))
        chosen = parse_options(rules.OPTIONS, {**frozen, **options})
        refusal = rules.refuse(seats, chosen)
        if refusal is not None:
            raise BadOption(refusal)
        return cls(canonical, seats, chosen)

    @classmethod
    def at_table(cls, name: str, players: int | None = None, preset: str = "", **options: Any) -> Self:
        """A game as people play it: options that aren't given are those of a preset, the first of the game's `PRESETS`.

        A size has options of its own. Raises BadOption where there is no such preset, too.
        """
        if read_name(name, players).size and not preset:
            return cls.named(name, players, **options)
        plain = cls.named(name, players)
        usual, needed = preset_of(name, preset).options_for(plain.players), switched_on(plain.rules.OPTIONS, options)
        return cls.named(name, players, **{**usual, **needed, **options})

    def variant(self, players: int | None = None, **options: Any) -> Self:
        """The same game with other players or options; raises BadOption."""
        needed = switched_on(self.rules.OPTIONS, options)
        seats = self.players if players is None else players
        return self.named(self.name, seats, **{**self.options, **needed, **options})

    def usual(self) -> Self:
        """The same game for as many players, with its default options."""
        return self.named(self.name, self.players)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSetup) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def _identity(self) -> tuple[Any, ...]:
        return self.name, self.players, tuple(self.options.items())

    @property
    def definition(self) -> GameDefinition:
        """What the game's folder holds."""
        return definition(self.name)

    @property
    def rules(self) -> ModuleType:
        """The game's `rules` module: the kernel."""
        return self.definition.rules

    @property
    def table(self) -> ModuleType:
        """The game's `table` module: what seats see and are told."""
        return self.definition.table

    @property
    def endings(self) -> tuple[Text, ...]:
        """What ends a match, in words, by the number in a struct's `ending`."""
        return self.definition.endings

    @property
    def strategy(self) -> ModuleType:
        """The game's `strategy` module: the house bot."""
        return self.definition.strategy

    @property
    def hints(self) -> ModuleType:
        """The game's `hints` module: how results are phrased, and reasons for a move."""
        return self.definition.hints

    @property
    def bounds(self) -> ModuleType:
        """The game's `bounds` module: the best and worst utility, and the longest match.

        Raises HexdeckError if the game has none.
        """
        function = self.definition.bounds
        if function is None:
            text = _(
                "{game} has no bounds.py, which gives the best and the worst result and how long a match can last."
            )
            raise HexdeckError(say(text, game=self.name))
        return function

    @functools.cached_property
    def observation_size(self) -> int:
        """The length of an observation."""
        return int(max(end for _, end in self.rules.SLICES.values()))

    def driver(self, backend: str | None = None) -> Driver:
        """The game's driver for a backend, `usual_backend` by default."""
        return driver(self.definition, usual_backend(self.definition) if backend is None else backend_named(backend))

    def rows(self, used: Driver, count: int = 6) -> Any:
        """Structs of this game for its driver `used`; row `kernels.TEMPLATE` holds the options and number of seats."""
        rows = used.rows(count)
        raw(rows)[TEMPLATE] = self.template
        return rows

    @functools.cached_property
    def template(self) -> np.ndarray:
        """The bytes, uint8, of a struct with options and number of seats, zero otherwise."""
        struct = np.zeros(1, self.rules.STRUCT)
        struct["seats"] = self.players
        for option in self.rules.OPTIONS:
            struct[option.name] = option.store(self.options[option.name])
        return struct.view(np.uint8)


def check_numbers(first: int, games: int) -> int:
    """The number of the first of `games` matches as an int.

    Raises BadOption unless it and the numbers after it are in range: each match needs a random stream of its own.
    """
    last = (1 << (63 - DEAL_BITS)) - 1
    number = between(first, 0, last)
    if number is None:
        raise BadOption(say("Matches are numbered from 0 to {last}, not {number}.", last=last, number=shown(first)))
    if number + games - 1 > last:
        text = _("Matches are numbered from 0 to {last}, which {games} from {first} on exceed.")
        raise BadOption(say(text, last=last, games=shown(games), first=shown(first)))
    return number


Entry = Text | str  # a str is shown as it is, untranslated


@dataclass(frozen=True)
class Sheet:
    """A small table: its title, column heads and rows, and a note that explains its entries."""

    title: Text
    heads: tuple[Entry, ...]
    rows: tuple[tuple[Entry, ...], ...]
    note: Text | None = None


@dataclass(frozen=True)
class Summary:
    """A title, tables, and closing sentences."""

    title: Text
    sheets: tuple[Sheet, ...]
    notes: tuple[Text, ...]


class Solution(Protocol):
    """A solved game."""

    def action_values(self, known: bytes, seat: int) -> list[tuple[int, float | None]]:
        """Each legal action of a seat, the best first, with its exact expected utility, or None where there is none."""


@dataclass(frozen=True)
class Solver:
    """Exact best play of a game.

    `check` raises BadOption for players or options that it can't solve. `solution` solves a game in a backend, and
    `response` likewise gives the best response to players who don't always play perfectly, if there is one. `summary`
    is what `hexdeck solve` tells of a game, and of how many chips a round begins with. `is_quick`: whether a game is
    solved within seconds with the machine code that there is.
    """

    check: Callable[[GameSetup], None]
    solution: Callable[[GameSetup, str | None], Solution]
    summary: Callable[[GameSetup, int], Any]
    response: Callable[[GameSetup, str | None], Solution] | None = None
    is_quick: Callable[[GameSetup], bool] = lambda _game: True


def solver_of(game: GameSetup) -> Solver | None:
    """The solver of a game, if it has one."""
    module = game.definition.solver
    return module.SOLVER if module else None
