"""A registry with its bots for a test, whose time passes only when nothing is left to do.

Where tables are in a file, the store and the bots take their turns in an event loop with a clock of its own (`loop.py`
of the evenings): one thing after the other, and whoever waits waits for no time at all. PostgreSQL brings its news when
it likes, so there threads and clocks are real.
"""

import asyncio
import functools
import inspect
import random
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hexdeck.tables import commands, rows
from hexdeck.tables.database import Database, parsed
from hexdeck.tables.keys import hashed
from hexdeck.tables.live import LiveTable
from hexdeck.tables.registry import Runtime, TableRegistry
from hexdeck.tables.rows import Job, News, Store
from hexdeck.tables.runner import Runner
from hexdeck.tables.thinker import Thinker
from tests.evenings.loop import VirtualLoop

SECRET = bytes(range(32))
PATIENCE = 600.0  # seconds


class Still(Runtime):
    """A machine without threads, whose only clock is the event loop's."""

    def clock(self) -> float:
        """The seconds since the beginning."""
        return asyncio.get_running_loop().time()

    def monotonic(self) -> float:
        return self.clock()

    def store(self, database: Database, announce: Callable[[News], None], timed: Callable[[int, float], None]) -> Store:
        return StoreInTurn(database, announce, timed)

    def thinker(self) -> Thinker:
        return ThinkerInTurn(1, self.random)


class StoreInTurn(Store):
    """Jobs that are done when the event loop comes to them; those that wait then share a transaction."""

    def __init__(
        self, database: Database, announce: Callable[[News], None], timed: Callable[[int, float], None]
    ) -> None:
        self.database, self.announce, self.timed, self._waiting = database, announce, timed, list[Job]()

    def submit(self, work: Callable[[Any], Any], news: tuple[str, int] | None = None) -> Future[Any]:
        self._waiting.append(job := Job(work, news))
        asyncio.get_running_loop().call_soon(self._work)
        return job.done

    def _work(self) -> None:
        batch, self._waiting = self._waiting, []
        if batch := [job for job in batch if job.done.set_running_or_notify_cancel()]:
            self._commit(batch)

    def close(self) -> None:
        self._work()
        self.database.close()


class ThinkerInTurn(Thinker):
    """Thoughts that come when the event loop comes to them."""

    def work(self, job: Callable[[], Any], asker: str = "", table: str = "") -> Future[Any]:
        """Think a little later."""
        future: Future[Any] = Future()

        def think() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except BaseException as error:
                    future.set_exception(error)

        asyncio.get_running_loop().call_soon(think)
        return future


