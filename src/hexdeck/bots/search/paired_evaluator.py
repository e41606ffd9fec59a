"""Values of moves, all tried in the same fresh worlds: a difference then has a smaller error than either value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.horizon import horizon
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.rollout import COLUMNS, DECISIONS_A_MATCH, ROOT, STOPPED, SUM, first_world, try_actions
from hexdeck.bots.search.workspace import Belief, policy_workspace
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind
from hexdeck.stats import half_width

Lacking = Callable[[bytes], tuple[float, float]]  # see `PairedEvaluator`


def nothing_lacks(_known: bytes) -> tuple[float, float]:
    """A `Lacking` where a game that is stopped counts as it stands, and no more."""
    return 0.0, 0.0


@dataclass(frozen=True)
class PairedValues:
    """Actions tried in the same worlds; `utilities`: float64 (worlds, actions), the seat's in each.

    `spreads`: half the 95 % interval of what was added to each action's value for games that were stopped, if any.
    """

    actions: tuple[int, ...]
    utilities: np.ndarray
    spreads: tuple[float, ...] = ()

    def value(self, action: int) -> tuple[float, float | None]:
        """The mean utility after an action, and half its 95 % interval; None for one world.

        By Student's t, but never less than the rule of three allows.
        """
        at = self.actions.index(action)
        mean, margin = self._floored(*estimate(self.utilities[:, at]))
        spread = self.spreads[at] if self.spreads else 0.0
        return mean, None if margin is None else float(np.hypot(margin, spread))

    def difference(self, better: int, worse: int) -> tuple[float, float | None]:
        """The mean difference of two actions, world by world, and half its 95 % interval; None for one world."""
        columns = [self.utilities[:, self.actions.index(action)] for action in (better, worse)]
        return self._floored(*estimate(columns[0] - columns[1]))

    def _floored(self, mean: float, margin: float | None) -> tuple[float, float | None]:
        """An estimate whose margin is no less than the rule of three allows: what was never seen may come 3 in n."""
        worlds = len(self.utilities)
        return mean, None if margin is None else max(margin, 3 * float(np.ptp(self.utilities)) / worlds)


def estimate(samples: np.ndarray) -> tuple[float, float | None]:
    """The mean of samples and half its 95 % interval, None for one sample."""
    return float(samples.mean()), float(half_width(samples)) if len(samples) > 1 else None


class PairedEvaluator:
    """Plays each action out in re-dealt worlds, all seats by a policy (`house` or another of `workspace.POLICIES`).

    The actions meet the same cards and dice (see `bots.search.rollout`). Worlds are never used twice: an action that a
    bot chose because it was lucky has no luck here. `rechoose` and `belief` are as for
    `workspace.policy_workspace`. `lacking`: what a game lacks that is stopped at the horizon, from the bytes of
    `Match.concealed`, and half the 95 % interval of that; it is added to such games and to no others.
    """

    def __init__(
        self, game: GameSetup, seed: int | bytes = 0, backend: str | None = None,
        policy: str = "house", temperature: float = 1.0,
        net: Net | None = None, rechoose: bool | None = None, belief: Belief | None = None,
        lacking: Lacking = nothing_lacks,
    ) -> None:  # fmt: skip
        self.driver = game.driver(backend)
        self._policy, self._workspace = policy_workspace(
            game, policy, self.driver, temperature, net, rechoose=rechoose, belief=belief
        )
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        purposes = ("scales", "scales cards", "scales dice")  # they decide the worlds: they keep their names
        self._rngs = [self.driver.generator(seed, purpose) for purpose in purposes]
        self._utilities, self._weights = self.driver.array(game.rules.PLAYERS[1], np.float64), self.driver.weights()
        self._horizon = horizon(game)
        self._decisions, self._lacking = 0, lacking

    def begin(self, number: int) -> None:
        """Evaluate as in match `number` from now on: what was evaluated in other matches changes nothing."""
        self._decisions = number * DECISIONS_A_MATCH
        rewind(self._rngs[0], number)

    def evaluate(self, known: bytes, seat: int, actions: list[int], worlds: int) -> PairedValues:
        """Try these actions of the seat, from the bytes of `Match.concealed`, in so many worlds."""
        raw(self._rows)[ROOT] = np.frombuffer(known, np.uint8)
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        totals, tried = np.zeros((len(actions), COLUMNS)), self.driver.shared(np.array(actions, np.int64))
        shared, sums = self.driver.shared(totals), np.zeros((worlds + 1, len(actions)))
        first = first_world(self._decisions)
        self._decisions += 1
        points, spread = self._lacking(known)
        for k in range(worlds):
            kernel(
                self.driver.g, self._rows, seat, self._policy, self._workspace, self._actions, self._weights,
                *self._rngs, tried, shared, self._utilities, first + k, 1, self._horizon,
            )  # fmt: skip
            sums[k + 1] = totals[:, SUM] + points * totals[:, STOPPED]
        spreads = spread * totals[:, STOPPED] / worlds
        return PairedValues(tuple(actions), np.diff(sums, axis=0), tuple(map(float, spreads)))
