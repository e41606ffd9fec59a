"""Arenas: games of one setting between nets, strategies and searches in compiled code, for training and leagues."""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any, NamedTuple, cast

import numpy as np

from hexdeck.bots.nets.net_workspace import net_layers, value_scaling, value_workspace
from hexdeck.bots.nets.value_net import ROWS
from hexdeck.bots.search.searcher import Tree
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import GameSetup
from hexdeck.research.training.collect import GAMES, HOUSE, MEAN, MOVES, NOBODY, SIZE, STD, play_games
from hexdeck.research.training.learn import Batch
from hexdeck.stats import half_width

FRESH = 1 << 37  # match numbers from here on are for trials, from twice this for final figures: none is trained on
UNSCALED = np.array([0.0, 1.0, 1.0])  # utilities as they are


class Counts(NamedTuple):
    """How much was played: recorded decisions, whole games, moves."""

    decisions: int
    games: int
    moves: int


class Arena:
    """Games of one setting between policy nets of one size; `seed` decides cards and players, a number each match.

    `scaling`, float64: the mean and the standard deviation of utility, and lambda of the advantages. `simulations`: the
    budget of searches; `rollouts`: the policy that plays on in them.
    """

    temperature = 1.0  # at which nets are compared
    score = "house"  # the column of a training curve that says how good a net is: its utility against house bots
    recorded = 0  # whose decisions are recorded, as in a lineup

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None = None,
        scaling: np.ndarray = UNSCALED, simulations: int = 100, rollouts: int = RANDOM,
    ) -> None:  # fmt: skip
        self.game, self.sizes, self.driver, self.scaling = game, sizes, game.driver(backend), scaling
        driver, array, seats = self.driver, self.driver.array, game.rules.PLAYERS[1]
        self._generators = driver.generator(seed), driver.generator(seed, "nets")
        self._game = driver.g, game.rows(driver, ROWS)
        self.tree = Tree(game, backend, simulations, seed, 0).for_kernels(rollouts)
        workspace = value_workspace(driver, sizes, value_scaling(game, scaling[MEAN], scaling[STD]))
        self._scratch = (
            driver.actions(), driver.weights(), net_layers(driver, sizes, len(game.rules.ACTIONS)), workspace,
            array(2, np.float64), array(seats, np.float64), array(2 * seats, np.float64),
        )  # fmt: skip

    def check(self) -> None:
        """Raise BadOption where there is nothing to learn."""

    def collect(
        self, lineup: np.ndarray, nets: Sequence[np.ndarray], number: int, batch: Batch,
        temperatures: Sequence[float] | None = None,
    ) -> Counts:  # fmt: skip
        """Play the games of a lineup, from match `number` on, until all are over or the batch is full.

        `temperatures`: of each net, 1 by default.
        """
        matches = number + np.arange(len(lineup))
        warm = [1.0] * len(nets) if temperatures is None else temperatures
        counts, _results = self._play(lineup, nets, warm, matches, matches, self.recorded, batch)
        return counts

    def contest(
        self, lineup: np.ndarray, nets: Sequence[np.ndarray], temperatures: Sequence[float], numbers: np.ndarray,
        streams: np.ndarray | None = None,
    ) -> np.ndarray:  # fmt: skip
        """Play the games of a lineup, each as match of its number; returns utilities, float64 (games, seats).

        `streams`: from which players draw in each game, by default that of its place in the lineup.
        """
        streams, nothing = np.arange(len(lineup)) if streams is None else streams, Batch.empty(self.sizes, 0)
        return self._play(lineup, nets, temperatures, numbers, streams, NOBODY, nothing)[1]

    def _play(
        self, lineup: np.ndarray, nets: Sequence[np.ndarray], temperatures: Sequence[float], matches: np.ndarray,
        streams: np.ndarray, recorded: int, batch: Batch,
    ) -> tuple[Counts, np.ndarray]:  # fmt: skip
        shared, kernel = self.driver.shared, self.driver.kernel(cast(FunctionType, play_games))
        state, results = np.zeros(3, np.int64), np.zeros(lineup.shape)
        players = self._stack(nets), shared(np.array(temperatures, np.float64)), shared(self.sizes), self.tree
        kernel(
            *self._game, shared(lineup), shared(matches), shared(streams), players, shared(self.scaling), recorded,
            self._generators, self._scratch, self.columns(batch), shared(results), shared(state),
        )  # fmt: skip
        return counts_of(state), results

    def _stack(self, nets: Sequence[np.ndarray]) -> Any:
        """Weights of several nets as kernels take them; no net is one of a single 0."""
        rows = [np.ascontiguousarray(net, np.float64) for net in nets] or [np.zeros(1)]
        return np.stack(rows) if self.driver.compiled else [self.driver.shared(row) for row in rows]

    def columns(self, batch: Batch) -> tuple[Any, ...]:
        """A batch as kernels take it, with a column for the seats."""
        seats = np.zeros(len(batch), np.int8)
        return tuple(map(self.driver.shared, (batch.inputs, batch.legal, batch.chosen, batch.labels, seats)))

    def against(
        self, net: np.ndarray, temperature: float, groups: int, other: int | np.ndarray, first: int = 0
    ) -> tuple[float, float]:
        """One net against others on all other seats (such as `collect.HOUSE`, or another net), in its turn on each.

        Each group is one deal, numbered from `first` on, played once from every seat. Returns the mean utility of the
        net and half its 95 % interval, groups being independent.
        """
        seats = self.game.players
        nets = [net] if isinstance(other, int) else [net, other]
        lineup = np.full((groups * seats, seats), other if isinstance(other, int) else 1, np.int64)
        games = np.arange(groups * seats)
        lineup[games, games % seats] = 0
        results = self.contest(lineup, nets, [temperature] * len(nets), first + games // seats)
        return mean_and_margin(results[games, games % seats].reshape(groups, seats).mean(axis=1))

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The `score` of a net in so many deals from number `first` on, and half its 95 % interval."""
        return self.against(net, self.temperature, groups, HOUSE, first)


class ValueArena(Arena):
    """Games of one setting between value nets."""

    temperature = 0.0


def counts_of(state: np.ndarray) -> Counts:
    """The counts that kernels wrote."""
    return Counts(int(state[SIZE]), int(state[GAMES]), int(state[MOVES]))


def mean_and_margin(values: np.ndarray) -> tuple[float, float]:
    """The mean of independent values and half its 95 % interval."""
    return float(values.mean()), float(half_width(values))
