"""Which source files decide a thing that is kept: its modules, and all of hexdeck that these import."""

import functools
import hashlib
import platform
import re
import sys
import time
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from hexdeck.engine.backends.python_abi import layout
from hexdeck.engine.contract import CALLS

COMPILER = (
    "hexdeck.engine.backends.compiler",
    "hexdeck.engine.backends.ahead",
    "hexdeck.engine.backends.kernels",
    "hexdeck.engine.layout",
)  # how a backend compiles, and what it builds in everywhere
ASIDE = {
    "hexdeck.engine.backends.cache",
    "hexdeck.engine.backends.sources",
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
    places = [Path(place) for spec in specs if spec for place in spec.submodule_search_locations or [str(spec.origin)]]
    files = [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]
    return _hash(file for file in files if file.parent.name != "tests")


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
        whole = ".".join(filter(None, (home, package)))
        if whole.partition(".")[0] in ("hexdeck", module.partition(".")[0]):
            names += [whole, *(f"{whole}.{name}" for name in re.findall(r"\w+", brought))]
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


def _hash(files: Iterable[Path], more: str = "") -> str:
    digest = hashlib.sha256(more.encode())
    for file in files:
        digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]
