"""Which source files decide a thing that is kept: its modules, and all of hexdeck that these import."""

import functools
import hashlib
import platform
import re
import sys
import time
from collections.abc import Iterable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

COMPILER = (
    "hexdeck.engine.backends",
    "hexdeck.engine.kernels",
)  # how a backend compiles, and what it builds in everywhere
ASIDE = {"hexdeck.engine.cache", "hexdeck.engine.sources"}  # they keep machine code, and are in none of it
IMPORT = re.compile(r"^[ \t]*from (hexdeck[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
STARTED = time.time()


@functools.cache
def source_hash(*modules: str) -> str:
    """A hash of everything that decides the machine code of functions in these modules, the processor included."""
    return _hash(sources(*modules, *COMPILER), processor())


@functools.cache
def package_hash(*packages: str) -> str:
    """A hash of all modules of packages, that decides what programs made of them do."""
    folders = [Path(spec.origin).parent for name in packages if (spec := find_spec(name)) and spec.origin]
    return _hash(file for folder in folders for file in sorted(folder.glob("*.py")))


def program_hash(rules: str) -> str:
    """A hash of the sources that decide how a game, told by its rules module, is played by bots."""
    return package_hash("hexdeck.engine", "hexdeck.bots", rules.rpartition(".")[0])


def edited(*modules: str) -> bool:
    """Whether sources changed since this process began: what it compiles may be of what they were."""
    now = time.time()
    return any(STARTED < file.stat().st_mtime <= now for file in sources(*modules, *COMPILER))


def sources(*modules: str) -> list[Path]:
    """The files of modules and of all that they import from hexdeck, directly or not."""
    found: dict[str, Path] = {}
    ahead = list(modules)
    while ahead:
        name = ahead.pop()
        file = module_file(name)
        if file and name not in found and name not in ASIDE:
            found[name] = file
            ahead += imported(file)
    return [found[name] for name in sorted(found)]


@functools.cache
def imported(file: Path) -> list[str]:
    """What may be modules among the names that a file imports from hexdeck."""
    names: list[str] = []
    for package, brought in IMPORT.findall(file.read_text(encoding="utf-8")):
        names += [package, *(f"{package}.{name}" for name in re.findall(r"\w+", brought))]
    return names


@functools.cache
def module_file(name: str) -> Path | None:
    """The file of a module: of hexdeck without importing it, else of one that is imported; None if there is none."""
    if not name.startswith("hexdeck."):
        known = getattr(sys.modules.get(name), "__file__", None)
        return Path(known) if known else None
    path = Path(__file__).parents[1].joinpath(*name.split(".")[1:])
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


@functools.cache
def processor() -> str:
    """The kind of processor and interpreter: machine code is for one kind only."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        told = ""
    kinds = re.findall(r"^(?:model name|flags|Features)\s*:.*", told, re.MULTILINE)
    return "\n".join([str(sys.implementation.cache_tag), platform.machine(), platform.processor(), *sorted(set(kinds))])


def _hash(files: Iterable[Path], more: str = "") -> str:
    digest = hashlib.sha256(f"{version('numba')} {more}".encode())
    for file in files:
        digest.update(b"\0" + file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]
