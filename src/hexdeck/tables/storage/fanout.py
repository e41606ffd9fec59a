"""Who is told that a table has a new version: this process, and others that share its database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

News = Sequence[tuple[str, int]]
Hear = Callable[[News], None]
Here = tuple[str, list[int], int]  # a table, the seats from which somebody looks at it, how many look on without one
Meet = Callable[[str, Sequence[Here], bool], None]  # what a process told, and whether it asks the same of others


def silence(_news: News) -> None:
    """Hear nothing."""


def nobody(_process: str, _here: Sequence[Here], _ask: bool) -> None:
    """Meet nobody."""


class Fanout(Protocol):
    """Carries news of tables to everybody who serves them.

    `tell` is called after a commit, in the store's thread; `hear` in any thread. News may be lost, so that listeners
    also look for themselves now and then. `shared`: whether there can be other processes.
    """

    shared: bool

    def listen(self, hear: Hear, meet: Meet = nobody) -> None:
        """From now on let somebody hear what is told, here and elsewhere; `meet`: who looks at tables elsewhere."""

    def greet(self, here: Sequence[Here], ask: bool) -> None:
        """Tell other processes who looks at tables through this one. It may block."""

    def tell(self, news: News) -> None:
        """Tell everybody, this process too."""

    def close(self) -> None:
        """Stop."""


class InProcess:
    """One process serves all: news goes no further."""

    shared = False

    def __init__(self) -> None:
        self._hear: Hear = silence

    def listen(self, hear: Hear, meet: Meet = nobody) -> None:  # noqa: ARG002
        """Let somebody hear."""
        self._hear = hear

    def greet(self, here: Sequence[Here], ask: bool) -> None:
        """There is nobody to tell."""

    def tell(self, news: News) -> None:
        """Tell."""
        self._hear(news)

    def close(self) -> None:
        """Stop."""
        self._hear = silence
