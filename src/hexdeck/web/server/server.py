"""The uvicorn server: bounding its connections, finding a free port, tuning the process, ending quickly and cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import math
import socket
import sys
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import httptools
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import say
from hexdeck.web.server import middleware
from hexdeck.web.server.settings import SPARE_FILES, Limits

# --- connections: bounded in number, size and time --------------------------------------------------------------------
FULL, CROWDED = "the server is full", "too many connections of one address"


class Connections:
    """The open connections. Those of `trusted` proxies bring many visitors, and are only counted altogether."""

    def __init__(self, limits: Limits, metrics: middleware.Metrics, trusted: Sequence[middleware.Network] = ()) -> None:
        self.limits, self.metrics, self.trusted = limits, metrics, trusted
        self.refusals = middleware.Refusals(middleware.CONNECTIONS, metrics.refused)
        self._open: set[BoundedProtocol] = set()
        self._of_network: Counter[str] = Counter()
        self._waiting: dict[BoundedProtocol, None] = {}  # those that have waited longest come first

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, new: BoundedProtocol) -> bool:
        """Count a new connection, and let it wait for a request; False, after noting why, where it can't be kept."""
        of_proxy = middleware.is_among(new.address, self.trusted)
        if not of_proxy and self._of_network[new.network] >= self.limits.connections_each:
            self.refusals.note(CROWDED, new.network)
            return False
        if len(self._open) >= self.limits.connections and not self._make_room():
            self.refusals.note(FULL, new.network)
            return False
        self._open.add(new)
        self._of_network[new.network] += 1
        self.waits(new)
        return True

    def _make_room(self) -> bool:
        """Cut the connection that has waited longest; False where none waits."""
        oldest = next(iter(self._waiting), None)
        if oldest is None:
            return False
        self.refusals.note(FULL, oldest.network)
        self.discard(oldest)
        oldest.cut()
        return True

    def discard(self, ended: BoundedProtocol) -> None:
        """Forget a connection that has ended."""
        if ended in self._open:
            self._open.discard(ended)
            self._waiting.pop(ended, None)
            self._of_network[ended.network] -= 1
            if not self._of_network[ended.network]:
                del self._of_network[ended.network]

    def waits(self, connection: BoundedProtocol) -> None:
        """A connection waits for its next request from now on."""
        if connection in self._open:
            self._waiting[connection] = None

    def answers(self, connection: BoundedProtocol) -> None:
        """A connection has sent a whole request, which is answered now."""
        self._waiting.pop(connection, None)

    def sweep(self, now: float) -> None:
        """Now and then: end what has taken too long, and log what was refused."""
        for connection in list(self._open):
            connection.check(now)
        self.metrics.connections.set(len(self._open))
        self.refusals.log(now, open=len(self._open))


# --- one connection ---------------------------------------------------------------------------------------------------
PIECE = 4096  # bytes that the parser is given at once, so that bounds are noticed in time
MOST_PIPELINED = 8  # requests that wait for the answer to one before them
BODY_FACTOR = 16  # how many times too long a body may be and still be answered, rather than cut
CLOSE_SECONDS = 10.0  # within which whoever was told of the end has to take what was sent before
NEVER = math.inf
REASONS = {
    400: "no valid HTTP",
    408: "a request came too slowly",
    413: "a body was too long",
    431: "a head was too long",
}
UNREAD = "an answer wasn't read in time"


def refusal(status: int) -> bytes:
    """A whole answer that refuses a request and ends the connection."""
    text = f"{status} {HTTPStatus(status).phrase}"
    return (
        f"HTTP/1.1 {text}\r\ncontent-type: text/plain\r\ncontent-length: {len(text)}\r\n"
        f"x-content-type-options: nosniff\r\nconnection: close\r\n\r\n{text}"
    ).encode()


