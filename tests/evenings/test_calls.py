"""Whoever is away is called to their turn: once, whatever processes do, and also where the store fails meanwhile."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, update

from hexdeck.tables import rows
from tests.evenings.story import at, begins, move_of, newest, told
from tests.evenings.world import Server, World


async def goes_away(world: World, first: Server, second: Server) -> str:
    """Ann wants to be called, moves, and closes the page; somebody watches through the other process."""
    ann, table = await begins(world, first)
    watching = world.loop.create_task(newest(at(world, "Ben", second), table, []))
    assert (await ann.post(f"{table}/push", **world.browser("Ann"))).status in (200, 204, 303)
    while await is_up(ann, table):
        assert (await ann.post(f"{table}/move", **await move_of(ann, table))).status == 303
    while not await is_up(ann, table):  # a look is no open page
        await asyncio.sleep(0.2)
    world.loop.call_later(60, watching.cancel)
    return table


async def is_up(ann: Any, table: str) -> bool:
    """Whether it is her turn."""
    return 'name="move"' in (await ann.get(table)).text


async def is_called(world: World, first: Server, second: Server) -> None:
    """She is called once."""
    await goes_away(world, first, second)
    await asyncio.sleep(30)
    assert len(world.oracle.calls) == 1


def test_who_is_away_is_called_once_by_two_processes() -> None:
    told(is_called)


def test_a_call_from_every_process_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def claim(connection: Connection, table: str, seat: int, turn: int) -> list[Any]:
        where = rows.subscriptions
        wanted = where.c.table == table, where.c.seat == seat, where.c.told <= turn
        statement = update(where).where(*wanted).values(told=turn).returning(*where.c)
        return [dict(row) for row in connection.execute(statement).mappings()]

    monkeypatch.setattr(rows, "claim_turn", claim)
    worlds = list[World]()

    async def play(world: World, first: Server, second: Server) -> None:
        worlds.append(world)
        await is_called(world, first, second)

    with pytest.raises(AssertionError):
        told(play)
    assert any("is called twice" in each for each in worlds[0].failures)


def test_a_call_waits_until_the_store_can_be_written_again() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        await goes_away(world, first, second)
        world.weather.store_fails = lambda: True  # type: ignore[method-assign]
        await asyncio.sleep(12)
        assert not world.oracle.calls
        world.weather.store_fails = lambda: False  # type: ignore[method-assign]
        await asyncio.sleep(20)
        assert len(world.oracle.calls) == 1

    told(play)
