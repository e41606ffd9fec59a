"""Deals of the day: the same cards for all, seen by nobody who can still play them; and how bots fare with them."""

import asyncio
import functools
import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

import hexdeck
from hexdeck.engine.discovery.definition import playable
from hexdeck.tables import commands, daily, holders
from hexdeck.tables.daily import DailyFields, Field, field_of, has_won, store_field
from hexdeck.tables.database import tables
from hexdeck.tables.errors import NotYours, Stale
from hexdeck.tables.holders import ENOUGH, own_data, store_bundle, take_carried, tallies_of
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable
from hexdeck.tables.runner import DAY, HOUR, Retention, prune
from hexdeck.tables.thinker import LAST, FairQueue
from tests.settings import every_game
from tests.tables.house import House, housed, in_a_file, in_each_database

ANN, BEN = hashed("ann"), hashed("ben")


async def dealt(house: House, game: str = "cursed-hand", token: str = ANN, name: str = "Ann") -> LiveTable:
    return await daily.begin_deal(house.registry, game, name, "Guest", token)


async def plays(house: House, table: LiveTable, moves: int = 10**9) -> tuple[tuple[int, int], ...]:
    """Play the last legal move again and again; returns what happened."""
    for _ in range(moves):
        await house.settles(table)
        if table.state != "playing":
            break
        move = table.view(0).moves[-1]
        await house.change(table, commands.move(0, move.id, table.version_for(0), house.time))
    return table.pairs


@every_game
def test_everybody_has_the_same_cards_and_bots_that_answer_alike_even_after_a_restart(name, tmp_path) -> None:
    url, played = f"sqlite:///{tmp_path / 'tables.db'}", list[object]()

    async def play(house: House, token: str) -> None:
        other = await dealt(house, "cursed-hand", hashed(f"{token} elsewhere"))
        await plays(house, other, 2)  # what bots were asked before changes nothing
        played.append(await plays(house, await dealt(house, name, token), 12))

    for token in (ANN, BEN):
        housed(url, functools.partial(play, token=token))
    assert played[0] == played[1] and len(played[0]) > 4  # type: ignore[arg-type]


def test_another_day_another_game_and_another_server_have_other_cards(tmp_path: Path) -> None:
    secrets = set[bytes]()

    async def look(house: House) -> None:
        today = daily.day_at(house.time)
        for game in ("hawthorn", "blackstone"):
            for day in (today, daily.days_before(today, 1)):
                secrets.add(daily.deal_secret(house.registry.key, game, day))
        table = await dealt(house, "hawthorn")
        assert table.secret in secrets and table.terms.day == today

    for name in "ab":
        housed(f"sqlite:///{tmp_path / name}", look)
    assert len(secrets) == 8


@in_each_database
async def test_a_deal_is_dealt_once_and_not_again_once_it_was_deleted(house: House) -> None:
    table = await dealt(house)
    assert (await daily.own_deals(house.registry, ANN, table.terms.day))["cursed-hand"]["id"] == table.id
    with pytest.raises(Stale):
        await dealt(house)
    await holders.leave_table(house.registry, table.id, 0)
    with pytest.raises(Stale, match="tomorrow"):
        await dealt(house)
    house.time += DAY
    assert (await dealt(house)).secret != table.secret


@in_each_database
async def test_a_deal_that_waits_is_kept_for_a_week_and_one_that_was_begun_as_long_as_others(house: House) -> None:
    waits, begun = await dealt(house, "hawthorn"), await dealt(house)
    await plays(house, begun, 1)
    for after, left in ((2 * HOUR, 2), (8 * DAY, 1)):
        house.time += after
        await prune(house.registry, Retention(1), house.time)
        there = await house.registry.run_job(lambda connection: connection.execute(select(tables.c.id)).all())
        assert len(there) == left, waits.id


@in_each_database
async def test_nobody_joins_a_deal_and_its_rematch_is_a_match_like_others(house: House) -> None:
    table = await dealt(house)
    assert commands.invitations(table) == {}
    with pytest.raises(Stale, match="one person"):
        await house.change(table, commands.sit(1, "Eve", "", "", house.time))
    await plays(house, table)
    again = await house.registry.table(await commands.rematch(house.registry, table.id))
    assert again.terms.day == "" and again.secret != table.secret and again.choices_key != table.choices_key
    await daily.assert_unseen(house.registry, again, "")
    with pytest.raises(NotYours):
        await daily.assert_unseen(house.registry, table, "")


