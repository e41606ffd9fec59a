"""Information-set Monte Carlo tree search over re-dealt worlds (Cowling, Powley, Whitehouse 2012, multiple observers).

One tree for all worlds: a node is the information set of the seat that acts in it. It needs nothing of a game but the
contract, so it plays every game. Plain functions, interpreted or compiled by `engine.lanes`.
"""

import math
from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.engine.contract import (
    apply,
    chance,
    conceal,
    copy_row,
    happen,
    house,
    information_key,
    legal,
    redeal,
    returns,
    struct,
)
from hexdeck.engine.driver import raw
from hexdeck.engine.game import Game
from hexdeck.engine.kernels import lowest
from hexdeck.engine.random import below, pick

ROOT, WORLD, VIEW = 0, 1, 3  # rows
NODES, DEPTH = 4096, 256


def search(g, rows, seat, actions, weights, rng, keys, visits, totals, path, out, span, simulations):  # type: ignore[no-untyped-def]
    """Play `simulations` games from worlds the seat thinks possible; returns the action tried most often.

    Row 0 holds the concealed struct. `keys` int64 (nodes), `visits` int64 and `totals` float64 (nodes, actions) are
    the tree, empty; `path` int64 (depth, 3); `span` float64 (2) the lowest and highest utility seen.
    """
    for _ in range(simulations):
        copy_row(rows, WORLD, ROOT)
        w = struct(g, rows, WORLD)
        redeal(g, w, seat, rng)
        depth = descend(g, rows, w, actions, weights, rng, keys, visits, totals, path, span)
        returns(g, w, out)
        learn(w, out, depth, path, visits, totals, span)
    count = legal(g, struct(g, rows, ROOT), seat, actions)
    copy_row(rows, VIEW, ROOT)
    return favourite(visits, node_of(keys, information_key(rows, VIEW)), actions, count)


def descend(g, rows, w, actions, weights, rng, keys, visits, totals, path, span):  # type: ignore[no-untyped-def]
    """Play the world to its end, by the tree while it reaches, then as the house bot; returns the path's length."""
    depth, inside = 0, True
    while not w.over:
        if w.acting == 0:
            happen(g, w, pick(weights, weights.shape[0], below(rng, chance(g, w, weights))))
            continue
        seat = lowest(w.acting)
        count = legal(g, w, seat, actions)
        copy_row(rows, VIEW, WORLD)
        view = struct(g, rows, VIEW)
        conceal(g, view, seat)
        action = house(g, view, seat, actions, count, rng)
        if inside and count > 1 and depth < path.shape[0]:
            node = node_of(keys, information_key(rows, VIEW))
            inside = node >= 0 and keys[node] > 0
            if node >= 0:
                keys[node] = abs(keys[node])
                if inside:
                    action = promising(visits, totals, node, actions, count, span, action)
                path[depth, 0], path[depth, 1], path[depth, 2] = node, action, seat
                depth += 1
        apply(g, w, seat, action)
    return depth


def node_of(keys, key):  # type: ignore[no-untyped-def]
    """The place of a key in the table (linear probing); a new one is written negative; -1 when the table is full."""
    size = keys.shape[0]
    at = (key >> 20) % size
    for _ in range(64):
        if keys[at] == 0:
            keys[at] = -(key | 1)
        if abs(keys[at]) == key | 1:
            return at
        at = at + 1 if at + 1 < size else 0
    return -1


def promising(visits, totals, node, actions, count, span, untried):  # type: ignore[no-untyped-def]
    """The action of highest upper confidence bound (UCB1); one never tried comes first."""
    tried = 0
    for k in range(count):
        tried += visits[node, actions[k]]
    best, highest = untried, -1e300
    for k in range(count):
        n = visits[node, actions[k]]
        if n == 0:
            return actions[k] if visits[node, untried] else untried
        bound = totals[node, actions[k]] / n + 0.7 * (span[1] - span[0]) * math.sqrt(math.log(tried) / n)
        if bound > highest:
            best, highest = actions[k], bound
    return best


def learn(w, out, depth, path, visits, totals, span):  # type: ignore[no-untyped-def]
    """Credit the result of a game to what was chosen on the path."""
    for p in range(w.seats):
        span[0], span[1] = min(span[0], out[p]), max(span[1], out[p])
    for k in range(depth):
        visits[path[k, 0], path[k, 1]] += 1
        totals[path[k, 0], path[k, 1]] += out[path[k, 2]]


def favourite(visits, node, actions, count):  # type: ignore[no-untyped-def]
    """The action tried most often in a node."""
    best = actions[0]
    if node >= 0:
        for k in range(count):
            if visits[node, actions[k]] > visits[node, best]:
                best = actions[k]
    return best


class Searcher:
    """The search as a bot; `simulations` is its work budget, in games played out."""

    name = "search"

    def __init__(self, game: Game, simulations: int, seed: int | bytes = 0, lane: str | None = None) -> None:
        self.driver, self.simulations = game.driver(lane), simulations
        self._rows, self._seats = game.rows(self.driver), game.rules.SEATS
        self._rng = self.driver.generator(seed, "bot search")
        shape = NODES, len(game.rules.ACTIONS)
        self._keys, self._visits = np.zeros(NODES, np.int64), np.zeros(shape, np.int64)
        self._totals, self._path = np.zeros(shape), np.zeros((DEPTH, 3), np.int64)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        raw(self._rows)[ROOT] = np.frombuffer(known, np.uint8)
        for array in (self._keys, self._visits, self._totals):
            array[:] = 0
        kernel, shared = self.driver.kernel(cast(FunctionType, search)), self.driver.shared
        tree = [shared(array) for array in (self._keys, self._visits, self._totals, self._path)]
        span, out = shared(np.array([1e300, -1e300])), self.driver.array(self._seats, np.float64)
        actions, weights = self.driver.actions(), self.driver.weights()
        g, rows = self.driver.g, self._rows
        return int(kernel(g, rows, seat, actions, weights, self._rng, *tree, out, span, self.simulations))
