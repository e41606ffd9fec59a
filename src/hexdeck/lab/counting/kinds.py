"""Kinds of actions: groups few enough to read, made from the stable names of a game's actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

FEW = 8  # up to so many actions with the same first word are kinds of their own


def kinds(names: Sequence[str]) -> dict[str, str]:
    """The kind of each action by name: the name itself if at most FEW names share its first word, else that word."""
    first = {name: name.split(maxsplit=1)[0] for name in names}
    sizes = Counter(first.values())
    return {name: name if sizes[word] <= FEW else word for name, word in first.items()}


def kind_numbers(names: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """The kinds in the order of their first action, and the number of each action's kind: int16 by action id."""
    kind = kinds(names)
    listed = tuple(dict.fromkeys(kind[name] for name in names))
    place = {name: k for k, name in enumerate(listed)}
    return listed, np.array([place[kind[name]] for name in names], np.int16)
