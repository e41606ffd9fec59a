"""The world of one evening: its time, its servers, its weather, and what is written down of it."""

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any
from unittest.mock import patch

from hexdeck.tables.errors import TableError, Unavailable
from hexdeck.tables.runner import Retention
from hexdeck.web.app import create_app
from hexdeck.web.server.push import SECRET, key_of, plain, public_of
from hexdeck.web.server.settings import Limits, PushServices, Settings
from tests.evenings.loop import VirtualLoop
from tests.evenings.machine import Bus, Machine, engine_of, fresh_database
from tests.evenings.oracle import Oracle
from tests.evenings.people import Guest
from tests.evenings.weather import Weather

BACKEND = "fast"
MUCH = dict.fromkeys(("posts", "pages", "creates", "joins", "codes", "hints"), (1e6, 10**6))
PLENTY = Limits(tables_part=1, streams_each=10_000, streams_part=1, streams_at=10_000, **MUCH)  # type: ignore[arg-type]
PUSH = PushServices(("push.example",))
KEY = key_of((11).to_bytes(32))  # of all browsers


class Server:
    """One process: an application on a machine of its own, with the requests that it is at."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name, self.machine, self.ready = world, name, Machine(world, name), False
        settings = Settings("world", pause=0.8, limits=PLENTY, push=PUSH, keep=Retention(unused_hours=0))
        self.app = create_app(settings, self.machine)
        self.state = self.app.state.server
        self.state.calls.post = world.post
        self.tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = self.world.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and task.exception() is not None and not self.machine.dead:
            self.world.fails(f"a request failed: {task.exception()!r}")

    async def start(self) -> None:
        await self.state.open()
        self.ready = True
        self.world.note(self.name, "serves")

    async def stop(self) -> None:
        """Stop, as before an upgrade: no new requests, then all that is under way ends."""
        self.ready = False
        self.world.note(self.name, "stops")
        self.state.streams.end()
        store: Any = self.state.registry.store
        async with asyncio.timeout(60):
            await self.state.close()
            while self.tasks or store.untold:
                await asyncio.sleep(0.05)
        self.machine.dead = True

    def kill(self) -> None:
        """Be gone at once: nothing that it does has an effect any more."""
        self.world.note(self.name, "is killed")
        self.ready, self.machine.dead = False, True
        self.state.runner.close()
        for task in [*sorted(self.tasks, key=lambda task: task.get_name()), *self.state.registry._tasks]:
            task.cancel()
        self.state.registry.spawn = lose  # what its timers still begin
        self.world.orphans |= asyncio.all_tasks(self.world.loop)  # that nothing wakes: held, until all is cleared away


def lose(work: Any) -> None:
    """Begin nothing: who would do it is dead."""
    work.close()


class Post:
    """The push services of the world: they take every message."""

    def __init__(self, world: "World") -> None:
        self.world = world

    async def send(self, endpoint: Any, headers: dict[str, str], body: bytes) -> int:
        self.world.oracle.called(endpoint.path, headers["Topic"])
        self.world.note("push", f"{endpoint.path} {len(body)}")
        await asyncio.sleep(self.world.weather.wire_delay())
        return 201


class Ears(logging.Handler):
    """Hear what servers log, in place of all others: whatever they didn't expect is a failure."""

    def __init__(self, world: "World") -> None:
        super().__init__(logging.ERROR)
        self.world, self.log = world, logging.getLogger("hexdeck")

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and not isinstance(error, Unavailable):
            self.world.fails(f"a server logs: {record.getMessage()}: {type(error).__name__}: {error}")

    def __enter__(self) -> None:
        self.propagates, self.log.propagate = self.log.propagate, False
        self.log.addHandler(self)

    def __exit__(self, *_error: object) -> None:
        self.log.propagate = self.propagates
        self.log.removeHandler(self)


