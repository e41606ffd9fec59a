"""A game with its number of players and its options: what matches, bots, simulations and reports start from.

`SOLVER` in a game's `solver.py` offers exact best play, as a `Solver`; a `Summary` is what it tells, for any screen.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol, Self

import numpy as np

from hexdeck.engine.backends import kernels, library
from hexdeck.engine.backends.build import can_build
from hexdeck.engine.backends.cache import begun, complete, mark_ready, ready, tell
from hexdeck.engine.backends.interpreted import Cells, InterpretedGame, Rows, proxy_class, strict
from hexdeck.engine.backends.kernels import TEMPLATE
from hexdeck.engine.discovery.bounded_loading import guarded
from hexdeck.engine.discovery.definition import GameDefinition, definition
from hexdeck.engine.discovery.definition import preset as preset_of
from hexdeck.engine.discovery.finding import places, read_name
from hexdeck.engine.errors import BadOption, HexdeckError, between, shown
from hexdeck.engine.options import parse_options, stored_options, switched_on
from hexdeck.engine.random import DEAL_BITS, generator
from hexdeck.engine.study import ENDLESS, ResultUnit
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
        return cls._with(canonical, players, parse_options(definition(canonical).rules.OPTIONS, {**frozen, **options}))

    @classmethod
    def stored(cls, name: str, players: int, options: Mapping[str, Any]) -> Self:
        """A game by its canonical name as a record or a table has it.

        An option that has no effect without another may stand without it. Raises as `named` does.
        """
        return cls._with(name, players, stored_options(definition(name).rules.OPTIONS, options))

    @classmethod
    def _with(cls, name: str, players: int | None, chosen: Mapping[str, Any]) -> Self:
        rules = definition(name).rules
        low, high = rules.PLAYERS
        seats = between(min(max(4, low), high) if players is None else players, low, high)
        if seats is None:
            text = _("{game} is for {low} to {high} players, not {given}.")
            raise BadOption(say(text, game=name, low=low, high=high, given=shown(players)))
        refusal = rules.refuse(seats, chosen)
        if refusal is not None:
            raise BadOption(refusal)
        return cls(name, seats, chosen)

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
        """This game with other players or options; raises BadOption."""
        needed = switched_on(self.rules.OPTIONS, options)
        seats = self.players if players is None else players
        return self.named(self.name, seats, **{**self.options, **needed, **options})

    def usual(self) -> Self:
        """This game for as many players, with its default options."""
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
    def hints(self) -> ModuleType:
        """The game's `hints` module: how results are phrased, and reasons for a move."""
        return self.definition.hints

    @property
    def measure(self) -> ResultUnit:
        """What the game's results are counted in, with its options."""
        struct = self.driver("interpreted").proxy(memoryview(bytearray(self.template.tobytes())))
        measure: ResultUnit = self.hints.STUDY.measure_in(struct)
        return measure

    @property
    def horizon(self) -> int:
        """After how many decisions a game that is played out counts as it stands: the `horizon` of its measure."""
        return self.measure.horizon or ENDLESS

    @property
    def bounds(self) -> ModuleType:
        """The game's `bounds` module: the best and worst utility, and the longest match.

        Raises HexdeckError if the game has none.
        """
        if self.definition.bounds is None:
            text = _(
                "{game} has no bounds.py, which gives the best and the worst result and how long a match can last."
            )
            raise HexdeckError(say(text, game=self.name))
        return self.definition.bounds

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

    def action_values(self, knowledge: bytes, seat: int) -> list[tuple[int, float | None]]:
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


def is_solved(game: GameSetup) -> bool:
    """Whether a game has a solver that can solve it with these players and options."""
    solver = solver_of(game)
    try:
        if solver:
            solver.check(game)
    except BadOption:
        return False
    return solver is not None


def is_quick(game: GameSetup) -> bool:
    """Whether a game that is solved is so within seconds, with the machine code that there is."""
    solver = solver_of(game)
    return solver is None or not is_solved(game) or solver.is_quick(game)


def has_response(game: GameSetup) -> bool:
    """Whether a game is solved, and its solver has a best response to others, too."""
    solver = solver_of(game)
    return solver is not None and solver.response is not None and is_solved(game)


