"""A process takes over what another stored, and forgets what another told when it is silent."""

from dataclasses import replace

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.tables import commands, rows
from hexdeck.tables.errors import NotResumable
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import changed_columns, entry_row, extend, table_from_rows
from hexdeck.web.server.state import SILENCE_LIMIT, RemoteViewers
from tests.tables.house import House, in_a_file, in_each_database
from tests.tables.test_tables import shown


async def copied(house: House, table: LiveTable) -> LiveTable:
    stored = await house.registry.run_job(rows.read_table, table.id)
    assert stored
    return table_from_rows(stored)


async def follow(house: House, copy: LiveTable) -> None:
    """Have the copy take over what was stored since."""
    known = copy.id, copy.version, None
    stored = await house.registry.run_job(rows.read_table, *known)
    assert stored
    extend(copy, stored)


@in_each_database
async def test_what_another_process_stored_is_taken_over_and_choices_that_were_taken_back(house: House) -> None:
    table = await house.table(hexdeck.game("wolf-mans-curse", 3), "open", "open")
    for seat in (1, 2):
        await house.sits(table, seat)
    copy = await copied(house, table)
    await house.moves(table, 0)
    await follow(house, copy)
    assert shown(copy) == shown(table)
    await house.change(table, commands.retract(0, table.version, house.time))
    await follow(house, copy)
    assert shown(copy) == shown(table) and copy.view(0).moves


@in_a_file
async def test_what_comes_next_is_played_on_without_playing_all_of_it_again_and_what_cannot_come_is_refused(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.sleeps()
    table = await house.of_people(hexdeck.game("wolf-mans-curse", 3))
    copy, false = await copied(house, table), await copied(house, table)
    monkeypatch.setattr(Match, "load_events", lambda *_: pytest.fail("it was played again"))
    for _ in range(12):
        await house.moves(table, table.acting[0])
        await follow(house, copy)
        assert shown(copy) == shown(table)
    stored = await house.registry.run_job(rows.read_table, false.id, false.version, None)
    assert stored
    with pytest.raises(NotResumable):
        extend(false, replace(stored, events=stored.events[1:]))


@in_each_database
async def test_a_read_never_goes_back_though_no_news_of_what_was_stored_ever_came(house: House) -> None:
    """Another process stored it, was read there, and was killed before it told anybody."""
    house.sleeps()
    table = await house.of_people(hexdeck.game("wolf-mans-curse", 3))
    before, others = table.version, await copied(house, table)
    drafted = commands.rename(0, "Zoe", house.time)(others)
    stored = [entry_row(others, entry) for entry in drafted.entries], changed_columns(others, drafted, "killed")
    await house.registry.run_job(rows.append_entries, table.id, *stored)
    async with house.registry.reading(table.id, newest=False) as stale:
        assert stale.version == before
    async with house.registry.reading(table.id) as read:
        is_shared = house.registry.fanout.shared
        assert (read.version, read.names[0] == "Zoe") == (before + is_shared, is_shared)


def test_what_a_process_told_is_forgotten_when_it_is_silent_for_long() -> None:
    now = [0.0]
    elsewhere = RemoteViewers(lambda: now[0])
    assert elsewhere.update("one", [("a", [0, 2], 3), ("b", [], 0)]) == [("a", frozenset())]
    assert elsewhere.update("two", [("a", [2], 1)]) == [("a", frozenset())]
    assert 2 in elsewhere.seats("a") and 1 not in elsewhere.seats("a") and 0 not in elsewhere.seats("b")
    assert elsewhere.spectators("a") == 4 and elsewhere.spectators("b") == 0
    now[0] = SILENCE_LIMIT - 1
    assert elsewhere.update("two", [("a", [2], 1)]) == [] and elsewhere.expire() == []
    now[0] = SILENCE_LIMIT + 1
    assert elsewhere.expire() == [("a", frozenset({0, 2}))]
    assert 2 in elsewhere.seats("a") and 0 not in elsewhere.seats("a") and elsewhere.spectators("a") == 1
    assert elsewhere.update("two", [("a", [], 0)]) == [("a", frozenset({2}))] and 2 not in elsewhere.seats("a")
