"""Threads in which bots think: compiled code doesn't hold up the event loop."""

from __future__ import annotations

import hashlib
import hmac
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from random import Random
from typing import Any, TypeVar

from hexdeck.bots.players.named import Bot, bot, playing_now
from hexdeck.engine.play.driver import quickest_backend
from hexdeck.simulation.game import Game
from hexdeck.tables.keys import SYSTEM
from hexdeck.tables.service.codec import compact_json
from hexdeck.tables.service.fair_queue import FairQueue

T = TypeVar("T")
MOST_KEPT = 12  # bots that a thread keeps ready
Job = tuple[Future[Any], Callable[[], Any]]


class Thinker:
    """A few threads for all that takes long, in fair turns; each has bots of its own, as a bot can't think for two.

    Of one asker one thread fewer works at once. The process doesn't wait for them at its end: a thought is nothing that
    could be lost.
    """

    def __init__(self, threads: int = 0, random: Random = SYSTEM) -> None:
        self.random = random
        self._threads = threads or max(2, os.cpu_count() or 2)
        self._jobs: FairQueue[Job] = FairQueue(max(1, self._threads - 1))
        self._started = False
        self._local = threading.local()

    def choose(
        self, game: Game, level: str, known: bytes, seat: int, asker: str = "", table: str = "", key: bytes = b""
    ) -> Future[int]:
        """The action that a bot chooses from what a seat knows; cancelled when the thinker is closed.

        `key`: where the same knowledge is to bring the same choice again, what it follows from besides.
        """
        return self.work(partial(self._choose, game, level, known, seat, key), asker, table)

    def work(self, job: Callable[[], T], asker: str = "", table: str = "") -> Future[T]:
        """The result of a job, when its turn comes; cancelled when the thinker is closed.

        `asker`: whom it is for; `table`: the table that it is about.
        """
        future: Future[T] = Future()
        self._start()
        if not self._jobs.put(asker, table, (future, job)):
            future.cancel()
        return future

    def waiting(self, asker: str) -> int:
        """How many jobs of an asker wait."""
        return self._jobs.waiting(asker)

    def _start(self) -> None:
        if not self._started:
            self._started = True
            for k in range(self._threads):
                threading.Thread(target=self._think, name=f"hexdeck-bot-{k}", daemon=True).start()

    def _think(self) -> None:
        while (found := self._jobs.get()) is not None:
            asker, (future, work) = found
            try:
                if future.set_running_or_notify_cancel():
                    future.set_result(work())
            except BaseException as error:
                future.set_exception(error)
            finally:
                self._jobs.done(asker)

    def _choose(self, game: Game, level: str, known: bytes, seat: int, key: bytes = b"") -> int:
        chooser = self._bot(game, level, key)
        return same_choice(chooser, key, known, seat) if key else chooser.choose(known, seat)

    def _bot(self, game: Game, level: str, seed: bytes = b"") -> Bot:
        kept: OrderedDict[tuple[str, ...], Bot] = self._local.__dict__.setdefault("kept", OrderedDict())
        backend = quickest_backend(game.definition)
        key = game.name, str(game.players), compact_json(dict(game.options)), level, backend, seed.hex()
        if key not in kept:
            kept[key] = bot(playing_now(level, game, backend), game, seed or self.random.randbytes(32), backend)
        kept.move_to_end(key)
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
        return kept[key]

    def close(self) -> None:
        """Stop; whoever is thinking finishes unheard, or ends with the process."""
        for future, _ in self._jobs.close():
            future.cancel()


def same_choice(chooser: Bot, key: bytes, known: bytes, seat: int) -> int:
    """What a bot chooses from what a seat knows, whatever it was asked before: it follows from these and a key."""
    digest = hmac.new(key, bytes([seat]) + known, hashlib.sha256).digest()
    chooser.begin(int.from_bytes(digest[:4], "little"))
    return chooser.choose(known, seat)
