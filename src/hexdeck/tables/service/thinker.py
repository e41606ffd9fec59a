"""Threads in which bots think: compiled code doesn't hold up the event loop."""

from __future__ import annotations

import os
import queue
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from hexdeck.bots.players.named import Bot, bot, playing_now
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.simulation.game import Game
from hexdeck.tables.service.codec import compact_json

T = TypeVar("T")
MOST_KEPT = 12  # bots that a thread keeps ready
Job = tuple[Future[Any], Callable[[], Any]]


class Thinker:
    """A few threads, each with bots of its own, since a bot can't think for two at once.

    The process doesn't wait for them at its end: a thought is nothing that could be lost.
    """

    def __init__(self, threads: int = 0) -> None:
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._started = self._closed = False
        self._local = threading.local()

    def choose(self, game: Game, level: str, known: bytes, seat: int) -> Future[int]:
        """The action that a bot chooses from what a seat knows; cancelled when the thinker is closed."""
        return self.work(partial(self._choose, game, level, known, seat))

    def work(self, job: Callable[[], T]) -> Future[T]:
        """The result of a job, when its turn comes; cancelled when the thinker is closed."""
        future: Future[T] = Future()
        if self._closed:
            future.cancel()
            return future
        self._start()
        self._jobs.put((future, job))
        return future

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for k in range(self._threads):
                threading.Thread(target=self._think, name=f"hexdeck-bot-{k}", daemon=True).start()

    def _think(self) -> None:
        while (job := self._jobs.get()) is not None:
            future, work = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    def _choose(self, game: Game, level: str, known: bytes, seat: int) -> int:
        return self._bot(game, level).choose(known, seat)

    def _bot(self, game: Game, level: str) -> Bot:
        kept: OrderedDict[tuple[str, ...], Bot] = self._local.__dict__.setdefault("kept", OrderedDict())
        backend = quickest_backend(game.definition)
        key = game.name, str(game.players), compact_json(dict(game.options)), level, backend
        if key not in kept:
            kept[key] = bot(playing_now(level, game, backend), game, secrets.token_bytes(32), backend)
        kept.move_to_end(key)
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
        return kept[key]

    def close(self) -> None:
        """Stop; whoever is thinking finishes unheard, or ends with the process."""
        self._closed = True
        while not self._jobs.empty():
            job = self._jobs.get()
            if job is not None:
                job[0].cancel()
        for _ in range(self._threads):
            self._jobs.put(None)
