"""A game in a backend, ready to run: its functions, its structs, and the arrays and generic kernels for them."""

import functools
import os
import sys
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import numpy as np

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends import kernels, library
from hexdeck.engine.backends.build import can_build
from hexdeck.engine.backends.cache import begun, complete, mark_ready, ready
from hexdeck.engine.backends.interpreted import Cells, InterpretedGame, Rows, proxy_class, snapshot_class, strict
from hexdeck.engine.backends.notices import tell
from hexdeck.engine.discovery.definition import GameDefinition
from hexdeck.engine.discovery.finding import places
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.random import generator
from hexdeck.engine.text import _, say

BACKENDS = ("fast", "checked", "interpreted")


def default_backend() -> str:
    """The backend named by the environment variable `HEXDECK_BACKEND`; `fast` if it isn't set."""
    backend = os.environ.get("HEXDECK_BACKEND", "fast")
    if backend not in BACKENDS:
        raise HexdeckError(
            say(
                "HEXDECK_BACKEND can't be {backend}; choose one of {backends}.",
                backend=backend,
                backends=", ".join(BACKENDS),
            )
        )
    return backend


def backend_named(backend: Any) -> str:
    """The name of a backend, checked; the default backend for None. Raises HexdeckError for an unknown name."""
    if backend is None:
        return default_backend()
    if not isinstance(backend, str) or backend not in BACKENDS:
        raise HexdeckError(
            say(
                "There is no backend {backend}; there are {backends}.",
                backend=shown(backend),
                backends=", ".join(BACKENDS),
            )
        )
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
    gives a generic kernel; `proxy` gives the fields of a struct in a buffer, `snapshot` those of one that is kept.
    """

    def __init__(self, game: GameDefinition, backend: str) -> None:
        self.rules, self.strategy, self.owners, self.backend = game.rules, game.strategy, game.owners, backend
        cells = unchecked if backend == "fast" else Cells
        self.proxy, self.snapshot = proxy_class(game.rules.STRUCT, cells), snapshot_class(game.rules.STRUCT, cells)
        self.compiled = backend != "interpreted"
        self.g: Any = self._table() if self.compiled else InterpretedGame(game.rules, game.strategy)
        self._kernels: dict[str | FunctionType, Any] = {}

    def _table(self) -> np.ndarray:
        ahead = library.table(self.owners) if self.backend == "fast" else None
        if ahead is not None:
            return ahead
        from hexdeck.engine.backends import compiler  # imported late: Numba takes long to load

        return compiler.backend(self.backend).table(self.rules, self.strategy)

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

    def listed(self, array: Any, count: int) -> list[int]:
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

    def kernel(self, wanted: str | FunctionType) -> Any:
        """A generic kernel in this backend, from its plain function or its name in `engine.backends.kernels`."""
        if wanted not in self._kernels:
            plain = getattr(kernels, wanted) if isinstance(wanted, str) else wanted
            self._kernels[wanted] = compiled_kernel(self.backend, plain) if self.compiled else plain
        return self._kernels[wanted]


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


def unchecked(field: memoryview) -> memoryview:
    """An array field of a struct without index checks, for the `fast` backend: negative indices wrap."""
    return field


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
    games = {location.package for location in places().values()} - {package}
    owned = {owner for owner in owners_used(backend) if not of_game(owner[0], games)}
    return {owner for owner in owned if owner[0].startswith("hexdeck.") or of_game(owner[0], {package})}


def owners_used(backend: str) -> set[tuple[str, ...]]:
    """The modules whose machine code this process compiled or loaded."""
    ahead = library.used if backend == "fast" else set()
    compiler = sys.modules.get("hexdeck.engine.backends.compiler")  # asked without loading Numba
    return ahead | compiler.backend(backend).owners if compiler else set(ahead)


def of_game(module: str, packages: Iterable[str]) -> bool:
    """Whether a module belongs to one of these packages of games."""
    return any(module.startswith(f"{package}.") for package in packages)
