"""Between people and servers: requests and streams that come late, get lost, or break off."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from zlib import crc32

if TYPE_CHECKING:
    from tests.evenings.world import World

HOST = "hexdeck.localhost"
PATIENCE = 150.0  # seconds after which nobody believes any more that an answer will come
DISCONNECT = {"type": "http.disconnect"}


class Lost(Exception):
    """The network, or the server, is gone: what was asked for may have happened or not."""


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> str:
        return next((value.decode() for key, value in self.headers if key.decode().lower() == name), "")


class Line:
    """Somebody's way to the site: it may be down; with it they have cookies, and an address."""

    def __init__(self, world: "World", who: str, address: str) -> None:
        self.world, self.who, self.address = world, who, address
        self.down, self.cookies, self.bearer = False, dict[str, str](), ""
        self.exchanges: set[Exchange] = set()
        self.first = asyncio.Lock()

    @property
    def token(self) -> str:
        return self.bearer or self.cookie("hexdeck")

    def cookie(self, kind: str) -> str:
        """The cookie of a kind, "" without one; the end of its name is the database's."""
        return next((value for name, value in self.cookies.items() if name.startswith(f"{kind}-")), "")

    # --- asking -------------------------------------------------------------------------------------------------------
    async def get(self, path: str) -> Answer:
        return await self.ask("GET", path)

    async def post(self, path: str, **fields: Any) -> Answer:
        if path.startswith("/api/"):
            return await self.ask("POST", path, json.dumps(fields).encode(), "application/json")
        return await self.ask("POST", path, urlencode(fields, doseq=True).encode())

    async def ask(
        self, method: str, path: str, body: bytes = b"", media: str = "application/x-www-form-urlencoded"
    ) -> Answer:
        """Ask, and wait for the answer; raises Lost.

        Nobody sends two forms at once before they have a token: each would bring one, and the first would be lost.
        """
        async with contextlib.nullcontext() if self.token or method == "GET" else self.first:
            return await self._ask(method, path, body, media)

    async def _ask(self, method: str, path: str, body: bytes, media: str) -> Answer:
        exchange = await self._begin(method, path, body, media)
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await exchange.answer()
        except TimeoutError:
            self.world.fails(f"{self.who} waits for ever for {method} {path}")
            raise Lost from None
        finally:
            self.exchanges.discard(exchange)
        self._remember(answer)
        self.world.note(self.who, f"{method} {path} {answer.status} {crc32(answer.body):08x}")
        if answer.status >= 500 and answer.status != 503:
            self.world.fails(f"{self.who} got {answer.status} for {method} {path}: {answer.text[-300:]}")
        return answer

    async def stream(self, path: str) -> AsyncIterator[bytes]:
        """What a stream sends, as it comes, until it ends; raises Lost where it breaks off."""
        exchange = await self._begin("GET", path, b"", "")
        try:
            answer = await exchange.head()
            self.world.note(self.who, f"GET {path} {answer.status}")
            while answer.status == 200 and (chunk := await exchange.chunks.get()) is not None:
                self.world.note(self.who, f"got {len(chunk)} {crc32(chunk):08x}")
                yield chunk
            if exchange.broken:
                raise Lost
        finally:
            self.exchanges.discard(exchange)
            exchange.leave()

    async def _begin(self, method: str, path: str, body: bytes, media: str) -> "Exchange":
        await asyncio.sleep(self.world.weather.wire_delay())
        server = self.world.server_for(self.who)
        if self.down or server is None:
            await asyncio.sleep(1)
            raise Lost
        exchange = Exchange(self, server, method, path, body, self._headers(media))
        self.exchanges.add(exchange)
        return exchange

    def _headers(self, media: str) -> list[tuple[bytes, bytes]]:
        headers = {"host": HOST, "origin": f"http://{HOST}", "content-type": media}
        if self.bearer:
            headers = {"host": HOST, "authorization": f"Bearer {self.bearer}", "content-type": media}
        elif self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return [(name.encode(), value.encode()) for name, value in headers.items() if value]

    def _remember(self, answer: Answer) -> None:
        for key, value in answer.headers:
            if key.lower() == b"set-cookie":
                for name, morsel in SimpleCookie(value.decode()).items():
                    self.cookies[name] = morsel.value

    # --- losing it ----------------------------------------------------------------------------------------------------
    def breaks(self) -> None:
        """The network is gone; what is under way comes to nothing, and servers notice after a while."""
        self.down = True
        for exchange in list(self.exchanges):
            exchange.breaks()


class Exchange:
    """A request at a server, and its answer on the way back."""

    def __init__(
        self, line: Line, server: Any, method: str, path: str, body: bytes, headers: list[tuple[bytes, bytes]]
    ) -> None:
        self.line, self.world, self.server = line, line.world, server
        self.method, self.path, self.body = method, path, body
        self.started: asyncio.Future[Answer] = self.world.loop.create_future()
        self.chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.gone, self.asked, self.broken, self.due = asyncio.Event(), False, False, 0.0
        where, _, query = path.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": where,
            "raw_path": where.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "scheme": "http",
            "client": (line.address, 1),
            "server": ("192.0.2.1", 80),
            "root_path": "",
            "asgi": {"version": "3.0"},
        }
        self.world.oracle.asked(line, path, body)
        self.task = server.begin(server.app(scope, self._receive, self._send))
        self.task.add_done_callback(lambda _task: self._ends())

    async def _receive(self) -> Any:
        if not self.asked:
            self.asked = True
            return {"type": "http.request", "body": self.body, "more_body": False}
        await self.gone.wait()
        return DISCONNECT

    async def _send(self, message: Any) -> None:
        if self.server.machine.dead or self.broken:
            return
        if message["type"] == "http.response.start":
            self.world.oracle.answered(self.line, self.path, self.body, message["status"])
            self._later(self._start, Answer(message["status"], list(message["headers"])))
        elif message.get("body"):
            self._later(self.chunks.put_nowait, message["body"])

    def _later(self, act: Any, *arguments: Any) -> None:
        self.due = max(self.due + 1e-6, self.world.loop.time() + self.world.weather.wire_delay())
        self.world.loop.call_at(self.due, self._arrives, act, arguments)

    def _arrives(self, act: Any, arguments: Any) -> None:
        if not self.broken:
            act(*arguments)

    def _start(self, answer: Answer) -> None:
        if not self.started.done():
            self.started.set_result(answer)

    def _ends(self) -> None:
        if self.server.machine.dead:
            self.world.later(0.01, self.breaks)
        else:
            self._later(self._end)

    def _end(self) -> None:
        self.chunks.put_nowait(None)
        if not self.started.done():
            self.breaks()

    async def head(self) -> Answer:
        return await self.started

    async def answer(self) -> Answer:
        answer = await self.started
        while (chunk := await self.chunks.get()) is not None:
            answer.body += chunk
        if self.broken:
            raise Lost
        return answer

    def breaks(self) -> None:
        """It comes to nothing for whoever asked; the server notices later."""
        self.broken = True
        if not self.started.done():
            self.started.set_exception(Lost())
            self.started.exception()
        self.chunks.put_nowait(None)
        self.world.later(self.world.weather.silence(), self.gone.set)

    def leave(self) -> None:
        """Whoever asked hangs up, which the server is told."""
        self.world.later(self.world.weather.wire_delay(), self.gone.set)
