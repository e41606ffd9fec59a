"""A slow, obvious judge of best play: it walks a game's kernel event by event and knows nothing of the game.

Every seat maximises its own expected result; between equal actions the first of an order decides.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hexdeck.engine.play.game import raw
from hexdeck.simulation.game import Game

EQUAL = 1e-9
UNCOUNTED = ("history", "deal", "draws")  # how a position was reached changes nothing


class Walk:
    """Positions of a game, as bytes, and what each is worth to every seat."""

    def __init__(self, game: Game, order: Callable[[int], Any]) -> None:
        self.game, self.order, self.driver = game, order, game.driver("fast")
        self.rows, self.actions, self.weights = game.rows(self.driver), self.driver.actions(), self.driver.weights()
        self.form, self.row = game.rules.STRUCT, raw(self.rows)[0]
        self.fields = [self.row.view(self.form)[field] for field in UNCOUNTED]
        self.begin, self.repeat = self.driver.kernel("begin_row"), self.driver.kernel("repeat")
        self.known: dict[bytes, tuple[float, ...]] = {}

    def first(self) -> bytes:
        self.begin(self.driver.g, self.rows)
        return self.plain()

    def plain(self) -> bytes:
        for field in self.fields:
            field[...] = 0
        return bytes(self.row)

    def after(self, position: bytes, seat: int, event: int) -> bytes:
        self.row[:] = np.frombuffer(position, np.uint8)
        self.repeat(self.driver.g, self.rows, 0, seat, event)
        return self.plain()

    def actor(self, position: bytes) -> int:
        acting = int(np.frombuffer(position, self.form)["acting"][0])
        return (acting & -acting).bit_length() - 1

    def chances(self, position: bytes) -> dict[bytes, float]:
        """The positions after chance, and how likely they are."""
        self.row[:] = np.frombuffer(position, np.uint8)
        total = self.driver.kernel("weigh")(self.driver.g, self.rows, self.weights)
        outcomes = [(k, int(weight)) for k, weight in enumerate(self.weights) if weight]
        return {self.after(position, -1, k): weight / total for k, weight in outcomes}

    def legal(self, position: bytes, seat: int) -> list[int]:
        """The legal actions, in the order that decides between equal ones."""
        self.row[:] = np.frombuffer(position, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self.rows, 0, seat, self.actions)
        return sorted(self.driver.integers(self.actions, count), key=self.order)

    def worths(self, position: bytes, seat: int) -> dict[int, tuple[float, ...]]:
        return {action: self.value(self.after(position, seat, action)) for action in self.legal(position, seat)}

    def best(self, position: bytes, seat: int) -> int:
        return self.best_of(self.worths(position, seat), seat)

    def best_of(self, worths: dict[int, tuple[float, ...]], seat: int) -> int:
        """The action that is best for a seat, of actions in order with what each brings."""
        highest = max(worth[seat] for worth in worths.values())
        return next(action for action, worth in worths.items() if worth[seat] >= highest - EQUAL)

    def value(self, position: bytes) -> tuple[float, ...]:
        if position not in self.known:
            self.known[position] = self._value(position)
        return self.known[position]

    def _value(self, position: bytes) -> tuple[float, ...]:
        if np.frombuffer(position, self.form)["over"][0]:
            self.row[:] = np.frombuffer(position, np.uint8)
            out = self.driver.array(self.game.rules.SEATS, np.float64)
            self.driver.kernel("results")(self.driver.g, self.rows, out)
            return tuple(float(out[p]) for p in range(self.game.players))
        seat = self.actor(position)
        if seat >= 0:
            worths = self.worths(position, seat)
            return worths[self.best_of(worths, seat)]
        parts = [(chance, self.value(after)) for after, chance in self.chances(position).items()]
        return tuple(sum(chance * worth[p] for chance, worth in parts) for p in range(self.game.players))

    def decisions(self) -> Iterator[tuple[bytes, int]]:
        """Every position with a choice that `value` has met, and who chooses."""
        for position in list(self.known):
            seat = self.actor(position)
            if seat >= 0:
                yield position, seat
