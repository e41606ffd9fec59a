"""Simulated games as Parquet: a table of games and one of decisions, in shards, the same rows whatever plays them.

A folder holds `about.json` and the folders `games` and `decisions` with a file for each shard of SHARD games. A shard
depends on its number alone, and is there whole or not at all: an interrupted run goes on where it was. `GAMES` and
`DECISIONS` say what each column means; the same words stand in the files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.bots.nets.netfile import shipped
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.seating import names_of
from hexdeck.engine.text import _, say
from hexdeck.lab.counting import kernels
from hexdeck.lab.counting.collect import Desk, ahead
from hexdeck.lab.counting.kernels import (
    CHANCES,
    CHOICES,
    DEALS,
    DECISIONS,
    ENDING,
    EVENT_GAME,
    EVENT_ID,
    EVENT_LEGAL,
    EVENT_SEAT,
    STARTER,
    TURNS,
)
from hexdeck.simulation.seating import check_bots, resolved_bot

if TYPE_CHECKING:
    import pyarrow as pa

SHARD = 10_000  # games
FORMAT = 2  # of the folder; another one isn't gone on with
GAMES = {
    "game": "number of the game: with the seed it decides every card and every bot's dice",
    "ending": "how it ended, by the stable name of the ending",
    "decisions": "decisions made by seats, forced ones among them",
    "choices": "decisions with more than one legal action",
    "chances": "draws of chance",
    "turns": "times that another seat than before decided",
    "deals": "times that everything was shuffled and dealt",
    "starter": "the seat that first had a choice of its own, not at the same time as others; -1: none",
    "result_K": "utility of seat K at the end, for each seat",
}
MADE = {
    "game": "number of the game",
    "index": "which decision of the game this is, from 0",
    "seat": "who decided",
    "action": "what was decided, by its stable name",
    "legal": "how many actions were legal",
}


Parts = dict[str, bytes]  # the files of a shard, by table
Shards = Sequence[tuple[int, int]]  # the first game of each, and how many


@dataclass(frozen=True)
class Setting:
    """Whose games: what every shard of a folder has in common."""

    game: GameSetup
    bots: str | Sequence[str]
    seed: int
    backend: str | None = None


Runner = Callable[[Setting, Shards, int], Iterator[tuple[int, int, Parts]]]  # what plays shards, in any order


def write(
    game: GameSetup, games: int, folder: Path, bots: str | Sequence[str] = "house", seed: int = 0, threads: int = 1,
    backend: str | None = None, progress: Callable[[int], None] | None = None, *, only: range | None = None,
    run: Runner | None = None,
) -> int:  # fmt: skip
    """Write the first `games` games of a seed into a folder; what is there already is left. Returns how many are there.

    `only`: the numbers of the shards to write, for machines that share a folder; `run`: what plays them, if not
    threads. Interrupted (KeyboardInterrupt), whole shards stay. Raises BadOption, UnknownBot, or HexdeckError where the
    folder can't be written, or holds other games.
    """
    if games < 1 or threads < 1:
        raise BadOption(say("A simulation needs at least one game and at least one thread."))
    check_numbers(0, games)
    check_bots(game, bots)
    check_seed(seed)
    wanted = [(first, min(SHARD, games - first)) for first in range(0, games, SHARD)]
    if only is not None and not (0 <= only.start < only.stop <= len(wanted)):
        text = _("There are no shards {first}-{last}; {games} games make shards 0-{most}.")
        raise BadOption(say(text, first=only.start, last=only.stop - 1, games=games, most=len(wanted) - 1))
    begun = claim(folder, about(game, bots, seed)) and only is None
    tick = progress or (lambda _done: None)
    missing = []
    for first, count in wanted if only is None else wanted[only.start : only.stop]:
        if whole(folder, first, count):
            tick(count)
        else:
            missing.append((first, count))
    try:
        for first, count, parts in (run or on_threads)(Setting(game, bots, seed, backend), missing, threads):
            for table in ("decisions", "games"):
                put(shard_file(folder, table, first), parts[table])
            tick(count)
    except HexdeckError:
        if begun:
            release(folder)
        raise
    return held(folder)


def check_seed(seed: Any) -> None:
    """Raise BadOption for a seed that can't be written down: the folder tells it."""
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise BadOption(say("The seed of a folder is a whole number, not {seed}.", seed=repr(seed)[:40]))


def on_threads(setting: Setting, shards: Shards, threads: int) -> Iterator[tuple[int, int, Parts]]:
    """Play shards on threads of this process."""
    if not shards:
        return
    desks = [desk_of(setting) for _k in range(threads)]

    def run(k: int) -> tuple[int, int, Parts]:
        desk = desks.pop()
        try:
            return (*shards[k], parts_of(desk, *shards[k]))
        finally:
            desks.append(desk)

    yield from ahead(run, range(len(shards)), threads)


def desk_of(setting: Setting) -> Desk:
    """A desk to play games of a setting at."""
    return Desk(setting.game, setting.bots, setting.seed, setting.backend)


def about(game: GameSetup, bots: str | Sequence[str], seed: int) -> dict[str, Any]:
    """What decides the rows of a folder."""
    return {
        "format": FORMAT, "code": code_of(game), "game": game.name, "struct_version": game.rules.STRUCT_VERSION,
        "players": game.players, "options": dict(game.options),
        "bots": [resolved_bot(game, name) for name in names_of(game, bots)], "seed": int(seed),
        "shard": SHARD, "games": GAMES, "decisions": MADE,
    }  # fmt: skip


