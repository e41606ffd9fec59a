"""Bots of all kinds in simulations: strategies and nets play in compiled code, the others are asked.

What a bot chooses in a game follows from the seed, its seat and the number of the game: `seated` gives the same bots
for games that are played in another way, move by move.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.netfile import net_layers
from hexdeck.bots.players import scripted
from hexdeck.bots.players.kinds import BY_SOLVER, PURPOSE, NetBot, StrategyBot
from hexdeck.bots.players.policies import Named, any_bot
from hexdeck.bots.players.roster import resolved
from hexdeck.bots.players.scripted import ASKED, NETS
from hexdeck.engine.backends.kernels import FOLLOW
from hexdeck.engine.play.game import Driver, GameSetup, is_solved, raw
from hexdeck.engine.play.playouts import CHUNK, FEW, pad_rows, policy_code, script, seat_generator, seat_key
from hexdeck.engine.random import WORDS, generator, rewind


def stacked(driver: Driver, nets: Sequence[NetBot]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Weights, sizes and temperatures of nets as kernels take them, and layers in which each of them fits."""
    longest, count = max((len(player.net.weights) for player in nets), default=1), max(1, len(nets))
    weights, sizes, temperatures = np.zeros((count, longest)), np.zeros((count, 5), np.int64), np.ones(count)
    for k, player in enumerate(nets):
        weights[k, : len(player.net.weights)] = player.net.weights
        sizes[k], temperatures[k] = player.net.sizes, player.temperature
    lines = [table if driver.compiled else [driver.shared(row) for row in table] for table in (weights, sizes)]
    return (*lines, driver.shared(temperatures)), net_layers(driver, sizes.max(axis=0))


class BatchedNets:
    """Nets on some seats of many environments of a batch, each with a generator of its seat and environment."""

    def __init__(self, driver: Driver, bots: dict[int, NetBot], seats: int, envs: int) -> None:
        self.driver, nets = driver, list(bots.values())
        self.codes = np.full(seats, ASKED, np.int64)
        self.codes[list(bots)] = NETS - np.arange(len(nets))
        self._nets, self._layers = stacked(driver, nets)
        self._rows = np.zeros((envs, seats, WORDS), np.int64)
        self._generators: Any = self._rows if driver.compiled else [list(map(driver.shared, row)) for row in self._rows]
        self._playing, self._actions = np.full(envs, -1, np.int64), driver.actions()

    def sow(self, env: int, seed: int | bytes) -> None:
        """Seed the nets of an environment, from its next match on."""
        for seat in np.flatnonzero(self.codes != ASKED).tolist():
            self._rows[env, seat] = generator(seat_key(seed, seat), PURPOSE)
        self._playing[env] = -1

    def plays(self, seats: np.ndarray) -> np.ndarray:
        """Whether a net plays each of these seats, bool."""
        by_net: np.ndarray = self.codes[seats] != ASKED
        return by_net

    def begin(self, envs: np.ndarray) -> None:
        """The matches of these environments (bool) begin, maybe those of the same numbers again."""
        self._playing[envs] = -1

    def answer(self, rows: Any, waiting: np.ndarray, numbers: np.ndarray, answers: np.ndarray) -> None:
        """Write the actions of nets into `answers`, in the environments where one is awaited."""
        shared, workspace = self.driver.shared, (self._generators, *self._nets, self._actions, self._layers)
        states = map(shared, (waiting, numbers, self._playing, self.codes))
        self.driver.call(scripted.answer_by_nets, rows, *states, *workspace, shared(answers))


ROOM = 1 << 14  # decisions that a log has room for at first
Seed = int | bytes


def check(game: GameSetup, name: Named) -> None:
    """Raise UnknownBot, BadOption or HexdeckError unless a bot by that name can play the game."""
    if resolved(name, game) not in BY_SOLVER or not is_solved(game):
        any_bot(name, game, backend="interpreted")


