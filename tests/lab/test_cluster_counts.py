"""What reports and comparisons count on a cluster is what threads count, figure for figure; only this version counts.

In a usual run tasks are done in this process, with all that goes there and back pickled; in a run of everything, by a
real Ray of several workers.
"""

import json
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.lab import counts, store, tension
from hexdeck.lab.cluster import on_ray
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting import report
from tests.lab.test_cluster import PATIENCE, started, with_ray
from tests.lab.test_store import written
from tests.people import Room
from tests.settings import much

SMALL = (
    "import sys\nfrom hexdeck.lab import counts\nfrom hexdeck.lab.reporting import report\n"
    "counts.CHUNK = 7\nreport.DEALS = 2\n"
    "from hexdeck.cli import main\nraise SystemExit(main(sys.argv[1:]))\n"
)
RUNS = (
    ["report", "hawthorn", "-n", "2", "--games", "40", "--sample", "1"],
    ["compare", "hawthorn", "-n", "2", "--b", "fold_price=own", "--games", "40"],
)


@dataclass(eq=False)
class Done:
    """What came of a task, on its way back."""

    answer: bytes


@dataclass
class Near:
    """A Ray in this process: a task is done at once, and what goes there and back is pickled."""

    spoiled: Callable[[Any], Any] = lambda answer: answer

    def remote(self, **_how: object) -> Callable[[Callable[..., Any]], "Task"]:
        return lambda function: Task(self, function)

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 2.0}

    def cancel(self, done: Done) -> None:
        """Nothing: it is done."""

    def get(self, done: Done) -> Any:
        return pickle.loads(done.answer)

    class exceptions:  # noqa: N801
        class RayError(Exception):
            pass


@dataclass
class Task:
    ray: Near
    function: Callable[..., Any]

    def remote(self, *given: Any) -> Done:
        function, taken = pickle.loads(pickle.dumps((self.function, given)))
        return Done(pickle.dumps(self.ray.spoiled(function(*taken))))


def nearby(monkeypatch: pytest.MonkeyPatch, ray: Near) -> list[tuple[str | None, int]]:
    """From now on this is the cluster; gives the addresses and numbers of workers it is asked for."""
    asked: list[tuple[str | None, int]] = []

    @contextmanager
    def cluster(address: str | None, threads: int) -> Iterator[Near]:
        asked.append((address, threads))
        yield ray

    monkeypatch.setattr("hexdeck.lab.cluster.cluster", cluster)
    return asked


@with_ray
@pytest.mark.parametrize("words", much(RUNS[1:], RUNS), ids=lambda words: words[0])
def test_tasks_count_what_threads_count(
    words: list[str], room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "CHUNK", 7)
    monkeypatch.setattr(report, "DEALS", 2)
    for what in ("MOMENTS", "WORLDS", "FRESH", "TRIALS"):
        monkeypatch.setattr(tension, what, 4)
    asked = nearby(monkeypatch, Near())
    files = [tmp_path / "threads.json", tmp_path / "ray.json"]
    for file, engine in zip(files, ("threads", "ray"), strict=True):
        said = room.hexdeck(*words, "--seed", "4", "--threads", "2", "--engine", engine, "--data", str(file))
        assert said.status == 0, said.err
    assert asked == [(None, 2)]
    threads, ray = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    assert threads == ray and threads["parts"][0]["games"] == 40


def test_tasks_write_what_threads_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "SHARD", 5)
    asked, game = nearby(monkeypatch, Near()), hexdeck.game("hawthorn", 3)
    for folder, run in (("threads", None), ("tasks", on_ray("somewhere:1"))):
        store.write(SimulationSetup(game, "house", 4, backend="fast"), 23, tmp_path / folder, run=run)
    assert written(tmp_path / "threads") == written(tmp_path / "tasks") and asked == [("somewhere:1", 1)]


@with_ray
def test_what_another_version_played_is_refused(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nearby(monkeypatch, Near(lambda answer: ("another", answer[1])))
    for words in (["simulate", "--data", str(tmp_path / "other")], ["report", "--data", str(tmp_path / "figures")]):
        command = [words[0], "hawthorn", "-n", "3", "--games", "4", *words[1:], "--engine", "ray"]
        said = room.hexdeck(*command)
        assert said.status == 2 and "has another version of hexdeck" in said.err
    assert not (tmp_path / "other").exists()


@with_ray
@pytest.mark.long
@pytest.mark.parametrize("words", RUNS, ids=lambda words: words[0])
def test_a_cluster_counts_what_threads_count(words: list[str], tmp_path: Path) -> None:
    files = [tmp_path / "threads.json", tmp_path / "ray.json"]
    for file, engine in zip(files, ("threads", "ray"), strict=True):
        run = started(SMALL, *words, "--seed", "4", "--threads", "2", "--engine", engine, "--data", str(file))
        _said, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, errors
    threads, ray = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    assert threads == ray and threads["parts"][0]["games"] == 40
