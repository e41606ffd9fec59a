"""The state of one running server: its tables and open streams, and how a change reaches them.

A stream sends the newest page of a table whenever it changes, until reader, table or server is gone. A move is news for
many readers. They take turns, players first, then the crowd a few at a time, with all other work in between: otherwise
a request would wait until all of their pages are made and sent.

Processes that share a database exchange presence: each sends its viewers when they change, and all of them again now
and then, since messages may be lost.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import math
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from time import monotonic, thread_time
from typing import Any, TypeVar

from hexdeck.engine.errors import HexdeckError, RuleFault
from hexdeck.engine.text import say
from hexdeck.tables import commands, rows
from hexdeck.tables.advice import Analyses, Hints
from hexdeck.tables.commands import HOST_AWAY
from hexdeck.tables.daily import DailyFields
from hexdeck.tables.entries import CHOICE, MOVE, PLAYING, Entry
from hexdeck.tables.errors import TableError, TooMany, Unavailable
from hexdeck.tables.live import LiveTable, note_shown
from hexdeck.tables.registry import Runtime, TableRegistry
from hexdeck.tables.rows import Viewers
from hexdeck.tables.runner import Runner
from hexdeck.tables.thinker import Recent
from hexdeck.web.server.middleware import REQUESTS, Metrics, Refusals, ServerLimits
from hexdeck.web.server.push import Calls
from hexdeck.web.server.settings import Limits, Settings

LOG = logging.getLogger("hexdeck.web")
T = TypeVar("T")
HEALTH_TIMEOUT, HEALTH_EVERY = 2, 1  # seconds


# --- readers of a table, here and in other processes ------------------------------------------------------------------
class Readers:
    """The open streams of a table: those of its seats, of screens that all look at, and of the crowd, as they came."""

    def __init__(self) -> None:
        self.seated: dict[Stream, None] = {}
        self.screens: dict[Stream, None] = {}
        self.crowd: dict[Stream, None] = {}

    def of_kind(self, reader: Stream) -> dict[Stream, None]:
        """Those among whom a reader belongs."""
        return self.seated if reader.seat >= 0 else self.screens if reader.screen else self.crowd

    def __iter__(self) -> Iterator[Stream]:
        yield from (*self.seated, *self.screens, *self.crowd)

    @property
    def viewed(self) -> frozenset[int]:
        """The seats whose pages are open."""
        return frozenset(reader.seat for reader in self.seated)

    @property
    def pace(self) -> float:
        """The pace of the slowest page of a seat or a screen, else the usual one; 0 where nobody sees beats."""
        seats = [reader.pace for reader in (*self.seated, *self.screens) if reader.pace]
        return max(seats, default=1.0 if any(reader.pace for reader in self.crowd) else 0.0)


def count_down(counter: Counter[Any], key: Any) -> None:
    """Count one less, and forget what comes to nothing."""
    counter[key] -= 1
    if not counter[key]:
        del counter[key]


# --- elsewhere --------------------------------------------------------------------------------------------------------
NOBODY = frozenset[int]()
SILENCE_LIMIT = 40.0  # seconds without news after which a process is taken for gone
Change = tuple[str, frozenset[int]]  # a table whose viewers changed, and the seats that nobody views there any more


class RemoteViewers:
    """For each table and process: the seats that are viewed, the number of spectators, and when that was sent."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self.clock = clock
        self._of: dict[str, dict[str, tuple[frozenset[int], int, float]]] = {}

    def seats(self, table: str) -> frozenset[int]:
        """The seats whose pages are open elsewhere."""
        return NOBODY.union(*(seats for seats, _, _ in self._of.get(table, {}).values()))

    def anybody(self, table: str) -> bool:
        """Whether a table is viewed elsewhere."""
        return table in self._of

    def spectators(self, table: str) -> int:
        """The number of spectators elsewhere."""
        return sum(count for _, count, _ in self._of.get(table, {}).values())

    def update(self, process: str, viewers: Sequence[Viewers]) -> list[Change]:
        """Store what a process told; returns what changed."""
        out = list[Change]()
        for table, seats, count in viewers:
            before, watched, _ = self._drop(table, process)
            if seats or count:
                self._of.setdefault(table, {})[process] = frozenset(seats), count, self.clock()
            if (before, watched) != (frozenset(seats), count):
                out.append((table, before - frozenset(seats)))
        return out

    def expire(self) -> list[Change]:
        """Forget processes that have been silent too long; returns what changed."""
        before, pairs = self.clock() - SILENCE_LIMIT, [(table, p) for table, live in self._of.items() for p in live]
        old = [(table, process) for table, process in pairs if self._of[table][process][2] < before]
        return [(table, self._drop(table, process)[0]) for table, process in old]

    def _drop(self, table: str, process: str) -> tuple[frozenset[int], int, float]:
        live = self._of.get(table, {})
        dropped = live.pop(process, (NOBODY, 0, 0.0))
        if not live:
            self._of.pop(table, None)
        return dropped


