"""The layout of a struct, and what rules do with any game's: its history, deals, the order of seats, stops.

A struct is a header that all games share, then the game's options, then its own fields. A stop is a position within an
event that people at a table would see, marked by the rules themselves:

    def _show(s, payer):
        stop(s, SHOWN)            # the cards lie open
        _pay(s, payer)
        stop(s, PAID, payer)      # chips went to the pot

The interpreted backend hands each marked position over; in compiled code a stop is nothing. An event's story is the
list of its stops and its end. What must be visible at a stop is in the struct: `conceal` and `zones` show it as any
other position, and `caption` in `table.py` says what is told of it (`hexdeck.engine.view`).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterable, Mapping
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


def struct(
    options: tuple[Option, ...], *fields: Field, version: int = 1, added: Mapping[int, Iterable[str]] | None = None
) -> np.dtype:
    """The dtype of a game's struct: the header, the fields of its options, its own fields; 8-byte aligned.

    `version` is raised when a field, an id or a meaning changes: records and tables of other versions are refused,
    except where `added` names the fields, options included, that each version only added: `added={2: ("stakes",)}`.
    That promises that the struct is otherwise that of the version before, and that events mean the same while the new
    options have their defaults; where another value means what was played before, a mapping says it:
    `added={3: {"uncle_bob": "ask"}}`.
    """
    stored = [field for option in options for field in option.fields()]
    names = {"version": version, "added": added or {}}
    return np.dtype([*HEADER_FIELDS, *stored, *fields], align=True, metadata=names)


def version_of(layout: np.dtype) -> int:
    """The version of a game's struct."""
    return int(layout.metadata["version"]) if layout.metadata else 1


def _added(layout: np.dtype) -> Mapping[int, Iterable[str]]:
    return layout.metadata["added"] if layout.metadata else {}


def added_since(layout: np.dtype, version: int) -> frozenset[str] | None:
    """The struct fields added since a version; None if the version is newer, or more than fields has changed since."""
    added = _added(layout)
    later = range(version + 1, version_of(layout) + 1)
    if version > version_of(layout) or not all(number in added for number in later):
        return None
    return frozenset(name for number in later for name in added[number])


def options_at(layout: np.dtype, version: int) -> dict[str, Any]:
    """Options that came after a version with another default than what was played until then, as it was played."""
    added = _added(layout)
    later = [fields for number, fields in added.items() if number > version and isinstance(fields, Mapping)]
    return {name: value for fields in later for name, value in fields.items() if value is not None}


def bytes_at(layout: np.dtype, version: int, row: bytes) -> bytes | None:
    """The bytes of a struct as that version would have stored it; None if that is unknown."""
    added = added_since(layout, version)
    if not added:
        return None if added is None else row
    names = [name for name in layout.names or () if name not in added]
    now = np.frombuffer(row, layout)
    then = np.zeros(1, np.dtype([(name, layout[name]) for name in names], align=True))
    for name in names:
        then[name] = now[name]
    return then.tobytes()


def slices(**lengths: int) -> dict[str, tuple[int, int]]:
    """Named consecutive observation slices; `slices(hand=10, deck=1)` is `{"hand": (0, 10), "deck": (10, 11)}`."""
    out: dict[str, tuple[int, int]] = {}
    at = 0
    for name, length in lengths.items():
        out[name] = (at, at + length)
        at += length
    return out


def starts(slices: dict[str, tuple[int, int]]) -> Any:
    """The start of each slice, as a named tuple, so that compiled code can read it as a constant (`AT.hand`)."""
    kind: Any = namedtuple("Starts", list(slices))  # type: ignore[misc]
    return kind(*(at for at, _ in slices.values()))


M63 = 0x7FFFFFFFFFFFFFFF
ODD = 0x2545F4914F6CDD1D


def mix(h, x):
    """A 63-bit hash of a hash and a number; the same in Python and in wrapping 64-bit arithmetic."""
    h = ((h ^ (x + 1)) * ODD) & M63
    return h ^ (h >> 32)


def remember(s, event):
    """Add a public event to the history hash."""
    s.history = mix(s.history, event)


def new_deal(s):
    """Count a deal: call it whenever all cards are shuffled. The next chance draw is the first of the new deal."""
    s.deal += 1
    s.draws = 0


def hash_words(words, count):
    """A 63-bit hash of the first `count` int64 words."""
    h = 0
    for k in range(count):
        h = mix(h, words[k] & M63) ^ (words[k] < 0)
    return h


def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.seats else 0


def write_digits(number, digits, out, at):
    """Write a number in base 100, the highest of so many digits first: 12345 as 1 23 45."""
    for k in range(digits):
        out[at + digits - 1 - k] = number % 100
        number //= 100


END = 0  # the kind of an event's end; a game's kinds are other integers


def stop(s: Any, kind: int, seat: int = -1, detail: int = 0) -> None:
    """Mark a position as a stop of a kind, about a seat where it is about one.

    `detail`: a number that everybody may know then and that doesn't follow from the struct, such as cards as bits.
    """
    s.stop_(kind, seat, detail)
