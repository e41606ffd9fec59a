"""Bots that think in threads of their own: compiled code leaves the event loop alone."""

from __future__ import annotations

import os
import secrets
import threading
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor

from hexdeck.bots.players import Bot, at_once, bot
from hexdeck.engine.game import Game
from hexdeck.tables.codec import dumps, lane_of

MOST_KEPT = 12  # bots that a thread keeps, ready to think


class Thinker:
    """A few threads, each with bots of its own, for a bot is no use to two at once."""

    def __init__(self, threads: int = 0) -> None:
        wanted = threads or max(1, (os.cpu_count() or 2) - 1)
        self._pool = ThreadPoolExecutor(wanted, "hexdeck-bot")
        self._own = threading.local()

    def choose(self, game: Game, level: str, known: bytes, seat: int) -> Future[int]:
        """The action that a bot chooses from what a seat knows."""
        return self._pool.submit(self._choose, game, level, known, seat)

    def _choose(self, game: Game, level: str, known: bytes, seat: int) -> int:
        return self._bot(game, level).choose(known, seat)

    def _bot(self, game: Game, level: str) -> Bot:
        kept: OrderedDict[tuple[str, ...], Bot] = self._own.__dict__.setdefault("kept", OrderedDict())
        lane = lane_of(game.rules)
        key = game.name, str(game.players), dumps(dict(game.options)), level, lane
        if key not in kept:
            kept[key] = bot(at_once(level, game, lane), game, secrets.token_bytes(32), lane)
        kept.move_to_end(key)
        while len(kept) > MOST_KEPT:
            kept.popitem(last=False)
        return kept[key]

    def close(self) -> None:
        """Think no more; who is in the middle of a thought finishes it unheard."""
        self._pool.shutdown(wait=False, cancel_futures=True)
