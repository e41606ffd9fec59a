"""The page on ranks of learners: how far orders agree, and that it is made of the benchmark's results."""

import re
import runpy
from pathlib import Path

import pytest

from hexdeck.research.benchmark.running import BenchmarkResults

ROOT = Path(__file__).parents[2]
TOOL = runpy.run_path(str(ROOT / "tools" / "transfer.py"))


@pytest.mark.parametrize(
    ("one", "other", "tau"),
    [
        ([0.1, 0.2, 0.3], [1.0, 2.0, 3.0], 1.0),
        ([0.1, 0.2, 0.3], [3.0, 2.0, 1.0], -1.0),
        ([0.1, 0.2, 0.3, 0.4], [0.2, 0.1, 0.3, 0.4], 4 / 6),
        ([0.1, 0.2, 1e-7], [0.3, 0.4, 1e-9], 1.0),
        ([0.1, 1e-6, 1e-7], [0.3, 0.2, 0.1], 2 / 6**0.5),  # the last two give away as good as nothing
        ([1e-6, 1e-7, 1e-8], [0.3, 0.2, 0.1], 0.0),
    ],
)
def test_orders_agree_as_kendalls_tau_b_says(one: list[float], other: list[float], tau: float) -> None:
    assert TOOL["agreement"](one, other) == pytest.approx(tau)


def test_the_page_is_short() -> None:
    words = re.sub(r"\|", " ", TOOL["PAGE"].read_text(encoding="utf-8")).split()
    assert len([word for word in words if re.search(r"\w", word)]) <= 800


@pytest.mark.long
def test_the_page_is_made_of_the_results() -> None:
    text, pictures = TOOL["made"](BenchmarkResults(TOOL["FILE"]))
    assert TOOL["PAGE"].read_text(encoding="utf-8").partition(TOOL["MADE"])[2] == f"\n{text}"
    folder = TOOL["PAGE"].with_suffix("")
    assert {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()} == pictures and len(pictures) == 6
