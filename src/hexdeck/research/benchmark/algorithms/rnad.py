"""Regularised Nash dynamics, tabular, with exact values of actions."""

import itertools
from collections.abc import Iterator

import numpy as np

from hexdeck.research.benchmark.task import Given, Task
from hexdeck.research.exact.policies import ChoiceValues, of_sets, softmax

TITLE, WORK, VERSION = "R-NaD, tabular", "iterations", 1
PAPER = "Perolat et al. 2021, From Poincaré recurrence to convergence in imperfect information games"
SETTINGS = {"rate": 0.5, "weight": 0.2, "every": 100}  # of the regularisation; iterations until it is renewed


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """Replicator dynamics in a game whose rewards pull each seat to a policy, which now and then becomes the present.

    With two players what one seat pays for leaving that policy, the other gets, as in the paper; with more it is lost.
    """
    tree, feedback, weight = task.tree, ChoiceValues(task.tree), SETTINGS["weight"]
    owners, logits = of_sets(tree, tree.seats), 0.1 * task.random().normal(size=len(tree.names))
    anchor, theirs = np.zeros(len(logits)), 1.0 if task.game.players == 2 else 0.0
    policy = softmax(tree, logits)
    for step in itertools.count(1):
        penalty = weight * (np.log(np.maximum(policy, 1e-30)) - np.log(np.maximum(softmax(tree, anchor), 1e-30)))
        updated = logits.copy()
        for seat in range(task.game.players):
            bonus = np.where(owners == seat, -penalty, theirs * penalty) * (task.scale / 2)
            feedback.ask(policy, seat, bonus)
            updated += np.where(owners == seat, SETTINGS["rate"] * feedback.values / (task.scale / 2), 0)
        logits = updated - of_sets(tree, np.maximum.reduceat(updated, tree.slots[:-1]))
        policy = softmax(tree, logits)
        if step % SETTINGS["every"] == 0:
            anchor = logits.copy()
        yield step, policy
