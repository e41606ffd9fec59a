"""A game with its players and options chosen: what matches, simulations and reports are made from."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import between, named, shown
from hexdeck.engine.definition import GameDefinition, definition, wrong_with
from hexdeck.engine.driver import Driver, backend_named, driver, raw, usual_backend
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame
from hexdeck.engine.finding import places
from hexdeck.engine.kernels import TEMPLATE
from hexdeck.engine.options import parse_options
from hexdeck.engine.renamed import takes_no_old_names
from hexdeck.engine.text import _, say

if TYPE_CHECKING:
    from hexdeck.engine.batch import Batch
    from hexdeck.engine.match import Match
    from hexdeck.engine.simulate import Results


def game_names() -> tuple[str, ...]:
    """The names of all games that are found, those that don't work among them (see `hexdeck.engine.finding`)."""
    return tuple(places())


def playable() -> tuple[str, ...]:
    """The names of the games that work."""
    return tuple(name for name in places() if wrong_with(name) is None)


def game_folder(name: str) -> Path:
    """Where a game's files are."""
    return places()[name].folder


def measured_with(name: str) -> dict[str, Any]:
    """The options with which all was measured that is kept with a game: the defaults.

    But what is printed on its cards may be edited, and be a default since: `MEASURED` of its table has what it was.
    """
    game = definition(name)
    return {option.name: option.default for option in game.rules.OPTIONS} | dict(game.table.MEASURED)


def find_game(name: str) -> str:
    """The canonical name of a game; raises UnknownGame naming those that exist."""
    if not isinstance(name, str):
        raise UnknownGame(
            say("There is no game {name}; there are {there}.", name=shown(name), there=", ".join(game_names()))
        )
    canonical = name.strip().lower().replace("_", "-").replace(" ", "-")
    if canonical in game_names():
        return canonical
    near = difflib.get_close_matches(canonical, game_names(), 1)
    there = ", ".join(game_names())
    if near:
        raise UnknownGame(
            say(
                "There is no game {name} (did you mean {near}?); there are {there}.",
                name=named(name),
                near=near[0],
                there=there,
            )
        )
    raise UnknownGame(say("There is no game {name}; there are {there}.", name=named(name), there=there))


@dataclass(frozen=True)
class Game:
    """A game, how many play, and all its options in canonical form. Make one with `hexdeck.game`."""

    name: str
    players: int
    options: Mapping[str, Any]

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

    @takes_no_old_names
    def match(self, seed: int | bytes | None = None, **how: Any) -> Match:
        """A new match; see `Match` for `number`, `backend`, `by_hand` and `names`."""
        from hexdeck.engine.match import Match

        return Match(self, seed, **how)

    @takes_no_old_names
    def batch(self, envs: int, threads: int = 1, **how: Any) -> Batch:
        """So many matches, stepped at once in compiled code; see `hexdeck.engine.batch.Batch`."""
        from hexdeck.engine.batch import Batch

        return Batch(self, envs, threads, **how)

    @takes_no_old_names
    def simulate(self, games: int, bots: Any = "random", seed: int = 0, threads: int = 1, **how: Any) -> Results:
        """Play whole games between bots in compiled code; see `hexdeck.engine.simulate.simulate`."""
        from hexdeck.engine.simulate import simulate

        return simulate(self, games, bots, seed, threads, **how)


def game(name: str, players: int | None = None, **options: Any) -> Game:
    """A game by name. Raises UnknownGame, or BadOption for players or options out of range.

    Without `players`: four, or as near as the game allows.
    """
    canonical = find_game(name)
    rules = definition(canonical).rules
    low, high = rules.PLAYERS
    if players is None:
        players = min(max(4, low), high)
    seats = between(players, low, high)
    if seats is None:
        text = say(
            "{game} is for {low} to {high} players, not {given}.",
            game=canonical,
            low=low,
            high=high,
            given=shown(players),
        )
        raise BadOption(text)
    chosen = parse_options(rules.OPTIONS, options)
    refusal = rules.refuse(seats, chosen)
    if refusal is not None:
        raise BadOption(refusal)
    return Game(canonical, seats, chosen)


def preset(name: str) -> dict[str, Any]:
    """The options that a game has at tables if nothing is chosen, where they differ from the defaults: its `PRESET`."""
    return dict(definition(find_game(name)).table.PRESET)


def game_at_table(name: str, players: int | None = None, **options: Any) -> Game:
    """A game as people sit down to play it: what isn't given is as its `PRESET` has it. Raises what `game` does."""
    return game(name, players, **{**preset(name), **options})