def code_of(game: GameSetup) -> str:
    """A hash of all that decides the rows of a game: the sources of game, engine, bots and counting, and its nets."""
    own = Path(kernels.__file__).read_bytes() + b"".join(net.read_bytes() for net in shipped(game))
    return hashlib.sha256(program_hash(game.rules.__name__).encode() + own).hexdigest()[:16]


def release(folder: Path) -> None:
    """Remove a folder that was just made, unless there is a shard in it, or a file of somebody else."""
    with contextlib.suppress(OSError):
        for part in ("games", "decisions"):
            (folder / part).rmdir()
        (folder / "about.json").unlink()
        folder.rmdir()


def claim(folder: Path, wanted: dict[str, Any]) -> bool:
    """Make the folder, or find the same games in it; returns whether it is new. Raises HexdeckError."""
    file = folder / "about.json"
    begun = not file.is_file()
    try:
        for part in ("games", "decisions"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if begun:
            replace(file, json.dumps(wanted, indent=1).encode())
        there = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(folder), why=error.strerror or "")) from None
    except ValueError:
        there = {}
    other = next((key for key in wanted if there.get(key) != wanted[key]), None)
    if other == "code":
        text = _(
            "{folder} was begun by another version of hexdeck, whose games may differ; begin another folder, or go on "
            "with that version."
        )
        raise HexdeckError(say(text, folder=str(folder)))
    if other is not None:
        text = _("{folder} holds other games ({what} isn't the same); write these into another folder.")
        raise HexdeckError(say(text, folder=str(folder), what=other))
    return begun


def put(file: Path, data: bytes) -> None:
    """Write a file of a shard; raises HexdeckError where that fails, such as on a full disk."""
    try:
        replace(file, data)
    except OSError as error:
        text = _("{file} can't be written: {why}.")
        raise HexdeckError(say(text, file=str(file), why=error.strerror or "")) from None


def replace(file: Path, data: bytes) -> None:
    """Write a file beside, and put it in its place at once."""
    beside = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        beside.replace(file)
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def shard_file(folder: Path, table: str, first: int) -> Path:
    """The file of the shard that begins with a game."""
    return folder / table / f"part-{first // SHARD:06d}.parquet"


def whole(folder: Path, first: int, count: int) -> bool:
    """Whether a shard is there with at least so many games, and all of their decisions."""
    games = rows_of(folder, first)
    return games is not None and games >= count


def rows_of(folder: Path, first: int) -> int | None:
    """How many games a shard has; None if it isn't whole: a file is missing, damaged, or not of the same games."""
    import pyarrow.parquet as pq

    try:
        games = pq.read_table(shard_file(folder, "games", first), columns=["decisions"])
        made = pq.read_metadata(shard_file(folder, "decisions", first)).num_rows
    except (OSError, ValueError, KeyError):
        return None
    return int(games.num_rows) if int(games["decisions"].to_numpy().sum()) == made else None


def held(folder: Path) -> int:
    """How many games all whole shards of a folder have."""
    names = sorted((folder / "games").glob("part-*.parquet"))
    return sum(rows_of(folder, int(file.stem.partition("-")[2]) * SHARD) or 0 for file in names)


def parts_of(desk: Desk, first: int, count: int) -> Parts:
    """Play the games of a shard: both of its files."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = {}
    for name, table in (("decisions", decisions_table(desk, first, count)), ("games", games_table(desk, first, count))):
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd", use_dictionary=True, store_schema=True)
        out[name] = sink.getvalue().to_pybytes()
    return out


def games_table(desk: Desk, first: int, count: int) -> pa.Table:
    """The table of these games."""
    import pyarrow as pa

    chunk, rules = desk.gather(first, count), desk.game.rules
    figures = chunk.figures
    columns: dict[str, Any] = {
        "game": pa.array(np.arange(first, first + count)),
        "ending": named(figures[:, ENDING], rules.ENDINGS),
        **{name: pa.array(figures[:, k].astype(np.int32)) for name, k in COUNTED.items()},
        "starter": pa.array(figures[:, STARTER].astype(np.int8)),
        **{f"result_{seat}": pa.array(chunk.results[:, seat].copy()) for seat in range(desk.game.players)},
    }
    return described(pa.table(columns), GAMES)


COUNTED = {"decisions": DECISIONS, "choices": CHOICES, "chances": CHANCES, "turns": TURNS, "deals": DEALS}


def decisions_table(desk: Desk, first: int, count: int) -> pa.Table:
    """The table of the decisions of these games."""
    import pyarrow as pa

    log = desk.chronicle(first, count)
    number = log[:, EVENT_GAME].astype(np.int64)
    starts = np.searchsorted(number, np.arange(count))
    columns = {
        "game": pa.array(number + first),
        "index": pa.array((np.arange(len(log)) - starts[number]).astype(np.int32)),
        "seat": pa.array(log[:, EVENT_SEAT].astype(np.int8)),
        "action": named(log[:, EVENT_ID], desk.game.rules.ACTIONS),
        "legal": pa.array(log[:, EVENT_LEGAL].astype(np.int16)),
    }
    return described(pa.table(columns), MADE)


def named(numbers: np.ndarray, names: Sequence[str]) -> Any:
    """Numbers as names, of which each is stored once."""
    import pyarrow as pa

    return pa.DictionaryArray.from_arrays(pa.array(numbers.astype(np.int16)), pa.array(list(names)))


def described(table: pa.Table, meanings: dict[str, str]) -> pa.Table:
    """The table with what its columns mean in the schema."""
    import pyarrow as pa

    told = [(field, meanings.get(field.name) or meanings["result_K"]) for field in table.schema]
    return table.cast(pa.schema([field.with_metadata({"meaning": meaning}) for field, meaning in told]))
