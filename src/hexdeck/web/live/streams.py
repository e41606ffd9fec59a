"""Open streams: each sends the newest view of a table whenever it has changed, and ends when the server does."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import say
from hexdeck.tables.errors import TooMany
from hexdeck.tables.service.commands import HOST_AWAY
from hexdeck.web.live.presence import Elsewhere

if TYPE_CHECKING:
    from hexdeck.web.ops.settings import Limits

BEAT = 20.0  # seconds of silence after which a sign of life is sent
MOST_LEFT = 20_000  # seats of which it is remembered since when nobody looks from them
LINGER = 2.0  # seconds before who left is shown as gone: a page that is loaded anew comes back at once
Scope = Any
Frame = Callable[[], Awaitable[bytes]]


class Stream:
    """One reader of a table: the seat (-1: the public), and whether there is news."""

    __slots__ = ("address", "ended", "news", "seat", "table")

    def __init__(self, table: str, seat: int, address: str) -> None:
        self.table, self.seat, self.address = table, seat, address
        self.news, self.ended = asyncio.Event(), False

    def end(self) -> None:
        """Let it end."""
        self.ended = True
        self.news.set()


class Streams:
    """All open streams of a process. `watched` is told when a table gets or loses a reader.

    `elsewhere`: who looks at tables through other processes.
    """

    def __init__(self, limits: Limits, watched: Callable[[str, int], None]) -> None:
        self.limits, self.watched = limits, watched
        self.of: dict[str, set[Stream]] = defaultdict(set)
        self.each: Counter[str] = Counter()
        self.count, self.ended = 0, False
        self.began = time.monotonic()
        self.turns = Turns()
        self.elsewhere = Elsewhere()
        self.left: OrderedDict[tuple[str, int], float] = OrderedDict()  # seats that nobody looks from, and since when

    def open(self, table: str, seat: int, address: str) -> Stream:
        """A new stream; raises TooMany."""
        if self.count >= self.limits.streams or self.each[address] >= self.limits.streams_each or self.ended:
            raise TooMany(say("Too many tables are open at once; close one, or try again in a moment."))
        stream = Stream(table, seat, address)
        new = not self.present(table, seat)
        self.left.pop((table, seat), None)
        self.of[table].add(stream)
        self.each[address] += 1
        self.count += 1
        self.watched(table, 1)
        if new:
            self.wake(table)
        return stream

    def close(self, stream: Stream) -> None:
        """A stream is gone."""
        self.of[stream.table].discard(stream)
        if not self.of[stream.table]:
            del self.of[stream.table]
        self.each[stream.address] -= 1
        if not self.each[stream.address]:
            del self.each[stream.address]
        self.count -= 1
        self.watched(stream.table, -1)
        if not self.present(stream.table, stream.seat):
            self._gone(stream.table, stream.seat)

    def _gone(self, table: str, seat: int) -> None:
        later = asyncio.get_running_loop().call_later
        later(LINGER, self.wake, table)
        if seat >= 0:
            self._left(table, seat)

    def _left(self, table: str, seat: int) -> None:
        self.left[table, seat] = time.monotonic()
        while len(self.left) > MOST_LEFT:
            self.left.popitem(last=False)
        asyncio.get_running_loop().call_later(HOST_AWAY + 1, self.wake, table)  # if it was the host, another can be

    def heard(self, news: Sequence[tuple[str, frozenset[int]]]) -> None:
        """Others look at tables elsewhere than before; of each table, the seats that were left there."""
        for table, seats in news:
            for seat in seats:
                if not self.present(table, seat):
                    self._left(table, seat)
            self.wake(table)

    def wake(self, table: str) -> None:
        """A table has changed, or who is there."""
        for stream in self.of.get(table, ()):
            stream.news.set()

    def end(self) -> None:
        """End all of them, and open no more."""
        self.ended = True
        for streams in list(self.of.values()):
            for stream in list(streams):
                stream.end()

    def present(self, table: str, seat: int) -> bool:
        """Whether somebody has the page of a seat open; always False for the public."""
        here = any(stream.seat == seat for stream in self.of.get(table, ()))
        return seat >= 0 and (here or self.elsewhere.present(table, seat))

    def absent(self, table: str, seat: int) -> float:
        """For how many seconds nobody has had the page of a seat open, as far as is known here."""
        return 0.0 if self.present(table, seat) else time.monotonic() - self.left.get((table, seat), self.began)

    def spectators(self, table: str) -> int:
        """How many look on without a seat."""
        here = sum(stream.seat < 0 for stream in self.of.get(table, ()))
        return here + self.elsewhere.spectators(table)


class Turns:
    """Lets those who wait go on one by one, in the order in which they came, with all other work in between.

    A move of one person is news for many: without turns a request would wait until all of their pages are made.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def wait(self) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        mine = loop.create_future()
        self._waiting.append(mine)
        if len(self._waiting) == 1:
            loop.call_soon(self._next)
        await mine

    def _next(self) -> None:
        mine = self._waiting[0]
        if not mine.done():  # else who waited has gone
            mine.set_result(None)
        self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)


class Flow:
    """An answer that goes on: frames as long as reader, table and server are there."""

    def __init__(
        self, streams: Streams, stream: Stream, frame: Frame, media: str, beat: bytes, sent: Callable[[], None]
    ) -> None:
        self.streams, self.stream, self.frame, self.media, self.beat, self.sent = (
            streams, stream, frame, media, beat, sent,
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
            with contextlib.suppress(HexdeckError):  # the table was forgotten, or can't be read: the client comes back
                await self._flow(send)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            gone.cancel()
            self.streams.close(self.stream)

    async def _flow(self, send: Any) -> None:
        last = 0
        while not self.stream.ended:
            await self.streams.turns.wait()
            if self.stream.ended:  # while it waited: nobody is there any more
                return
            self.stream.news.clear()
            last = await self._send_newest(send, last)
            await self._news(send)

    async def _send_newest(self, send: Any, last: int) -> int:
        """Send the frame unless it is the last one again; returns its hash: nothing of it is held while one waits."""
        frame = await self.frame()
        if hash(frame) != last:
            self.sent()
            await send({"type": "http.response.body", "body": frame, "more_body": True})
        return hash(frame)

    async def _news(self, send: Any) -> None:
        while True:
            try:
                async with asyncio.timeout(BEAT):
                    await self.stream.news.wait()
            except TimeoutError:
                await send({"type": "http.response.body", "body": self.beat, "more_body": True})
            else:
                return

    async def _wait_for_leaving(self, receive: Any) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.stream.end()


def event(name: str, html: str) -> bytes:
    """A server-sent event: a line break may not stand in its data, so each line is one of data."""
    data = html.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n").replace("\n", "\ndata: ")
    return f"event: {name}\ndata: {data}\n\n".encode()
