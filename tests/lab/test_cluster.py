"""Ray: tasks write and count what threads do, and a worker that is killed in the middle changes nothing."""

import json
import os
import pickle
import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.lab import counts, store, tension
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting import report
from hexdeck.lab.store import on_ray
from tests.lab.test_store import written
from tests.people import Room
from tests.settings import much

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
with_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray isn't installed: pip install '.[ray]' in Hexdeck's folder"
)
RUN = (
    "import sys\nfrom hexdeck.lab import store\nstore.SHARD = 20\nfrom hexdeck.cli import main\n"
    "raise SystemExit(main(sys.argv[1:]))\n"
)
SMALL = (
    "import sys\nfrom hexdeck.lab import counts\nfrom hexdeck.lab.reporting import report\n"
    "counts.CHUNK = 7\nreport.DEALS = 2\n"
    "from hexdeck.cli import main\nraise SystemExit(main(sys.argv[1:]))\n"
)
OTHER = "from hexdeck.lab import store as cluster\ncluster.code_hash = lambda _game: 'another'\n" + RUN
MORTAL = (  # the worker that plays the third shard is killed, once
    "import os\nfrom hexdeck.lab import store as cluster\nplain = cluster.play_shard\n"
    "def play_shard(values, first, count):\n"
    "    if first == 40 and not os.path.exists(MARK):\n"
    "        with open(MARK, 'w') as file:\n            file.write(str(os.getpid()))\n"
    "        os.kill(os.getpid(), 9)\n"
    "    return plain(values, first, count)\n"
    "cluster.play_shard = play_shard\n" + RUN
)
HOLD = (
    "import ray\nhere = ray.init('local', num_cpus=2, include_dashboard=False, log_to_driver=False,\n"
    "                object_store_memory=80 << 20)\n"
    "print(here.address_info['gcs_address'], flush=True)\ninput()\nray.shutdown()\n"
)
GAMES = 240
TOKEN = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}  # else Ray keeps one at home


def started(script: str, *words: str) -> subprocess.Popen[str]:
    """A Python of its own, in the backend that needs no compiler."""
    paths = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    given = {
        **os.environ,
        "HEXDECK_BACKEND": "interpreted",
        "PYTHONPATH": paths,
        "RAY_USAGE_STATS_ENABLED": "0",
        **TOKEN,
    }
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", script, *words], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=given
    )


def command(folder: Path, *words: str) -> list[str]:
    typed = f"simulate hawthorn -n 3 --games {GAMES} --seed 4 --engine ray --data"
    return [*typed.split(), str(folder), *words]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files as a thread writes them."""
    folder = tmp_path_factory.mktemp("threads")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "SHARD", 20)
        assert (
            store.write(SimulationSetup(hexdeck.game("hawthorn", 3), "house", 4, backend="fast"), GAMES, folder)
            == GAMES
        )
    return written(folder)


@pytest.mark.long
@with_ray
def test_a_worker_killed_in_the_middle_changes_nothing(expected: dict[str, bytes], tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    folder, mark = tmp_path / "games", tmp_path / "killed"
    running = started(MORTAL.replace("MARK", repr(str(mark))), *command(folder, "--threads", "2"))
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0 and f"{GAMES} games are in" in err, (out, err)
    assert mark.exists() and written(folder) == expected
    worker = int(mark.read_text())
    assert not psutil.pid_exists(worker) or psutil.Process(worker).status() == psutil.STATUS_ZOMBIE


@pytest.fixture
def address() -> Iterator[str]:
    holder = started(HOLD)
    assert holder.stdout is not None
    yield holder.stdout.readline().strip()
    holder.communicate("\n", timeout=PATIENCE)


@pytest.mark.long
@with_ray
def test_a_cluster_elsewhere_writes_the_same_and_only_of_this_version(expected, address, tmp_path) -> None:
    refused = started(OTHER, *command(tmp_path / "other", "--address", address))
    running = started(RUN, *command(tmp_path / "same", "--address", address))
    _out, why = refused.communicate(timeout=PATIENCE)
    out, err = running.communicate(timeout=PATIENCE)
    assert f"{GAMES} games are in" in err, (out, err)
    assert written(tmp_path / "same") == expected
    assert "has another version of hexdeck" in why and not (tmp_path / "other").exists()


# --- in this process, with all that goes there and back pickled -------------------------------------------------------
RUNS = (
    ["report", "hawthorn", "-n", "2", "--games", "40", "--sample", "1"],
    ["compare", "hawthorn", "-n", "2", "--b", "fold_price=own", "--games", "40", "--sample", "4"],
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

    monkeypatch.setattr("hexdeck.lab.store.cluster", cluster)
    return asked


@with_ray
@pytest.mark.parametrize("words", much(RUNS[1:], RUNS), ids=lambda words: words[0])
def test_tasks_count_what_threads_count(words, room, tmp_path, monkeypatch) -> None:
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


@pytest.mark.long
@with_ray
@pytest.mark.parametrize("words", RUNS, ids=lambda words: words[0])
def test_a_cluster_counts_what_threads_count(words: list[str], tmp_path: Path) -> None:
    files = [tmp_path / "threads.json", tmp_path / "ray.json"]
    for file, engine in zip(files, ("threads", "ray"), strict=True):
        run = started(SMALL, *words, "--seed", "4", "--threads", "2", "--engine", engine, "--data", str(file))
        _said, errors = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, errors
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
