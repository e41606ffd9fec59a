"""When power fails, no acknowledged move is lost, the database opens, and games go on; whatever the disk made of it."""

import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hexdeck.tables import database
from hexdeck.tables.database import Database
from hexdeck.tables.errors import BadStore
from tests.loops import alone
from tests.settings import much
from tests.tables.power.conftest import Recorder
from tests.tables.power.disk import KEPT, LOST, MIXED, Call, Disk, marks
from tests.tables.power.evening import copy_of, goes_on, place

GO_ON = 25  # one of so many disks is played on
FATES = (MIXED, MIXED, MIXED, MIXED, LOST, KEPT)


class Lost(AssertionError):
    """Something that was acknowledged isn't there."""


def cuts(
    disk: Disk, calls: Sequence[Call], at: Sequence[int], folder: Path, rng: random.Random
) -> Iterator[tuple[Path, list[Any], Any]]:
    """The disk as it might be after so many calls each, what was acknowledged by then, and a label."""
    wanted = Counter(at)
    for k in range(len(calls) + 1):
        for again in range(wanted[k]):
            fate, to = rng.choice(FATES), folder / f"cut-{k}-{again}"
            disk.after_power_loss(to, rng, fate)
            yield to, [json.loads(each) for each in marks(calls[:k])], (k, fate)
            shutil.rmtree(to)
        if k < len(calls):
            disk.do(calls[k])


def check(folder: Path, acknowledged: Sequence[Any], label: Any) -> None:
    """Open the tables, and look for all that was acknowledged."""
    where = place(folder)
    moves = [each for each in acknowledged if "table" in each]
    if moves and not where.is_file():
        raise Lost(label)
    where.parent.mkdir(exist_ok=True)  # as a server would make its own
    Database(str(where)).close()  # as a server would; it recovers, and brings the schema up to date
    with sqlite3.connect(where) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)], label
        stored = {
            (table, version): event
            for table, version, event in connection.execute('SELECT "table", version, event FROM events')
        }
        whole = connection.execute(
            'SELECT count(*) FROM tables t WHERE version + 1 != (SELECT count(*) FROM events e WHERE e."table" = t.id)'
        ).fetchone()
    connection.close()
    assert whole == (0,), label
    for each in moves:
        if json.loads(stored.get((each["table"], each["version"]), "null")) != each["event"]:
            raise Lost(label, each)


def tried(disk: Disk, calls: list[Call], count: int, folder: Path, seed: int, since: int = 0) -> Counter[str]:
    """Cut power so many times after the call `since`; returns what happened how often."""
    rng, done = random.Random(seed), Counter[str]()
    at = [rng.randint(since, len(calls)) for _ in range(count)]
    for k, (to, acknowledged, label) in enumerate(cuts(disk, calls, at, folder, rng)):
        check(to, acknowledged, label)
        if k % GO_ON == 0:
            done["gone on"] += alone(goes_on(place(to)))
        done["cuts"] += 1
        done["acknowledged"] += len(acknowledged)
    return done


def first_acknowledged(calls: Sequence[Call]) -> int:
    """The number of calls before anything was acknowledged: the first start."""
    return next(k for k, call in enumerate(calls) if call.kind == "M")


@pytest.fixture(scope="module")
def evening(recorded: Recorder, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Call]]:
    folder = tmp_path_factory.mktemp("evening")
    return folder, recorded("play", folder)[1]


def empty(folder: Path) -> Disk:
    disk = Disk(folder)
    disk.names, disk.files = {str(folder): -1}, {}
    return disk


def test_no_acknowledged_move_is_lost(evening: tuple[Path, list[Call]], memory: Path) -> None:
    folder, calls = evening
    done = tried(empty(folder), calls, much(40, 600), memory, 1, first_acknowledged(calls))
    print(done)
    assert done["acknowledged"] > 10 * done["cuts"] and done["gone on"] > 0


@pytest.mark.long
def test_the_first_start_can_be_cut_anywhere(evening: tuple[Path, list[Call]], memory: Path) -> None:
    folder, calls = evening
    first = calls[: first_acknowledged(calls) + 1]
    assert tried(empty(folder), first, 200, memory, 2)["cuts"] == 200


@pytest.mark.long
def test_a_copy_that_was_reported_is_there_and_whole(recorded: Recorder, memory: Path) -> None:
    folder = memory / "server"
    folder.mkdir()
    disk, calls = recorded("copy", folder)
    begin = max(k for k, call in enumerate(calls) if call.kind == "M" and "version" in call.path)
    rng, seen = random.Random(4), Counter[bool]()
    at = [*(rng.randint(begin, len(calls)) for _ in range(200)), *[len(calls)] * 10]
    for to, acknowledged, label in cuts(disk, calls, at, memory / "cuts", rng):
        check(to, acknowledged, label)
        there = copy_of(to).exists()
        assert there or not any("copied" in each for each in acknowledged), label
        if there:
            assert database.restore(str(to / "again.db"), copy_of(to)) == 1, label
        seen[there] += 1
    assert seen[True] >= 10 and seen[False]


@pytest.mark.long
def test_a_database_that_was_told_not_to_sync_is_caught(recorded: Recorder, memory: Path) -> None:
    folder = memory / "server"
    folder.mkdir()
    disk, calls = recorded("without sync", folder)
    with pytest.raises((Lost, BadStore)):
        tried(disk, calls, 100, memory / "cuts", 5, first_acknowledged(calls))


def test_names_that_were_not_synced_are_lost(tmp_path: Path) -> None:
    """The disk that the others are tried on isn't kinder than it may be."""
    disk = Disk(tmp_path)
    file = f"{tmp_path}/a"
    for call in (Call("C", 1, file), Call("W", 1, data=b"x" * 1024), Call("S", 1)):
        disk.do(call)
    disk.after_power_loss(tmp_path / "1", random.Random(1), LOST)
    assert not (tmp_path / "1" / "a").exists()
    for call in (Call("F", path=str(tmp_path)), Call("W", 1, at=1024, data=b"y" * 1024)):
        disk.do(call)
    rng, found = random.Random(1), set()
    for k in range(2, 40):
        disk.after_power_loss(tmp_path / str(k), rng, MIXED)
        found.add((tmp_path / str(k) / "a").read_bytes())
    assert all(each.startswith(b"x" * 1024) for each in found) and len(found) > 4
    assert {len(each) for each in found} == {1024, 1536, 2048}
