"""Compile each game's backends once, however many processes run the tests: the first one compiles, the others wait.

`python -m tests.compiled` does so before the tests, two at a time, and says how long it took; `make test` begins so.
The tests' own bytecode, which each worker would make for itself, is made beside.
"""

import functools
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import hexdeck
from hexdeck.engine.backends.cache import cache_folder, package_hash
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import mark_compiled
from tests.settings import GAMES, much
from tests.support import random_plies

try:
    import fcntl
except ImportError:  # no such locks here: two processes may compile the same thing, which is only slower
    fcntl = None  # type: ignore[assignment]


CHECKED = much((), GAMES)  # it takes long to compile, and interpreted rules check too


def compiled_backends(name: str) -> tuple[str, ...]:
    """The compiled backends in which tests play a game."""
    return ("fast", "checked") if name in CHECKED else ("fast",)


def all_backends(name: str) -> tuple[str, ...]:
    return (*compiled_backends(name), "interpreted")


@functools.cache
def engine() -> str:
    return package_hash("hexdeck.engine")


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Alone among the processes that compile the same engine into this cache of machine code."""
    with (cache_folder() / f"{name}-{engine()}.lock").open("w") as file:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def warm(name: str, backend: str) -> None:
    """Have a game's functions, and the generic kernels that a match calls, compiled for a backend."""
    game = hexdeck.game(name)
    with locked(f"{name}-{backend}"):
        game.driver(backend)
    with locked(f"kernels-{backend}"):
        match = game.match(seed=1, backend=backend)
        for _ in random_plies(match, random.Random(1)):
            match.illegal_reason(0, 0)
        match.go(0)
        match.go(match.length)
        match.view(0), match.key(0), match.observation(0), match.resample(0, 1), match.returns()
        driver, rows = match.driver, game.rows(match.driver)
        driver.kernel("begin_row")(driver.g, rows)
        driver.kernel("choose_row")(driver.g, rows, RANDOM, 0, driver.actions(), driver.generator(0))
        by_hand = game.match(by_hand=True, backend=backend)
        while not by_hand.acting:
            by_hand.deal(next(iter(by_hand.chances())))
        if backend in much(("fast",), ("fast", "checked")):
            with game.batch(2, backend=backend) as batch:
                batch.step(batch.random())


def stamp(name: str, backend: str) -> Path:
    """The file that says that a game was compiled for a backend from the sources as they are."""
    made_of = package_hash("hexdeck.engine", "hexdeck.bots", hexdeck.game(name).rules.__name__.rpartition(".")[0])
    return cache_folder() / f"tests-{name}-{backend}-{made_of}"


def made(wanted: tuple[str, str]) -> None:
    """Compile a game for a backend, and say so to servers, which play interpreted until then."""
    warm(*wanted)
    mark_compiled(hexdeck.game(wanted[0]).definition, wanted[1])
    stamp(*wanted).touch()


def main() -> None:
    """Compile what isn't there yet."""
    begun = time.monotonic()
    wanted = [
        (name, backend) for name in GAMES for backend in compiled_backends(name) if not stamp(name, backend).exists()
    ]
    wanted.sort(key=lambda each: each[1] == "checked")
    if wanted:
        print(f"Making machine code for the tests (once; {len(wanted)} parts) ...", flush=True)
        collect = [sys.executable, "-m", "pytest", "--collect-only", "--quiet"]
        with subprocess.Popen(collect, stdout=subprocess.DEVNULL), ProcessPoolExecutor(2) as pool:
            list(pool.map(made, wanted))
        print(f"Machine code took {time.monotonic() - begun:.0f} s.", flush=True)


if __name__ == "__main__":
    main()
