"""Information-set Monte Carlo tree search: it learns nothing beforehand, and thinks in each information set."""

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hexdeck.bots.search.searcher import Searcher
from hexdeck.research.benchmark.task import Given, Task

TITLE, WORK, VERSION = "ISMCTS", "simulations a decision", 1
WHOLE = 1000  # simulations a decision in whole games
PAPER = "Cowling, Powley and Whitehouse 2012, Information set Monte Carlo tree search (multiple observers)"
SETTINGS = {
    "first": 16,
    "times": 4,
    "runs": 4,
}  # simulations at first, then so many times as many; searches in each set


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """Its policy estimated by several searches in each information set; more simulations while there is time."""
    simulations, remaining = SETTINGS["first"], task.seconds
    while True:
        began = time.process_time()
        policy = searched(task, simulations)
        elapsed = time.process_time() - began
        yield simulations, policy
        remaining -= elapsed
        if SETTINGS["times"] * elapsed > remaining:
            return
        simulations *= SETTINGS["times"]


def searched(task: Task, simulations: int) -> np.ndarray:
    """How often the search makes each choice."""
    tree, runs = task.tree, SETTINGS["runs"]
    searcher, policy = Searcher(task.game, simulations, task.seed), np.zeros(len(tree.names))
    for struct, seat, first, end in zip(task.known, tree.seats.tolist(), tree.slots, tree.slots[1:], strict=False):
        if end == first + 1:
            policy[first] = 1
            continue
        knowledge = struct.tobytes()
        for _ in range(runs):
            totals = searcher.tried(knowledge, seat, int(end - first))
            policy[first + int(totals[:, 0].argmax())] += 1 / runs
    return policy


def bot(_task: Task, _folder: Path) -> str:
    """The bot of that name."""
    return f"search:{WHOLE}"
