"""Threads in which bots think, in fair turns: compiled code doesn't hold up the event loop.

A browser that asks for much waits for its own jobs, and keeps no other waiting.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from random import Random
from typing import Any, Generic, TypeVar

from hexdeck.bots.players.named import Bot, bot, playing_now
from hexdeck.engine.play.game import quickest_backend
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game
from hexdeck.tables.entries import compact_json
from hexdeck.tables.errors import TooMany
from hexdeck.tables.keys import SYSTEM

PATIENCE = 60.0  # seconds after a request for which its sender is taken to wait
MOST_TABLES = 20_000  # tables
J = TypeVar("J")
LAST = "last"  # an asker that can wait: one job at a time, when no other asker has any
T = TypeVar("T")
MOST_WAITING = 40  # jobs that a visitor asked for; with more, none is begun for them
MOST_BOTS = 12  # bots that a thread keeps ready
Job = tuple[Future[Any], Callable[[], Any]]


class Interest:
    """The last request of a holder at each table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._asked: OrderedDict[str, tuple[str, float]] = OrderedDict()

    def note(self, table: str, asker: str) -> None:
        """A holder at a table asked for something; `asker`: the network that this came from."""
        self._asked[table] = asker, self.clock()
        self._asked.move_to_end(table)
        while len(self._asked) > MOST_TABLES:
            self._asked.popitem(last=False)

    def asker(self, table: str) -> str:
        """Whom work for a table is counted for: who asked there last, else the table itself."""
        return self._asked[table][0] if table in self._asked else table

    def waits(self, table: str) -> bool:
        """Whether a holder has asked so lately that they are taken to wait."""
        return table in self._asked and self.clock() - self._asked[table][1] < PATIENCE


class FairQueue(Generic[J]):
    """Askers take turns; the turns of an asker go round their tables; at a table, whatever came first is first.

    `most_each`: how many jobs of one asker may be under way at once, so that a thread is left for the others.
    """

    def __init__(self, most_each: int) -> None:
        self.most_each = most_each
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()  # by asker, then by table
        self._under_way: Counter[str] = Counter()
        self._closed = False

    def put(self, asker: str, table: str, job: J) -> bool:
        """Let a job wait; False where the queue is closed."""
        with self._changed:
            if not self._closed:
                self._waiting.setdefault(asker, OrderedDict()).setdefault(table, deque()).append(job)
                self._changed.notify()
            return not self._closed

    def get(self) -> tuple[str, J] | None:
        """Wait for the next job; it is under way until `done`. None where the queue is closed."""
        with self._changed:
            while not self._closed:
                asker = self._next_asker()
                if asker is not None:
                    self._under_way[asker] += 1
                    return asker, self._take(asker)
                self._changed.wait()
            return None

    def _next_asker(self) -> str | None:
        """Whose turn it is; None where no asker may have a job done now."""
        askers = [asker for asker in self._waiting if asker != LAST]
        if not askers and LAST in self._waiting and not self._under_way[LAST]:
            return LAST
        return next((asker for asker in askers if self._under_way[asker] < self.most_each), None)

    def _take(self, asker: str) -> J:
        """The next job of an asker, who is last in turn then, as is its table among theirs."""
        tables = self._waiting.pop(asker)
        table, jobs = tables.popitem(last=False)
        job = jobs.popleft()
        if jobs:
            tables[table] = jobs
        if tables:
            self._waiting[asker] = tables
        return job

    def done(self, asker: str) -> None:
        """A job of an asker isn't under way any more."""
        with self._changed:
            self._under_way[asker] -= 1
            if not self._under_way[asker]:
                del self._under_way[asker]
            self._changed.notify()

    def waiting(self, asker: str) -> int:
        """How many jobs of an asker wait."""
        with self._changed:
            return sum(map(len, self._waiting.get(asker, {}).values()))

    def close(self) -> list[J]:
        """Give out nothing more; returns what still waited."""
        with self._changed:
            self._closed = True
            jobs = [job for tables in self._waiting.values() for table_jobs in tables.values() for job in table_jobs]
            self._waiting.clear()
            self._changed.notify_all()
            return jobs


class Thinker:
    """A few threads for all that takes long, in fair turns; each has bots of its own, as a bot can't think for two.

    Of one asker one thread fewer works at once. The process doesn't wait for them at its end: a thought is nothing that
    could be lost.
    """

    def __init__(self, threads: int = 0, random: Random = SYSTEM) -> None:
        self.random = random
        self._threads = threads or max(2, os.cpu_count() or 2)
        self._jobs: FairQueue[Job] = FairQueue(max(1, self._threads - 1))
        self._started = False
        self._local = threading.local()

    def choose(
        self, game: Game, level: str, knowledge: bytes, seat: int, asker: str = "", table: str = "", key: bytes = b""
    ) -> Future[int]:
        """The action that a bot chooses from what a seat knows; cancelled when the thinker is closed.

        `key`: where the same knowledge is to bring the same choice again, what it follows from besides.
        """
        return self.work(partial(self._choose, game, level, knowledge, seat, key), asker, table)

    def work(self, job: Callable[[], T], asker: str = "", table: str = "") -> Future[T]:
        """The result of a job, when its turn comes; cancelled when the thinker is closed.

        `asker`: whom it is for; `table`: the table that it is about.
        """
        future: Future[T] = Future()
        self._start()
        if not self._jobs.put(asker, table, (future, job)):
            future.cancel()
        return future

    def ask(self, job: Callable[[], T], asker: str, table: str = "") -> Future[T]:
        """The result of a job that a visitor asked for; raises TooMany where too much waits for them."""
        if self._jobs.waiting(asker) >= MOST_WAITING:
            raise TooMany(say("Much is being thought about for your address just now; ask again in a moment."))
        return self.work(job, asker, table)

    def waiting(self, asker: str) -> int:
        """How many jobs of an asker wait."""
        return self._jobs.waiting(asker)

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for k in range(self._threads):
                threading.Thread(target=self._think, name=f"hexdeck-bot-{k}", daemon=True).start()

    def _think(self) -> None:
        while (job := self._jobs.get()) is not None:
            asker, (future, work) = job
            try:
                if future.set_running_or_notify_cancel():
                    future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            finally:
                self._jobs.done(asker)

    def _choose(self, game: Game, level: str, knowledge: bytes, seat: int, key: bytes = b"") -> int:
        chooser = self._bot(game, level, key)
        return same_choice(chooser, key, knowledge, seat) if key else chooser.choose(knowledge, seat)

    def _bot(self, game: Game, level: str, seed: bytes = b"") -> Bot:
        bots: OrderedDict[tuple[str, ...], Bot] = self._local.__dict__.setdefault("kept", OrderedDict())
        backend = quickest_backend(game.definition)
        key = game.name, str(game.players), compact_json(dict(game.options)), level, backend, seed.hex()
        if key not in bots:
            bots[key] = bot(playing_now(level, game, backend), game, seed or self.random.randbytes(32), backend)
        bots.move_to_end(key)
        while len(bots) > MOST_BOTS:
            bots.popitem(last=False)
        return bots[key]

    def close(self) -> None:
        """Stop; a bot that is thinking finishes unheard, or ends with the process."""
        for future, _ in self._jobs.close():
            future.cancel()


def same_choice(chooser: Bot, key: bytes, knowledge: bytes, seat: int) -> int:
    """What a bot chooses from what a seat knows, whatever it was asked before: it follows from these and a key."""
    digest = hmac.new(key, bytes([seat]) + knowledge, hashlib.sha256).digest()
    chooser.begin(int.from_bytes(digest[:4], "little"))
    return chooser.choose(knowledge, seat)
