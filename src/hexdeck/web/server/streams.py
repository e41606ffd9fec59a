"""Open streams: each sends the newest page of a table whenever it changes, until reader, table or server is gone.

A move is news for many readers. They take turns, players first, then the crowd a few at a time, with all other work in
between: otherwise a request would wait until all of their pages are made and sent.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables.commands import HOST_AWAY
from hexdeck.tables.errors import TooMany
from hexdeck.tables.rows import Viewers
from hexdeck.web.server.settings import Limits


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
        self._of: dict[str, dict[str, tuple[frozenset[int], int, float]]] = defaultdict(dict)

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open elsewhere."""
        return table in self._of and any(seat in seats for seats, _, _ in self._of[table].values())

    def seats(self, table: str) -> frozenset[int]:
        """The seats whose pages somebody has open elsewhere."""
        return frozenset().union(*(seats for seats, _, _ in self._of[table].values())) if table in self._of else NOBODY

    def anybody(self, table: str) -> bool:
        """Whether somebody views a table elsewhere."""
        return table in self._of

    def spectators(self, table: str) -> int:
        """The number of spectators elsewhere."""
        return sum(count for _, count, _ in self._of[table].values()) if table in self._of else 0

    def update(self, process: str, viewers: Sequence[Viewers]) -> list[Change]:
        """Store what a process told; returns what changed."""
        out, now = [], self.clock()
        for table, seats, count in viewers:
            before = self._of[table].get(process, (frozenset(), 0, now)) if table in self._of else (frozenset(), 0, now)
            if seats or count:
                self._of[table][process] = frozenset(seats), count, now
            else:
                self._drop(table, process)
            if before[:2] != (frozenset(seats), count):
                out.append((table, before[0] - frozenset(seats)))
        return out

    def expire(self) -> list[Change]:
        """Forget processes that have been silent too long; returns what changed."""
        before = self.clock() - SILENCE_LIMIT
        old = [
            (table, process)
            for table, by_process in self._of.items()
            for process, (_, _, told_at) in by_process.items()
            if told_at < before
        ]
        return [(table, self._drop(table, process)) for table, process in old]

    def _drop(self, table: str, process: str) -> frozenset[int]:
        seats, _, _ = self._of[table].pop(process, (frozenset[int](), 0, 0.0))
        if not self._of[table]:
            del self._of[table]
        return seats


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
        self, limits: Limits, on_viewer: Callable[[str, int], None], clock: Callable[[], float] = monotonic
    ) -> None:
        self.limits, self.on_viewer, self.clock = limits, on_viewer, clock
        self.by_table: dict[str, Readers] = defaultdict(Readers)
        self.by_address: Counter[str] = Counter()
        self.by_place: Counter[tuple[str, str]] = Counter()  # by table and address
        self.count, self.ended = 0, False
        self.began = self.clock()
        self.turns, self._counted = TurnQueue(), set[str]()
        self.remote = RemoteViewers(clock)
        self.left_at: OrderedDict[tuple[str, int], float] = OrderedDict()

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
        if not self.present(stream.table, stream.seat):
            self._reader_left(stream.table, stream.seat)

    def _reader_left(self, table: str, seat: int) -> None:
        if seat < 0:
            self._count_soon(table)
            return
        asyncio.get_running_loop().call_later(LINGER, self.wake, table)
        self._note_absence(table, seat)

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
        while len(self.left_at) > MOST_LEFT:
            self.left_at.popitem(last=False)
        asyncio.get_running_loop().call_later(
            HOST_AWAY + 1, self.wake, table
        )  # if it was the host, others may become host then

    def viewers_changed(self, news: Sequence[tuple[str, frozenset[int]]]) -> None:
        """Take note that viewers elsewhere changed: for each table, the seats that nobody views there now."""
        for table, seats in news:
            for seat in seats:
                if not self.present(table, seat):
                    self._note_absence(table, seat)
            self.wake(table)

    def wake(self, table: str) -> None:
        """Have all streams of a table look for news: the table changed, or who is present."""
        for stream in self.by_table.get(table, ()):
            stream.news.set()

    def end(self) -> None:
        """End all streams, and open no more."""
        self.ended = True
        for readers in list(self.by_table.values()):
            for stream in readers:
                stream.end()

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open; False for the public."""
        readers = self.by_table.get(table)
        is_local = readers is not None and seat in readers.viewed
        return seat >= 0 and (is_local or self.remote.present(table, seat))

    def viewed(self, table: str) -> frozenset[int]:
        """The seats of a table whose pages somebody has open."""
        readers = self.by_table.get(table)
        return (readers.viewed if readers else NOBODY) | self.remote.seats(table)

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
            await self.streams.turns.wait(crowd=self.stream.seat < 0)
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


class TurnQueue:
    """Lets those who wait go on in order, in each round of the event loop one player, or some of the crowd."""

    def __init__(self) -> None:
        self._players: deque[asyncio.Future[None]] = deque()
        self._crowd: deque[asyncio.Future[None]] = deque()

    async def wait(self, *, crowd: bool = False) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        if not self._players and not self._crowd:
            loop.call_soon(self._next)
        (self._crowd if crowd else self._players).append(turn)
        await turn

    def _next(self) -> None:
        waiting, count = (self._players, 1) if self._players else (self._crowd, AT_ONCE)
        for _ in range(min(count, len(waiting))):
            turn = waiting.popleft()
            if not turn.done():  # otherwise whoever waited is gone
                turn.set_result(None)
        if self._players or self._crowd:
            asyncio.get_running_loop().call_soon(self._next)
