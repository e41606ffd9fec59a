"""Where machine code and solved tables are kept, and how stale or damaged ones are recognised.

A library has a game's functions or a module's kernels. It lies in the package (a wheel's), compiled for any processor
of a kind, or in the user's cache, compiled for this processor. Its name is KEY.CHECKSUM.so: the key is a hash of the
sources and the processor, the checksum its own. What is stale, damaged, or of another machine isn't taken.
"""

import atexit
import contextlib
import functools
import hashlib
import os
import platform
import re
import shutil
import stat
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import platformdirs

from hexdeck.engine.backends.python_abi import layout
from hexdeck.engine.contract import CALLS
from hexdeck.engine.text import Catalogue, Text, _, say

STALE_AFTER = 30 * 24 * 3600  # seconds
BACKEND_NAMES = {"fast", "checked", "solved"}  # the last is no backend: tables that were computed with these sources
COMPLETE = ".complete"  # how the name of a file ends that lists all that was compiled for a game
CODE = ".code"  # how the name of a file with a function's machine code ends


@functools.cache
def cache_folder() -> Path:
    """The folder to write machine code to: `wanted_folder`, or a temporary one where that can't be."""
    folder = wanted_folder()
    if not writable(folder):
        tell_unwritable(folder)
    elif not is_own(folder):
        text = _("Others may write to {folder}, so machine code is compiled again each time.")
        tell(say(text, folder=str(folder)))
    else:
        return folder
    return passing_folder()


def wanted_folder() -> Path:
    """The folder for machine code that was asked for: `HEXDECK_CACHE`, or one in the user's cache."""
    return Path(os.environ.get("HEXDECK_CACHE") or platformdirs.user_cache_dir("hexdeck"))


def tell_unwritable(folder: Path) -> None:
    """Say that a folder can't be written to."""
    text = _("Nothing can be written to {folder}, so machine code that it lacks is compiled again each time.")
    tell(say(text, folder=str(folder)))


def is_own(folder: Path) -> bool:
    """Whether a folder is there, and nobody but this user, or root, can have written code into it."""
    try:
        about = folder.stat()
    except OSError:  # it isn't there, or lies where this user can't look
        return False
    if not stat.S_ISDIR(about.st_mode) or not hasattr(os, "getuid"):
        return stat.S_ISDIR(about.st_mode)
    return about.st_uid in (0, os.getuid()) and not about.st_mode & stat.S_IWOTH


