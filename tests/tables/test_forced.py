"""Forced moves: the table makes them for people, after a delay that gives nothing away."""

import asyncio
import dataclasses
import functools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.bots.advice.analysis import decision_plies
from hexdeck.engine.errors import NotActing
from hexdeck.engine.play.coach import lesson
from hexdeck.games.high_handed.rules import ANSWER, ASK
from hexdeck.simulation.game import Game
from hexdeck.tables import commands
from hexdeck.tables.advice import hint_request
from hexdeck.tables.errors import Stale
from hexdeck.tables.fair import chance_key, checked_contribution
from hexdeck.tables.live import (
    COVERED,
    LiveTable,
    forced_delay,
    hand_over,
    next_to_decide,
    nobody_decides,
    viewing_seat,
)
from hexdeck.web.routes.presenters import clock, has_chosen, may_retract, shared_device, table_data
from tests.tables.house import SECRET, House, housed, in_a_file, in_each_database

TIMER = hexdeck.game("high-handed", 3, rows=4, columns=5, ranks=3, suits=2, hand_cards=2, two_timers=4, thieves=4)
CAP = hexdeck.game("blackstone", 3, draw_cap=True)
EMPTY = hexdeck.game("hawthorn", 3, hand_cards=1, deals=2)
SAID = {
    TIMER.name: "You hold no regular card, so the Two Timer stays at",
    CAP.name: "the most allowed: your turn ends here.",
    EMPTY.name: "You have no card to play: you fold, for",
}
SECRETLY = {TIMER.name}  # games in which the others can't tell that nobody decides
GAMES = TIMER, CAP, EMPTY


@pytest.mark.parametrize("how", [{}, {"lone_special": "anywhere"}, {"lone_special": "anywhere", "two_thieves": True}])
def test_where_nobody_decides_there_is_one_move(how: dict[str, Any]) -> None:
    """In High Handed a Thief alone on a card may be followed by another special, or not."""
    game, prompts = hexdeck.game(TIMER.name, 3, **{**TIMER.options, **how}), set()
    for number in range(40):
        match, rng = game.match(number, backend="fast"), random.Random(number)
        while not match.over:
            seat = rng.choice(match.acting)
            if nobody_decides(match, seat):
                assert len(match.legal_ids(seat)) == 1, match.view(seat).prompt
                prompts.add(str(match.view(seat).prompt).partition(" at ")[0])
            match.play(seat, rng.choice(match.legal_ids(seat)))
    specials = ["Two Timer", "Thief"] if how else ["Two Timer"]
    assert prompts == {f"You hold no regular card, so the {special} stays" for special in specials}


@functools.cache
def leading_there(name: str) -> tuple[str, list[tuple[int, int]]]:
    """Words for the deal, and moves, that lead to a forced move."""
    game = next(each for each in GAMES if each.name == name)
    for words in map(str, range(1000)):
        match, rng, moves = (game.match(by_hand=True, backend="fast"), random.Random(words), list[tuple[int, int]]())
        match.let_chance(chance_key(SECRET, [checked_contribution(words), *[""] * (game.players - 1)]))
        while not match.over:
            seat = rng.choice(match.acting)
            if nobody_decides(match, seat) and nobody_decides(match, seat, -1) == (name not in SECRETLY):
                return words, moves
            moves.append((seat, rng.choice(match.legal_ids(seat))))
            match.play(*moves[-1])
    raise AssertionError("everything was decided by somebody")


async def staged(house: House, game: Game, *chairs: str, **setup: Any) -> tuple[LiveTable, int]:
    table = await led_there(house, game, *chairs, **setup)
    (seat,) = table.forced
    return table, seat


async def led_there(house: House, game: Game, *chairs: str, **setup: Any) -> LiveTable:
    """A table of people who have made the moves that lead there."""
    words, moves = leading_there(game.name)
    table = await house.table(game, *(chairs or ["open"] * (game.players - 1)), contribution=words, **setup)
    for seat, each in enumerate(table.seats):
        if each.kind == "open":
            await house.sits(table, seat)
    for seat, move in moves:
        await house.change(table, commands.move(seat, move, None, house.time))
    return table


def to_others(house: House, table: LiveTable, seat: int) -> list[Any]:
    """All that seats other than this one receive of a table, with its clocks."""
    others = [other for other in range(-1, table.game.players) if other != seat]
    received = [
        (
            table_data(table, other) | {"table": ""},
            table.news(other),
            may_retract(table, other),
            shared_device(table, other),
            clock(table, other, house.time),
            [has_chosen(table, each, table.acting) for each in others],
        )
        for other in others
    ]
    return [received, [each.due for each in table.seats]]


