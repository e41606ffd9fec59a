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
from hexdeck.lab.causes.cards import ActionCounts, CardCounts, count_actions, count_cards
from hexdeck.lab.causes.labels import card_labels
from hexdeck.lab.causes.steps import StepLogger, card_names
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.setup import SimulationSetup

STUDIED, OF_SLOW = 2000, 150  # games that are looked into, for each number of players; with slow bots
AT_ONCE = 100  # games that are in memory at a time
MANY = 120_000  # decisions that are enough: fewer games are looked into where games are long


@dataclass
class CauseStudy:
    """What was found in some games.

    `results` float64 (games, seats): utilities; `shares`: of the place that decides; `turns`: how many a seat had.
    `labels`: of cards, as the table says them.
    """

    game: GameSetup
    ledgers: tuple[Ledger, ...]
    cards: CardCounts
    actions: ActionCounts
    labels: dict[str, Text] = field(default_factory=dict)
    results: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    turns: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def games(self) -> int:
        """How many games were looked into."""
        return len(self.results)

    @property
    def shares(self) -> np.ndarray:
        """Each seat's share of the place that decides, float64 (games, seats)."""
        signed = -self.results if one_loser(self.game) else self.results
        best = signed == signed.max(axis=1, keepdims=True)
        found: np.ndarray = best / best.sum(axis=1, keepdims=True)
        return found


def study_causes(
    setup: SimulationSetup, games: int, stopped: Callable[[], bool] = lambda: False
) -> CauseStudy:  # fmt: skip
    """Look into some of so many games, numbered from 0 on, in one thread; `stopped` is asked whether to stop early."""
    game = setup.game
    out = CauseStudy(
        game, tuple(Ledger(account) for account in accounts_of(game)), CardCounts(card_names(game)),
        ActionCounts(kind_numbers(game.rules.ACTIONS)[0]),
    )  # fmt: skip
    logger, results, turns, decisions = StepLogger(setup), [], [], 0
    at_once = min(AT_ONCE, logger.bots.chunk)
    games = min(games, STUDIED if logger.bots.chunk >= CHUNK else OF_SLOW)
    for first in range(0, games, at_once):
        if first and stopped():
            break
        steps = logger.log(first, min(at_once, games - first))
        for ledger in out.ledgers:
            ledger.add(game, steps)
        if out.cards.names:
            count_cards(out.cards, game, steps, first)
        count_actions(out.actions, game, steps)
        out.labels |= card_labels(game, steps, set(out.cards.names) - set(out.labels))
        results.append(steps.results)
        turns.append(turns_taken(steps, game.players))
        decisions += len(steps.seat)
        if decisions > MANY:
            break
    out.results, out.turns = np.concatenate(results), np.concatenate(turns)
    return out
