"""Bots by name, ready to sit at a match."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot, Candidate, by_worth
from hexdeck.bots.searcher import Searcher
from hexdeck.engine import kernels
from hexdeck.engine.driver import raw
from hexdeck.engine.errors import BadOption, UnknownBot
from hexdeck.engine.game import Game
from hexdeck.engine.simulate import POLICIES
from hexdeck.engine.text import _, say

__all__ = ["BOTS", "Bot", "Candidate", "bot"]

BOTS = ("gentle", "house", "random", "search")
BUDGET = re.compile(r"([1-9][0-9]{0,5}|1000000)(?:x([1-9]|[1-5][0-9]|6[0-4]))?")  # of search: games, threads
SIMULATIONS = 400  # of search, unless it is told
ASKED = 32  # times that a bot with dice is asked how often it plays what


class PolicyBot:
    """A bot that compiled code knows: `random`, or a strategy of the game: `house`, `gentle`.

    Seeded: the same bytes and calls give the same choices.
    """

    def __init__(self, game: Game, name: str, seed: int | bytes, lane: str | None) -> None:
        self.name = name
        self.driver = game.driver(lane)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self._policy = POLICIES[name]
        self._rng = self.driver.generator(seed, f"bot {name}")

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat."""
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self._rows, self._policy, seat, self._actions, self._rng))

    def candidates(self, known: bytes, seat: int) -> list[Candidate]:
        """Every legal action, and how often it is chosen; what it is worth, this bot doesn't know."""
        raw(self._rows)[0] = np.frombuffer(known, np.uint8)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, 0, seat, self._actions)
        legal = self.driver.listed(self._actions, count)
        if self._policy == kernels.RANDOM:
            return [Candidate(action, 1 / count, None, None) for action in legal]
        often = Counter(self.choose(known, seat) for _ in range(ASKED))
        return by_worth(Candidate(action, often[action] / ASKED, None, None) for action in legal)


def bot(name: str, game: Game, seed: int | bytes = 0, lane: str | None = None) -> Bot:
    """A bot by name for a game; raises UnknownBot or BadOption.

    `search:500` sets how many games it plays out for a move, `search:500x2` on how many threads.
    """
    kind, colon, budget = name.partition(":")
    if kind not in BOTS or (colon and kind != "search"):
        raise UnknownBot(say("There is no bot {name}; there are {there}.", name=name, there=", ".join(BOTS)))
    given = BUDGET.fullmatch(budget or str(SIMULATIONS))
    if given is None or (colon and not budget):
        text = _("The bot {name} needs a number of simulations from 1 to 1000000, such as search:500.")
        raise BadOption(say(text, name=name))
    if kind == "search":
        threads = int(given[2] or 1)
        return Searcher(game, int(given[1]), seed, lane, threads=threads, rollouts=kernels.HOUSE, name=kind)
    return PolicyBot(game, kind, seed, lane)
