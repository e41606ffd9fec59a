"""Tables of a game that is missing, broken or crashes: they wait for it, and all others go on."""

import asyncio
import contextlib
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import hexdeck
from hexdeck.authoring import fork_game, forks, new_game
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import definition, forget
from hexdeck.lab.log import PlayedMatch
from hexdeck.tables import commands, rows, runner
from hexdeck.tables.archive import GOING, OLDER, Archive
from hexdeck.tables.entries import HALT
from hexdeck.tables.errors import GameMissing, NoTable
from tests.tables.house import House, housed, in_a_file
from tests.tables.test_timing import brisk

GAME = "high-bid"
ELSEWHERE: dict[str, Callable[[Path], object]] = {
    "missing": lambda folder: folder.rename(folder.parent / "not-a-game"),
    "broken": lambda folder: (folder / "table.py").write_text("TITLE = (\n", encoding="utf-8"),
    "half a game": lambda folder: (folder / "table.py").unlink(),
}


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = new_game(GAME, tmp_path / "games")
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path / "games"))
        forget()
        yield folder
    forget()


async def row_of(house: House, id: str) -> rows.Row:
    found = await house.registry.run_job(rows.read_table, id)
    assert found is not None
    return {name: value for name, value in found.row.items() if name != "due"}


@pytest.mark.parametrize("how", ELSEWHERE)
def test_a_table_waits_for_its_game_and_goes_on_when_it_is_back(begun: Path, place: str, how: str) -> None:
    ids, kept = list[str](), list[rows.Row]()
    files = {file: file.read_bytes() for file in begun.iterdir() if file.is_file()}

    async def begins(house: House) -> None:
        house.sleeps()
        table = await brisk(house, GAME)
        await house.change(table, commands.give_to_bot(1, 1, house.time))  # so that there is a bot to move
        ids.append(table.id)
        kept.append(await row_of(house, table.id))

    async def waits(house: House) -> None:
        house.time += 500  # and a clock has run out
        await house.passes(2 * runner.CLOCKS_EVERY)
        with pytest.raises(
            GameMissing, match=r"^This table is waiting for its game: high-bid can't be played"
        ) as refused:
            await house.registry.table(ids[0])
        assert refused.value.status == 503 and await row_of(house, ids[0]) == kept[0]

    async def goes_on(house: House) -> None:
        table = await house.registry.table(ids[0])
        await house.settles(table)
        assert table.version > kept[0]["version"] and table.state == "playing"

    housed(place, begins)
    ELSEWHERE[how](begun)
    forget()
    housed(place, waits)
    begun.mkdir(exist_ok=True)
    for file, content in files.items():
        file.write_bytes(content)
    forget()
    housed(place, goes_on)


@in_a_file
async def test_a_table_is_refused_for_a_while_where_no_folder_of_games_is_found(house: House, begun: Path) -> None:
    table = await brisk(house)
    house.registry.forget(table.id)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(finding.PATH, "/nowhere/at/all")
        with pytest.raises(GameMissing):
            await house.registry.table(table.id)
    assert (await house.registry.table(table.id)).game == hexdeck.game("hawthorn", 3)


@in_a_file
async def test_a_game_that_crashes_stops_no_clock_of_another_table_and_is_not_asked_again_and_again(
    house: House, begun: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashes = list[float]()

    def crash(*_: object) -> bool:
        crashes.append(house.runs_for)
        raise ZeroDivisionError

    bad, good = await brisk(house, GAME), await brisk(house)
    monkeypatch.setattr(definition(GAME).table, "nobody_decides", crash)
    for _ in range(2):  # the first time, and after the bad one was found first
        house.time += 500
        await house.passes(2 * runner.CLOCKS_EVERY)
        assert [seat.kind for seat in good.seats] == ["bot"] * 3
        good = await brisk(house)
    await house.passes(2 * runner.RETRY_AFTER)
    assert [seat.kind for seat in bad.seats] == ["person"] * 3
    assert len(crashes) == 3 and min(b - a for a, b in itertools.pairwise(crashes)) >= runner.RETRY_AFTER
    assert [record.exc_info is not None for record in caplog.records if "can't go on by itself" in record.message]


@in_a_file
async def test_a_background_task_that_fails_is_logged(house: House, caplog: pytest.LogCaptureFixture) -> None:
    async def fails() -> None:
        raise ZeroDivisionError

    await asyncio.wait([house.registry.spawn(fails())])
    with pytest.raises(NoTable):  # which isn't a fault
        await house.registry.table("a" * 16)
    (record,) = (each for each in caplog.records if each.exc_info)  # servers of other tests may log as well
    assert record.message == "a background task has failed"


@pytest.mark.parametrize("state", ["playing", "over"])
def test_a_match_of_other_rules_is_kept_and_comes_back_with_them(
    tmp_path: Path, place: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(finding.PATH, str(tmp_path))
    file = fork_game("hawthorn", "my-own", tmp_path) / "rules.py"
    before = file.read_text(encoding="utf-8")
    assert before.count("    s.round += 1\n") == 1
    after = before.replace("    s.round += 1\n", "    s.round += 2\n")
    told = r"^The rules of my-own have changed since \(.+\); this table comes back when they are put back\.$"

    async def changes(house: House) -> None:
        table = await house.of_people(hexdeck.game("my-own", 2, deals=5))
        await house.play(table, [0, 1], random.Random(1), 10**9 if state == "over" else 6)
        kept = await row_of(house, table.id)
        assert kept["state"] == state
        for text in (after, before):
            house.registry.forget(table.id)
            forks.save(file.parent, file.name, text)
            if text == before:
                assert (await house.registry.table(table.id)).state == state
                continue
            for _ in range(2):
                with pytest.raises(GameMissing, match=told):
                    await house.registry.table(table.id)
            assert await row_of(house, table.id) == kept
            assert read(place) == ([], Counter({OLDER: 1} if state == "over" else {GOING: 1}))
        assert len(read(place)[0]) == (state == "over")

    def read(place: str) -> tuple[list[PlayedMatch], Counter[str]]:
        archive = Archive(place)
        with contextlib.closing(archive):
            return list(archive.matches("my-own")), +archive.left_out

    forget()
    housed(place, changes)
    forget()


@in_a_file
async def test_a_bot_of_a_game_from_outside_that_chooses_what_is_not_allowed_waits(
    house: House, begun: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(house.runner.thinker, "_choose", lambda *_: 10**6)
    table = await house.table(hexdeck.game(GAME))
    await house.passes(5 * runner.ORPHANED_AFTER)
    (halt,) = (entry for entry in table.entries if entry.kind == HALT)
    assert str(halt.facts[0][0].text) == "A bot can't move: high-bid has no move 1000000."
