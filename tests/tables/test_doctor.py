"""`hexdeck tables check` finds what is broken on purpose, and nothing where nothing is."""

import json
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from hexdeck.cli import main
from hexdeck.tables.archive import NOTE, OK, WRONG, examine
from hexdeck.tables.database import back_up
from tests.web.serving import Program, file_in, play_on, served

Broken = Callable[[Path], object]


@pytest.fixture(scope="module")
def well(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of tables: one over, one in the middle, one that waits."""
    place, copy = tmp_path_factory.mktemp("well"), tmp_path_factory.mktemp("copy") / "tables.db"
    with served(file_in(place)) as site:
        for options, least in (({"deals": 1}, 10**9), ({"deals": 2}, 3)):
            ann = Program(site.base)
            ann.creates(game="hawthorn", players=2, seats=["you", "random"], options=options)
            play_on([ann], random.Random(4), least)
        Program(site.base).creates(game="cursed-hand", players=3, seats=["you", "open", "open"])
        states = {each.state: each.text for each in examine(file_in(place))}  # while it serves
        assert set(states) == {OK}, states
        back_up(file_in(place), copy)
    return copy


@pytest.fixture
def copy(well: Path, tmp_path: Path) -> Path:
    shutil.copy(well, tmp_path / "tables.db")
    return tmp_path / "tables.db"


def found(place: Path, state: str = WRONG) -> dict[str, str]:
    return {each.what: str(each.text) for each in examine(str(place)) if each.state == state}


def test_where_nothing_is_wrong_nothing_is_found(copy: Path) -> None:
    assert found(copy) == found(copy, NOTE) == {}
    assert list(found(copy, OK)) == ["versions", "files", "disk", "database", "keys", "entries", "matches"]
    assert found(copy, OK)["matches"] == "The matches of 3 tables replay, with the cards that were promised."


def sql(*statements: str) -> Broken:
    def broken(place: Path) -> None:
        connection = sqlite3.connect(place)
        with connection:
            for statement in statements:
                assert connection.execute(statement).rowcount, statement
        connection.close()

    return broken


def torn(place: Path) -> None:
    data = bytearray(place.read_bytes())
    data[4096 * 2 : 4096 * 6] = bytes(4096 * 4)
    place.write_bytes(bytes(data))


OVER = "(SELECT id FROM tables WHERE state = 'over')"
OF_IT = f"[table] = {OVER}"
IT = "WHERE state = 'over'"
BROKEN: dict[str, tuple[Broken, str, str]] = {
    "a damaged page": (torn, "database", "damaged|malformed"),
    "no database": (lambda place: place.write_bytes(b"cards" * 2000), "database", "can't be read"),
    "no file": (Path.unlink, "database", "There are no tables in"),
    "entries of no table": (sql(f"UPDATE events SET [table] = 'gone' WHERE {OF_IT}"), "database", "rows without"),
    "another version": (sql("UPDATE alembic_version SET version_num = '0001'"), "schema", "another version"),
    "an open file": (lambda place: place.chmod(0o644), "files", r"tables.db opens to other users \(mode 644\)"),
    "an open folder": (lambda place: place.parent.chmod(0o777), "files", "may change the folder"),
    "a missing entry": (sql(f"DELETE FROM events WHERE version = 1 AND {OF_IT}"), "entries", "1 table is"),
    "a version too many": (sql(f"UPDATE tables SET version = version + 1 {IT}"), "entries", "missing"),
    "a seat too many": (sql(f"UPDATE holders SET seat = 7 WHERE {OF_IT}"), "entries", "isn't there"),
    "a token in the clear": (sql(f"UPDATE holders SET token = 'abc' WHERE {OF_IT}"), "keys", "isn't hashed"),
    "a short key": (sql(f"UPDATE tables SET invites = X'00' {IT}"), "keys", "too short"),
    "one secret for all": (sql(f"UPDATE tables SET secret = (SELECT secret FROM tables {IT})"), "keys", "same"),
    "no key of promises": (sql("UPDATE keys SET value = X'00'"), "keys", "key of promises"),
    "another position": (sql(f"UPDATE tables SET struct = zeroblob(length(struct)) {IT}"), "matches", "the position"),
    "another move": (
        sql(f"UPDATE events SET event = '[\"0: nonsense\"]' WHERE version = 1 AND {OF_IT}"),
        "matches",
        "resumed",
    ),
    "another secret": (sql(f"UPDATE tables SET secret = randomblob(32) {IT}"), "matches", "cards were changed"),
    "an unreadable row": (sql(f"UPDATE tables SET seats = '[' {IT}"), "matches", "can't be read"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_broken_is_found(name: str, copy: Path) -> None:
    breaks, what, said = BROKEN[name]
    breaks(copy)
    wrong = found(copy)
    assert next(iter(wrong)) == what and set(wrong) <= {what, "matches"}, wrong
    assert re.search(said, wrong[what]), wrong


def test_a_full_disk_is_found(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(copy.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=5 << 20))
    assert found(copy) == {"disk": "Only 5 MB are free on the disk of the tables, which take 1 MB themselves."}


def test_a_table_whose_game_is_gone_waits(copy: Path) -> None:
    sql("UPDATE tables SET game = 'no-such-game' WHERE state = 'over'")(copy)
    assert found(copy) == {}
    assert found(copy, NOTE) == {"matches": "1 table waits for a game that can't be played here: no-such-game."}


def test_the_command_speaks_the_language_that_is_asked_for(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy.chmod(0o640)
    assert main(["--lang", "nl", "tables", "check", "--database", str(copy)]) == 1
    found = [line.split()[:2] for line in capsys.readouterr().out.splitlines()]
    assert found[:3] == [["goed", "versies"], ["FOUT", "bestanden"], ["goed", "schijf"]]


def test_the_command_says_a_line_each_and_its_status(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "check", "--database", str(copy)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7 and all(line.startswith("ok ") for line in lines)
    before = copy.read_bytes()
    copy.chmod(0o640)
    assert main(["tables", "check", "--database", str(copy), "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert not data["well"] and [each["what"] for each in data["checks"] if each["state"] == "wrong"] == ["files"]
    assert copy.read_bytes() == before and [*copy.parent.iterdir()] == [copy]  # nothing was changed


@pytest.mark.long
def test_tables_in_postgresql_are_looked_at_too(postgres: str) -> None:
    with served(postgres) as site:
        ann = Program(site.base)
        ann.creates(game="hawthorn", players=2, seats=["you", "random"], options={"deals": 1})
        play_on([ann], random.Random(4))
    states = [(each.what, each.state) for each in examine(postgres)]
    assert states == [(what, OK) for what in ("versions", "database", "keys", "entries", "matches")]
    assert [each.state for each in examine("postgresql://nobody@localhost:1/nothing")] == [OK, WRONG]
