"""Helpers for a game's `inventory`, which lists all its cards and chips as pairs of a kind and a number."""

from collections.abc import Iterator
from itertools import product
from typing import Any

Listed = Iterator[tuple[Any, int]]


def in_counts(*arrays: Any) -> Listed:
    """The cards in arrays whose last axis counts them by kind."""
    for cells in arrays:
        for at in product(*map(range, cells.shape)):
            yield at[-1], cells[at]


def in_sets(*sets: int) -> Listed:
    """The cards in sets with a bit for each card."""
    for cards in sets:
        for card in range(cards.bit_length()):
            yield card, cards >> card & 1
