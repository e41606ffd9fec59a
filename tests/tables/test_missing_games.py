"""Tables of a game that is missing, broken or crashes: they wait for it, and all others go on."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck.authoring.begin import new_game
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.tables.errors import GameMissing, NoTable
from hexdeck.tables.service import commands, runner
from hexdeck.tables.storage import rows
from tests.tables.test_clocks import brisk, quiet
from tests.tables.test_tables import House, housed

GAME = "high-bid"
ELSEWHERE: dict[str, Callable[[Path], object]] = {
    "missing": lambda folder: folder.rename(folder.parent / "not-a-game"),
    "broken": lambda folder: (folder / "table.py").write_text("TITLE = (\n", encoding="utf-8"),
    "half a game": lambda folder: (folder / "table.py").unlink(),
}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A new game in a folder where games are looked for, and clocks that are looked at often."""
    folder = new_game(GAME, tmp_path / "games")
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path / "games"))
        patch.setattr(runner, "CLOCKS_EVERY", 0.01)
        forget()
        yield folder
    forget()


async def row_of(house: House, id: str) -> rows.Row:
    """The row of a table, without its clock, which a start of the server sets."""
    found = await house.registry.run_job(lambda connection: rows.read_table(connection, id))
    assert found is not None
    return {name: value for name, value in found.row.items() if name != "due"}


@pytest.mark.parametrize("how", ELSEWHERE)
def test_a_table_waits_for_its_game_and_goes_on_when_it_is_back(begun: Path, tmp_path: Path, how: str) -> None:
    url, ids, kept = f"sqlite:///{tmp_path / 't.db'}", list[str](), list[rows.Row]()
    files = {file: file.read_bytes() for file in begun.iterdir() if file.is_file()}

    async def begins(house: House) -> None:
        quiet(house)
        table = await brisk(house, GAME)
        await house.registry.change(table.id, commands.give_to_bot(1, 1, house.time))  # so that there is a bot to move
        ids.append(table.id)
        kept.append(await row_of(house, table.id))

    async def waits(house: House) -> None:
        house.time += 500  # and a clock has run out
        await asyncio.sleep(0.2)
        with pytest.raises(
            GameMissing, match=r"^This table is waiting for its game: high-bid can't be played"
        ) as refused:
            await house.registry.table(ids[0])
        assert refused.value.status == 503 and await row_of(house, ids[0]) == kept[0]

    async def goes_on(house: House) -> None:
        table = await house.registry.table(ids[0])
        await house.settles(table)
        assert table.version > kept[0]["version"] and table.state == "playing"

    housed(url, begins)
    ELSEWHERE[how](begun)
    forget()
    housed(url, waits)
    begun.mkdir(exist_ok=True)
    for file, content in files.items():
        file.write_bytes(content)
    forget()
    housed(url, goes_on)


def test_a_table_is_refused_for_a_while_where_no_folder_of_games_is_found(begun: Path, tmp_path: Path) -> None:
    async def test(house: House) -> None:
        table = await brisk(house)
        house.registry.forget(table.id)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(finding.PATH, "/nowhere/at/all")
            with pytest.raises(GameMissing):
                await house.registry.table(table.id)
        assert (await house.registry.table(table.id)).game == hexdeck.game("hawthorn", 3)

    housed(f"sqlite:///{tmp_path / 't.db'}", test)


def test_a_game_that_crashes_stops_no_clock_of_another_table_and_is_not_asked_again_and_again(
    begun: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "RETRY_AFTER", 0.2)
    crashes, began = list[int](), time.monotonic()

    def crash(*_: object) -> bool:
        crashes.append(1)
        raise ZeroDivisionError

    async def test(house: House) -> None:
        bad, good = await brisk(house, GAME), await brisk(house)
        monkeypatch.setattr(definition(GAME).table, "nobody_decides", crash)
        for _ in range(2):  # the first time, and after the bad one was found first
            house.time += 500
            async with asyncio.timeout(10):
                while any(seat.kind == "person" for seat in good.seats):
                    await asyncio.sleep(0.01)
            good = await brisk(house)
        await asyncio.sleep(0.5)
        assert [seat.kind for seat in bad.seats] == ["person"] * 3
        assert 2 <= len(crashes) <= (time.monotonic() - began) / runner.RETRY_AFTER + 2

    housed(f"sqlite:///{tmp_path / 't.db'}", test)
    assert [record.exc_info is not None for record in caplog.records if "can't go on by itself" in record.message]


def test_a_background_task_that_fails_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    async def test(house: House) -> None:
        await asyncio.wait([house.registry.spawn(fails())])
        with pytest.raises(NoTable):  # which isn't a fault
            await house.registry.table("a" * 16)

    housed(f"sqlite:///{tmp_path / 't.db'}", test)
    (record,) = caplog.records
    assert record.message == "a background task has failed" and record.exc_info
