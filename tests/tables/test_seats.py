"""Seats that are freed, hosts who are away, choices that are taken back, and who holds which seat."""

import asyncio
import random
from itertools import chain, repeat
from typing import Any

import pytest

import hexdeck
from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.engine.play.match import Match
from hexdeck.tables import commands, holders, rows
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.keys import hashed, invitation, is_valid_invitation
from hexdeck.tables.live import LiveTable
from hexdeck.web.routes.presenters import has_chosen
from tests.tables.house import House, in_a_file, in_each_database
from tests.tables.test_tables import shown


async def people(house: House, name: str = "hawthorn", players: int = 3, **wish: Any) -> LiveTable:
    """A table of people; seat k's token is `seat-k`, the first seat's `me`."""
    return await house.of_people(hexdeck.game(name, players), **wish)


# --- freeing ----------------------------------------------------------------------------------------------------------
@in_each_database
async def test_the_host_frees_a_seat_and_only_a_new_invitation_leads_to_it(house: House) -> None:
    table = await people(house)
    old = invitation(table.id, 2, table.invitation_key, table.seats[2].freed)
    assert await house.registry.seat_of(table.id, hashed("seat-2")) == 2
    row = {"token": hashed("link"), "table": table.id, "seat": 2, "until": 1e12}
    await house.registry.run_job(holders.carry, row)
    good = [await house.registry.run_job(holders.carried, hashed("link"), now) for now in (1e12 - 1, 1e12)]
    assert good == [holders.Carried(table.id, 2), None]
    for by, seat, error in ((1, 2, NotYours), (0, 0, Stale), (0, 7, hexdeck.HexdeckError)):
        with pytest.raises(error):
            await house.change(table, commands.free_seat(seat, by, house.time))
    await house.change(table, commands.free_seat(2, 0, house.time))
    assert await house.registry.seat_of(table.id, hashed("seat-2")) is None
    assert await house.registry.run_job(holders.carried, hashed("link"), 0) is None
    assert table.seats[2].local and not table.seats[2].owner
    assert not is_valid_invitation(old, table.id, 2, table.invitation_key, table.seats[2].freed)
    with pytest.raises(Stale):
        await house.change(table, commands.free_seat(2, 0, house.time))
    key = table.key
    await house.change(table, commands.sit(2, "New", "", "rye", house.time))
    assert table.seats[2].name == "New" and table.seats[2].kind == "person" and table.seats[2].freed == 1
    assert table.key == key, "the cards are dealt: they follow from no later words"


@in_a_file
async def test_before_the_deal_a_freed_seat_is_open_again(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "open", "open")
    await house.change(table, commands.sit(1, "Ben", "", "rye", house.time))
    await house.change(table, commands.free_seat(1, 0, house.time))
    assert table.seats[1].kind == "open" and table.state == "waiting" and not table.seats[1].contribution


# --- hosts ------------------------------------------------------------------------------------------------------------
@in_a_file
async def test_when_the_hosts_time_is_up_the_next_person_is_host(house: House) -> None:
    table = await people(house, clock="brisk")
    await house.change(table, commands.give_to_bot(1, 1, house.time))
    house.time += 1000
    await house.change(table, commands.give_to_bot(0, commands.BY_CLOCK, house.time))
    assert table.terms.host == 2 and "is now the host" in str(table.lines_since(-1)[-1].key)


@in_a_file
async def test_somebody_becomes_host_only_while_the_host_is_away(house: House) -> None:
    table = await people(house)
    with pytest.raises(Stale, match="away"):
        await house.change(table, commands.become_host(1, absent=True, now=house.time + 1))
    later = house.time + commands.HOST_AWAY + 1
    for seat, away in ((1, False), (0, True)):
        with pytest.raises(Stale):
            await house.change(table, commands.become_host(seat, away, later))
    await house.change(table, commands.become_host(1, absent=True, now=later))
    assert table.terms.host == 1


# --- one seat each ----------------------------------------------------------------------------------------------------
@in_each_database
async def test_one_token_takes_one_seat_however_many_it_asks_for_at_once(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 4), "open", "open", "open")
    joins = [
        house.change(
            table, commands.sit(seat, "", "", "", house.time), {"token": hashed("eve"), "table": table.id, "seat": seat}
        )
        for seat in (1, 2, 3)
    ]
    done = await asyncio.gather(*joins, return_exceptions=True)
    assert sorted(isinstance(each, Stale) for each in done) == [False, True, True], done
    table = await house.registry.table(table.id)
    held = {row["seat"] for row in await house.registry.run_job(rows.holders_of, table.id)}
    assert held == {number for number, seat in enumerate(table.seats) if seat.owner}


@in_a_file
async def test_who_waited_while_a_change_failed_finds_the_table_as_it_is_stored(house, monkeypatch) -> None:
    table = await people(house, "high-handed", 2)
    append, failed = rows.append_entries, []

    def fails(connection: Any, id: str, entries: Any, *more: Any) -> bool:
        failed[:] = failed or [entries]  # the first change fails however often the store tries it
        if entries is failed[0]:
            raise OSError("the disk is full")
        return append(connection, id, entries, *more)

    monkeypatch.setattr(rows, "append_entries", fails)
    seat, now = table.acting[0], house.time
    moves = [commands.move(seat, move.id, None, now) for move in table.view(seat).moves[:2]]
    done = await asyncio.gather(*(house.change(table, move) for move in moves), return_exceptions=True)
    assert isinstance(done[0], OSError)
    if isinstance(done[1], BaseException):
        raise done[1]
    kept = shown(await house.registry.table(table.id))
    house.registry.forget(table.id)
    assert shown(await house.registry.table(table.id)) == kept


