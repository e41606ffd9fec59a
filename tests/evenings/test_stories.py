"""Stories of two processes, each as short as it can be told: faults that evenings found, or that few of them meet."""

import asyncio
import html
import re
from typing import Any

import pytest
from sqlalchemy import select

from hexdeck.tables.database import answers
from hexdeck.tables.entries import OVER
from tests.evenings.network import Line
from tests.evenings.people import BUTTON, VERSION
from tests.evenings.story import Play, at, begins, move_of, newest, told, two_move_at_once
from tests.evenings.world import Server, World

DEAL = "/today/blackstone"
LONG = 120  # seconds


async def moves_while_the_disk_is_full(world: World, first: Server, second: Server) -> None:
    ann, table = await begins(world, first)
    form = await move_of(ann, table)
    world.weather.store_fails = lambda: True  # type: ignore[method-assign]
    await ann.post(f"{table}/move", **form)


async def looks_while_a_move_is_stored(world: World, first: Server, second: Server) -> None:
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


@pytest.mark.parametrize(
    "play", [two_move_at_once, moves_while_the_disk_is_full, looks_while_a_move_is_stored, sends_an_old_form]
)
def test_a_story_ends_well(play: Play) -> None:
    told(play)


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


def test_an_answer_to_a_puzzle_is_stored_when_it_is_acknowledged() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, _table = await begins(world, first)
        (path, *_more) = re.findall(r"/puzzles/[\d-]+/1", (await ann.get("/puzzles")).text)
        move = html.unescape(BUTTON.findall((await ann.get(path)).text)[0])
        world.weather.store_delay = lambda: 1.0  # type: ignore[method-assign]
        assert (await ann.post(path, move=move)).status == 303
        with world.engine.begin() as connection:
            assert connection.execute(select(answers)).all()

    told(play)


async def until_a_bot_is_to_act(world: World, ann: Line, table: str) -> None:
    shadow = world.oracle.shadows[table.rpartition("/")[2]]
    for _ in range(20):
        assert (await ann.post(f"{table}/move", **await move_of(ann, table))).status == 303
        if shadow.table.played_by_server:
            return
    raise AssertionError("it is never a bot's turn")


def test_bots_of_a_killed_process_play_on() -> None:
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
        assert len(entries) > before

    told(play)


# --- who is away ------------------------------------------------------------------------------------------------------
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
    return 'name="move"' in (await ann.get(table)).text


def test_who_is_away_is_called_once_by_two_processes() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        await goes_away(world, first, second)
        await asyncio.sleep(30)
        assert len(world.oracle.calls) == 1

    told(play)


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


# --- a deal of the day ------------------------------------------------------------------------------------------------
async def to_the_end(line: Line, table: str, moves: int = 200) -> list[str]:
    """Make the first move that is offered, again and again; returns the moves."""
    made = list[str]()
    for _try in range(1000):
        if len(made) == moves:
            break
        page = (await line.get(table)).text
        if "/record" in page:
            break
        if not (BUTTON.findall(page) and VERSION.search(page)):
            await asyncio.sleep(1)
            continue
        move = await move_of(line, table)
        if (await line.post(f"{table}/move", **move)).status == 303:
            made.append(move["move"])
    return made


def test_a_killed_process_and_a_button_pressed_twice_change_nothing_about_a_deal() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, ben = at(world, "Ann", first), at(world, "Ben", second)
        await ann.post("/tables", game="blackstone", players=2, **{"seat-0": "you", "seat-1": "bot:steady"})
        twin = at(world, "Ann elsewhere", second, ann)
        both = await asyncio.gather(ann.post(DEAL, name="Ann"), twin.post(DEAL, name="Ann"))
        tables = {answer.header("location") for answer in both}
        assert len(tables) == 1 and all(answer.status == 303 for answer in both)
        (mine,) = tables
        theirs = (await ben.post(DEAL, name="Ben")).header("location")
        made = await to_the_end(ann, mine, 2)
        assert (await ben.get(mine)).status == (await ann.get(theirs)).status == 403
        world.routes["Ann"] = second
        first.kill()
        world.servers.remove(first)
        made += await to_the_end(ann, mine)
        assert (await ann.post(DEAL)).header("location") == mine
        assert (await ben.get(mine)).status == 403 and (await ann.get(theirs)).status == 200
        assert await to_the_end(ben, theirs) == made and (await ben.get(mine)).status == 200
        shadows = [world.oracle.shadows[path.rpartition("/")[2]].table for path in (mine, theirs)]
        assert [each.state for each in shadows] == [OVER, OVER] and shadows[0].pairs == shadows[1].pairs
        world.days += 86_400
        tomorrow = (await ann.post(DEAL)).header("location")
        fresh = world.oracle.shadows[tomorrow.rpartition("/")[2]].table
        assert tomorrow != mine and fresh.commitment != shadows[0].commitment
        await move_of(ann, tomorrow)

    told(play)
