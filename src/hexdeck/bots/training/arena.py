"""A table where nets, house and random play in compiled code, for the trainer and for leagues."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import ACTIONS, FAR, INPUTS, NEAR
from hexdeck.bots.search.searcher import Tree
from hexdeck.bots.training.learn import Batch
from hexdeck.bots.training.selfplay import GAMES, HOUSE, MOVES, SIZE, collect_selfplay, contest
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import GameSetup

FRESH = 1 << 37  # match numbers that nothing is trained on: from here for trials, from twice this for final figures


class Arena:
    """Games of one setting between nets of one size; `seed` decides cards and dice, a number tells matches apart.

    `simulations`: the budget of searches that play along; `rollouts`: who plays on in them.
    """

    heat = 1.0  # the temperature that nets are compared at
    mark = "house"  # what is told of a net while it is trained: what it gets against house bots
    kernels: tuple[Any, Any] = collect_selfplay, contest

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None = None, simulations: int = 100,
        rollouts: int = RANDOM,
    ) -> None:  # fmt: skip
        self.game, self.sizes, self.driver = game, sizes, game.driver(backend)
        driver, array = self.driver, self.driver.array
        inputs, near, far, actions = (int(sizes[k]) for k in (INPUTS, NEAR, FAR, ACTIONS))
        self._dice = driver.generator(seed), driver.generator(seed, "nets")
        self._game = driver.g, game.rows(driver)
        self._lists = driver.actions(), driver.weights()
        self._seeker = Tree(game, backend, simulations, seed, 0).seeker(rollouts)
        self._work: tuple[Any, ...] = (
            array(inputs, np.int8), array(near, np.float64), array(far, np.float64),
            array(max(actions, 32), np.float64), array(game.rules.SEATS, np.float64),
        )  # fmt: skip

    def check(self) -> None:
        """Raise BadOption where there is nothing to learn."""

    def stack(self, nets: Sequence[np.ndarray]) -> Any:
        """Weights of several nets, as kernels take them."""
        rows = [np.ascontiguousarray(net, np.float64) for net in nets]
        return np.stack(rows) if self.driver.compiled else [self.driver.shared(row) for row in rows]

    def collect_selfplay(
        self, table: np.ndarray, stack: Any, units: np.ndarray, number: int, room: Batch,
        heats: Sequence[float] | None = None,
    ) -> tuple[int, ...]:  # fmt: skip
        """Play by the table until it or the room ends; returns how many decisions, games and moves there were.

        `heats`: the temperature of each net, 1 unless given.
        """
        state, who, shared = np.zeros(3, np.int64), np.zeros(len(room), np.int8), self.driver.shared
        warmth = np.ones(len(stack)) if heats is None else np.array(heats, np.float64)
        kernel = self.driver.kernel(self.kernels[0])
        kernel(
            *self._game, shared(table), stack, shared(warmth), shared(self.sizes), self._seeker, shared(units),
            *self._lists, *self._dice,
            *self._work, number, shared(room.seen), shared(room.legal), shared(room.chosen), shared(who),
            shared(room.facts), shared(state),
        )  # fmt: skip
        return tuple(int(state[k]) for k in (SIZE, GAMES, MOVES))

    def contest(self, table: np.ndarray, stack: Any, heats: Sequence[float], numbers: np.ndarray) -> np.ndarray:
        """Play the games of the table, each of its number; returns utilities, float64 (games, seats)."""
        results = np.zeros(table.shape)
        shared, kernel = self.driver.shared, self.driver.kernel(self.kernels[1])
        kernel(
            *self._game, shared(table), stack, shared(np.array(heats, np.float64)), shared(self.sizes), self._seeker,
            *self._lists, *self._dice, *self._work, shared(numbers), shared(results),
        )  # fmt: skip
        return results

    def against(
        self, net: np.ndarray, heat: float, groups: int, other: int | np.ndarray, first: int = 0
    ) -> tuple[float, float]:
        """One net against others (such as `selfplay.HOUSE`, or another net) on all other seats, in its turn on each.

        Each group is one deal played once from every seat. Returns the mean utility of the net and half the width of
        its 95 % interval, groups being independent.
        """
        seats = self.game.players
        nets = [net] if isinstance(other, int) else [net, other]
        table = np.full((groups * seats, seats), other if isinstance(other, int) else 1, np.int64)
        games = np.arange(groups * seats)
        table[games, games % seats] = 0
        results = self.contest(table, self.stack(nets), [heat] * len(nets), first + games // seats)
        means = results[games, games % seats].reshape(groups, seats).mean(axis=1)
        return float(means.mean()), float(1.96 * means.std(ddof=1) / np.sqrt(groups))

    def marked(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """How good a net is, as `mark` says, in so many deals from number `first` on; and half its 95 % interval."""
        return self.against(net, self.heat, groups, HOUSE, first)


def room(sizes: np.ndarray, size: int) -> Batch:
    """Room for so many decisions."""
    return Batch(
        np.zeros((size, int(sizes[INPUTS])), np.int8), np.zeros((size, int(sizes[ACTIONS])), np.bool_),
        np.zeros(size, np.int16), np.zeros((size, 4), np.float32),
    )  # fmt: skip
