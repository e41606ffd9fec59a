"""Games looked into for causes: where points come from, and what cards and actions do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import CHUNK
from hexdeck.engine.text import Text
from hexdeck.lab.causes.accounts import Ledger, accounts_of, turns_taken
from hexdeck.lab.causes.cards import ActionCounts, CardCounts, card_labels, count_actions, count_cards
from hexdeck.lab.counts import kind_numbers, taken
from hexdeck.lab.kernels import EVERYTHING
from hexdeck.lab.log import Log, Player, SimulationSetup, card_names

STUDIED, OF_SLOW = 2000, 150  # games that are looked into, for each number of players; with slow bots
AT_ONCE = 100  # games that are in memory at a time
MANY = 120_000  # decisions that are enough: fewer games are looked into where games are long


@dataclass
class CauseStudy:
    """What was found in some games.

    `shares`: of the place that decides. `labels`: of cards, as the table says them. `decisions`: rows of logs so far.
    """

    game: GameSetup
    ledgers: tuple[Ledger, ...]
    cards: CardCounts
    actions: ActionCounts
    labels: dict[str, Text] = field(default_factory=dict)
    decisions: int = 0
    _results: list[np.ndarray] = field(default_factory=list)
    _turns: list[np.ndarray] = field(default_factory=list)

    @classmethod
    def of(cls, game: GameSetup) -> CauseStudy:
        """A study of no games yet."""
        return cls(
            game, tuple(Ledger(account) for account in accounts_of(game)), CardCounts(card_names(game)),
            ActionCounts(kind_numbers(game.rules.ACTIONS)[0]),
        )  # fmt: skip

    def add(self, log: Log) -> None:
        """Look into games, of which everything was kept."""
        for ledger in self.ledgers:
            ledger.add(self.game, log)
        if self.cards.names:
            count_cards(self.cards, self.game, log)
        count_actions(self.actions, self.game, log)
        self.labels |= card_labels(self.game, log, set(self.cards.names) - set(self.labels))
        self._results.append(log.results)
        self._turns.append(turns_taken(log, self.game.players))
        self.decisions += len(log.seat)

    @property
    def results(self) -> np.ndarray:
        """Utilities, float64 (games, seats)."""
        return np.concatenate([np.zeros((0, self.game.players)), *self._results])

    @property
    def turns(self) -> np.ndarray:
        """How many turns a seat had, float64 (games, seats)."""
        return np.concatenate([np.zeros((0, self.game.players)), *self._turns])

    @property
    def enough(self) -> bool:
        """Whether more games needn't be looked into."""
        return self.decisions > MANY

    @property
    def games(self) -> int:
        """How many games were looked into."""
        return sum(map(len, self._results))

    @property
    def shares(self) -> np.ndarray:
        """Each seat's share of the place that decides, float64 (games, seats)."""
        return taken(self.results, one_loser(self.game))


def study_causes(
    setup: SimulationSetup, games: int, stopped: Callable[[], bool] = lambda: False
) -> CauseStudy:  # fmt: skip
    """Look into some of so many games, numbered from 0 on, in one thread; `stopped` is asked whether to stop early."""
    out, player = CauseStudy.of(setup.game), Player(setup, EVERYTHING)
    at_once = min(AT_ONCE, player.bots.chunk)
    games = min(games, STUDIED if player.bots.chunk >= CHUNK else OF_SLOW)
    for first in range(0, games, at_once):
        if first and stopped():
            break
        out.add(player.log(first, min(at_once, games - first)))
        if out.enough:
            break
    return out
