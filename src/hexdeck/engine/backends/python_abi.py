"""What libraries of machine code rely on in Python and NumPy: names of symbols, a table of addresses, and offsets.

A library needs no symbols of Python's: it finds Python's functions and objects through the table `TABLE`, which is
filled in when it is loaded. So one library works in every version of Python. It reads arrays and tuples where they lie
in memory, at the offsets in bytes below; before a library is used, `library.is_as_expected` looks whether they lie so.

The types of what kernels are given are known before anybody calls them. A module of kernels lists in `ENTRIES` those
that Python calls. A type follows from a parameter's name: `TYPES` of the module says it, else `USUAL` here; all other
parameters are int64. Types are written as Numba writes them.
"""

import sys
from types import FunctionType, ModuleType
from typing import Any

# --- the table: int64, in this order ----------------------------------------------------------------------------------
TABLE = "hexdeck_python"  # its symbol
FUNCTIONS = (
    "PyLong_AsLongLong",
    "PyFloat_AsDouble",
    "PyErr_Occurred",
    "PyErr_SetString",
    "PyLong_FromLongLong",
    "PyFloat_FromDouble",
    "PyBool_FromLong",
    "Py_IncRef",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
)
OBJECTS = ("None", "tuple", "ndarray", "TypeError", "ZeroDivisionError")
ITEMS_OFFSET = "offset of a tuple's items"  # no address: it differs between versions of Python
POSITIONS = {name: k for k, name in enumerate((*FUNCTIONS, *OBJECTS, ITEMS_OFFSET))}

# --- offsets ----------------------------------------------------------------------------------------------------------
HEAD = object.__basicsize__  # of what an object has of its own, behind the reference count and, as the last, its type
TYPE = HEAD - 8
DATA, DIMENSIONS, SHAPE, STRIDES, DTYPE, FLAGS = (HEAD + k for k in (0, 8, 16, 24, 40, 48))  # of PyArrayObject
TYPE_NUMBER = HEAD + 12  # of PyArray_Descr, a dtype
LENGTH, ITEMS = HEAD, tuple.__basicsize__  # of PyTupleObject
USABLE = 0x101  # flags of an array that kernels take: C-contiguous, aligned


def kernel_entry(name: str) -> str:
    """The symbol of a kernel's wrapper for Python."""
    return f"kernel_{name}"


def game_function(name: str) -> str:
    """The symbol of a game's function, a C function of int64."""
    return f"game_{name}"


def layout() -> str:
    """What libraries depend on besides sources and processor; it is part of their keys."""
    return f"{sys.platform} {sys.byteorder} {sys.maxsize} {HEAD}"


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
