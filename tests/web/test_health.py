"""How a server says whether it is well, and who may open its file."""

import os
import sqlite3
import stat
from pathlib import Path

import pytest

from hexdeck.tables.database import locked
from tests.support import until
from tests.web.serving import Served, file_in, get, served


def status(site: Served, path: str) -> int:
    return get(f"{site.base}{path}").status_code


def test_a_database_that_cannot_be_written_is_known_though_it_can_be_read(tmp_path: Path) -> None:
    with served(file_in(tmp_path)) as site:
        assert status(site, "/healthz") == status(site, "/livez") == 200
        with sqlite3.connect(tmp_path / "tables.db") as other:
            other.execute("CREATE TRIGGER full BEFORE UPDATE ON keys BEGIN SELECT RAISE(FAIL, 'disk is full'); END")
        until(lambda: status(site, "/healthz") == 503)
        assert status(site, "/livez") == status(site, "/") == 200
        other.execute("DROP TRIGGER full")
        other.close()
        until(lambda: status(site, "/healthz") == 200)


def test_a_database_that_others_lock_is_known(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with served(file_in(tmp_path)) as site:
        other = sqlite3.connect(tmp_path / "tables.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        until(lambda: status(site, "/healthz") == 503)
        assert status(site, "/livez") == 200
        status(site, "/healthz")
        other.execute("ROLLBACK")
        other.close()
        until(lambda: status(site, "/healthz") == 200)
    said = [each for each in caplog.records if "read" in each.message and "written" in each.message]
    assert [each.message for each in said] == [
        "tables can't be read or written",
        "tables can be read and written again",
    ]
    assert vars(said[0])["why"]


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes there")
def test_the_file_of_tables_opens_only_to_its_owner_also_one_that_was_open_to_others(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    for _ in range(2):
        with served(file_in(tmp_path)):
            modes = [
                stat.S_IMODE(each.stat().st_mode) for each in tmp_path.glob("tables.db*") if each.suffix != ".lock"
            ]
            assert len(modes) == 3 and set(modes) == {0o600}
        path.chmod(0o644)


@pytest.mark.skipif(os.name == "nt", reason="files have no such modes there")
def test_what_a_killed_server_left_open_beside_it_is_closed_too(tmp_path: Path) -> None:
    left = [tmp_path / f"tables.db{end}" for end in ("", "-wal", "-shm")]
    for each in left:
        each.touch()
        each.chmod(0o666)
    locked(left[0]).close()
    assert [stat.S_IMODE(each.stat().st_mode) for each in left] == [0o600] * 3
