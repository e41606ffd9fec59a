"""The readers of one table through this process, counted, so that no question goes through all of them."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, Protocol


class Reader(Protocol):
    """A stream: whose page it is (-1: the public's), and how long beats take there, 0 for a program.

    `screen`: all who sit at the table look at it.
    """

    seat: int
    pace: float
    screen: bool
    news: asyncio.Event

    def end(self) -> None:
        """Let it end."""


class Readers:
    """The open streams of a table: `seated` of its seats, `crowd` of the public."""

    def __init__(self) -> None:
        self.seated: dict[Reader, None] = {}  # as they came
        self.crowd: dict[Reader, None] = {}
        self._seats: Counter[int] = Counter()
        self._paces: Counter[tuple[bool, float]] = Counter()
        self.spectators = 0  # of the crowd: all but screens
        self.viewed: frozenset[int] = frozenset()  # the seats whose pages are open

    def __bool__(self) -> bool:
        return bool(self.seated or self.crowd)

    def add(self, reader: Reader) -> None:
        """A reader came."""
        (self.seated if reader.seat >= 0 else self.crowd)[reader] = None
        self._seats[reader.seat] += 1
        self._paces[reader.seat >= 0 or reader.screen, reader.pace] += 1
        self.spectators += reader.seat < 0 and not reader.screen
        self.viewed = frozenset(self._seats) - {-1}

    def discard(self, reader: Reader) -> None:
        """A reader left."""
        (self.seated if reader.seat >= 0 else self.crowd).pop(reader, None)
        count_down(self._seats, reader.seat)
        count_down(self._paces, (reader.seat >= 0 or reader.screen, reader.pace))
        self.spectators -= reader.seat < 0 and not reader.screen
        self.viewed = frozenset(self._seats) - {-1}

    @property
    def seats(self) -> list[int]:
        """The seats whose pages are open, in order."""
        return sorted(self.viewed)

    def present(self, seat: int) -> bool:
        """Whether the page of a seat is open."""
        return seat in self._seats

    @property
    def paces(self) -> list[tuple[bool, float]]:
        """The paces of pages, each once for seats and screens (true) and once for spectators."""
        return [key for key in self._paces if key[1]]


def count_down(counter: Counter[Any], key: Any) -> None:
    """Count one less, and forget what comes to nothing."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]
