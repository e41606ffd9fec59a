"""Whether what is read from a file is the state of a run: names, sizes, types and numbers, before it is learned from.

Kernels don't check their indices, so nothing of another size may reach them. What doesn't fit raises one of `BROKEN`;
who reads the file says so in a sentence.
"""

from __future__ import annotations

import io
import json
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

BROKEN = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
MOST = 1 << 53  # of a count


def read_state(path: Path) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The facts and the arrays in a file; raises one of `BROKEN`."""
    with np.load(io.BytesIO(path.read_bytes())) as file:
        arrays = dict(file)
    facts = json.loads(str(arrays.pop("facts")))
    if not isinstance(facts, dict):
        raise TypeError("facts")
    return facts, arrays


def state_bytes(facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Facts and arrays as the content of a file, see `read_state`."""
    file = io.BytesIO()
    np.savez(file, facts=np.array(json.dumps(facts)), **arrays)  # type: ignore[arg-type]
    return file.getvalue()


def check_arrays(arrays: Mapping[str, np.ndarray], like: Mapping[str, np.ndarray]) -> None:
    """Raise ValueError or KeyError unless all arrays are there, of the shapes and types of `like`, and finite."""
    for name, model in like.items():
        array = arrays[name]
        valid = array.dtype == model.dtype and array.shape == model.shape
        if not (valid and np.isfinite(array).all()):
            raise ValueError(name)
        if name == "square" and (array < 0).any():  # its root is taken
            raise ValueError(name)


def check_facts(facts: Mapping[str, Any], kinds: Mapping[str, Callable[[Any], bool]]) -> None:
    """Raise ValueError or KeyError unless all facts are there and of their kinds."""
    for name, is_one in kinds.items():
        if not is_one(facts[name]):
            raise ValueError(name)


# --- kinds of facts ---------------------------------------------------------------------------------------------------
def is_count(fact: Any) -> bool:
    """Whether it is a whole number, 0 or more."""
    return type(fact) is int and 0 <= fact < MOST


def is_figure(fact: Any) -> bool:
    """Whether it is a number, infinite perhaps."""
    return type(fact) in (int, float)


def is_number(fact: Any) -> bool:
    """Whether it is a finite number."""
    return is_figure(fact) and math.isfinite(fact)


def is_amount(fact: Any) -> bool:
    """Whether it is a finite number, 0 or more."""
    return is_number(fact) and fact >= 0


def is_gain(fact: Any) -> bool:
    """Whether it is a finite number, or None where nothing was tried yet."""
    return fact is None or is_number(fact)


def is_generator(fact: Any) -> bool:
    """Whether it is the state of a random generator; raises one of `BROKEN` for some that aren't."""
    np.random.default_rng(0).bit_generator.state = fact
    return True


def lists(is_one: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether it is a list of such facts."""
    return lambda fact: isinstance(fact, list) and all(map(is_one, fact))


def row_of(*kinds: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Whether it is a list of one fact of each kind, in this order."""

    def is_row(fact: Any) -> bool:
        return (
            isinstance(fact, list)
            and len(fact) == len(kinds)
            and all(is_one(x) for is_one, x in zip(kinds, fact, strict=True))
        )

    return is_row
