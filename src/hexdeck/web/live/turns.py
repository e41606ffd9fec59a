"""Who of many readers goes on when: players first, then the crowd, a few at a time, with all other work in between.

A move is news for many readers: without turns, a request would wait until all of their pages are made and sent.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Protocol

AT_ONCE = 8  # of the crowd that send their page, which is made once, in one round of the event loop
WOKEN_AT_ONCE = 16  # of the crowd that are told of news


class Woken(Protocol):
    """Somebody who waits for news."""

    news: asyncio.Event


class TurnQueue:
    """Lets those who wait go on in order, in each round of the event loop one player, or some of the crowd."""

    def __init__(self) -> None:
        self._players: deque[asyncio.Future[None]] = deque()
        self._crowd: deque[asyncio.Future[None]] = deque()

    async def wait(self, *, crowd: bool = False) -> None:
        """Wait for one's turn."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        if not self._players and not self._crowd:
            loop.call_soon(self._next)
        (self._crowd if crowd else self._players).append(turn)
        await turn

    def _next(self) -> None:
        waiting, many = (self._players, 1) if self._players else (self._crowd, AT_ONCE)
        for _ in range(min(many, len(waiting))):
            turn = waiting.popleft()
            if not turn.done():  # otherwise whoever waited is gone
                turn.set_result(None)
        if self._players or self._crowd:
            asyncio.get_running_loop().call_soon(self._next)


class Crowds:
    """Tells crowds of news, a few of them in each round of the event loop."""

    def __init__(self) -> None:
        self._untold: dict[Any, list[Woken]] = {}

    def tell(self, key: Any, crowd: Iterable[Woken]) -> None:
        """Tell all of a crowd; who hasn't been told of earlier news is told once."""
        if not self._untold:
            asyncio.get_running_loop().call_soon(self._next)
        self._untold[key] = list(crowd)

    def _next(self) -> None:
        for key, crowd in list(self._untold.items()):
            for reader in crowd[-WOKEN_AT_ONCE:]:
                reader.news.set()
            del crowd[-WOKEN_AT_ONCE:]
            if not crowd:
                del self._untold[key]
        if self._untold:
            asyncio.get_running_loop().call_soon(self._next)


class Later:
    """Does something a little later, once for all who ask meanwhile."""

    def __init__(self, seconds: float, act: Callable[[str], None]) -> None:
        self.seconds, self.act = seconds, act
        self._asked: set[str] = set()

    def ask(self, key: str) -> None:
        """Have it done."""
        if key not in self._asked:
            self._asked.add(key)
            asyncio.get_running_loop().call_later(self.seconds, self._do, key)

    def _do(self, key: str) -> None:
        self._asked.discard(key)
        self.act(key)
