"""An evening at a table, in a process of its own under `shim.c`: `python -m tests.tables.power.evening ACTION FOLDER`.

Each time a player would be told that a move is made, the process says so in the log of its calls.
"""

import asyncio
import ctypes
import json
import random
import sys
from pathlib import Path
from typing import Any

from sqlalchemy import event

import hexdeck
from hexdeck.tables import chat, commands, database
from hexdeck.tables.database import back_up
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import TableError
from hexdeck.tables.fair import fresh_secret
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry, event_texts

MOVES = 24  # of an evening
TOKEN = hashed("a" * 22)


def place(folder: Path) -> Path:
    """Where the tables of a server are: in a folder that it makes itself."""
    return folder / "data" / "tables.db"


def copy_of(folder: Path) -> Path:
    return folder / "copy.db"


def say(**what: Any) -> None:
    """Say something in the log of calls, if there is one."""
    shim = ctypes.CDLL(None)
    if hasattr(shim, "power_mark"):
        shim.power_mark(json.dumps(what).encode())


async def begun(registry: TableRegistry) -> LiveTable:
    setup = commands.TableSetup(hexdeck.game("hawthorn", 2), (commands.YOU, "random"), "Ann")
    table = await commands.create(registry, setup, fresh_secret(), TOKEN)
    acknowledge(table, 0)
    return table


def acknowledge(table: LiveTable, first: int) -> None:
    """Say that what is stored of a table from a version on was acknowledged."""
    for entry in table.entries[first:]:
        say(table=table.id, version=entry.version, event=event_texts(table.game, entry))


async def moved(registry: TableRegistry, table: LiveTable, rng: random.Random) -> None:
    """One move, acknowledged; another table when this one's match is over."""
    assert table.match is not None
    known, seat = len(table.entries), rng.choice(table.acting)
    move, local = rng.choice(table.match.legal_ids(seat)), table.seats[seat].local
    await registry.change(table.id, commands.move(seat, move, None, registry.clock(), local=local))
    acknowledge(table, known)


async def play(folder: Path, moves: int = MOVES, seed: int = 1) -> None:
    """Open the tables as a server does, and play."""
    database.default_url = lambda: f"sqlite:///{place(folder)}"  # whose folder is made
    registry = TableRegistry(database.Database(str(place(folder))))
    await registry.open()
    rng, table = random.Random(seed), None
    for _ in range(moves):
        if table is None or table.state != PLAYING:
            table = await begun(registry)
            await chat.post_message(registry, table.id, 0, text="Good evening.")
        else:
            await moved(registry, table, rng)
    await registry.close()


async def goes_on(where: Path) -> int:
    """Move once at every table that is playing, or begin one; returns at how many."""
    registry = TableRegistry(database.Database(str(where)))
    await registry.open()
    try:
        ids = await registry.run_job(
            lambda job: [*job.exec_driver_sql("SELECT id FROM tables WHERE state = 'playing'").scalars()]
        )
        for table in [await registry.table(id) for id in ids] or [await begun(registry)]:
            await moved(registry, table, random.Random(2))
    finally:
        await registry.close()
    return len(ids)


def copy(folder: Path) -> None:
    asyncio.run(play(folder, moves=4))
    say(copied=back_up(str(place(folder)), copy_of(folder)))


def without_sync(folder: Path) -> None:
    """Play on a database that was told not to sync."""
    honest = database._engine

    def careless(url: Any) -> Any:
        engine = honest(url)
        event.listen(
            engine, "connect", lambda connection, _record: connection.execute("PRAGMA synchronous=OFF").close()
        )
        return engine

    database._engine = careless
    asyncio.run(play(folder))


ACTIONS = {"play": lambda folder: asyncio.run(play(folder)), "copy": copy, "without sync": without_sync}

if __name__ == "__main__":
    try:
        ACTIONS[sys.argv[1]](Path(sys.argv[2]))
    except TableError as error:
        sys.exit(str(error.text))
