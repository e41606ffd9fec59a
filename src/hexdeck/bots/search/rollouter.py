"""Rollout search as a bot: a budget of games, spent more and more on the actions that look best."""

from __future__ import annotations

from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, ranked, take
from hexdeck.bots.horizon import horizon
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.search.expected import RolloutValues
from hexdeck.bots.search.rollout import (
    COLUMNS,
    DECISIONS_A_MATCH,
    ROOT,
    SQUARES,
    SUM,
    TRIES,
    first_world,
    try_actions,
)
from hexdeck.bots.search.searcher import measured
from hexdeck.bots.search.workspace import Belief, policy_workspace, whole_games
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind


class Guesses:
    """A game's `guess`, interpreted: what a bot does where search finds nothing out, such as whether to bluff."""

    def __init__(self, game: GameSetup, seed: int | bytes) -> None:
        self._guess, self._driver = game.hints.STUDY.guess, game.driver("interpreted")
        self._rows, self._actions = game.rows(self._driver), self._driver.actions()
        self.rng = self._driver.generator(seed, "bot guess")

    def choose(self, known: bytes, seat: int) -> int:
        """The guess of a seat from its concealed struct, or -1 where search decides."""
        take(self._driver, self._rows, known, seat)
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
        self, game: GameSetup, games: int, policy: str, seed: int | bytes = 0, backend: str | None = None,
        name: str = "rollout", own: Net | None = None, deals: Net | None = None, rechoose: bool | None = None,
        belief: Belief | None = None,
    ) -> None:  # fmt: skip
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

    def choose(self, known: bytes, seat: int) -> int:
        """The action of the highest mean utility, or the game's `guess` where worlds tell nothing."""
        guessed = self._guesses.choose(known, seat) if self._guesses else -1
        return guessed if guessed >= 0 else self.candidates(known, seat, 0)[0].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of its games, the chosen one first."""
        take(self.driver, self._rows, known, seat, ROOT)
        count = self.driver.kernel("list_legal")(self.driver.g, self._rows, ROOT, seat, self._actions)
        legal = np.array(self.driver.listed(self._actions, count), np.int64)
        if count == 1:
            return self._values.filled([Candidate(int(legal[0]), 1.0, None, None)], known, seat, worlds)
        best, totals = self._halved(legal, seat)
        return ranked(
            measured(int(action), totals[k, TRIES], totals[k, SUM], totals[k, SQUARES], chosen=k == best)
            for k, action in enumerate(legal)
        )

    def _halved(self, legal: np.ndarray, seat: int) -> tuple[int, np.ndarray]:
        """Sequential halving: the index of the last action left, and the totals of all, float64 (actions, 4)."""
        totals, left = np.zeros((len(legal), COLUMNS)), np.arange(len(legal))
        first = first_world(self._decisions)
        self._decisions += 1
        rounds, best = int(np.ceil(np.log2(len(legal)))), 0
        for _ in range(rounds):
            worlds = max(1, self.games // (rounds * len(left)))
            totals[left] += self._try(legal[left], seat, first, worlds)
            first += worlds
            order = np.argsort(-totals[left, SUM] / totals[left, TRIES], kind="stable")
            best, left = int(left[order[0]]), left[np.sort(order[: (len(left) + 1) // 2])]
        return best, totals

    def _try(self, actions: np.ndarray, seat: int, first: int, worlds: int) -> np.ndarray:
        """The totals of these actions in so many worlds from number `first` on."""
        totals, shared = np.zeros((len(actions), COLUMNS)), self.driver.shared
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        kernel(
            self.driver.g, self._rows, seat, self._policy, self._workspace, self._actions, self._weights, *self._rngs,
            shared(actions), shared(totals), self._utilities, first, worlds, self._horizon,
        )  # fmt: skip
        return totals
