"""A disk that is full, or broken: what can't be stored is refused, what was acknowledged stays, and play goes on."""

import json
import os
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from hexdeck.tables.database import Database, keys
from hexdeck.tables.errors import Unavailable
from hexdeck.tables.rows import Store
from tests.support import PATIENCE, ran_apart


@pytest.mark.long
def test_writes_may_fail_anywhere(shim: Path, memory: Path) -> None:
    about = {"LD_PRELOAD": str(shim), "POWER_ROOT": str(memory)}
    command = [sys.executable, "-m", "tests.tables.power.faults", str(memory), "2", "10"]
    ran = ran_apart(command, env=os.environ | about, timeout=1200)
    assert ran.returncode == 0, ran.stderr[-3000:]
    done = json.loads(ran.stdout)
    print(done)
    for each in done.values():
        assert each["refused"] + each["not opened"] > each["evenings"] // 2 > 3
        assert each["acknowledged"] >= 3 * each["evenings"]


def test_jobs_whose_commit_was_not_answered_are_not_done_again(tmp_path: Path) -> None:
    """All of them may be stored: to do each alone, as where one of them fails, would do them twice."""
    database, done = Database(str(tmp_path / "tables.db")), list[str]()
    begun, begin = threading.Event(), threading.Event()
    store, commit = Store(database), database.engine.dialect.do_commit

    def unanswered(connection: Any) -> None:
        commit(connection)
        raise sqlite3.OperationalError("disk I/O error")

    def job(name: str) -> Any:
        def work(connection: Connection) -> None:
            done.append(name)
            connection.execute(keys.insert(), {"name": f"{name} {len(done)}", "value": b""})

        return work

    def wait(_connection: Connection) -> None:
        begun.set()
        begin.wait(PATIENCE)

    waits = store.submit(wait)
    assert begun.wait(PATIENCE)
    both = [store.submit(job(name)) for name in ("one", "two")]
    database.engine.dialect.do_commit = lambda connection: (  # type: ignore[method-assign]
        unanswered(connection) if done else commit(connection)
    )
    begin.set()
    for each in both:
        with pytest.raises(Unavailable):
            each.result(PATIENCE)
    waits.result(PATIENCE)
    database.engine.dialect.do_commit = commit  # type: ignore[method-assign]
    found = store.submit(lambda connection: list(connection.execute(select(keys.c.name)).scalars())).result(PATIENCE)
    assert done == ["one", "two"] and {"one 1", "two 2"} <= set(found)
    store.close()
