"""What was stored by earlier versions of the rules opens, is proved by its check, and goes on.

`old/GAME-VERSION-*.json` are records as that STRUCT_VERSION wrote them, `old/tables-VERSION.sql` a database of tables.
"""

import json
import random
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from sqlalchemy import text, update

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.layout import HEADER, struct
from hexdeck.engine.options import Switch
from hexdeck.engine.play.earlier import added_since, bytes_at
from hexdeck.engine.play.record import Record, read
from hexdeck.engine.text import say
from hexdeck.tables.errors import TableError
from hexdeck.tables.service.archive import Archive
from hexdeck.tables.service.codec import NotResumable
from hexdeck.tables.storage import rows
from hexdeck.tables.storage.database import MIGRATIONS, Database
from hexdeck.tables.storage.schema import REVISION, tables
from tests.settings import GAMES, every_game
from tests.support import random_plies
from tests.tables.house import House, housed
from tests.tables.test_tables import shown

OLD = Path(__file__).parent / "old"
RECORDS = sorted(OLD.glob("*.json"))
every_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
BACKEND = "fast"


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def test_every_game_has_a_record_of_each_version_that_still_opens() -> None:
    """Whoever adds a version to ADDED stores records of the version before it: one that is over, one that goes on."""
    found = {path.stem for path in RECORDS}
    for name in GAMES:
        added = getattr(definition(name).rules, "ADDED", {})
        for version in {1, *(number - 1 for number in added)}:
            assert {f"{name}-{version}-over", f"{name}-{version}-going"} <= found, (name, version)


# --- records ----------------------------------------------------------------------------------------------------------
@every_record
def test_an_old_record_opens_steps_to_every_ply_and_goes_on(path: Path) -> None:
    record = read(path)
    match = hexdeck.load(path, backend=BACKEND)
    assert match.length == len(record.events) and match.over == path.stem.endswith("over")
    for ply in range(match.length + 1):
        match.go(ply)
        assert match.ply == ply and match.view(ply % match.game.players).zones
    match.go(match.length)
    plies = [position.length for position in random_plies(match, random.Random(1))]
    again = Record.of(match)
    assert plies[0] == len(record.events) and again.rules == match.game.rules.STRUCT_VERSION
    assert hexdeck.load(again.text(), backend=BACKEND).returns() == match.returns()


@every_record
def test_the_promise_of_an_old_record_is_verified(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(path), "--promise", json.loads(path.read_text())["notes"]["fair"]["commitment"]]) == 0
    assert "The cards are as promised: all " in capsys.readouterr().out


@every_record
def test_an_old_record_that_was_changed_is_refused(path: Path) -> None:
    data = json.loads(path.read_text(encoding="utf-8"))
    with pytest.raises(hexdeck.BadRecord, match="don't lead to the position it was saved in"):
        hexdeck.load({**data, "check": "0" * 16}, backend=BACKEND)
    with pytest.raises(hexdeck.BadRecord):
        hexdeck.load({**data, "events": data["events"][:-1], "count": data["count"] - 1}, backend=BACKEND)


@every_record
def test_an_old_record_names_no_option_that_came_later(path: Path) -> None:
    record = read(path)
    rules = definition(record.game).rules
    for option in rules.OPTIONS:
        if option.name in (added_since(rules, record.rules) or ()):
            with pytest.raises(hexdeck.BadRecord, match=f"There is no option '{option.name}'"):
                hexdeck.load(
                    {**record.data(), "options": {**record.options, option.name: option.default}}, backend=BACKEND
                )