def seated(game: GameSetup, names: Sequence[Named], seed: Seed = 0, backend: str | None = None) -> list[Bot]:
    """A bot for each seat, which play as in simulations of that seed.

    Call `begin(number)` before each game. Ask strategies also where they have but one legal action, others not.
    """
    players = []
    for seat, name in enumerate(names):
        seated = seated_bot(name, game, seed, seat, backend)
        if isinstance(seated, StrategyBot):
            seated.rng = seat_generator(seated.driver, seed, seat)
        players.append(seated)
    return players


def seated_bot(name: Named, game: GameSetup, seed: Seed, seat: int, backend: str | None = None) -> Bot:
    """A bot as it plays on a seat in games of a seed; for strategies see `seated`."""
    return any_bot(name, game, seat_key(seed, seat), backend)


class SimulationBots:
    """The bots of a simulation, for one thread; see `engine.play.playouts.SeatedBots`."""

    def __init__(self, game: GameSetup, names: Sequence[Named], seed: Seed, backend: str) -> None:
        self.game, self.driver = game, game.driver(backend)
        self.bots = seated(game, names, seed, backend)
        actual = [resolved(name, game) for name in names]
        nets = [player for player in self.bots if isinstance(player, NetBot)]
        codes = [NETS - nets.index(player) if isinstance(player, NetBot) else ASKED for player in self.bots]
        self._codes = np.array([*map(policy_code, actual, codes)])
        self.policies = np.array([policy_code(name, FOLLOW) for name in actual], np.int64)
        self.chunk = FEW if (self._codes == ASKED).any() else CHUNK
        self._generators = [
            player.rng if isinstance(player, NetBot) else seat_generator(self.driver, seed, seat)
            for seat, player in enumerate(self.bots)
        ]
        self._chance, self._rows = self.driver.generator(seed), game.rows(self.driver)
        self._scratch = self.driver.actions(), self.driver.weights()
        weights, self._layers = stacked(self.driver, nets)
        self._players = self.driver.shared(self._codes), pad_rows(self.driver, self._generators), *weights
        self._last: tuple[tuple[int, int], list[Any]] | None = None

    def generators(self, first: int, games: int) -> list[Any]:
        """For each seat its generator, or the script of its choices in the games of these numbers."""
        if not (self.policies == FOLLOW).any():
            return self._generators
        if self._last is None or self._last[0] != (first, games):
            log = self.play(first, games)
            self._last = (first, games), [log[log[:, 0] == seat, 1] for seat in range(self.game.players)]
        return [
            script(self.driver, chosen) if policy == FOLLOW else own
            for policy, chosen, own in zip(self.policies, self._last[1], self._generators, strict=True)
        ]

    def play_on(self, position: np.ndarray, number: int) -> np.ndarray:
        """Play the game of this number on from a position, the bytes of a struct; returns those at its end."""
        raw(self._rows)[0] = position
        for own in self._players[1]:
            rewind(own, number)
        self.play(number, 1, resumed=True)
        end: np.ndarray = raw(self._rows)[0].copy()
        return end

    def play(self, first: int, games: int, *, resumed: bool = False) -> np.ndarray:
        """Play the games of these numbers; returns seat and action of each decision, int32 (decisions, 2).

        `resumed`: the first of them is played on from row 0.
        """
        state, log = np.zeros(5, np.int64), np.zeros((ROOM, 2), np.int32)
        state[scripted.BEGUN], state[scripted.SEAT], state[scripted.ANSWER] = resumed, scripted.NOBODY, -1
        shared, playing = self.driver.shared, [-1] * len(self.bots)
        while state[scripted.MATCH] < games:
            work = first, games, self._layers, shared(log), shared(state)
            self.driver.call(scripted.play_scripted, self._rows, self._players, *self._scratch, self._chance, *work)
            if (seat := int(state[scripted.SEAT])) != scripted.NOBODY:
                if playing[seat] != (number := first + int(state[scripted.MATCH])):
                    self.bots[seat].begin(number)
                    playing[seat] = number
                knowledge = raw(self._rows)[scripted.KNOWN].tobytes()
                state[scripted.ANSWER] = self.bots[seat].choose(knowledge, seat)
            elif state[scripted.SIZE] == len(log):
                log = np.concatenate([log, np.zeros_like(log)])
        return log[: state[scripted.SIZE]]
