"""Magnetic mirror descent, tabular, with exact values of actions."""

import itertools
from collections.abc import Iterator

import numpy as np

from hexdeck.research.benchmark.task import Given, Task
from hexdeck.research.exact.policies import ChoiceValues, of_sets, softmax

TITLE, WORK, VERSION = "Magnetic mirror descent, tabular", "iterations", 1
PAPER = "Sokota et al. 2023, A unified approach to reinforcement learning, quantal response equilibria, …"
SETTINGS = {"rate": 1.0, "temperature": 1.0}  # both at first; they fall with the square root of the iteration


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """The policy itself, not an average; the magnet is uniform play; the seed draws the first policy."""
    tree, feedback = task.tree, ChoiceValues(task.tree)
    owners, logits = of_sets(tree, tree.seats), 0.1 * task.random().normal(size=len(tree.names))
    policy = softmax(tree, logits)
    for step in itertools.count(1):
        rate, temperature = SETTINGS["rate"] / step**0.5, SETTINGS["temperature"] / step**0.5
        updated = logits.copy()
        for seat in range(task.game.players):
            feedback.ask(policy, seat)
            values = feedback.values / (task.scale / 2)
            updated = np.where(owners == seat, (logits + rate * values) / (1 + rate * temperature), updated)
        logits = updated
        policy = softmax(tree, logits)
        yield step, policy
