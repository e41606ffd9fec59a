"""A random match of any game, played to its end by the interpreted functions, for checks of what the game promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.discovery.trial import Trial
from hexdeck.engine.event import Event
from hexdeck.engine.random import generator

STEPS = 5_000  # a match that takes more is considered endless


class Walk(Trial):
    """A random match, played to its end by the interpreted functions; `last` is the latest event."""

    last: Event | None = None

    def positions(self) -> Iterator[Any]:
        """The struct at every position, before the next event changes it; at the last one the match is over."""
        s = self.struct
        self.rules.start(s)
        for _step in range(STEPS):
            yield s
            if s.over:
                return
            self.happens()
        raise AssertionError(f"A match isn't over after {STEPS} steps.")

    def consider(self, known: Any, seat: int, count: int) -> None:
        """Ask nothing: a walk is about the rules."""

    def happens(self) -> Event:
        """Let the next event happen, a random move or a chance outcome, and return it."""
        self.struct.stops_.clear()
        self.last = self.decided() if self.struct.acting else self.drawn()
        return self.last

    def seats(self) -> range:
        """All seats, and -1 for the public."""
        return range(-1, self.struct.seats)

    def sampled(self, seat: int, seed: int) -> Any:
        """A world that the seat considers possible, sampled from the current position."""
        return self.world(self.copy(), seat, seed)

    def world(self, struct: Any, seat: int, seed: int) -> Any:
        """Resample, in place, what the seat doesn't know; returns the struct."""
        self.rules.resample(struct, seat, strict(generator(seed, "redeal")))
        return struct

    def known(self, struct: Any, seat: int) -> Any:
        """A copy of a struct, concealed for a seat."""
        copy = self.proxy(memoryview(bytearray(struct.row_)))
        self.rules.conceal(copy, seat)
        return copy

    def named(self, seat: int) -> str:
        """The name of a seat, or of the public."""
        return "the public" if seat < 0 else f"seat {seat}"
