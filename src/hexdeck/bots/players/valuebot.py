"""A value net as a bot."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Candidate, ranked, take
from hexdeck.bots.nets.inference import sample, softmax
from hexdeck.bots.nets.net_workspace import value_scaling, value_workspace
from hexdeck.bots.nets.netfile import VALUES, Net, fitting, shipped_net
from hexdeck.bots.nets.value_net import ROWS, list_and_evaluate
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind

WORLDS = 8  # that each move is tried in


class ValueBot:
    """Plays the move of the highest value; at a temperature above 0 (in units of utility) by a softmax of the values.

    `net` is the one shipped with the game unless given. Raises HexdeckError when there is no net, or one for other
    numbers of players.
    """

    name = "value"

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        temperature: float = 0.0,
        net: Net | None = None,
    ) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.net = fitting(net or shipped_net(game, VALUES), game, VALUES)
        self.temperature = float(temperature)
        self._rows, self._actions = game.rows(self.driver, ROWS), self.driver.actions()
        self._rng, self._worlds_rng = (self.driver.generator(seed, f"bot value{k}") for k in (" dice", " worlds"))
        self._mean, self._std = self.net.utility_scale[game.players]
        shared = self.driver.shared
        self._net = shared(self.net.weights), shared(self.net.sizes)
        scaling = value_scaling(game, self._mean, self._std)
        self._workspace = value_workspace(self.driver, self.net.sizes, scaling)
        self._values = np.zeros(len(game.rules.ACTIONS))

    def _evaluate(self, known: bytes, seat: int) -> tuple[list[int], np.ndarray]:
        """The legal actions, and the utility that each leads to, float64."""
        take(self.driver, self._rows, known, seat)
        kernel, shared = self.driver.kernel(cast(FunctionType, list_and_evaluate)), self.driver.shared
        count = kernel(
            self.driver.g, self._rows, seat, *self._net, WORLDS, self._workspace, self._actions, self._worlds_rng,
            shared(self._values),
        )  # fmt: skip
        return self.driver.listed(self._actions, count), self._mean + self._std * self._values[:count]

    def _probabilities(self, values: np.ndarray) -> np.ndarray:
        """How often each action is played, by its value."""
        out = values.copy()
        self.driver.kernel(cast(FunctionType, softmax))(self.driver.shared(out), len(out), self.temperature)
        return out

    def begin(self, number: int) -> None:
        """See `Bot`; the worlds that it tries moves in are the same in every match."""
        rewind(self._rng, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        legal, values = self._evaluate(known, seat)
        probabilities = self.driver.shared(self._probabilities(values))
        at: int = self.driver.kernel(cast(FunctionType, sample))(probabilities, len(legal), self._rng)
        return legal[at]

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:  # noqa: ARG002
        """Every legal action with its probability, and the utility that the net expects after it."""
        legal, values = self._evaluate(known, seat)
        found = zip(legal, self._probabilities(values).tolist(), values.tolist(), strict=True)
        return ranked(Candidate(action, probability, value, None) for action, probability, value in found)
