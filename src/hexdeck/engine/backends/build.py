"""Builds libraries of machine code, in a process of its own: `python -m hexdeck.engine.backends.build MODULE …`.

It ends when whoever asked for it does, for its standard input closes then. One library is built by one process at a
time; it is written under another name and then renamed, so that nobody ever sees half of one. With `--package FOLDER`
instead of modules it builds all libraries that a wheel brings.
"""

import contextlib
import errno
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from hexdeck.engine.backends import cache
from hexdeck.engine.backends.cache import Owners, edited
from hexdeck.engine.text import say

try:
    import fcntl
except ImportError:  # no such locks here: two processes may build the same thing, which is only slower
    fcntl = None  # type: ignore[assignment]

NO_LINKER, NO_ROOM, NOT_COMPILED = 3, 4, 5  # how the process ends when a build fails
FAILED = ".failed"  # how the name of a file ends that says why a library can't be built here
LONGEST = 120  # seconds that linking may take
TRIED_AGAIN = 24 * 3600  # seconds after which a build that failed is tried again
SUMMARY = r"returned \d+ exit status|linker command failed with exit code|\bwarning\b"  # lines that say nothing of why
TELLING = r"error|cannot|can't|could not|undefined|failed|not found|no such|unknown|unrecognized"
UNFINISHED = "building-"  # how folders of builds begin


def can_build() -> bool:
    """Whether what builds is installed."""
    return find_spec("numba") is not None


# --- who asks ---------------------------------------------------------------------------------------------------------
def build(owners: Owners) -> bool:
    """Have the library of these modules built into the user's cache; whether it was. Says what was wrong if not."""
    if not can_build():
        return False
    if not cache.writable(cache.place_in_cache(owners)[0]):
        cache.tell_unwritable(cache.place_in_cache(owners)[0])
        return False
    why, status = why_not(owners), NOT_COMPILED
    if not why:
        why, status = run_builder(owners)
    if status == NO_ROOM:
        cache.tell(say("Machine code can't be saved ({why}); it is compiled again each time.", why=why))
    elif status:
        cache.tell(
            say("Machine code can't be built ahead of time ({why}); each start takes longer.", why=why), "builds"
        )
    return not status


def run_builder(owners: Owners) -> tuple[str, int]:
    """Build a library in a process of its own; why that failed, if it did, and the status of the process."""
    command = [sys.executable, "-P", "-m", "hexdeck.engine.backends.build", *owners]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    environment = os.environ | {"HEXDECK_CACHE": str(cache.place_in_cache(owners)[0].parent)}
    with (
        cache.told_if_slow(),
        subprocess.Popen(command, stdin=pipe, stdout=nothing, stderr=pipe, env=environment) as builder,  # noqa: S603
    ):
        assert builder.stderr is not None  # it has a pipe
        lines = builder.stderr.read().decode(errors="replace").strip().splitlines()
        status = builder.wait()
    return lines[-1] if lines else "it was stopped", status


def why_not(owners: Owners) -> str:
    """Why there is no point in trying to build a library here; an empty string if there is."""
    try:
        linker()
    except FileNotFoundError as error:
        return str(error)
    file = failure_file(owners)
    try:
        tools, why = file.read_text(encoding="utf-8").split("\n", 1)
        is_recent = file.stat().st_mtime > time.time() - TRIED_AGAIN
    except (OSError, ValueError):
        return ""
    return why if is_recent and tools == toolchain() else ""


def toolchain() -> str:
    """What libraries are built with: the linker, and the version of Numba."""
    return f"{' '.join(linker())}, Numba {version('numba')}"


def failure_file(owners: Owners) -> Path:
    """The file that says with which tools a library couldn't be built here, and why."""
    folder, key = cache.place_in_cache(owners)
    return folder / f"{key}{FAILED}"


# --- who builds -------------------------------------------------------------------------------------------------------
def main() -> int:
    """Build the library of the modules that are named, unless another process did meanwhile."""
    threading.Thread(target=end_with_caller, daemon=True).start()
    owners = tuple(sys.argv[1:])
    folder, key = cache.place_in_cache(owners)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / f"{key}.lock"):
            if cache.whole_library(folder, key) is None:
                build_into(folder, key, owners, "host")
    except subprocess.CalledProcessError as error:
        why = linker_message(error.stderr or "") or f"{Path(error.cmd[0]).name} ended with {error.returncode}"
        # a signal ended the linker, or what it started: by next time there may be memory enough
        killed = not 0 <= error.returncode < 128 or re.search(r"\bsignal\b", error.stderr or "")
        return fail(None if killed else owners, why, NO_LINKER)
    except subprocess.TimeoutExpired as error:
        return fail(owners, f"{Path(error.cmd[0]).name} took longer than {LONGEST} seconds", NO_LINKER)
    except FileNotFoundError as error:
        return fail(owners, str(error), NO_LINKER)
    except OSError as error:
        return fail(None, error.strerror or str(error), NO_ROOM)
    except Exception as error:
        why = numba_message(str(error)) or type(error).__name__
        return fail(None if isinstance(error, MemoryError) else owners, why, NOT_COMPILED)
    return 0


