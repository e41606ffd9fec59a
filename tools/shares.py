"""How long one visitor's bot takes while another visitor keeps many bots thinking; the server is our own, on loopback.

    python tools/shares.py                                  # 30 tables of another visitor; first none, as a control
    python tools/shares.py --tables 100 --bot rollout:1000

Visitors are told apart as behind a proxy, by a header. Each moves when they see that it is their turn.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import time
from dataclasses import dataclass
from typing import Any

from load import Wire, served

from hexdeck.simulation.warm import warm

GREEDY, MODEST = "192.0.2.1", "198.51.100.7"  # addresses for documentation
GAME, PLAYERS = "high-handed", 4
LOOKS_EVERY = {GREEDY: 1.0, MODEST: 0.02}  # seconds between looks whether it is their turn
MOST_SECONDS = 30.0  # that one turn of the bots is waited for


@dataclass
class Visitor:
    """Somebody at a table of bots, behind an address."""

    wire: Wire
    address: str
    table: str = ""
    token: str = ""

    async def ask(self, method: str, path: str, data: Any = None) -> Any:
        """A request to the API."""
        return await self.wire.api(method, path, self.token, data, {"x-forwarded-for": self.address})

    async def sits_down(self, bot: str) -> None:
        """A new table, with bots on all other seats."""
        seats = ["you", *[bot] * (PLAYERS - 1)]
        made = await self.ask("POST", "/tables", {"game": GAME, "players": PLAYERS, "seats": seats})
        self.table, self.token = made["table"], made["token"]

    async def turn(self, rng: random.Random) -> float:
        """Move at random until it is the bots' turn; returns how long they take until it is this seat's again."""
        state = await self.until_my_turn()
        while state["view"]["moves"]:
            move = rng.choice(state["view"]["moves"])["name"]
            state = await self.ask("POST", f"/tables/{self.table}/move", {"move": move, "version": state["version"]})
        began = time.perf_counter()
        await self.until_my_turn()
        return time.perf_counter() - began

    async def until_my_turn(self) -> Any:
        """Look until there are moves; a new table once a match is over."""
        end = time.perf_counter() + MOST_SECONDS
        while time.perf_counter() < end:
            state = await self.ask("GET", f"/tables/{self.table}")
            if state["state"] == "over":
                raise StopAsyncIteration
            if state["view"]["moves"]:
                return state
            await asyncio.sleep(LOOKS_EVERY[self.address])
        raise TimeoutError


async def keep_busy(port: int, bot: str, rng: random.Random) -> None:
    """One of the greedy visitor's tables, match after match."""
    while True:
        visitor = Visitor(Wire(port), GREEDY)
        await visitor.sits_down(bot)
        try:
            while True:
                await visitor.turn(rng)
        except (StopAsyncIteration, TimeoutError):
            visitor.wire.close()


async def modest(port: int, bot: str, turns: int, rng: random.Random) -> list[float]:
    """The turns of the modest visitor's bots, in seconds; one that lasts too long counts as the longest."""
    times: list[float] = []
    visitor = Visitor(Wire(port), MODEST)
    await visitor.sits_down(bot)
    while len(times) < turns:
        try:
            times.append(await visitor.turn(rng))
        except StopAsyncIteration:
            await visitor.sits_down(bot)
        except TimeoutError:
            times.append(MOST_SECONDS)
    visitor.wire.close()
    return times


async def measured(port: int, wanted: argparse.Namespace) -> None:
    """The modest visitor alone, then beside the greedy one."""
    rng = random.Random(1)
    for tables in (0, wanted.tables):
        busy = [asyncio.create_task(keep_busy(port, wanted.bot, random.Random(k))) for k in range(tables)]
        await asyncio.sleep(3 if busy else 0)
        times = sorted(await modest(port, wanted.modest_bot, wanted.turns, rng))
        print(
            f"{tables} tables of another visitor: {PLAYERS - 1} bots' turn takes {statistics.median(times):.2f} s "
            f"(median of {len(times)}), at most {times[-1]:.2f} s",
            flush=True,
        )
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=30, help="of the greedy visitor")
    parser.add_argument("--bot", default="best", help="at the greedy visitor's tables")
    parser.add_argument("--modest-bot", default="house", help="at the modest visitor's table")
    parser.add_argument("--turns", type=int, default=25, help="of the modest visitor's bots that are measured")
    wanted = parser.parse_args()
    warm(GAME)
    with served() as servers:
        asyncio.run(measured(servers[0][0], wanted))


if __name__ == "__main__":
    main()
