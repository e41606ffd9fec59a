"""The house bot: rules of thumb, written by hand; it learns nothing."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from hexdeck.bots.players.solved import StrategyBot
from hexdeck.research.benchmark.task import Given, Task
from hexdeck.research.exact.tree import GameTree, Policy

TITLE, WORK, VERSION, DRAWS = "House bot", "decisions", 1, False
PAPER = "ours: rules of thumb of each game"
SETTINGS = {"asked": 8}  # times in each information set


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """How often it makes each choice."""
    ground, bot = task.ground, StrategyBot(task.game, "house", task.seed, None)
    yield len(ground.tree.keys), asked(bot, ground.tree, ground.known)


def asked(bot: StrategyBot, tree: GameTree, structs: np.ndarray) -> Policy:
    """Its choices in the information sets of a tree, in each as often as `SETTINGS` says."""
    policy, times = np.zeros(len(tree.names)), SETTINGS["asked"]
    for struct, seat, first, end in zip(structs, tree.seats.tolist(), tree.slots, tree.slots[1:], strict=False):
        if end == first + 1:
            policy[first] = 1
            continue
        names, knowledge = tree.names[first:end].tolist(), struct.tobytes()
        for _ in range(times):
            policy[first + names.index(bot.choose(knowledge, seat))] += 1 / times
    return policy


def bot(_task: Task, _folder: Path) -> str:
    """The bot of that name."""
    return "house"
