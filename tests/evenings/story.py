"""Short stories with two processes and no troubles but those that are told: what tests of one fault are made of."""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor

from tests.evenings.network import Line
from tests.evenings.oracle import MAIN
from tests.evenings.people import BUTTON, PICK, VERSION
from tests.evenings.world import Server, World

Play = Callable[[World, Server, Server], Awaitable[None]]


def told(play: Play) -> World:
    """A world of two processes without troubles, in which a story is told, in a thread of its own as evenings are."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(_told, play).result()


def _told(play: Play) -> World:
    world = World("two processes")
    world.alone = False
    world.weather.clears()

    async def story() -> None:
        await play(world, await world.start_server(), await world.start_server())

    world.run(story())
    assert not world.failures, world.failures
    return world


async def begins(world: World, server: Server, who: str = "Ann") -> tuple[Line, str]:
    """Somebody sets up a table for two through a process; a bot plays the other seat."""
    ann = at(world, who, server)
    answer = await ann.post("/tables", game="blackstone", players=2, **{"seat-0": "you", "seat-1": "bot:steady"})
    return ann, answer.header("location")


def at(world: World, who: str, server: Server, like: Line | None = None) -> Line:
    """A browser whose requests go to one process; `like`: with the cookies of another."""
    line = Line(world, who, "198.51.100.1")
    line.cookies = dict(like.cookies) if like else {}
    world.routes[who] = server
    return line


async def move_of(line: Line, table: str) -> dict[str, str]:
    """The first move that a page offers."""
    for _ in range(100):
        page = (await line.get(table)).text
        moves, cards, version = BUTTON.findall(page), PICK.findall(page), VERSION.search(page)
        if version and moves:
            return {"version": version[1], "move": moves[0]}
        assert not cards
        await asyncio.sleep(1)
    raise AssertionError("it is never their turn")


async def newest(line: Line, table: str, seen: list[int]) -> None:
    async for chunk in line.stream(f"{table}/stream"):
        seen += [int(found) for found in MAIN.findall(chunk.decode())]


async def two_move_at_once(world: World, first: Server, second: Server) -> None:
    """One seat moves through both processes; somebody watches through each, the one that comes second too."""
    ann, table = await begins(world, first)
    form = await move_of(ann, table)
    other, seen = at(world, "Ann twice", second, ann), (list[int](), list[int]())
    watching = [at(world, f"Ann watches {k}", server, ann) for k, server in enumerate((first, second))]
    watches = [world.loop.create_task(newest(line, table, seen[k])) for k, line in enumerate(watching)]
    await asyncio.sleep(1)
    second.state.runner.wake = first.state.runner.wake = lambda _table: None  # bots do nothing: no other news comes
    world.weather.wire_delay = lambda: 0.01  # type: ignore[method-assign]
    world.weather.news_delay = lambda: 2.0  # type: ignore[method-assign]
    answers = await asyncio.gather(ann.post(f"{table}/move", **form), other.post(f"{table}/move", **form))
    assert sorted(answer.status for answer in answers) == [303, 409]
    await asyncio.sleep(20)
    for watch in watches:
        watch.cancel()
    newest_version = first.state.registry.tables[table.rpartition("/")[2]].version
    assert [versions[-1] for versions in seen] == [newest_version] * 2
