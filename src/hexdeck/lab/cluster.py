"""Simulated games on a Ray cluster: the same files and statistics, bit for bit, wherever they are played.

A task plays a shard and returns its files as bytes; the caller writes them, so that machines need no shared folder. If
a worker dies, another plays its shard again. Every machine needs the same version of hexdeck: results of another are
refused.
"""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import default_backend
from hexdeck.engine.text import _, say
from hexdeck.lab.counts import Chunk, Source, chunk_size, count, metric_table
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.lab.store import Played, Runner, Shard, code_hash, play_part, reason
from hexdeck.simulation.game import game
from hexdeck.simulation.simulate import seat_bots

RETRIES = 10  # of a task whose worker died
TASKS_PER_CPU = 2  # tasks submitted at a time
OBJECT_STORE = 128 << 20  # bytes, in a cluster of our own
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_DEDUP_LOGS": "0"}


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
        text = _("There is no Ray cluster at {address} to play on: {why}.")
        raise HexdeckError(say(text, address=address or "local", why=reason(error))) from None
    try:
        yield ray
    finally:
        ray.shutdown()


def on_ray(address: str | None = None) -> Runner:
    """What plays shards on the cluster at an address, such as `auto` or HOST:PORT; on a local one if None."""

    def run(setup: SimulationSetup, shards: Sequence[Shard]) -> Iterator[Played]:
        if shards:
            with cluster(address, setup.threads) as ray:
                yield from answers(ray, play_shard, setup, shards)

    return run


def chunks_of(ray: Any) -> Source:
    """What plays games to be counted on a connected cluster: the same chunks as `counts.chunks`, in the same order."""

    def run(
        setup: SimulationSetup, games: int, *, first: int = 0, here: bool = False, pool: Any = None
    ) -> Generator[tuple[Chunk, np.ndarray]]:
        del here, pool  # threads of this process play nothing
        setup.check(games, first)
        size = chunk_size(seat_bots(setup.game, setup.bots, 0, setup.backend).chunk, games)
        parts = [(at, min(size, first + games - at)) for at in range(first, first + games, size)]
        for (at, _games), arrays in zip(parts, answers(ray, play_chunk, setup, parts), strict=True):
            chunk = Chunk(at, *map(np.array, arrays))
            yield chunk, metric_table(setup.game, chunk)

    return run


# --- tasks ------------------------------------------------------------------------------------------------------------
def answers(ray: Any, function: Callable[..., Any], setup: SimulationSetup, parts: Iterable[Shard]) -> Iterator[Any]:
    """What a worker's task returns for each part of the games, in order; enough are under way to keep all busy.

    Raises HexdeckError where one failed, or another version of hexdeck answers.
    """
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(function)
    at_once = max(TASKS_PER_CPU, TASKS_PER_CPU * int(ray.cluster_resources().get("CPU", 1)))
    code, waiting, game = code_hash(setup.game), deque[Any](), setup.game
    bots = setup.bots if isinstance(setup.bots, str) else tuple(setup.bots)  # plain values suit another version too
    plain = game.name, game.players, dict(game.options), bots, setup.seed, setup.backend or default_backend()
    try:
        for part in parts:
            waiting.append(task.remote(plain, *part))
            if len(waiting) >= at_once:
                yield answer(ray, waiting.popleft(), code)
        while waiting:
            yield answer(ray, waiting.popleft(), code)
    finally:
        for pending in waiting:
            ray.cancel(pending)


def answer(ray: Any, task: Any, code: str) -> Any:
    """What a task returns beside its code hash; raises HexdeckError where it failed, or that hash differs."""
    try:
        theirs, result = ray.get(task)
    except ray.exceptions.RayError as error:
        why = reason(getattr(error, "cause", None) or error)
        raise HexdeckError(say("The Ray cluster couldn't play the games: {why}.", why=why)) from None
    if theirs != code:
        text = _(
            "A machine of the Ray cluster has another version of hexdeck, whose games may differ; install this one."
        )
        raise HexdeckError(say(text))
    return result


def player_of(values: tuple[Any, ...]) -> Player:
    """What plays the games of a setup of the values that `answers` sends."""
    name, players, options, bots, seed, backend = values
    return Player(SimulationSetup(game(name, players, **options), bots, seed, backend=backend))


def play_shard(values: tuple[Any, ...], first: int, games: int) -> tuple[str, Played]:
    """A worker's task: play a shard; returns the worker's code hash, and the shard with its files."""
    player = player_of(values)
    return code_hash(player.game), play_part(player, (first, games))


def play_chunk(values: tuple[Any, ...], first: int, games: int) -> tuple[str, tuple[np.ndarray, ...]]:
    """A worker's task: count games; returns the worker's code hash and the arrays of the chunk."""
    player = player_of(values)
    chunk = count(player, first, games)
    return code_hash(player.game), (chunk.results, chunk.counters, chunk.kind_counts)
