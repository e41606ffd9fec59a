"""Perfect-information Monte Carlo: worlds are drawn, and each is solved as if all saw everything."""

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.research.benchmark.task import Given, Task
from hexdeck.research.exact import kernels_learn

TITLE, WORK, VERSION = "PIMC", "worlds a decision", 1
PAPER = "Long, Sturtevant, Buro and Furtak 2010, Understanding the success of perfect information Monte Carlo sampling"
SETTINGS = {"first": 1, "times": 4, "most": 256, "runs": 16}  # worlds; times that each information set is thought over


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """Its policy estimated by several runs in each information set; more worlds while there is time.

    In an information set all histories of it are likely as chance makes them, whatever the others would have chosen.
    With more than two seats each does what is best for itself.
    """
    worlds, remaining, prepared = SETTINGS["first"], task.seconds, HistoryWorlds(task)
    while worlds <= SETTINGS["most"]:
        began = time.process_time()
        policy = prepared.vote(worlds)
        elapsed = time.process_time() - began
        yield worlds, policy
        remaining -= elapsed
        if SETTINGS["times"] * elapsed > remaining:
            return
        worlds *= SETTINGS["times"]


class HistoryWorlds:
    """The histories of each information set, how likely they are, and what choices are worth there in the open."""

    def __init__(self, task: Task) -> None:
        self.tree, self.rng = task.tree, task.tree.driver.generator(task.seed, "pimc")
        parents, actors, edges, parts, owners, ends = self.tree.nodes
        players, n = task.game.players, self.tree.histories
        worth, reach = np.empty((n, players)), np.empty(n)
        call: Any = self.tree.driver.kernel(kernels_learn.solve_openly)  # type: ignore[arg-type]
        call(parents, actors, parts, owners, ends, worth, reach, players)
        movers = np.asarray(actors, np.int8)
        deciding = np.flatnonzero(movers > CHANCE)
        order = deciding[np.argsort(owners[deciding], kind="stable")]
        counts = np.diff(self.tree.slots)[owners[order]]
        positions = np.zeros(n, np.int64)
        positions[order] = np.cumsum(counts) - counts
        self.values = np.zeros(int(counts.sum()))
        decisions = 1 + np.flatnonzero(movers[parents[1:]] > CHANCE)
        self.values[positions[parents[decisions]] + edges[decisions]] = worth[decisions, actors[parents[decisions]]]
        self.places, self.likely = positions[order], np.cumsum(reach[order])
        self.begins = np.searchsorted(owners[order], np.arange(len(self.tree.keys) + 1))

    def vote(self, worlds: int) -> np.ndarray:
        """How often each choice is best, on average over so many worlds."""
        tree = self.tree
        policy, sums = np.zeros(len(tree.names)), np.zeros(int(np.diff(tree.slots).max(initial=1)))
        call: Any = tree.driver.kernel(kernels_learn.vote)  # type: ignore[arg-type]
        call(
            tree.slots,
            self.begins,
            self.likely,
            self.places,
            self.values,
            sums,
            policy,
            self.rng,
            worlds,
            SETTINGS["runs"],
        )
        return policy
