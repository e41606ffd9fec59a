"""Structs of earlier versions of a game, so that old records and saved tables still open.

`ADDED` in a game's `rules.py` names, for each STRUCT_VERSION, the struct fields that this version added, options
included: `ADDED = {2: ("stakes",)}`. It promises that the struct is otherwise that of the version before, and that
events mean the same while the new options have their defaults; where another value means what was played before, a
mapping says it: `ADDED = {3: {"uncle_bob": "ask"}}`. Without `ADDED` nothing older opens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np


def added_since(rules: ModuleType, version: int) -> frozenset[str] | None:
    """The struct fields added since a version; None if the version is newer, or `ADDED` doesn't go back to it."""
    added: Mapping[int, Iterable[str]] = rules.ADDED
    later = range(version + 1, rules.STRUCT_VERSION + 1)
    if version > rules.STRUCT_VERSION or not all(each in added for each in later):
        return None
    return frozenset(name for each in later for name in added[each])


def options_at(rules: ModuleType, version: int) -> dict[str, Any]:
    """The options that came after a version with another default than what was played until then, as it was played."""
    options = {option.name for option in rules.OPTIONS}
    later = [each for number, each in rules.ADDED.items() if number > version and isinstance(each, Mapping)]
    return {name: each[name] for each in later for name in each if name in options}


def bytes_at(rules: ModuleType, version: int, struct: bytes) -> bytes | None:
    """The bytes of a struct as that version would have stored it; None if that is unknown."""
    added = added_since(rules, version)
    if not added:
        return None if added is None else struct
    kept = [name for name in rules.STRUCT.names if name not in added]
    now = np.frombuffer(struct, rules.STRUCT)
    then = np.zeros(1, np.dtype([(name, rules.STRUCT[name]) for name in kept], align=True))
    for name in kept:
        then[name] = now[name]
    return then.tobytes()
