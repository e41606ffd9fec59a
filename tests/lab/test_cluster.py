"""Shards on a real Ray of several workers: the same bytes, also when one is killed in the middle; and in parts."""

import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import hexdeck
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.lab.runs import store
from tests.lab.test_store import written
from tests.settings import much

ROOT = Path(__file__).parents[2]
PATIENCE = 180.0
pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray isn't installed: pip install '.[ray]' in Hexdeck's folder"
)
RUN = (
    "import sys\nfrom hexdeck.lab.runs import store\nstore.SHARD = 20\nfrom hexdeck.cli import main\n"
    "raise SystemExit(main(sys.argv[1:]))\n"
)
OTHER = "from hexdeck.lab.runs import cluster\ncluster.code_hash = lambda _game: 'another'\n" + RUN
HOLD = (
    "import ray\nhere = ray.init('local', num_cpus=2, include_dashboard=False, log_to_driver=False,\n"
    "                object_store_memory=80 << 20)\n"
    "print(here.address_info['gcs_address'], flush=True)\ninput()\nray.shutdown()\n"
)
GAMES = much(120, 240)
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
    return ["simulate", "hawthorn", "-n", "3", "--games", str(GAMES), "--seed", "4", "--out", str(folder),
            "--engine", "ray", *words]  # fmt: skip


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
def test_a_worker_killed_in_the_middle_changes_nothing(expected: dict[str, bytes], tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    running = started(RUN, *command(tmp_path, "--threads", "2"))
    others, killed, end = {}, [], time.monotonic() + PATIENCE
    while running.poll() is None and time.monotonic() < end:
        if killed or any((tmp_path / "games").glob("part-*")):  # to look at processes costs more than to look at files
            children = psutil.Process(running.pid).children(recursive=True)
            others |= {child.pid: child for child in children}
            working = [child for child in children if titled(child, "ray::play_shard")]
            if working and not killed:
                working[0].kill()
                killed.append(working[0].pid)
        time.sleep(0.5 if killed else 0.05)
    out, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0 and f"{GAMES} games are in" in err, (out, err)
    assert len(killed) == 1 and written(tmp_path) == expected
    gone, alive = psutil.wait_procs(list(others.values()), timeout=10)
    assert gone and not alive, alive


def titled(process: object, title: str) -> bool:
    """Whether a process calls itself so, if it is still there."""
    try:
        return bool(process.cmdline()[:1] == [title])  # type: ignore[attr-defined]
    except Exception:
        return False


@pytest.fixture
def address() -> Iterator[str]:
    """The address of a cluster of two workers that somebody else started."""
    holder = started(HOLD)
    assert holder.stdout is not None
    yield holder.stdout.readline().strip()
    holder.communicate("\n", timeout=PATIENCE)


@pytest.mark.long
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
