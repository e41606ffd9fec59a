"""Faults planted in the application are found by evenings, each by one that is known to meet it; one by a story."""

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any

import pytest

from hexdeck.tables.entries import OVER, PLAYING
from tests.evenings.evening import live
from tests.evenings.network import Line
from tests.evenings.party import Party
from tests.evenings.people import Person
from tests.evenings.planted import (
    FAULTS,
    PASTIME_FAULTS,
    holders_remembered_for_ever,
    orphans_left_alone,
    refused_and_silent,
)
from tests.evenings.story import Play, at, begins, move_of, newest, told, two_move_at_once
from tests.evenings.world import Server, World

MEETS = {"acknowledged before it is stored": 1, "without a lock": 1, "any version is current": 102}  # seeds


def test_each_fault_has_an_evening_and_a_story() -> None:
    assert list(MEETS) == list(FAULTS) == list(STORIES)


@pytest.mark.long
@pytest.mark.parametrize("name", MEETS)
def test_a_planted_fault_is_found_by_an_evening(name: str) -> None:
    plant, says = FAULTS[name]
    with plant():
        found = live(MEETS[name])
    assert any(says in each for each in found.failures), str(found)


# --- the same in short ------------------------------------------------------------------------------------------------
async def moves_while_the_disk_is_full(world: World, first: Server, second: Server) -> None:
    """What can't be stored isn't acknowledged."""
    ann, table = await begins(world, first)
    form = await move_of(ann, table)
    world.weather.store_fails = lambda: True  # type: ignore[method-assign]
    await ann.post(f"{table}/move", **form)


async def looks_while_a_move_is_stored(world: World, first: Server, second: Server) -> None:
    """Whoever looks for the first time meanwhile waits, and sees what is stored."""
    ann, table = await begins(world, first)
    form = await move_of(ann, table)
    world.weather.store_delay = lambda: 1.0  # type: ignore[method-assign]
    made = world.loop.create_task(ann.post(f"{table}/move", **form))
    await asyncio.sleep(0.5)
    await at(world, "Ben", first).get(table)
    assert (await made).status == 303


async def sends_an_old_form(world: World, first: Server, second: Server) -> None:
    """A form of an earlier turn is no move."""
    ann, table = await begins(world, first)
    forms = list[dict[str, str]]()
    for _ in range(12):
        forms.append(await move_of(ann, table))
        assert (await ann.post(f"{table}/move", **forms[-1])).status == 303
        if world.oracle.shadows[table.rpartition("/")[2]].table.state == OVER:
            break
        await move_of(ann, table)  # it is her turn again
        await asyncio.gather(*(ann.post(f"{table}/move", **form) for form in forms))


STORIES: dict[str, Play] = {
    "acknowledged before it is stored": moves_while_the_disk_is_full,
    "without a lock": looks_while_a_move_is_stored,
    "any version is current": sends_an_old_form,
}


@pytest.mark.parametrize("name", STORIES)
def test_a_planted_fault_is_found_by_a_story(name: str) -> None:
    plant, says = FAULTS[name]
    worlds = list[World]()

    async def play(world: World, first: Server, second: Server) -> None:
        worlds.append(world)
        await STORIES[name](world, first, second)

    told(play)  # without the fault nothing is found
    with plant(), pytest.raises(AssertionError):
        told(play)
    assert any(says in each for each in worlds[-1].failures), worlds[-1].failures


def test_who_refuses_and_tells_nobody_is_found() -> None:
    """Evenings found this one; hardly any meets it now."""
    with refused_and_silent(), pytest.raises(AssertionError):
        told(two_move_at_once)


# --- holders that are never forgotten: one evening of forty meets that ------------------------------------------------
@pytest.mark.parametrize("planted", [False, True])
def test_who_lost_a_seat_sees_its_hand_no_more(planted: bool) -> None:
    worlds = list[World]()

    async def play(world: World, _first: Server, _second: Server) -> None:
        worlds.append(world)
        party = Party(world, 0)
        party.form, party.open = {**FORM, "game": "cursed-hand"}, 1
        host, ben = party.host, Person(world, "Ben", party)
        await host.sets_up()
        while ben.seat < 0:
            await ben.is_there()
        assert await host.do(f"seat/{ben.seat}/free")
        page = await ben.line.get(f"/table/{party.table}")
        world.oracle.saw_page(ben, party.table, page.text)

    fault = holders_remembered_for_ever() if planted else contextlib.nullcontext()
    refused = pytest.raises(AssertionError) if planted else contextlib.nullcontext()
    with fault, refused:
        told(play)
    assert any("sees" in each for each in worlds[0].failures) == planted


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


# --- beside and after a match -----------------------------------------------------------------------------------------
FORM = {"game": "blackstone", "players": 2, "seat-0": "you", "seat-1": "open"}


async def an_idle_evening(world: World, _first: Server, _second: Server) -> None:
    """Two play a match, look back at it, pass the time, and leave for good; meanwhile a process is killed."""
    party = Party(world, 0)
    party.form, party.open = FORM, 1
    host, ben = party.host, Person(world, "Ben", party)
    both = (host, ben)
    host.clicks_twice = ben.clicks_twice = True
    await host.sets_up()
    while ben.seat < 0:
        await ben.is_there()
    match = world.oracle.shadows[party.table].table
    for _ in range(200):
        for person in both if match.state == PLAYING else ():
            await person.play()
    assert match.state == OVER
    for guest in both:
        for _ in range(3):
            await guest.says_what_they_thought()
            await guest.solves_a_puzzle()
        for _ in range(4):
            await guest.plays_a_deal()
            await guest.peeks()
    for guest in both:
        await guest.chooses_again()
    await world.restart(world.servers[0], killed=True)
    await host.takes_all_along()
    for guest in both:
        await guest.reads_own_page()
    await host.forgets_puzzles()
    await ben.leaves_for_good()
    await host.leaves_everything()
    world.oracle.close()


async def until_it_is_found(world: World, evening: Coroutine[Any, Any, None], says: str) -> None:
    """Live through an evening until a failure says this."""
    task = world.loop.create_task(evening)
    while not (task.done() or any(says in each for each in world.failures)):
        await asyncio.sleep(1)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not world.failures


@pytest.mark.parametrize("name", ["", *PASTIME_FAULTS])
def test_what_is_kept_beside_matches_is_looked_after(name: str) -> None:
    if not name:
        world = told(an_idle_evening)
        assert min(world.oracle.counts[each] for each in ("feedback", "again", "puzzles", "files", "leave")) > 0
        return
    (plant, says), worlds = PASTIME_FAULTS[name], list[World]()

    async def play(world: World, first: Server, second: Server) -> None:
        worlds.append(world)
        await until_it_is_found(world, an_idle_evening(world, first, second), says)

    with plant(), pytest.raises(AssertionError):
        told(play)
    assert any(says in each for each in worlds[0].failures), worlds[0].failures
