"""Programs of `tools/`, for tests: run like commands, with what they print."""

import runpy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hexdeck.cli import run_tool

FOLDER = Path(__file__).parents[1] / "tools"


def tool(name: str, words: Sequence[Any]) -> int:
    """Run the command of a tool; returns its exit status."""
    return run_tool(runpy.run_path(str(FOLDER / name))["COMMAND"], [*map(str, words)])
