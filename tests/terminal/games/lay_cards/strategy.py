"""The house bot."""

from typing import Any


def choose(_s: Any, _seat: int, actions: Any, _count: int, _rng: Any) -> int:
    """The first move."""
    return int(actions[0])
