"""Clocks: who can't stop them, when they start, and what players learn for whom a bot plays."""

import pytest

import hexdeck
from hexdeck.tables.errors import Stale
from hexdeck.tables.model.entries import CHOICE, MOVE
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.model.seats import FIRST_CLOCK_WAIT
from hexdeck.tables.service import commands
from tests.tables.house import House, in_a_file


async def brisk(house: House, name: str = "hawthorn", players: int = 3) -> LiveTable:
    """A table of people, all of whom have opened its page."""
    table = await house.of_people(hexdeck.game(name, players), clock="brisk")
    for seat in range(players):
        await house.change(table, commands.page_opened(seat, house.time))
    return table


def dues(table: LiveTable) -> list[float | None]:
    """When each clock runs out."""
    return [seat.due for seat in table.seats]


@in_a_file
async def test_nobody_gains_time_by_leaving_to_a_bot_and_coming_back(house: House) -> None:
    house.sleeps()
    table = await brisk(house)
    before = dues(table)
    assert before == [house.time + 40] * 3
    house.time += 15
    await house.change(table, commands.give_to_bot(1, 1, house.time))
    assert dues(table) == [before[0], None, before[2]] and table.seats[1].left == 25
    house.registry.forget(table.id)  # a restart remembers it
    table = await house.registry.table(table.id)
    house.time += 5
    await house.change(table, commands.take_back(1, "", house.time))
    assert dues(table) == [before[0], house.time + 25, before[2]]


@in_a_file
async def test_who_sits_down_in_the_middle_changes_no_other_clock(house: House) -> None:
    house.sleeps()
    table = await brisk(house)
    await house.change(table, commands.free_seat(2, 0, house.time))
    before = dues(table)[:2]
    house.time += 10
    await house.sits(table, 2)
    assert dues(table)[:2] == before and table.seats[2].due == house.time + 40 + FIRST_CLOCK_WAIT


@in_a_file
async def test_when_time_is_up_only_the_bots_move_brings_the_seat_back_to_its_owner(house: House) -> None:
    house.sleeps()
    table = await brisk(house)
    house.time += 41
    await house.change(table, commands.give_to_bot(1, commands.BY_CLOCK, house.time))
    with pytest.raises(Stale, match="Time's up"):
        await house.change(table, commands.take_back(1, "", house.time))
    move = table.match.legal_ids(1)[0] if table.match else 0
    await house.change(table, commands.move(1, move, None, house.time, local=True))
    await house.change(table, commands.take_back(1, "", house.time))
    assert table.seats[1].kind == "person" and table.seats[1].due is None  # it has chosen


@in_a_file
async def test_a_choice_that_is_taken_back_goes_on_with_what_was_left_of_its_clock(house: House) -> None:
    table = await brisk(house)
    house.time += 30
    await house.moves(table, 1)
    assert table.seats[1].due is None and table.seats[1].left == 10
    house.time += 20
    await house.change(table, commands.retract(1, table.version_for(1), house.time))
    assert table.seats[1].due == house.time + 10


@in_a_file
async def test_a_secret_step_changes_no_clock_and_who_comes_to_act_after_it_has_the_whole_time(house: House) -> None:
    table = await brisk(house, "high-handed", 2)
    seat, before = table.acting[0], dues(table)
    for kind in (CHOICE, MOVE):  # which card; where to
        house.time += 12
        move = table.view(seat).moves[0].id
        await house.change(table, commands.move(seat, move, table.version_for(seat), house.time))
        assert table.entries[-1].kind == kind
        if kind == CHOICE:
            assert table.acting == (seat,) and dues(table) == before
    assert [table.seats[each].due for each in table.acting] == [house.time + 40]
    assert all(each.left is None for each in table.seats)


@in_a_file
async def test_a_seats_first_clock_starts_when_its_page_is_opened_but_not_for_ever(house: House) -> None:
    table = await house.table(hexdeck.game("hawthorn", 2), "open", clock="brisk")
    await house.sits(table, 1)
    assert dues(table) == [house.time + 40 + FIRST_CLOCK_WAIT] * 2
    house.time += 100
    await house.change(table, commands.page_opened(0, house.time))
    assert dues(table) == [house.time + 40, house.time - 100 + 40 + FIRST_CLOCK_WAIT]
    with pytest.raises(Stale):
        await house.change(table, commands.page_opened(0, house.time + 1))
    house.time += 61
    await house.comes(lambda: table.seats[1].kind == "bot")


@pytest.mark.parametrize("by", [commands.BY_CLOCK, 0], ids=["the clock", "the host"])
@in_a_file
async def test_who_a_bot_plays_for_reads_what_happened_since_their_own_move(house: House, by: int) -> None:
    house.sleeps()
    table = await brisk(house, "high-handed", 2)
    house.time += 41
    seat = table.acting[0]
    await house.change(table, commands.give_to_bot(seat, by, house.time))
    for _ in range(3):
        acting = table.acting[0]
        move, local = table.match.legal_ids(acting)[0] if table.match else 0, table.seats[acting].local
        await house.change(table, commands.move(acting, move, None, house.time, local=local))
    for _ in range(2):
        said = [str(text) for text in table.news(seat)]
        assert any("bot plays for" in line for line in said), said
        assert "A bot plays for you" in str(table.view(seat).prompt) and not table.view(seat).moves
        house.registry.forget(table.id)
        table = await house.registry.table(table.id)
    await house.change(table, commands.take_back(seat, "", house.time))
    assert "plays again" in str(table.news(seat)[-1])
