"""News that a table has a new version, for this process and others that share its database."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import URL

if TYPE_CHECKING:
    import psycopg

News = Sequence[tuple[str, int]]  # tables and their new versions, or the numbers of new messages (`news_number`)
NewsHandler = Callable[[News], None]
Viewers = tuple[str, list[int], int]  # a table, the seats whose pages are open, the number of spectators
PresenceHandler = Callable[[str, Sequence[Viewers], bool], None]  # a process, its viewers, whether it asks for ours
NEWS_CHANNEL, PRESENCE_CHANNEL = "hexdeck_news", "hexdeck_here"
LONGEST_NOTIFICATION = 7500  # bytes of a notification; PostgreSQL takes 7999
RETRY_AFTER = 0.5  # seconds before a lost connection is opened again


def ignore_news(_news: News) -> None:
    """Handle news by ignoring it."""


def ignore_presence(_process: str, _viewers: Sequence[Viewers], _ask: bool) -> None:
    """Handle presence by ignoring it."""


class Fanout:
    """News of tables for the process that serves a file; a subclass carries them to other processes, too.

    `publish` is called after a commit, in the store's thread; handlers in any thread. News may be lost, so subscribers
    also poll now and then. `shared`: whether there can be other processes.
    """

    shared = False

    def __init__(self) -> None:
        self._on_news: NewsHandler = ignore_news
        self._on_presence: PresenceHandler = ignore_presence

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:
        """Call these handlers for news, and for who views tables through other processes."""
        self._on_news, self._on_presence = on_news, on_presence

    def publish(self, news: News) -> None:
        """Publish news to all processes, this one too."""
        self._on_news(news)

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the other processes who views tables through this one. It may block."""

    def close(self) -> None:
        """Stop."""
        self._on_news, self._on_presence = ignore_news, ignore_presence


class PostgresFanout(Fanout):
    """The fan-out of processes that share a PostgreSQL database. A lost connection loses news, never moves."""

    shared = True

    def __init__(self, url: URL, process: str) -> None:
        import psycopg  # an extra

        super().__init__()
        self._driver = psycopg
        self.process, self._ended = process, threading.Event()
        self._sending = threading.Lock()
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._out: psycopg.Connection[Any] | None = None
        self._thread = threading.Thread(target=self._run, name="hexdeck-listen", daemon=True)

    def _connect(self) -> psycopg.Connection[Any]:
        return self._driver.connect(self._address, autocommit=True)

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:
        """Call these handlers in a thread that waits for notifications."""
        super().subscribe(on_news, on_presence)
        self._thread.start()

    def publish(self, news: News) -> None:
        """Publish news to this process at once, and to the others by NOTIFY."""
        super().publish(news)
        self._send(NEWS_CHANNEL, payloads([self.process], news))

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the others who views tables here, by NOTIFY."""
        self._send(PRESENCE_CHANNEL, payloads([self.process, ask], viewers))

    def _send(self, channel: str, texts: Sequence[str]) -> None:
        with self._sending:
            for _ in range(2):  # once more if the connection was lost
                try:
                    self._out = self._out or self._connect()
                    for text in texts:
                        self._out.execute("SELECT pg_notify(%s, %s)", (channel, text))
                except (OSError, self._driver.Error):
                    self._hang_up()
                else:
                    return

    def _hang_up(self) -> None:
        if self._out is not None:
            with contextlib.suppress(OSError, self._driver.Error):
                self._out.close()
        self._out = None

    def _run(self) -> None:
        while not self._ended.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {NEWS_CHANNEL}")
                    connection.execute(f"LISTEN {PRESENCE_CHANNEL}")
                    self._receive(connection)
            except (OSError, self._driver.Error):
                self._ended.wait(RETRY_AFTER)

    def _receive(self, connection: psycopg.Connection[Any]) -> None:
        while not self._ended.is_set():
            for note in connection.notifies(timeout=0.5, stop_after=1):
                self._handle(note.channel, json.loads(note.payload))

    def _handle(self, channel: str, message: Any) -> None:
        if message[0] == self.process:
            return
        if channel == NEWS_CHANNEL:
            self._on_news([(table, version) for table, version in message[1]])
        else:
            self._on_presence(message[0], [(table, seats, count) for table, seats, count in message[2]], message[1])

    def close(self) -> None:
        """Stop, and close both connections."""
        self._ended.set()
        super().close()
        if self._thread.is_alive():
            self._thread.join(2)
        self._hang_up()


def payloads(head: Sequence[Any], items: Sequence[Any]) -> list[str]:
    """The items in as few notifications as hold them, each beginning with the head."""
    parts: list[list[Any]] = [[]]
    size = 0
    for item in items:
        wide = len(json.dumps(item)) + 2
        if parts[-1] and size + wide > LONGEST_NOTIFICATION:
            parts.append([])
            size = 0
        parts[-1].append(item)
        size += wide
    return [json.dumps([*head, part]) for part in parts]