def fail(owners: Owners | None, why: str, status: int) -> int:
    """Say why a build failed; returns the process's status.

    It is written down for its owners, so that it isn't tried at each start; not where the next try may go well (None).
    """
    if owners is not None:
        with contextlib.suppress(OSError):
            failure_file(owners).write_text(f"{toolchain()}\n{why}", encoding="utf-8")
    print(why, file=sys.stderr)
    return status


def linker_message(output: str) -> str:
    """The line of a linker's output that says most about why it failed, without the folders of files."""
    lines = [line.strip() for line in output.splitlines() if line.strip() and not re.search(SUMMARY, line)]
    line = next((line for line in lines if re.search(TELLING, line, re.IGNORECASE)), lines[-1] if lines else "")
    return re.sub(r"(?:[\w.+-]*/)+([\w.+-]+)", r"\1", line).rstrip(".:")


def numba_message(error: str) -> str:
    """The line of an error of Numba's that says why something can't be compiled; many lines about where follow it."""
    lines = [line.strip() for line in error.splitlines()]
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
    from hexdeck.engine.backends.compiler import objects

    unfinished = Path(tempfile.mkdtemp(prefix=f"{UNFINISHED}{key}-", dir=folder))
    try:
        for number, code in enumerate(objects(owners, cpu)):
            (unfinished / f"{number}.o").write_bytes(code)
        linked = unfinished / f"whole{cache.SUFFIX}"
        link(sorted(unfinished.glob("*.o")), linked)
        if edited(*owners):
            raise InterruptedError(errno.EINTR, "the sources were edited meanwhile")
        file = folder / f"{key}.{cache.checksum(linked.read_bytes())}{cache.SUFFIX}"
        linked.replace(file)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    for entry in folder.iterdir():  # of this library by builds that were killed, damaged, or unused for a month
        mine = entry.name.startswith((f"{key}.", f"{UNFINISHED}{key}-")) and entry.suffix != ".lock"
        with contextlib.suppress(OSError):  # another process may remove it too
            if entry != file and (mine or entry.stat().st_mtime < time.time() - cache.STALE_AFTER):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    return file


def link(objects: list[Path], library: Path) -> None:
    """Link object files into a library with the system's compiler, else with that of the package ziglang.

    Raises OSError where there is no room for it, and FileNotFoundError where the linker can't be started.
    """
    command = [*linker(), "-shared", "-o", str(library), *map(str, objects), "-lm"]
    try:
        environment = os.environ | {"LC_ALL": "C"}  # in the language that `linker_message` reads
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=LONGEST, env=environment)  # noqa: S603
    except subprocess.CalledProcessError as error:
        if shutil.disk_usage(library.parent).free < 2 * sum(file.stat().st_size for file in objects):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from error
        raise
    except OSError as error:
        raise FileNotFoundError(f"{command[0]}: {error.strerror}") from error


def linker() -> list[str]:
    """The command that links; raises FileNotFoundError where there is none."""
    compiler = os.environ.get("CC") or next(filter(shutil.which, ("cc", "gcc", "clang")), None)
    if compiler:
        return compiler.split()
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise FileNotFoundError("there is no linker: install a C compiler, or the package ziglang")


# --- for a wheel ------------------------------------------------------------------------------------------------------
def game_modules() -> list[Owners]:
    """Rules and strategy of each of the package's games."""
    folders = sorted(file.parent for file in cache.ROOT.glob("games/*/rules.py"))
    return [(cache.module_of(folder / "rules.py"), cache.module_of(folder / "strategy.py")) for folder in folders]


def build_one(folder: Path, owners: Owners) -> None:
    """Build one library for the kind of processor that wheels are for, so that it runs on more than this one."""
    kind = cache.kind_of_processor()
    build_into(folder, cache.library_hash(kind, *owners), owners, kind if re.match("x86", kind) else "")


def build_package(folder: Path) -> None:
    """Build the libraries that a wheel brings, two at a time, each in a process of its own, and list its kernels."""
    import multiprocessing  # which takes longer than all the rest of this file, and only a wheel needs it
    from concurrent.futures import ProcessPoolExecutor

    folder.mkdir(parents=True, exist_ok=True)
    kernels = cache.kernel_modules()
    libraries = [*game_modules(), *((module,) for module in kernels)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        list(pool.map(build_one, [folder] * len(libraries), libraries))
    (folder / cache.LISTED).write_text("\n".join(kernels), encoding="ascii")


if __name__ == "__main__":
    if sys.argv[1] == "--package":
        build_package(Path(sys.argv[2]))
    else:
        sys.exit(main())
