"""Kinds of nets to train: what plays with them, and what learns them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, VALUES
from hexdeck.bots.nets.value_net import ROWS
from hexdeck.bots.nets.value_terms import desk_of, terms_of
from hexdeck.bots.training.arena import Arena
from hexdeck.bots.training.dealarena import DealArena
from hexdeck.bots.training.learn import Appraiser, Imitator, Learner
from hexdeck.bots.training.mimicarena import MimicArena
from hexdeck.bots.training.practice import collect_value_games, rival
from hexdeck.engine.play.game import GameSetup


@dataclass(frozen=True)
class Kind:
    """`arena` from game, sizes, seed, backend, simulations and units; `learner` from sizes, weights and scale.

    `heat`: the temperature of play to learn from, by that of the plan and how much of it is done.
    """

    arena: Callable[..., Arena]
    learner: type[Learner]
    heat: Callable[[float, float], float]


class ValueArena(Arena):
    """A table where nets of values play."""

    heat = 0.0
    kernels: tuple[Any, Any] = collect_value_games, rival

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, simulations: int, units: np.ndarray
    ) -> None:
        super().__init__(game, sizes, seed, backend, simulations)
        desk = desk_of(self.driver, sizes, terms_of(game, *units[:2]))
        odds = self.driver.array(max(len(game.rules.ACTIONS), 32), np.float64)
        self._game = self.driver.g, game.rows(self.driver, ROWS)
        self._work = desk, odds, self.driver.array(game.rules.SEATS, np.float64)


def policies(
    game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, simulations: int, _units: np.ndarray
) -> Arena:
    """A table where policies play."""
    return Arena(game, sizes, seed, backend, simulations)


def beginnings(
    game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, _simulations: int, units: np.ndarray
) -> Arena:
    """A table where deals begin."""
    return DealArena(game, sizes, seed, backend, units)


KINDS = {
    DEALS: Kind(beginnings, Appraiser, lambda _heat, _done: 0.0),
    MIMIC: Kind(MimicArena, Imitator, lambda _heat, _done: 1.0),
    POLICY: Kind(policies, Learner, lambda _heat, _done: 1.0),
    VALUES: Kind(ValueArena, Appraiser, lambda heat, done: heat * (1 - 0.95 * done)),
}