class World:
    """All of it. `alone`: one process has the database to itself, else two share it."""

    def __init__(self, seed: int | str) -> None:
        self.seed, self.rng = seed, Random(f"{seed} world")
        self.alone = self.rng.random() < 0.4
        self.trace: list[str] = []
        self.failures: list[str] = []
        self.weather = Weather(self)
        self.loop = VirtualLoop(self.weather.job_delay)
        self.loop.set_exception_handler(
            lambda _loop, found: self.fails(f"{found['message']}: {found.get('exception')}")
        )
        self.raw = fresh_database()
        self.engine = engine_of(self.raw)
        self.bus, self.oracle, self.post = Bus(self), Oracle(self), Post(self)
        self.servers: list[Server] = []
        self.guests: list[Guest] = []
        self.replacing: set[asyncio.Task[None]] = set()
        self.orphans: set[asyncio.Task[Any]] = set()
        self.started = self.stored = 0
        self.routes: dict[str, Server] = {}  # by who asks, where a test says so
        self.days = 0.0  # that have passed for all clocks on walls

    # --- what is written down -----------------------------------------------------------------------------------------
    def note(self, who: str, what: str) -> None:
        self.trace.append(f"{self.loop.time():12.6f} {who}: {what}")

    def fails(self, what: str) -> None:
        self.note("FAILURE", what)
        self.failures.append(f"at {self.loop.time():.3f} s: {what}")

    def later(self, seconds: float, act: Callable[[], Any]) -> None:
        self.loop.call_later(seconds, act)

    def browser(self, name: str) -> dict[str, str]:
        address = f"https://push.example/{name.replace(' ', '-')}"
        return {"endpoint": address, "p256dh": plain(public_of(KEY)), "auth": plain(bytes(SECRET))}

    # --- servers ------------------------------------------------------------------------------------------------------
    async def start_server(self) -> Server:
        """One more process."""
        while True:  # whatever starts servers tries again
            self.started += 1
            server = Server(self, f"server {self.started}")
            try:
                await server.start()
            except TableError as error:
                self.note(server.name, f"can't start: {error}")
                server.kill()
                await asyncio.sleep(1)
            else:
                self.servers.append(server)
                return server

    def server_for(self, who: str) -> Server | None:
        ready = [server for server in self.servers if server.ready]
        if who in self.routes:
            return self.routes[who]
        return self.weather.rng.choice(ready) if ready else None

    async def restart(self, server: Server, *, killed: bool) -> None:
        """Replace a process by a new one, also where whoever began it is cancelled meanwhile."""
        task = self.loop.create_task(self._replace(server, killed=killed))
        self.replacing.add(task)
        await asyncio.shield(task)
        self.replacing.discard(task)

    async def _replace(self, server: Server, *, killed: bool) -> None:
        """Of a file the new one begins only after the old one is gone, else before or after."""
        if killed:
            server.kill()
        elif self.alone:
            await server.stop()
        await asyncio.sleep(self.rng.uniform(0.1, 5))
        await self.start_server()
        if not killed and not self.alone:
            await server.stop()
        self.servers.remove(server)

    # --- one evening --------------------------------------------------------------------------------------------------
    def run(self, evening: Coroutine[Any, Any, None]) -> None:
        """Live through it."""
        with (
            patch.dict(os.environ, {"HEXDECK_BACKEND": BACKEND}),
            Ears(self),
        ):
            task = self.loop.create_task(evening)
            try:
                self.loop.run_until_complete(task)
            except Exception as error:
                self.fails(f"{type(error).__name__}: {error}")
                raise
            finally:
                self._clear_away()

    def _clear_away(self) -> None:
        for server in self.servers:
            server.machine.dead = True
            server.state.runner.close()  # or bots would begin to think anew, again and again
        try:
            while left := asyncio.all_tasks(self.loop):  # those that end may begin others
                for task in left:
                    task.cancel()
                self.loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        finally:
            self.loop.close()
            self.engine.dispose()
            self.raw.close()
