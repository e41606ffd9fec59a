"""Backends: how plain rules become machine code, with Numba.

A backend is a set of compiler flags. Every plain function that compiled code needs is rebound into a namespace of the
backend, so that it calls the backend's versions of what it calls; the module it was written in is left alone. A game's
functions become C functions of 64-bit integers, whose addresses fill a small table; generic kernels get the table as
an array and call through it, so that they compile once for all games. Machine code is kept on disk in a folder named
by a hash of the sources it comes from (`sources`): Numba's own cache would miss edits in other modules and other flags,
and trusts whatever it reads.

Some of Numba is replaced while something is compiled; afterwards Numba's own is back. Whatever replaces something holds
Numba's compiler lock, so no other thread compiles anything meanwhile, and what other libraries compile with Numba is
never touched.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import re
import threading
import types as py
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
from numba import njit, types
from numba.core import codegen
from numba.core.caching import NullCache
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.cpython import numbers
from numba.np import arrayobj

from hexdeck.engine import contract
from hexdeck.engine.backends import compiled_contract
from hexdeck.engine.backends.cache import CODE, backend_folder, read_with_checksum, write_with_checksum
from hexdeck.engine.backends.compiled_contract import COUNTERPARTS, FAST
from hexdeck.engine.backends.notices import compiles, tell, told_if_compiled
from hexdeck.engine.backends.wrappers import rebound, wrappers
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.text import Text, _, say


@contextmanager
def replaced(owner: Any, name: str, replacement: Any) -> Iterator[None]:
    """While it is active, an attribute of Numba's is another one. Replacements may be nested."""
    with global_compiler_lock:
        original = getattr(owner, name)
        setattr(owner, name, replacement)
        try:
            yield
        finally:
            setattr(owner, name, original)


# --- indices ----------------------------------------------------------------------------------------------------------
numba_index = arrayobj.fix_integer_index


def nonnegative_index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An array index as code without reference counts takes it, which is the `fast` backend's: as it is.

    Rules use no negative index, and the strict interpreter refuses them; Numba's own code counts those from the end.
    """
    if context.enable_nrt:
        return numba_index(context, builder, kind, index, size)
    return context.cast(builder, index, kind, types.intp)


def nonnegative_indices() -> AbstractContextManager[None]:
    """While it is active, `fast` code is compiled without a branch for negative indices."""
    return replaced(arrayobj, "fix_integer_index", nonnegative_index)


# --- integers ---------------------------------------------------------------------------------------------------------
def no_flags(_kind: Any) -> list[str]:
    """What LLVM may take for granted of a sum, a difference or a product: nothing."""
    return []


def wrapping_integers() -> AbstractContextManager[None]:
    """While it is active, integers are compiled that wrap around, as hashes do.

    With a flag of its own (`nsw`), Numba promises LLVM that no signed number overflows. LLVM then leaves out the second
    mask of `((h & M63) * ODD) & M63`: the product of two numbers that aren't negative isn't either. The hash is wrong.
    """
    return replaced(numbers, "_int_arith_flags", no_flags)


@contextmanager
def as_rules_mean() -> Iterator[None]:
    """While it is active, code is compiled as rules mean it: no index is negative, and integers wrap around."""
    with nonnegative_indices(), wrapping_integers():
        yield


# --- object files -----------------------------------------------------------------------------------------------------
class UncallableLibrary(codegen.AOTCodeLibrary):  # type: ignore[misc] # Numba has no types
    """Code for an object file. It has no address, for it is never called in this process."""

    def get_pointer_to_function(self, _name: str) -> int:
        """0, where Numba asks for the address of what it compiled."""
        return 0


class ObjectCodegen(codegen.AOTCPUCodegen):  # type: ignore[misc]
    """Code for object files: for a named kind of processor, or for this one ("host") with all that it can do."""

    _library_class = UncallableLibrary

    def _customize_tm_features(self) -> str:
        return str(self._get_host_cpu_features()) if self._cpu_name == "host" else ""

    def set_env(self, _name: str, _env: object) -> None:
        """Nothing: only code that calls the interpreter needs an environment."""


@contextmanager
def object_codegen(cpu: str) -> Iterator[Any]:
    """While it is active, Numba compiles for object files, for a kind of processor; gives its target context."""
    context = cpu_target.target_context
    with replaced(context, "_internal_codegen", ObjectCodegen("hexdeck", cpu)):
        yield context


def keep(function: Any, folder: Path) -> None:
    """Have what Numba compiles of a function, a dispatcher or a `CFunc`, kept in a folder."""
    function._cache = KeptCode(function.__wrapped__, folder)  # noqa: SLF001 - Numba offers no other way


class KeptCode(NullCache):  # type: ignore[misc] # Numba has no types
    """The cache of one function, in a folder that is named by its sources (`cache.backend_folder`)."""

    def __init__(self, function: FunctionType, folder: Path) -> None:
        self.function, self.folder = function, folder

    @property
    def cache_path(self) -> str:
        """The folder."""
        return os.fspath(self.folder)

    def file(self, signature: Any, codegen: Any) -> Path:
        """The file with the function's code for these argument types and this processor."""
        code = self.function.__code__
        key = repr((signature, codegen.magic_tuple(), code.co_firstlineno, code.co_code))
        return self.folder / f"{self.function.__name__}.{hashlib.sha256(key.encode()).hexdigest()[:16]}{CODE}"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """What was compiled for these types; None where there is none that can be read, which is then compiled."""
        target_context.refresh()
        data = read_with_checksum(self.file(signature, target_context.codegen()))
        try:
            if data is not None:
                return CompileResult._rebuild(target_context, *pickle.loads(data))  # noqa: S301, SLF001 - our own file
        except Exception:  # noqa: S110 - whatever becomes of reading bytes that another version wrote
            pass
        compiles()
        return None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep what was compiled. A disk without room is told of once, and the function is used unkept."""
        if compiled.library.has_dynamic_globals:
            return  # it has addresses of this process in it
        try:
            data = dumps(compiled._reduce())  # noqa: SLF001 - as Numba's own cache does
            write_with_checksum(self.file(signature, compiled.codegen), data)
        except OSError as error:
            text = _("Machine code can't be saved ({why}); it is compiled again each time.")
            tell(say(text, why=error.strerror or str(error)))


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
            space = {**vars(compiled_contract), "hash_words": self.space("hexdeck.engine.layout")["hash_words"]}
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
    match = re.search(rf"{re.escape(folder)}[/\\\\](\w+\.py)\D*(\d+)", message)
    name, file, line = folder.replace("_", "-"), match[1] if match else "rules.py", match[2] if match else "?"
    text = _("{game}: {function} can't be compiled: {why} ({file}, line {line}).")
    return say(text, game=name, function=function, why=why, file=file, line=line)


_callbacks: list[CFunc] = []  # they live as long as their addresses are in use


@functools.cache
def backend(name: str) -> Backend:
    """The backend of that name: `fast` or `checked`."""
    return Backend(name)
