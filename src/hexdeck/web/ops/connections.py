"""HTTP connections with bounds: how many there may be, how long a request may be, how much time it may take.

uvicorn takes heads of any length, joins a long address in quadratic time, and waits for ever for a client that says
nothing. A connection waits while no complete request of it is being answered. When the server is full, those that have
waited longest make room: half requests keep nobody out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Protocol

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hexdeck.web.ops.addresses import Network, is_among, network_of
from hexdeck.web.ops.monitoring import CONNECTIONS, Metrics, Refusals
from hexdeck.web.ops.settings import Limits

FULL, CROWDED = "the server is full", "too many connections of one address"


class Connection(Protocol):
    """A connection: `address` is its other end, `network` whose that is."""

    address: str
    network: str

    def check(self, now: float) -> None:
        """End it if something has taken too long."""

    def cut(self) -> None:
        """End it at once."""


class Connections:
    """The open connections. Those of `trusted` proxies bring many visitors, and are only counted altogether."""

    def __init__(self, limits: Limits, metrics: Metrics, trusted: Sequence[Network] = ()) -> None:
        self.limits, self.metrics, self.trusted = limits, metrics, trusted
        self.refusals = Refusals(CONNECTIONS, metrics.refused)
        self._open: set[Connection] = set()
        self._of_network: Counter[str] = Counter()
        self._waiting: dict[Connection, None] = {}  # those that have waited longest come first

    def __len__(self) -> int:
        return len(self._open)

    def admit(self, new: Connection) -> bool:
        """Count a new connection, and let it wait for a request; False, after noting why, where it can't be kept."""
        of_proxy = is_among(new.address, self.trusted)
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

    def discard(self, ended: Connection) -> None:
        """Forget a connection that has ended."""
        if ended in self._open:
            self._open.discard(ended)
            self._waiting.pop(ended, None)
            self._of_network[ended.network] -= 1
            if not self._of_network[ended.network]:
                del self._of_network[ended.network]

    def waits(self, one: Connection) -> None:
        """A connection waits for its next request from now on."""
        if one in self._open:
            self._waiting[one] = None

    def works(self, one: Connection) -> None:
        """A connection has sent a whole request, which is answered now."""
        self._waiting.pop(one, None)

    def sweep(self, now: float) -> None:
        """Now and then: end what has taken too long, and log what was refused."""
        for one in list(self._open):
            one.check(now)
        self.metrics.connections.set(len(self._open))
        self.refusals.log(now, open=len(self._open))


# --- one connection ---------------------------------------------------------------------------------------------------
PIECE = 4096  # bytes that the parser is given at once, so that bounds are noticed in time
MOST_PIPELINED = 8  # requests that wait for the answer to one before them
BODY_FACTOR = 16  # how many times too long a body may be and still be answered, rather than cut
CLOSE_SECONDS = 10.0  # within which whoever was told of the end has to take what was sent before
NEVER = math.inf
REASONS = {400: "no valid HTTP", 408: "a request came too slowly", 413: "a body was too long",
           431: "a head was too long"}  # fmt: skip
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

    def __init__(self, kept_in: Connections, **given: Any) -> None:
        super().__init__(**given)
        self.kept_in, self.limits = kept_in, kept_in.limits
        self.address = self.network = ""
        self.part, self.taken = "", 0
        self.due = self.unread_due = NEVER

    def connection_made(self, transport: Any) -> None:
        """Count the connection, or refuse it."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else ""
        self.network = network_of(self.address)
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
            self.kept_in.works(self)

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
