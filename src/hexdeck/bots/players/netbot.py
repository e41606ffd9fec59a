"""A policy net as a bot."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.nets.inference import ACTIONS, INPUTS, evaluate_row, sample
from hexdeck.bots.nets.net_workspace import net_layers
from hexdeck.bots.nets.netfile import POLICY, Net, fitting, shipped_net
from hexdeck.bots.search.expected import RolloutValues
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind

PURPOSE = "bot net"  # what its generator is for


class NetBot:
    """Plays as a net does: at temperature 1 by its probabilities, which is hard to exploit; at 0 always its favourite.

    `net` is the one shipped with the game unless given; `rng` is its generator. Raises HexdeckError when there is no
    net.
    """

    name = "net"

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        temperature: float = 1.0,
        net: Net | None = None,
    ) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.net = fitting(net or shipped_net(game), game, POLICY)
        self.temperature = float(temperature)
        self.rng = self.driver.generator(seed, PURPOSE)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        shared = self.driver.shared
        self._net = shared(self.net.weights), shared(self.net.sizes)
        self._probabilities, self._value = np.zeros(int(self.net.sizes[ACTIONS])), np.zeros(1)
        self._layers = (*net_layers(self.driver, self.net.sizes)[:3], shared(self._probabilities))
        self._value_out, self._count = shared(self._value), 0
        self._values = RolloutValues(game, self.driver.backend, "net", self.temperature, self.net)

    def _evaluate(self, known: bytes, seat: int, temperature: float) -> int:
        """Write the probabilities and the value; returns how many actions are legal."""
        take(self.driver, self._rows, known, seat)
        kernel = self.driver.kernel(cast(FunctionType, evaluate_row))
        self._count = int(kernel(
            self.driver.g, self._rows, seat, *self._net, temperature, self._layers, self._actions, self._value_out
        ))  # fmt: skip
        return self._count

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self.rng, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        count = self._evaluate(known, seat, self.temperature)
        at: int = self.driver.kernel(cast(FunctionType, sample))(self._layers[3], count, self.rng)
        return self.driver.listed(self._actions, count)[at]

    def last_probabilities(self) -> tuple[list[int], list[float]]:
        """The legal actions of the decision just made, and the probability of each."""
        listed = self.driver.listed(self._actions, self._count)
        return listed, self._probabilities[: self._count].tolist()

    def last_input(self) -> np.ndarray:
        """The net's input of the decision just made: int8 (inputs,), a copy."""
        inputs = self._layers[0]
        return np.array(inputs[: self.net.sizes[INPUTS]], np.int8)

    def last_value(self) -> float:
        """The net's value of the decision just made, normalised."""
        return float(self._value[0])

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with its probability, and its value if all seats play on by this net; likeliest first."""
        count = self._evaluate(known, seat, self.temperature)
        ids, probabilities = self.driver.listed(self._actions, count), self._probabilities[:count].tolist()
        found = [Candidate(action, each, None, None) for action, each in zip(ids, probabilities, strict=True)]
        return self._values.filled(found, known, seat, worlds)

    def value(self, known: bytes, seat: int) -> float | None:
        """The utility that the seat expects here if everybody plays by the net; None for untrained player counts."""
        self._evaluate(known, seat, 1.0)
        mean, std = self.net.utility_scale.get(self.game.players, (0.0, 0.0))
        return mean + std * self.last_value() if std else None
