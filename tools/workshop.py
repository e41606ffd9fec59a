"""How soon the workshop has figures, and by how much it slows bots at tables; on this machine, with its own process.

    python tools/workshop.py                        # all games at four players: first figures, and ±1 percentage point
    python tools/workshop.py --slowdown --rounds 40 # thoughts of bots on all processors, without and with the workshop

Both need a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence

from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.workshop import Inquiry
from hexdeck.simulation.game import Game
from hexdeck.tables.thinker import Thinker
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.workshop import Workshop

PLAYERS, POINT, PATIENCE = 4, 0.01, 120.0
THINKER, THOUGHTS = "rollout:house:400", 4  # a bot that thinks for a while; how many think at once
WARM = 2.0  # seconds that the workshop plays before bots are timed beside it


def asked(name: str) -> Inquiry:
    """A game as it is at tables, with house bots."""
    return Inquiry(GameSetup.at_table(name, PLAYERS), ("house",) * PLAYERS)


async def timed(name: str) -> tuple[float, float, int]:
    """The seconds to the first figures, with a process that has yet to start, and to ±1 point; the games by then."""
    place, began, first = Workshop(Limits()), time.perf_counter(), 0.0
    try:
        with place.looking([asked(name)], "here") as look:
            async with asyncio.timeout(PATIENCE):
                while True:
                    await look.news.wait()
                    look.news.clear()
                    found = place.jobs[asked(name).key].figures
                    assert found is not None, place.jobs[asked(name).key].refused
                    first = first or time.perf_counter() - began
                    if found.margin is not None and found.margin <= POINT:
                        return first, time.perf_counter() - began, found.games
    finally:
        place.close()


def thoughts(thinker: Thinker, game: Game, known: bytes, seat: int) -> float:
    """The seconds in which several bots think at once, on all processors."""
    began = time.perf_counter()
    jobs = [thinker.choose(game, THINKER, known, seat, str(k), str(k)) for k in range(THOUGHTS)]
    for job in jobs:
        job.result()
    return time.perf_counter() - began


async def slowdown(name: str, rounds: int) -> tuple[list[float], list[float]]:
    """The seconds of thoughts without and with the workshop beside them, in turns."""
    game, thinker = Game.at_table(name, PLAYERS), Thinker()
    match = game.match(seed=1)
    seat = match.acting[0]
    known = match.concealed(seat)
    thoughts(thinker, game, known, seat)  # bots are made
    alone, beside = list[float](), list[float]()
    for _ in range(rounds):
        alone.append(await asyncio.to_thread(thoughts, thinker, game, known, seat))
        place = Workshop(Limits())
        try:
            with place.looking([asked(name)], "here") as look:
                await look.news.wait()
                await asyncio.sleep(WARM)
                beside.append(await asyncio.to_thread(thoughts, thinker, game, known, seat))
        finally:
            place.close()
    return alone, beside


def told(names: Sequence[str], rounds: int, *, slow: bool) -> None:
    """Print what was asked for, a line for each game."""
    for name in names:
        if slow:
            alone, beside = asyncio.run(slowdown(name, rounds))
            ratios = [other / one for one, other in zip(alone, beside, strict=True)]
            print(
                f"{name}: {statistics.median(alone):.2f} s alone, {statistics.median(beside):.2f} s beside the "
                f"workshop, × {statistics.median(ratios):.2f} (median of {rounds})"
            )
        else:
            first, point, games = asyncio.run(timed(name))
            print(f"{name}: first figures after {first:.1f} s, ±1 percentage point after {point:.1f} s ({games} games)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(game_names()), help="games (default: all)")
    parser.add_argument("--slowdown", action="store_true", help="measure by how much bots at tables get slower")
    parser.add_argument("--rounds", type=int, default=10, help="of each (default 10)")
    given = parser.parse_args()
    told(given.games, given.rounds, slow=given.slowdown)
