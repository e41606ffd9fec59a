"""Builds the libraries that a wheel brings: `python -m hexdeck.engine.backends.package FOLDER`.

They are made for the kind of processor that `kind_of_processor` names, so that they run on more than this one.
"""

import multiprocessing
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from hexdeck.engine.backends.build import build_into
from hexdeck.engine.backends.cache import LISTED, ROOT, Owners, kernel_modules, module_of
from hexdeck.engine.backends.sources import kind_of_processor, library_hash


def game_modules() -> list[Owners]:
    """Rules and strategy of each of the package's games."""
    folders = sorted(file.parent for file in ROOT.glob("games/*/rules.py"))
    return [(module_of(folder / "rules.py"), module_of(folder / "strategy.py")) for folder in folders]


def build_one(folder: Path, owners: Owners) -> None:
    """Build one library."""
    kind = kind_of_processor()
    build_into(folder, library_hash(kind, *owners), owners, kind if re.match("x86", kind) else "")


def main() -> None:
    """Build all of them, two at a time, each in a process of its own, and list what there is."""
    folder, kernels = Path(sys.argv[1]), kernel_modules()
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [*game_modules(), *((module,) for module in kernels)]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn"), max_tasks_per_child=1) as pool:
        list(pool.map(build_one, [folder] * len(wanted), wanted))
    (folder / LISTED).write_text("\n".join(kernels), encoding="ascii")


if __name__ == "__main__":
    main()