FEW = 4  # streams that an address may always open while there is room: a few people at home, each with a page
HEARTBEAT_EVERY = 5.0  # seconds without news after which a heartbeat is sent: a page notices soon that none came
MOST_LEFT = 20_000  # seats whose last viewer's leaving is remembered
COUNTED_EVERY = 1.0  # seconds until pages show that spectators came or went
LINGER = 2.0  # seconds until a reader who left is shown as away: a page that is reloaded comes back at once
Scope = Any


@dataclass(frozen=True)
class StreamFrame:
    """What a stream sends: the newest `view`, and before it the `steps` that lead to it from the version sent before.

    `version`: of the table, as the reader knows it. Without a new `view` nothing is sent.
    """

    version: int
    view: bytes
    steps: bytes = b""


FrameMaker = Callable[[int], Awaitable[StreamFrame]]  # from the version sent before, -1 at first


class Stream:
    """One reader of a table: the seat (-1: the public), and whether there is news.

    `pace`: how long beats take on its page, compared with what they say; 0 for a program, which sees none. `screen`: it
    is the public's, and all who sit at the table look at it.
    """

    __slots__ = ("address", "ended", "news", "pace", "screen", "seat", "table")

    def __init__(self, table: str, seat: int, address: str, pace: float = 0.0, *, screen: bool = False) -> None:
        self.table, self.seat, self.address, self.pace, self.screen = table, seat, address, pace, screen
        self.news, self.ended = asyncio.Event(), False

    def end(self) -> None:
        """Let the stream end."""
        self.ended = True
        self.news.set()


