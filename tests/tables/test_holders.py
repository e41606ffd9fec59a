"""What a browser holds: leaving tables for good, and answers to puzzles."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text

import hexdeck
from hexdeck.cli import main
from hexdeck.tables import chat, commands, holders
from hexdeck.tables.advice import attempts_of, store_attempt
from hexdeck.tables.database import Database, metadata
from hexdeck.tables.entries import OVER, PLAYING
from hexdeck.tables.errors import NoTable, NotYours, Stale
from hexdeck.tables.fair import verify
from hexdeck.tables.feedback import Feedback, give_feedback
from hexdeck.tables.holders import Answer, Solved, has_answers, solved_by, store_answer
from hexdeck.tables.keys import hashed, holder_token, id_from, is_holder_token
from hexdeck.tables.registry import TableRegistry
from hexdeck.tables.runner import ANSWERED, Retention, prune
from hexdeck.web.routes.replays import recorder
from tests.tables.house import House, housed, in_a_file, in_each_database
from tests.tables.test_chat import heard, two

SECRET_WORDS = "the key is under the mat"


def everything(connection: Connection) -> str:
    return "\n".join(str(tuple(row)) for table in metadata.sorted_tables for row in connection.execute(select(table)))


async def kept(registry: TableRegistry) -> str:
    return await registry.run_job(everything)


async def played_out(registry: TableRegistry, id: str) -> None:
    table = await registry.table(id)
    while table.state == PLAYING and table.match is not None:
        seat = table.acting[0]
        move = table.match.legal_ids(seat)[0]
        local = table.seats[seat].local
        await registry.change(id, commands.move(seat, move, None, registry.clock(), local=local))


async def talked(registry: TableRegistry) -> str:
    """A table where Ann and Ben have talked, and Ann has taken another name; returns its id."""
    id = (await two(registry)).id
    await chat.post_message(registry, id, 0, text=SECRET_WORDS)
    await chat.post_message(registry, id, 1, text="really?")
    await registry.change(id, commands.rename(0, "Annabel", registry.clock()))
    await chat.post_message(registry, id, 0, phrase="ouch")
    return id


@in_a_file
async def test_whoever_shares_a_device_leaves_along_and_keeps_their_name_till_then(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "here", "open", names={1: "Bram"})
    await house.sits(table, 2)
    await house.change(table, commands.rename(2, "bram", house.time))
    assert table.names[1:] == ("Bram", "bram 2")
    await holders.leave_table(house.registry, table.id, 0)
    assert [seat.owner for seat in table.seats] == [False, False, True]


@in_each_database
async def test_nothing_is_kept_of_who_left_and_the_other_plays_on(registry: TableRegistry) -> None:
    id = await talked(registry)
    before = await kept(registry)
    for left in ("Ann", "Annabel", SECRET_WORDS, hashed("a" * 22)):
        assert left in before
    await holders.leave_table(registry, id, 0)
    table = await registry.table(id)
    assert heard(table) == [("Ben", "", "really?")]
    assert table.terms.host == 1 and table.seats[0].local and not table.seats[0].owner
    assert await registry.seat_of(id, hashed("a" * 22)) is None and await registry.seat_of(id, hashed("b" * 22)) == 1
    after = await kept(registry)
    for left in ("Ann", SECRET_WORDS, hashed("a" * 22), "ouch"):
        assert left not in after, left
    assert "Ben" in after and "Ann" not in str([str(line) for line in table.lines_since(1)])
    await played_out(registry, id)
    assert table.state == OVER and verify(recorder(table)()) > 0  # the cards can still be checked
    registry.forget(id)
    assert (await registry.table(id)).lines_since(1) == table.lines_since(1)


@in_each_database
async def test_after_the_end_too_and_who_played_stays_a_person(registry: TableRegistry) -> None:
    id = await talked(registry)
    await played_out(registry, id)
    await give_feedback(registry, id, Feedback(1, again=1, words="Ben liked it"))
    await give_feedback(registry, id, Feedback(0, words="Annabel didn't"))
    await registry.run_job(store_attempt, id, 1, 3, solved=True)
    (own,) = await holders.own_data(registry, hashed("b" * 22))
    assert [answer["words"] for answer in own["answers"]] == ["Ben liked it"]
    match = (await registry.table(id)).match  # and of the moves nothing that they brought from the deck
    assert match and len(own["moves"]) == sum(event.seat == 1 for event in match.events) > 0
    await holders.leave_table(registry, id, 1)
    tried = await registry.run_job(attempts_of, id, 1)
    table = await registry.table(id)
    assert table.state == OVER and table.seats[1].kind == "person" and verify(recorder(table)()) > 0
    assert not tried and "Ben" not in await kept(registry) and "Annabel" in await kept(registry)
    with pytest.raises(Stale):
        await registry.change(id, holders.leave(1, registry.clock()))
    with pytest.raises(Stale):  # a button that was pressed twice takes nothing from the others
        await holders.leave_table(registry, id, 1)


@in_a_file
async def test_others_go_on_while_all_that_is_kept_of_somebody_is_read(house: House) -> None:
    setup, me = commands.TableSetup(hexdeck.game("hawthorn", 2), ("you", "open")), hashed("me")
    mine = [await commands.create(house.registry, setup, bytes([number] * 32), me) for number in range(20)]
    reading = asyncio.ensure_future(holders.own_data(house.registry, me))
    await asyncio.sleep(0)
    await house.change(mine[0], commands.rename(0, "Zoe", house.time))
    assert not reading.done() and len(await reading) == 20


@in_each_database
async def test_who_had_the_seat_before_is_not_meant(house: House) -> None:
    registry = house.registry
    id = await talked(registry)
    await registry.change(id, commands.free_seat(1, 0, registry.clock() + 1))
    holder = {"token": hashed("c" * 22), "table": id, "seat": 1}
    await registry.change(id, commands.sit(1, "Cas", "", "", registry.clock() + 2), holder)
    house.time += 3
    await chat.post_message(registry, id, 1, text="hello")
    await holders.leave_table(registry, id, 1)
    assert heard(await registry.table(id)) == [
        ("Ann", "", SECRET_WORDS),
        ("Ben", "", "really?"),
        ("Annabel", "ouch", ""),
    ]
    assert "Cas" not in await kept(registry)


@in_each_database
async def test_the_last_one_takes_the_table_along_and_the_host_may_delete_it(registry: TableRegistry) -> None:
    first, second = await talked(registry), await talked(registry)
    await holders.leave_table(registry, first, 0)
    await holders.leave_table(registry, first, 1)
    with pytest.raises(NotYours):
        await holders.delete_table(registry, second, 1)
    await holders.delete_table(registry, second, 0)
    for id in (first, second):
        with pytest.raises(NoTable):
            await registry.table(id)
        assert id not in await kept(registry)
        with pytest.raises(NoTable):
            await registry.delete(id)


@in_each_database
async def test_every_seat_of_a_token_is_left(registry: TableRegistry) -> None:
    ids = [await talked(registry) for _ in range(3)]
    broken = "UPDATE tables SET game = 'no-such-game' WHERE id = :id"
    await registry.run_job(lambda connection: connection.execute(text(broken), {"id": ids[1]}).rowcount)
    registry.forget(ids[1])
    assert await holders.leave_everywhere(registry, hashed("a" * 22)) == 3
    found = await kept(registry)
    assert "Ann" not in found and SECRET_WORDS not in found and hashed("a" * 22) not in found
    assert await holders.leave_everywhere(registry, hashed("b" * 22)) == 3
    assert not [id for id in ids if id in (await kept(registry))]


@pytest.mark.long
def test_other_processes_forget_it_too(postgres: str) -> None:
    async def test(house: House) -> None:
        here, there = house.registry, TableRegistry(Database(postgres))
        await there.open()
        id = await talked(here)
        known = await there.table(id)
        there.count_viewers(id, 1)
        assert "Annabel" in known.names and heard(known)
        told: list[str] = []
        there.on_change = lambda table: told.append(table.id)
        await holders.leave_table(here, id, 0)
        await house.comes(lambda: "Annabel" not in known.names)
        assert heard(known) == [("Ben", "", "really?")] and "Ann" not in str(
            [str(line) for line in known.lines_since(1)]
        )
        assert await there.seat_of(id, hashed("a" * 22)) is None
        told.clear()
        await here.delete(id)
        await house.comes(lambda: id not in there.tables and id in told)  # its pages are told
        await there.close()

    housed(postgres, test)


@pytest.mark.parametrize("way", ["left", "deleted"])
def test_no_file_holds_anything_of_it_any_more_also_while_the_server_runs(way: str, place: str, tmp_path: Path) -> None:
    there = dict[str, bytes]()

    def files() -> dict[str, bytes]:
        return {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    async def work(house: House) -> None:
        registry = house.registry
        id, other = await talked(registry), await talked(registry)
        assert any(SECRET_WORDS.encode() in data for data in files().values())
        for each in (id, other):
            busy = [registry.change(each, commands.rename(1, f"Ben {k}", 1.0)) for k in range(3)]
            leaves = holders.leave_table(registry, each, 0) if way == "left" else registry.delete(each)
            await asyncio.gather(leaves, *busy, return_exceptions=True)
        there.update(files())

    housed(place, work)
    assert "tables.db-wal" in there
    for data in (*there.values(), *files().values()):
        for left in (b"Ann", SECRET_WORDS.encode(), hashed("a" * 22).encode()):
            assert left not in data, left


def test_an_id_begins_with_a_letter_so_that_a_command_takes_it_for_no_option() -> None:
    firsts = {id_from(bytes([first, *b"12345678"]))[0] for first in range(256)}
    assert all(first.isalpha() for first in firsts) and len(firsts) == 32


def test_a_servers_tokens_are_known_by_their_mark_alone() -> None:
    token = holder_token(b"key")
    assert is_holder_token(token, b"key") and not is_holder_token(token, b"another")
    changed = token[:5] + ("A" if token[5] != "A" else "B") + token[6:]
    assert not any(is_holder_token(text, b"key") for text in (changed, "", "A" * 32, token + "A", token[:-1]))


def test_whoever_keeps_the_server_deletes_tables_by_their_addresses(tmp_path, capsys) -> None:
    place, ids = str(tmp_path / "tables.db"), list[str]()

    async def work(house: House) -> None:
        registry = house.registry
        ids.extend([await talked(registry) for _ in range(3)])
        assert main(["tables", "delete", ids[0], "--database", place]) == 2  # a server has the file

    housed(place, work)
    first, second, third = ids
    assert main(["tables", "delete", first, "AAAAAAAAAAAA", "--database", place]) == 2  # nothing, where one isn't there
    assert main(["tables", "delete", "https://cards.example.org/about", "--database", place]) == 2
    given = [f"https://cards.example.org/at/table/{first}", f"/replay/{second}?ply=3", first]
    assert main(["tables", "delete", *given, "--database", place]) == 0
    said = capsys.readouterr()
    assert said.out == "2 tables are deleted; copies made before still hold them.\n"
    assert "Hexdeck is already running" in said.err and "There is no table AAAAAAAAAAAA in" in said.err
    data = Path(place).read_bytes()
    assert [id.encode() in data for id in ids] == [False, False, True] and third.encode() in data


RIGHT, WRONG = Answer("take", True), Answer("fold", False)


@in_a_file
async def test_the_first_answer_counts_and_old_ones_end(house: House) -> None:
    run, now = house.registry.run_job, house.registry.clock()
    assert await run(store_answer, "ann", "new", RIGHT, now)
    assert not await run(store_answer, "ann", "new", WRONG, now)
    for puzzle, at in (("old", now - ANSWERED - 60), ("not so old", now - ANSWERED + 3600)):
        await run(store_answer, "ann", puzzle, WRONG, at)
    await run(store_answer, "ben", "old", RIGHT, now - 2 * ANSWERED)
    await prune(house.registry, Retention(), now)
    assert await run(solved_by, "ann", ["new", "old"]) == Solved(1, 2, (("new", RIGHT),))
    assert not await run(has_answers, "ben")
