"""What simulated servers run on: clocks that jump, a slow store, thinkers, and the news between processes."""

import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from random import Random
from typing import TYPE_CHECKING, Any

from sqlalchemy import StaticPool, create_engine
from sqlalchemy.exc import OperationalError

from hexdeck.tables.database import Database, migrate, parsed
from hexdeck.tables.registry import Runtime
from hexdeck.tables.rows import MOST_JOBS, Fanout, Job, News, Store, Viewers, _as_table_error, push_key
from hexdeck.tables.thinker import Thinker

if TYPE_CHECKING:
    from tests.evenings.world import World

EPOCH = 1.8e9  # when evenings begin
PUSH_KEY = (7).to_bytes(32)  # that signs calls to people who are away
TEMPLATE: list[sqlite3.Connection] = []  # a database without tables; migrations take longer than an evening


def fresh_database() -> sqlite3.Connection:
    """A database in memory, as the first start of a server makes it."""
    if not TEMPLATE:
        made = opened()
        with engine_of(made).begin() as connection:
            migrate(connection)
            push_key(connection, PUSH_KEY)  # servers would draw it from the system
        TEMPLATE.append(made)
    copy = opened()
    TEMPLATE[0].backup(copy)
    return copy


def opened() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False)


def engine_of(raw: sqlite3.Connection) -> Any:
    raw.execute("PRAGMA foreign_keys=ON")
    return create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)


class SharedDatabase(Database):
    """The world's database, as one process has it open; `alone`: no other process may."""

    def __init__(self, engine: Any, *, alone: bool) -> None:
        self.url, self.is_file, self.place, self.engine = parsed("sqlite:////world"), alone, "the world", engine

    def close(self) -> None:
        """The world goes on."""


class Machine(Runtime):
    """The machine of one process, from its start until it stops or is killed. `ahead`: what its clock is wrong by."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name = world, name
        self.random, self.ahead, self.dead = Random(f"{world.seed} machine {name}"), 0.0, False

    def clock(self) -> float:
        return EPOCH + self.world.loop.time() + self.world.days + self.ahead

    def monotonic(self) -> float:
        """The seconds since the evening began."""
        return self.world.loop.time()

    worked = monotonic  # so that the same seed is the same evening

    def database(self, url: str) -> Database:
        return SharedDatabase(self.world.engine, alone=self.world.alone)

    def store(self, database: Database, announce: Callable[[News], None], timed: Any) -> Store:
        """A store whose jobs take as long as the world says."""
        return DelayedStore(self, database, announce, timed)

    def thinker(self) -> Thinker:
        """Bots whose thoughts take as long as the world says."""
        return DelayedThinker(self)

    def fanout(self, database: Database, process: str) -> Fanout:
        return Fanout() if database.is_file else self.world.bus.join(self, process)


class DelayedStore(Store):
    """Jobs in batches, one after the other; what is stored is told a little later, or never, where the machine died."""

    def __init__(
        self,
        machine: Machine,
        database: Database,
        announce: Callable[[News], None],
        timed: Callable[[int, float], None],
    ) -> None:
        self.machine, self.database, self.announce, self.timed = machine, database, announce, timed
        self.waiting: list[Job] = []
        self.busy, self.untold = False, 0  # transactions whose ends nobody has been told of yet

    def submit(self, work: Callable[[Any], Any], news: tuple[str, int] | None = None) -> Future[Any]:
        job = Job(work, news)
        if not self.machine.dead:
            self.waiting.append(job)
            self._soon()
        return job.done

    def _soon(self) -> None:
        if self.waiting and not self.busy:
            self.busy = True
            self.machine.world.later(self.machine.world.weather.store_delay(), self._turn)

    def _turn(self) -> None:
        self.busy = False
        if self.machine.dead:
            return
        batch, self.waiting = self.waiting[:MOST_JOBS], self.waiting[MOST_JOBS:]
        batch = [job for job in batch if job.done.set_running_or_notify_cancel()]
        if self.machine.world.weather.store_fails():
            for job in batch:
                job.done.set_exception(_as_table_error(OperationalError("INSERT", {}, Exception("disk full"))))
        else:
            self._commit(batch)
        self._soon()

    def _finish(self, batch: list[Job], results: list[Any]) -> None:
        self.machine.world.oracle.look(self.machine.name)

        def told() -> None:
            self.untold -= 1
            if not self.machine.dead:
                Store._finish(self, batch, results)

        self.untold += 1
        self.machine.world.later(self.machine.world.weather.commit_delay(), told)

    def close(self) -> None:
        while self.waiting:
            self._turn()


class DelayedThinker(Thinker):
    """Thoughts, each on a thread of its own as it were."""

    def __init__(self, machine: Machine) -> None:
        super().__init__(1, machine.random)
        self.machine, self.closed = machine, False

    def work(self, job: Callable[[], Any], asker: str = "", table: str = "", patience: float = 0.0) -> Future[Any]:
        """Think later."""
        future: Future[Any] = Future()

        def think() -> None:
            if self.closed:
                future.cancel()
            elif not self.machine.dead and future.set_running_or_notify_cancel():
                try:
                    future.set_result(job())
                except BaseException as error:
                    future.set_exception(error)

        self.machine.world.later(self.machine.world.weather.thought(), think)
        return future

    def close(self) -> None:
        self.closed = True


class Bus:
    """News from process to process: late, in order, and lost where somebody doesn't listen just now."""

    def __init__(self, world: "World") -> None:
        self.world = world
        self.ends: dict[str, End] = {}
        self.due: dict[tuple[str, str], float] = {}

    def join(self, machine: Machine, process: str) -> "End":
        self.ends[process] = End(self, machine, process)
        return self.ends[process]

    def send(self, end: "End", tell: Callable[["End"], None]) -> None:
        """Tell all others something."""
        for process, other in list(self.ends.items()):
            if process == end.process or end.machine.dead:
                continue
            at = max(
                self.world.loop.time() + self.world.weather.news_delay(), self.due.get((end.process, process), 0) + 1e-6
            )
            self.due[end.process, process] = at
            self.world.loop.call_at(at, self._arrive, other, tell)

    def _arrive(self, end: "End", tell: Callable[["End"], None]) -> None:
        if not end.machine.dead and not self.world.weather.is_deaf(end.machine.name):
            tell(end)


class End(Fanout):
    """The end of the bus at one process."""

    shared = True

    def __init__(self, bus: Bus, machine: Machine, process: str) -> None:
        self.bus, self.machine, self.process = bus, machine, process

    def publish(self, news: News) -> None:
        super().publish(news)
        self.bus.send(self, lambda end: Fanout.publish(end, news))

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        self.bus.send(self, lambda end: end._on_presence and end._on_presence(self.process, viewers, ask))

    def close(self) -> None:
        self.bus.ends.pop(self.process, None)
