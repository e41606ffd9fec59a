"""An evening: parties come together, things go wrong, it becomes calm, and everything must have come right."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from hexdeck.tables.entries import OVER, PLAYING, WAITING
from tests.evenings.network import Lost
from tests.evenings.oracle import BOUND
from tests.evenings.party import Party
from tests.evenings.people import Person
from tests.evenings.world import World

LOOK_EVERY = 7.0  # seconds between looks at who waits
PATIENCE = 240.0  # seconds in which something must happen at each table once it is calm


@dataclass(frozen=True)
class Result:
    """What came of an evening."""

    seed: int | str
    failures: tuple[str, ...]
    trace: str
    counts: Counter[str]
    seconds: float

    def __str__(self) -> str:
        return "\n".join([f"seed {self.seed}: {len(self.failures)} failures", *self.failures])


def live(seed: int | str, minutes: float = 8.0, changes: int = 60) -> Result:
    """An evening of so many minutes, or until so much has been stored; then a calm while.

    It has a thread of its own: a browser of other tests may have a loop in this one.
    """
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(_live, seed, minutes, changes).result()


def _live(seed: int | str, minutes: float, changes: int) -> Result:
    world = World(seed)
    with contextlib.suppress(Exception):  # it is among the failures
        world.run(evening(world, 60 * minutes, changes))
    return Result(seed, tuple(world.failures), "\n".join(world.trace), world.oracle.counts, world.loop.time())


async def evening(world: World, seconds: float, changes: int) -> None:
    """All that happens."""
    rng = Random(f"{world.seed} evening")
    for _ in range(1 if world.alone else 2):
        await world.start_server()
    parties = [Party(world, number) for number in range(rng.choice([1, 1, 2]))]
    world.note("world", f"{'alone' if world.alone else 'two'}; " + "; ".join(f"{each.form}" for each in parties))
    people = [world.loop.create_task(guest.lives()) for party in parties for guest in party.guests]
    hosts = [world.loop.create_task(party.host.sets_up()) for party in parties]
    trouble = world.loop.create_task(troubles(world, rng))
    watch = world.loop.create_task(watches(world))
    while world.loop.time() < seconds and world.stored < changes and not finished(world, parties):
        await asyncio.sleep(2)
    trouble.cancel()
    for came in await asyncio.gather(trouble, *world.replacing, return_exceptions=True):
        if isinstance(came, Exception):
            world.fails(f"a process couldn't be replaced: {came!r}")
    await becomes_calm(world, parties, changes)
    await ends(world, parties)
    for task in (*people, *hosts, watch):
        if task.done() and not task.cancelled() and task.exception() is not None:
            world.fails(f"somebody failed: {task.exception()!r}")
        task.cancel()
    await asyncio.gather(*people, *hosts, watch, return_exceptions=True)


def finished(world: World, parties: list[Party]) -> bool:
    return all(state_of(world, party) == OVER for party in parties)


def state_of(world: World, party: Party) -> str:
    """The state of a party's table; empty before there is one, or when it was deleted."""
    shadow = world.oracle.shadows.get(party.table)
    return "" if shadow is None or shadow.gone else shadow.table.state


# --- what goes wrong --------------------------------------------------------------------------------------------------
async def troubles(world: World, rng: Random) -> None:
    while True:
        await asyncio.sleep(rng.expovariate(1 / 40))
        await rng.choice([slow_store, full_disk, deaf_process, wrong_clock, restart, restart, a_day_passes])(world, rng)


async def slow_store(world: World, rng: Random) -> None:
    world.note("weather", "the store is slow")
    world.weather.slow_until = world.loop.time() + rng.uniform(2, 20)


async def full_disk(world: World, rng: Random) -> None:
    world.note("weather", "the store fails")
    world.weather.failing_until = world.loop.time() + rng.uniform(1, 8)


async def deaf_process(world: World, rng: Random) -> None:
    """A process loses its connection for news, and gets none until it is connected again."""
    server = rng.choice(world.servers)
    world.note("weather", f"{server.name} hears nothing")
    world.weather.deaf_until[server.machine.name] = world.loop.time() + rng.uniform(1, 10)


