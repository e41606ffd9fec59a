"""Backends: how plain rules become machine code, with Numba.

A backend is a set of compiler flags. Every plain function that compiled code needs is rebound into a namespace of the
backend, so that it calls the backend's versions of what it calls; the module it was written in is left alone. A game's
functions become C functions of 64-bit integers, whose addresses fill a small table; generic kernels get the table as
an array and call through it, so that they compile once for all games. Machine code is kept on disk in a folder named
by a hash of the sources it comes from (`kept_code`, `sources`).
"""

import functools
import re
import threading
import types as py
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from numba import njit, types
from numba.core.ccallback import CFunc
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from hexdeck.engine import contract
from hexdeck.engine.backends import compiled_contract
from hexdeck.engine.backends.cache import backend_folder
from hexdeck.engine.backends.compiled_contract import COUNTERPARTS, FAST
from hexdeck.engine.backends.kept_code import keep
from hexdeck.engine.backends.notices import told_if_compiled
from hexdeck.engine.backends.numba_patches import as_rules_mean
from hexdeck.engine.backends.wrappers import rebound, wrappers
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.text import Text, _, say

FLAGS: dict[str, dict[str, Any]] = {"fast": {"_nrt": False}, "checked": {"boundscheck": True}}
i64 = types.int64
REBINDING = threading.RLock()  # one thread at a time makes namespaces


class Backend:
    """All that is compiled with one set of flags: `table(rules, strategy)` and `kernel(function)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.flags = FLAGS[name]
        self.owners: set[tuple[str, ...]] = set()  # modules whose functions were compiled, or read from the cache
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: str) -> dict[str, Any]:
        """The globals of a module, functions of hexdeck and of its own package replaced by this backend's."""
        with REBINDING:
            return self._space(module)

    def _space(self, module: str) -> dict[str, Any]:
        if module not in self._spaces:
            top = module.partition(".")[0]  # a game of another package calls functions of its own
            space = self._spaces[module] = dict(vars(import_module(module)))
            for name, value in list(space.items()):
                if isinstance(value, py.FunctionType) and value.__module__.partition(".")[0] in ("hexdeck", top):
                    space[name] = self._version(value, module, space)
        return self._spaces[module]

    def _version(self, function: py.FunctionType, module: str, space: dict[str, Any]) -> Any:
        if function.__module__ != module:
            return self.space(function.__module__)[function.__name__]
        if function.__closure__:  # no kernel: something decorated, which lies in the same module
            return function
        counterparts = COUNTERPARTS | FAST if self.name == "fast" else COUNTERPARTS
        if counterpart := counterparts.get((module, function.__name__)):
            function = cast(py.FunctionType, counterpart)
            space = {**vars(compiled_contract), "hash_words": self.space("hexdeck.engine.history")["hash_words"]}
        inline = function.__name__ not in space.get("APART", ())
        return njit(rebound(function, space), forceinline=inline, **self.flags)

    def kernel(self, function: py.FunctionType) -> Any:
        """A generic kernel, or one of a game's own, compiled when it is first called; releases the GIL."""
        module = function.__module__
        kernel = njit(rebound(function, self.space(module)), nogil=True, **self.flags)
        keep(kernel, self.folder(module))
        kernel.compile = compiling()(kernel.compile)
        return kernel

    def table(self, rules: py.ModuleType, strategy: py.ModuleType) -> np.ndarray:
        """Addresses of a game's compiled functions, int64, in the order of `contract.TABLE`."""
        functions = wrappers(self, rules, strategy)
        folder = self.folder(rules.__name__, strategy.__name__)
        out = np.zeros(len(contract.TABLE), np.int64)
        with compiling():
            for name, function in functions.items():
                position, arity = contract.TABLE[name]
                callback: Any = CFunc(function, ((i64,) * (arity + 1), i64), {}, self.flags)
                keep(callback, folder)
                try:
                    callback.compile()
                except (NumbaError, UnsupportedBytecodeError) as error:
                    raise BrokenGame(not_compiled(rules, name, str(error))) from error
                out[position] = callback.address
                _callbacks.append(callback)
        return out

    def folder(self, *owners: str) -> Path:
        """Where machine code of these modules is kept, and note that this process uses it."""
        self.owners.add(owners)
        return backend_folder(owners, self.name)


@contextmanager
def compiling() -> Iterator[None]:
    """While it is active, Numba compiles as backends need it, and says so if that takes long."""
    with told_if_compiled(), as_rules_mean():
        yield


def not_compiled(rules: py.ModuleType, function: str, message: str) -> Text:
    """What Numba says of a game's function, in one sentence, with the line that it says it of."""
    folder = rules.__name__.split(".")[-2]
    lines = [line.strip() for line in message.splitlines()]
    reasons = [
        line for line in lines if line and not line.startswith(("Failed in", "[", "During:", "File", "<", "-", "~"))
    ]
    why = (reasons or lines)[0].partition(". Raised from")[0].rstrip(".:")
    place = re.search(rf"{re.escape(folder)}[/\\\\](\w+\.py)\D*(\d+)", message)
    name, file, line = folder.replace("_", "-"), place[1] if place else "rules.py", place[2] if place else "?"
    text = _("{game}: {function} can't be compiled: {why} ({file}, line {line}).")
    return say(text, game=name, function=function, why=why, file=file, line=line)


_callbacks: list[CFunc] = []  # they live as long as their addresses are in use


@functools.cache
def backend(name: str) -> Backend:
    """The backend of that name: `fast` or `checked`."""
    return Backend(name)
