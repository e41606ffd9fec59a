"""What moves bring in the same fresh worlds: so a difference is surer than either worth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.horizon import horizon
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.rollout import ROOT, SUM, first_world, try_actions
from hexdeck.bots.search.workspace import mind
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup


@dataclass(frozen=True)
class Weighed:
    """Actions as the same worlds showed them; `won`: float64 (worlds, actions), the seat's utility in each."""

    actions: tuple[int, ...]
    won: np.ndarray

    def worth(self, action: int) -> tuple[float, float | None]:
        """The mean utility after an action, and half its 95 % interval; None for one world.

        By the normal approximation, but never less than the rule of three allows.
        """
        return self._floored(*estimate(self.won[:, self.actions.index(action)]))

    def gap(self, better: int, worse: int) -> tuple[float, float | None]:
        """By how much one action beats another, world by world, and half the 95 % interval of that."""
        columns = [self.won[:, self.actions.index(action)] for action in (better, worse)]
        return self._floored(*estimate(columns[0] - columns[1]))

    def _floored(self, mean: float, margin: float | None) -> tuple[float, float | None]:
        """An estimate whose margin is no less than the rule of three allows: what was never seen may come 3 in n."""
        return mean, None if margin is None else max(margin, 3 * float(np.ptp(self.won)) / len(self.won))


def estimate(samples: np.ndarray) -> tuple[float, float | None]:
    """The mean of samples and half its 95 % interval."""
    if len(samples) < 2:
        return float(samples.mean()), None
    return float(samples.mean()), float(1.96 * samples.std(ddof=1) / len(samples) ** 0.5)


class PairedEvaluator:
    """Plays each action out in re-dealt worlds, all seats by a policy (`house` or another of `mind.POLICIES`).

    The actions meet the same cards and dice (see `bots.search.rollout`); worlds are never used twice, so that what a
    bot chose by luck weighs no more here. `again` as for `bots.search.workspace`.
    """

    def __init__(
        self, game: GameSetup, seed: int | bytes = 0, backend: str | None = None,
        policy: str = "house", heat: float = 1.0,
        net: Net | None = None, again: bool | None = None,
    ) -> None:  # fmt: skip
        self.driver = game.driver(backend)
        self._policy, self._mind = mind(game, policy, self.driver, heat, net, again=again)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        purposes = ("scales", "scales cards", "scales dice")
        self._rngs = [self.driver.generator(seed, purpose) for purpose in purposes]
        self._out, self._weights = self.driver.array(game.rules.SEATS, np.float64), self.driver.weights()
        self._horizon = horizon(game)
        self._decisions = 0

    def weigh(self, known: bytes, seat: int, actions: list[int], worlds: int) -> Weighed:
        """Try these actions of the seat, from the bytes of `Match.concealed`, in so many worlds."""
        raw(self._rows)[ROOT] = np.frombuffer(known, np.uint8)
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        tallies, listed = np.zeros((len(actions), 3)), self.driver.shared(np.array(actions, np.int64))
        shared, sums = self.driver.shared(tallies), np.zeros((worlds + 1, len(actions)))
        first = first_world(self._decisions)
        self._decisions += 1
        for k in range(worlds):
            kernel(
                self.driver.g, self._rows, seat, self._policy, self._mind, self._actions, self._weights, *self._rngs,
                listed, shared, self._out, first + k, 1, self._horizon,
            )  # fmt: skip
            sums[k + 1] = tallies[:, SUM]
        return Weighed(tuple(actions), np.diff(sums, axis=0))
