"""The moment of a bot's move doesn't tell how long it thought."""

import asyncio
from concurrent.futures import Future
from typing import Any

import hexdeck
from hexdeck.tables.model.timing import UNWATCHED_DELAY, bot_delay
from tests.tables.house import House, in_a_file


def test_thoughts_within_the_pause_look_the_same_and_longer_ones_in_doublings() -> None:
    assert {bot_delay(took, 0.8) for took in (0.0, 0.01, 0.5, 0.8)} == {0.8}
    assert {bot_delay(took, 0.8) for took in (0.81, 1.2, 1.6)} == {1.6}
    assert bot_delay(5.0, 0.8) == 6.4
    assert bot_delay(5.0, 0.0) == 0.0


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
    assert all(UNWATCHED_DELAY <= each <= UNWATCHED_DELAY + 0.01 for each in times), times
