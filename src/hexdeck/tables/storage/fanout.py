"""Who is told that a table has a new version: this process, and others that share its database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

News = Sequence[tuple[str, int]]
NewsHandler = Callable[[News], None]
Viewers = tuple[str, list[int], int]  # a table, the seats from which somebody looks at it, how many look on without one
PresenceHandler = Callable[
    [str, Sequence[Viewers], bool], None
]  # what a process told, and whether it asks the same of others


def ignore_news(_news: News) -> None:
    """Hear nothing."""


def ignore_presence(_process: str, _here: Sequence[Viewers], _ask: bool) -> None:
    """Meet nobody."""


class Fanout(Protocol):
    """Carries news of tables to everybody who serves them.

    `tell` is called after a commit, in the store's thread; `hear` in any thread. News may be lost, so that listeners
    also look for themselves now and then. `shared`: whether there can be other processes.
    """

    shared: bool

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:
        """From now on let somebody hear what is told, here and elsewhere; `meet`: who looks at tables elsewhere."""

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """Tell other processes who looks at tables through this one. It may block."""

    def publish(self, news: News) -> None:
        """Tell everybody, this process too."""

    def close(self) -> None:
        """Stop."""


class LocalFanout:
    """One process serves all: news goes no further."""

    shared = False

    def __init__(self) -> None:
        self._on_news: NewsHandler = ignore_news

    def subscribe(self, on_news: NewsHandler, on_presence: PresenceHandler = ignore_presence) -> None:  # noqa: ARG002
        """Let somebody hear."""
        self._on_news = on_news

    def send_presence(self, viewers: Sequence[Viewers], ask: bool) -> None:
        """There is nobody to tell."""

    def publish(self, news: News) -> None:
        """Tell."""
        self._on_news(news)

    def close(self) -> None:
        """Stop."""
        self._on_news = ignore_news
