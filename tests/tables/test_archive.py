"""Matches read from the database: only those that are over, and without changing anything."""

import hashlib
import json
import random
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, delete, update
from sqlalchemy.exc import OperationalError

import hexdeck
from hexdeck.lab.log import PlayedMatch
from hexdeck.tables import archive, commands, rows
from hexdeck.tables.archive import CLOSED, DAMAGED, GOING, OLDER, Archive
from hexdeck.tables.database import EARLIER, Database, parsed, tables
from hexdeck.tables.errors import BadStore
from hexdeck.tables.live import LiveTable
from tests.tables.house import House, housed

GAME = hexdeck.game("blackstone", 2, rounds=2)


def filled(url: str, over: int = 2, going: int = 1) -> list[str]:
    """Tables of which some are over, and their ids; somebody is called Annabel."""
    ids: list[str] = []

    async def test(house: House) -> None:
        for number in range(over + going):
            table = await of_two(house) if number >= over else await house.table(GAME, name="Annabel")
            if number < over:
                await house.play(table, [0], random.Random(number))
            assert table.state == ("over" if number < over else "playing")
            ids.append(table.id)
            house.time += 60

    housed(url, test)
    return ids


async def of_two(house: House, **wish: Any) -> LiveTable:
    """A dealt table of two people: nobody moves by themselves."""
    table = await house.table(GAME, "open", name="Annabel", **wish)
    await house.change(table, commands.sit(1, "Bob", "", "", house.time))
    return table


def read(url: str) -> tuple[list[PlayedMatch], Archive]:
    found = Archive(url)
    try:
        return list(found.matches("blackstone")), found
    finally:
        found.close()


def changed(url: str, id: str, **values: object) -> None:
    engine = create_engine(parsed(url))
    with engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == id).values(**values))
    engine.dispose()


def test_only_what_is_over_is_read(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = filled(database)
    asked: list[str] = []

    def watched(connection: object, id: str) -> object:
        asked.append(id)
        return real(connection, id)  # type: ignore[arg-type]

    real = rows.read_table
    monkeypatch.setattr(archive.rows, "read_table", watched)
    found, left = read(database)
    assert asked == ids[:2] and [each.path for each in found] == [f"/replay/{id}" for id in ids[:2]]
    assert left.left_out[GOING] == 1 and left.count("blackstone") == 2 and left.count("hawthorn") == 0
    for each in found:
        assert each.match.over and each.players == ("person", "random")
        assert len(each.times) == each.match.length and list(each.times) == sorted(each.times)


def test_a_file_stays_as_it_is_and_may_be_served_meanwhile(tmp_path: Path) -> None:
    file = tmp_path / "tables # of ours.db"

    async def look(_house: House) -> None:
        before = hashlib.sha256(file.read_bytes()).digest()
        assert len(read(str(file))[0]) == 2
        assert hashlib.sha256(file.read_bytes()).digest() == before

    filled(f"sqlite:///{file}")
    housed(f"sqlite:///{file}", look)
    with (
        archive.reading_engine(parsed(str(file))).connect() as connection,
        pytest.raises(OperationalError, match="readonly"),
    ):
        connection.execute(delete(tables))


def test_what_cannot_be_played_again_is_counted(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    ids = filled(url, 4, 0)
    changed(url, ids[0], rules=0)
    changed(url, ids[1], options=json.dumps({"rounds": 99_999}))
    changed(url, ids[2], state="ended")
    found, left = read(url)
    assert [each.path for each in found] == [f"/replay/{ids[3]}"]
    assert left.left_out == {GOING: 0, CLOSED: 1, OLDER: 1, DAMAGED: 1}


def test_who_played_a_seat_and_who_may_look(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"

    async def test(house: House) -> None:
        table = await of_two(house, watch="nobody")
        for seat in (0, 1):
            await house.change(table, commands.give_to_bot(seat, seat, house.time))
        await house.settles(table)
        table = await house.table(GAME, "gentle", program="mine")
        await house.play(table, [0], random.Random(1))

    housed(url, test)
    found, _left = read(url)
    kinds = sorted((each.players, bool(each.path)) for each in found)
    assert kinds == [(("program", "gentle"), True), (("shared", "shared"), False)]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, r"^There is no file .*tables\.db\.$"),
        (
            b"no database at all, but a text that is long enough to be looked at",
            r"can.t be opened: file is not a database\.$",
        ),
        (b"", r"^There are no tables in .*tables\.db\.$"),
    ],
)
def test_a_place_without_tables_is_told(content: bytes | None, why: str, tmp_path: Path) -> None:
    file = tmp_path / "tables.db"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(BadStore, match=why):
        Archive(str(file))
    assert file.exists() == (content is not None)


@pytest.mark.parametrize("opened", [Archive, Database])
def test_a_server_that_does_not_answer_is_told_in_one_sentence(opened: type[Archive | Database]) -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(BadStore) as refused:
        opened("postgresql://ann:secret@localhost:1/tables")
    assert re.fullmatch(
        r"The tables in postgresql://ann:\*\*\*@localhost:1/tables can't be opened: [^\n?]*[a-z]\.", str(refused.value)
    )


def test_tables_of_another_hexdeck_are_told(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'tables.db'}"
    filled(url, 1, 0)
    for revision, told in (("0001", "stored by another version of hexdeck"), (EARLIER, "hexdeck serve brings them up")):
        with sqlite3.connect(tmp_path / "tables.db") as connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
        with pytest.raises(BadStore, match=told):
            Archive(url)
