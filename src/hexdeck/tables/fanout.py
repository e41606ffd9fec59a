"""Who is told that a table has a new version: this process, and others that share its database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hexdeck.tables.database import Database

News = Sequence[tuple[str, int]]
Hear = Callable[[News], None]


class Fanout(Protocol):
    """Carries news of tables to everybody who serves them.

    `tell` is called after a commit, in the store's thread; `hear` in any thread. News may be lost, so that listeners
    also look for themselves now and then.
    """

    def listen(self, hear: Hear) -> None:
        """From now on let somebody hear what is told, here and elsewhere."""

    def tell(self, news: News) -> None:
        """Tell everybody, this process too."""

    def close(self) -> None:
        """Stop."""


class InProcess:
    """One process serves all: news goes no further."""

    def __init__(self) -> None:
        self._hear: Hear = silence

    def listen(self, hear: Hear) -> None:
        """Let somebody hear."""
        self._hear = hear

    def tell(self, news: News) -> None:
        """Tell."""
        self._hear(news)

    def close(self) -> None:
        """Stop."""
        self._hear = silence


def silence(_news: News) -> None:
    """Hear nothing."""


def fanout(database: Database, process: str) -> Fanout:
    """The fan-out that a database allows."""
    if database.is_file:
        return InProcess()
    from hexdeck.tables.notify import Notify

    return Notify(database.url, process)
