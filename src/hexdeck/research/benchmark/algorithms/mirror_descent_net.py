"""Magnetic mirror descent by self-play, with a small net."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexdeck.research.benchmark.nets import kept, trained
from hexdeck.research.benchmark.task import Given, Task

TITLE, WORK, VERSION = "Magnetic mirror descent, net", "decisions", 1
PAPER = "Sokota et al. 2023, A unified approach to reinforcement learning, quantal response equilibria, …"
STEP: dict[str, Any] = {"entropy": 0.1, "entropy_floor": 0.01, "magnet": 0.2, "magnet_every": 1}
SETTINGS: dict[str, Any] = {"hidden": (32, 32), "batch": 2048, "minibatch": 128, **STEP}


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """The net of each step, no average: PPO's loss, held near to the net that played; uniform play is the magnet."""
    yield from trained(task, averaged=False, **SETTINGS)


def bot(task: Task, folder: Path) -> str:
    """The net at the end, with the sizes that `hexdeck train` has."""
    return kept(task, folder, "mirror-descent", averaged=False, **STEP)
