"""When things happen: clocks of seats, the delays of bots, and what pages are shown first."""

import asyncio
import random
from concurrent.futures import Future
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.story import beats
from hexdeck.engine.view import length
from hexdeck.tables import commands, live
from hexdeck.tables.entries import CHOICE, FIRST_CLOCK_WAIT, MOVE
from hexdeck.tables.errors import Stale
from tests.support import for_each
from tests.tables.house import House, in_a_file


async def brisk(house: House, name: str = "hawthorn", players: int = 3) -> live.LiveTable:
    table = await house.of_people(hexdeck.game(name, players), clock="brisk")
    for seat in range(players):
        await house.change(table, commands.page_opened(seat, house.time))
    return table


def dues(table: live.LiveTable) -> list[float | None]:
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
    house.time += 50
    await house.change(table, commands.page_opened(1, house.time))
    assert dues(table)[1] == house.time - 150 + 40 + FIRST_CLOCK_WAIT  # who opens it late gains nothing by that
    house.time += 11
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


WOLF = hexdeck.game("wolf-mans-curse", 3)


async def dealt(house: House, game: Any = WOLF, pace: float = 1.0) -> live.LiveTable:
    """A table of people who look at it; changes are noted as a server notes them."""
    house.sleeps()
    house.registry.on_change = lambda table: live.note_shown(table, house.time)
    table = await house.of_people(game)
    table.pace = pace
    return table


async def moves(house: House, table: live.LiveTable, count: int = 1, seed: int = 1) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        seat = rng.choice(table.acting)
        await house.moves(table, seat, rng.choice(table.view(seat).moves).id)


async def until_public(house: House, table: live.LiveTable) -> float:
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
            maker = live.maker_since(table, table.version - back)
            first = match.length - sum(len(entry.pairs) for entry in table.entries[-back:])
            assert maker is not None and maker.beats(1) == beats(match, 1, first)
        if last.kind == CHOICE:
            newest = live.maker_since(table, table.version - 1)
            assert newest is not None and newest.total == 0
    assert live.maker_since(table, table.version) is None
    far = table.version - live.MOST_VERSIONS
    assert live.beats_for(table, 1, far) and not live.beats_for(table, 1, far - 1)
    assert not live.beats_for(table, 1, table.version) and not live.beats_for(table, 1, -1)


@in_a_file
async def test_after_a_choice_was_taken_back_the_newest_view_is_shown(house: House) -> None:
    table = await dealt(house)
    await moves(house, table)
    seat, before = table.entries[-1].seat, table.version
    await house.change(table, commands.retract(seat, table.version_for(seat), house.time))
    assert live.maker_since(table, before) is None and live.maker_since(table, before - 1) is None


@pytest.mark.parametrize("pace", [0.0, 0.5, 1.0, 1.6])
@in_a_file
async def test_what_happened_is_shown_at_the_pace_of_the_table(house: House, pace: float) -> None:
    table = await dealt(house, pace=pace)
    said = await until_public(house, table)
    assert said >= 2 and live.still_shown(table, house.time) == pytest.approx(said * pace)
    house.time += 1
    assert live.still_shown(table, house.time) == pytest.approx(max(0.0, said * pace - 1))
    more = await until_public(house, table)
    assert live.still_shown(table, house.time) == pytest.approx(max(0.0, said * pace - 1) + more * pace)
    for _ in range(20):
        if table.acting:
            await until_public(house, table)
    assert live.still_shown(table, house.time) <= live.LONGEST_WAIT
    house.registry.forget(table.id)
    assert live.still_shown(await house.registry.table(table.id), house.time) == 0


@in_a_file
async def test_a_clock_waits_until_everything_is_shown(house: House) -> None:
    house.sleeps()
    table = await brisk(house, "wolf-mans-curse")
    table.pace = 1.0
    assert dues(table) == [house.time + 40] * 3
    said = await until_public(house, table)
    assert [due for due in dues(table) if due is not None] == [pytest.approx(house.time + 40 + said, abs=0.01)]


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
    assert live.awaits_look(table, house.time) != seen
    began = house.runs_for
    for _ in range(2):
        await house.runner._wait_for_look(table.id)
        assert house.runs_for - began == pytest.approx(0 if seen else live.FIRST_LOOK, abs=0.1)


@in_a_file
async def test_bots_among_themselves_wait_for_nobody(house: House) -> None:
    house.sleeps()
    table = await house.table(hexdeck.game("hawthorn", 3))
    await house.change(table, commands.give_to_bot(0, 0, house.time))
    assert not live.awaits_look(table, house.time)


def test_thoughts_within_the_pause_look_the_same_and_longer_ones_in_doublings() -> None:
    assert {live.bot_delay(took, 0.8) for took in (0.0, 0.01, 0.5, 0.8)} == {0.8}
    assert {live.bot_delay(took, 0.8) for took in (0.81, 1.2, 1.6)} == {1.6}
    assert live.bot_delay(5.0, 0.8) == 6.4
    assert live.bot_delay(5.0, 0.0) == 0.0


@for_each("name", ["cursed-hand", "hawthorn", "high-handed", "wolf-mans-curse"])
def test_a_pause_tells_nothing_that_the_public_does_not_know(name: str) -> None:
    rng, pauses = random.Random(1), set[float]()
    match = hexdeck.game(name, 3).match(seed=3)
    while not match.over and match.ply < 60:
        seat = match.actor
        pause = live.thinking_pause(match, seat, 0.8)
        pauses.add(pause)
        assert 0.4 <= pause <= 1.6
        assert {live.thinking_pause(match.resample(-1, world), seat, 0.8) for world in range(3)} == {pause}
        match.play(seat, rng.choice(match.legal_ids(seat)))
    assert len(pauses) > 1


def test_a_bot_without_a_choice_seems_to_think_for_half_the_pause_and_without_a_pause_not_at_all() -> None:
    match = hexdeck.game("blackstone", 2).match(seed=1)
    while len(match.legal_ids(match.actor)) > 1:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    assert live.thinking_pause(match, match.actor, 0.8) == 0.4
    assert live.thinking_pause(match, match.actor, 0.0) == 0.0


@in_a_file
async def test_a_hand_that_a_bot_thinks_about_longer_is_played_no_later(house: House) -> None:
    house.runner.pause, work = 0.4, house.runner.thinker.work
    thought, times = 0.0, list[float]()

    def slow(*given: Any) -> Future[Any]:
        future: Future[Any] = Future()
        done = work(*given)
        asyncio.get_running_loop().call_later(thought, lambda: future.set_result(done.result()))
        return future

    house.runner.thinker.work = slow  # type: ignore[method-assign]
    for seconds in (0.0, 0.06, 0.09):
        thought, began = seconds, house.runs_for
        table = await house.table(hexdeck.game("cursed-hand", 2))
        table.seen = True
        while table.entries[-1].seat != 1:
            await house.passes(0.001)
        times.append(house.runs_for - began)
    assert all(live.UNWATCHED_DELAY <= each <= live.UNWATCHED_DELAY + 0.01 for each in times), times
