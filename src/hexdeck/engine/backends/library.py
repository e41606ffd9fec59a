"""Libraries of machine code made ahead of time: loaded and called, without Numba."""

import contextlib
import ctypes
import functools
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from hexdeck.engine import contract
from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.backends.build import build
from hexdeck.engine.backends.library_files import Owners, cached, found, library_file, ours
from hexdeck.engine.backends.notices import tell
from hexdeck.engine.backends.signatures import entries
from hexdeck.engine.backends.sources import edited
from hexdeck.engine.text import say

FASTCALL = 0x80  # how Python calls an entry: METH_FASTCALL
used: set[Owners] = set()  # libraries that this process calls


class Method(ctypes.Structure):
    """A `PyMethodDef`."""

    _fields_ = [
        ("name", ctypes.c_char_p), ("entry", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p),
    ]  # fmt: skip


# --- loading ----------------------------------------------------------------------------------------------------------
@functools.cache
def loaded(owners: Owners) -> ctypes.CDLL | None:
    """The library of these modules, ready to be called; made first where it can be. None where there is none."""
    if not ours(owners) or edited(*owners):
        return None
    file = found(owners) or made(owners)
    try:
        library = ctypes.CDLL(str(file)) if file else None
    except OSError as error:  # as on a disk from which nothing may be run
        why = str(error).removeprefix(f"{file}: ")
        tell(say("Machine code in {folder} can't be loaded ({why}).", folder=str(Path(str(file)).parent), why=why),
             "loading")  # fmt: skip
        return None
    if library is not None and file:
        with contextlib.suppress(OSError):
            os.utime(file)  # it is in use
        fill_in(library)
        used.add(owners)
    return library


def is_there(owners: Owners) -> bool:
    """Whether there is a library of these modules by now, which another process may have made, and it can be loaded."""
    file = found(owners) or library_file(*cached(owners))
    return file is not None and opens(file)


@functools.cache
def opens(file: Path) -> bool:
    """Whether a library can be loaded here."""
    try:
        ctypes.CDLL(str(file))
    except OSError:
        return False
    return True


def load_together(wanted: Iterable[Owners]) -> None:
    """Load libraries; those that are missing are made in this order, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(loaded, wanted))


def made(owners: Owners) -> Path | None:
    """The library of these modules, made now; None where that can't be."""
    return library_file(*cached(owners)) if build(owners) else None


def fill_in(library: ctypes.CDLL) -> None:
    """Tell a library where Python's functions and objects are."""
    objects = {"None": None, "tuple": tuple, "ndarray": np.ndarray, "TypeError": TypeError,
               "ZeroDivisionError": ZeroDivisionError}  # fmt: skip
    table = (ctypes.c_int64 * len(abi.PLACES)).in_dll(library, abi.TABLE)
    for name in abi.FUNCTIONS:
        table[abi.PLACES[name]] = address(ctypes.pythonapi, name)
    for name in abi.OBJECTS:
        table[abi.PLACES[name]] = id(objects[name])
    table[abi.PLACES[abi.FIRST_ITEM]] = tuple.__basicsize__


def address(library: ctypes.CDLL, symbol: str) -> int:
    """Where a function of a library is."""
    place: int = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value or 0
    return place


# --- calling ----------------------------------------------------------------------------------------------------------
def kernel(function: FunctionType) -> Any:
    """A compiled kernel as a builtin function of Python; None where there is no library of it.

    It gives way to other threads while it runs, and raises TypeError for arguments of other types.
    """
    module = sys.modules[function.__module__]
    library = loaded((module.__name__,)) if function.__name__ in entries(module) else None
    if library is None:
        return None
    method = Method(function.__name__.encode(), address(library, abi.kernel_entry(function.__name__)), FASTCALL, None)
    _KEPT.append(method)
    new = ctypes.pythonapi.PyCFunction_NewEx
    new.restype, new.argtypes = ctypes.py_object, [ctypes.POINTER(Method), ctypes.c_void_p, ctypes.c_void_p]
    return new(ctypes.byref(method), None, None)


_KEPT: list[Method] = []  # Python reads them as long as their functions live


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