@in_each_database
async def test_who_has_finished_a_deal_may_look_at_others_and_everybody_when_the_day_is_over(house: House) -> None:
    one, other = await dealt(house), await dealt(house, token=BEN, name="Ben")
    await plays(house, one)
    for token in ("", BEN, hashed("eve")):
        with pytest.raises(NotYours):
            await daily.assert_unseen(house.registry, one, token)
    await daily.assert_unseen(house.registry, other, ANN)
    elsewhere = await dealt(house, "hawthorn", BEN)
    with pytest.raises(NotYours):  # who has finished one game's deal hasn't finished another's
        await daily.assert_unseen(house.registry, elsewhere, ANN)
    house.time = daily.end_of(one.terms.day)
    await daily.assert_unseen(house.registry, one, BEN)


@in_each_database
async def test_those_count_who_finished_alone_and_on_the_day_and_have_not_left(house: House) -> None:
    day, standings = daily.day_at(house.time), DailyFields(house.runner.thinker, house.registry).standings
    by = {name: await dealt(house, token=hashed(name), name=name) for name in ("Ann", "Ben", "Cleo", "Dirk")}
    for name in ("Ann", "Ben", "Cleo"):
        house.time += 1  # of equals the earliest comes first
        if name == "Ben":
            await house.registry.change(by[name].id, commands.give_to_bot(0, 0, house.time))
            await house.settles(by[name])
        await plays(house, by[name])
    assert [each.name for each in await standings(day, "cursed-hand")] == ["Ann", "Cleo"]
    await house.registry.run_job(
        lambda connection: connection.execute(
            tables.metadata.tables["holders"].insert(), {"token": hashed("friend"), "table": by["Cleo"].id, "seat": 1}
        )
    )
    await holders.leave_table(house.registry, by["Cleo"].id, 0)
    assert [each.name for each in await standings(day, "cursed-hand")] == ["Ann"]
    house.time = daily.end_of(day) + 1
    await plays(house, by["Dirk"])
    assert [each.name for each in await standings(day, "cursed-hand")] == ["Ann"]


@in_each_database
async def test_how_a_match_ended_is_stored_with_its_last_move(house: House) -> None:
    table = await dealt(house)
    await plays(house, table)
    (found,) = await tallies_of(house.registry, ANN)
    assert found.played == 1 and found.best_at == table.id and found.share is None and ENOUGH > 1
    await house.change(table, commands.rename(0, "Anna", house.time + 99))
    read = select(tables.c.result)
    kept = await house.registry.run_job(lambda connection: connection.execute(read).scalar_one())
    assert json.loads(kept)["at"] < house.time + 99


@in_each_database
async def test_a_link_takes_all_seats_along_once_but_no_cards_that_are_still_being_played(house: House) -> None:
    mine, other = await dealt(house), await dealt(house, "hawthorn")
    theirs = await dealt(house, token=BEN)
    await plays(house, mine)
    today = mine.terms.day
    keep = functools.partial(store_bundle, token="link", holder=ANN, until=house.time + 9, now=house.time)
    await house.registry.run_job(keep)
    take = functools.partial(take_carried, token="link", to=BEN, today=today)
    assert await house.registry.run_job(take, now=house.time + 10) is None  # too old
    assert await house.registry.run_job(take, now=house.time) == {other.id: 0}
    assert await house.registry.run_job(take, now=house.time) is None  # used
    await plays(house, theirs)
    await house.registry.run_job(keep)
    assert await house.registry.run_job(take, now=house.time) == {mine.id: 0}


@in_each_database
async def test_what_is_mine_has_my_moves_and_nothing_that_chance_brought(house: House) -> None:
    table = await dealt(house, "hawthorn")
    await plays(house, table, 3)
    (found,) = await own_data(house.registry, ANN)
    actions = set(table.game.rules.ACTIONS)
    assert 1 <= len(found["moves"]) <= 3 and {each["move"] for each in found["moves"]} <= actions
    assert found["name"] == "Ann" and found["result"] is None
    text = json.dumps(found)
    assert table.secret.hex() not in text and ANN not in text and table.invitation_key.decode() not in text


