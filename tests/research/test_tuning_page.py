"""The page of settings that were tried is that of its results."""

import runpy
from pathlib import Path

from hexdeck.research.benchmark.algorithms import ALGORITHMS
from hexdeck.research.benchmark.running import BenchmarkResults

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "tuning.py"))


def test_at_least_twelve_settings_of_each_learner_are_tried() -> None:
    assert {
        name: len({algorithm.name for algorithm in TOOL["tried"](name)}) for name in TOOL["GRIDS"]
    } == dict.fromkeys(["ppo", "mirror_descent_net", "nash_pg", "trainer", "nfsp", "mirror_descent", "rnad"], 12)
    usual = [algorithm.settings for name in TOOL["GRIDS"] for algorithm in TOOL["tried"](name)]
    assert all(ALGORITHMS[name].settings in usual for name in TOOL["GRIDS"])


def test_the_page_is_made_of_the_results() -> None:
    page = (ROOT / "docs" / "notebook" / "tuning.md").read_text(encoding="utf-8")
    assert page == "\n".join([TOOL["ABOUT"], *TOOL["tables"](BenchmarkResults(TOOL["FILE"]))])
