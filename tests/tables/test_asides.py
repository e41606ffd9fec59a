"""What people say of others beside their moves: an accusation in High Handed (HH-19), which stops nobody."""

import random
from dataclasses import replace

import pytest

import hexdeck
from hexdeck.games.high_handed.rules import ANSWER, ASK
from hexdeck.tables.errors import Stale
from hexdeck.tables.model.live import LiveTable
from hexdeck.tables.service import commands
from tests.tables.house import House, in_a_file, in_each_database

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
    """The others play on, honestly, until that seat's next turn has begun."""
    while table.match and table.match.struct.suspect[about]:
        await house.settles(table)
        if table.match.struct.suspect[about]:
            await house.moves(table, table.acting[0], table.view(table.acting[0]).moves[-1].id)


@pytest.mark.parametrize(("sneaks", "said", "points"), [(True, True, -5), (True, False, 0), (False, True, 0)])
@in_each_database
async def test_what_was_said_is_played_when_the_rules_ask_and_nobody_waits(
    house: House, sneaks: bool, said: bool, points: int
) -> None:
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
    told = [str(text) for text in table.log(2)]
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
