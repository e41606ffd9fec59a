"""Databases of tables of earlier forms open; a table of newer rules is left alone."""

import random
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import update

from hexdeck.tables.errors import TableError
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.database import MIGRATIONS, Database
from hexdeck.tables.storage.schema import REVISION, tables
from tests.tables.house import House, housed

OLD = Path(__file__).parent / "old"
BACKEND = "fast"


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


# --- tables -----------------------------------------------------------------------------------------------------------
def restored(folder: Path, dump: str = "tables-1.sql") -> str:
    """The URL of a database with the tables as they were stored."""
    file = folder / "tables.db"
    with sqlite3.connect(file) as connection:
        connection.executescript((OLD / dump).read_text(encoding="utf-8"))
    connection.close()
    return f"sqlite:///{file}"


def ids(url: str) -> dict[tuple[str, str], str]:
    """The tables by game and state."""
    with sqlite3.connect(url.removeprefix("sqlite:///")) as connection:
        found = {(game, state): id for id, game, state in connection.execute("SELECT id, game, state FROM tables")}
    connection.close()
    return found


def test_a_table_of_newer_rules_with_another_option_is_left_as_it_is(tmp_path: Path) -> None:
    """A server that was updated may have set it in the same database."""
    url = restored(tmp_path)
    id = ids(url)["high-handed", "playing"]

    async def test(house: House) -> None:
        change = update(tables).where(tables.c.id == id).values(rules=99, options='{"wild": true}')
        await house.registry.run_job(lambda connection: connection.execute(change))
        with pytest.raises(TableError, match="follows newer rules of high-handed than this server knows"):
            await house.registry.table(id)
        found = await house.registry.run_job(lambda connection: rows.read_table(connection, id))
        assert found and found.row["state"] == "playing"

    housed(url, test)


# --- databases --------------------------------------------------------------------------------------------------------
FORMS = sorted(OLD.glob("form-*.sql"))


def test_there_is_a_database_of_each_form_that_there_was() -> None:
    """Whoever adds a migration stores a small database of its form: `sqlite3 tables.db .dump`, with two tables."""
    steps = {path.stem[:4] for path in (MIGRATIONS / "versions").glob("0*.py")}
    assert {path.stem.removeprefix("form-") for path in FORMS} == steps


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_database_of_each_form_opens_and_its_matches_go_on(path: Path, tmp_path: Path) -> None:
    url = restored(tmp_path, path.name)
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        kept = [
            connection.execute(f'SELECT * FROM {name} ORDER BY "table"').fetchall() for name in ("events", "holders")
        ]
    connection.close()
    Database(url).close()
    with sqlite3.connect(tmp_path / "tables.db") as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(REVISION,)]
        now = [
            connection.execute(f'SELECT * FROM {name} ORDER BY "table"').fetchall() for name in ("events", "holders")
        ]
        made = sorted(row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
    connection.close()
    wide = [len(rows[0]) for rows in kept]  # new columns come behind
    assert [[row[:count] for row in rows] for rows, count in zip(now, wide, strict=True)] == kept
    assert columns(made) == columns(new_schema(tmp_path))

    async def test(house: House) -> None:
        for id in sorted(ids(url).values()):
            table = await house.registry.table(id)
            before = table.version
            await house.play(table, list(range(table.game.players)), random.Random(2), 3)
            assert table.version > before

    housed(url, test)


def new_schema(folder: Path) -> list[str]:
    """What a database consists of that was made today."""
    Database(f"sqlite:///{folder / 'new.db'}").close()
    with sqlite3.connect(folder / "new.db") as connection:
        found = sorted(row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
    connection.close()
    return found


def columns(statements: list[str]) -> list[list[str]]:
    """The words of statements, in whatever order and lines they are written."""
    return sorted(sorted(each.replace(",", " ").replace('"', "").split()) for each in statements)