@in_a_file
async def test_the_table_makes_the_move_of_a_person_without_waiting_and_shows_no_button_meanwhile(house: House) -> None:
    wake, now = house.runner.wake, house.time
    house.sleeps()
    for game in GAMES:
        table, seat = await staged(house, game, clock="brisk", hints=True)
        match, view, before = table.match, table.view(seat), table.version
        assert match is not None and not view.moves and SAID[game.name] in str(view.prompt)
        with pytest.raises(NotActing, match="There is nothing to decide"):
            hint_request(table, seat)
        assert lesson(match, seat) is None
        (only,), length, since, owner = (
            match.legal_ids(seat),
            match.length,
            table.owner_moved_at[seat],
            table.seats[seat],
        )
        wake(table)
        await house.settles(table)
        assert (match.event(length).seat, match.event(length).id) == (seat, only)
        assert length not in decision_plies(match, seat)  # of an analysis
        assert table.entries[before + 1].kind == "forced" and table.moved_at[seat] == before + 1
        assert table.owner_moved_at[seat] == since, "news begin at a move of one's own"
        assert (table.seats[seat].kind, table.seats[seat].awaited) == ("person", owner.awaited)
        with pytest.raises((Stale, hexdeck.GameIsOver)):
            await house.change(table, commands.retract(seat, table.version_for(seat), house.time))
    assert house.time == now


def test_another_process_makes_once_the_move_of_one_that_died(tmp_path: Path) -> None:
    places: list[tuple[str, int]] = []

    async def first(house: House) -> None:
        house.sleeps()
        for game in GAMES:
            table, _ = await staged(house, game)
            places.append((table.id, table.version))

    async def second(house: House) -> None:
        for id, version in places:
            while (table := await house.registry.table(id)).version == version:
                await asyncio.sleep(0.01)
            await house.settles(table)
            made = next(entry for entry in table.entries if entry.kind == "forced")
            assert made.version == version + 1
            with pytest.raises((Stale, hexdeck.GameIsOver)):
                await house.registry.change(id, commands.forced(made.seat, version, house.time))

    housed(f"sqlite:///{tmp_path / 't.db'}", first)
    housed(f"sqlite:///{tmp_path / 't.db'}", second, 1e9 + 100)


@in_a_file
async def test_others_receive_the_same_whether_nobody_decides_or_somebody_does(house, monkeypatch) -> None:
    house.sleeps()
    for game in GAMES:
        table, seat = await staged(house, game, clock="brisk")
        monkeypatch.setattr(game.table, "nobody_decides", lambda _s, _seat: False)
        other = await led_there(house, game, clock="brisk")
        assert not other.forced and len(other.view(seat).moves) == 1
        assert to_others(house, table, seat) == to_others(house, other, seat), game.name


@in_a_file
async def test_a_beat_is_as_long_as_a_person_takes_and_follows_from_nothing(house: House) -> None:
    dice = random.Random(1)
    beats = [forced_delay(0.8, dice) for _ in range(200)]
    assert 1.0 <= min(beats) < 1.2 and 3.5 < max(beats) <= 21.0 and 1.5 < sorted(beats)[100] < 2.0
    assert forced_delay(0) == 0
    house.sleeps()
    tables = [(await staged(house, game))[0] for game in GAMES]
    house.runner.pause = 0.8
    for table in tables:  # nobody looks at them: a beat is kept all the same
        table.seen, began = True, house.runs_for
        await house.runner._play_one(table.id)
        assert table.entries[-1].kind == "forced" and 1 <= house.runs_for - began <= 21


@in_a_file
async def test_a_bot_that_took_over_meanwhile_makes_the_move_and_a_program_decides_as_ever(house: House) -> None:
    house.sleeps()
    table, seat = await staged(house, TIMER)
    version = table.version
    await house.change(table, commands.give_to_bot(seat, seat, house.time))
    assert not table.forced and table.played_by_server == [seat]
    with pytest.raises(Stale):
        await house.change(table, commands.forced(seat, version, house.time))
    await house.change(table, commands.take_back(seat, "my program", house.time))
    assert not table.played_by_server and len(table.view(seat).moves) == 1
    await house.moves(table, seat)
    assert table.entries[-1].kind == "move"


