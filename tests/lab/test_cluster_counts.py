"""What reports and comparisons count on a real Ray of several workers is what threads count, figure for figure."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.lab.test_cluster import PATIENCE, started
from tests.people import Room

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="Ray isn't installed: pip install 'hexdeck[ray]'")
SMALL = (
    "import sys\nfrom hexdeck.lab import collect, report\n"
    "collect.CHUNK = 7\nreport.DEALS = 2\n"
    "from hexdeck.cli import main\nraise SystemExit(main(sys.argv[1:]))\n"
)
RUNS = (
    ["report", "hawthorn", "-n", "2", "--games", "40", "--sample", "1"],
    ["compare", "hawthorn", "-n", "3", "--b", "fold_price=own", "--games", "40"],
)


@pytest.mark.parametrize("words", RUNS, ids=lambda words: words[0])
def test_a_cluster_counts_what_threads_count(words: list[str], tmp_path: Path) -> None:
    files = [tmp_path / "threads.json", tmp_path / "ray.json"]
    for file, engine in zip(files, ("threads", "ray"), strict=True):
        run = started(SMALL, *words, "--seed", "4", "--threads", "2", "--engine", engine, "--json", str(file))
        _said, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, errors
    threads, ray = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    assert threads == ray and threads["parts"][0]["games"] == 40


def test_an_address_is_for_ray(room: Room) -> None:
    said = room.hexdeck("report", "hawthorn", "--address", "auto")
    assert said.status == 2 and "--address goes with --engine ray" in said.err
