"""An arena of house bots, from whose games deal nets learn the utility that the beginning of a deal leads to."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.research.training.arena import Arena, Counts, counts_of, mean_and_margin
from hexdeck.research.training.collect import GAME, TARGET
from hexdeck.research.training.collect_deals import collect_deals
from hexdeck.research.training.learn import Batch, outputs_of

SAMPLES = 8  # beginnings of a deal that are evaluated for each group of games asked for
PROBES = 200  # games that show whether deals begin


class DealArena(Arena):
    """Games of one setting between house bots."""

    temperature = 0.0
    score = "explained"  # the part of the variance of results that a net explains when a deal begins

    def check(self) -> None:
        """Raise BadOption where a second deal hardly ever begins."""
        if self.collect(np.zeros((PROBES, 1)), [], 0, Batch.empty(self.sizes, PROBES)).decisions < PROBES // 4:
            raise BadOption(
                say(
                    "With {players} players and these options of {game} there is hardly ever a second deal, so "
                    "there is nothing to learn.", players=self.game.players, game=self.game.name)
            )  # fmt: skip

    def collect(
        self, lineup: np.ndarray, _nets: Sequence[np.ndarray], number: int, batch: Batch,
        _temperatures: Sequence[float] | None = None,
    ) -> Counts:  # fmt: skip
        """Play as many games as the lineup has between house bots, from match `number` on, until the batch is full."""
        shared, kernel = self.driver.shared, self.driver.kernel(cast(FunctionType, collect_deals))
        state = np.zeros(3, np.int64)
        kernel(
            *self._game, len(lineup), shared(self.scaling), shared(self.sizes), self._generators, number, self._scratch,
            self.columns(batch), shared(state),
        )  # fmt: skip
        return counts_of(state)

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The part of the variance of results that the net explains, and half its 95 % interval.

        That is of `SAMPLES` beginnings of a deal for each group, in as many games as have them.
        """
        batch = Batch.empty(self.sizes, SAMPLES * groups)
        made, games, _moves = self.collect(np.zeros((len(batch), 1)), [], first, batch)
        batch = batch.rows(slice(0, made))
        target, predicted = batch.labels[:, TARGET], predictions(net, self.sizes, batch.inputs)
        gained = (target - target.mean()) ** 2 - (target - predicted) ** 2
        by_game = np.bincount(batch.labels[:, GAME].astype(np.int64), gained, games)
        return mean_and_margin(by_game / target.var() * games / made)


def predictions(net: np.ndarray, sizes: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The values of a deal net, float32 (rows), normalised."""
    value: np.ndarray = outputs_of(net, sizes, inputs)[:, -1]
    return value
