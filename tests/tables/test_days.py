"""Matches of days: a move a day, bots that go on while nobody looks, invitations that may wait."""

import asyncio
import random
from pathlib import Path

import pytest

import hexdeck
from hexdeck.tables.model.seats import CLOCKS, DAILY
from hexdeck.tables.service import commands
from hexdeck.tables.service import runner as runners
from hexdeck.tables.service.keeping import DAY, HOUR, Keep, prune
from tests.tables.test_clocks import quiet
from tests.tables.test_tables import House, housed, is_there

GAME = hexdeck.game("black-hearts", 3)


async def settled(house: House, table_id: str) -> bool:
    """Whether a person is to act."""
    table = await house.registry.table(table_id)
    return table.state == "playing" and bool(table.acting) and not table.played_by_server


def test_a_bot_takes_over_after_a_day_and_not_before(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        quiet(house)
        table = await house.table(hexdeck.game("hawthorn", 2), "open", clock=DAILY)
        await house.registry.change(table.id, commands.sit(1, "", "", "", house.time))
        for seat in range(2):
            await house.registry.change(table.id, commands.page_opened(seat, house.time))
        assert table.due == house.time + DAY == house.time + (CLOCKS[DAILY] or 0)
        with pytest.raises(hexdeck.HexdeckError, match="still running"):
            await house.registry.change(table.id, commands.give_to_bot(1, commands.BY_CLOCK, house.time + DAY - 1))
        await house.registry.change(table.id, commands.give_to_bot(1, commands.BY_CLOCK, house.time + DAY))
        assert table.seats[1].kind == "bot"

    housed(f"sqlite:///{tmp_path / 't.db'}", test)


@pytest.mark.parametrize(("clock", "moves"), [(DAILY, True), ("relaxed", False)])
def test_bots_go_on_though_nobody_looks(tmp_path: Path, clock: str, moves: bool) -> None:
    async def test(house: House) -> None:
        house.runner.waits = lambda _table: False
        table = await house.table(GAME, "random", "random", clock=clock)
        house.runner.wake(table)
        assert bool(house.runner._thinking) == moves
        if moves:
            await house.play(table, [0], random.Random(1), 8)
            assert table.version > 16

    housed(f"sqlite:///{tmp_path / 't.db'}", test)


def test_after_a_restart_its_bots_go_on_by_themselves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runners, "DAYS_EVERY", 0.02)
    url, made = f"sqlite:///{tmp_path / 't.db'}", []

    async def stopped(house: House) -> None:
        quiet(house)
        table = await house.table(GAME, "random", "random", clock=DAILY)
        if 0 in table.acting:
            move = table.view(0).moves[0].id
            await house.registry.change(table.id, commands.move(0, move, None, house.time))
        assert table.played_by_server
        made.append(table.id)

    async def again(house: House) -> None:
        house.runner.waits = lambda _table: False
        for _ in range(500):
            if await settled(house, made[0]):
                return
            await asyncio.sleep(0.02)
        raise AssertionError("no bot has moved")

    housed(url, stopped)
    housed(url, again, begin_at=1e9 + HOUR)


def test_an_invitation_waits_for_a_week(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        slow, quick = [await house.table(GAME, "open", "random", clock=clock) for clock in (DAILY, "none")]
        for after, kept in ((HOUR + 60, [True, False]), (6 * DAY, [True, False]), (8 * DAY, [False, False])):
            await prune(house.registry, Keep(unused_hours=1).deadlines(house.time + after))
            assert [await is_there(house, table) for table in (slow, quick)] == kept

    housed(f"sqlite:///{tmp_path / 't.db'}", test)


def test_whose_time_was_up_while_no_server_ran_has_an_hour_more(tmp_path: Path) -> None:
    url, made = f"sqlite:///{tmp_path / 't.db'}", []

    async def before(house: House) -> None:
        quiet(house)
        table = await house.table(hexdeck.game("hawthorn", 2), "open", clock=DAILY)
        await house.registry.change(table.id, commands.sit(1, "", "", "", house.time))
        made.append(table.id)

    async def after(house: House) -> None:
        await asyncio.sleep(1.2)  # a look at the clocks
        table = await house.registry.table(made[0])
        assert [seat.kind for seat in table.seats] == ["person", "person"]
        house.time += HOUR + 1
        while any(seat.kind == "person" for seat in (await house.registry.table(made[0])).seats):
            await asyncio.sleep(0.05)

    housed(url, before)
    housed(url, after, begin_at=1e9 + 3 * DAY)


def test_nobody_becomes_host_because_the_host_looks_once_a_day(tmp_path: Path) -> None:
    async def test(house: House) -> None:
        quiet(house)
        tables = [await house.table(hexdeck.game("hawthorn", 2), "open", clock=clock) for clock in (DAILY, "none")]
        for table in tables:
            await house.registry.change(table.id, commands.sit(1, "", "", "", house.time))
        later = house.time + HOUR
        assert [commands.may_host(table, 1, True, later) for table in tables] == [False, True]
        assert commands.may_host(tables[0], 1, True, house.time + DAY)

    housed(f"sqlite:///{tmp_path / 't.db'}", test)
