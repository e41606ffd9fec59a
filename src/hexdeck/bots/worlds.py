"""Worlds that fit what a seat knows, for estimating odds: all equally likely, drawn by the rules' `resample`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import below, pick

KNOWN, SCRATCH = 0, 3  # rows
COUNT = 200
Test = Callable[[Any], float]


class Worlds:
    """Worlds that a seat thinks possible, `count` of them; always the same for the same knowledge.

    Iterating gives a struct of each, valid until the next one is asked for: rules may be played on it.
    """

    def __init__(self, game: GameSetup, known: bytes, seat: int, count: int = COUNT) -> None:
        self.seat, self.driver = seat, game.driver("interpreted")
        self._rows, self._weights, self._actions = game.rows(self.driver), self.driver.weights(), self.driver.actions()
        raw(self._rows)[KNOWN] = np.frombuffer(known, np.uint8)
        rng, resample = self.driver.generator(0, "hint worlds"), self.driver.kernel("redeal_row")
        self._dealt = np.zeros((count, len(known)), np.uint8)
        for row in self._dealt:
            resample(self.driver.g, self._rows, SCRATCH, KNOWN, seat, rng)
            row[:] = raw(self._rows)[SCRATCH]

    def __len__(self) -> int:
        return len(self._dealt)

    def __iter__(self) -> Iterator[Any]:
        for row in self._dealt:
            raw(self._rows)[SCRATCH] = row
            yield self._rows.structs[SCRATCH]

    def after(self, action: int, until: Test | None = None) -> Iterator[Any]:
        """Each world after the seat's action and the chance events that follow it.

        With `until` all seats play on, each legal move as likely, until that test holds. All actions meet the same
        random numbers.
        """
        dice = self.driver.generator(0, "hint dice")
        for world in self:
            self.driver.g.apply_action(world, self.seat, action)
            while not world.over and not (until and until(world)) and (until or not world.acting):
                self._step(world, dice)
            yield world

    def _step(self, world: Any, dice: Any) -> None:
        """One event: chance, or a random move."""
        rules = self.driver.g
        if not world.acting:
            total = rules.chance_weights(world, self._weights)
            rules.apply_chance(world, pick(self._weights, self._weights.shape[0], below(dice, total)))
            return
        seat = (world.acting & -world.acting).bit_length() - 1
        count = rules.legal_actions(world, seat, self._actions)
        rules.apply_action(world, seat, self._actions[below(dice, count)])

    def of_100(self, test: Test, action: int | None = None, until: Test | None = None) -> int:
        """In how many of 100 worlds a test holds: now, or `after` an action; 0 and 100 only if in none or in all.

        A test may also return a probability, from 0 to 1.
        """
        held = [float(test(world)) for world in (self if action is None else self.after(action, until))]
        if max(held) == 0 or min(held) == 1:
            return round(100 * held[0])
        return min(max(round(100 * sum(held) / len(held)), 1), 99)
