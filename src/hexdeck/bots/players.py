"""Bots by name, ready to sit at a match."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from hexdeck.bots.candidate import Candidate
from hexdeck.bots.search import Searcher
from hexdeck.bots.solved import Solved
from hexdeck.engine import kernels
from hexdeck.engine.driver import raw
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.game import Game
from hexdeck.engine.text import _, say

__all__ = ["BOTS", "Bot", "Candidate", "bot", "bots_for"]
BOTS = ("house", "random", "search")
LONGEST = 7  # digits of a number of simulations


class Bot(Protocol):
    """Whoever chooses an action from what a seat knows."""

    name: str

    def choose(self, known: bytes, seat: int) -> int:
        """An action id, from the bytes of the struct as `Match.concealed` gives it to the seat."""


class PolicyBot:
    """A bot that compiled code knows: `random` or `house`. Seeded: the same bytes and calls give the same choices."""

    def __init__(self, game: Game, name: str, seed: int | bytes, lane: str | None) -> None:
        self.name = name
        self.driver = game.driver(lane)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._policy = {"random": kernels.RANDOM, "house": kernels.HOUSE}[name]
        self._rng = self.driver.generator(seed, f"bot {name}")

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat."""
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self._rows, self._policy, seat, self._actions, self._rng))


def bots_for(game: Game) -> tuple[str, ...]:
    """The kinds of bots that play a game."""
    return BOTS if game.solver is None else (*BOTS, "solved")


def bot(name: str, game: Game, seed: int | bytes = 0, lane: str | None = None) -> Bot:
    """A bot by name for a game; `search:500` sets how many games it plays out. Raises UnknownBot or BadOption."""
    kind, colon, budget = name.partition(":")
    if name == "solved":
        return Solved(game, lane)
    if kind not in BOTS or (colon and kind != "search"):
        raise UnknownBot(say("There is no bot {name}; there are {there}.", name=name, there=", ".join(bots_for(game))))
    if colon and not (budget.isdecimal() and len(budget) <= LONGEST and 1 <= int(budget) <= 1_000_000):
        text = _("The bot {name} needs a number of simulations from 1 to 1000000, such as search:500.")
        raise BadOption(say(text, name=name))
    if kind == "search":
        return Searcher(game, int(budget or 400), seed, lane)
    return PolicyBot(game, kind, seed, lane)
