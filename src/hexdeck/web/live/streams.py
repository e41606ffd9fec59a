"""Open streams: each sends the newest page of a table whenever it changes, until reader, table or server is gone."""

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables.errors import TooMany
from hexdeck.tables.service.commands import HOST_AWAY
from hexdeck.web.live.parts import NOTHING, Known, Parts, Told, known_after
from hexdeck.web.live.readers import Readers, count_down
from hexdeck.web.live.turns import Crowds, Later, TurnQueue
from hexdeck.web.live.viewers import NOBODY, RemoteViewers
from hexdeck.web.ops.settings import Limits

FEW = 4  # streams that an address may always open while there is room: a few people at home, each with a page
HEARTBEAT_EVERY = 20.0  # seconds without news after which a heartbeat is sent
MOST_LEFT = 20_000  # seats whose last viewer's leaving is remembered
COUNTED_EVERY = 1.0  # seconds until pages show that spectators came or went
LINGER = 2.0  # seconds until a reader who left is shown as away: a page that is reloaded comes back at once
Scope = Any


@dataclass(frozen=True, eq=False)
class Frame:
    """What a stream sends: the newest view, and before it what is told of the way to it from the version sent before.

    `version`: of the table, as the reader knows it. Without a new `view` nothing is sent.
    """

    version: int
    view: Parts
    told: Told | None = None

    @functools.cached_property
    def _sent(self) -> dict[Known, tuple[bytes, Known]]:
        return {}

    def sent(self, known: Known) -> tuple[bytes, Known]:
        """All that is new to who knows this, and what they know then; the same objects for all who know the same."""
        if known not in self._sent:
            steps = self.told.since(known, self.view.marks) if self.told else b""
            after = known_after(known, self.version, self.view.marks, self.told)
            self._sent[known] = steps + self.view.since(known.view), after
        return self._sent[known]


FrameMaker = Callable[[int], Awaitable[Frame]]  # from the version sent before, -1 at first


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
        self.turns, self._crowds, self._counted = TurnQueue(), Crowds(), Later(COUNTED_EVERY, self.wake)
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
        self.by_table[table].add(stream)
        self.by_address[address] += 1
        self.by_place[table, address] += 1
        self.count += 1
        self.on_viewer(table, 1)
        if seat < 0:
            self._counted.ask(table)
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
        if seat < 0 and readers and len(readers.crowd) >= self.limits.spectators:
            raise TooMany(say("This table has as many spectators as it can have; try again later."))

    def close(self, stream: Stream) -> None:
        """Forget a stream that has ended."""
        self.by_table[stream.table].discard(stream)
        if not self.by_table[stream.table]:
            del self.by_table[stream.table]
        count_down(self.by_address, stream.address)
        count_down(self.by_place, (stream.table, stream.address))
        self.count -= 1
        self.on_viewer(stream.table, -1)
        if not self.present(stream.table, stream.seat):
            self._gone(stream.table, stream.seat)

    def _gone(self, table: str, seat: int) -> None:
        if seat < 0:
            self._counted.ask(table)
            return
        asyncio.get_running_loop().call_later(LINGER, self.wake, table)
        self._left(table, seat)

    def _left(self, table: str, seat: int) -> None:
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
                    self._left(table, seat)
            self.wake(table)

    def wake(self, table: str) -> None:
        """Have all streams of a table look for news: the table changed, or who is present."""
        if readers := self.by_table.get(table):
            for stream in readers.seated:
                stream.news.set()
            if readers.crowd:
                self._crowds.tell(table, readers.crowd)

    def end(self) -> None:
        """End all streams, and open no more."""
        self.ended = True
        for readers in list(self.by_table.values()):
            for stream in (*readers.seated, *readers.crowd):
                stream.end()

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open; False for the public."""
        readers = self.by_table.get(table)
        here = readers is not None and readers.present(seat)
        return seat >= 0 and (here or self.remote.present(table, seat))

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
        paces = readers.paces if readers else []
        seats = [pace for seated, pace in paces if seated]
        return max(seats, default=1.0 if paces or self.remote.anybody(table) else 0.0)

    def spectators(self, table: str) -> int:
        """The number of spectators."""
        readers = self.by_table.get(table)
        return (readers.spectators if readers else 0) + self.remote.spectators(table)


class StreamResponse:
    """A response that sends frames as long as reader, table and server are there."""

    def __init__(
        self,
        streams: Streams,
        stream: Stream,
        frame: FrameMaker,
        media: str,
        heartbeat: bytes,
        on_sent: Callable[[], None],
    ) -> None:
        self.streams, self.stream, self.frame, self.media, self.heartbeat, self.on_sent = (
            streams, stream, frame, media, heartbeat, on_sent,
        )  # fmt: skip

    async def __call__(self, _scope: Scope, receive: Any, send: Any) -> None:
        """Send frames until the end."""
        headers = [
            (b"content-type", self.media.encode()),
            (b"cache-control", b"no-store"),
            (b"x-accel-buffering", b"no"),
        ]
        gone = asyncio.ensure_future(self._wait_for_leaving(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            with contextlib.suppress(HexdeckError):  # the table is gone or can't be read: the client comes back
                await self._send_frames(send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self.streams.close(self.stream)

    async def _send_frames(self, send: Any) -> None:
        known = NOTHING
        while not self.stream.ended:
            await self.streams.turns.wait(crowd=self.stream.seat < 0)
            if self.stream.ended:  # the reader left meanwhile
                return
            self.stream.news.clear()
            known = await self._send_newest(send, known)
            await self._wait_for_news(send)

    async def _send_newest(self, send: Any, known: Known) -> Known:
        """Send what is new, if anything is; returns what the reader knows then: nothing large is held."""
        frame = await self.frame(known.version)
        if frame.view.marks == known.view:
            return known._replace(version=frame.version)
        body, after = frame.sent(known)
        self.on_sent()
        await send({"type": "http.response.body", "body": body, "more_body": True})
        return after

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
