"""Libraries of machine code, loaded: their kernels as functions of Python, a game's functions as addresses."""

import contextlib
import ctypes
import functools
import os
import platform
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from hexdeck.engine import contract
from hexdeck.engine.backends import cache
from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.backends.build import build
from hexdeck.engine.backends.cache import Owners, edited
from hexdeck.engine.backends.python_abi import entries
from hexdeck.engine.text import _, say

SAMPLES = np.arange(6, dtype=np.int16).reshape(2, 3), np.arange(5, dtype=np.float64)


@functools.cache
def is_as_expected() -> bool:
    """Whether libraries may be used in this process; where not, what differs is told, once."""
    part = next((name for name, as_expected in parts() if not as_expected), None)
    if part is not None:
        text = _(
            "NumPy {numpy} in Python {python} lays out arrays or tuples differently ({part}): the prebuilt machine "
            "code isn't used, and games start or run more slowly."
        )
        cache.tell(say(text, numpy=np.__version__, python=platform.python_version(), part=part))
    return part is None


def parts() -> Iterator[tuple[str, bool]]:
    """What wrappers read of their arguments, by name, and whether a small object has it at the offset they use.

    Only memory of the objects themselves is read; pointers in them are followed once they are what they should be.
    """
    for array in SAMPLES:
        memory = ctypes.string_at(id(array), type(array).__basicsize__)
        dtype = ctypes.string_at(id(array.dtype), type(array.dtype).__basicsize__)
        shape, strides = number(memory, abi.SHAPE), number(memory, abi.STRIDES)
        yield "type of an object", number(memory, abi.TYPE) == id(type(array))
        yield "data of an array", number(memory, abi.DATA) == array.ctypes.data
        yield "dimensions of an array", number(memory, abi.DIMENSIONS, 4) == array.ndim
        yield (
            "shape and strides of an array",
            strides - shape == 8 * array.ndim
            and (  # in one block, in this order
                (ctypes.c_int64 * (2 * array.ndim)).from_address(shape)[:] == [*array.shape, *array.strides]
            ),
        )
        yield "dtype of an array", number(memory, abi.DTYPE) == id(array.dtype)
        yield "number of a dtype", number(dtype, abi.TYPE_NUMBER, 4) == array.dtype.num
        yield "flags of an array", flags(array) == array.flags.num and flags(array) & abi.USABLE == abi.USABLE
    transposed = SAMPLES[0].T  # it isn't contiguous
    yield (
        "flags of an array",
        flags(transposed) == transposed.flags.num and flags(transposed) & abi.USABLE != abi.USABLE,
    )
    pair = SAMPLES[1], SAMPLES[0]
    memory = ctypes.string_at(id(pair), tuple.__basicsize__ + 8 * len(pair))
    yield "length of a tuple", number(memory, abi.LENGTH) == len(pair)
    items = [number(memory, abi.ITEMS + 8 * k) for k in range(len(pair))]
    yield "items of a tuple", items == [id(item) for item in pair]


def flags(array: np.ndarray) -> int:
    """The flags of an array, as wrappers read them."""
    return number(ctypes.string_at(id(array), type(array).__basicsize__), abi.FLAGS, 4)


def number(memory: bytes, offset: int, size: int = 8) -> int:
    """The unsigned integer of `size` bytes at an offset."""
    return int.from_bytes(memory[offset : offset + size], sys.byteorder)


METH_FASTCALL = 0x80
used: set[Owners] = set()  # libraries that this process calls


class PyMethodDef(ctypes.Structure):
    """What Python knows of a builtin function; part of its stable ABI."""

    _fields_ = [
        ("ml_name", ctypes.c_char_p),
        ("ml_meth", ctypes.c_void_p),
        ("ml_flags", ctypes.c_int),
        ("ml_doc", ctypes.c_char_p),
    ]


# --- loading ----------------------------------------------------------------------------------------------------------
@functools.cache
def loaded(owners: Owners) -> ctypes.CDLL | None:
    """The library of these modules, ready to be called; built first if need be. None where that can't be.

    None, too, where NumPy's arrays don't lie in memory as libraries read them.
    """
    if not cache.in_package(owners) or edited(*owners) or not is_as_expected():
        return None
    file = cache.existing_library(owners) or built(owners)
    if file is None:
        return None
    try:
        library = ctypes.CDLL(str(file))
    except OSError as error:  # as on a disk from which nothing may be run
        why = str(error).removeprefix(f"{file}: ")
        cache.tell(
            say("Machine code in {folder} can't be loaded ({why}).", folder=str(file.parent), why=why), "loading"
        )
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # it is in use
    fill_table(library)
    used.add(owners)
    return library


def is_there(owners: Owners) -> bool:
    """Whether there is a library of these modules by now, which another process may have made, and it can be loaded."""
    file = cache.existing_library(owners) or cache.whole_library(*cache.place_in_cache(owners))
    return file is not None and is_as_expected() and opens(file)


@functools.cache
def opens(file: Path) -> bool:
    """Whether a library can be loaded here."""
    try:
        ctypes.CDLL(str(file))
    except OSError:
        return False
    return True


def load_together(libraries: Iterable[Owners]) -> None:
    """Load libraries; those that are missing are built in this order, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(loaded, libraries))


def built(owners: Owners) -> Path | None:
    """The library of these modules, built now; None where that can't be."""
    return cache.whole_library(*cache.place_in_cache(owners)) if build(owners) else None


def fill_table(library: ctypes.CDLL) -> None:
    """Write the addresses of Python's functions and objects into a library's table."""
    objects = {
        "None": None,
        "tuple": tuple,
        "ndarray": np.ndarray,
        "TypeError": TypeError,
        "ZeroDivisionError": ZeroDivisionError,
    }
    table = (ctypes.c_int64 * len(abi.POSITIONS)).in_dll(library, abi.TABLE)
    for name in abi.FUNCTIONS:
        table[abi.POSITIONS[name]] = address(ctypes.pythonapi, name)
    for name in abi.OBJECTS:
        table[abi.POSITIONS[name]] = id(objects[name])
    table[abi.POSITIONS[abi.ITEMS_OFFSET]] = abi.ITEMS


def address(library: ctypes.CDLL, symbol: str) -> int:
    """The address of a function of a library."""
    pointer: int = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
    return pointer


# --- calling ----------------------------------------------------------------------------------------------------------
def kernel(function: FunctionType) -> Any:
    """A compiled kernel as a builtin function of Python; None where there is no library of it.

    It gives way to other threads while it runs, and raises TypeError for arguments of other types.
    """
    module, name = sys.modules[function.__module__], function.__name__
    library = loaded((module.__name__,)) if name in entries(module) else None
    if library is None:
        return None
    method = PyMethodDef(name.encode(), address(library, abi.kernel_entry(name)), METH_FASTCALL, None)
    _methods.append(method)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.POINTER(PyMethodDef), ctypes.c_void_p, ctypes.c_void_p]
    return new(ctypes.byref(method), None, None)


_methods: list[PyMethodDef] = []  # Python reads them as long as their functions live


def table(owners: Owners) -> np.ndarray | None:
    """Addresses of a game's compiled functions, int64, in the order of `contract.TABLE`; None without all of them."""
    library = loaded(owners)
    if library is None:
        return None
    if not all(hasattr(library, abi.game_function(name)) for name in contract.TABLE):
        return None  # what a game leaves to defaults is compiled where it is played
    out = np.zeros(len(contract.TABLE), np.int64)
    for name, (position, _arity) in contract.TABLE.items():
        out[position] = address(library, abi.game_function(name))
    return out
