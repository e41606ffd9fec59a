"""Larger games, deal by deal: what a seat is dealt parts its information sets, so each part is a tree of its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import raw
from hexdeck.engine.text import say
from hexdeck.research.exact import kernels_grow
from hexdeck.research.exact.tree import GameTree, Policy
from hexdeck.simulation.game import Game

MOST = 8 << 30  # bytes that deals may take while they are listed
PolicyOf = Callable[[GameTree], Policy]  # the policy that all play, in a tree of some of the deals


class Deals:
    """All that chance can do before a player acts: structs that differ, with their probabilities; raises BadOption.

    `structs` uint8 (deals, bytes); `shares` float64; `orders` float64: in how many orders of events each comes about;
    `before`: how many histories come before.
    """

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.game, self._driver = game, game.driver(backend)
        rows = game.rows(self._driver)
        self._driver.kernel("begin_row")(self._driver.g, rows)
        self.structs, self.before = raw(rows)[:1].copy(), 0.0
        self.shares: np.ndarray = np.ones(1)
        self.orders: np.ndarray = np.ones(1)
        while self._waiting().any():
            self._deal_on()

    def _waiting(self) -> np.ndarray:
        fields = self.structs.view(self.game.rules.STRUCT)[:, 0]
        waiting: np.ndarray = (fields["acting"] == 0) & (fields["over"] == 0)
        return waiting

    def _deal_on(self) -> None:
        count, waiting = len(self.structs), int(self._waiting().sum())
        self.before += float(self.orders[self._waiting()].sum())
        room = 2 * count + waiting * len(self.game.rules.OUTCOMES)
        if room * self.structs.shape[1] > MOST:
            text = say("The deals of this game take more than {n} GB to list, which is too large.", n=MOST >> 30)
            raise BadOption(text)
        rows, state = self._driver.rows(room), np.array([0, count], np.int64)
        raw(rows)[:count] = self.structs
        shares, froms = np.zeros(room), np.zeros(room, np.int64)
        shares[:count] = self.shares
        self._driver.kernel(kernels_grow.deal_on)(  # type: ignore[arg-type]
            self._driver.g, rows, self._driver.weights(), shares, froms, state
        )
        dealt = raw(rows)[count : state[1]]
        alike = dealt.view(np.dtype((np.void, dealt.shape[1])))[:, 0]
        _, first, inverse = np.unique(alike, return_index=True, return_inverse=True)
        orders = self.orders[froms[count : state[1]]]
        self.structs = dealt[first].copy()
        self.shares = np.bincount(inverse, shares[count : state[1]])
        self.orders = np.bincount(inverse, orders)

    def by_seat(self, seat: int) -> list[np.ndarray]:
        """The deals that a seat can't tell apart: their numbers, for each thing that it can be dealt."""
        rows = self.game.rows(self._driver, kernels_grow.FIRST + len(self.structs))
        raw(rows)[kernels_grow.FIRST :] = self.structs
        keys = np.zeros(len(self.structs), np.int64)
        self._driver.kernel(kernels_grow.tell_deals_apart)(self._driver.g, rows, keys, seat)  # type: ignore[arg-type]
        order = np.argsort(keys, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)

    def tree(self, numbers: np.ndarray) -> GameTree:
        """The tree of some of the deals; its values are to be weighed by the sum of their shares."""
        shares = self.shares[numbers]
        return GameTree(self.game, self._driver.backend, deals=self.structs[numbers], shares=shares / shares.sum())


def gains_by_deals(game: Game, policy: PolicyOf = GameTree.uniform, threads: int = 1) -> list[float]:
    """What each seat gains by its best response, while all others keep to a policy; exact, as `GameTree.gains` is.

    One tree for each thing that a seat can be dealt, on so many threads; no more of them at a time is in memory. Deals
    that only differ in the order of events count once. This helps where seats are dealt something in private.
    """
    deals = Deals(game)

    def gain(seat: int, numbers: np.ndarray) -> float:
        tree = deals.tree(numbers)
        chosen = policy(tree)
        share = float(deals.shares[numbers].sum())
        return share * (tree.best_response(chosen, seat)[0] - tree.values(chosen)[seat])

    with ThreadPoolExecutor(threads) as pool:
        return [
            sum(pool.map(lambda numbers, seat=seat: gain(seat, numbers), deals.by_seat(seat)))
            for seat in range(game.players)
        ]


def histories(game: Game) -> float:
    """How many histories a game has, as a whole tree would: each order of events counts."""
    deals = Deals(game)
    return deals.before + sum(
        float(deals.orders[numbers] @ deals.tree(numbers).deal_sizes()) for numbers in deals.by_seat(0)
    )
