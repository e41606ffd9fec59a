"""Full-width extensive-form fictitious play."""

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np

from hexdeck.research.benchmark.task import Given, Task, on_demand
from hexdeck.research.exact.policies import ChoiceValues, of_sets

TITLE, WORK, VERSION = "Fictitious play", "iterations", 1
PAPER = "Heinrich, Lanctot and Silver 2015, Fictitious self-play in extensive-form games (XFP)"


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """Each seat plays a best response to the average of what the others played; the seed draws the first policy."""
    tree, feedback = task.tree, ChoiceValues(task.tree)
    played = tree.normed(task.random().exponential(size=len(tree.names)))
    owners, average = of_sets(tree, tree.seats), np.zeros(len(tree.names))
    for step in itertools.count(1):
        for seat in range(task.game.players):
            feedback.ask(played, seat)
            average += np.where(owners == seat, played * of_sets(tree, feedback.own), 0)
        usual = tree.normed(average)
        for seat in range(task.game.players):
            played = np.where(owners == seat, tree.best_response(usual, seat)[1], played)
        yield step, on_demand(partial(tree.normed, average))
