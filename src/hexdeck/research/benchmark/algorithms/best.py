"""The net that comes with a game, as its level `best` plays it; it learns nothing, and is for whole games only."""

from pathlib import Path

from hexdeck.bots.players.levels import LEVELS, levels_of
from hexdeck.research.benchmark.task import Task

TITLE, WORK, VERSION, DRAWS = "Best net", "games", 1, False
PAPER = "ours: the net of the level `best`"


def bot(task: Task, _folder: Path) -> str:
    """That bot; the net alone where the level thinks with it."""
    best = levels_of(task.game)[LEVELS[-1]]
    return best if best.startswith("net") else "net"
