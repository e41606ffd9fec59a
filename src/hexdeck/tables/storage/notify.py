"""Fan-out over PostgreSQL: one NOTIFY for each batch, after its commit, on a connection of its own."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Sequence
from typing import Any

import psycopg
from sqlalchemy.engine import URL

from hexdeck.tables.storage.fanout import Hear, Here, Meet, News, nobody, silence

CHANNEL, PRESENCE = "hexdeck_news", "hexdeck_here"
LONGEST = 7500  # bytes of a notification; PostgreSQL takes 7999
AGAIN = 0.5  # seconds before a lost connection is sought anew


class Notify:
    """Several processes on one PostgreSQL. A connection that is lost loses hints, never moves."""

    shared = True

    def __init__(self, url: URL, process: str) -> None:
        self.process, self._ended = process, threading.Event()
        self._hear: Hear = silence
        self._meet: Meet = nobody
        self._sending = threading.Lock()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._out: psycopg.Connection[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="hexdeck-listen", daemon=True)

    def _connect(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self._address, autocommit=True)

    def listen(self, hear: Hear, meet: Meet = nobody) -> None:
        """Let somebody hear, in a thread that waits for notifications."""
        self._hear, self._meet = hear, meet
        self._thread.start()

    def tell(self, news: News) -> None:
        """Tell this process at once, and the others by NOTIFY."""
        self._hear(news)
        self._send(CHANNEL, payloads([self.process], news))

    def greet(self, here: Sequence[Here], ask: bool) -> None:
        """Tell the others who looks at tables here, by NOTIFY."""
        self._send(PRESENCE, payloads([self.process, ask], here))

    def _send(self, channel: str, texts: Sequence[str]) -> None:
        with self._sending:
            for _ in range(2):  # again where the connection was lost meanwhile
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
                    self._hear_from(connection)
            except (OSError, psycopg.Error):
                self._ended.wait(AGAIN)

    def _hear_from(self, connection: psycopg.Connection[Any]) -> None:
        while not self._ended.is_set():
            for note in connection.notifies(timeout=0.5, stop_after=1):
                self._heard(note.channel, json.loads(note.payload))

    def _heard(self, channel: str, said: Any) -> None:
        if said[0] == self.process:
            return
        if channel == CHANNEL:
            self._hear([(table, version) for table, version in said[1]])
        else:
            self._meet(said[0], [(table, seats, count) for table, seats, count in said[2]], said[1])

    def close(self) -> None:
        """Stop, and close both connections."""
        self._ended.set()
        self._hear, self._meet = silence, nobody
        if self._thread.is_alive():
            self._thread.join(2)
        self._hang_up()


def payloads(head: Sequence[Any], items: Sequence[Any]) -> list[str]:
    """The items, with a head each time, in as few notifications as hold them."""
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
