"""The best bot that comes with a game; it learns nothing, and is for whole games only."""

from pathlib import Path

from hexdeck.exact.benchmark.task import Task

TITLE, WORK, VERSION, DRAWS = "Best bot", "games", 1, False
PAPER = "ours: the bot of the level `best`"


def bot(_task: Task, _folder: Path) -> str:
    """The bot of that level."""
    return "best"
