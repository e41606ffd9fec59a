"""A tree whose information sets remember all that a seat chose, and what its seats can do in it without lots."""

from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import coo_matrix, csr_matrix, hstack

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.research.exact import GameTree
from hexdeck.research.exact.kernels import OVER


class Recalled:
    """The sets of a tree, parted by the way that their seat took there: its own sets, and its choices in them.

    `sets`: the set of the tree that each is a part of; `slots`: where its choices begin; `before`: the choice of that
    seat that led there, -1 for none. `ways`: the last choice of each seat on the way to each history.
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree, sets, before = tree, list[int](), list[int]()
        lists: Any = [each.tolist() for each in tree.nodes]
        parents, actors, edges, _parts, owners, _ends = lists
        widths, players = np.diff(tree.slots).tolist(), tree.game.players
        self.ways, self.owners, begins, found = (
            [[-1] * players],
            np.array(owners, np.int32),
            [0],
            dict[tuple[int, int], int](),
        )
        for n in range(tree.histories):
            if n:
                way, parent = self.ways[parents[n]], parents[n]
                if actors[parent] > CHANCE:
                    way = [*way]
                    way[actors[parent]] = begins[self.owners[parent]] + edges[n]
                self.ways.append(way)
            if actors[n] > CHANCE:
                key = owners[n], self.ways[n][actors[n]]
                if key not in found:
                    found[key] = len(sets)
                    sets.append(key[0])
                    before.append(key[1])
                    begins.append(begins[-1] + widths[key[0]])
                self.owners[n] = found[key]
        self.sets, self.before, self.slots = np.array(sets), np.array(before), np.array(begins, np.int32)

    def best_response(self, policy: np.ndarray, seat: int) -> float:
        """What a seat gets by its best response to a policy of the tree, if it remembers all that it chose."""
        tree, slots = object.__new__(GameTree), self.tree.slots
        every = np.concatenate([np.arange(slots[k], slots[k + 1]) for k in self.sets])
        parents, actors, edges, parts, _owners, ends = self.tree.nodes
        tree.game, tree.driver, tree.histories = self.tree.game, self.tree.driver, self.tree.histories
        tree.nodes = parents, actors, edges, parts, self.owners, ends
        tree.seats, tree.names, tree.slots = self.tree.seats[self.sets], self.tree.names[every], self.slots
        return tree.best_response(policy[every], seat)[0]

    def plan(self, seat: int) -> tuple[Any, np.ndarray, np.ndarray]:
        """How likely a seat plays to each of its choices: rows of a matrix times that are a vector; which choices."""
        own = np.flatnonzero(self.tree.seats[self.sets] == seat)
        columns = np.concatenate([[0], *(np.arange(self.slots[k], self.slots[k + 1]) + 1 for k in own)])
        rows = [(0, 0, 1.0)]
        for row, k in enumerate(own, 1):
            rows += [(row, self.before[k] + 1, -1.0), *((row, c + 1, 1.0) for c in range(*self.slots[k : k + 2]))]
        across, down, value = zip(*rows, strict=True)
        wide = len(own) + 1, int(self.slots[-1]) + 1
        return coo_matrix((value, (across, down)), shape=wide).tocsr()[:, columns], np.eye(1, wide[0])[0], columns

    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """How matches end: each seat's last choice, as a column of `plan`; utility times the probability of chance."""
        parents, actors, _edges, parts, _owners, utilities = self.tree.nodes
        chance = np.ones(self.tree.histories)
        for n in range(1, self.tree.histories):
            chance[n] = chance[parents[n]] * (parts[n] if actors[parents[n]] == CHANCE else 1.0)
        over = np.flatnonzero(actors == OVER)
        gets = utilities[self.owners[over], : self.tree.game.players]
        return np.array(self.ways)[over] + 1, chance[over, None] * gets

    def sure_of(self, seat: int, *, lots: bool) -> float:
        """What one of two seats gets at least, whatever the other does; without `lots` by one choice in each set."""
        ways, gets = self.ends()
        assert np.allclose(gets[:, 0], -gets[:, 1])
        wide = int(self.slots[-1]) + 1
        table = coo_matrix((gets[:, seat], (ways[:, seat], ways[:, 1 - seat])), shape=(wide, wide))
        (mine, one, here), (theirs, other, there) = self.plan(seat), self.plan(1 - seat)
        payoff, n, m = table.tocsr()[here][:, there], len(here), len(other)
        found = milp(
            np.concatenate([np.zeros(n), -other]),
            integrality=np.repeat([int(not lots), 0], [n, m]),
            bounds=Bounds(np.repeat([0, -np.inf], [n, m]), np.repeat([1, np.inf], [n, m])),
            constraints=[
                LinearConstraint(hstack([-payoff.T, theirs.T]).tocsr(), -np.inf, 0),
                LinearConstraint(hstack([mine, csr_matrix((len(one), m))]).tocsr(), one, one),
            ],
        )
        assert found.success
        return float(-found.fun)
