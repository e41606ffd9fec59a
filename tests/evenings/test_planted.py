"""Faults planted in the application are found by evenings, each by one that is known to meet it; one by a story."""

import asyncio
import contextlib

import pytest

from tests.evenings.evening import live
from tests.evenings.network import Line
from tests.evenings.planted import FAULTS, orphans_left_alone
from tests.evenings.story import at, begins, move_of, newest, told
from tests.evenings.world import Server, World

MEETS = {
    "acknowledged before it is stored": 1,
    "without a lock": 3,
    "any version is current": 102,
    "holders remembered for ever": 307,
    "refused and silent": 313,
}  # seeds


def test_each_fault_has_an_evening() -> None:
    assert list(MEETS) == list(FAULTS)


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found(name: str) -> None:
    plant, says = FAULTS[name]
    with plant():
        found = live(MEETS[name])
    assert any(says in each for each in found.failures), str(found)


# --- bots of a killed process, in whose turn it was: evenings hardly ever meet that -----------------------------------
LONG = 120  # seconds


async def until_a_bot_is_to_act(world: World, ann: Line, table: str) -> None:
    """Make moves until one is acknowledged after which a bot is to act."""
    shadow = world.oracle.shadows[table.rpartition("/")[2]]
    for _ in range(20):
        assert (await ann.post(f"{table}/move", **await move_of(ann, table))).status == 303
        if shadow.table.played_by_server:
            return
    raise AssertionError("it is never a bot's turn")


@pytest.mark.parametrize("planted", [False, True])
def test_bots_of_a_killed_process_play_on(planted: bool) -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        await until_a_bot_is_to_act(world, ann, table)
        first.kill()
        world.servers.remove(first)
        entries = world.oracle.shadows[table.rpartition("/")[2]].table.entries
        before, seen = len(entries), list[int]()
        watch = world.loop.create_task(newest(at(world, "Ann elsewhere", second, ann), table, seen))
        await asyncio.sleep(LONG)
        watch.cancel()
        assert (len(entries) > before) != planted

    with orphans_left_alone() if planted else contextlib.nullcontext():
        told(play)
