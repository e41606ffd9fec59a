"""Compile each game's lanes once, however many processes run the tests: the first one compiles, the others wait."""

import functools
import random
from collections.abc import Iterator
from contextlib import contextmanager

import hexdeck
from hexdeck.engine.cache import cache_folder
from hexdeck.engine.kernels import RANDOM
from tests.support import random_plies

try:
    import fcntl
except ImportError:  # no such locks here: two processes may compile the same thing, which is only slower
    fcntl = None  # type: ignore[assignment]


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Alone among the processes that use this cache of machine code."""
    with (cache_folder() / f"{name}.lock").open("w") as file:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@functools.cache
def warm(name: str, lane: str) -> None:
    """Have a game's functions, and the generic kernels that a match calls, compiled for a lane."""
    game = hexdeck.game(name)
    with locked(f"{name}-{lane}"):
        game.driver(lane)
    with locked(f"kernels-{lane}"):
        match = game.match(seed=1, lane=lane)
        for _ in random_plies(match, random.Random(1)):
            match.forbids(0, 0)
        match.go(0)
        match.go(match.length)
        match.view(0), match.key(0), match.observation(0), match.redeal(0, 1), match.returns()
        driver, rows = match.driver, game.rows(match.driver)
        driver.kernel("begin_row")(driver.g, rows)
        driver.kernel("choose_row")(driver.g, rows, RANDOM, 0, driver.actions(), driver.generator(0))
        by_hand = game.match(by_hand=True, lane=lane)
        while not by_hand.acting:
            by_hand.deal(next(iter(by_hand.chances())))
        with game.batch(2, lane=lane) as batch:
            batch.step(batch.random())
