"""Sparring: a learner on one seat and one quick bot, a strategy or a net, on all others, in compiled code.

A bot that thinks is met here only to see what the learner is worth in the end (`trial_of`), match by match.
"""

from __future__ import annotations

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.netfile import Net
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.netbot import NetBot
from hexdeck.engine.play.game import GameSetup
from hexdeck.research.rating.contest import play_match
from hexdeck.research.training.arena import Arena
from hexdeck.research.training.collect import GENTLE, HOUSE, RANDOM
from hexdeck.research.training.learn import DecisionBatch, widened

STRATEGIES = {"random": RANDOM, "house": HOUSE, "gentle": GENTLE}
DECISIONS = 16384  # of a batch
LAMBDA, TRIAL = 0.95, 2000  # of advantages; games by which utilities are measured


class Sparring:
    """Games between a learner and a strategy, by its number in a lineup, or a net, which plays at a temperature."""

    def __init__(
        self,
        game: GameSetup,
        sizes: np.ndarray,
        seed: int,
        backend: str | None,
        rival: int | Net,
        temperature: float = 1.0,
    ) -> None:
        self.seats, self.arena, self.buffer = (
            game.players,
            Arena(game, sizes, seed, backend),
            DecisionBatch.empty(sizes, DECISIONS),
        )
        self.others, self.rival = [], 1
        self._alone: dict[tuple[int, int], np.ndarray] = {}  # what the bot gets on the deals of a trial by itself
        if isinstance(rival, Net):
            self.others = [widened(rival.weights, rival.sizes, sizes)]
        else:
            self.rival = rival
        self.temperatures = [temperature] * len(self.others)
        lineup = np.full((TRIAL, self.seats), self.rival, np.int64)
        blank = np.zeros_like(self.others[0]) if self.others else np.zeros(1)
        utilities = self.arena.contest(lineup, [blank, *self.others], [1.0, *self.temperatures], np.arange(TRIAL))
        self.arena.scaling = np.array([utilities.mean(), max(1e-6, float(utilities.std())), LAMBDA])

    def practice(self, weights: np.ndarray, number: int) -> tuple[DecisionBatch, int]:
        """A batch of the learner's decisions from match `number` on, and how many matches those were."""
        lineup, at = np.full((len(self.buffer), self.seats), self.rival, np.int64), np.arange(len(self.buffer))
        lineup[at, at % self.seats] = 0
        temperatures = [1.0, *self.temperatures]
        counts = self.arena.collect(lineup, [weights, *self.others], number, self.buffer, temperatures)
        return self.buffer.rows(slice(0, counts.decisions)), counts.games

    def trial(self, weights: np.ndarray, temperature: float, groups: int, first: int) -> np.ndarray:
        """The learner's gains, float64 (groups,): its utility less the bot's own on the same deal.

        A group is one deal, numbered from `first` on, played once with the learner on each seat, and once with the bot
        on all.
        """
        seats, temperatures = self.seats, [temperature, *self.temperatures]
        lineup = np.full((groups, seats + 1, seats), self.rival, np.int64)
        lineup[:, np.arange(seats), np.arange(seats)] = 0
        numbers = np.broadcast_to(first + np.arange(groups)[:, None], (groups, seats + 1))
        streams = np.arange(groups * (seats + 1)).reshape(numbers.shape)

        def played(games: slice) -> np.ndarray:
            table = np.ascontiguousarray(lineup[:, games].reshape(-1, seats))
            deals = numbers[:, games].ravel(), streams[:, games].ravel()
            utilities = self.arena.contest(table, [weights, *self.others], temperatures, *deals)
            return utilities.reshape(groups, -1, seats)

        if (groups, first) not in self._alone:
            self._alone[groups, first] = played(slice(seats, None))
        return gains(np.concatenate([played(slice(seats)), self._alone[groups, first]], axis=1))


def trial_of(
    game: GameSetup,
    net: Net,
    name: str,
    seed: int,
    temperature: float,
    groups: int,
    first: int,
    backend: str | None = None,
) -> np.ndarray:
    """The same as `Sparring.trial` for a net against any bot, match by match."""
    learner, seats = NetBot(game, seed, backend, temperature, net), game.players
    rivals: list[Bot] = [bot(name, game, seed * 1000 + 1 + seat, backend) for seat in range(seats)]
    utilities = np.empty((groups, seats + 1, seats))
    for number in range(groups):
        for seat in range(seats + 1):
            table = [learner if p == seat else rivals[p] for p in range(seats)]
            for player in table:
                player.begin((first + number) * (seats + 1) + seat)
            utilities[number, seat] = play_match(game, table, seed, first + number)
    return gains(utilities)


def gains(utilities: np.ndarray) -> np.ndarray:
    """The learner's gains, float64 (groups,), from utilities (groups, seats + 1, seats).

    In game k of a group the learner is on seat k, in the last game nowhere.
    """
    own: np.ndarray = np.einsum("gpp->g", utilities[:, :-1]) / utilities.shape[2] - utilities[:, -1].mean(axis=1)
    return own
