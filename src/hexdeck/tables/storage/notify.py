"""Fan-out over PostgreSQL: one NOTIFY for each batch, after its commit, on a connection of its own."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Sequence
from typing import Any

import psycopg
from sqlalchemy.engine import URL

from hexdeck.tables.storage.fanout import News, NewsHandler, PresenceHandler, Viewers, ignore_news, ignore_presence

CHANNEL, PRESENCE = "hexdeck_news", "hexdeck_here"
LONGEST = 7500  # bytes of a notification; PostgreSQL takes 7999
RETRY_AFTER = 0.5  # seconds before a lost connection is opened again


class PostgresFanout:
    """The fan-out of processes that share a PostgreSQL database. A lost connection loses news, never moves."""

    shared = True

    def __init__(self, url: URL, process: str) -> None:
        self.process, self._ended = process, threading.Event()
        self._on_news: NewsHandler = ignore_news
        self._on_presence: PresenceHandler = ignore_presence
        self._sending = threading.Lock()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._out: psycopg.Connection[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="hexdeck-listen", daemon=True)

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._address, autocommit=True)

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:
        """Call these handlers in a thread that waits for notifications."""
        self._on_news, self._on_presence = on_news, on_presence
        self._thread.start()

    def publish(self, news: News) -> None:
        """Publish news to this process at once, and to the others by NOTIFY."""
        self._on_news(news)
        self._send(CHANNEL, payloads([self.process], news))

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the others who views tables here, by NOTIFY."""
        self._send(PRESENCE, payloads([self.process, ask], viewers))

    def _send(self, channel: str, texts: Sequence[str]) -> None:
        with self._sending:
            for _ in range(2):  # once more if the connection was lost
                try:
                    self._out = self._out or self._connect()
                    for text in texts:
                        self._out.execute("SELECT pg_notify(%s, %s)", (channel, text))
                except (OSError, psycopg.Error):
                    self._hang_up()
                else:
                    return

    def _hang_up(self) -> None:
        if self._out is not None:
            with contextlib.suppress(OSError, psycopg.Error):
                self._out.close()
        self._out = None

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {CHANNEL}")
                    connection.execute(f"LISTEN {PRESENCE}")
                    self._receive(connection)
            except (OSError, psycopg.Error):
                self._ended.wait(RETRY_AFTER)

    def _receive(self, connection: psycopg.Connection[Any]) -> None:
        while not self._ended.is_set():
            for note in connection.notifies(timeout=0.5, stop_after=1):
                self._handle(note.channel, json.loads(note.payload))

    def _handle(self, channel: str, message: Any) -> None:
        if message[0] == self.process:
            return
        if channel == CHANNEL:
            self._on_news([(table, version) for table, version in message[1]])
        else:
            self._on_presence(message[0], [(table, seats, count) for table, seats, count in message[2]], message[1])

    def close(self) -> None:
        """Stop, and close both connections."""
        self._ended.set()
        self._on_news, self._on_presence = ignore_news, ignore_presence
        if self._thread.is_alive():
            self._thread.join(2)
        self._hang_up()


def payloads(head: Sequence[Any], items: Sequence[Any]) -> list[str]:
    """The items in as few notifications as hold them, each beginning with the head."""
    parts: list[list[Any]] = [[]]
    size = 0
    for item in items:
        wide = len(json.dumps(item)) + 2
        if parts[-1] and size + wide > LONGEST:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += wide
    return [json.dumps([*head, part]) for part in parts]
