"""PPO by self-play, with a small net."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexdeck.research.benchmark.nets import kept, trained
from hexdeck.research.benchmark.task import Given, Task

TITLE, WORK, VERSION = "PPO", "decisions", 1
PAPER = "Schulman et al. 2017, Proximal policy optimization algorithms"
SETTINGS: dict[str, Any] = {
    "hidden": (32, 32),
    "batch": 2048,
    "minibatch": 128,
    "entropy": 0.01,
    "entropy_floor": 0.01,
    "magnet": 0.0,
}


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """The net of each step, no average; an entropy bonus that stays."""
    yield from trained(task, averaged=False, **SETTINGS)


def bot(task: Task, folder: Path) -> str:
    """The net at the end, with the sizes that `hexdeck train` has."""
    return kept(task, folder, "ppo", averaged=False, entropy=0.01, entropy_floor=0.01, magnet=0.0)
