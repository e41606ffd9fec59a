"""Whether arrays and tuples lie in memory where libraries of machine code read them (`python_abi`)."""

import ctypes
import functools
import platform
import sys
from collections.abc import Iterator

import numpy as np

from hexdeck.engine.backends import python_abi as abi
from hexdeck.engine.backends.notices import tell
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
        tell(say(text, numpy=np.__version__, python=platform.python_version(), part=part))
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
