"""Shards on a real Ray of several workers: the same bytes, also when one is killed in the middle; and in parts."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import hexdeck
from hexdeck.lab import store
from hexdeck.lab.log import SimulationSetup
from tests.lab.test_store import written

ROOT = Path(__file__).parents[2]
PATIENCE = 600.0
with_ray = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray isn't installed: pip install '.[ray]' in Hexdeck's folder"
)
pytestmark = [pytest.mark.long, with_ray]
RUN = (
    "import sys\nfrom hexdeck.lab import store\nstore.SHARD = 20\nfrom hexdeck.cli import main\n"
    "raise SystemExit(main(sys.argv[1:]))\n"
)
OTHER = "from hexdeck.lab import cluster\ncluster.code_hash = lambda _game: 'another'\n" + RUN
MORTAL = (  # the worker that plays the third shard is killed, once
    "import os\nfrom hexdeck.lab import cluster\nplain = cluster.play_shard\n"
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
    """What is typed."""
    return [
        "simulate",
        "hawthorn",
        "-n",
        "3",
        "--games",
        str(GAMES),
        "--seed",
        "4",
        "--data",
        str(folder),
        "--engine",
        "ray",
        *words,
    ]


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
    """The address of a cluster of two workers that somebody else started."""
    holder = started(HOLD)
    assert holder.stdout is not None
    yield holder.stdout.readline().strip()
    holder.communicate("\n", timeout=PATIENCE)


def test_a_cluster_elsewhere_writes_the_same_and_only_of_this_version(
    expected: dict[str, bytes], address: str, tmp_path: Path
) -> None:
    refused = started(OTHER, *command(tmp_path / "other", "--address", address))
    running = started(RUN, *command(tmp_path / "same", "--address", address))
    _out, why = refused.communicate(timeout=PATIENCE)
    out, err = running.communicate(timeout=PATIENCE)
    assert f"{GAMES} games are in" in err, (out, err)
    assert written(tmp_path / "same") == expected
    assert "has another version of hexdeck" in why and not (tmp_path / "other").exists()
