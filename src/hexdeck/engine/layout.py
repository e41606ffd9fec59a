"""The layout of a struct: a header that all games share, then the game's options, then its own fields."""

from collections import namedtuple
from typing import Any

import numpy as np

from hexdeck.engine.options import Option

HEADER_FIELDS = [
    ("history", "i8"),  # rolling hash of all public events
    ("deal", "i4"),  # number of the present deal, from 1: how often all cards were shuffled
    ("draws", "i4"),  # chance draws in this deal; (deal, draws) is the position in the random stream
    ("acting", "i4"),  # a bit for each seat that may act; if it is 0 and the match is not over, chance acts
    ("seats", "i1"),  # number of players
    ("over", "i1"),  # 1 once the match is over
    ("ending", "i1"),  # why it is over: index into the game's ENDINGS
]
HEADER = np.dtype(HEADER_FIELDS, align=True)

Field = tuple[str, str] | tuple[str, str, tuple[int, ...]]


def struct(options: tuple[Option, ...], *fields: Field, version: int = 1) -> np.dtype:
    """The dtype of a game's struct: the header, the fields of its options, its own fields; 8-byte aligned.

    `version` is raised when a field, an id or a meaning changes: records and tables of other versions are refused.
    """
    stored = [field for option in options for field in option.fields()]
    return np.dtype([*HEADER_FIELDS, *stored, *fields], align=True, metadata={"version": version})


def slices(**lengths: int) -> dict[str, tuple[int, int]]:
    """Named consecutive observation slices; `slices(hand=10, deck=1)` is `{"hand": (0, 10), "deck": (10, 11)}`."""
    out: dict[str, tuple[int, int]] = {}
    at = 0
    for name, length in lengths.items():
        out[name] = (at, at + length)
        at += length
    return out


def starts(named: dict[str, tuple[int, int]]) -> Any:
    """The start of each slice, as a named tuple, so that compiled code can read it as a constant (`AT.hand`)."""
    kind: Any = namedtuple("Starts", list(named))  # type: ignore[misc]
    return kind(*(at for at, _ in named.values()))
