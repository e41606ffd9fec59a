"""What evenings found: each once failed, here as short as it can be told."""

import asyncio

from tests.evenings.story import at, begins, move_of, newest, told, two_move_at_once
from tests.evenings.world import Server, World


def test_a_move_that_was_refused_does_not_hide_the_other_one_from_those_who_watch() -> None:
    """A process that came second and read what the first had stored took the news of it for old: it told nobody."""
    told(two_move_at_once)


def test_who_watches_sees_on_after_their_process_could_not_store_a_move() -> None:
    """A process that couldn't store drops the table, and didn't listen to news of tables that it doesn't have."""

    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        form = await move_of(ann, table)
        other, watching = at(world, "Ann elsewhere", second, ann), at(world, "Ann watches", first, ann)
        seen: list[int] = []
        watch = world.loop.create_task(newest(watching, table, seen))
        await asyncio.sleep(1)
        second.state.runner.wake = first.state.runner.wake = lambda _table: None
        world.weather.store_fails = lambda: True  # type: ignore[method-assign]
        assert (await ann.post(f"{table}/move", **form)).status == 503
        world.weather.store_fails = lambda: False  # type: ignore[method-assign]
        assert (await other.post(f"{table}/move", **form)).status == 303
        await asyncio.sleep(20)
        assert seen[-1] == second.state.registry.tables[table.rpartition("/")[2]].version
        watch.cancel()

    told(play)
