"""What of Numba is replaced while something is compiled; afterwards Numba's own is back.

Whoever replaces something holds Numba's compiler lock, so no other thread compiles anything meanwhile, and what other
libraries compile with Numba is never touched.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from numba import types
from numba.core import codegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.cpython import numbers
from numba.np import arrayobj


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
