"""The field of a deal: how many of 200 bots of each level won with the same cards in the same seat.

It is played when somebody first asks for it, a few matches at a time, and only while nothing else waits for a thread.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import partial

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.levels import LEVELS, levels_of
from hexdeck.bots.players.named import bot, playing_now
from hexdeck.engine.play.driver import default_backend, quickest_backend
from hexdeck.engine.play.score import winners
from hexdeck.simulation.game import Game
from hexdeck.tables.keys import chance_key
from hexdeck.tables.service.daily.dates import days_before
from hexdeck.tables.service.daily.deals import SEAT, deal_secret
from hexdeck.tables.service.drafts import stand_in_bot
from hexdeck.tables.service.fair_queue import LAST
from hexdeck.tables.service.registry import TableRegistry
from hexdeck.tables.service.thinker import Thinker, same_choice
from hexdeck.tables.storage.daily.fields import field_of, store_field

LOG = logging.getLogger("hexdeck.tables")
MATCHES = 200  # of each level
AT_ONCE = 4  # matches in one job
DAYS_KEPT = 60
MOST_KEPT = 200  # fields in memory


@dataclass
class Level:
    """How bots of a level fare with the cards: `won` of `games`, so far."""

    name: str
    games: int = 0
    won: int = 0

    @property
    def done(self) -> bool:
        """Whether all matches were played."""
        return self.games >= MATCHES


@dataclass
class Field:
    """What is known so far of how bots fare with the cards of a game's deal on a day, the gentlest level first.

    `failed`: it can't be played to the end.
    """

    game: Game
    day: str
    levels: list[Level] = field(default_factory=list)
    failed: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing more will be known."""
        return self.failed or all(level.done for level in self.levels)


class Fields:
    """The fields of a process's database, played in the threads of a thinker."""

    def __init__(self, thinker: Thinker, registry: TableRegistry) -> None:
        self.thinker, self.registry = thinker, registry
        self._kept: OrderedDict[tuple[str, str], Field] = OrderedDict()

    def known(self, day: str, game: str) -> Field | None:
        """A field that somebody has asked for, as far as it has come; nothing is started."""
        return self._kept.get((day, game))

    async def get(self, day: str, game: Game) -> Field:
        """A field, as far as it has come; what is missing of it is begun."""
        found = self._kept.get((day, game.name))
        if found is None:
            stored = await self.registry.run_job(field_of(day, game.name))
            found = self._kept.get((day, game.name)) or self._begun(day, game, stored)
        self._kept.move_to_end((day, game.name))
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return found

    def _begun(self, day: str, game: Game, stored: dict[str, tuple[int, int]]) -> Field:
        """A field with the levels that are stored; the first of the others is begun."""
        names = [name for name in levels_of(game) if name != LEVELS[-1]]
        found = Field(game, day, [Level(name, *stored.get(name, (0, 0))) for name in names])
        self._kept[day, game.name] = found
        self._go_on(found)
        return found

    def _go_on(self, found: Field) -> None:
        level = next((each for each in found.levels if not each.done), None)
        if level is not None:
            self.thinker.work(partial(self._play_some, found, level), LAST, f"{found.day} {found.game.name}")

    def _play_some(self, found: Field, level: Level) -> None:
        """Play the next few matches of a level; in a thread of the thinker. It is told as done after it is stored."""
        try:
            secret = deal_secret(self.registry.key, found.game.name, found.day)
            numbers = range(level.games, min(level.games + AT_ONCE, MATCHES))
            won = level.won + sum(has_won(found.game, secret, level.name, number) for number in numbers)
        except Exception:
            LOG.exception("the field of a deal can't be played")
            found.failed = True
            return
        if numbers.stop == MATCHES and quickest_backend(found.game.definition) == default_backend():
            before = days_before(found.day, DAYS_KEPT)
            job = partial(store_field, day=found.day, game=found.game.name, level=level.name, played=(MATCHES, won),
                          before=before)  # fmt: skip
            self.registry.store.submit(job)
        level.won, level.games = won, numbers.stop
        self._go_on(found)


def has_won(game: Game, secret: bytes, level: str, number: int) -> bool:
    """Whether a bot of a level wins with the cards of a secret in the person's seat, against the usual bots.

    What bots choose follows from the secret and the number: each match is another one.
    """
    backend = quickest_backend(game.definition)
    key = hmac.new(secret, f"{level} {number}".encode(), hashlib.sha256).digest()
    names = [level if seat == SEAT else stand_in_bot(game) for seat in range(game.players)]
    ready: dict[str, Bot] = {name: bot(playing_now(name, game, backend), game, key, backend) for name in {*names}}
    match = game.match(by_hand=True, backend=backend)
    match.let_chance(chance_key(secret, [""] * game.players))
    while not match.over:
        seat = match.actor
        legal = match.legal_ids(seat)
        known = match.concealed(seat) if len(legal) > 1 else b""
        match.play(seat, same_choice(ready[names[seat]], key, known, seat) if known else legal[0])
    return winners(match)[SEAT]
