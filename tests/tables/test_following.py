"""A process follows what another stored by playing it on; where that can't be done, all is put together anew."""

from __future__ import annotations

import random

import pytest

import hexdeck
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import codec, commands
from hexdeck.tables.storage import rows
from tests.settings import every_game, small_game
from tests.tables.test_tables import House, housed, shown


async def copied(house: House, table: LiveTable) -> LiveTable:
    """The table as another process would load it now."""
    stored = await house.registry.run_job(lambda connection: rows.read_table(connection, table.id))
    assert stored
    return codec.table_from_rows(stored)


async def follow(house: House, copy: LiveTable) -> None:
    """Have the copy take over what was stored since."""
    known = copy.id, copy.version, None
    stored = await house.registry.run_job(lambda connection: rows.read_table(connection, *known))
    assert stored
    codec.extend(copy, stored)


@every_game
def test_what_another_process_stored_is_played_on(database: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(house: House) -> None:
        table, rng = await house.table(small_game(name)), random.Random(4)
        await house.settles(table)
        copy = await copied(house, table)
        assert copy.match
        match, views = copy.match, copy.match.seat_views
        monkeypatch.setattr(LiveTable, "restore", None)  # what puts a match together anew isn't needed
        for _ in range(4):
            await house.play(table, [0], rng, 3)
            await house.settles(table)
            await follow(house, copy)
            assert copy.match is match and match.seat_views is views
            assert shown(copy) == shown(table)

    housed(database, test)


def test_after_a_choice_was_taken_back_a_match_is_put_together_anew(database: str) -> None:
    async def test(house: House) -> None:
        table = await house.table(hexdeck.game("wolf-mans-curse", 3), "open", "open")
        for seat in (1, 2):
            await house.registry.change(table.id, commands.sit(seat, "", "", "", house.time))
        copy = await copied(house, table)
        await house.registry.change(table.id, commands.move(0, table.view(0).moves[0].id, table.version, house.time))
        await follow(house, copy)
        await house.registry.change(table.id, commands.retract(0, table.version, house.time))
        await follow(house, copy)
        assert shown(copy) == shown(table) and copy.view(0).moves

    housed(database, test)
