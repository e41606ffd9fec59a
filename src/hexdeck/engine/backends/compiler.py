"""Backends: how plain rules become machine code, with Numba.

A backend is a set of compiler flags. Every plain function that compiled code needs is rebound into a namespace of the
backend, so that it calls the backend's versions of what it calls; the module it was written in is left alone. A game's
functions become C functions of 64-bit integers, whose addresses fill a small table; generic kernels get the table as
an array and call through it, so that they compile once for all games. Machine code is cached on disk in a folder named
by a hash of the sources it comes from (`sources`): Numba's own cache would miss edits elsewhere and other flags.
"""

import functools
import os
import re
import threading
import types as py
import zlib
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
from numba import cfunc, config, njit, types
from numba.core import caching
from numba.core.caching import FunctionCache, IndexDataCacheFile, UserProvidedCacheLocator
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.np import arrayobj

from hexdeck.engine import contract
from hexdeck.engine.backends import compiled_contract
from hexdeck.engine.backends.cache import backend_folder
from hexdeck.engine.backends.compiled_contract import COUNTERPARTS, FAST
from hexdeck.engine.backends.notices import compiles, tell, told_if_compiled
from hexdeck.engine.backends.wrappers import rebound, wrappers
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.text import Text, _, say

FLAGS: dict[str, dict[str, Any]] = {"fast": {"_nrt": False}, "checked": {"boundscheck": True}}
i64 = types.int64
LOCK = threading.RLock()  # one thread at a time rebinds functions or borrows Numba's setting


class Backend:
    """All that is compiled with one set of flags: `table(rules, strategy)` and `kernel(function)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.flags = FLAGS[name]
        self.owners: set[tuple[str, ...]] = set()  # modules whose functions were compiled, or read from the cache
        self._spaces: dict[str, dict[str, Any]] = {}

    def space(self, module: str) -> dict[str, Any]:
        """The globals of a module, functions of hexdeck and of its own package replaced by this backend's."""
        with LOCK:
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
        found = (COUNTERPARTS | FAST if self.name == "fast" else COUNTERPARTS).get((module, function.__name__))
        if found:
            function = cast(py.FunctionType, found)
            space = {**vars(compiled_contract), "hash_words": self.space("hexdeck.engine.history")["hash_words"]}
        inline = function.__name__ not in space.get("APART", ())
        return njit(rebound(function, space), forceinline=inline, **self.flags)

    def kernel(self, function: py.FunctionType) -> Any:
        """A generic kernel, or one of a game's own, compiled for this backend, cached on disk; releases the GIL."""
        space = self.space(function.__module__)
        with self.cached_in(function.__module__):
            kernel = njit(rebound(function, space), nogil=True, cache=True, **self.flags)
        kernel.compile = told_if_compiled()(kernel.compile)  # which happens when it is first called
        return kernel

    def cached_in(self, *owners: str) -> Any:
        """While it is active, what is compiled is kept in the folder of these modules and this backend."""
        self.owners.add(owners)
        return cached_in(backend_folder(owners, self.name))

    def table(self, rules: py.ModuleType, strategy: py.ModuleType) -> np.ndarray:
        """Addresses of a game's compiled functions, int64, in the order of `contract.TABLE`."""
        functions = wrappers(self, rules, strategy)
        out = np.zeros(len(contract.TABLE), np.int64)
        with told_if_compiled(), self.cached_in(rules.__name__, strategy.__name__):
            for name, function in functions.items():
                position, arity = contract.TABLE[name]
                try:
                    compiled = cfunc(i64(*[i64] * (arity + 1)), cache=True, **self.flags)(function)
                except (NumbaError, UnsupportedBytecodeError) as error:
                    raise BrokenGame(not_compiled(rules, name, str(error))) from error
                out[position] = compiled.address
                _KEPT.append(compiled)
        return out


def not_compiled(rules: py.ModuleType, function: str, said: str) -> Text:
    """What Numba says of a game's function, in one sentence, with the line that it says it of."""
    folder = rules.__name__.split(".")[-2]
    lines = [line.strip() for line in said.splitlines()]
    reasons = [
        line for line in lines if line and not line.startswith(("Failed in", "[", "During:", "File", "<", "-", "~"))
    ]
    why = (reasons or lines)[0].partition(". Raised from")[0].rstrip(".:")
    place = re.search(rf"{re.escape(folder)}[/\\\\](\w+\.py)\D*(\d+)", said)
    name, file, line = folder.replace("_", "-"), place[1] if place else "rules.py", place[2] if place else "?"
    text = _("{game}: {function} can't be compiled: {why} ({file}, line {line}).")
    return say(text, game=name, function=function, why=why, file=file, line=line)


_KEPT: list[Any] = []  # compiled functions live as long as their addresses are in use


class Anywhere(UserProvidedCacheLocator):  # type: ignore[misc] # Numba has no types
    """Where Numba keeps a function's machine code: by its package alone, wherever that is installed."""

    @classmethod
    def get_suitable_cache_subpath(cls, py_file: str) -> str:
        """The folder below `CACHE_DIR`; Numba's own has the path of the sources in its name."""
        return Path(py_file).parent.name


class cached_in:  # noqa: N801 - reads as a statement
    """While it is active, what Numba compiles with `cache=True` is kept in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> None:
        LOCK.acquire()
        self.before = config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = os.fspath(self.folder), f"{__name__}.{Anywhere.__name__}"

    def __exit__(self, *_: object) -> None:
        config.CACHE_DIR, config.CACHE_LOCATOR_CLASSES = self.before
        LOCK.release()


def _keep(cache: FunctionCache, signature: Any, compiled: Any, _kept: Any = FunctionCache.save_overload) -> None:
    """What Numba does with what it compiled; a disk without room is told once, and the function is used unkept."""
    try:
        _kept(cache, signature, compiled)
    except OSError as error:
        text = _("Machine code can't be saved ({why}); it is compiled again each time.")
        tell(say(text, why=error.strerror or str(error)))


FunctionCache.save_overload = _keep


def _read(cache: FunctionCache, signature: Any, context: Any, _kept: Any = FunctionCache.load_overload) -> Any:
    """What Numba kept of a function; what is damaged is thrown away, and then compiled anew."""
    found = None
    try:
        found = _kept(cache, signature, context)
    except Exception:  # whatever becomes of reading bytes that mean nothing
        try:
            cache.flush()
        except OSError:
            cache.disable()
    if found is None:
        compiles()
    return found


FunctionCache.load_overload = _read


class CheckedFile(IndexDataCacheFile):  # type: ignore[misc] # Numba has no types
    """Numba's files, with a checksum behind, where Numba doesn't read on; machine code is compared with it."""

    def _dump(self, what: Any) -> bytes:
        data: bytes = super()._dump(what)
        return data + zlib.crc32(data).to_bytes(4, "little")

    def _load_data(self, name: str) -> Any:
        data = Path(self._data_path(name)).read_bytes()
        if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
            raise ValueError(f"{name} is damaged")
        return super()._load_data(name)


caching.IndexDataCacheFile = CheckedFile


def _index(
    context: Any, builder: Any, kind: Any, index: Any, size: Any, _kept: Any = arrayobj.fix_integer_index
) -> Any:
    """An index as it is in fast kernels, where none is negative (the strict interpreter refuses it); else Numba's."""
    if context.enable_nrt:
        return _kept(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


arrayobj.fix_integer_index = _index


@functools.cache
def backend(name: str) -> Backend:
    """The backend of that name: `fast` or `checked`."""
    return Backend(name)
