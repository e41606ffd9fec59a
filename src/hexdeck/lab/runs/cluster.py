"""Simulated games on a Ray cluster: the same files and statistics, bit for bit, wherever they are played.

A task plays a shard and returns its files as bytes; the caller writes them, so that machines need no shared folder. If
a worker dies, another plays its shard again. Every machine needs the same version of hexdeck: results of another are
refused.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.driver import default_backend
from hexdeck.engine.text import _, say
from hexdeck.lab.counts import Chunk, Source, chunk_size, count, metric_table
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.lab.runs import store
from hexdeck.lab.runs.store import Runner, Shard, ShardFiles, code_hash
from hexdeck.simulation.game import game
from hexdeck.simulation.seating import seat_bots

RETRIES = 10  # of a task whose worker died
TASKS_PER_CPU = 2  # tasks submitted at a time
OBJECT_STORE = 128 << 20  # bytes, in a cluster of our own
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_DEDUP_LOGS": "0"}


def on_ray(address: str | None = None) -> Runner:
    """What plays shards on the cluster at an address, such as `auto` or HOST:PORT; on a local one if None."""

    def run(setup: SimulationSetup, shards: Sequence[Shard]) -> Iterator[tuple[Shard, ShardFiles]]:
        if shards:
            with cluster(address, setup.threads) as ray:
                yield from played_shards(ray, setup, shards)

    return run


@contextmanager
def cluster(address: str | None, threads: int) -> Iterator[Any]:
    """Connect to Ray; a local cluster has a worker for each thread and ends with this context. Raises HexdeckError."""
    for name, value in QUIET.items():
        os.environ.setdefault(name, value)
    import ray

    local: dict[str, Any] = {"num_cpus": threads, "object_store_memory": OBJECT_STORE, "include_dashboard": False}
    try:
        ray.init(address or "local", log_to_driver=False, logging_level=logging.ERROR, **({} if address else local))
    except (ConnectionError, OSError, RuntimeError, ValueError, AssertionError) as error:
        why = " ".join(str(error).split()).rstrip(".")[:200] or type(error).__name__
        text = _("There is no Ray cluster at {address} to play on: {why}.")
        raise HexdeckError(say(text, address=address or "local", why=why)) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def remote(ray: Any, function: Callable[..., Any]) -> tuple[Any, int]:
    """A function as a Ray task, and how many such tasks keep every worker busy."""
    at_once = max(TASKS_PER_CPU, TASKS_PER_CPU * int(ray.cluster_resources().get("CPU", 1)))
    return ray.remote(num_cpus=1, max_retries=RETRIES)(function), at_once


def played_shards(ray: Any, setup: SimulationSetup, shards: Sequence[Shard]) -> Iterator[tuple[Shard, ShardFiles]]:
    """Each shard with its files, as it is done."""
    task, at_once = remote(ray, play_shard)
    code, plain = code_hash(setup.game), serialised(setup)
    waiting: dict[Any, Shard] = {}
    coming = iter(shards)
    while True:
        for shard in coming:
            waiting[task.remote(plain, *shard)] = shard
            if len(waiting) >= at_once:
                break
        if not waiting:
            return
        done = ray.wait(list(waiting), num_returns=1)[0][0]
        yield waiting.pop(done), dict(result_of(ray, done, code))


def serialised(setup: SimulationSetup) -> tuple[Any, ...]:
    """A setup as plain values, which another version of hexdeck can read too."""
    game, bots = setup.game, setup.bots if isinstance(setup.bots, str) else tuple(setup.bots)
    return game.name, game.players, dict(game.options), bots, setup.seed, setup.backend or default_backend()


def deserialised(values: tuple[Any, ...]) -> SimulationSetup:
    """The setup of such values, for one thread."""
    name, players, options, bots, seed, backend = values
    return SimulationSetup(game(name, players, **options), bots, seed, backend=backend)


def play_shard(values: tuple[Any, ...], first: int, games: int) -> tuple[str, ShardFiles]:
    """A worker's task: play a shard; returns the worker's code hash and the files."""
    setup = deserialised(values)
    return code_hash(setup.game), store.play_shard(Player(setup), (first, games))


def result_of(ray: Any, done: Any, code: str) -> Any:
    """The result of a task that is done; raises HexdeckError where it failed, or its code hash differs."""
    try:
        theirs, result = ray.get(done)
    except ray.exceptions.RayError as error:
        cause = getattr(error, "cause", None) or error
        why = " ".join(str(cause).split()).rstrip(".")[:200] or type(cause).__name__
        raise HexdeckError(say("The Ray cluster couldn't play the games: {why}.", why=why)) from None
    if theirs != code:
        text = _(
            "A machine of the Ray cluster has another version of hexdeck, whose games may differ; install this one."
        )
        raise HexdeckError(say(text))
    return result


# --- counted games ----------------------------------------------------------------------------------------------------
def chunks_of(ray: Any) -> Source:
    """What plays games to be counted on a connected cluster: the same chunks as `counts.chunks`, in the same order."""

    def run(
        setup: SimulationSetup, games: int, *, first: int = 0, here: bool = False, pool: Any = None
    ) -> Generator[tuple[Chunk, np.ndarray]]:
        del here, pool  # threads of this process play nothing
        setup.check(games, first)
        task, at_once = remote(ray, play_chunk)
        size = chunk_size(seat_bots(setup.game, setup.bots, 0, setup.backend).chunk, games)
        plain, waiting = serialised(setup), deque[tuple[int, Any]]()
        try:
            for at in range(first, first + games, size):
                waiting.append((at, task.remote(plain, at, min(size, first + games - at))))
                if len(waiting) >= at_once:
                    yield chunk_of(ray, setup, *waiting.popleft())
            while waiting:
                yield chunk_of(ray, setup, *waiting.popleft())
        finally:
            for _at, task_left in waiting:
                ray.cancel(task_left)

    return run


def play_chunk(values: tuple[Any, ...], first: int, games: int) -> tuple[str, tuple[np.ndarray, ...]]:
    """A worker's task: count games; returns the worker's code hash and the arrays of the chunk."""
    setup = deserialised(values)
    chunk = count(Player(setup), first, games)
    return code_hash(setup.game), (chunk.results, chunk.counters, chunk.kind_counts)


def chunk_of(ray: Any, setup: SimulationSetup, first: int, done: Any) -> tuple[Chunk, np.ndarray]:
    """The games of a task that is done, with their metrics."""
    chunk = Chunk(first, *(np.array(each) for each in result_of(ray, done, code_hash(setup.game))))
    return chunk, metric_table(setup.game, chunk, setup.backend)
