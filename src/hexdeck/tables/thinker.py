"""Threads in which bots think and all else that takes long is done, in fair turns.

Compiled code doesn't hold up the event loop. A browser that asks for much waits for its own jobs, and keeps no other
waiting: a thread is left for bots that answer quickly, whatever analyses and slow bots there are. How long a bot seems
to think at a table is `live.bot_delay`.
"""

import hashlib
import hmac
import math
import os
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from random import Random
from typing import Any, Generic, TypeVar

from hexdeck.bots.players.kinds import DrawnBot
from hexdeck.bots.players.roster import Bot, bot, playing_now
from hexdeck.engine.play.game import quickest_backend
from hexdeck.engine.text import say
from hexdeck.simulation.game import Game
from hexdeck.tables.errors import TooMany
from hexdeck.tables.keys import SYSTEM

PATIENCE = 60.0  # seconds after a request for which its sender is taken to wait
MOST_TABLES = 20_000  # tables
J = TypeVar("J")
K = TypeVar("K")
V = TypeVar("V")
LAST = "last"  # an asker that can wait: one job at a time, when no other asker has any
T = TypeVar("T")
MOST_WAITING = 40  # jobs that a visitor asked for; with more, none is begun for them
MOST_BOTS = 12  # bots that a thread keeps ready
QUICK = 0.25  # seconds of a processor that the last jobs of an asker took on average: if more, they are long
ASKED = "asked by "  # before the name of a visitor: their jobs other than bots' moves, which are taken to be long
Job = tuple[Future[Any], Callable[[], Any], float]  # and until when the caller waits for it


class Recent(OrderedDict[K, V]):
    """At most so many values: those that were set last."""

    def __init__(self, limit: int) -> None:
        super().__init__()
        self.limit = limit

    def __setitem__(self, key: K, value: V) -> None:
        super().__setitem__(key, value)
        self.move_to_end(key)
        while len(self) > self.limit:
            self.popitem(last=False)


