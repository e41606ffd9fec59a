"""Structs of earlier versions of a game, so that what was stored with them still opens.

`ADDED` in a game's `rules.py` names, for each STRUCT_VERSION, the fields that it added to the struct, options included:
`ADDED = {2: ("stakes",)}`. It says that a struct without them is exactly the struct of the version before, and that
events mean the same while those options are at their defaults. A game without `ADDED` opens nothing older.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType

import numpy as np


def added_since(rules: ModuleType, version: int) -> frozenset[str] | None:
    """The struct fields that later versions than this one added; None where a later one, or this, isn't covered."""
    added: Mapping[int, Sequence[str]] = rules.ADDED
    later = range(version + 1, rules.STRUCT_VERSION + 1)
    if version > rules.STRUCT_VERSION or not all(each in added for each in later):
        return None
    return frozenset(name for each in later for name in added[each])


def bytes_at(rules: ModuleType, version: int, struct: bytes) -> bytes | None:
    """A struct's bytes as that version stored them; None where that isn't known."""
    added = added_since(rules, version)
    if not added:
        return None if added is None else struct
    kept = [name for name in rules.STRUCT.names if name not in added]
    now = np.frombuffer(struct, rules.STRUCT)
    then = np.zeros(1, np.dtype([(name, rules.STRUCT[name]) for name in kept], align=True))
    for name in kept:
        then[name] = now[name]
    return then.tobytes()