@every_game
def test_a_version_that_changed_more_than_fields_is_not_reached(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A next version that isn't in ADDED: all that was stored before it is refused by one sentence."""
    rules = definition(name).rules
    version = rules.STRUCT_VERSION
    monkeypatch.setattr(rules, "STRUCT_VERSION", version + 1)
    for path in RECORDS:
        if path.stem.startswith(f"{name}-{version}-") or path.stem.startswith(f"{name}-1-"):
            with pytest.raises(hexdeck.BadRecord, match=rf"^The record follows version \d+ of the rules of {name}; "):
                hexdeck.load(path, backend=BACKEND)


# --- structs ----------------------------------------------------------------------------------------------------------
def test_a_struct_without_what_was_added_is_laid_out_as_it_was() -> None:
    """Fields before, between and after what was added, with the gaps that alignment makes."""
    sentence = say("")
    first, later = Switch("first", False, "", sentence), Switch("later", False, "", sentence)
    fields = (("small", "i1"), ("wide", "i8", (3,)), ("last", "i2"))
    old = struct((first,), *fields)
    middle = struct((first,), fields[0], ("count", "i2"), *fields[1:])
    new = struct((first, later), fields[0], ("count", "i2"), *fields[1:], ("more", "i1", (5,)))
    rng = np.random.default_rng(1)
    world = np.zeros(1, new)
    for name in new.names or ():
        world[name] = rng.integers(-100, 100, world[name].shape)
    rules: Any = SimpleNamespace(STRUCT=new, STRUCT_VERSION=4, ADDED={4: ("later", "more"), 3: ("count",)})
    for version, dtype in ((4, new), (3, middle), (2, old)):
        then = np.zeros(1, dtype)
        for name in dtype.names or ():
            then[name] = world[name]
        assert bytes_at(rules, version, world.tobytes()) == then.tobytes(), version
    assert [added_since(rules, version) for version in (-(10**12), 0, 1, 5)] == [None] * 4
    assert bytes_at(rules, 1, world.tobytes()) is None


@every_game
def test_what_was_added_is_in_the_struct(name: str) -> None:
    rules = definition(name).rules
    added = getattr(rules, "ADDED", {})
    listed = [field for version in added for field in added[version]]
    assert set(added) <= set(range(2, rules.STRUCT_VERSION + 1)) and len(set(listed)) == len(listed)
    assert set(listed) <= set(rules.STRUCT.names) - set(HEADER.names or ())


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


@pytest.mark.parametrize("game", ["blackstone", "high-handed"])
def test_a_table_of_older_rules_goes_on(game: str, tmp_path: Path) -> None:
    url = restored(tmp_path)
    id = ids(url)[game, "playing"]

    async def test(house: House) -> None:
        before = await house.registry.run_job(lambda connection: rows.read_table(connection, id))
        assert before and before.row["rules"] == 1
        table = await house.registry.table(id)
        assert table.match and table.acting == (0,) and table.lines_since(1)
        await house.play(table, [0, 1], random.Random(1), 12)
        assert table.version == before.row["version"] + 12 or table.match.over
        after = await house.registry.run_job(lambda connection: rows.read_table(connection, id))
        assert after and after.row["rules"] == table.game.rules.STRUCT_VERSION
        house.registry.forget(id)
        assert shown(await house.registry.table(id)) == shown(table)

    housed(url, test)


def test_a_secret_choice_that_was_made_under_older_rules_stays(tmp_path: Path) -> None:
    url = restored(tmp_path)
    id = ids(url)["blackstone", "playing"]

    async def test(house: House) -> None:
        table = await house.registry.table(id)
        assert table.match and table.match.struct.staking == 0b10 and table.acting == (0,)

    housed(url, test)


def test_a_table_of_older_rules_whose_events_lead_elsewhere_ends_with_a_sentence(tmp_path: Path) -> None:
    url = restored(tmp_path)
    id = ids(url)["blackstone", "playing"]

    async def test(house: House) -> None:
        change = update(tables).where(tables.c.id == id).values(struct=text("zeroblob(length(struct))"))
        await house.registry.run_job(lambda connection: connection.execute(change))
        with pytest.raises(NotResumable, match="its events don't lead to the position it was in"):
            await house.registry.table(id)

    housed(url, test)


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


def test_matches_of_older_rules_are_read_for_whoever_studies_them(tmp_path: Path) -> None:
    url = restored(tmp_path)
    Database(url).close()  # brings it up to date, as `hexdeck serve` does
    archive = Archive(url)
    try:
        found = list(archive.matches("blackstone"))
    finally:
        archive.close()
    assert [each.match.over for each in found] == [True] and not archive.left_out["older"] + archive.left_out["damaged"]


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