class Interest:
    """The last request of a holder at each table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._asked = Recent[str, tuple[str, float]](MOST_TABLES)

    def note(self, table: str, asker: str) -> None:
        """A holder at a table asked for something; `asker`: the network that this came from."""
        self._asked[table] = asker, self.clock()

    def asker(self, table: str) -> str:
        """Whom work for a table is counted for: who asked there last, else the table itself."""
        return self._asked[table][0] if table in self._asked else table

    def waits(self, table: str) -> bool:
        """Whether a holder has asked so lately that they are taken to wait."""
        return table in self._asked and self.clock() - self._asked[table][1] < PATIENCE


class FairQueue(Generic[J]):
    """Askers take turns; the turns of an asker go round their tables; at a table, whatever came first is first.

    Those with quick jobs come first. `limit`: how many jobs of one asker, and how many long ones of all, may be under
    way at once, so that a thread is left for the others.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._changed = threading.Condition()
        self._waiting: OrderedDict[str, OrderedDict[str, deque[J]]] = OrderedDict()  # by asker, then by table
        self._under_way: Counter[str] = Counter()
        self._long: Counter[str] = Counter()  # of those under way
        self._seconds = Recent[str, float](MOST_TABLES)  # that the last jobs of an asker took
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
                    self._long[asker] += self._is_long(asker)
                    return asker, self._take(asker)
                self._changed.wait()
            return None

    def _next_asker(self) -> str | None:
        """Whose turn it is; None where no asker may have a job done now."""
        askers = [asker for asker in self._waiting if asker != LAST]
        if not askers and LAST in self._waiting and not self._under_way[LAST]:
            return LAST
        free = [asker for asker in askers if self._under_way[asker] < self.limit]
        quick = next((asker for asker in free if not self._is_long(asker)), None)
        return next(iter(free), None) if quick is None and self._long.total() < self.limit else quick

    def _is_long(self, asker: str) -> bool:
        return asker.startswith((ASKED, LAST)) or self._seconds.get(asker, 0.0) > QUICK

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

    def done(self, asker: str, seconds: float = 0.0) -> None:
        """A job of an asker isn't under way any more; it took so long."""
        with self._changed:
            self._under_way[asker] -= 1
            self._long[asker] -= self._long[asker] > 0
            if not self._under_way[asker]:
                del self._under_way[asker], self._long[asker]
            self._seconds[asker] = (self._seconds.get(asker, seconds) + seconds) / 2
            self._changed.notify_all()

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

    For one asker, and for all that takes long, one thread fewer works at once. What nobody waits for any more isn't
    begun. The process doesn't wait for them at its end: a thought is nothing that could be lost.
    """

    def __init__(self, threads: int = 0, random: Random = SYSTEM, clock: Callable[[], float] = time.monotonic) -> None:
        self.random, self.clock = random, clock
        self._threads = threads or max(2, os.cpu_count() or 2)
        self._jobs: FairQueue[Job] = FairQueue(max(1, self._threads - 1))
        self._started = False
        self._local = threading.local()

    def choose(
        self,
        game: Game,
        level: str,
        knowledge: bytes,
        seat: int,
        asker: str = "",
        table: str = "",
        key: bytes = b"",
        again: bool = False,
    ) -> Future[int]:
        """The action that a bot chooses from what a seat knows; cancelled when the thinker is closed.

        `key`: of the match, a secret. `again`: whether the same knowledge and key are to bring the same choice again.
        """
        return self.work(partial(self._choose, game, level, knowledge, seat, key, again), asker, table)

    def work(self, job: Callable[[], T], asker: str = "", table: str = "", patience: float = math.inf) -> Future[T]:
        """The result of a job, when its turn comes; cancelled when the thinker is closed, or when it comes too late.

        `asker`: whom it is for; `table`: the table that it is about; `patience`: seconds for which the caller waits.
        """
        future: Future[T] = Future()
        self._start()
        if not self._jobs.put(asker, table, (future, job, self.clock() + patience)):
            future.cancel()
        return future

    def ask(self, job: Callable[[], T], asker: str, table: str = "") -> Future[T]:
        """The result of a job that a visitor asked for; raises TooMany where too much waits for them."""
        if self.waiting(asker) >= MOST_WAITING:
            raise TooMany(say("Much is being thought about for your address just now; ask again in a moment."))
        return self.work(job, ASKED + asker, table, PATIENCE)

    def waiting(self, asker: str) -> int:
        """How many jobs that a visitor asked for wait."""
        return self._jobs.waiting(ASKED + asker)

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for k in range(self._threads):
                threading.Thread(target=self._think, name=f"hexdeck-bot-{k}", daemon=True).start()

    def _think(self) -> None:
        while (job := self._jobs.get()) is not None:
            asker, (future, work, due) = job
            began = time.thread_time()  # how long it takes depends on what else this machine does
            if self.clock() > due:
                future.cancel()
            try:
                if future.set_running_or_notify_cancel():
                    future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            finally:
                self._jobs.done(asker, time.thread_time() - began)

    def _choose(self, game: Game, level: str, knowledge: bytes, seat: int, key: bytes, again: bool) -> int:
        chooser = self._bot(game, level, key if again else b"")
        if again:
            return same_choice(chooser, key, knowledge, seat)
        return of_match(chooser, key, seat).choose(knowledge, seat)

    def _bot(self, game: Game, level: str, seed: bytes = b"") -> Bot:
        bots: Recent[tuple[Any, ...], Bot] = self._local.__dict__.setdefault("kept", Recent(MOST_BOTS))
        backend = quickest_backend(game.definition)
        key = game, game.definition, level, backend, seed
        if key not in bots:
            bots[key] = bot(playing_now(level, game, backend), game, seed or self.random.randbytes(32), backend)
        bots.move_to_end(key)
        return bots[key]

    def close(self) -> None:
        """Stop; a bot that is thinking finishes unheard, or ends with the process."""
        for future, *_ in self._jobs.close():
            future.cancel()


def same_choice(chooser: Bot, key: bytes, knowledge: bytes, seat: int) -> int:
    """What a bot chooses from what a seat knows, whatever it was asked before: it follows from these and a key."""
    one = of_match(chooser, key, seat)
    one.begin(number_of(key, bytes([seat]) + knowledge))
    return one.choose(knowledge, seat)


def of_match(chooser: Bot, key: bytes, seat: int) -> Bot:
    """The bot itself; of several, one of which plays a match, the one that follows from the match's key."""
    return chooser.bots[number_of(key, bytes([seat])) % len(chooser.bots)] if isinstance(chooser, DrawnBot) else chooser


def number_of(key: bytes, of: bytes) -> int:
    """A number below 2**32 that follows from a key and some bytes."""
    return int.from_bytes(hmac.new(key, of, hashlib.sha256).digest()[:4], "little")
