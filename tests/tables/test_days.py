"""Matches of days: a move a day, bots that go on while nobody looks, invitations that may wait."""

import random

import pytest

import hexdeck
from hexdeck.tables import commands
from hexdeck.tables import runner as runners
from hexdeck.tables.entries import CLOCKS, DAILY
from hexdeck.tables.runner import DAY, HOUR, Retention, prune
from tests.tables.house import House, housed, in_a_file
from tests.tables.test_tables import is_there

GAME = hexdeck.game("black-hearts", 3)


@in_a_file
async def test_a_bot_takes_over_after_a_day_and_not_before(house: House) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("hawthorn", 2), "open", clock=DAILY)
    await house.sits(table, 1)
    for seat in range(2):
        await house.change(table, commands.page_opened(seat, house.time))
    assert table.due == house.time + DAY == house.time + (CLOCKS[DAILY] or 0)
    with pytest.raises(hexdeck.HexdeckError, match="still running"):
        await house.change(table, commands.give_to_bot(1, commands.BY_CLOCK, house.time + DAY - 1))
    await house.change(table, commands.give_to_bot(1, commands.BY_CLOCK, house.time + DAY))
    assert table.seats[1].kind == "bot"


@pytest.mark.parametrize(("clock", "moves"), [(DAILY, True), ("relaxed", False)])
@in_a_file
async def test_bots_go_on_though_nobody_looks(house: House, clock: str, moves: bool) -> None:
    house.runner.waits = lambda _table: False
    table = await house.table(GAME, "random", "random", clock=clock)
    house.runner.wake(table)
    assert bool(house.runner._thinking) == moves
    if moves:
        await house.play(table, [0], random.Random(1), 8)
        assert table.version > 16


@in_a_file
async def test_bots_that_were_left_go_on_by_themselves(house: House) -> None:
    wake, house.runner.waits = house.runner.wake, lambda _table: False
    house.sleeps()
    table = await house.table(GAME, "random", "random", clock=DAILY)
    if 0 in table.acting:
        await house.moves(table, 0)
    assert table.played_by_server
    house.registry.forget(table.id)  # as after a restart
    house.runner.wake = house.registry.on_change = wake  # type: ignore[method-assign]
    house.time += HOUR
    await house.passes(runners.DAYS_EVERY + 1)
    assert not (await house.registry.table(table.id)).played_by_server


@in_a_file
async def test_an_invitation_waits_for_a_week(house: House) -> None:
    slow, quick = [await house.table(GAME, "open", "random", clock=clock) for clock in (DAILY, "none")]
    for after, kept in ((HOUR + 60, [True, False]), (6 * DAY, [True, False]), (8 * DAY, [False, False])):
        await prune(house.registry, Retention(unused_hours=1), house.time + after)
        assert [await is_there(house, table) for table in (slow, quick)] == kept


def test_whose_time_was_up_while_no_server_ran_has_an_hour_more(place: str) -> None:
    made: list[str] = []

    async def before(house: House) -> None:
        house.sleeps()
        table = await house.table(hexdeck.game("hawthorn", 2), "open", clock=DAILY)
        await house.sits(table, 1)
        made.append(table.id)

    async def after(house: House) -> None:
        table = await house.registry.table(made[0])
        await house.passes(2 * runners.CLOCKS_EVERY)
        assert [seat.kind for seat in table.seats] == ["person", "person"]
        house.time += HOUR
        await house.passes(2 * runners.CLOCKS_EVERY)
        assert [seat.kind for seat in table.seats] == ["bot", "bot"]

    housed(place, before)
    housed(place, after, begin_at=1e9 + 3 * DAY)


@in_a_file
async def test_a_clock_stops_while_the_server_is_suspended(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by Ctrl-Z, or when a laptop sleeps: whoever was to move has the time of a turn when it is back."""
    table = await house.table(hexdeck.game("hawthorn", 2), "open", clock="brisk")
    await house.sits(table, 1)
    asleep, awake = [0.0], house.registry.runtime.monotonic
    monkeypatch.setattr(house.registry.runtime, "monotonic", lambda: awake() + asleep[0])
    asleep[0] = 3 * HOUR
    house.time += 3 * HOUR
    await house.passes(2 * runners.CLOCKS_EVERY)
    assert [seat.kind for seat in table.seats] == ["person", "person"]
    house.time += 45
    await house.passes(2 * runners.CLOCKS_EVERY)
    assert [seat.kind for seat in table.seats] == ["bot", "bot"]


@in_a_file
async def test_nobody_becomes_host_because_the_host_looks_once_a_day(house: House) -> None:
    house.sleeps()
    tables = [await house.table(hexdeck.game("hawthorn", 2), "open", clock=clock) for clock in (DAILY, "none")]
    for table in tables:
        await house.sits(table, 1)
    later = house.time + HOUR
    assert [commands.may_host(table, 1, True, later) for table in tables] == [False, True]
    assert commands.may_host(tables[0], 1, True, house.time + DAY)