# --- taking back ------------------------------------------------------------------------------------------------------
@in_each_database
async def test_a_choice_is_taken_back_while_others_choose_and_never_counts(house: House) -> None:
    table, rng = await people(house), random.Random(1)
    first, second = (move.id for move in table.view(1).moves[:2])
    await house.change(table, commands.move(1, first, table.version_for(1), house.time))
    await house.moves(table, 2)
    version = table.version_for(1)
    assert has_chosen(table, 1, table.acting) and not table.view(1).moves
    await house.change(table, commands.retract(1, version, house.time))
    assert not has_chosen(table, 1, table.acting) and has_chosen(table, 2, table.acting)
    for again in (version, table.version_for(1)):  # sent once more; and nothing is left to take back
        with pytest.raises(Stale):
            await house.change(table, commands.retract(1, again, house.time))
    before = shown(table)
    house.registry.forget(table.id)
    table = await house.registry.table(table.id)
    assert shown(table) == before
    await house.change(table, commands.move(1, second, table.version_for(1), house.time))
    await house.play(table, [0, 1, 2], rng)
    assert table.match and table.state == "over"
    again = hexdeck.load(table.match.record().text())
    assert next(event.id for event in again.events if event.seat == 1) == second


@in_a_file
async def test_a_draft_of_taking_back_that_cannot_be_stored_changes_nothing(house, monkeypatch) -> None:
    table = await people(house)
    await house.moves(table, 1)
    before = shown(table)
    with monkeypatch.context() as patch:
        patch.setattr(rows, "append_entries", lambda *_: False)
        with pytest.raises(Stale):
            await house.change(table, commands.retract(1, table.version_for(1), house.time))
    assert shown(await house.registry.table(table.id)) == before


@in_a_file
async def test_a_move_than_which_another_was_quicker_is_undone_without_playing_all_again(house, monkeypatch) -> None:
    table, rng = await people(house, "wolf-mans-curse"), random.Random(2)
    await house.play(table, [0, 1, 2], rng, 5)
    before, seat = shown(table), table.acting[0]
    with monkeypatch.context() as patch:
        patch.setattr(rows, "append_entries", lambda *_: False)
        patch.setattr(Match, "load_events", lambda *_: pytest.fail("it was played again"))
        with pytest.raises(Stale):
            await house.moves(table, seat)
        assert shown(table) == before
    await house.play(table, [0, 1, 2], rng, 5)
    after = shown(table)
    house.registry.forget(table.id)
    assert shown(await house.registry.table(table.id)) == after


@in_a_file
async def test_nothing_public_is_taken_back(house: House) -> None:
    table = await people(house)
    for seat in range(3):
        await house.moves(table, seat)
    for seat in range(3):
        with pytest.raises(Stale):
            await house.change(table, commands.retract(seat, table.version_for(seat), house.time))


@in_a_file
async def test_a_programs_seat_is_free_in_the_rematch_also_where_a_bot_stood_in_for_it(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 3), "open", "open")
    for seat, program in ((1, "house"), (2, "")):
        held = {"token": hashed(f"seat-{seat}"), "table": table.id, "seat": seat}
        await house.change(table, commands.sit(seat, "", program, "", house.time), held)
    await house.change(table, commands.give_to_bot(1, 0, house.time))
    assert not table.seats[1].remote
    await house.play(table, [0, 2], random.Random(3))
    again = await house.registry.table(await commands.rematch(house.registry, table.id))
    assert [seat.owner for seat in again.seats] == [True, True, False] and not again.seats[2].program
    holders = await house.registry.run_job(rows.holders_of, again.id)
    assert sorted(holder["seat"] for holder in holders) == [0, 1]


@in_each_database
async def test_a_program_without_a_name_sits_down_where_all_names_of_bots_are_used(house: House) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("blackstone", 10), name=BOT_NAMES[0])
    await house.change(table, commands.sit(3, "", "a program", "", house.time))
    assert sorted(table.names) == sorted(BOT_NAMES)


@in_each_database
async def test_news_of_a_table_that_is_being_loaded_is_heard(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table, registry = await people(house), house.registry
    before = await registry.run_job(rows.read_table, table.id)
    await house.moves(table, table.acting[0])
    newest = table.version
    answers = chain([lambda *_: before], repeat(rows.read_table))

    def read_table(*asked: Any) -> Any:
        return next(answers)(*asked)

    monkeypatch.setattr(rows, "read_table", read_table)
    registry.forget(table.id)
    loading = asyncio.ensure_future(registry.table(table.id))
    await asyncio.sleep(0)
    registry._handle_news([(table.id, newest)])
    assert (await loading).version < newest
    for _ in range(1000):
        async with registry.reading(table.id) as loaded:
            if loaded.version == newest:
                return
        await asyncio.sleep(0)
    pytest.fail("the news was lost")


@in_each_database
async def test_news_of_a_table_that_is_not_in_memory_makes_its_seats_looked_up_again(house: House) -> None:
    table, registry = await people(house), house.registry
    registry.remember_holder(table.id, hashed("sent away"), 2)
    assert await registry.seat_of(table.id, hashed("sent away")) == 2
    registry.forget(table.id)
    registry._handle_news([(table.id, table.version + 1)])
    assert await registry.seat_of(table.id, hashed("sent away")) is None