@in_a_file
async def test_every_playable_game_has_a_deal(house: House) -> None:
    for game in playable():
        table = await dealt(house, game)
        assert table.seats[0].name == "Ann" and not table.terms.hints
        assert all(seat.local for seat in table.seats[1:])


GAME, TODAY = hexdeck.game("cursed-hand", 4, losses=1), "2026-11-26"


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "MATCHES", 10)


async def played(fields: DailyFields) -> Field:
    while not (found := await fields.get(TODAY, GAME)).done:
        await asyncio.sleep(0.01)
    return found


def test_it_is_played_once_and_another_process_has_the_same(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = list[list[tuple[str, int, int]]](), list[str]()
    plain = daily.has_won

    def counted(game: hexdeck.Game, secret: bytes, level: str, number: int) -> bool:
        asked.append(level)
        return plain(game, secret, level, number)

    monkeypatch.setattr(daily, "has_won", counted)

    async def play(house: House) -> None:
        done = await played(DailyFields(house.runner.thinker, house.registry))
        found.append([(each.name, each.games, each.won) for each in done.levels])
        await house.registry.run_job(field_of, TODAY, GAME.name)

    for _ in range(2):
        housed(database, play)
    assert found[0] == found[1] and [level for level, *_ in found[0]] == ["gentle", "steady", "sharp"]
    assert len(asked) == 30  # the second time it was stored


@in_each_database
async def test_what_was_half_played_is_begun_again_and_old_days_go(house: House) -> None:
    for day in ("2026-01-01", TODAY):
        keep = functools.partial(store_field, day=day, game=GAME.name, level="gentle", played=(10, 7), before="")
        await house.registry.run_job(keep)
    done = await played(DailyFields(house.runner.thinker, house.registry))
    assert (done.levels[0].games, done.levels[0].won) == (10, 7)
    for day, there in (("2026-01-01", set()), (TODAY, {"gentle", "steady", "sharp"})):
        assert set(await house.registry.run_job(field_of, day, GAME.name)) == there


def test_matches_follow_from_the_secret_and_differ_by_their_number() -> None:
    wins = [[has_won(GAME, bytes([secret]) * 32, "steady", number) for number in range(12)] for secret in (1, 2, 3, 4)]
    assert wins == [
        [has_won(GAME, bytes([secret]) * 32, "steady", number) for number in range(12)] for secret in (1, 2, 3, 4)
    ]
    assert any(0 < sum(each) < 12 for each in wins)


@in_each_database
async def test_a_fault_ends_the_field_and_nobody_waits_for_it(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(daily, "has_won", broken)

    assert (await played(DailyFields(house.runner.thinker, house.registry))).failed


def test_whoever_waits_for_a_thread_comes_before_the_field_which_has_one_at_most() -> None:
    queue = FairQueue[str](2)
    for job in ("field 1", "field 2"):
        queue.put(LAST, "deal", job)
    queue.put("ann", "table", "move")
    assert queue.get() == ("ann", "move")
    assert queue.get() == (LAST, "field 1")
    queue.put("ben", "table", "hint")
    assert queue.get() == ("ben", "hint")  # though the field came first: it has a thread already
    queue.done(LAST)
    assert queue.get() == (LAST, "field 2")


# --- dates ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def _zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize(
    ("_zone", "day", "zone", "hours"),
    [
        ("UTC", "2026-11-26", "UTC", 24),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25", "CET (UTC+01:00)", 25),
        ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29", "CEST (UTC+02:00)", 23),
        ("<-03>3", "2026-11-26", "UTC-03:00", 24),
    ],
    indirect=["_zone"],
)
@pytest.mark.usefixtures("_zone")
def test_a_day_is_the_servers_with_its_changes_of_the_clock(day: str, zone: str, hours: int) -> None:
    end = daily.end_of(day)
    assert (end - daily.end_of(daily.days_before(day, 1))) / 3600 == hours
    assert daily.day_at(end - 1) == day != daily.day_at(end) and daily.zone_at(end - 1) == zone
    assert daily.day_is_over(day, end) and not daily.day_is_over(day, end - 1)
