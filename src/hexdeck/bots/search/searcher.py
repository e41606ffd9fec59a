"""Bots that look ahead: the tree search, with a budget of simulations, and rollouts, with a budget of games."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, ranked, take
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.evaluator import Belief, RolloutValues, horizon, policy_workspace, whole_games
from hexdeck.bots.search.rollout import COLUMNS, DECISIONS_A_MATCH, SQUARES, SUM, TRIES, first_world, try_actions
from hexdeck.bots.search.rollout import ROOT as ROLLOUT_ROOT
from hexdeck.bots.search.tree import ROOT, search
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import GameSetup, raw
from hexdeck.engine.play.playouts import POLICIES
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
        actions = len(game.rules.ACTIONS)
        self.keys = np.zeros((2 * simulations + 64, 2), np.int64)
        self.visits = np.zeros(1 + actions + ACTIONS_A_SIMULATION * simulations, np.int64)
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

    def grow(self, knowledge: bytes, seat: int, rollouts: int, count: int) -> np.ndarray:
        """Search from what a seat knows, with an empty tree.

        Of each of its `count` actions, float64 (count, 3): how often it was tried, the sum of its utilities and that of
        their squares.
        """
        raw(self.rows)[ROOT] = np.frombuffer(knowledge, np.uint8)
        self.keys[:], self.visits[: self.used], self.sums[: self.used] = 0, 0, 0
        self.visits[0], self.bounds[:] = 1, (1e300, -1e300)
        kernel: Any = self.driver.kernel(search)  # type: ignore[arg-type]
        first = kernel(
            self.driver.g,
            self.rows,
            seat,
            rollouts,
            *self.scratch,
            *self.arrays,
            self.utilities,
            self.driver.shared(self.bounds),
            self.simulations,
        )
        self.used = int(self.visits[0])
        totals = np.zeros((count, 3))
        if first > 0:
            totals[:, 0] = self.visits[first : first + count]
            totals[:, 1:] = self.sums[first : first + count]
        return totals


class Searcher:
    """Multiple-observer information-set search as a bot; its threads share the budget of `simulations` a decision.

    `rollouts`: the policy of `engine.backends.kernels` that plays on where the tree ends.
    """

    def __init__(
        self,
        game: GameSetup,
        simulations: int,
        seed: int | bytes = 0,
        backend: str | None = None,
        *,
        threads: int = 1,
        rollouts: int = RANDOM,
        name: str = "search",
    ) -> None:
        self.name, self.driver, self.rollouts = name, game.driver(backend), rollouts
        shares = [simulations // threads + (k < simulations % threads) for k in range(threads)]
        self.trees = [Tree(game, backend, share, seed, k) for k, share in enumerate(shares)]
        self.rows, self.actions = game.rows(self.driver), self.driver.actions()
        policy = next(name_of_policy for name_of_policy, number in POLICIES.items() if number == rollouts)
        self._values = RolloutValues(game, self.driver.backend, policy)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        for tree in self.trees:
            rewind(tree.rng, number * MOST_THREADS + tree.stream)

    def legal(self, knowledge: bytes, seat: int) -> list[int]:
        """The ids of the legal actions."""
        take(self.driver, self.rows, knowledge, seat, ROOT)
        count = self.driver.kernel("list_legal")(self.driver.g, self.rows, ROOT, seat, self.actions)
        return self.driver.listed(self.actions, count)

    def tried(self, knowledge: bytes, seat: int, count: int) -> np.ndarray:
        """What `Tree.grow` gives, summed over all trees."""
        if len(self.trees) == 1:
            return self.trees[0].grow(knowledge, seat, self.rollouts, count)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(self.trees)) as pool:
            totals = list(pool.map(lambda tree: tree.grow(knowledge, seat, self.rollouts, count), self.trees))
        return np.stack(totals).sum(axis=0)  # type: ignore[no-any-return]

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The action tried most often."""
        legal = self.legal(knowledge, seat)
        if len(legal) == 1:
            return legal[0]
        return legal[int(self.tried(knowledge, seat, len(legal))[:, 0].argmax())]

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of the games that it was tried in, the one tried most often first."""
        legal = self.legal(knowledge, seat)
        totals = self.tried(knowledge, seat, len(legal))
        favourite = int(totals[:, 0].argmax())
        candidates = [measured(action, *totals[k], chosen=k == favourite) for k, action in enumerate(legal)]
        return self._values.filled(candidates, knowledge, seat, worlds)


def measured(action: int, n: float, total: float, squares: float, *, chosen: bool) -> Candidate:
    """A candidate from n games: the mean of its utilities and half the 95 % interval."""
    if n == 0:
        return Candidate(action, float(chosen), None, None)
    mean = total / n
    variance = max(0.0, squares / n - mean * mean)
    return Candidate(action, float(chosen), mean, t_quantile(n - 1) * (variance / (n - 1)) ** 0.5 if n > 1 else None)


class Guesses:
    """A game's `guess`, interpreted: what a bot does where search finds nothing out, such as whether to bluff."""

    def __init__(self, game: GameSetup, seed: int | bytes) -> None:
        self._guess, self._driver = game.hints.STUDY.guess, game.driver("interpreted")
        self._rows, self._actions = game.rows(self._driver), self._driver.actions()
        self.rng = self._driver.generator(seed, "bot guess")

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The guess of a seat from its concealed struct, or -1 where search decides."""
        take(self._driver, self._rows, knowledge, seat)
        count = self._driver.kernel("list_legal")(self._driver.g, self._rows, 0, seat, self._actions)
        return int(self._guess(self._rows.structs[0], seat, self._actions, count, self.rng))


def guesses(game: GameSetup, seed: int | bytes) -> Guesses | None:
    """The guesses of a game with these options; None where it has none."""
    return Guesses(game, seed) if game.hints.STUDY.guess else None


class Rollouter:
    """Tries each action in re-dealt worlds, where a policy plays on; `games` is its budget of games for a decision.

    Games end where the policy ends: with the deal for `house-deal` and its like, which ask a deal net. `own`, the
    policy's net, and `deals`, the deal net, are those that are shipped with the game unless given. `rechoose` and
    `belief` are as for `workspace.policy_workspace`.

    After each round the worse half of the actions drops out (sequential halving: Karnin, Koren, Somekh 2013). Every
    action that is left is tried in each round, also where the budget is less than that takes: about two games a move.
    """

    def __init__(
        self,
        game: GameSetup,
        games: int,
        policy: str,
        seed: int | bytes = 0,
        backend: str | None = None,
        name: str = "rollout",
        own: Net | None = None,
        deals: Net | None = None,
        rechoose: bool | None = None,
        belief: Belief | None = None,
    ) -> None:
        self.name, self.games, self.driver = name, games, game.driver(backend)
        self._policy, self._workspace = policy_workspace(
            game, policy, self.driver, own=own, deals=deals, rechoose=rechoose, belief=belief
        )
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        purposes = ("bot rollout", "bot rollout cards", "bot rollout dice")
        self._rngs = [self.driver.generator(seed, purpose) for purpose in purposes]
        self._utilities, self._weights = self.driver.array(game.rules.PLAYERS[1], np.float64), self.driver.weights()
        self._horizon, self._guesses = horizon(game), guesses(game, seed)
        self._values = RolloutValues(game, self.driver.backend, whole_games(policy), net=own)
        self._decisions = 0

    def begin(self, number: int) -> None:
        """See `Bot`."""
        self._decisions = number * DECISIONS_A_MATCH
        rewind(self._rngs[0], number)
        if self._guesses:
            rewind(self._guesses.rng, number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The action of the highest mean utility, or the game's `guess` where worlds tell nothing."""
        guessed = self._guesses.choose(knowledge, seat) if self._guesses else -1
        return guessed if guessed >= 0 else self.candidates(knowledge, seat, 0)[0].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of its games, the chosen one first."""
        take(self.driver, self._rows, knowledge, seat, ROLLOUT_ROOT)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, ROLLOUT_ROOT, seat, self._actions)
        legal = np.array(self.driver.listed(self._actions, count), np.int64)
        if count == 1:
            return self._values.filled([Candidate(int(legal[0]), 1.0, None, None)], knowledge, seat, worlds)
        best, totals = self._halved(legal, seat)
        return ranked(
            measured(int(action), totals[k, TRIES], totals[k, SUM], totals[k, SQUARES], chosen=k == best)
            for k, action in enumerate(legal)
        )

    def _halved(self, legal: np.ndarray, seat: int) -> tuple[int, np.ndarray]:
        """Sequential halving: the index of the last action left, and the totals of all, float64 (actions, 4)."""
        totals, remaining = np.zeros((len(legal), COLUMNS)), np.arange(len(legal))
        first = first_world(self._decisions)
        self._decisions += 1
        rounds, best = int(np.ceil(np.log2(len(legal)))), 0
        for _ in range(rounds):
            worlds = max(1, self.games // (rounds * len(remaining)))
            totals[remaining] += self._try(legal[remaining], seat, first, worlds)
            first += worlds
            order = np.argsort(-totals[remaining, SUM] / totals[remaining, TRIES], kind="stable")
            best, remaining = int(remaining[order[0]]), remaining[np.sort(order[: (len(remaining) + 1) // 2])]
        return best, totals

    def _try(self, actions: np.ndarray, seat: int, first: int, worlds: int) -> np.ndarray:
        """The totals of these actions in so many worlds from number `first` on."""
        totals, shared = np.zeros((len(actions), COLUMNS)), self.driver.shared
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        kernel(
            self.driver.g,
            self._rows,
            seat,
            self._policy,
            self._workspace,
            self._actions,
            self._weights,
            *self._rngs,
            shared(actions),
            shared(totals),
            self._utilities,
            first,
            worlds,
            self._horizon,
        )
        return totals
