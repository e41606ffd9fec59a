"""Simulated games as Parquet: a table of games and one of decisions, in shards, the same rows whatever plays them.

A folder holds its manifest, `about.json`, and the folders `games` and `decisions` with a file for each shard of SHARD
games, which depends on its number and the manifest alone and is written atomically. A shard that an interrupt cut short
holds its first games; the others are added to them. On a Ray cluster a task plays a shard and returns its files, which
the caller writes; if a worker dies, another plays its shard again. Every machine needs the same version of hexdeck.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.bots.nets.netfile import shipped
from hexdeck.engine.backends.cache import program_hash
from hexdeck.engine.backends.kernels_games import END_MOVES, NOBODY
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup, default_backend
from hexdeck.engine.text import _, say
from hexdeck.files import refuse_other, write_atomically
from hexdeck.lab import counts, kernels
from hexdeck.lab.counts import Chunk, Source, borrowed, chunk_size, games_counted, map_in_order, metric_table
from hexdeck.lab.log import Log, Player, SimulationSetup
from hexdeck.simulation.game import game
from hexdeck.simulation.simulate import resolved_bot, seat_bots

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

SHARD = 10_000  # games
ABOUT = "about.json"  # of a folder: what its games are
PART, LEAST_PART = 1.0, 8  # about so many seconds of games, and at least so many games, are lost after an interrupt
FORMAT = 2  # of the folder; a run doesn't go on with another format
GAMES = {
    "game": "number of the game: with the seed it decides every card and every bot's dice",
    "ending": "how it ended, by the stable name of the ending",
    "decisions": "decisions made by seats, forced ones among them",
    "choices": "decisions with more than one legal action",
    "chances": "random draws, of cards or lots",
    "turns": "times that another seat than before decided",
    "deals": "times that everything was shuffled and dealt",
    "starter": "the seat that first had a choice of its own, not at the same time as others; -1: none",
    "result_K": "utility of seat K at the end, for each seat",
}
COUNTED = {name: getattr(kernels, name.upper()) for name in ("decisions", "choices", "chances", "turns", "deals")}
MADE = {
    "game": "number of the game",
    "index": "which decision of the game this is, from 0",
    "seat": "who decided",
    "action": "what was decided, by its stable name",
    "legal": "how many actions were legal",
}
TABLES = {"games": GAMES, "decisions": MADE}

ShardFiles = dict[str, bytes]  # the files of a shard, by table
Shard = tuple[int, int]  # its first game, and how many games; or a part of it
Played = tuple[Shard, ShardFiles]
Runner = Callable[[SimulationSetup, Sequence[Shard]], Iterator[Played]]  # plays shards, in any order


# --- versions -------------------------------------------------------------------------------------------
def code_hash(game: GameSetup) -> str:
    """A hash of the sources that decide the rows of a game: of the game, engine, bots and counting, and of its nets."""
    own = Path(kernels.__file__).read_bytes() + b"".join(net.read_bytes() for net in shipped(game))
    return hashlib.sha256(program_hash(game.rules.__name__).encode() + own).hexdigest()[:16]


def reason(error: BaseException) -> str:
    """Why something failed, in one short line."""
    return " ".join(str(error).split()).rstrip(".")[:200] or type(error).__name__


# --- the folder -------------------------------------------------------------------------------------------------------
def write(
    setup: SimulationSetup,
    games: int,
    folder: Path,
    progress: Callable[[int], None] = lambda _done: None,
    *,
    only: range | None = None,
    run: Runner | None = None,
) -> int:
    """Write the first `games` games of a simulation that a folder lacks into it; returns how many it has then.

    `only`: these shards, for machines that share a folder. `run`: what plays them. After an interrupt what was played
    remains. Raises BadOption, UnknownBot, or HexdeckError where the folder can't be written, or holds other games.
    """
    setup.check(games)
    if isinstance(setup.seed, bool) or not isinstance(setup.seed, (int, np.integer)):
        raise BadOption(say("The seed of a folder is a whole number, not {seed}.", seed=repr(setup.seed)[:40]))
    check_folder(setup, games, folder, only)
    shards, missing = shards_of(games, only), []
    new = only is None and not (folder / ABOUT).is_file()
    if not (folder / ABOUT).is_file():
        write_atomically(folder / ABOUT, json.dumps(manifest(setup), indent=1).encode())
    for first, count in shards:
        stored = min(games_of_shard(folder, first), count)
        if stored:
            progress(stored)
        if stored < count:
            missing.append((first + stored, count - stored))
    try:
        played = (keep(folder, *part) for part in run(setup, missing)) if run else on_threads(setup, folder, missing)
        with contextlib.closing(played):
            for count in played:
                progress(count)
    except HexdeckError:
        if new and len(list(folder.iterdir())) == 1:  # no games, and no file of somebody else
            (folder / ABOUT).unlink()
            folder.rmdir()
        raise
    return games_in(folder)


def manifest(setup: SimulationSetup) -> dict[str, Any]:
    """Everything that decides the rows of a folder, as `about.json` holds it."""
    game, seed = setup.game, setup.seed
    about = {"format": FORMAT, "game": game.name, "version": code_hash(game)}
    about |= {"struct_version": game.definition.struct_version, "players": game.players, "options": dict(game.options)}
    about |= {"bots": [resolved_bot(game, name) for name in setup.seated], "seed": int(seed), "shard": SHARD}
    return about | TABLES


def check_folder(setup: SimulationSetup, games: int, folder: Path, only: range | None = None) -> None:
    """Raise HexdeckError where a folder holds other games, BadOption for shards out of range."""
    shards_of(games, only)
    file = folder / ABOUT
    if not file.is_file():
        return
    try:
        stored = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stored = {}
    refuse_other(folder, stored, manifest(setup))


def shards_of(games: int, only: range | None = None) -> list[Shard]:
    """The shards of so many games, or those with these numbers; raises BadOption for numbers out of range."""
    shards = [(first, min(SHARD, games - first)) for first in range(0, games, SHARD)]
    if only is None:
        return shards
    if not 0 <= only.start < only.stop <= len(shards):
        text = _("There are no shards {first}-{last}; {games} games make shards 0-{most}.")
        raise BadOption(say(text, first=only.start, last=only.stop - 1, games=games, most=len(shards) - 1))
    return shards[only.start : only.stop]


def shard_file(folder: Path, table: str, first: int) -> Path:
    """The file of a table and the shard with this first game."""
    return folder / table / f"part-{first // SHARD:06d}.parquet"


def games_of_shard(folder: Path, first: int) -> int:
    """How many games a stored shard has; 0 if a file is missing or damaged, or the two aren't of the same games."""
    import pyarrow.parquet as pq

    try:
        games = pq.read_table(shard_file(folder, "games", first), columns=["decisions"])
        decisions = pq.read_metadata(shard_file(folder, "decisions", first)).num_rows
    except (OSError, ValueError, KeyError):
        return 0
    return int(games.num_rows) if int(games["decisions"].to_numpy().sum()) == decisions else 0


