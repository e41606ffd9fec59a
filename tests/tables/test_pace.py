"""The moment of a bot's move doesn't tell how long it thought."""

import asyncio
import time
from pathlib import Path

import pytest

import hexdeck
from hexdeck.tables.keys import fresh_secret, hashed
from hexdeck.tables.model.pace import moment
from hexdeck.tables.service import new_tables
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.runner import Runner
from hexdeck.tables.service.thinker import Thinker
from hexdeck.tables.storage.database import Database
from tests.loops import alone
from tests.web.serving import PATIENCE


def test_thoughts_within_the_pause_look_the_same_and_longer_ones_in_doublings() -> None:
    assert {moment(took, 0.8) for took in (0.0, 0.01, 0.5, 0.8)} == {0.8}
    assert {moment(took, 0.8) for took in (0.81, 1.2, 1.6)} == {1.6}
    assert moment(5.0, 0.8) == 6.4
    assert moment(5.0, 0.0) == 0.0


async def seconds_of_a_move(url: str, watched: bool) -> float:
    """How long after the deal the bot's choice is there."""
    registry = TableRegistry(Database(url))
    runner = Runner(registry, pause=0.4)
    registry.on_change = runner.wake
    await registry.open()
    chairs = new_tables.TableSetup(hexdeck.game("cursed-hand", 2), ("you", "random"))
    try:
        async with asyncio.timeout(PATIENCE):
            table = await new_tables.create(registry, chairs, fresh_secret(), hashed("me"))
            table.seen, began = True, time.perf_counter()
            if watched:
                registry.count_viewers(table.id, 1)
            while table.entries[-1].seat != 1:
                await asyncio.sleep(0.002)
            return time.perf_counter() - began
    finally:
        runner.close()
        await registry.close()


@pytest.mark.parametrize("watched", [False, True])
def test_a_hand_that_a_bot_thinks_about_longer_is_played_no_later(
    watched: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest, times = Thinker._choose, list[float]()
    for number, thought in enumerate((0.0, *(0.0, 0.06) * 4)):  # the first has to load much; and machines are busy

        def slow(*given: object, for_seconds: float = thought) -> int:
            time.sleep(for_seconds)
            return honest(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(Thinker, "_choose", slow)
        times.append(alone(seconds_of_a_move(f"sqlite:///{tmp_path / f'{number}.db'}", watched)))
    assert min(times) >= 0.1 and abs(min(times[1::2]) - min(times[2::2])) < 0.045, times