@in_a_file
async def test_a_shared_device_is_handed_over_only_for_what_others_think_that_somebody_decides(house: House) -> None:
    house.sleeps()
    for game in GAMES:
        table, seat = await staged(house, game, *["here"] * (game.players - 1), names={1: "Ben", 2: "Cleo"})
        await house.change(table, hand_over(0, COVERED, house.time))
        assert next_to_decide(table, 0) == (seat if game.name in SECRETLY else None)
        for holder in range(game.players):
            table.seats = commands.with_seat(table.seats, 0, dataclasses.replace(table.seats[0], face=holder))
            covered = game.name in SECRETLY and holder != seat
            assert viewing_seat(table, 0) == (COVERED if covered else holder), (game.name, holder)


BOB = hexdeck.game("high-handed", 3, manual_draw=True, uncle_bob_rule=True, rows=5, columns=5, ranks=6, hand_cards=3)


async def until_asked_of(house: House, table: LiveTable, about: int, *, sneaks: bool) -> None:
    """All play until a seat has had its first turn; it takes a card too many, or doesn't, and nobody else does."""
    rng = random.Random(3)
    while table.match and not table.match.struct.suspect[about]:
        await house.settles(table)
        seat = table.acting[0]
        s, legal = table.match.struct, [move.id for move in table.view(seat).moves]
        end = table.game.rules.ACTIONS.index("end turn")
        if s.phase == ASK and s.due == 0:
            await house.moves(table, seat, legal[0] if sneaks and seat == about else end)
        else:
            await house.moves(table, seat, rng.choice([id for id in legal if id != end]))


async def until_its_turn(house: House, table: LiveTable, about: int) -> None:
    while table.match and table.match.struct.suspect[about]:
        await house.settles(table)
        if table.match.struct.suspect[about]:
            await house.moves(table, table.acting[0], table.view(table.acting[0]).moves[-1].id)


@pytest.mark.parametrize(("sneaks", "said", "points"), [(True, True, -5), (True, False, 0), (False, True, 0)])
@in_each_database
async def test_what_was_said_is_played_when_the_rules_ask_and_nobody_waits(house, sneaks, said, points) -> None:
    table = await house.of_people(BOB)
    await until_asked_of(house, table, 0, sneaks=sneaks)
    before = table.version, [table.view(seat).data() for seat in (-1, 0, 2)]
    assert [each.about for each in table.asides(1)] == [0] and table.asides(0) == ()
    if said:
        await house.registry.amend(table.id, commands.say_aside(1, 0, True))
        assert table.seats[1].asides == (0,)
    assert (table.version, [table.view(seat).data() for seat in (-1, 0, 2)]) == before  # nobody else can tell
    await until_its_turn(house, table, 0)
    assert table.match and table.match.struct.phase != ANSWER and not table.seats[1].asides
    score = table.match.struct.score
    assert sum(score[p] < 0 for p in range(3)) <= 1
    told = [str(text) for text in table.lines_since(2)]
    assert any("accuses" in text for text in told) == said
    assert any("loses a card, unseen, and 5 points" in text for text in told) == (points < 0)
    assert any("was wrong, and loses 5 points" in text for text in told) == (said and not sneaks)


@in_a_file
async def test_what_was_said_can_be_taken_back_and_survives_a_restart(house: House) -> None:
    table = await house.of_people(BOB)
    await until_asked_of(house, table, 0, sneaks=True)
    await house.registry.amend(table.id, commands.say_aside(2, 0, True))
    house.registry.forget(table.id)
    again = await house.registry.table(table.id)
    assert again is not table and again.seats[2].asides == (0,)
    await house.registry.amend(table.id, commands.say_aside(2, 0, False))
    assert again.seats[2].asides == ()


@in_a_file
async def test_nothing_can_be_said_of_whom_nothing_is_to_be_said(house: House) -> None:
    table = await house.of_people(BOB)
    await house.settles(table)
    for seat, about in ((1, 0), (0, 0)):
        with pytest.raises(Stale):
            await house.registry.amend(table.id, commands.say_aside(seat, about, True))
    await until_asked_of(house, table, 0, sneaks=False)
    with pytest.raises(Stale):
        await house.registry.amend(table.id, commands.say_aside(1, 2, True))
    table.seats = tuple(replace(seat, asides=(2,)) for seat in table.seats)  # it was said before, of an earlier turn
    await house.moves(table, table.acting[0])
    assert all(seat.asides == () for seat in table.seats)
