"""The field of a deal: played once, by the same chance everywhere, while nobody else waits for a thread; also dates."""

import asyncio
import functools
import time
from collections.abc import Iterator

import pytest

import hexdeck
from hexdeck.tables.service import daily
from hexdeck.tables.service.daily import Field, Fields, field_of, has_won, store_field
from hexdeck.tables.service.thinker import LAST, FairQueue
from tests.tables.house import House, housed, in_each_database

GAME, DAY = hexdeck.game("cursed-hand", 4, losses=1), "2026-11-26"


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "MATCHES", 10)


async def played(fields: Fields) -> Field:
    """The field of the day, to its end."""
    while not (found := await fields.get(DAY, GAME)).done:
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
        done = await played(Fields(house.runner.thinker, house.registry))
        found.append([(each.name, each.games, each.won) for each in done.levels])
        await house.registry.run_job(field_of, DAY, GAME.name)

    for _ in range(2):
        housed(database, play)
    assert found[0] == found[1] and [level for level, *_ in found[0]] == ["gentle", "steady", "sharp"]
    assert len(asked) == 30  # the second time it was stored


@in_each_database
async def test_what_was_half_played_is_begun_again_and_old_days_go(house: House) -> None:
    for day in ("2026-01-01", DAY):
        keep = functools.partial(store_field, day=day, game=GAME.name, level="gentle", played=(10, 7), before="")
        await house.registry.run_job(keep)
    done = await played(Fields(house.runner.thinker, house.registry))
    assert (done.levels[0].games, done.levels[0].won) == (10, 7)
    for day, there in (("2026-01-01", set()), (DAY, {"gentle", "steady", "sharp"})):
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

    assert (await played(Fields(house.runner.thinker, house.registry))).failed


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
    [("UTC", "2026-11-26", "UTC", 24), ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25", "CET (UTC+01:00)", 25),
     ("CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29", "CEST (UTC+02:00)", 23), ("<-03>3", "2026-11-26", "UTC-03:00", 24)],
    indirect=["_zone"],
)  # fmt: skip
@pytest.mark.usefixtures("_zone")
def test_a_day_is_the_servers_with_its_changes_of_the_clock(day: str, zone: str, hours: int) -> None:
    end = daily.end_of(day)
    assert (end - daily.end_of(daily.days_before(day, 1))) / 3600 == hours
    assert daily.day_at(end - 1) == day != daily.day_at(end) and daily.zone_at(end - 1) == zone
    assert daily.day_is_over(day, end) and not daily.day_is_over(day, end - 1)
