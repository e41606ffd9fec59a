"""A policy net as a bot."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.nets.inference import ACTIONS, FAR, INPUTS, NEAR, consider, throw
from hexdeck.bots.nets.netfile import POLICY, Net, fitting, shipped_net
from hexdeck.bots.search.expected import Expectation
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind

PURPOSE = "bot net"  # what its dice are for


class NetBot:
    """Plays as a net does: at `heat` 1 by its chances, which is hard to exploit; at 0 always what it likes best.

    `net` is the game's own of the package unless given; `dice` are what it throws. Raises HexdeckError when there is
    none.
    """

    name = "net"

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        heat: float = 1.0,
        net: Net | None = None,
    ) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.net = fitting(net or shipped_net(game), game, POLICY)
        self.heat, self._rows, self._actions = float(heat), game.rows(self.driver), self.driver.actions()
        self.dice = self.driver.generator(seed, PURPOSE)
        inputs, near, far, actions = (int(self.net.sizes[k]) for k in (INPUTS, NEAR, FAR, ACTIONS))
        array, shared = self.driver.array, self.driver.shared
        self._net = shared(self.net.weights), shared(self.net.sizes)
        self._layers = array(inputs, np.int8), array(near, np.float64), array(far, np.float64)
        self._chances, self._value, self._count = np.zeros(actions), np.zeros(1), 0
        self._expectation = Expectation(game, self.driver.backend, "net", self.heat, self.net)
        self._out = shared(self._chances), shared(self._value)

    def _consider(self, known: bytes, seat: int, heat: float) -> int:
        """Write the chances and the value; returns how many actions are legal."""
        take(self.driver, self._rows, known, seat)
        kernel, (chances, value) = self.driver.kernel(cast(FunctionType, consider)), self._out
        count = kernel(
            self.driver.g, self._rows, seat, *self._net, heat, *self._layers, self._actions, chances, value
        )  # fmt: skip
        self._count = int(count)
        return self._count

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self.dice, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        count = self._consider(known, seat, self.heat)
        at: int = self.driver.kernel(cast(FunctionType, throw))(self._out[0], count, self.dice)
        return self.driver.listed(self._actions, count)[at]

    def thought(self) -> tuple[list[int], list[float]]:
        """The legal actions of the decision just made, and the chance of each."""
        listed = self.driver.listed(self._actions, self._count)
        return listed, self._chances[: self._count].tolist()

    def look(self) -> np.ndarray:
        """What the net saw of it: int8 (inputs,), a copy."""
        seen = self._layers[0]
        return np.array(seen[: self.net.sizes[INPUTS]], np.int8)

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with its chance, likeliest first, and what it brings if all seats play on by this net."""
        count = self._consider(known, seat, self.heat)
        ids, chances = self.driver.listed(self._actions, count), self._chances[:count].tolist()
        found = [Candidate(action, chance, None, None) for action, chance in zip(ids, chances, strict=True)]
        return self._expectation.told(found, known, seat, worlds)

    def value(self, known: bytes, seat: int) -> float | None:
        """The utility that the seat expects here if everybody plays by the net; None for untrained player counts."""
        self._consider(known, seat, 1.0)
        middle, unit = self.net.units.get(self.game.players, (0.0, 0.0))
        return middle + unit * float(self._value[0]) if unit else None
