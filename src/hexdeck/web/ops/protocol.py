"""HTTP connections with bounds: how long a request may be, and how much time it and the reading of its answer may take.

uvicorn takes heads of any length, joins a long address in quadratic time, and waits for ever for whoever says nothing.
"""

from __future__ import annotations

import math
from http import HTTPStatus
from typing import Any

import httptools
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from hexdeck.web.ops.addresses import network_of
from hexdeck.web.ops.connections import Connections

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