def games_in(folder: Path) -> int:
    """How many games a folder has in complete shards."""
    files = (folder / "games").glob("part-*.parquet")
    return sum(games_of_shard(folder, int(file.stem.partition("-")[2]) * SHARD) for file in files)


def keep(folder: Path, shard: Shard, files: ShardFiles) -> int:
    """Write the files of a shard, later games added to those that are there; returns how many games it got."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    first, count = shard
    for name in reversed(files):
        file, data = shard_file(folder, name, first), files[name]
        if first % SHARD:
            data = as_file([pq.read_table(file), pq.read_table(pa.BufferReader(data))])
        write_atomically(file, data)
    return count


def read(folder: Path, table: str, columns: Sequence[str] | None) -> pd.DataFrame:
    """A table of a folder, or some of its columns, game after game; raises BadOption or HexdeckError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if table not in TABLES:
        text = _("There is no table {name}; there are {there}.")
        raise BadOption(say(text, name=table, there=", ".join(TABLES)))
    files = sorted((folder / table).glob("part-*.parquet"))
    if not files:
        text = _("There are no simulated games in {folder}; hexdeck simulate --data writes them there.")
        raise HexdeckError(say(text, folder=str(folder)))
    names = [columns] if isinstance(columns, str) else columns
    try:
        present = pq.read_schema(files[0]).names
        unknown = next((name for name in names or () if name not in present), None)
        tables = [] if unknown is not None else [pq.read_table(file, columns=names) for file in files]
    except (OSError, ValueError) as error:
        text = _("{folder} can't be read: {why}. Run the command that wrote it again to repair it.")
        raise HexdeckError(say(text, folder=str(files[0].parent), why=reason(error))) from None
    if unknown is not None:
        raise BadOption(say("There is no column {name}; there are {there}.", name=unknown, there=", ".join(present)))
    return pa.concat_tables(tables).unify_dictionaries().to_pandas()


