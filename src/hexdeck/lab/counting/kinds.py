"""Kinds of actions: as few as one can read, made from the stable names of a game's actions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

FEW = 8  # actions of a kind that are told apart


def kinds(names: Sequence[str]) -> dict[str, str]:
    """What each name is counted as: itself where there are few names with its first word, else that word."""
    first = {name: name.split(maxsplit=1)[0] for name in names}
    sizes = Counter(first.values())
    return {name: name if sizes[word] <= FEW else word for name, word in first.items()}


def kind_numbers(names: Sequence[str]) -> tuple[tuple[str, ...], np.ndarray]:
    """The kinds in the order of their first action, and the kind of each action by its id (int16)."""
    kind = kinds(names)
    listed = tuple(dict.fromkeys(kind[name] for name in names))
    place = {name: k for k, name in enumerate(listed)}
    return listed, np.array([place[kind[name]] for name in names], np.int16)
