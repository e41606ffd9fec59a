"""Streams take turns: what one move has to be told to many doesn't keep another's request waiting."""

import asyncio

from hexdeck.web.streams import Turns


def test_those_who_wait_go_on_in_order_with_other_work_between_any_two() -> None:
    async def told(turns: Turns, name: str, said: list[str]) -> None:
        await turns.wait()
        said.append(name)

    async def other(said: list[str], times: int) -> None:
        for _ in range(times):
            said.append("-")
            await asyncio.sleep(0)

    async def both() -> list[str]:
        said: list[str] = []
        turns = Turns()
        await asyncio.gather(*(told(turns, name, said) for name in "abc"), other(said, 8))
        return said

    said = asyncio.run(both())
    assert [name for name in said if name != "-"] == ["a", "b", "c"]
    assert "-" in said[said.index("a") : said.index("b")] and "-" in said[said.index("b") : said.index("c")]


def test_who_went_away_while_waiting_is_passed_over() -> None:
    async def gone() -> None:
        turns = Turns()
        waiting = [asyncio.ensure_future(turns.wait()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 1)
        await asyncio.wait_for(turns.wait(), 1)

    asyncio.run(gone())
