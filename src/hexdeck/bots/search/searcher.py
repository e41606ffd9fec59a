"""The tree search as a bot: with a budget of simulations, on one thread or several."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, take
from hexdeck.bots.search.expected import RolloutValues
from hexdeck.bots.search.tree import ROOT, search
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import POLICIES
from hexdeck.engine.random import rewind
from hexdeck.stats import t_quantile

DEPTH = 256  # of the path through the tree that is credited, in decisions
MOST_THREADS = 64
ACTIONS_A_SIMULATION = 12  # room in a tree: it grows by one information set a simulation, with about so many actions


class Tree:
    """A search tree of one thread, and the arrays and generator that growing it needs."""

    def __init__(self, game: GameSetup, backend: str | None, simulations: int, seed: int | bytes, stream: int) -> None:
        self.driver, self.simulations, self.stream = game.driver(backend), simulations, stream
        self.rows, self.rng = game.rows(self.driver), self.driver.generator(seed, "bot search", stream)
        most = len(game.rules.ACTIONS)
        self.keys = np.zeros((2 * simulations + 64, 2), np.int64)
        self.visits = np.zeros(1 + most + ACTIONS_A_SIMULATION * simulations, np.int64)
        self.sums = np.zeros((len(self.visits), 2))
        shared, array = self.driver.shared, self.driver.array
        self.scratch = [self.driver.actions(), self.driver.weights(), self.rng]
        self.arrays = [shared(self.keys), shared(self.visits), shared(self.sums), array((DEPTH, 2), np.int64)]
        self.utilities, self.bounds = array(game.rules.PLAYERS[1], np.float64), np.zeros(2)
        self.used = len(self.visits)

    def for_kernels(self, rollouts: int) -> tuple[Any, ...]:
        """The tree as `tree.search_action` takes it; `rollouts`: the policy that plays on where the tree ends."""
        shared = self.driver.shared
        settings = np.array([self.simulations, rollouts])
        return *self.arrays, self.utilities, shared(self.bounds), shared(settings)

    def grow(self, known: bytes, seat: int, rollouts: int, count: int) -> np.ndarray:
        """Search from what a seat knows, with an empty tree.

        Of each of its `count` actions, float64 (count, 3): how often it was tried, the sum of its utilities and that of
        their squares.
        """
        raw(self.rows)[ROOT] = np.frombuffer(known, np.uint8)
        self.keys[:], self.visits[: self.used], self.sums[: self.used] = 0, 0, 0
        self.visits[0], self.bounds[:] = 1, (1e300, -1e300)
        kernel: Any = self.driver.kernel(search)  # type: ignore[arg-type]
        first = kernel(
            self.driver.g, self.rows, seat, rollouts, *self.scratch, *self.arrays, self.utilities,
            self.driver.shared(self.bounds), self.simulations,
        )  # fmt: skip
        self.used = int(self.visits[0])
        found = np.zeros((count, 3))
        if first > 0:
            found[:, 0] = self.visits[first : first + count]
            found[:, 1:] = self.sums[first : first + count]
        return found


class Searcher:
    """Multiple-observer information-set search as a bot; its threads share the budget of `simulations` a decision.

    `rollouts`: the policy of `engine.backends.kernels` that plays on where the tree ends.
    """

    def __init__(self, game: GameSetup, simulations: int, seed: int | bytes = 0, backend: str | None = None, *,
                 threads: int = 1, rollouts: int = RANDOM, name: str = "search") -> None:  # fmt: skip
        self.name, self.driver, self.rollouts = name, game.driver(backend), rollouts
        shares = [simulations // threads + (k < simulations % threads) for k in range(threads)]
        self.trees = [Tree(game, backend, share, seed, k) for k, share in enumerate(shares)]
        self.rows, self.actions = game.rows(self.driver), self.driver.actions()
        policy = next(each for each, number in POLICIES.items() if number == rollouts)
        self._values = RolloutValues(game, self.driver.backend, policy)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        for tree in self.trees:
            rewind(tree.rng, number * MOST_THREADS + tree.stream)

    def legal(self, known: bytes, seat: int) -> list[int]:
        """The ids of the legal actions."""
        take(self.driver, self.rows, known, seat, ROOT)
        count = self.driver.kernel("list_legal")(self.driver.g, self.rows, ROOT, seat, self.actions)
        return self.driver.listed(self.actions, count)

    def tried(self, known: bytes, seat: int, count: int) -> np.ndarray:
        """What `Tree.grow` gives, summed over all trees."""
        if len(self.trees) == 1:
            return self.trees[0].grow(known, seat, self.rollouts, count)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(self.trees)) as pool:
            found = list(pool.map(lambda tree: tree.grow(known, seat, self.rollouts, count), self.trees))
        return np.stack(found).sum(axis=0)  # type: ignore[no-any-return]

    def choose(self, known: bytes, seat: int) -> int:
        """The action tried most often."""
        legal = self.legal(known, seat)
        if len(legal) == 1:
            return legal[0]
        return legal[int(self.tried(known, seat, len(legal))[:, 0].argmax())]

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of the games that it was tried in, the one tried most often first."""
        legal = self.legal(known, seat)
        tried = self.tried(known, seat, len(legal))
        most = int(tried[:, 0].argmax())
        found = [measured(action, *tried[k], chosen=k == most) for k, action in enumerate(legal)]
        return self._values.filled(found, known, seat, worlds)


def measured(action: int, n: float, total: float, squares: float, *, chosen: bool) -> Candidate:
    """A candidate from n games: the mean of its utilities and half the 95 % interval."""
    if n == 0:
        return Candidate(action, float(chosen), None, None)
    mean = total / n
    variance = max(0.0, squares / n - mean * mean)
    return Candidate(action, float(chosen), mean, t_quantile(n - 1) * (variance / (n - 1)) ** 0.5 if n > 1 else None)
