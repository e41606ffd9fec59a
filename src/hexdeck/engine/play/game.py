"""A game with its players and options chosen: what matches, bots, simulations and reports are made from."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Self

import numpy as np

from hexdeck.engine.arguments import between, shown
from hexdeck.engine.backends.kernels import TEMPLATE
from hexdeck.engine.discovery.definition import GameDefinition, definition, preset
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import parse_options
from hexdeck.engine.play.driver import Driver, backend_named, driver, raw, usual_backend
from hexdeck.engine.random import DEAL_BITS
from hexdeck.engine.renamed import takes_no_old_names
from hexdeck.engine.text import _, say


@dataclass(frozen=True, eq=False)
class GameSetup:
    """A game, how many play, and all its options in canonical form: what everything below simulations needs of a game.

    `hexdeck.game` makes a `Game`, which can also be simulated. Two setups are equal when the same is played.
    """

    name: str
    players: int
    options: Mapping[str, Any]

    @classmethod
    def named(cls, name: str, players: int | None = None, **options: Any) -> Self:
        """A game by name, for four players or as near as the game allows if not told.

        Raises UnknownGame, or BadOption for players or options out of range.
        """
        canonical = find_game(name)
        rules = definition(canonical).rules
        low, high = rules.PLAYERS
        seats = between(min(max(4, low), high) if players is None else players, low, high)
        if seats is None:
            text = _("{game} is for {low} to {high} players, not {given}.")
            raise BadOption(say(text, game=canonical, low=low, high=high, given=shown(players)))
        chosen = parse_options(rules.OPTIONS, options)
        refusal = rules.refuse(seats, chosen)
        if refusal is not None:
            raise BadOption(refusal)
        return cls(canonical, seats, chosen)

    @classmethod
    def at_table(cls, name: str, players: int | None = None, **options: Any) -> Self:
        """A game as people sit down to play it: what isn't given is as its `PRESET` has it."""
        return cls.named(name, players, **{**preset(name), **options})

    def variant(self, players: int | None = None, **options: Any) -> Self:
        """The same game with other players or options; raises BadOption."""
        return self.named(self.name, self.players if players is None else players, **{**self.options, **options})

    def usual(self) -> Self:
        """The same game for as many players, with its default options."""
        return self.named(self.name, self.players)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSetup) and self._what == other._what

    def __hash__(self) -> int:
        return hash(self._what)

    @property
    def _what(self) -> tuple[Any, ...]:
        return self.name, self.players, tuple(self.options.items())

    @property
    def definition(self) -> GameDefinition:
        """What the game's folder holds."""
        return definition(self.name)

    @property
    def rules(self) -> ModuleType:
        """The kernel."""
        return self.definition.rules

    @property
    def table(self) -> ModuleType:
        """What seats see and are told."""
        return self.definition.table

    @property
    def strategy(self) -> ModuleType:
        """The house bot."""
        return self.definition.strategy

    @property
    def hints(self) -> ModuleType:
        """How results are said to people, and facts that speak for a move."""
        return self.definition.hints

    @property
    def bounds(self) -> ModuleType:
        """The best and the worst result, and how long a match can last; raises HexdeckError where it doesn't say."""
        found = self.definition.bounds
        if found is None:
            text = _("{game} lacks bounds.py, which says the best and the worst result, and how long a match can last.")
            raise HexdeckError(say(text, game=self.name))
        return found

    @functools.cached_property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return int(max(end for _, end in self.rules.SLICES.values()))

    @takes_no_old_names
    def driver(self, backend: str | None = None) -> Driver:
        """The game's functions in a backend (default: `usual_backend`)."""
        return driver(self.definition, usual_backend(self.definition) if backend is None else backend_named(backend))

    def rows(self, used: Driver, count: int = 6) -> Any:
        """Rows for structs of this game; row `kernels.TEMPLATE` holds options and seats."""
        rows = used.rows(count)
        raw(rows)[TEMPLATE] = self.template
        return rows

    @functools.cached_property
    def template(self) -> np.ndarray:
        """The bytes of a struct that holds options and seats, all else zero."""
        struct = np.zeros(1, self.rules.STRUCT)
        struct["seats"] = self.players
        for option in self.rules.OPTIONS:
            struct[option.name] = option.store(self.options[option.name])
        return struct.view(np.uint8)


def check_numbers(first: int, games: int) -> int:
    """The first of so many numbers of matches, as an int; raises BadOption unless each has a stream of its own."""
    last = (1 << (63 - DEAL_BITS)) - 1
    number = between(first, 0, last)
    if number is None:
        raise BadOption(say("Matches are numbered from 0 to {last}, not {number}.", last=last, number=shown(first)))
    if number + games - 1 > last:
        text = _("Matches are numbered from 0 to {last}, which {games} from {first} on exceed.")
        raise BadOption(say(text, last=last, games=shown(games), first=shown(first)))
    return number
