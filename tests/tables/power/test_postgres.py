"""PostgreSQL crashes at each step of the transaction of a move: it is stored whole or not at all, and play goes on.

The last step is when all is stored, and nobody has been told.
"""

import asyncio
import os
import random
import signal
from collections import Counter
from typing import Any

import pytest
from psycopg import OperationalError
from sqlalchemy import event

from hexdeck.tables.database import Database
from hexdeck.tables.entries import PLAYING
from hexdeck.tables.errors import Unavailable
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import TableRegistry
from tests.loops import in_a_loop
from tests.tables.power.evening import begun, moved

pytestmark = pytest.mark.long
PATIENCE = 1200  # tries until a server has recovered


class Crash:
    """Kills the process that serves the store's connection at a step: a statement, before the commit, and after it.

    PostgreSQL takes it for a crash: it ends all connections, and recovers from its log.
    """

    def __init__(self, database: Database) -> None:
        self.steps, self.at = 0, 0
        event.listen(database.engine, "before_cursor_execute", self.statement)
        event.listen(database.engine, "commit", self.step)
        self.commit = database.engine.dialect.do_commit
        database.engine.dialect.do_commit = self.committed  # type: ignore[method-assign]

    def statement(self, connection: Any, *_about: Any) -> None:
        self.step(connection)

    def step(self, connection: Any) -> None:
        self.count(connection.connection)

    def committed(self, connection: Any) -> None:
        """All is stored; whoever waits for the answer doesn't get it."""
        self.commit(connection)
        if self.count(connection):
            raise OperationalError("server closed the connection unexpectedly")

    def count(self, connection: Any) -> bool:
        """Count one step, but none of the connection for news, which may be lost; returns whether it is the one."""
        if connection.dbapi_connection.autocommit:
            return False
        self.steps += 1
        if self.steps == self.at:
            os.kill(connection.dbapi_connection.info.backend_pid, signal.SIGKILL)
        return self.steps == self.at


async def recovered(registry: TableRegistry, id: str) -> LiveTable:
    for _ in range(PATIENCE):
        try:
            return await registry.table(id)
        except Unavailable:
            await asyncio.sleep(0.05)
    raise AssertionError("the server didn't recover")


async def crashed(registry: TableRegistry, crash: Crash, rounds: int) -> Counter[str]:
    """Moves with a crash at each step; returns what became of them."""
    rng, done, step = random.Random(1), Counter[str](), 0
    table = await begun(registry)
    crash.steps = 0
    await moved(registry, table, rng)
    steps = crash.steps  # of a move: statements and the commit
    assert steps >= 3
    while done["rounds"] < rounds:
        if table.state != PLAYING:
            table = await begun(registry)
        known = [(entry.version, entry.pairs) for entry in table.entries]
        step = step % steps + 1
        crash.steps, crash.at = 0, step
        try:
            await moved(registry, table, rng)
            done["acknowledged"] += 1
        except Unavailable:
            done["refused"] += 1
        crash.at = 0
        registry.forget(table.id)
        table = await recovered(registry, table.id)
        kept = [(entry.version, entry.pairs) for entry in table.entries]
        assert kept[: len(known)] == known and len(kept) - len(known) <= 1
        if step == steps:
            assert len(kept) > len(known), "what was committed is there, though nobody was told"
            done["stored and refused"] += 1
        done["rounds"] += 1
        await moved(registry, table, rng) if table.state == PLAYING else None
    return done


@in_a_loop
async def test_a_crash_at_each_step_of_a_move_loses_nothing(postgres: str) -> None:
    database = Database(postgres)
    registry = TableRegistry(database)
    await registry.open()
    done = await crashed(registry, Crash(database), 24)
    await registry.close()
    print(done)
    assert done["refused"] >= done["rounds"] // 2 and done["stored and refused"] > 0
