"""Sparring: a learner on one seat and one bot, which doesn't change, on all others.

Strategies, nets and searches are met in compiled code, any other bot match by match.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.named import bot, resolved
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.rating.contest import play_match
from hexdeck.bots.search.searcher import Searcher
from hexdeck.bots.training.arena import Arena
from hexdeck.bots.training.collect import ADVANTAGE, GENTLE, HOUSE, LOGP, RANDOM, SEARCH, TARGET, VALUE
from hexdeck.bots.training.learn import Batch
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import play_strategies

STRATEGIES = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE}
DECISIONS, FEW = 16384, 2048  # of a batch, in compiled code and match by match
LAMBDA, TRIAL = 0.95, 200  # of advantages; games by which utilities are measured


class Sparring(Protocol):
    """Where a learner meets one bot."""

    quick: bool  # whether the bot takes microseconds

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """A batch of the learner's decisions from match `number` on, and how many matches those were."""

    def trial(self, weights: np.ndarray, temperature: float, groups: int, first: int) -> np.ndarray:
        """The learner's gains, float64 (groups,): its utility less the bot's own on the same deal.

        A group is one deal, numbered from `first` on, played once with the learner on each seat, and once with the bot
        on all.
        """


def sparring(game: GameSetup, name: str, sizes: np.ndarray, seed: int, backend: str | None = None) -> Sparring:
    """The quickest way to meet a bot; raises UnknownBot or BadOption for its name."""
    actual, rival = resolved(name, game), bot(name, game, seed, backend)
    if actual in STRATEGIES:
        return Compiled(game, sizes, seed, backend, STRATEGIES[actual])
    if isinstance(rival, NetBot) and np.array_equal(rival.net.sizes, sizes):
        return Compiled(game, sizes, seed, backend, 1, rival)
    if isinstance(rival, Searcher) and len(rival.trees) == 1:
        return Compiled(game, sizes, seed, backend, SEARCH, search=rival)
    return MatchByMatch(game, actual, sizes, seed, backend)


class Compiled:
    """Sparring with a strategy, a net of the learner's sizes, or a search on one thread, in compiled code.

    `rival` is its number in a lineup.
    """

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, rival: int, net: NetBot | None = None,
        search: Searcher | None = None,
    ) -> None:  # fmt: skip
        self.seats, self.rival, self.quick = game.players, rival, rival != SEARCH
        self.arena = Arena(game, sizes, seed, backend)
        if search:
            self.arena.tree = search.trees[0].for_kernels(search.rollouts)
        self.buffer = Batch.empty(sizes, FEW if search else DECISIONS)
        self.others, self.temperatures = ([net.net.weights], [net.temperature]) if net else ([], [])
        lineup = np.full((TRIAL, self.seats), rival, np.int64)
        blank = np.zeros_like(self.others[0]) if self.others else np.zeros(1)
        got = self.arena.contest(lineup, [blank, *self.others], [1.0, *self.temperatures], np.arange(TRIAL))
        self.arena.scaling = np.array([got.mean(), max(1e-6, float(got.std())), LAMBDA])

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """See `Sparring`."""
        lineup, at = np.full((len(self.buffer), self.seats), self.rival, np.int64), np.arange(len(self.buffer))
        lineup[at, at % self.seats] = 0
        temperatures = [1.0, *self.temperatures]
        counts = self.arena.collect(lineup, [weights, *self.others], number, self.buffer, temperatures)
        return self.buffer.rows(slice(0, counts.decisions)), counts.games

    def trial(self, weights: np.ndarray, temperature: float, groups: int, first: int) -> np.ndarray:
        """See `Sparring`."""
        seats = self.seats
        lineup = np.full((groups, seats + 1, seats), self.rival, np.int64)
        lineup[:, np.arange(seats), np.arange(seats)] = 0
        numbers = np.repeat(first + np.arange(groups), seats + 1)
        temperatures = [temperature, *self.temperatures]
        got = self.arena.contest(lineup.reshape(-1, seats), [weights, *self.others], temperatures, numbers)
        return gains(got.reshape(groups, seats + 1, seats))