BACKENDS = ("fast", "checked", "interpreted")


def default_backend() -> str:
    """The backend named by the environment variable `HEXDECK_BACKEND`; `fast` if it isn't set."""
    backend = os.environ.get("HEXDECK_BACKEND", "fast")
    if backend not in BACKENDS:
        text = _("HEXDECK_BACKEND can't be {backend}; choose one of {backends}.")
        raise HexdeckError(say(text, backend=backend, backends=", ".join(BACKENDS)))
    return backend


def backend_named(backend: Any) -> str:
    """The name of a backend, checked; the default backend for None. Raises HexdeckError for an unknown name."""
    if backend is None:
        return default_backend()
    if not isinstance(backend, str) or backend not in BACKENDS:
        text = _("There is no backend {backend}; there are {backends}.")
        raise HexdeckError(say(text, backend=shown(backend), backends=", ".join(BACKENDS)))
    return backend


def usual_backend(game: GameDefinition) -> str:
    """The backend of a game if none is asked for: the default one.

    Games that don't come with hexdeck run `checked` instead of `fast`, since a wild write would crash a server.
    """
    chosen = default_backend()
    return "checked" if chosen == "fast" and not game.own else chosen


class Driver:
    """A game's functions in one backend, whichever it is.

    `g` is the game as generic kernels take it; `rows` and `array` make the arrays that kernels read and write; `kernel`
    gives a generic kernel; `proxy` gives the fields of a struct in a buffer.
    """

    def __init__(self, game: GameDefinition, backend: str) -> None:
        self.rules, self.strategy, self.owners, self.backend = game.rules, game.strategy, game.owners, backend
        # the fast backend's array fields have no index checks: negative indices wrap
        self.proxy = proxy_class(game.rules.STRUCT, (lambda field: field) if backend == "fast" else Cells)
        self.compiled = backend != "interpreted"
        guard = [] if game.own else [functools.partial(guarded, game=game.name, folder=game.folder)]
        self.g: Any = self._table() if self.compiled else InterpretedGame(game.rules, game.strategy, *guard)
        self._kernels: dict[str | Callable[..., Any], Any] = {}

    def _table(self) -> np.ndarray:
        ahead = library.table(self.owners) if self.backend == "fast" else None
        if ahead is not None:
            return ahead
        from hexdeck.engine.backends import compiler  # imported late: Numba takes long to load

        return compiler.backend(self.backend).table(self.rules, self.strategy)

    def snapshot(self, row: bytes) -> Any:
        """The fields of a struct that is kept, and can't be changed."""
        return self.proxy(memoryview(row))

    def rows(self, count: int) -> Any:
        """Zeroed structs: a uint8 array (count, bytes), or its checked form when interpreted."""
        array = np.zeros((count, self.rules.STRUCT.itemsize), np.uint8)
        return array if self.compiled else Rows(array, self.proxy)

    def array(self, shape: int | tuple[int, ...], dtype: Any) -> Any:
        """An array of zeros for kernels, or its checked form when interpreted."""
        return self.shared(np.zeros(shape, dtype))

    def shared(self, array: np.ndarray) -> Any:
        """A NumPy array as kernels take it; both refer to the same memory."""
        return array if self.compiled else strict(array)

    def integers(self, array: Any, count: int) -> list[int]:
        """The first `count` integers of an array that a kernel wrote, as a list."""
        cells = array if self.compiled else array.cells
        first: list[int] = cells[:count].tolist()
        return first

    def weights(self) -> Any:
        """An int32 array for the weights of all outcomes."""
        return self.array(len(self.rules.OUTCOMES), np.int32)

    def actions(self) -> Any:
        """An int16 array for the ids of legal actions."""
        return self.array(len(self.rules.ACTIONS), np.int16)

    def generator(self, seed: int | bytes, purpose: str = "chance", stream: int = 0) -> Any:
        """A random generator as kernels take it; see `hexdeck.engine.random.generator`."""
        return self.shared(generator(seed, purpose, stream))

    def call(self, function: str | Callable[..., Any], *arguments: Any) -> Any:
        """What a generic kernel gives, called with the game and these arguments."""
        return self.kernel(function)(self.g, *arguments)

    def kernel(self, function: str | Callable[..., Any]) -> Any:
        """A generic kernel in this backend, from its plain function or its name in `engine.backends.kernels`."""
        if function not in self._kernels:
            plain = getattr(kernels, function) if isinstance(function, str) else function
            self._kernels[function] = compiled_kernel(self.backend, plain) if self.compiled else plain
        return self._kernels[function]


