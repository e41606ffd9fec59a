"""Fan-out over PostgreSQL: one NOTIFY for each batch, after its commit, on a connection of its own."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from typing import Any

import psycopg
from sqlalchemy.engine import URL

from hexdeck.tables.fanout import Hear, News, silence

CHANNEL = "hexdeck_news"
LONGEST = 7500  # bytes of a notification; PostgreSQL takes 7999
AGAIN = 0.5  # seconds before a lost connection is sought anew


class Notify:
    """Several processes on one PostgreSQL. A connection that is lost loses hints, never moves."""

    def __init__(self, url: URL, process: str) -> None:
        self.process, self._ended = process, threading.Event()
        self._hear: Hear = silence
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._out: psycopg.Connection[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="hexdeck-listen", daemon=True)

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._address, autocommit=True)

    def listen(self, hear: Hear) -> None:
        """Let somebody hear, in a thread that waits for notifications."""
        self._hear = hear
        self._thread.start()

    def tell(self, news: News) -> None:
        """Tell this process at once, and the others by NOTIFY."""
        self._hear(news)
        for _ in range(2):  # again where the connection was lost meanwhile
            try:
                self._out = self._out or self._connect()
                for text in payloads(self.process, news):
                    self._out.execute("SELECT pg_notify(%s, %s)", (CHANNEL, text))
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
                    self._hear_from(connection)
            except (OSError, psycopg.Error):
                self._ended.wait(AGAIN)

    def _hear_from(self, connection: psycopg.Connection[Any]) -> None:
        while not self._ended.is_set():
            for note in connection.notifies(timeout=0.5, stop_after=1):
                process, news = json.loads(note.payload)
                if process != self.process:
                    self._hear([(table, version) for table, version in news])

    def close(self) -> None:
        """Stop, and close both connections."""
        self._ended.set()
        self._hear = silence
        if self._thread.is_alive():
            self._thread.join(2)
        self._hang_up()


def payloads(process: str, news: News) -> Iterator[str]:
    """The news in as few notifications as hold it."""
    part: list[tuple[str, int]] = []
    size = 0
    for item in news:
        wide = len(json.dumps(item)) + 2
        if part and size + wide > LONGEST:
            yield json.dumps([process, part])
            part, size = [], 0
        part.append(item)
        size += wide
    yield json.dumps([process, part])