async def wrong_clock(world: World, rng: Random) -> None:
    """The clock of a machine is set, forwards or back."""
    server, by = rng.choice(world.servers), rng.choice([-30.0, -2.0, 2.0, 30.0, 300.0])
    world.note("weather", f"the clock of {server.name} jumps by {by}")
    server.machine.ahead += by


async def a_day_passes(world: World, rng: Random) -> None:
    """For clocks, that is: at a table with a move a day, somebody is late."""
    if rng.random() < 0.3:
        world.note("weather", "a day passes")
        world.days += 86_400.0


async def restart(world: World, rng: Random) -> None:
    """A process is replaced: by an upgrade, or since it was killed."""
    await world.restart(rng.choice(world.servers), killed=rng.random() < 0.5)


# --- who waits --------------------------------------------------------------------------------------------------------
async def watches(world: World) -> None:
    """Whoever has looked for a while sees what is stored."""
    while True:
        await asyncio.sleep(LOOK_EVERY)
        now = world.loop.time()
        for guest in world.guests:
            since = guest.looking_since
            if guest.looks and now - since > BOUND and guest.table and guest.version >= 0:
                seat = -1 if guest.watches_only else guest.seat
                if not world.oracle.is_current(guest.table, seat, guest.version):
                    world.fails(f"{guest.name} still sees version {guest.version} of {guest.table}")


async def becomes_calm(world: World, parties: list[Party], changes: int) -> None:
    """Nothing goes wrong any more: matches go on until they are over, or for a while."""
    world.note("weather", "it is calm")
    world.weather.clears()
    begun, until = world.stored, world.loop.time() + PATIENCE
    for guest in world.guests:
        guest.line.down = guest.away = False
    for party in parties:
        await settle(party)
    while not finished(world, parties) and world.stored < begun + changes // 2 and world.loop.time() < until:
        await asyncio.sleep(1)
    for party in parties:
        shadow = world.oracle.shadows.get(party.table)
        if state_of(world, party) == PLAYING and shadow and shadow.at[-1] < world.loop.time() - PATIENCE / 2:
            world.fails(f"nothing happens at {party.table} ({party.game}), where {shadow.table.acting} are to act")


async def settle(party: Party) -> None:
    """The cards are dealt, and people play themselves again."""
    for guest in party.guests:
        for _try in range(20):
            try:
                if isinstance(guest, Person) and guest.table and guest.seat >= 0:
                    await guest.comes_back()
                    if guest is party.host:
                        await party.host.deals()
                break
            except Lost:
                await asyncio.sleep(1)


async def ends(world: World, parties: list[Party]) -> None:
    """Records of matches that are over are fetched and checked, and so is all that is stored."""
    for party in parties:
        if state_of(world, party) == OVER:
            await fetched(world, party)
        elif state_of(world, party) == WAITING:
            world.note("world", f"{party.table} still waits")
    await afterwards(world, parties)
    await asyncio.sleep(BOUND)
    world.oracle.close()


async def fetched(world: World, party: Party) -> None:
    """The record of a match; a process that could read nothing while the store failed may learn of the end late."""
    answer: Any = None
    for _try in range(3):
        answer = await party.host.line.get(f"/table/{party.table}/record")
        if answer.status == 200:
            world.oracle.record(party.table, answer.text)
            return
        await asyncio.sleep(1)
    world.fails(f"the record of {party.table} can't be had: {answer.status}")


async def afterwards(world: World, parties: list[Party]) -> None:
    """A process is replaced, and somebody's traces are deleted."""
    rng = Random(f"{world.seed} afterwards")
    if rng.random() < 0.5:
        await world.restart(rng.choice(world.servers), killed=rng.random() < 0.5)
    for party in parties:
        if state_of(world, party) == OVER:
            await unless_lost(
                rng.choice([party.host.deletes, party.host.leaves_for_good, party.host.leaves_everything])()
            )


async def unless_lost(does: Awaitable[None]) -> None:
    """Do something; a network may be gone meanwhile."""
    with contextlib.suppress(Lost):
        await does
