"""The recipe of `hexdeck train`: PPO held near to a magnet, with weights averaged over steps."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hexdeck.research.benchmark.nets import kept, trained
from hexdeck.research.benchmark.task import Given, Task

TITLE, WORK, VERSION = "Hexdeck's trainer", "decisions", 1
PAPER = "ours: PPO with a magnet as in Sokota et al. 2023, entropy that falls, averaged weights"
SETTINGS: dict[str, Any] = {
    "hidden": (32, 32),
    "batch": 2048,
    "minibatch": 128,
    "entropy": 0.1,
    "entropy_floor": 0.02,
    "magnet": 0.1,
    "magnet_every": 40,
    "ema_decay": 0.95,
}


def learn(task: Task) -> Iterator[tuple[int, Given]]:
    """The averaged net of each step."""
    yield from trained(task, averaged=True, **SETTINGS)


def bot(task: Task, folder: Path) -> str:
    """The averaged net at the end, by the usual plan of `hexdeck train`."""
    return kept(task, folder, "trainer", averaged=True)
