"""When a bot moves tells nobody its hand: it is the same moment in all worlds that the public thinks possible."""

import asyncio
import random
import zlib
from concurrent.futures import Future
from typing import Any
from unittest.mock import patch

import pytest

from hexdeck.engine.play.match import Match
from hexdeck.tables.live import LiveTable
from hexdeck.tables.runner import Runner
from tests.compiled import warm
from tests.evenings.party import as_typed
from tests.evenings.story import at, told
from tests.evenings.world import BACKEND, Server, World
from tests.positions import whole
from tests.settings import data, every_game, soonest
from tests.support import random_step

WORLDS, ENOUGH = 4, 30  # worlds of a position; those that must differ from the true one
THOUGHTS = 0.0, 0.3, 2.3  # seconds that a bot thinks
MATCHES, PLIES = 20, 200


class Pauses:
    """How long after its turn began each bot of a table moves, at positions of a random match and in their worlds."""

    def __init__(self, world: World, server: Server, table: LiveTable) -> None:
        self.world, self.runner, self.table = world, server.state.runner, table
        self.rng, self.changed, self.told_apart = random.Random(5), 0, list[tuple[float, float]]()

    async def seconds(self, match: Match, thought: float) -> float:
        """How long it takes until a move is made in a world."""
        self.table.match = match
        self.table.cache.clear()
        began, ends = self.world.loop.time(), list[float]()

        def choose(*_given: Any) -> Future[int]:
            found = Future[int]()
            self.world.later(thought, lambda: found.set_result(0))
            return found

        async def change(*_given: Any) -> None:
            ends.append(self.world.loop.time())

        with patch.object(self.runner.thinker, "choose", choose), patch.object(self.runner.registry, "change", change):
            assert await self.runner._play_one(self.table.id)
        return round(ends[0] - began, 6)

    async def compare(self, match: Match) -> None:
        """Compare a position with worlds that the public can't tell from it."""
        thought = self.rng.choice(THOUGHTS)
        truth = await self.seconds(match, thought)
        for _ in range(WORLDS):
            other = match.resample(-1, self.rng.getrandbits(60))
            if whole(other) != whole(match):
                self.changed += 1
                found = await self.seconds(other, thought)
                if found != truth:
                    self.told_apart.append((truth, found))


async def through_a_match(world: World, server: Server, name: str) -> Pauses:
    """Compare positions of random matches in which only bots are to act, until enough worlds have differed."""
    who, players = at(world, "Ann", server), 3
    chairs = {f"seat-{number}": "bot:steady" if number else "you" for number in range(players)}
    hiding = {f"option-{option}": value for option, value in data(name)["hiding"][0].items()}
    with patch.object(server.state.runner, "wake", lambda _table: None):
        answer = await who.post("/tables", game=name, players=players, **chairs, **as_typed(hiding))
        table = server.state.registry.tables[answer.header("location").rpartition("/")[2]]
        found = Pauses(world, server, table)
        server.state.registry.count_viewers(table.id, 1)
        table.seen = True
        for _match in range(MATCHES):
            match = table.game.match(found.rng.getrandbits(60), backend=BACKEND)
            for _ in range(PLIES):
                if match.over or found.changed >= ENOUGH:
                    break
                if 0 not in match.acting:
                    await found.compare(match.copy_position())
                random_step(match, found.rng)
    return found


def pauses(name: str) -> Pauses:
    """The same, in a world of its own."""
    warm(name, "fast")
    found = list[Pauses]()

    async def play(world: World, first: Server, _second: Server) -> None:
        with patch.object(first.state.runner, "waits", lambda _table: True):
            found.append(await through_a_match(world, first, name))

    told(play)
    return found[0]


@every_game
def test_a_bot_moves_at_the_same_moment_whatever_its_hand(name: str) -> None:
    found = pauses(name)
    assert found.changed >= ENOUGH and not found.told_apart


@soonest("cursed-hand")
def test_a_pause_by_the_hand_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Runner._play_one

    async def by_the_hand(runner: Runner, id: str) -> bool:
        table = await runner.registry.table(id)
        match, seat = table.match, table.played_by_server[0]
        assert match is not None
        secret = match.concealed(seat) if "hand" in data(name)["hidden"] else whole(match)  # where there are no hands
        await asyncio.sleep(0.05 * (zlib.crc32(secret) % 3))
        return await honest(runner, id)

    monkeypatch.setattr(Runner, "_play_one", by_the_hand)
    assert pauses(name).told_apart
