"""Short evenings in which writes fail, in a process under `shim.c`: `python -m tests.tables.power.faults FOLDER STEP`.

Prints what happened, as JSON; whatever shouldn't happen ends it with an error.
"""

import asyncio
import ctypes
import errno
import json
import random
import shutil
import sqlite3
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

from hexdeck.tables.database import Database
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import BadStore, Unavailable
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from tests.tables.power.evening import begun, moved, place, play

MOVES, FOR_EVER = 5, 1 << 30
ERRORS = (errno.ENOSPC, errno.EIO)
SHIM = ctypes.CDLL(None)
Kept = dict[tuple[str, int], list[tuple[int, int]]]


def keep(kept: Kept, table: LiveTable) -> None:
    kept.update({(table.id, entry.version): list(entry.pairs) for entry in table.entries})


async def opened(folder: Path, done: Counter[str]) -> TableRegistry:
    """The tables as a server opens them; once more without faults where the first try fails."""
    while True:
        try:
            place(folder).parent.mkdir(exist_ok=True)
            registry = TableRegistry(Database(str(place(folder))))
        except BadStore:
            done["not opened"] += 1
        else:
            try:
                await registry.open()
            except Unavailable:
                done["not opened"] += 1
                await registry.close()
            else:
                return registry
        SHIM.power_fail(0, 0, 0)


async def evening(folder: Path, done: Counter[str]) -> Kept:
    """Open, play, and close; what can't be stored is refused, and tried again without faults."""
    kept: Kept = {}
    registry = await opened(folder, done)
    ids = await registry.run_job(lambda job: [*job.exec_driver_sql("SELECT id FROM tables").scalars()])
    id, rng = ids[0] if ids else "", random.Random(3)
    moves = 0
    while moves < MOVES:
        try:
            table = await registry.table(id) if id else await begun(registry)
            id = table.id
            keep(kept, table)
            if table.state == PLAYING:
                await moved(registry, table, rng)
                keep(kept, table)
            moves += 1
        except Unavailable:
            done["refused"] += 1
            SHIM.power_fail(0, 0, 0)
    await registry.close()
    done["writes"] = max(done["writes"], SHIM.power_counted())
    SHIM.power_fail(0, 0, 0)
    return kept


def check(folder: Path, kept: Kept) -> None:
    """All that was acknowledged is there, once, and the tables are sound."""
    Database(str(place(folder))).close()
    with closing(sqlite3.connect(place(folder))) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        stored = {
            (table, version): json.loads(event)
            for table, version, event in connection.execute('SELECT "table", version, event FROM events')
        }
    assert set(kept) <= set(stored)
    assert all(len(stored[key]) == len(pairs) for key, pairs in kept.items())


def short(folder: Path, base: Path | None, at: int, most: int, error: int, done: Counter[str]) -> None:
    """One evening, in which writes fail from one on."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base, folder) if base else folder.mkdir()
    SHIM.power_fail(at, at + most if at else 0, error)
    kept = asyncio.run(evening(folder, done))
    check(folder, kept)
    done["evenings"] += 1
    done["acknowledged"] += len(kept)


def every(folder: Path, base: Path | None, step: int, done: Counter[str]) -> None:
    """A failure at every write, or every so many, of each kind: once, and until it is noticed."""
    short(folder, base, 0, 0, 0, done)
    writes = done["writes"]
    for at in range(1, writes + 2, step):
        for k, error in enumerate(ERRORS):
            for most in (0, FOR_EVER) if step == 1 else (0 if (at // step + k) % 2 else FOR_EVER,):
                short(folder, base, at, most, error, done)


def main(folder: Path, step: int, first: int) -> None:
    """Evenings at tables that are there, and the first start."""
    base, done = folder / "base", Counter[str]()
    asyncio.run(play(base, moves=3))
    every(folder / "server", base, step, done)
    begin = Counter[str]()
    every(folder / "server", None, first, begin)
    print(json.dumps({"evenings": done, "first starts": begin}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