# --- playing ----------------------------------------------------------------------------------------------------------
def on_threads(setup: SimulationSetup, folder: Path, shards: Sequence[Shard]) -> Generator[int]:
    """Play and write shards on threads of this process; how many games each got. Whatever ends it, all of them stay."""
    idle, stop = [Player(setup) for _ in range(setup.threads if shards else 0)], Event()

    def run(shard: Shard) -> int:
        with borrowed(idle) as player:
            return keep(folder, *play_part(player, shard, stop))

    with ThreadPoolExecutor(setup.threads) as pool:
        try:
            yield from map_in_order(run, shards, setup.threads, pool)
        finally:
            stop.set()


def play_part(player: Player, shard: Shard, stop: Event | None = None) -> Played:
    """Play the games of a shard until there are all or one is to stop; those, and their files, none if it is none."""
    parts: dict[str, list[pa.Table]] = {name: [] for name in TABLES}
    (first, count), count_done, size = shard, 0, LEAST_PART
    while count_done < count and not (stop and stop.is_set()):
        batch, began = min(size, count - count_done), time.monotonic()
        for log in player.logs(first + count_done, batch):
            parts["decisions"].append(decisions_table(player, log))
            parts["games"].append(games_table(player, log))
        count_done += batch
        size = 2 * size if time.monotonic() < began + PART / 2 else size
    return (first, count_done), {name: as_file(tables) for name, tables in parts.items() if tables}


def as_file(tables: Sequence[pa.Table]) -> bytes:
    """Tables one after another as a Parquet file, whose bytes don't depend on where one ends."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    table = pa.concat_tables(tables).combine_chunks()
    pq.write_table(table, sink, compression="zstd", use_dictionary=True, store_schema=True)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def games_table(player: Player, log: Log) -> pa.Table:
    """The table of the games of a log, with the columns GAMES."""
    chunk = games_counted(log, player.driver)
    counters, results = chunk.counters, chunk.results
    return described(
        GAMES,
        {
            "game": np.arange(log.first, log.first + len(log)),
            "ending": name_column(counters[:, kernels.ENDING], player.game.rules.ENDINGS),
            **{name: counters[:, k].astype(np.int32) for name, k in COUNTED.items()},
            "starter": counters[:, kernels.STARTER].astype(np.int8),
            **{f"result_{seat}": results[:, seat].copy() for seat in range(player.game.players)},
        },
    )


def decisions_table(player: Player, log: Log) -> pa.Table:
    """The table of the decisions of a log, with the columns MADE."""
    decided = log.seat != NOBODY
    number, lengths = log.game[decided], log.ends[:, END_MOVES]
    return described(
        MADE,
        {
            "game": number + log.first,
            "index": (np.arange(len(number)) - (np.cumsum(lengths) - lengths)[number]).astype(np.int32),
            "seat": log.seat[decided].astype(np.int8),
            "action": name_column(log.action[decided], player.game.rules.ACTIONS),
            "legal": log.count[decided].astype(np.int16),
        },
    )


def name_column(numbers: np.ndarray, names: Sequence[str]) -> Any:
    """A dictionary-encoded column of names, from their numbers."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int16)), pa.array(list(names)))


def described(meanings: dict[str, str], columns: dict[str, Any]) -> pa.Table:
    """A table of columns with the meaning of each as metadata of its field."""
    import pyarrow as pa

    table, of_results = pa.table(columns), meanings.get("result_K")
    fields = [field.with_metadata({"meaning": meanings.get(field.name, of_results)}) for field in table.schema]
    return table.cast(pa.schema(fields))


# --- on a Ray cluster -------------------------------------------------------------------------------------------------
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

    def run(setup: SimulationSetup, games: int, *, first: int = 0, **_how: Any) -> Generator[tuple[Chunk, np.ndarray]]:
        setup.check(games, first)
        size = chunk_size(seat_bots(setup.game, setup.bots, 0, setup.backend).chunk, games)
        parts = [(at, min(size, first + games - at)) for at in range(first, first + games, size)]
        for (at, _games), arrays in zip(parts, answers(ray, play_chunk, setup, parts), strict=True):
            chunk = Chunk(at, *map(np.array, arrays))
            yield chunk, metric_table(setup.game, chunk)

    return run


# --- tasks ------------------------------------------------------------------------------------------------------------
def answers(ray: Any, function: Callable[..., Any], setup: SimulationSetup, parts: Iterable[Shard]) -> Iterator[Any]:
    """What a worker's task returns for each part, in order; HexdeckError where it failed or has another version."""
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
    chunk = counts.count(player, first, games)
    return code_hash(player.game), (chunk.results, chunk.counters, chunk.kind_counts)
