"""Where libraries of machine code are kept, and how a stale or damaged one is recognised.

A library has a game's functions or a module's kernels. It lies in the package (a wheel's), compiled for any processor
of a kind, or in the user's cache, compiled for this processor. Its name is KEY.CHECKSUM.so: the key is a hash of the
sources and the processor, the checksum its own. What is stale, damaged, or of another machine isn't taken.
"""

import functools
import sys
import zlib
from pathlib import Path

from hexdeck.engine.backends.cache import cache_folder, read_only_folder
from hexdeck.engine.backends.sources import kind_of_processor, library_hash, module_file, processor

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
    return cache_folder() / FOLDER, cached_key(owners)


def cached_key(owners: Owners) -> str:
    """The key of a library that is compiled for this machine."""
    return library_hash(processor(), *owners)


@functools.cache
def existing_library(owners: Owners) -> Path | None:
    """The library of these modules for this machine: the package's, or the one in the user's cache."""
    kind = kind_of_processor()
    packaged = whole_library(PACKAGED, library_hash(kind, *owners)) if kind and PACKAGED.is_dir() else None
    return packaged or in_read_only_cache(owners) or whole_library(*place_in_cache(owners))


def in_read_only_cache(owners: Owners) -> Path | None:
    """The library of these modules in a cache that can be read but not written to."""
    folder = read_only_folder()
    return whole_library(folder / FOLDER, cached_key(owners)) if folder else None


@functools.cache
def complete(owners: Owners) -> bool:
    """Whether all kernels and these modules have libraries for this machine, without building any."""
    try:
        listed = (PACKAGED / LISTED).read_text(encoding="ascii").split()
    except OSError:
        if not existing_library(owners):
            return False
        listed = kernel_modules()
    return all(map(existing_library, [owners, *((module,) for module in listed)]))
