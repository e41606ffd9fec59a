"""A server is updated in the middle of matches, and the rules of a game with it: what players see, and what goes on."""

import asyncio
import json

import pytest
from sqlalchemy import select, update

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.layout import added_since, bytes_at
from hexdeck.tables.database import events, tables
from tests.evenings.oracle import shown_cards
from tests.evenings.story import at, begins, move_of, newest, told
from tests.evenings.world import Server, World

GAME = "blackstone"
STRUCT, VERSION = definition(GAME).rules.STRUCT, definition(GAME).struct_version


def stored(world: World, table: str) -> dict[str, object]:
    with world.engine.begin() as connection:
        row = connection.execute(select(tables).where(tables.c.id == table.rpartition("/")[2])).mappings().one()
    return dict(row)


def change(world: World, table: str, **columns: object) -> None:
    with world.engine.begin() as connection:
        connection.execute(update(tables).where(tables.c.id == table.rpartition("/")[2]).values(**columns))


def as_before(world: World, table: str, version: int) -> None:
    row, added = stored(world, table), added_since(STRUCT, version)
    assert added
    options = {name: value for name, value in json.loads(str(row["options"])).items() if name not in added}
    struct = bytes_at(STRUCT, version, bytes(row["struct"]))  # type: ignore[call-overload]
    assert struct is not None and len(struct) < len(bytes(row["struct"]))  # type: ignore[call-overload]
    change(world, table, rules=version, options=json.dumps(options), struct=struct)


async def replaced(world: World, first: Server, second: Server) -> Server:
    await second.stop()
    await first.stop()
    world.servers.clear()
    newer = await world.start_server()
    world.routes = dict.fromkeys(world.routes, newer)
    return newer


def test_a_match_whose_struct_grew_goes_on_as_if_nothing_had_happened() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        await ann.post(f"{table}/move", **await move_of(ann, table))
        form = await move_of(ann, table)
        before = await ann.get(table)
        await first.stop()
        as_before(world, table, VERSION - 1)
        await replaced(world, second, second)
        after = await ann.get(table)
        assert shown_cards(after.text) == shown_cards(before.text) and sum(map(len, shown_cards(after.text).values()))
        assert await move_of(ann, table) == form
        assert (await ann.post(f"{table}/move", **form)).status == 303
        assert stored(world, table)["rules"] == VERSION and stored(world, table)["state"] == "playing"

    told(play)


def test_a_match_that_no_longer_follows_its_rules_ends_with_a_sentence_and_others_go_on() -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        ben, other = await begins(world, second, "Ben")
        form = await move_of(ann, table)
        await first.stop()
        length = len(bytes(stored(world, table)["struct"]))  # type: ignore[call-overload]
        change(world, table, struct=bytes(length))
        await replaced(world, second, second)
        why = "can&#39;t be resumed: the game has changed since it was saved"
        for answer in (await ann.get(table), await ann.post(f"{table}/move", **form), await ann.get(f"{table}/stream")):
            assert answer.status == 410 and why in answer.text, answer.text
        program = at(world, "Ann's program", world.servers[0])
        program.bearer = ann.token
        answer = await program.get(f"/api/tables/{table.rpartition('/')[2]}")
        assert answer.status == 410 and answer.json["error"].startswith("This table can't be resumed: the game has")
        assert (await ann.get("/tables")).status == 200 and stored(world, table)["state"] == "ended"
        with world.engine.begin() as connection:
            kinds = list(
                connection.execute(select(events.c.kind).where(events.c.table == table.rpartition("/")[2])).scalars()
            )
        assert kinds.count("ended") == 1 and kinds[-1] == "ended"
        assert (await ben.post(f"{other}/move", **await move_of(ben, other))).status == 303
        assert (await ann.post(f"{table}/leave")).status == 303  # the last who held a seat: nothing is kept
        assert (await ann.get(table)).status == 404

    told(play)


def test_a_server_that_was_not_updated_yet_leaves_the_match_to_the_one_that_was() -> None:
    """While processes are replaced one by one: the older one says why it can't go on, and spoils nothing."""

    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        form = await move_of(ann, table)
        updated, watching = at(world, "Ann's phone", second, ann), at(world, "Ann watches", first, ann)
        seen: list[int] = []
        watch = world.loop.create_task(newest(watching, table, seen))
        await asyncio.sleep(1)
        world.weather.news_delay = lambda: 1.0  # type: ignore[method-assign]
        assert (await updated.post(f"{table}/move", **form)).status == 303
        change(world, table, rules=VERSION + 1)  # as the newer one stores it
        await asyncio.sleep(20)
        assert watch.done() and seen, "the older one's stream shows what isn't any more"
        answer = await ann.get(table)
        assert answer.status == 400 and f"follows newer rules of {GAME} than this server knows" in answer.text
        assert (await ann.post(f"{table}/move", **form)).status == 400
        assert (await updated.get(table)).status == 200
        assert stored(world, table)["state"] == "playing" and stored(world, table)["rules"] == VERSION + 1

    told(play)


@pytest.mark.parametrize("killed", [False, True])
def test_a_process_is_replaced_also_when_the_evening_becomes_calm_meanwhile(killed: bool) -> None:
    """Seed 5007: the only process had stopped when troubles ended, and nobody began another."""

    async def play(world: World, first: Server, second: Server) -> None:
        world.alone = True
        trouble = world.loop.create_task(world.restart(second, killed=killed))
        await asyncio.sleep(0.05)
        trouble.cancel()
        await asyncio.gather(trouble, *world.replacing, return_exceptions=True)
        assert second not in world.servers and [server.ready for server in world.servers] == [True, True]

    told(play)


@pytest.mark.parametrize("killed", [False, True])
def test_who_plays_while_processes_are_replaced_one_by_one_goes_on(killed: bool) -> None:
    async def play(world: World, first: Server, second: Server) -> None:
        ann, table = await begins(world, first)
        for server in (first, second):
            form = await move_of(ann, table)
            await world.restart(server, killed=killed)
            world.routes.clear()
            assert (await ann.post(f"{table}/move", **form)).status == 303

    told(play)
