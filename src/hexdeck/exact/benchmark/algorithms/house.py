"""The house bot: rules of thumb, written by hand; it learns nothing."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hexdeck.bots.players.strategies import StrategyBot
from hexdeck.exact.benchmark.task import Given, Task

TITLE, WORK, VERSION, DRAWS = "House bot", "decisions", 1, False
PAPER = "ours: rules of thumb of each game"
SETTINGS = {"asked": 8}  # times in each information set


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """How often it makes each choice."""
    tree, asked = task.tree, SETTINGS["asked"]
    bot, policy = StrategyBot(task.game, "house", task.seed, None), np.zeros(len(tree.names))
    for known, seat, first, end in zip(task.known, tree.seats.tolist(), tree.slots, tree.slots[1:], strict=False):
        if end == first + 1:
            policy[first] = 1
            continue
        names, seen = tree.names[first:end].tolist(), known.tobytes()
        for _ in range(asked):
            policy[first + names.index(bot.choose(seen, seat))] += 1 / asked
    yield len(tree.keys), policy


def bot(_task: Task, _folder: Path) -> str:
    """The bot of that name."""
    return "house"
