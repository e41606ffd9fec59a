"""A game with its players and options chosen: what matches, simulations and reports are made from."""

from __future__ import annotations

import difflib
import functools
import pkgutil
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import between, named, shown
from hexdeck.engine.driver import Driver, backend_named, driver, raw
from hexdeck.engine.errors import BadOption, UnknownGame
from hexdeck.engine.kernels import TEMPLATE
from hexdeck.engine.options import parse_options
from hexdeck.engine.renamed import takes_no_old_names
from hexdeck.engine.text import say

if TYPE_CHECKING:
    from hexdeck.engine.batch import Batch
    from hexdeck.engine.match import Match
    from hexdeck.engine.simulate import Results

GAMES = "hexdeck.games"


@functools.cache
def game_names() -> tuple[str, ...]:
    """The names of all games: every folder of `hexdeck.games`, hyphens for underscores."""
    package = import_module(GAMES)
    return tuple(sorted(info.name.replace("_", "-") for info in pkgutil.iter_modules(package.__path__) if info.ispkg))


def game_module(name: str, part: str) -> ModuleType:
    """A module (`rules`, `table`, `strategy`, `hints`; `solver` where there is one) of a game."""
    return import_module(f"{GAMES}.{name.replace('-', '_')}.{part}")


@functools.cache
def game_folder(name: str) -> Path:
    """Where a game's files are."""
    spec = find_spec(f"{GAMES}.{name.replace('-', '_')}")
    assert spec is not None and spec.origin is not None
    return Path(spec.origin).parent


def measured_with(name: str) -> dict[str, Any]:
    """The options with which all was measured that is kept with a game: the defaults.

    But what is printed on its cards may be edited, and be a default since: `MEASURED` of its table has what it was.
    """
    usual = {option.name: option.default for option in game_module(name, "rules").OPTIONS}
    return usual | getattr(game_module(name, "table"), "MEASURED", {})


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
    def rules(self) -> ModuleType:
        """The kernel."""
        return game_module(self.name, "rules")

    @property
    def table(self) -> ModuleType:
        """What seats see and are told."""
        return game_module(self.name, "table")

    @property
    def strategy(self) -> ModuleType:
        """The house bot."""
        return game_module(self.name, "strategy")

    @property
    def hints(self) -> ModuleType:
        """How results are said to people, and facts that speak for a move."""
        return game_module(self.name, "hints")

    @property
    def solver(self) -> ModuleType | None:
        """Exact best play, for games whose folder has a `solver`."""
        found = find_spec(f"{GAMES}.{self.name.replace('-', '_')}.solver")
        return game_module(self.name, "solver") if found else None

    @functools.cached_property
    def observation_size(self) -> int:
        """How many numbers an observation has."""
        return int(max(end for _, end in self.rules.SLICES.values()))

    @takes_no_old_names
    def driver(self, backend: str | None = None) -> Driver:
        """The game's functions in a backend (default: `HEXDECK_BACKEND`, else fast)."""
        return driver(self.rules, self.strategy, backend_named(backend))

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
    rules = game_module(canonical, "rules")
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
    return dict(getattr(game_module(find_game(name), "table"), "PRESET", {}))


def game_at_table(name: str, players: int | None = None, **options: Any) -> Game:
    """A game as people sit down to play it: what isn't given is as its `PRESET` has it. Raises what `game` does."""
    return game(name, players, **{**preset(name), **options})
