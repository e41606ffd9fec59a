"""Simulated games on a Ray cluster: the same files and figures, bit for bit, wherever they are played.

A task plays a shard and gives its files back as bytes; who asked for them writes them, so that machines need no folder
in common. The shard of a worker that dies is played again by another. Every machine needs the same hexdeck: what comes
from another version is refused.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import default_backend
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.text import _, say
from hexdeck.lab.counting.collect import Desk, Source, chunk_of
from hexdeck.lab.counting.metrics import Chunk, table
from hexdeck.lab.runs.store import Parts, Runner, Setting, Shards, code_of, desk_of, parts_of
from hexdeck.simulation.game import game as game_of
from hexdeck.simulation.seating import seat_bots

AGAIN = 10  # times that a shard is played again after its worker died
AHEAD = 2  # shards under way for each processor
STORE = 128 << 20  # bytes for what is under way, in a cluster of our own
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_DEDUP_LOGS": "0"}


def on_ray(address: str | None = None) -> Runner:
    """What plays shards on the cluster of an address, such as `auto` or HOST:PORT; without one, on one made here."""

    def run(setting: Setting, shards: Shards, threads: int) -> Iterator[tuple[int, int, Parts]]:
        if shards:
            with cluster(address, threads) as ray:
                yield from played(ray, setting, shards)

    return run


@contextmanager
def cluster(address: str | None, threads: int) -> Iterator[Any]:
    """Ray, connected; a cluster of our own has a worker for each thread and ends with us. Raises HexdeckError."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    own: dict[str, Any] = {"num_cpus": threads, "object_store_memory": STORE, "include_dashboard": False}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else own))
    except (ConnectionError, OSError, RuntimeError, ValueError, AssertionError) as error:
        why = " ".join(str(error).split()).rstrip(".")[:200] or type(error).__name__
        text = _("There is no Ray cluster at {address} to play on: {why}.")
        raise HexdeckError(say(text, address=address or "local", why=why)) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def played(ray: Any, setting: Setting, shards: Shards) -> Iterator[tuple[int, int, Parts]]:
    """Each shard as it is done; so many are under way that no worker waits."""
    task = ray.remote(num_cpus=1, max_retries=AGAIN)(play_shard)
    at_once = max(AHEAD, AHEAD * int(ray.cluster_resources().get("CPU", 1)))
    code, plain = code_of(setting.game), as_words(setting)
    waiting: dict[Any, tuple[int, int]] = {}
    coming = iter(shards)
    while True:
        for shard in coming:
            waiting[task.remote(plain, *shard)] = shard
            if len(waiting) >= at_once:
                break
        if not waiting:
            return
        done = ray.wait(list(waiting), num_returns=1)[0][0]
        first, count = waiting.pop(done)
        yield first, count, dict(checked(ray, done, code))


def as_words(setting: Setting) -> tuple[Any, ...]:
    """A setting as another process can read it."""
    bots = setting.bots if isinstance(setting.bots, str) else tuple(setting.bots)
    return (setting.game.name, setting.game.players, dict(setting.game.options), bots, setting.seed,
            setting.backend or default_backend())  # fmt: skip


def play_shard(words: tuple[Any, ...], first: int, count: int) -> tuple[str, Parts]:
    """What a worker does: its version of hexdeck, and the files of a shard."""
    name, players, options, bots, seed, backend = words
    setting = Setting(game_of(name, players, **options), bots, seed, backend)
    return code_of(setting.game), parts_of(desk_of(setting), first, count)


def checked(ray: Any, done: Any, code: str) -> Any:
    """What came of a task that is done; raises HexdeckError where it failed, or another version played it."""
    try:
        theirs, parts = ray.get(done)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        why = " ".join(str(cause).split()).rstrip(".")[:200] or type(cause).__name__
        raise HexdeckError(say("The Ray cluster couldn't play the games: {why}.", why=why)) from None
    if theirs != code:
        text = _(
            "A machine of the Ray cluster has another version of hexdeck, whose games may differ; install this one."
        )
        raise HexdeckError(say(text))
    return parts


# --- counted games ----------------------------------------------------------------------------------------------------
def chunks_of(ray: Any) -> Source:
    """What plays games to be counted, as `collect.chunks` does, on a cluster that is connected; in the same order."""
    task = ray.remote(num_cpus=1, max_retries=AGAIN)(play_chunk)

    def run(
        game: GameSetup, games: int, bots: str | Sequence[str], seed: int | bytes, _threads: int, *, first: int = 0,
        backend: str | None = None, here: bool = False, pool: Any = None,
    ) -> Generator[tuple[Chunk, np.ndarray]]:  # fmt: skip
        del here, pool  # there are no such threads
        check_numbers(first, games)
        words = as_words(Setting(game, bots, seed, backend))  # type: ignore[arg-type]
        size, code = chunk_of(seat_bots(game, bots, 0, backend).chunk, games), code_of(game)
        most = max(AHEAD, AHEAD * int(ray.cluster_resources().get("CPU", 1)))
        waiting: deque[tuple[int, Any]] = deque()
        try:
            for at in range(first, first + games, size):
                waiting.append((at, task.remote(words, at, min(size, first + games - at))))
                if len(waiting) >= most:
                    yield counted(ray, game, backend, code, *waiting.popleft())
            while waiting:
                yield counted(ray, game, backend, code, *waiting.popleft())
        finally:
            for _at, each in waiting:
                ray.cancel(each)

    return run


def play_chunk(words: tuple[Any, ...], first: int, count: int) -> tuple[str, tuple[np.ndarray, ...]]:
    """What a worker does: its version of hexdeck, and what it counted in these games."""
    name, players, options, bots, seed, backend = words
    game = game_of(name, players, **options)
    chunk = Desk(game, bots, seed, backend).gather(first, count)
    return code_of(game), (chunk.results, chunk.figures, chunk.tally)


def counted(
    ray: Any, game: GameSetup, backend: str | None, code: str, first: int, done: Any
) -> tuple[Chunk, np.ndarray]:
    """The games of a chunk with their measures."""
    chunk = Chunk(first, *(np.array(each) for each in checked(ray, done, code)))
    return chunk, table(game, chunk, backend)
