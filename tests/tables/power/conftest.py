"""The shim that writes down what a process does to its files, compiled for the tests of this folder."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support import PATIENCE
from tests.tables.power.disk import Call, Disk, calls_of

Recorder = Callable[[str, Path], tuple[Disk, list[Call]]]


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        pytest.skip("only Linux with a C compiler can write down what a process does to its files")
    target = tmp_path_factory.mktemp("shim") / "shim.so"
    source = Path(__file__).with_name("shim.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", target, source, "-ldl"], check=True)
    return target


@pytest.fixture
def memory() -> Iterator[Path]:
    """A folder in memory where there is such a place: it costs nothing to sync there, and power isn't really lost."""
    place = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=place if os.access(place, os.W_OK) else None, prefix="hexdeck-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def recorded(shim: Path, tmp_path_factory: pytest.TempPathFactory) -> Recorder:
    """A function that does something of `evening.py` in a folder; gives the disk before, and all calls."""

    def record(action: str, folder: Path) -> tuple[Disk, list[Call]]:
        log, disk = tmp_path_factory.mktemp("log") / "calls", Disk(folder)
        about = {"LD_PRELOAD": str(shim), "POWER_ROOT": str(folder), "POWER_LOG": str(log)}
        command = [sys.executable, "-m", "tests.tables.power.evening", action, str(folder)]
        subprocess.run(command, check=True, env=os.environ | about, timeout=PATIENCE)
        return disk, list(calls_of(log.read_bytes(), disk.inodes))

    return record