@functools.cache
def compiled_kernel(backend: str, plain: Any) -> Any:
    """A kernel compiled for a backend; all games share it."""
    ahead = library.kernel(plain) if backend == "fast" else None
    if ahead is not None:
        return ahead
    if not can_build():
        text = _(
            "This needs machine code that isn't there; pip install '.[build]' in Hexdeck's folder installs the "
            "compiler."
        )
        raise HexdeckError(say(text))
    from hexdeck.engine.backends import compiler

    return compiler.backend(backend).kernel(plain)


def kernel_backend(backend: str, plain: Any) -> str:
    """The backend itself if it has a kernel, or can make it; else `interpreted`."""
    available = can_build() or (backend == "fast" and library.kernel(plain) is not None)
    return backend if available else "interpreted"


@functools.cache
def driver(game: GameDefinition, backend: str) -> Driver:
    """The driver of a game in a backend, `interpreted` without machine code; the same object every time."""
    return Driver(game, possible_backend(game, backend))


def possible_backend(game: GameDefinition, backend: str) -> str:
    """The backend itself; `interpreted` where machine code is missing and can't be made, which is told once."""
    ahead = backend == "fast" and not can_build() and complete(game.owners) and library.table(game.owners) is not None
    if backend == "interpreted" or can_build() or ahead:
        return backend
    text = _(
        "There is no machine code of {game} for this computer, so it runs interpreted, which is slow; "
        "pip install '.[build]' in Hexdeck's folder installs the compiler."
    )
    tell(say(text, game=game.name))
    return "interpreted"


def raw(rows: Any) -> np.ndarray:
    """The uint8 array behind what `Driver.rows` made."""
    array: np.ndarray = rows.array if isinstance(rows, Rows) else rows
    return array


def is_compiled(game: GameDefinition, backend: str | None = None) -> bool:
    """Whether the machine code of a game and of the kernels it needs is on disk."""
    used = backend or usual_backend(game)
    if used != "fast" or not game.own:
        return ready(game.owners, used)
    available = library.is_there(game.owners)
    return (ready(game.owners, used) and (available or begun(game.owners, used))) or (
        available and complete(game.owners)
    )


def has_functions(game: GameDefinition) -> bool:
    """Whether machine code of a game's functions, which is all that simulating takes of it, is on disk."""
    return library.is_there(game.owners) or begun(game.owners, usual_backend(game))


def quickest_backend(game: GameDefinition) -> str:
    """The usual backend if its machine code is on disk, else `interpreted`: nobody waits for a compiler."""
    chosen = usual_backend(game)
    return chosen if default_backend() != "fast" or is_compiled(game) else "interpreted"


def mark_compiled(game: GameDefinition, backend: str | None = None) -> None:
    """Record that the machine code of a game is on disk, with every kernel that this process used for it."""
    used = backend or usual_backend(game)
    mark_ready(game.owners, used, kernels_used(used, game.rules.__name__.rpartition(".")[0]))


def kernels_used(backend: str, package: str = "") -> set[tuple[str, ...]]:
    """The modules of kernels that this process compiled or loaded, without those of games other than `package`."""
    foreign = tuple(f"{location.package}." for location in places().values() if location.package != package)
    owned = {owner for owner in owners_used(backend) if not owner[0].startswith(foreign)}
    return {owner for owner in owned if owner[0].startswith(("hexdeck.", f"{package}."))}


def owners_used(backend: str) -> set[tuple[str, ...]]:
    """The modules whose machine code this process compiled or loaded."""
    ahead = library.used if backend == "fast" else set()
    compiler = sys.modules.get("hexdeck.engine.backends.compiler")  # asked without loading Numba
    return ahead | compiler.backend(backend).owners if compiler else set(ahead)
