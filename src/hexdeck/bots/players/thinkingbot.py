"""A net that thinks at the table: it corrects its habits by what its moves bring in worlds that fit what others did."""

from __future__ import annotations

from types import FunctionType
from typing import cast

import numpy as np

from hexdeck.bots.bot import Candidate, ranked
from hexdeck.bots.nets.inference import sample
from hexdeck.bots.nets.netfile import MIMIC, Net, has_net
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.search.paired_evaluator import PairedEvaluator
from hexdeck.bots.search.workspace import Belief
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.random import rewind

FEW = 4  # legal actions: where there are more, their values are too rough to correct a net
RATE = 5.0  # how far one step goes: a move that brings 0.1 more is chosen 1.6 times as often against another
BELIEF = Belief(candidates=8, trust=0.5, floor=0.02)  # others needn't play like the net that plays on


class ThinkingBot:
    """Takes one step of mirror descent from a net's probabilities, so that it keeps mixing.

    The net's probability of each action is multiplied by exp(`rate` x its value), the value being the mean of games
    that another net plays on for all seats, in worlds weighed by how likely that net would have done what others did:
    the one that is shipped with the game to imitate searches, if any; it plays on itself where there is none, and where
    it is a `net` of one's own. `games` is their number for a decision; where more than `FEW` actions are legal it plays
    as the net does.
    """

    name = "think"

    def __init__(
        self, game: GameSetup, games: int, seed: int | bytes = 0, backend: str | None = None, *,
        rate: float = RATE, belief: Belief = BELIEF, net: Net | None = None,
    ) -> None:  # fmt: skip
        self._net, self._games, self._rate = NetBot(game, seed, backend, net=net), games, rate
        if net is None and has_net(game, MIMIC):
            self._evaluator = PairedEvaluator(game, seed, backend, "mimic", belief=belief)
        else:
            self._evaluator = PairedEvaluator(game, seed, backend, "net", net=net, belief=belief)
        self._driver = game.driver(backend)
        self._rng = self._driver.generator(seed, "bot think")

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self._rng, number)
        self._evaluator.begin(number)

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat, from its concealed struct."""
        found = self.candidates(known, seat, 0)
        probabilities = self._driver.shared(np.array([each.probability for each in found]))
        at: int = self._driver.kernel(cast(FunctionType, sample))(probabilities, len(found), self._rng)
        return found[at].action

    def candidates(self, known: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with its probability, and its value where it thought about it."""
        found = self._net.candidates(known, seat, 0)
        if not 1 < len(found) <= FEW:
            return self._net.candidates(known, seat, worlds)
        actions = [each.action for each in found]
        evaluated = self._evaluator.evaluate(known, seat, actions, max(2, self._games // len(found)))
        values = [evaluated.value(action) for action in actions]
        gains = np.array([value for value, _margin in values])
        weights = np.array([each.probability for each in found]) * np.exp(self._rate * (gains - gains.max()))
        return ranked(
            Candidate(action, float(weight), *value)
            for action, weight, value in zip(actions, weights / weights.sum(), values, strict=True)
        )