class MatchByMatch:
    """Sparring with any bot, in matches from Python."""

    def __init__(self, game: GameSetup, name: str, sizes: np.ndarray, seed: int, backend: str | None) -> None:
        self.game, self.sizes, self.seed = game, sizes, seed
        self.backend, self.quick = backend, False
        self.rivals = [bot(name, game, seed * 1000 + 1 + seat, backend) for seat in range(game.players)]
        got = play_strategies(game, TRIAL, "house", seed).returns
        self.mean, self.std = float(got.mean()), max(1e-6, float(got.std()))

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """See `Sparring`."""
        learner = Recorder(self.game, self.sizes, weights, self.seed + number, self.backend)
        games = 0
        while len(learner.inputs) < FEW:
            seat = (number + games) % self.game.players
            got = play_match(self.game, self._table(learner, seat, number + games), self.seed, number + games)
            learner.label_advantages((got[seat] - self.mean) / self.std)
            games += 1
        return learner.batch(), games

    def trial(self, weights: np.ndarray, temperature: float, groups: int, first: int) -> np.ndarray:
        """See `Sparring`."""
        learner = NetBot(self.game, self.seed, self.backend, temperature, as_net(self.game, self.sizes, weights))
        seats = self.game.players
        got = np.empty((groups, seats + 1, seats))
        for number in range(groups):
            for seat in range(seats + 1):
                table = self._table(learner, seat, (first + number) * (seats + 1) + seat)
                got[number, seat] = play_match(self.game, table, self.seed, first + number)
        return gains(got)

    def _table(self, learner: NetBot, seat: int, game: int) -> list[Bot]:
        """The bot of each seat, their generators rewound to the number of the game."""
        table = [learner if p == seat else self.rivals[p] for p in range(self.game.players)]
        for each in table:
            each.begin(game)
        return table


class Recorder(NetBot):
    """A net as a bot that records its decisions with a choice, to learn from them."""

    def __init__(self, game: GameSetup, sizes: np.ndarray, weights: np.ndarray, seed: int, backend: str | None) -> None:
        super().__init__(game, seed, backend, 1.0, as_net(game, sizes, weights))
        self.inputs: list[np.ndarray] = []
        self.legal: list[list[int]] = []
        self.chosen: list[int] = []
        self.labels: list[list[float]] = []
        self._first = 0  # decision of the match in progress

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat; recorded."""
        action = super().choose(known, seat)
        listed, probabilities = self.last_probabilities()
        if len(listed) > 1:
            self.inputs.append(self.last_input())
            self.legal.append(listed)
            self.chosen.append(action)
            probability = probabilities[listed.index(action)]
            self.labels.append([float(np.log(probability + 1e-30)), self.last_value(), 0.0, 0.0])
        return action

    def label_advantages(self, result: float) -> None:
        """Label the decisions of the match that ended with this result, as `collect.label_advantages` does."""
        after, ahead = result, 0.0
        for row in reversed(self.labels[self._first :]):
            ahead = after - row[VALUE] + LAMBDA * ahead
            after = row[VALUE]
            row[ADVANTAGE], row[TARGET] = ahead, ahead + after
        self._first = len(self.labels)

    def batch(self) -> Batch:
        """All recorded decisions."""
        legal = np.zeros((len(self.chosen), len(self.game.rules.ACTIONS)), np.bool_)
        for row, listed in zip(legal, self.legal, strict=True):
            row[listed] = True
        labels = np.array(self.labels, np.float32).reshape(-1, 1 + max(LOGP, VALUE, ADVANTAGE, TARGET))
        return Batch(np.array(self.inputs, np.int8), legal, np.array(self.chosen, np.int16), labels)


def as_net(game: GameSetup, sizes: np.ndarray, weights: np.ndarray) -> Net:
    """Weights of a learner as a net that can play."""
    return Net(game.name, sizes, weights.astype(np.float64), {}, {})


def gains(got: np.ndarray) -> np.ndarray:
    """The learner's gains, float64 (groups,), from utilities (groups, seats + 1, seats).

    In game k of a group the learner is on seat k, in the last game nowhere.
    """
    own: np.ndarray = np.einsum("gpp->g", got[:, :-1]) / got.shape[2] - got[:, -1].mean(axis=1)
    return own
