"""Builds libraries of machine code, in a process of its own: `python -m hexdeck.engine.backends.build MODULE …`.

It ends when whoever asked for it does, for its standard input closes then. One library is built by one process at a
time; it is written under another name and then renamed, so that nobody ever sees half of one.
"""

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from hexdeck.engine.backends.cache import STALE_AFTER, writable
from hexdeck.engine.backends.library_files import SUFFIX, Owners, cached, checksum, library_file
from hexdeck.engine.backends.notices import MAKING, tell
from hexdeck.engine.text import say

try:
    import fcntl
except ImportError:  # no such locks here: two processes may build the same thing, which is only slower
    fcntl = None  # type: ignore[assignment]

NO_LINKER, NO_ROOM, NOT_COMPILED = 3, 4, 5  # how the process ends when a build fails
UNFINISHED = "building-"  # how folders of builds begin


def can_build() -> bool:
    """Whether what builds is installed."""
    return find_spec("numba") is not None


# --- who asks ---------------------------------------------------------------------------------------------------------
def build(owners: Owners) -> bool:
    """Have the library of these modules built into the user's cache; whether it was. Says what was wrong if not."""
    if not can_build():
        return False
    if not writable(cached(owners)[0]):
        return False
    command = [sys.executable, "-m", "hexdeck.engine.backends.build", *owners]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=pipe) as builder:  # noqa: S603
        assert builder.stderr is not None  # it has a pipe
        try:
            builder.wait(1)
        except subprocess.TimeoutExpired:
            tell(MAKING)
        said = builder.stderr.read().decode(errors="replace").strip().splitlines()
        ended = builder.wait()
    if ended:
        why = said[-1] if said else str(ended)
        tell(say("Machine code can't be built ahead of time ({why}); it is made anew each time.", why=why))
    return not ended


# --- who builds -------------------------------------------------------------------------------------------------------
def main() -> int:
    """Build the library of the modules that are named, unless another process did meanwhile."""
    threading.Thread(target=end_with_caller, daemon=True).start()
    folder, key = cached(tuple(sys.argv[1:]))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / f"{key}.lock"):
            if library_file(folder, key) is None:
                build_into(folder, key, tuple(sys.argv[1:]), "host")
    except subprocess.CalledProcessError as error:
        said = (error.stderr or "").strip().splitlines()
        said = [line for line in said if "error" in line] or said
        print(said[-1] if said else f"{error.cmd[0]} ended with {error.returncode}", file=sys.stderr)
        return NO_LINKER
    except OSError as error:
        print(error, file=sys.stderr)
        return NO_ROOM
    except Exception as error:  # Numba's errors have a reason in their first lines, and many lines of where after it
        print(reason(str(error)), file=sys.stderr)
        return NOT_COMPILED
    return 0


def reason(said: str) -> str:
    """Why something can't be compiled, in a line of what Numba says of it."""
    lines = [line.strip() for line in said.splitlines()]
    return next((line for line in lines if line and not line.startswith(("Failed in", "["))), "").rstrip(".:")


def end_with_caller() -> None:
    """End this process when whoever started it is gone."""
    while os.read(0, 1):
        pass
    os._exit(1)


@contextlib.contextmanager
def locked(file: Path) -> Iterator[None]:
    """Alone among the processes that build this library."""
    with file.open("w") as held:
        if fcntl is not None:
            fcntl.flock(held, fcntl.LOCK_EX)
        yield


def build_into(folder: Path, key: str, owners: Owners, cpu: str) -> Path:
    """Build the library of modules for a kind of processor ("host": this one) into a folder; returns its file."""
    from hexdeck.engine.backends.ahead import objects

    beside = Path(tempfile.mkdtemp(prefix=f"{UNFINISHED}{key}-", dir=folder))
    try:
        for number, code in enumerate(objects(owners, cpu)):
            (beside / f"{number}.o").write_bytes(code)
        linked = beside / f"whole{SUFFIX}"
        link(sorted(beside.glob("*.o")), linked)
        file = folder / f"{key}.{checksum(linked.read_bytes())}{SUFFIX}"
        linked.replace(file)
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    clear_up(folder, key, file)
    return file


def clear_up(folder: Path, key: str, kept: Path) -> None:
    """Remove what builds of this library left that were killed, damaged ones, and what nothing used for a month."""
    for left in folder.iterdir():
        mine = left.name.startswith((f"{key}.", f"{UNFINISHED}{key}-")) and left.suffix != ".lock"
        with contextlib.suppress(OSError):  # another process may remove it too
            if left != kept and (mine or left.stat().st_mtime < time.time() - STALE_AFTER):
                shutil.rmtree(left) if left.is_dir() else left.unlink()


def link(objects: list[Path], library: Path) -> None:
    """Link object files into a library with the system's compiler, else with that of the package ziglang."""
    subprocess.run([*linker(), "-shared", "-o", library, *objects, "-lm"], check=True, capture_output=True, text=True)  # noqa: S603


def linker() -> list[str]:
    """The command that links; raises FileNotFoundError where there is none."""
    named = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if named:
        return named.split()
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise FileNotFoundError("there is no linker: install a C compiler, or the package ziglang")


if __name__ == "__main__":
    sys.exit(main())
