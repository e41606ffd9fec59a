"""A net of values as a bot."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Candidate, by_worth, take
from hexdeck.bots.nets.inference import soften, throw
from hexdeck.bots.nets.netfile import VALUES, Net, fitting, shipped_net
from hexdeck.bots.nets.value_net import ROWS, list_and_value
from hexdeck.bots.nets.value_terms import desk_of, terms_of
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind
from hexdeck.engine.text import say

WORLDS = 8  # that each move is tried in


class ValueBot:
    """Plays what leads to the highest value; at a `heat` above 0 also what is worth about so much utility less.

    `net` is the game's own of the package unless given. Raises HexdeckError when there is none, or for another number
    of players than it was trained for.
    """

    name = "value"

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        heat: float = 0.0,
        net: Net | None = None,
    ) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.net = fitting(net or shipped_net(game, VALUES), game, VALUES)
        if game.players not in self.net.units:
            text = say("This net of values wasn't trained for {players} players.", players=game.players)
            raise HexdeckError(text)
        self.heat, self._rows, self._actions = float(heat), game.rows(self.driver, ROWS), self.driver.actions()
        self._dice, self._worlds = (self.driver.generator(seed, f"bot value{k}") for k in (" dice", " worlds"))
        self._middle, self._unit = self.net.units[game.players]
        shared = self.driver.shared
        self._net = shared(self.net.weights), shared(self.net.sizes)
        self._desk = desk_of(self.driver, self.net.sizes, terms_of(game, self._middle, self._unit))
        self._worths = np.zeros(len(game.rules.ACTIONS))

    def _survey(self, known: bytes, seat: int) -> tuple[list[int], np.ndarray]:
        """The legal actions, and the utility that each leads to."""
        take(self.driver, self._rows, known, seat)
        kernel, shared = self.driver.kernel(cast(FunctionType, list_and_value)), self.driver.shared
        count = kernel(
            self.driver.g, self._rows, seat, *self._net, WORLDS, self._desk, self._actions, self._worlds,
            shared(self._worths),
        )  # fmt: skip
        return self.driver.listed(self._actions, count), self._middle + self._unit * self._worths[:count]

    def _chances(self, worths: np.ndarray) -> np.ndarray:
        chances = worths.copy()
        self.driver.kernel(cast(FunctionType, soften))(self.driver.shared(chances), len(chances), self.heat)
        return chances

    def begin(self, number: int) -> None:
        """See `Bot`; the worlds that it tries moves in are the same in every match."""
        rewind(self._dice, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        legal, worths = self._survey(known, seat)
        chances = self.driver.shared(self._chances(worths))
        at: int = self.driver.kernel(cast(FunctionType, throw))(chances, len(legal), self._dice)
        return legal[at]

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:  # noqa: ARG002
        """Every legal action with its chance, and the utility that the net expects after it."""
        legal, worths = self._survey(known, seat)
        chances = self._chances(worths)
        found = zip(legal, chances.tolist(), worths.tolist(), strict=True)
        return by_worth(Candidate(action, chance, worth, None) for action, chance, worth in found)
