"""Whose turn it is, for those who don't look: when it begins, once, and whatever anybody holds."""

import random
from typing import Any

import hexdeck
from hexdeck.engine.play.game import raw
from hexdeck.tables import commands, rows
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable, is_turn, turn_to_tell
from tests.settings import data, every_game, small_game
from tests.tables.house import House, in_a_file, in_each_database
from tests.tables.test_forced import GAMES, SECRETLY, staged


async def of_people(house: House, game: hexdeck.Game) -> LiveTable:
    house.sleeps()
    return await house.of_people(game)


@every_game
@in_a_file
async def test_a_turn_has_one_number_from_its_beginning_until_ones_own_move(house: House, name: str) -> None:
    table, rng = await of_people(house, small_game(name)), random.Random(name)
    told: dict[int, list[int]] = {seat: [] for seat in range(table.game.players)}
    moves = dict.fromkeys(told, 0)
    while table.state == "playing" and table.version < 150:
        for seat, numbers in told.items():
            number = turn_to_tell(table, seat)
            assert number is None or seat in table.acting
            if number is not None and (not numbers or number > numbers[-1]):
                numbers.append(number)
            assert number in {None, *numbers[-1:]}
        seat = rng.choice(table.acting)
        move = rng.choice(table.match.legal_ids(seat)) if table.match else 0
        await house.change(table, commands.move(seat, move, None, house.time))
        moves[seat] += 1
        assert turn_to_tell(table, seat) is None or table.public_version > table.moved_at[seat]
    assert sum(map(len, told.values())) > 2 and all(len(told[seat]) <= moves[seat] + 1 for seat in told)
    assert turn_to_tell(table, -1) is None and not is_turn(table, -1)


@every_game
@in_a_file
async def test_what_is_told_of_a_turn_does_not_depend_on_what_the_public_does_not_know(house: House, name: str) -> None:
    table, rng, changed = await of_people(house, small_game(name)), random.Random(name), 0
    while table.state == "playing" and table.version < 80:
        match = table.match
        assert match is not None
        true, before = raw(match.rows)[0].copy(), table.acting
        here = [(is_turn(table, seat), turn_to_tell(table, seat)) for seat in range(table.game.players)]
        world = raw(match.resample(-1, rng.getrandbits(60)).rows)[0].copy()
        raw(match.rows)[0] = world
        match.refresh()
        table.cache.clear()
        if table.acting == before:  # otherwise who has made a secret choice was dealt anew
            changed += bool((world != true).any())
            assert [(is_turn(table, seat), turn_to_tell(table, seat)) for seat in range(len(table.seats))] == here
        raw(match.rows)[0] = true
        match.refresh()
        table.cache.clear()
        seat = rng.choice(table.acting)
        await house.change(table, commands.move(seat, rng.choice(match.legal_ids(seat)), None, house.time))
    assert changed > 3 or data(name)["changed_worlds"] <= 0.3


@in_a_file
async def test_who_has_only_one_move_is_called_all_the_same_unless_everybody_can_tell(house: House) -> None:
    house.sleeps()
    for game in GAMES:
        table, seat = await staged(house, game)
        assert not table.view(seat).moves  # the table makes it
        assert is_turn(table, seat) == (game.name in SECRETLY)


@in_a_file
async def test_a_seat_that_a_bot_plays_and_one_that_has_chosen_are_not_called(house: House) -> None:
    table = await of_people(house, hexdeck.game("hawthorn", 3))
    assert [turn_to_tell(table, seat) for seat in range(3)] == [0, 0, 0]
    await house.change(table, commands.give_to_bot(1, 1, house.time))
    move = table.view(0).moves[0].id
    await house.change(table, commands.move(0, move, table.version_for(0), house.time))
    assert [is_turn(table, seat) for seat in range(3)] == [False, False, True]


@in_a_file
async def test_who_shares_a_device_is_called_for_any_of_those_on_it(house: House) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("black-hearts", 3), "here", "random")
    while table.acting != (1,):
        seat = table.acting[0]
        move, local = table.match.legal_ids(seat)[0] if table.match else 0, table.seats[seat].local
        await house.change(table, commands.move(seat, move, None, house.time, local=local))
    assert is_turn(table, 0)


# --- who wants to be told ---------------------------------------------------------------------------------------------
def browser(table: LiveTable, name: str, seat: int = 0, told: int = -1, made: float = 1.0) -> dict[str, Any]:
    keys = {"public": b"", "secret": b"", "site": "", "endpoint": f"https://push.example/{name}"}
    return {"table": table.id, "browser": name, "seat": seat, "told": told, "made": made, **keys}


@in_each_database
async def test_a_browser_is_told_of_a_turn_once_and_what_was_missed_is_found(house: House) -> None:
    ask = house.registry.run_job
    table, other = [await of_people(house, hexdeck.game("hawthorn", 2)) for _ in range(2)]

    async def wanted(*wishes: dict[str, Any]) -> None:
        for row in wishes:
            await ask(rows.subscribe, row)

    await wanted(*(browser(table, f"b{k}", told=-1, made=float(k)) for k in range(7)), browser(other, "b6", 1))
    told = [[row["browser"] for row in await ask(rows.claim_turn, table.id, 0, 3)] for _ in range(2)]
    assert sorted(told[0]) == ["b2", "b3", "b4", "b5", "b6"] and told[1] == []
    assert await ask(rows.claim_turn, table.id, 1, 3) == [] == await ask(rows.claim_turn, table.id, 0, 2)
    assert len(await ask(rows.claim_turn, table.id, 0, 4)) == 5
    assert sorted(await ask(rows.missed_turns)) == sorted([table.id, other.id])
    move = other.view(1).moves[0].id
    await house.change(other, commands.move(1, move, None, house.time))
    assert await ask(rows.missed_turns) == [table.id]  # the other has chosen
    assert await ask(rows.unsubscribe, "b6") == 2
    await ask(rows.follow_rematch, table.id, other.id, {0: 1})
    assert len(await ask(rows.claim_turn, other.id, 1, 0)) == 4


@in_each_database
async def test_the_key_that_signs_is_the_first_that_was_made(house: House) -> None:
    for fresh in (b"first", b"second"):
        key = await house.registry.run_job(rows.push_key, new=fresh)
        assert key == b"first"


@in_each_database
async def test_of_ones_tables_those_with_ones_turn_come_first(house: House) -> None:
    made = []
    for chairs in ("random", "open", "open"):
        house.time += 1
        made.append((await house.table(hexdeck.game("hawthorn", 2), chairs)).id)
    found = await house.registry.run_job(rows.tables_of, hashed("me"), 2)
    assert [row["table"] for row in found] == [made[0], made[2]]
