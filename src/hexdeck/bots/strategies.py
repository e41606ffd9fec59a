"""The bots that compiled code knows by number: `random`, and a game's own strategies `house` and `gentle`."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, by_worth, check
from hexdeck.engine.driver import raw
from hexdeck.engine.game import Game
from hexdeck.engine.kernels import RANDOM
from hexdeck.engine.random import rewind
from hexdeck.engine.seating import POLICIES

ASKED = 32  # times that a bot with dice is asked how often it plays what


class StrategyBot:
    """A strategy as a bot. Seeded: the same bytes and calls give the same choices."""

    def __init__(self, game: Game, name: str, seed: int | bytes, lane: str | None) -> None:
        self.name = name
        self.driver = game.driver(lane)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._policy = POLICIES[name]
        self._rng = self.driver.generator(seed, f"bot {name}")

    def throw(self, dice: Any) -> None:
        """From now on the bot throws these dice, a generator of its lane, which others may throw too."""
        self._rng = dice

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat."""
        check(self.driver.rules, known, seat)
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self._rows, self._policy, seat, self._actions, self._rng))

    def candidates(self, known: bytes, seat: int) -> list[Candidate]:
        """Every legal action, and how often it is chosen; what it is worth, this bot doesn't know."""
        check(self.driver.rules, known, seat)
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = self.driver.listed(self._actions, count)
        if self._policy == RANDOM:
            return [Candidate(action, 1 / count, None, None) for action in legal]
        often = Counter(self.choose(known, seat) for _ in range(ASKED))
        return by_worth(Candidate(action, often[action] / ASKED, None, None) for action in legal)
