"""Predictive CFR+ on the whole tree."""

import itertools
from collections.abc import Iterator
from functools import partial

import numpy as np

from hexdeck.research.benchmark.task import Given, Task, on_demand
from hexdeck.research.exact.policies import ChoiceValues, of_sets

TITLE, WORK, VERSION, DRAWS = "Predictive CFR+", "iterations", 1, False
PAPER = "Farina, Kroer and Sandholm 2021, Faster game solving via predictive Blackwell approachability"


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """As CFR+, but the next regrets are taken to be as the last ones; averages count by the square of the iteration."""
    tree, feedback = task.tree, ChoiceValues(task.tree)
    policy, own = tree.uniform(), of_sets(tree, tree.seats)
    regrets, average = np.zeros(len(policy)), np.zeros(len(policy))
    for step in itertools.count(1):
        for seat in range(task.game.players):
            feedback.ask(policy, seat)
            average += np.where(own == seat, step**2 * policy * of_sets(tree, feedback.own), 0)
            gains = feedback.weighed()
            usual = of_sets(tree, np.add.reduceat(policy * gains, tree.slots[:-1]))
            regret = np.where(own == seat, gains - usual, 0)
            regrets = np.maximum(0, regrets + regret)
            policy = np.where(own == seat, tree.normed(np.maximum(0, regrets + regret)), policy)
        yield step, on_demand(partial(tree.normed, average))
