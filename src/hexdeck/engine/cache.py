"""Where machine code is kept, and how one knows that it is still the right one."""

import functools
import hashlib
import os
import re
import shutil
import tempfile
import time
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import platformdirs

STALE_AFTER = 30 * 24 * 3600  # seconds
LANE_NAMES = {"fast", "checked"}


@functools.cache
def cache_folder() -> Path:
    """The folder for machine code: `HEXDECK_CACHE`, or one in the user's cache, or a temporary one if that can't be."""
    wanted = os.environ.get("HEXDECK_CACHE") or platformdirs.user_cache_dir("hexdeck")
    try:
        Path(wanted).mkdir(parents=True, exist_ok=True)
        probe = tempfile.TemporaryFile(dir=wanted)  # noqa: SIM115 - closed at once: only whether it opens counts
        probe.close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="hexdeck-"))
    return Path(wanted)


@functools.cache
def source_hash(owner: str) -> str:
    """A hash of everything that decides the machine code of `generic` kernels or of a game's rules module."""
    digest = hashlib.sha256()
    for folder in source_folders(owner):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(version("numba").encode())
    return digest.hexdigest()[:16]


def source_folders(owner: str) -> list[Path]:
    """The package folders whose sources a compiled thing depends on."""
    packages = ["hexdeck.engine", "hexdeck.bots" if owner == "generic" else owner.rpartition(".")[0]]
    return [Path(spec.origin).parent for package in packages if (spec := find_spec(package)) and spec.origin]


def ready(owner: str, lane: str) -> bool:
    """Whether machine code of these sources was completed before."""
    return (cache_folder() / source_hash(owner) / lane / "complete").is_file()


def lane_folder(owner: str, lane: str) -> Path:
    """The folder for machine code of these sources in a lane, marked as in use today."""
    folder = cache_folder() / source_hash(owner) / lane
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder.parent)
    return folder


def mark_ready(owner: str, lane: str) -> None:
    """Remember that everything of these sources has been compiled; throw away what was in use no more for a month."""
    (lane_folder(owner, lane) / "complete").touch()
    for other in cache_folder().iterdir():
        ours = re.fullmatch("[0-9a-f]{16}", other.name) and {part.name for part in other.iterdir()} <= LANE_NAMES
        if ours and other.stat().st_mtime < time.time() - STALE_AFTER:
            shutil.rmtree(other, ignore_errors=True)
