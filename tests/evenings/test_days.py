"""A deal of the day with two processes, one of which is killed: one table each, the same cards, the same bots."""

import asyncio

from hexdeck.tables.entries import OVER
from tests.evenings.network import Line
from tests.evenings.people import BUTTON, VERSION
from tests.evenings.story import at, move_of, told
from tests.evenings.world import Server, World

GAME = "/today/blackstone"


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
        both = await asyncio.gather(ann.post(GAME, name="Ann"), twin.post(GAME, name="Ann"))
        tables = {answer.header("location") for answer in both}
        assert len(tables) == 1 and all(answer.status == 303 for answer in both)
        (mine,) = tables
        theirs = (await ben.post(GAME, name="Ben")).header("location")
        made = await to_the_end(ann, mine, 2)
        assert (await ben.get(mine)).status == (await ann.get(theirs)).status == 403
        world.routes["Ann"] = second
        first.kill()
        world.servers.remove(first)
        made += await to_the_end(ann, mine)
        assert (await ann.post(GAME)).header("location") == mine
        assert (await ben.get(mine)).status == 403 and (await ann.get(theirs)).status == 200
        assert await to_the_end(ben, theirs) == made and (await ben.get(mine)).status == 200
        shadows = [world.oracle.shadows[path.rpartition("/")[2]].table for path in (mine, theirs)]
        assert [each.state for each in shadows] == [OVER, OVER] and shadows[0].pairs == shadows[1].pairs
        world.days += 86_400
        tomorrow = (await ann.post(GAME)).header("location")
        fresh = world.oracle.shadows[tomorrow.rpartition("/")[2]].table
        assert tomorrow != mine and fresh.commitment != shadows[0].commitment
        await move_of(ann, tomorrow)

    told(play)