class BoundedProtocol(HttpToolsProtocol):
    """A connection that ends when it goes beyond its limits.

    `part`: what is being received, "head", "body", or nothing between requests. `taken`: the bytes of it. `due`: when
    it must have arrived. `unread_due`: when the client must have read what was sent to it.
    """

    def __init__(self, kept_in: Connections, **settings: Any) -> None:
        super().__init__(**settings)
        self.kept_in, self.limits = kept_in, kept_in.limits
        self.address = self.network = ""
        self.part, self.taken = "", 0
        self.due = self.unread_due = NEVER

    def connection_made(self, transport: Any) -> None:
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.network = middleware.network_of(self.address)
        self.due = self.loop.time() + self.limits.head_seconds
        if not self.kept_in.admit(self):
            self._end_with(503)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.kept_in.discard(self)
        super().connection_lost(exc)

    # --- what is received ---------------------------------------------------------------------------------------------
    def data_received(self, data: bytes) -> None:
        """Give the parser a piece at a time, as long as the bounds are kept."""
        self._unset_keepalive_if_required()
        self._expect_head()
        for begin in range(0, len(data), PIECE):
            if self.transport.is_closing():
                return
            self._feed(data[begin : begin + PIECE])

    def _expect_head(self) -> None:
        if self.due == NEVER:
            self.due = self.loop.time() + self.limits.head_seconds

    def _feed(self, piece: bytes) -> None:
        self.taken += len(piece)
        if self.taken > (BODY_FACTOR * self.limits.body if self.part == "body" else self.limits.head):
            self.refuse(413 if self.part == "body" else 431)
            return
        try:
            self.parser.feed_data(piece)
        except httptools.HttpParserUpgrade:  # to a protocol that isn't spoken here: it is answered as it is
            pass
        except httptools.HttpParserError:
            self.refuse(431 if self._has_many_headers() else 400)
        if len(self.pipeline) > MOST_PIPELINED:
            self.refuse(400)

    def _has_many_headers(self) -> bool:
        return len(self.headers or ()) > self.limits.headers

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self.part = "head"
        self._expect_head()

    def on_headers_complete(self) -> None:
        """The head is complete: start answering, and give the body its time."""
        if self._has_many_headers():
            raise ValueError  # the parser stops
        super().on_headers_complete()
        self.part, self.taken, self.due = "body", 0, self.loop.time() + self.limits.body_seconds

    def on_message_complete(self) -> None:
        """The request is complete."""
        super().on_message_complete()
        self.part, self.taken, self.due = "", 0, NEVER
        if self.cycle.response_complete:  # it was refused before it was complete
            self._expect_head()
        else:
            self.kept_in.answers(self)

    # --- what is sent -------------------------------------------------------------------------------------------------
    def on_response_complete(self) -> None:
        """A request has been answered."""
        super().on_response_complete()
        if not self.pipeline:
            self.kept_in.waits(self)

    def pause_writing(self) -> None:
        """The client doesn't read as fast as it is sent to."""
        super().pause_writing()
        self.unread_due = self.loop.time() + self.limits.unread_seconds

    def resume_writing(self) -> None:
        """The client has read most of what it was sent."""
        super().resume_writing()
        self.unread_due = NEVER

    # --- the end ------------------------------------------------------------------------------------------------------
    def check(self, now: float) -> None:
        """End the connection if something has taken too long."""
        if now >= self.unread_due:
            self.kept_in.refusals.note(UNREAD, self.network)
            self.cut()
        elif self.transport.is_closing():
            self.unread_due = min(self.unread_due, now + CLOSE_SECONDS)
        elif now >= self.due and (self.part or self.taken):
            self.refuse(408)
        elif now >= self.due:  # it has said nothing: browsers open connections in advance
            self.transport.close()

    def refuse(self, status: int) -> None:
        """Refuse what was sent, and end the connection."""
        if not self.transport.is_closing():
            self.kept_in.refusals.note(REASONS[status], self.network)
            self._end_with(status)

    def _end_with(self, status: int) -> None:
        if self._may_answer():
            self.transport.write(refusal(status))
        self.transport.close()

    def _may_answer(self) -> bool:
        """Whether an answer is expected now, and none has begun."""
        newest: Any = self.cycle
        if newest is None or self.pipeline:
            return not self.pipeline
        return not newest.response_started if self.part == "body" else bool(newest.response_complete)

    def cut(self) -> None:
        """End the connection at once."""
        self.transport.abort()


