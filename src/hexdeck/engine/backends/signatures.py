"""The types of what kernels are given: known before anybody calls them, so that they can be compiled ahead of time.

A module of kernels lists in `ENTRIES` those that Python calls. A type follows from a parameter's name: `TYPES` of the
module says it, else `USUAL` here; all other parameters are int64. Types are written as Numba writes them.
"""

from types import FunctionType, ModuleType
from typing import Any

USUAL = {
    "g": "int64[::1]",
    "rows": "uint8[:, ::1]",
    "actions": "int16[::1]",
    "weights": "int32[::1]",
    "rng": "int64[::1]",
    "generators": "int64[:, ::1]",
    "policies": "int64[::1]",
    "state": "int64[::1]",
    "out": "float64[::1]",
    "net": "float64[::1]",
    "nets": "float64[:, ::1]",
    "sizes": "int64[::1]",
    "temperature": "float64",
    "temperatures": "float64[::1]",
}


def entries(module: ModuleType) -> tuple[str, ...]:
    """The kernels of a module that Python calls; none where it doesn't say so."""
    names: tuple[str, ...] = getattr(module, "ENTRIES", ())
    return names


def signature(function: FunctionType) -> str:
    """The types of a kernel's arguments."""
    types: dict[str, Any] = USUAL | function.__globals__.get("TYPES", {})
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    return ", ".join(types.get(name, "int64") for name in names)