@dataclass
class House:
    """A registry with its bots, and a clock that tests turn on; in a still machine it goes on by itself, too."""

    registry: TableRegistry
    runner: Runner
    time: float = 1e9

    async def table(self, game: Any, *chairs: str, **setup: Any) -> LiveTable:
        """A table; the token `me` has the first seat."""
        wanted = commands.TableSetup(game, ("you", *(chairs or ["random"] * (game.players - 1))), **setup)
        return await commands.create(self.registry, wanted, SECRET, hashed("me"))

    async def of_people(self, game: Any, **setup: Any) -> LiveTable:
        """A table of people whose cards are dealt: the token of seat k is `seat-k`, of the first `me`."""
        table = await self.table(game, *["open"] * (game.players - 1), **setup)
        for seat in range(1, game.players):
            await self.sits(table, seat)
        return table

    async def sits(self, table: LiveTable, seat: int, name: str = "") -> LiveTable:
        """Somebody takes a seat: the token `seat-k`."""
        held = {"token": hashed(f"seat-{seat}"), "table": table.id, "seat": seat}
        return await self.change(table, commands.sit(seat, name, "", "", self.time), held)

    async def moves(self, table: LiveTable, seat: int, move: int | None = None) -> LiveTable:
        """A seat makes a move: the first that its view offers, or this one."""
        chosen = table.view(seat).moves[0].id if move is None else move
        return await self.change(table, commands.move(seat, chosen, table.version_for(seat), self.registry.clock()))

    async def change(self, table: LiveTable, draft: Any, holder: rows.Row | None = None) -> LiveTable:
        """Change a table; the holder gets a seat."""
        return await self.registry.change(table.id, draft, holder)

    def sleeps(self) -> None:
        self.runner.wake = self.registry.on_change = lambda _table: None  # type: ignore[method-assign]

    @property
    def runs_for(self) -> float:
        """The seconds since the beginning."""
        return self.registry.runtime.monotonic()

    async def passes(self, seconds: float) -> None:
        """Let so much time pass, which is at once in a still machine."""
        await asyncio.sleep(seconds)

    async def comes(self, what: Callable[[], Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not what():
                await asyncio.sleep(0.01)

    async def settles(self, table: LiveTable) -> None:
        await self.comes(lambda: not (table.lock.locked() or table.played_by_server))

    async def play(self, table: LiveTable, seats: list[int], rng: random.Random, moves: int = 10**9) -> None:
        """Random moves of some seats, others being bots."""
        for _ in range(moves):
            await self.settles(table)
            if table.state != "playing":
                return
            seat = rng.choice([seat for seat in table.acting if seat in seats])
            await self.moves(table, seat, rng.choice(table.view(seat).moves).id)


def housed(url: str, test: Callable[[House], Awaitable[None]], begin_at: float = 1e9, *, bots: bool = True) -> None:
    """Run a test with a registry of its own; without `bots` nothing happens by itself."""

    async def run() -> None:
        registry = TableRegistry(
            database, clock=lambda: house.time + (machine.clock() if still else 0.0), runtime=machine
        )
        house = House(registry, Runner(registry, pause=0, thinker=machine.thinker()), begin_at)
        await registry.open()
        if bots:
            registry.on_change = house.runner.wake
            await house.runner.open()
        try:
            async with asyncio.timeout(PATIENCE):
                await test(house)
        finally:
            house.runner.close()
            await registry.close()

    database = fresh(url)
    still, machine = database.is_file, Still() if database.is_file else Runtime()
    with (
        ThreadPoolExecutor(1) as apart,  # a browser's tests leave a loop running in the thread they share with these
        asyncio.Runner(loop_factory=(lambda: VirtualLoop(lambda: 0.0)) if still else None) as loop,
    ):
        apart.submit(loop.run, run()).result()


@functools.cache
def template() -> Path:
    """A file without tables: copying it is much quicker than all migrations."""
    file = Path(tempfile.mkdtemp(prefix="hexdeck-tables-")) / "tables.db"
    Database(str(file)).close()
    return file


def fresh(url: str) -> Database:
    """Open a database, a file as the first start of a server makes it."""
    with_a_file(url)
    return Database(url)


def with_a_file(url: str) -> None:
    """Put a file without tables where there is none, open to others as files are."""
    place = Path(str(parsed(url).database))
    if parsed(url).drivername == "sqlite" and not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(template(), place)


def in_a_file(test: Callable[..., Awaitable[None]]) -> Any:
    """Let a coroutine be a test: a `house` that it asks for has its tables in a file; a `registry` has no bots."""
    return _run(test, "place")


def in_each_database(test: Callable[..., Awaitable[None]]) -> Any:
    """The same, in a file and, in a run of everything, in PostgreSQL too."""
    return _run(test, "database")


def _run(test: Callable[..., Awaitable[None]], place: str) -> Any:
    wanted = inspect.signature(test).parameters

    @functools.wraps(test)
    def run(**given: Any) -> None:
        async def visited(house: House) -> None:
            found = {"house": house, "registry": house.registry}
            await test(**{name: found[name] for name in found if name in wanted}, **given)

        housed(given[place] if place in wanted else given.pop(place), visited, bots="house" in wanted)

    fixtures = [each for name, each in wanted.items() if name not in ("house", "registry", place)]
    signature = inspect.signature(test)
    own = inspect.Parameter(place, inspect.Parameter.KEYWORD_ONLY)
    run.__signature__ = signature.replace(parameters=[*fixtures, own])  # type: ignore[attr-defined]
    return run