def passing_folder() -> Path:
    """A folder that is there as long as this process."""
    folder = Path(tempfile.mkdtemp(prefix="hexdeck-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@functools.cache
def backend_folder(owners: tuple[str, ...], backend: str) -> Path:
    """The folder for machine code of these modules in a backend, marked as in use today; a temporary one if need be."""
    folder = cache_folder() / source_hash(*owners) / backend
    if edited(*owners) or not writable(folder):
        return passing_folder()
    with contextlib.suppress(OSError):
        os.utime(folder.parent)
    return folder


def ready(owners: tuple[str, ...], backend: str) -> bool:
    """Whether machine code of these modules, and of all that was listed with it, was completed before."""
    try:
        files = [*kept_folder(owners, backend).glob(f"*{COMPLETE}")]
        lists = [file.read_text(encoding="ascii", errors="replace").splitlines() for file in files]
    except OSError:
        return False
    return any(lines and all(line == listing(tuple(line.split()[1:])) for line in lines) for lines in lists)


def begun(owners: tuple[str, ...], backend: str) -> bool:
    """Whether some machine code of these modules was kept before, all of it or not."""
    try:
        return any(kept_folder(owners, backend).rglob(f"*{CODE}"))
    except OSError:
        return False


def kept_folder(owners: tuple[str, ...], backend: str) -> Path:
    """The folder where machine code of these modules is looked for; it need not be there."""
    return cache_folder() / source_hash(*owners) / backend


def mark_ready(owners: tuple[str, ...], backend: str, libraries: Iterable[tuple[str, ...]]) -> None:
    """Remember that these modules, and others that go with them, are compiled; throw away what a month didn't use.

    Each set of them has a file: another checkout, with the same rules and other kernels, writes one beside it.
    """
    lines = "\n".join(sorted(listing(library) for library in {owners, *libraries})).encode("ascii")
    with contextlib.suppress(OSError):
        write_whole(backend_folder(owners, backend) / f"{checksum(lines)}{COMPLETE}", lines)
    for folder in cache_folder().iterdir():
        ours = re.fullmatch("[0-9a-f]{16}", folder.name) and {part.name for part in folder.iterdir()} <= BACKEND_NAMES
        if ours and folder.stat().st_mtime < time.time() - STALE_AFTER:
            shutil.rmtree(folder, ignore_errors=True)


def listing(owners: tuple[str, ...]) -> str:
    """Modules and the hash of their sources, in a line."""
    return " ".join([source_hash(*owners), *owners])


def writable(folder: Path) -> bool:
    """Whether files can be written in a folder, which is made if need be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def kept_array(file: Path | None, size: int, make: Callable[[], np.ndarray]) -> np.ndarray:
    """An array of `size` float64 from a file; made, and kept there, where the file is missing or damaged.

    Without a file, or room on the disk, the array is made and not kept.
    """
    data = read_with_checksum(file) if file else None
    if data is not None and len(data) == 8 * size:
        return data.view(np.float64)
    array = make()
    if file:
        with contextlib.suppress(OSError):
            write_with_checksum(file, array.tobytes())
    return array


def write_with_checksum(file: Path, data: bytes) -> None:
    """Write data and 8 bytes of its CRC-32."""
    write_whole(file, data + zlib.crc32(data).to_bytes(8, "little"))


def write_whole(file: Path, data: bytes) -> None:
    """Write data beside and rename it: two processes may do it at once, and nobody reads a part."""
    with tempfile.NamedTemporaryFile(dir=file.parent, delete=False) as temporary:
        try:
            temporary.write(data)
            temporary.flush()
            os.fsync(temporary.fileno())
            temporary.close()
            Path(temporary.name).replace(file)
        finally:
            Path(temporary.name).unlink(missing_ok=True)


def read_with_checksum(file: Path) -> np.ndarray | None:
    """What `write_with_checksum` wrote, as uint8; None if there is no such file, or it isn't whole."""
    try:
        data = np.fromfile(file, np.uint8)
    except OSError:
        return None
    if len(data) < 8 or zlib.crc32(data[:-8]) != int.from_bytes(data[-8:].tobytes(), "little"):
        return None
    return data[:-8]


ROOT = Path(__file__).parents[2]
PACKAGED = Path(__file__).with_name("libraries")
FOLDER = "libraries"  # in the user's cache
LISTED = "kernels.txt"  # the modules of kernels whose libraries the package has
SUFFIX = ".dll" if sys.platform == "win32" else ".so"
Owners = tuple[str, ...]  # the modules of a library: rules and strategy of a game, or one with kernels


def in_package(owners: Owners) -> bool:
    """Whether modules lie in the package itself: only those have libraries."""
    files = [module_file(name) if name.startswith("hexdeck.") else None for name in owners]
    return all(file is not None and file.is_relative_to(ROOT) for file in files)


def kernel_modules() -> list[str]:
    """The modules of the package with kernels that Python calls."""
    files = sorted(ROOT.rglob("*.py"))
    return [module_of(file) for file in files if "\nENTRIES = " in file.read_text(encoding="utf-8")]


def module_of(file: Path) -> str:
    """The name of a module by its file."""
    return ".".join(("hexdeck", *file.relative_to(ROOT).with_suffix("").parts))


def whole_library(folder: Path, key: str) -> Path | None:
    """The undamaged library of that key in a folder; None without one."""
    try:
        return next((file for file in folder.glob(f"{key}.*{SUFFIX}") if is_whole(file)), None)
    except OSError:
        return None


def is_whole(file: Path) -> bool:
    """Whether a library is as it was written, by the checksum in its name."""
    try:
        return file.name.split(".")[1] == checksum(file.read_bytes())
    except OSError:
        return False


def checksum(data: bytes) -> str:
    """A checksum as names of libraries have it."""
    return f"{zlib.crc32(data):08x}"


def place_in_cache(owners: Owners) -> tuple[Path, str]:
    """The folder and the key of a library in the user's cache."""
    return cache_folder() / FOLDER, library_hash(processor(), *owners)


@functools.cache
def existing_library(owners: Owners) -> Path | None:
    """The library of these modules for this machine: the package's, or one in a cache, which need not be writable."""
    kind, folder = kind_of_processor(), wanted_folder()
    packaged = whole_library(PACKAGED, library_hash(kind, *owners)) if kind and PACKAGED.is_dir() else None
    own = whole_library(folder / FOLDER, library_hash(processor(), *owners)) if is_own(folder) else None
    return packaged or own or whole_library(*place_in_cache(owners))


@functools.cache
def complete(owners: Owners) -> bool:
    """Whether all kernels and these modules have libraries for this machine, without building any."""
    try:
        modules = (PACKAGED / LISTED).read_text(encoding="ascii").split()
    except OSError:
        if not existing_library(owners):
            return False
        modules = kernel_modules()
    return all(map(existing_library, [owners, *((module,) for module in modules)]))


COMPILER = (
    "hexdeck.engine.backends.compiler",
    "hexdeck.engine.backends.kernels",
    "hexdeck.engine.layout",
)  # how a backend compiles, and what it builds in everywhere
ASIDE = {
    "hexdeck.engine.backends.cache",
    "hexdeck.engine.contract",
}  # in no machine code; of the contract that is `CALLS` alone
V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}  # what x86-64-v3 has beside v2
IMPORT = re.compile(r"^[ \t]*from (\.*)([\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
STARTED = time.time()


@functools.cache
def source_hash(*modules: str) -> str:
    """A hash of everything that decides the machine code of functions in these modules, the processor included."""
    return _hash(sources(*modules, *COMPILER), f"{numba_version()} {processor()} {CALLS}")


@functools.cache
def library_hash(kind: str, *modules: str) -> str:
    """A hash of everything that decides what a library of these modules does, compiled for a kind of processor.

    Numba's version isn't in it: who plays without Numba must find it too.
    """
    return _hash(sources(*modules, *COMPILER), f"{kind} {layout()} {CALLS}")


@functools.cache
def package_hash(*packages: str) -> str:
    """A hash of modules, and of all modules of packages, but for tests: it decides what programs made of them do."""
    specs = [find_spec(name) for name in packages]
    paths = [Path(path) for spec in specs if spec for path in spec.submodule_search_locations or [str(spec.origin)]]
    files = [file for path in paths for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    return _hash(file for file in files if file.parent.name != "tests" and file.is_file())


def program_hash(rules: str, *packages: str) -> str:
    """A hash of the sources that decide how a game, named by its rules module, is played by bots, and of packages."""
    return package_hash("hexdeck.engine", "hexdeck.bots", *packages, rules.rpartition(".")[0])


def edited(*modules: str) -> bool:
    """Whether sources changed since this process began: what it compiles may be of what they were."""
    now = time.time()
    return any(STARTED < file.stat().st_mtime <= now for file in sources(*modules, *COMPILER))


def sources(*modules: str) -> list[Path]:
    """The files of modules and of all that they import from hexdeck and from their own packages, directly or not."""
    files: dict[str, Path] = {}
    pending = list(modules)
    while pending:
        name = pending.pop()
        file = module_file(name)
        if file and name not in files and name not in ASIDE:
            files[name] = file
            pending += imported(name, file)
    return [files[name] for name in sorted(files)]


@functools.cache
def imported(module: str, file: Path) -> list[str]:
    """What may be modules among the names that a module imports from hexdeck and from its own package."""
    names: list[str] = []
    for dots, package, brought in IMPORT.findall(file.read_text(encoding="utf-8")):
        home = ".".join(module.split(".")[: -len(dots)]) if dots else ""
        base = ".".join(filter(None, (home, package)))
        if base.partition(".")[0] in ("hexdeck", module.partition(".")[0]):
            names += [base, *(f"{base}.{name}" for name in re.findall(r"\w+", brought))]
    return names


@functools.cache
def module_file(name: str) -> Path | None:
    """The file of a module: of hexdeck without importing it, else of one that is imported; None if there is none."""
    file = getattr(sys.modules.get(name), "__file__", None)
    if file or not name.startswith("hexdeck."):
        return Path(file) if file else None
    path = Path(__file__).parents[2].joinpath(*name.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@functools.cache
def processor() -> str:
    """The kind of processor and interpreter: machine code is for one kind only."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        text = ""
    kinds = re.findall(r"^(?:model name|flags|Features)\s*:.*", text, re.MULTILINE)
    return "\n".join([str(sys.implementation.cache_tag), platform.machine(), platform.processor(), *sorted(set(kinds))])


@functools.cache
def kind_of_processor() -> str:
    """The kind of processor that a wheel's libraries are compiled for, "" where this one isn't of such a kind."""
    machine = platform.machine().lower()
    if machine not in {"x86_64", "amd64"}:
        return machine
    flags = re.search(r"^flags\s*:(.*)", processor(), re.MULTILINE)
    return "x86-64-v3" if flags and set(flags[1].split()) >= V3 else ""


@functools.cache
def numba_version() -> str:
    """The version of Numba, "" where it isn't installed."""
    from importlib.metadata import PackageNotFoundError, version  # slow to import, and rarely needed

    try:
        return version("numba")
    except PackageNotFoundError:
        return ""


def _hash(files: Iterable[Path], prefix: str = "") -> str:
    digest = hashlib.sha256(prefix.encode())
    for file in files:
        digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]


MAKING = say("Compiling; this can take half a minute …")
SOLVING = say("Solving the game; this takes a while, but only the first time …")
TOLD: set[str] = set()
LOCK = threading.Lock()
WORDS = [Catalogue("en")]  # the last one's language is used
THREAD = threading.local()  # `timer`: of the thread that reads machine code, or compiles it


def tell(text: Text, about: str = "") -> None:
    """Say something on the error stream, unless it was said before, or something else about the same."""
    with LOCK:
        is_new = (about or str(text)) not in TOLD
        TOLD.add(about or str(text))
    if is_new:
        print(f"hexdeck: {WORDS[-1].words(text)}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def told_if_slow(text: Text = MAKING) -> Iterator[None]:
    """Say what is being done, machine code being made unless told otherwise, where it takes longer than a second."""
    with told_if_compiled(text):
        compiles()
        yield


@contextlib.contextmanager
def told_if_compiled(text: Text = MAKING) -> Iterator[None]:
    """The same, where it takes longer than a second after this thread called `compiles`; nothing if it never does."""
    before, timer = getattr(THREAD, "timer", None), threading.Timer(1, tell, [text])
    timer.daemon, THREAD.timer = True, timer
    try:
        yield
    finally:
        timer.cancel()
        THREAD.timer = before


def compiles() -> None:
    """Note that this thread compiles from now on, for it found nothing that was kept."""
    timer = getattr(THREAD, "timer", None)
    if timer is not None and timer.ident is None:
        timer.start()
