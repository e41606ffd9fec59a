"""Names that saved training plans, .net files and their commands had before, and the names in their place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEYS = {  # of plans, in a run's state and in the header of a .net file
    "among": "opponents", "counter": "opponent_share", "every": "checkpoint_every", "heat": "temperature",
    "memory": "ema_decay", "rate": "learning_rate", "size": "minibatch", "trace": "gae_lambda",
}  # fmt: skip
FLAGS = {  # of `hexdeck train`
    "--among": "--opponents", "--counter": "--opponent-share", "--deals": "--deal-values", "--heat": "--temperature",
}  # fmt: skip


def with_present_keys(saved: Mapping[str, Any]) -> dict[str, Any]:
    """Saved data under the names of today."""
    return {KEYS.get(key, key): value for key, value in saved.items()}


def with_present_flags(command: str) -> str:
    """A saved `hexdeck train` command with the flags of today."""
    return " ".join(FLAGS.get(word, word) for word in command.split(" "))
