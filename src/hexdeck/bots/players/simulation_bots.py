"""Bots of all kinds in simulations: strategies and nets play in compiled code, the others are asked.

What a bot chooses in a game follows from the seed, its seat and the number of the game: `seated` gives the same bots
for games that are played in another way, move by move.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import FunctionType
from typing import Any, cast

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players.batched_nets import BatchedNets, stacked
from hexdeck.bots.players.named import bot, resolved
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.players.scripted import ANSWER, ASKED, KNOWN, MATCH, NETS, NOBODY, SEAT, SIZE, play_scripted
from hexdeck.bots.players.solved import BY_SOLVER, is_solved
from hexdeck.bots.players.strategies import StrategyBot
from hexdeck.engine.backends.kernels import FOLLOW
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.seating import CHUNK, FEW, POLICIES, pad_rows, script, seat_generator, seat_key

__all__ = ["BatchedNets", "SimulationBots", "check", "is_net", "seated", "seated_bot"]
ROOM = 1 << 14  # decisions that a log has room for at first
Seed = int | bytes


def check(game: GameSetup, name: str) -> None:
    """Raise UnknownBot, BadOption or HexdeckError unless a bot by that name can play the game."""
    if resolved(name, game) not in BY_SOLVER or not is_solved(game):
        bot(name, game, backend="interpreted")


def seated(game: GameSetup, names: Sequence[str], seed: Seed = 0, backend: str | None = None) -> list[Bot]:
    """A bot for each seat, which play as in simulations of that seed.

    Call `begin(number)` before each game. Ask strategies also where they have but one legal action, others not.
    """
    found = []
    for seat, name in enumerate(names):
        each = seated_bot(name, game, seed, seat, backend)
        if isinstance(each, StrategyBot):
            each.use_generator(seat_generator(each.driver, seed, seat))
        found.append(each)
    return found


def seated_bot(name: str, game: GameSetup, seed: Seed, seat: int, backend: str | None = None) -> Bot:
    """A bot as it plays on a seat in games of a seed; for strategies see `seated`."""
    return bot(name, game, seat_key(seed, seat), backend)


def is_net(each: Bot) -> bool:
    """Whether a bot is a policy net, which can play in compiled code."""
    return isinstance(each, NetBot)


class SimulationBots:
    """The bots of a simulation, for one thread; see `engine.play.seating.SeatedBots`."""

    def __init__(self, game: GameSetup, names: Sequence[str], seed: Seed, backend: str) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.bots = seated(game, names, seed, backend)
        actual = [resolved(name, game) for name in names]
        nets = [each for each in self.bots if isinstance(each, NetBot)]
        self._codes = np.array([self._code(each, name, nets) for each, name in zip(self.bots, actual, strict=True)])
        self.policies = np.array([POLICIES.get(name, FOLLOW) for name in actual], np.int64)
        self.chunk = FEW if (self._codes == ASKED).any() else CHUNK
        self._generators = [
            each.rng if isinstance(each, NetBot) else seat_generator(self.driver, seed, seat)
            for seat, each in enumerate(self.bots)
        ]
        self._chance, self._rows = self.driver.generator(seed), game.rows(self.driver)
        self._scratch = self.driver.actions(), self.driver.weights()
        weights, self._layers = stacked(self.driver, nets)
        self._players = self.driver.shared(self._codes), pad_rows(self.driver, self._generators), *weights
        self._last: tuple[tuple[int, int], list[Any]] | None = None

    def _code(self, each: Bot, name: str, nets: list[NetBot]) -> int:
        """The number of a seat's bot, as `scripted.play_scripted` takes it."""
        if name in POLICIES:
            return POLICIES[name]
        return NETS - nets.index(each) if isinstance(each, NetBot) else ASKED

    def generators(self, first: int, games: int) -> list[Any]:
        """For each seat its generator, or the script of its choices in the games of these numbers."""
        if not (self.policies == FOLLOW).any():
            return self._generators
        if self._last is None or self._last[0] != (first, games):
            self._last = (first, games), self._scripts(self.play(first, games))
        return [
            script(self.driver, chosen) if policy == FOLLOW else own
            for policy, chosen, own in zip(self.policies, self._last[1], self._generators, strict=True)
        ]

    def _scripts(self, log: np.ndarray) -> list[np.ndarray]:
        """The actions of each seat in a log."""
        return [log[log[:, 0] == seat, 1] for seat in range(self.game.players)]

    def play(self, first: int, games: int) -> np.ndarray:
        """Play the games of these numbers; returns seat and action of each decision, int32 (decisions, 2)."""
        state, log = np.zeros(5, np.int64), np.zeros((ROOM, 2), np.int32)
        state[SEAT], state[ANSWER] = NOBODY, -1
        kernel, shared = self.driver.kernel(cast(FunctionType, play_scripted)), self.driver.shared
        playing = [-1] * len(self.bots)
        while state[MATCH] < games:
            kernel(
                self.driver.g, self._rows, self._players, *self._scratch, self._chance, first, games, self._layers,
                shared(log), shared(state),
            )  # fmt: skip
            if state[SEAT] != NOBODY:
                state[ANSWER] = self._asked(int(state[SEAT]), first + int(state[MATCH]), playing)
            elif state[SIZE] == len(log):
                log = np.concatenate([log, np.zeros_like(log)])
        return log[: state[SIZE]]

    def _asked(self, seat: int, number: int, playing: list[int]) -> int:
        """The action that the bot on a seat chooses from what it knows, in the game of this number."""
        if playing[seat] != number:
            self.bots[seat].begin(number)
            playing[seat] = number
        return self.bots[seat].choose(raw(self._rows)[KNOWN].tobytes(), seat)