class Streams:
    """All open streams of this process. `on_viewer` is called when a table gets or loses a reader.

    `remote`: who views tables through other processes. `left_at`: seats that nobody views, and since when.
    """

    def __init__(
        self,
        limits: Limits,
        on_viewer: Callable[[str, int], None],
        clock: Callable[[], float] = monotonic,
        worked: Callable[[], float] = thread_time,
    ) -> None:
        self.limits, self.on_viewer, self.clock = limits, on_viewer, clock
        self.by_table: dict[str, Readers] = defaultdict(Readers)
        self.by_address: Counter[str] = Counter()
        self.by_place: Counter[tuple[str, str]] = Counter()  # by table and address
        self.count, self.ended = 0, False
        self.began = self.clock()
        self.turns, self._counted = TurnQueue(clock, worked), set[str]()
        self.remote = RemoteViewers(clock)
        self.left_at = Recent[tuple[str, int], float](MOST_LEFT)

    def open(self, table: str, seat: int, address: str, pace: float = 0.0, *, screen: bool = False) -> Stream:
        """Open a stream; raises TooMany."""
        if self.count >= self.limits.streams or not self._has_share(address) or self.ended:
            raise TooMany(say("Too many tables are open at once; close one, or try again in a moment."))
        self._assert_room(table, seat, address)
        stream = Stream(table, seat, address, pace, screen=screen)
        new = not self.present(table, seat)
        self.left_at.pop((table, seat), None)
        self.by_table[table].of_kind(stream)[stream] = None
        self.by_address[address] += 1
        self.by_place[table, address] += 1
        self.count += 1
        self.on_viewer(table, 1)
        if seat < 0:
            self._count_soon(table)
        elif new:
            self.wake(table)
        return stream

    def _has_share(self, address: str) -> bool:
        """Whether what an address has open leaves room for others: the fuller the server is, the less that is."""
        held = self.by_address[address]
        part = (self.limits.streams - self.count + held) // self.limits.streams_part
        return held < min(self.limits.streams_each, max(FEW, part))

    def _assert_room(self, table: str, seat: int, address: str) -> None:
        """Raise TooMany where one more stream is too much for a table."""
        if self.by_place[table, address] >= self.limits.streams_at:
            raise TooMany(say("This table is open too often at your address; close it somewhere."))
        readers = self.by_table.get(table)
        if seat < 0 and readers and len(readers.crowd) + len(readers.screens) >= self.limits.spectators:
            raise TooMany(say("This table has as many spectators as it can have; try again later."))

    def close(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        readers = self.by_table[stream.table]
        readers.of_kind(stream).pop(stream, None)
        if not any(readers):
            del self.by_table[stream.table]
        count_down(self.by_address, stream.address)
        count_down(self.by_place, (stream.table, stream.address))
        self.count -= 1
        self.on_viewer(stream.table, -1)
        if stream.seat < 0:
            self._count_soon(stream.table)
        elif not self.present(stream.table, stream.seat):
            asyncio.get_running_loop().call_later(LINGER, self.wake, stream.table)
            self._note_absence(stream.table, stream.seat)

    def _count_soon(self, table: str) -> None:
        """Show a little later how many watch, once for all who come and go meanwhile."""
        if table not in self._counted:
            self._counted.add(table)

            def show() -> None:
                self._counted.discard(table)
                self.wake(table)

            asyncio.get_running_loop().call_later(COUNTED_EVERY, show)

    def _note_absence(self, table: str, seat: int) -> None:
        self.left_at[table, seat] = self.clock()
        # if it was the host, others may become host then
        asyncio.get_running_loop().call_later(HOST_AWAY + 1, self.wake, table)

    def viewers_changed(self, news: Sequence[tuple[str, frozenset[int]]]) -> None:
        """Take note that viewers elsewhere changed: for each table, the seats that nobody views there now."""
        for table, seats in news:
            for seat in seats:
                if not self.present(table, seat):
                    self._note_absence(table, seat)
            self.wake(table)

    def wake(self, table: str) -> None:
        """Have all streams of a table look for news: the table changed, or who is present."""
        if readers := self.by_table.get(table):
            for stream in (*readers.seated, *readers.screens):
                stream.news.set()
            self.turns.wake_crowd(stream.news for stream in readers.crowd)

    def end(self) -> None:
        """End all streams, and open no more."""
        self.ended = True
        for readers in list(self.by_table.values()):
            for stream in readers:
                stream.end()

    def present(self, table: str, seat: int) -> bool:
        """Whether the page of a seat is open; False for the public."""
        readers = self.by_table.get(table)
        is_local = readers is not None and seat in readers.viewed
        return seat >= 0 and (is_local or seat in self.remote.seats(table))

    def viewed(self, table: str) -> frozenset[int]:
        """The seats of a table whose pages are open."""
        readers = self.by_table.get(table)
        return (readers.viewed if readers else NOBODY) | self.remote.seats(table)

    def has_screen(self, table: str) -> bool:
        """Whether a screen shows a table to all, as far as this process knows."""
        readers = self.by_table.get(table)
        return readers is not None and bool(readers.screens)

    def absent(self, table: str, seat: int) -> float:
        """For how many seconds nobody has had the page of a seat open, as far as this process knows."""
        return 0.0 if self.present(table, seat) else self.clock() - self.left_at.get((table, seat), self.began)

    def pace(self, table: str) -> float:
        """The pace of a table: the slowest of its seats' pages, else the usual one; 0 where nobody looks."""
        readers = self.by_table.get(table)
        own_pace = readers.pace if readers else 0.0
        return own_pace or (1.0 if self.remote.anybody(table) else 0.0)

    def spectators(self, table: str) -> int:
        """The number of spectators."""
        readers = self.by_table.get(table)
        return (len(readers.crowd) if readers else 0) + self.remote.spectators(table)


@dataclass(eq=False)
class StreamResponse:
    """A response that sends frames as long as reader, table and server are there."""

    streams: Streams
    stream: Stream
    frame: FrameMaker
    media: str
    heartbeat: bytes
    on_sent: Callable[[], None]

    async def __call__(self, _scope: Scope, receive: Any, send: Any) -> None:
        """Send frames until the end."""
        headers = [
            (b"content-type", self.media.encode()),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        leaving = asyncio.ensure_future(self._wait_for_leaving(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            with contextlib.suppress(HexdeckError):  # the table is gone or can't be read: the client comes back
                await self._send_frames(send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            leaving.cancel()
            self.streams.close(self.stream)

    async def _send_frames(self, send: Any) -> None:
        version, last = -1, 0  # the version sent before, and the hash of its view: nothing large is held
        while not self.stream.ended:
            seated = self.stream.seat >= 0
            async with self.streams.turns.turn(self.stream.address) if seated else contextlib.nullcontext():
                if self.stream.ended:  # the reader left meanwhile
                    return
                self.stream.news.clear()
                frame = await self.frame(version)
            if hash(frame.view) != last:
                self.on_sent()
                await send({"type": "http.response.body", "body": frame.steps + frame.view, "more_body": True})
            version, last = frame.version, hash(frame.view)
            await self._wait_for_news(send)

    async def _wait_for_news(self, send: Any) -> None:
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_EVERY):
                    await self.stream.news.wait()
            except TimeoutError:
                await send({"type": "http.response.body", "body": self.heartbeat, "more_body": True})
            else:
                return

    async def _wait_for_leaving(self, receive: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.stream.end()


def server_sent_event(name: str, html: str) -> bytes:
    """A server-sent event; its data is sent line by line, since it may hold no line break."""
    if "\r" in html:
        html = html.replace("\r\n", "\n").replace("\r", "\n")
    data = html.rstrip("\n").replace("\n", "\ndata: ")
    return f"event: {name}\ndata: {data}\n\n".encode()


# --- turns ------------------------------------------------------------------------------------------------------------
AT_ONCE = 8  # of the crowd that send their page, which is made once, in one round of the event loop
MOST_ADDRESSES, LATELY = 10_000, 1.0  # whose turns are counted; seconds in which what was counted becomes half
MUCH, BUSY = 0.3, 0.7  # seconds of a processor, counted so, of an address that asks for much; of a busy server
LONGEST_TURN, BRIEF = 0.1, 0.02  # seconds: what is longer waits for something; what is shorter holds nobody up


class TurnQueue:
    """Lets requests and pages go on, in each round of the event loop one, or some of the crowd, as they came.

    Addresses take turns. Those that ask for much rest after each turn, the longer the more there are: together they
    take less than half of the time while others ask for anything. Brief turns need no rest while the server isn't busy.
    """

    def __init__(self, clock: Callable[[], float] = monotonic, worked: Callable[[], float] = thread_time) -> None:
        self.clock, self.worked = clock, worked
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()  # by address
        self._crowd = dict[asyncio.Event, None]()  # what is to be set
        self._used = Recent[str, tuple[float, float]](MOST_ADDRESSES)  # the work of their turns, and until when
        self._rests = dict[str, float]()  # addresses that ask for much, and until when
        self._timer: asyncio.Handle | None = None
        self._all_rest, self._counted_work, self._all_used = False, 0.0, (0.0, -math.inf)

    @contextlib.asynccontextmanager
    async def turn(self, address: str) -> AsyncIterator[None]:
        """Wait for one's turn, and take it."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, deque()).append(turn)
        self._look()
        await turn
        worked, others = self.worked(), self._counted_work
        try:
            yield
        finally:  # what others did meanwhile is theirs
            self._count(address, max(0.0, self.worked() - worked - (self._counted_work - others)))

    def wake_crowd(self, events: Iterable[asyncio.Event]) -> None:
        """Set events, a few at a time, when nobody else waits."""
        self._crowd.update(dict.fromkeys(events))
        self._look()

    def _look(self) -> None:
        if self._timer is None or self._all_rest:
            self._go_on()

    def _count(self, address: str, work: float) -> None:
        self._counted_work += work
        now, others = self.clock(), (at for other, (_, at) in reversed(self._used.items()) if other != address)
        is_alone = now - next(others, -math.inf) > LATELY
        counts = self._used.get(address, (0.0, now)), self._all_used
        used, by_all = (before * 0.5 ** ((now - at) / LATELY) + work for before, at in counts)
        self._used[address], self._all_used = (used, now), (by_all, now)
        self._rests.pop(address, None)
        if used > MUCH and (work > BRIEF or by_all > BUSY) and not is_alone:
            self._rests[address] = now + 3 * work * (1 + len(self._rests))
        if self._waiting:
            self._look()

    def _go_on(self, after: float = 0.0) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._all_rest = after > 0
        self._timer = asyncio.get_running_loop().call_later(after, self._next)

    def _next(self) -> None:
        self._timer, now = None, self.clock()
        self._rests = {address: end for address, end in self._rests.items() if end > now}
        address = next((address for address in self._waiting if address not in self._rests), None)
        woken = list(itertools.islice(self._crowd, AT_ONCE if address is None else 0))
        for event in woken:
            event.set()
            del self._crowd[event]
        if address is not None:
            waiting = self._waiting.pop(address)
            turn = waiting.popleft()
            if not turn.done():  # otherwise whoever waited is gone
                turn.set_result(None)
            if waiting:
                self._waiting[address] = waiting  # the last in turn
            if self._used.get(address, (0.0, 0.0))[0] > MUCH:
                self._rests[address] = now + LONGEST_TURN  # until it is known how long the turn took
        if self._waiting or self._crowd:
            rest = min((self._rests.get(address, now) for address in self._waiting), default=now) - now
            self._go_on(0.0 if self._crowd or address is not None else rest)


# --- presence ---------------------------------------------------------------------------------------------------------
SEND_DELAY = 0.1  # seconds in which changes are collected into one message
REPEAT_EVERY = 15.0  # seconds after which everything is sent again


class PresenceSync:
    """Sends this process's viewers to the others, and passes on what they send to the streams here."""

    def __init__(self, registry: TableRegistry, streams: Streams) -> None:
        self.registry, self.streams = registry, streams
        self._due: dict[str, bool] = {}  # tables whose viewers are to be sent, and whether to ask the others for theirs
        self._announced: dict[str, None] = {}  # tables where the others know of viewers here

    def open(self) -> None:
        """Start, if there can be other processes."""
        if self.registry.fanout.shared:
            self.registry.on_presence = self._receive
            self.registry.spawn(self._repeat())

    async def close(self) -> None:
        """Tell the others that nobody is here any more."""
        if self.registry.fanout.shared:
            await self._send([(table, [], 0) for table in self._announced], ask=False)

    def viewers_changed(self, table: str, *, ask: bool) -> None:
        """The viewers of a table changed here; `ask`: the others should send theirs of this table, too."""
        if self.registry.fanout.shared:
            if not self._due:
                asyncio.get_running_loop().call_later(SEND_DELAY, self._send_due)
            self._due[table] = self._due.get(table, False) or ask

    def _viewers_of(self, table: str) -> Viewers:
        readers = self.streams.by_table.get(table)
        return (table, sorted(readers.viewed), len(readers.crowd)) if readers else (table, [], 0)

    def _send_due(self) -> None:
        due, self._due = self._due, {}
        for ask in (True, False):
            if viewers := [self._viewers_of(table) for table, asks in due.items() if asks == ask]:
                self.registry.spawn(self._send(viewers, ask=ask))

    async def _send(self, viewers: Sequence[Viewers], *, ask: bool) -> None:
        for table, seats, count in viewers:
            self._announced.pop(table, None)
            if seats or count:
                self._announced[table] = None
        await self.registry.send_presence(viewers, ask)

    async def _repeat(self) -> None:
        while True:
            await asyncio.sleep(REPEAT_EVERY)
            self.streams.viewers_changed(self.streams.remote.expire())
            await self._send([self._viewers_of(table) for table in list(self.streams.by_table)], ask=False)

    def _receive(self, process: str, viewers: Sequence[Viewers], ask: bool) -> None:
        self.streams.viewers_changed(self.streams.remote.update(process, viewers))
        for table, _, _ in viewers:
            if ask and table in self.streams.by_table:
                self.viewers_changed(table, ask=False)


# --- the server -------------------------------------------------------------------------------------------------------
class ServerState:
    """A server's tables and all that serves them. `runtime`: the machine that it runs on."""

    def __init__(self, settings: Settings, runtime: Runtime) -> None:
        self.settings, self.runtime = settings, runtime
        self.streams = Streams(settings.limits, self._count_viewers, runtime.monotonic, runtime.worked)
        self.metrics = Metrics(lambda: len(self.registry.tables), lambda: self.streams.count)
        self.refusals = Refusals(REQUESTS, self.metrics.refused_requests)
        self.registry = TableRegistry(
            runtime.database(settings.database), timed=self.metrics.committed, runtime=runtime
        )
        self.presence = PresenceSync(self.registry, self.streams)
        thinker = runtime.thinker()
        self.runner = Runner(self.registry, settings.pause, settings.keep, thinker, waits=self._somebody_waits)
        self.runner.timed = lambda table, seconds: self.metrics.thoughts.labels(table.game.name).observe(seconds)
        self.registry.on_change, self.registry.on_entry = self._table_changed, self._count_entry
        self.limits = ServerLimits(settings.limits, self.registry)
        self.hints = Hints(thinker)
        self._checked: asyncio.Future[bool] | None = None  # the last look whether all is well
        self._checked_at, self._fault = 0.0, ""
        self.analyses = Analyses(thinker, self.registry.store)
        self.fields = DailyFields(thinker, self.registry)
        self.calls = Calls(self.registry, settings.push, self.streams.present, self.metrics.calls)

    async def open(self) -> None:
        """Start serving tables."""
        await self.registry.open()
        self.presence.open()
        await self.calls.open()
        await self.runner.open()

    async def close(self) -> None:
        """Stop streams, bots and storage, in this order."""
        self.calls.close()
        await self.presence.close()
        self.streams.end()
        self.runner.close()
        await self.registry.close()

    async def is_healthy(self) -> bool:
        """Whether the tables can be read and written in time; found out now and then, however many ask."""
        if self._checked is None or self.runtime.monotonic() - self._checked_at > HEALTH_EVERY:
            self._checked, self._checked_at = asyncio.ensure_future(self._check()), self.runtime.monotonic()
        return await asyncio.shield(self._checked) and not self.streams.ended

    async def _check(self) -> bool:
        try:
            async with asyncio.timeout(HEALTH_TIMEOUT):
                await self.registry.run_job(rows.try_out, self.registry.database.is_file)
        except (TimeoutError, TableError) as error:
            self._note_fault(f"{error.__cause__ or error}" or f"nothing within {HEALTH_TIMEOUT} seconds")
            return False
        self._note_fault("")
        return True

    def _note_fault(self, fault: str) -> None:
        """Log once when tables can't be read or written any more, and once when they can again."""
        if fault and not self._fault:
            LOG.warning("tables can't be read or written", extra={"why": fault})
        elif self._fault and not fault:
            LOG.warning("tables can be read and written again")
        self._fault = fault

    # --- a table changed ----------------------------------------------------------------------------------------------
    def _table_changed(self, table: LiveTable) -> None:
        self._set_pace(table)
        self.streams.wake(table.id)
        with contextlib.suppress(RuleFault):  # its pages tell it
            note_shown(table, self.registry.clock())
            self.runner.wake(table)
            self.calls.look(table)
        for number, seat in enumerate(table.seats):
            if seat.awaited and self.streams.present(table.id, number):
                self.start_first_clock(table, number)

    def _count_entry(self, table: LiveTable, entry: Entry) -> None:
        if entry.kind in (MOVE, CHOICE):
            self.metrics.moves.labels(table.game.name, table.seats[entry.seat].kind).inc()
        else:
            self.metrics.changes.labels(entry.kind).inc()

    # --- who is there -------------------------------------------------------------------------------------------------
    def _count_viewers(self, id: str, change: int) -> None:
        self.registry.count_viewers(id, change)
        if id in self.registry.tables:
            self._set_pace(self.registry.tables[id])
            if change > 0:
                self.runner.wake(self.registry.tables[id])
        if change > 0:
            self.presence.viewers_changed(id, ask=self.registry.watched[id] == change)
        elif self.registry.fanout.shared:
            call_later = asyncio.get_running_loop().call_later
            call_later(LINGER, lambda: self.presence.viewers_changed(id, ask=False))

    def _somebody_waits(self, id: str) -> bool:
        """Whether a table is viewed, here or elsewhere, or was asked for lately."""
        return id in self.registry.watched or self.streams.remote.anybody(id) or self.registry.interest.waits(id)

    def holder_asks(self, id: str, address: str) -> None:
        """A holder of a seat asks for something at a table: its bots, if it is their turn, move for them."""
        self.registry.interest.note(id, address)
        if id in self.registry.tables:
            self.runner.wake(self.registry.tables[id])

    def _set_pace(self, table: LiveTable) -> None:
        """Take note of how fast those who look at a table want to see what happens; where bots don't wait, at once."""
        if self.settings.pause:
            table.pace = self.streams.pace(table.id)

    def start_first_clock(self, table: LiveTable, seat: int, *, opened: bool = True) -> None:
        """A seat asks for its page: start its first clock if that waited for it; once it is `opened`, bots may move."""
        table.seen = table.seen or (seat >= 0 and opened)
        if seat >= 0 and table.seats[seat].awaited and table.state == PLAYING:
            self.registry.spawn(self._page_opened(table.id, seat))

    async def _page_opened(self, id: str, seat: int) -> None:
        with contextlib.suppress(HexdeckError):  # it was opened already, or the table is gone
            await self.registry.change(id, commands.page_opened(seat, self.registry.clock()))

    def host_away(self, table: LiveTable, seconds: float) -> bool:
        """Whether the host's page has been closed for that long."""
        return self.streams.absent(table.id, table.terms.host) >= seconds


async def in_time(job: Future[T], seconds: float) -> T:
    """What comes of a job within so many seconds; raises Unavailable."""
    try:
        return await asyncio.wait_for(asyncio.wrap_future(job), seconds)
    except TimeoutError:
        raise Unavailable(say("This takes longer than usual; try again in a moment.")) from None
