"""Strategies as bots: `random`, and a game's own `house` and `gentle`, which compiled code knows by number."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.search.expected import RolloutValues
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import POLICIES
from hexdeck.engine.random import rewind

ASKED = 32  # times that a strategy is asked to estimate how often it plays each action


class StrategyBot:
    """A strategy as a bot. Seeded: the same bytes and calls give the same choices."""

    def __init__(self, game: GameSetup, name: str, seed: int | bytes, backend: str | None) -> None:
        self.name = name
        self.driver = game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._policy = POLICIES[name]
        self._rng = self.driver.generator(seed, f"bot {name}")
        self._values = RolloutValues(game, self.driver.backend, name)

    def use_generator(self, rng: Any) -> None:
        """Draw from this generator of its backend from now on; others may draw from it too."""
        self._rng = rng

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat."""
        take(self.driver, self._rows, known, seat)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self._rows, self._policy, seat, self._actions, self._rng))

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, how often it is chosen, and its value if all seats play on by this strategy."""
        take(self.driver, self._rows, known, seat)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = self.driver.listed(self._actions, count)
        if self._policy == RANDOM:
            probabilities = dict.fromkeys(legal, 1 / count)
        else:
            often = Counter(self.choose(known, seat) for _ in range(ASKED))
            probabilities = {action: often[action] / ASKED for action in legal}
        found = [Candidate(action, probability, None, None) for action, probability in probabilities.items()]
        return self._values.filled(found, known, seat, worlds)
