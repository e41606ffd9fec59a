"""One-ply search as a bot: a budget of games, spent more and more on the actions that look best."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, by_worth, take
from hexdeck.bots.horizon import horizon
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.expected import Expectation
from hexdeck.bots.search.rollout import ROOT, SQUARES, SUM, TRIES, first_world, try_actions
from hexdeck.bots.search.searcher import measured
from hexdeck.bots.search.workspace import mind, whole
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind

A_MATCH = 256  # decisions of a match whose worlds have numbers of their own


class Rollouter:
    """Tries each action in re-dealt worlds and lets a policy play on; `games` is its work budget.

    Games end where the policy does: with the deal for `house-deal` and its like, which ask the net `deals`. That and
    the net that plays on, `own`, are usually the package's. `again` as for `bots.search.workspace`.

    After each round the worse half of the actions drops out (sequential halving: Karnin, Koren, Somekh 2013). Every
    action that is left is tried in each round, also where the budget is less than that takes: about two games a move.
    """

    def __init__(self, game: GameSetup, games: int, policy: str, seed: int | bytes = 0, backend: str | None = None,
                 name: str = "rollout", own: Net | None = None, deals: Net | None = None,
                 again: bool | None = None) -> None:  # fmt: skip
        self.name, self.games, self.driver = name, games, game.driver(backend)
        self._policy, self._mind = mind(game, policy, self.driver, own=own, deals=deals, again=again)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        purposes = ("bot rollout", "bot rollout cards", "bot rollout dice")
        self._rngs = [self.driver.generator(seed, purpose) for purpose in purposes]
        self._out, self._weights = self.driver.array(game.rules.SEATS, np.float64), self.driver.weights()
        self._horizon, self._expectation = horizon(game), Expectation(game, self.driver.backend, whole(policy), net=own)
        self._decisions = 0

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self._decisions = number * A_MATCH
        rewind(self._rngs[0], number)

    def choose(self, known: bytes, seat: int) -> int:
        """The action that brought most."""
        return self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of its games, or of what the net of deals told where they ended."""
        take(self.driver, self._rows, known, seat, ROOT)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, ROOT, seat, self._actions)
        legal = np.array(self.driver.listed(self._actions, count), np.int64)
        if count == 1:
            return self._expectation.told([Candidate(int(legal[0]), 1.0, None, None)], known, seat, worlds)
        tallies = np.zeros((count, 3))
        alive, first = np.arange(count), first_world(self._decisions)
        self._decisions += 1
        rounds = int(np.ceil(np.log2(count)))
        for _ in range(rounds):
            more = max(1, self.games // (rounds * len(alive)))
            tallies[alive] += self._try(legal[alive], seat, first, more)
            first += more
            order = np.argsort(-tallies[alive, SUM] / tallies[alive, TRIES], kind="stable")
            best, alive = alive[order[0]], alive[np.sort(order[: (len(alive) + 1) // 2])]
        found = [
            measured(int(action), tallies[k, TRIES], tallies[k, SUM], tallies[k, SQUARES], chosen=k == best)
            for k, action in enumerate(legal)
        ]
        return by_worth(found)

    def _try(self, actions: np.ndarray, seat: int, first: int, worlds: int) -> np.ndarray:
        tallies, shared = np.zeros((len(actions), 3)), self.driver.shared
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        kernel(
            self.driver.g, self._rows, seat, self._policy, self._mind, self._actions, self._weights, *self._rngs,
            shared(actions), shared(tallies), self._out, first, worlds, self._horizon,
        )  # fmt: skip
        return tallies
