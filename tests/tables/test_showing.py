"""What happens at a table is shown for a while, and bots and clocks wait for it; nobody misses the beginning."""

import random
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.beat import length
from hexdeck.engine.play.story import beats
from hexdeck.tables.model import timing
from hexdeck.tables.model.entries import CHOICE, MOVE
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import commands
from tests.tables.house import House, in_a_file
from tests.tables.test_clocks import brisk, dues

WOLF = hexdeck.game("wolf-mans-curse", 3)


async def dealt(house: House, game: Any = WOLF, pace: float = 1.0) -> LiveTable:
    """A table of people who look at it; changes are noted as a server notes them."""
    house.sleeps()
    house.registry.on_change = lambda table: timing.note_shown(table, house.time)
    table = await house.of_people(game)
    table.pace = pace
    return table


async def moves(house: House, table: LiveTable, count: int = 1, seed: int = 1) -> None:
    """Random moves."""
    rng = random.Random(seed)
    for _ in range(count):
        seat = rng.choice(table.acting)
        await house.moves(table, seat, rng.choice(table.view(seat).moves).id)


async def until_public(house: House, table: LiveTable) -> float:
    """Moves until something public happens; returns how many seconds its beats say."""
    while True:
        await moves(house, table)
        if table.entries[-1].kind == MOVE:
            assert table.match is not None
            return length(beats(table.match, -1, table.match.length - len(table.entries[-1].pairs))) / 1000


@in_a_file
async def test_the_beats_of_a_table_are_those_of_its_match(house: House) -> None:
    table, match = await dealt(house), None
    for _ in range(20):
        await moves(house, table)
        match, (*_, last) = table.match, table.entries
        assert match is not None
        for back in (1, 2, 3):
            maker = timing.maker_since(table, table.version - back)
            first = match.length - sum(len(entry.pairs) for entry in table.entries[-back:])
            assert maker is not None and maker.beats(1) == beats(match, 1, first)
        if last.kind == CHOICE:
            newest = timing.maker_since(table, table.version - 1)
            assert newest is not None and newest.total == 0
    assert timing.maker_since(table, table.version) is None
    far = table.version - timing.MOST_VERSIONS
    assert timing.beats_for(table, 1, far) and not timing.beats_for(table, 1, far - 1)
    assert not timing.beats_for(table, 1, table.version) and not timing.beats_for(table, 1, -1)


@in_a_file
async def test_after_a_choice_was_taken_back_the_newest_view_is_shown(house: House) -> None:
    table = await dealt(house)
    await moves(house, table)
    seat, before = table.entries[-1].seat, table.version
    await house.change(table, commands.retract(seat, table.version_for(seat), house.time))
    assert timing.maker_since(table, before) is None and timing.maker_since(table, before - 1) is None


@pytest.mark.parametrize("pace", [0.0, 0.5, 1.0, 1.6])
@in_a_file
async def test_what_happened_is_shown_at_the_pace_of_the_table(house: House, pace: float) -> None:
    table = await dealt(house, pace=pace)
    said = await until_public(house, table)
    assert said >= 2 and timing.still_shown(table, house.time) == pytest.approx(said * pace)
    house.time += 1
    assert timing.still_shown(table, house.time) == pytest.approx(max(0.0, said * pace - 1))
    more = await until_public(house, table)
    assert timing.still_shown(table, house.time) == pytest.approx(max(0.0, said * pace - 1) + more * pace)
    for _ in range(20):
        if table.acting:
            await until_public(house, table)
    assert timing.still_shown(table, house.time) <= timing.LONGEST_WAIT
    house.registry.forget(table.id)
    assert timing.still_shown(await house.registry.table(table.id), house.time) == 0


@in_a_file
async def test_a_clock_waits_until_everything_is_shown(house: House) -> None:
    house.sleeps()
    table = await brisk(house, "wolf-mans-curse")
    table.pace = 1.0
    assert dues(table) == [house.time + 40] * 3
    said = await until_public(house, table)
    assert [due for due in dues(table) if due is not None] == [pytest.approx(house.time + 40 + said, abs=0.01)]


@in_a_file
async def test_a_choice_in_secret_moves_no_clock(house: House) -> None:
    house.sleeps()
    table = await brisk(house, "wolf-mans-curse")
    table.pace = 1.0
    await moves(house, table)
    assert {due for due in dues(table) if due is not None} == {house.time + 40}


# --- bots ---
@in_a_file
async def test_a_bot_waits_until_everything_is_shown(house: House) -> None:
    table = await dealt(house)
    said = await until_public(house, table)
    table.seen, seat = True, table.acting[0]
    await house.change(table, commands.give_to_bot(seat, seat, house.time))
    house.runner.pause, began = 0.1, house.runs_for
    await house.runner._play_one(table.id)
    assert table.entries[-1].seat == seat and table.entries[-1].kind == MOVE
    assert house.runs_for - began == pytest.approx(said) and said > 1


@pytest.mark.parametrize("seen", [False, True])
@in_a_file
async def test_bots_wait_for_the_page_of_a_person_but_not_for_long(house: House, seen: bool) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("hawthorn", 3))
    house.runner.pause, table.seen = 0.1, seen
    assert timing.awaits_look(table, house.time) != seen
    began = house.runs_for
    for _ in range(2):
        await house.runner._wait_for_look(table.id)
        assert house.runs_for - began == pytest.approx(0 if seen else timing.FIRST_LOOK, abs=0.1)


@in_a_file
async def test_bots_among_themselves_wait_for_nobody(house: House) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("hawthorn", 3))
    await house.change(table, commands.give_to_bot(0, 0, house.time))
    assert not timing.awaits_look(table, house.time)
