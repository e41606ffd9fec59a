"""A net among one bot on all other seats: in compiled code for strategies, nets and searches, else match by match."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.named import bot, resolved
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.rating.contest import played
from hexdeck.bots.search.searcher import Searcher
from hexdeck.bots.training.arena import Arena, room
from hexdeck.bots.training.learn import Batch
from hexdeck.bots.training.selfplay import ADVANTAGE, GENTLE, HOUSE, LOGP, RANDOM, SEARCH, TARGET, VALUE
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import play_strategies

STRATEGIES = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE}
DECISIONS, FEW = 16384, 2048  # of a batch, in compiled code and match by match
TRACE, TRIAL = 0.95, 200  # lambda of advantages; games that measure what utilities are like


class Sparring(Protocol):
    """Where a learner meets one bot."""

    quick: bool  # whether the bot takes microseconds

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """A batch of the learner's decisions from matches `number` and on, and how many those were."""

    def trial(self, weights: np.ndarray, heat: float, groups: int, first: int) -> np.ndarray:
        """What the learner gets less what the bot gets there, a match, float64 (groups,).

        A group is one deal, once with the learner on each seat, and once with the bot on all.
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
    """Meets a strategy, a net of the learner's size, or a search on one thread."""

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, rival: int, net: NetBot | None = None,
        search: Searcher | None = None,
    ) -> None:  # fmt: skip
        self.seats, self.rival, self.quick = game.players, rival, rival != SEARCH
        how = (search.trees[0].simulations, search.rollouts) if search else ()
        self.arena, self.room = Arena(game, sizes, seed, backend, *how), room(sizes, FEW if search else DECISIONS)
        self.others, self.heats = ([net.net.weights], [net.heat]) if net else ([], [])
        table = np.full((TRIAL, self.seats), rival, np.int64)
        got = self.arena.contest(table, self.arena.stack(self._nets(None)), [1.0, *self.heats], np.arange(TRIAL))
        self.units = np.array([got.mean(), max(1e-6, float(got.std())), TRACE])

    def _nets(self, learner: np.ndarray | None) -> list[np.ndarray]:
        blank = np.zeros_like(self.others[0]) if self.others else np.zeros(1)
        return [blank if learner is None else learner, *self.others]

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """See `Sparring`."""
        table, at = np.full((len(self.room), self.seats), self.rival, np.int64), np.arange(len(self.room))
        table[at, at % self.seats] = 0
        stack, heats = self.arena.stack(self._nets(weights)), [1.0, *self.heats]
        made, games, _ = self.arena.collect_selfplay(table, stack, self.units, number, self.room, heats)
        part = self.room
        return Batch(part.seen[:made], part.legal[:made], part.chosen[:made], part.facts[:made]), games

    def trial(self, weights: np.ndarray, heat: float, groups: int, first: int) -> np.ndarray:
        """See `Sparring`."""
        seats, nets = self.seats, self._nets(weights)
        table = np.full((groups, seats + 1, seats), self.rival, np.int64)
        table[:, np.arange(seats), np.arange(seats)] = 0
        numbers = np.repeat(first + np.arange(groups), seats + 1)
        got = self.arena.contest(table.reshape(-1, seats), self.arena.stack(nets), [heat, *self.heats], numbers)
        return gains(got.reshape(groups, seats + 1, seats))


class MatchByMatch:
    """Meets any bot; slower, by what the bot takes."""

    def __init__(self, game: GameSetup, name: str, sizes: np.ndarray, seed: int, backend: str | None) -> None:
        self.game, self.sizes, self.seed = game, sizes, seed
        self.backend, self.quick = backend, False
        self.rivals = [bot(name, game, seed * 1000 + 1 + seat, backend) for seat in range(game.players)]
        got = play_strategies(game, TRIAL, "house", seed).returns
        self.middle, self.unit = float(got.mean()), max(1e-6, float(got.std()))

    def practice(self, weights: np.ndarray, number: int) -> tuple[Batch, int]:
        """See `Sparring`."""
        learner = Recorder(self.game, self.sizes, weights, self.seed + number, self.backend)
        games = 0
        while len(learner.seen) < FEW:
            seat = (number + games) % self.game.players
            got = played(self.game, self._table(learner, seat, number + games), self.seed, number + games)
            learner.credit((got[seat] - self.middle) / self.unit)
            games += 1
        return learner.batch(), games

    def trial(self, weights: np.ndarray, heat: float, groups: int, first: int) -> np.ndarray:
        """See `Sparring`."""
        learner = NetBot(self.game, self.seed, self.backend, heat, as_net(self.game, self.sizes, weights))
        seats = self.game.players
        got = np.empty((groups, seats + 1, seats))
        for number in range(groups):
            for seat in range(seats + 1):
                table = self._table(learner, seat, (first + number) * (seats + 1) + seat)
                got[number, seat] = played(self.game, table, self.seed, first + number)
        return gains(got)

    def _table(self, learner: NetBot, seat: int, game: int) -> list[Bot]:
        """Who sits where; what everybody throws follows from the number of the game."""
        table = [learner if p == seat else self.rivals[p] for p in range(self.game.players)]
        for each in table:
            each.begin(game)
        return table


class Recorder(NetBot):
    """A net as a bot that notes its decisions for learning: those where there is a choice."""

    def __init__(self, game: GameSetup, sizes: np.ndarray, weights: np.ndarray, seed: int, backend: str | None) -> None:
        super().__init__(game, seed, backend, 1.0, as_net(game, sizes, weights))
        self.seen: list[np.ndarray] = []
        self.legal: list[list[int]] = []
        self.chosen: list[int] = []
        self.facts: list[list[float]] = []
        self._first = 0

    def choose(self, known: bytes, seat: int) -> int:
        """An action id for the seat; noted."""
        action = super().choose(known, seat)
        listed, chances = self.thought()
        if len(listed) > 1:
            self.seen.append(self.look())
            self.legal.append(listed)
            self.chosen.append(action)
            chance = chances[listed.index(action)]
            self.facts.append([float(np.log(chance + 1e-30)), float(self._value[0]), 0.0, 0.0])
        return action

    def credit(self, result: float) -> None:
        """A match is over with this result: advantages and targets of its decisions, as `selfplay.credit` has them."""
        after, ahead = result, 0.0
        for row in reversed(self.facts[self._first :]):
            ahead = after - row[VALUE] + TRACE * ahead
            after = row[VALUE]
            row[ADVANTAGE], row[TARGET] = ahead, ahead + after
        self._first = len(self.facts)

    def batch(self) -> Batch:
        """All that was noted."""
        legal = np.zeros((len(self.chosen), len(self.game.rules.ACTIONS)), np.bool_)
        for row, listed in zip(legal, self.legal, strict=True):
            row[listed] = True
        facts = np.array(self.facts, np.float32).reshape(-1, 1 + max(LOGP, VALUE, ADVANTAGE, TARGET))
        return Batch(np.array(self.seen, np.int8), legal, np.array(self.chosen, np.int16), facts)


def as_net(game: GameSetup, sizes: np.ndarray, weights: np.ndarray) -> Net:
    """Weights of a learner as a net that can play."""
    return Net(game.name, sizes, weights.astype(np.float64), {}, {})


def gains(got: np.ndarray) -> np.ndarray:
    """Of utilities (groups, seats + 1, seats), the learner on seat k of game k, the bot on all of the last: gains."""
    own: np.ndarray = np.einsum("gpp->g", got[:, :-1]) / got.shape[2] - got[:, -1].mean(axis=1)
    return own
