"""An arena of searches, whose choices nets learn to imitate (behavioural cloning).

Such a net predicts others better than a strategy does, and takes a thousandth of the time of a search: rollouts go on
as a search would (see `bots.search.rollout`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.research.training.arena import UNSCALED, Arena, Counts, mean_and_margin
from hexdeck.research.training.collect import GAME, SEARCH
from hexdeck.research.training.learn import Batch, masked_softmax, outputs_of

SPARSE, FEWEST, DECISIONS = 20, 20, 256  # groups asked for in each game, games at least, room in a batch for each game


class MimicArena(Arena):
    """Games of one setting between searches."""

    score = "foreseen"  # the part of the uncertainty about a search's choices that a net resolves
    recorded = SEARCH

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, scaling: np.ndarray = UNSCALED,
        simulations: int = 100,
    ) -> None:  # fmt: skip
        super().__init__(game, sizes, seed, backend, scaling, simulations)
        self._trials: dict[tuple[int, int], tuple[Batch, int]] = {}

    def collect(
        self, lineup: np.ndarray, _nets: Sequence[np.ndarray], number: int, batch: Batch,
        _temperatures: Sequence[float] | None = None,
    ) -> Counts:  # fmt: skip
        """Play as many games as the lineup has between searches, from match `number` on, until the batch is full."""
        searches = np.full((len(lineup), self.game.players), SEARCH, np.int64)
        return super().collect(searches, [], number, batch)

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The part of the uncertainty about a search's choices that a net resolves, and half its 95 % interval.

        That is 1 less the cross-entropy of the choices, divided by that of a uniform guess among legal actions. A game
        for every `SPARSE` groups is played, once, from number `first` on.
        """
        batch, games = self.trial(max(FEWEST, groups // SPARSE), first)
        logs = masked_softmax(outputs_of(net, self.sizes, batch.inputs)[:, :-1], batch.legal)[1]
        uniform = np.log(batch.legal.sum(axis=1))
        gained = uniform + logs[np.arange(len(batch)), batch.chosen]
        by_game = np.bincount(batch.labels[:, GAME].astype(np.int64), gained, games)
        return mean_and_margin(by_game / uniform.sum() * games)

    def trial(self, games: int, first: int) -> tuple[Batch, int]:
        """Decisions of games that nobody learned from, and how many games those are; played once."""
        if (games, first) not in self._trials:
            batch = Batch.empty(self.sizes, games * DECISIONS)
            made, played, _moves = self.collect(np.zeros((games, 1)), [], first, batch)
            self._trials[games, first] = batch.rows(np.arange(made)), played
        return self._trials[games, first]
