"""Tells this process, and others that share its database, that a table has a new version."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

News = Sequence[tuple[str, int]]  # tables and their new versions, or the numbers of new messages (`news_number`)
NewsHandler = Callable[[News], None]
Viewers = tuple[str, list[int], int]  # a table, the seats whose pages are open, the number of spectators
PresenceHandler = Callable[[str, Sequence[Viewers], bool], None]  # a process, its viewers, whether it asks for ours


def ignore_news(_news: News) -> None:
    """Handle news by ignoring it."""


def ignore_presence(_process: str, _here: Sequence[Viewers], _ask: bool) -> None:
    """Handle presence by ignoring it."""


class Fanout(Protocol):
    """Carries news of tables to all processes that serve them.

    `publish` is called after a commit, in the store's thread; handlers in any thread. News may be lost, so subscribers
    also poll now and then. `shared`: whether there can be other processes.
    """

    shared: bool

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:
        """Call these handlers for news, and for who views tables through other processes."""

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Send the other processes who views tables through this one. It may block."""

    def publish(self, news: News) -> None:
        """Publish news to all processes, this one too."""

    def close(self) -> None:
        """Stop."""


class LocalFanout:
    """The fan-out of a database with a single process."""

    shared = False

    def __init__(self) -> None:
        self._on_news: NewsHandler = ignore_news

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:  # noqa: ARG002
        """Call this handler for news."""
        self._on_news = on_news

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """There is nobody to send it to."""

    def publish(self, news: News) -> None:
        """Publish news to this process."""
        self._on_news(news)

    def close(self) -> None:
        """Stop."""
        self._on_news = ignore_news