try:
    import resource
except ImportError:  # this system has no such limits
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    from types import FrameType

    from starlette.applications import Starlette

TRIED = 40  # ports that are tried, from the wanted one on
GRACE = 2  # seconds for requests under way when the server is told to stop
BACKLOG = 2048
GC_THRESHOLDS = (5_000, 20, 1_000_000)  # young objects, then collections, before older ones are collected
GC_EVERY = 600.0  # seconds between full collections: each stops the server, for half a second at 1,000 tables
SWEEP_EVERY = 1.0  # seconds between looks for connections that take too long
SWITCH_INTERVAL = 0.0005  # seconds after which threads switch: moves are stored while pages are rendered


class Server(uvicorn.Server):
    """A uvicorn server with bounded connections, which ends open streams before it stops."""

    def __init__(self, app: Starlette) -> None:
        self.app, self.served = app, app.state.server
        settings = self.served.settings
        config = uvicorn.Config(
            app,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
            forwarded_allow_ips=middleware.in_both_forms(settings.proxies),
        )
        super().__init__(config)
        self.connections = Connections(settings.limits, self.served.metrics, middleware.networks(settings.proxies))
        protocol: Any = functools.partial(BoundedProtocol, self.connections)
        config.http = protocol

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, after tuning thread switches and garbage collection."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        gc.set_threshold(*GC_THRESHOLDS)
        self._collect_garbage()
        await super().startup(sockets)
        self._sweep()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first signal; others change nothing, so that tables are always closed before the process ends."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    def _sweep(self) -> None:
        loop = asyncio.get_running_loop()
        self.connections.sweep(loop.time())
        self.served.refusals.log(loop.time())
        loop.call_later(SWEEP_EVERY, self._sweep)

    def _collect_garbage(self) -> None:
        gc.collect()
        asyncio.get_running_loop().call_later(GC_EVERY, self._collect_garbage)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then stop; connections that last too long are cut, and what was refused is logged."""
        self.connections.refusals.log(math.inf, open=len(self.connections))
        self.served.refusals.log(math.inf)
        self.served.streams.end()
        for workshop in self.app.state.workshops:
            workshop.close()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # an aborted connection is closed in the loop's next round


def fitting_limits(limits: Limits) -> Limits:
    """The limits that this process can keep, after raising how many files it may have open."""
    if resource is None:
        return limits
    files, ceiling = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = limits.connections + SPARE_FILES
    if files != resource.RLIM_INFINITY and files < needed:
        raised = needed if ceiling == resource.RLIM_INFINITY else min(needed, ceiling)
        with contextlib.suppress(OSError, ValueError):  # some systems have a lower limit that they don't tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (raised, ceiling))
            files = raised
    return limits.within(needed if files == resource.RLIM_INFINITY else files)


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket on the wanted port or the next free one; raises BadOption."""
    last: OSError | None = None
    for candidate in range(port, min(port + (TRIED if port else 1), 65536)):
        try:
            return _opened(host, candidate)
        except OSError as error:
            last = error
    reason = (last.strerror if last else "") or "?"
    raise BadOption(
        say("No port from {port} on can be opened on {host}: {reason}.", port=str(port), host=host, reason=reason)
    )


def _opened(host: str, port: int) -> socket.socket:
    """A socket that listens alone: on Windows `SO_REUSEADDR` would let two servers share a port."""
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        if host == "::" and socket.has_dualstack_ipv6():
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def lan_address() -> str:
    """This computer's address on the local network, or ""; no packet is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; this only looks up the route
        except OSError:
            return ""
        return str(probe.getsockname()[0])
