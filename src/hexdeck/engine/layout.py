"""How a struct is laid out: one common header, then the game's options, then the game's own fields."""

from collections import namedtuple
from typing import Any

import numpy as np

from hexdeck.engine.options import Option

HEADER_FIELDS = [
    ("history", "i8"),  # rolling hash of all public events
    ("deal", "i4"),  # how often everything was shuffled and dealt anew, from 1
    ("draws", "i4"),  # chance draws since then: with `deal` the counter of the generator
    ("acting", "i4"),  # a bit per seat that may act; 0 and not over: chance acts
    ("seats", "i1"),
    ("over", "i1"),
    ("ending", "i1"),  # index into the game's ENDINGS, once over
]
HEADER = np.dtype(HEADER_FIELDS, align=True)

Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]


def struct(options: tuple[Option, ...], *fields: Field) -> np.dtype:
    """The dtype of a game's struct: header, one field per option, the game's fields; aligned to 8 bytes."""
    stored = [field for option in options for field in option.fields()]
    return np.dtype([*HEADER_FIELDS, *stored, *fields], align=True)


def slices(**lengths: int) -> dict[str, tuple[int, int]]:
    """Name consecutive slices of an observation: `slices(hand=10, deck=1)` is `{"hand": (0, 10), "deck": (10, 11)}`."""
    out: dict[str, tuple[int, int]] = {}
    at = 0
    for name, length in lengths.items():
        out[name] = (at, at + length)
        at += length
    return out


def starts(named: dict[str, tuple[int, int]]) -> Any:
    """Where each slice starts, as a named tuple: constants that compiled code can read too (`AT.hand`)."""
    kind: Any = namedtuple("Starts", list(named))  # type: ignore[misc]
    return kind(*(at for at, _ in named.values()))
