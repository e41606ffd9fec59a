"""Arenas: games of one setting between nets, strategies and searches in compiled code, which nets learn from.

Policy nets play themselves. Deal nets learn, from games of house bots, what the beginning of a deal is worth. Imitating
nets learn what searches choose (behavioural cloning): they predict others better than a strategy does, and take a
thousandth of the time of a search (see `bots.search.rollout`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, net_layers
from hexdeck.bots.search.searcher import Tree
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import _, say
from hexdeck.research.training import collect, learn
from hexdeck.research.training.learn import DecisionBatch, Learner
from hexdeck.stats import half_width

FRESH = 1 << 37  # match numbers from here on are for trials, from twice this for final figures: none is trained on
SAMPLES = 8  # beginnings of a deal that are evaluated for each group of games asked for
PROBES = 200  # games that show whether deals begin
SPARSE, FEWEST, DECISIONS = 20, 20, 256  # groups asked for in each game, games at least, room in a batch for each game
UNSCALED = np.array([0.0, 1.0, 1.0])  # utilities as they are
Nets = Sequence[np.ndarray]  # the weights of several


class PlayCounts(NamedTuple):
    """How much was played: recorded decisions, whole games, moves."""

    decisions: int
    games: int
    moves: int


class Arena:
    """Games of one setting between policy nets of one size; `seed` decides cards and players, a number each match.

    `scaling`, float64: the mean and the standard deviation of utility, and lambda of the advantages. `simulations`: the
    budget of searches; `rollouts`: the policy that plays on in them.
    """

    score = "house"  # the column of a training curve that says how good a net is: its utility against house bots
    recorded = 0  # whose decisions are recorded, as in a lineup

    def __init__(
        self,
        game: GameSetup,
        sizes: np.ndarray,
        seed: int,
        backend: str | None = None,
        scaling: np.ndarray = UNSCALED,
        simulations: int = 100,
        rollouts: int = RANDOM,
    ) -> None:
        self.game, self.sizes, self.driver, self.scaling = game, sizes, game.driver(backend), scaling
        driver, array, seats = self.driver, self.driver.array, game.rules.PLAYERS[1]
        self._generators = driver.generator(seed), driver.generator(seed, "nets")
        self._game = driver.g, game.rows(driver)
        self.tree = Tree(game, backend, simulations, seed, 0).for_kernels(rollouts)
        numbers = tuple(array(size, np.float64) for size in (2, seats, 2 * seats))
        layers = net_layers(driver, sizes, len(game.rules.ACTIONS))
        self._scratch = driver.actions(), driver.weights(), layers, *numbers

    def check(self) -> None:
        """Raise BadOption where there is nothing to learn."""

    def collect(
        self, lineup: np.ndarray, nets: Nets, number: int, batch: DecisionBatch, temperatures: Sequence[float] = ()
    ) -> PlayCounts:
        """Play the games of a lineup, from match `number` on, until all are over or the batch is full.

        `temperatures`: of each net, 1 by default.
        """
        matches = number + np.arange(len(lineup))
        warm = temperatures or [1.0] * len(nets)
        return self._play(lineup, nets, warm, matches, matches, self.recorded, batch)[0]

    def contest(
        self,
        lineup: np.ndarray,
        nets: Nets,
        temperatures: Sequence[float],
        numbers: np.ndarray,
        streams: np.ndarray | None = None,
    ) -> np.ndarray:
        """Play the games of a lineup, each as match of its number; returns utilities, float64 (games, seats).

        `streams`: from which players draw in each game, by default that of its place in the lineup.
        """
        streams, nothing = np.arange(len(lineup)) if streams is None else streams, DecisionBatch.empty(self.sizes, 0)
        return self._play(lineup, nets, temperatures, numbers, streams, collect.NOBODY, nothing)[1]

    def _play(
        self,
        lineup: np.ndarray,
        nets: Nets,
        temperatures: Sequence[float],
        matches: np.ndarray,
        streams: np.ndarray,
        recorded: int,
        batch: DecisionBatch,
    ) -> tuple[PlayCounts, np.ndarray]:
        shared, kernel = self.driver.shared, self.driver.kernel(collect.play_games)
        state, results = np.zeros(3, np.int64), np.zeros(lineup.shape)
        players = self._stack(nets), shared(np.array(temperatures, np.float64)), shared(self.sizes), self.tree
        games = shared(lineup), shared(matches), shared(streams), players, shared(self.scaling), recorded
        out = self._generators, self._scratch, self.columns(batch), shared(results), shared(state)
        kernel(*self._game, *games, *out)
        return counts_of(state), results

    def _stack(self, nets: Nets) -> Any:
        """Weights of several nets as kernels take them; no net is one of a single 0."""
        rows = [np.ascontiguousarray(net, np.float64) for net in nets] or [np.zeros(1)]
        return np.stack(rows) if self.driver.compiled else [self.driver.shared(row) for row in rows]

    def columns(self, batch: DecisionBatch) -> tuple[Any, ...]:
        """A batch as kernels take it, with a column for the seats."""
        seats = np.zeros(len(batch), np.int8)
        return tuple(map(self.driver.shared, (batch.inputs, batch.legal, batch.chosen, batch.labels, seats)))

    def against(
        self, net: np.ndarray, temperature: float, groups: int, rival: int | np.ndarray, first: int = 0
    ) -> tuple[float, float]:
        """One net against others on all other seats (such as `collect.HOUSE`, or another net), in its turn on each.

        Each group is one deal, numbered from `first` on, played once from every seat. Returns the mean utility of the
        net and half its 95 % interval, groups being independent.
        """
        seats = self.game.players
        nets = [net] if isinstance(rival, int) else [net, rival]
        lineup = np.full((groups * seats, seats), rival if isinstance(rival, int) else 1, np.int64)
        games = np.arange(groups * seats)
        lineup[games, games % seats] = 0
        results = self.contest(lineup, nets, [temperature] * len(nets), first + games // seats)
        return mean_and_margin(results[games, games % seats].reshape(groups, seats).mean(axis=1))

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The `score` of a net in so many deals from number `first` on, and half its 95 % interval."""
        return self.against(net, 1.0, groups, collect.HOUSE, first)


class DealArena(Arena):
    """Games of one setting between house bots."""

    score = "explained"  # the part of the variance of results that a net explains when a deal begins

    def check(self) -> None:
        """Raise BadOption where a second deal hardly ever begins."""
        if self.collect(np.zeros((PROBES, 1)), [], 0, DecisionBatch.empty(self.sizes, PROBES)).decisions < PROBES // 4:
            text = _(
                "With {players} players and these options of {game} there is hardly ever a second deal, so there is "
                "nothing to learn."
            )
            raise BadOption(say(text, players=self.game.players, game=self.game.name))

    def collect(self, lineup: np.ndarray, _nets: Nets, number: int, batch: DecisionBatch, *_warm: Any) -> PlayCounts:
        """Play as many games as the lineup has between house bots, from match `number` on, until the batch is full."""
        shared, kernel = self.driver.shared, self.driver.kernel(collect.collect_deals)
        state = np.zeros(3, np.int64)
        games = len(lineup), shared(self.scaling), shared(self.sizes), self._generators, number
        kernel(*self._game, *games, self._scratch, self.columns(batch), shared(state))
        return counts_of(state)

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The part of the variance of results that the net explains, and half its 95 % interval.

        That is of `SAMPLES` beginnings of a deal for each group, in as many games as have them.
        """
        batch = DecisionBatch.empty(self.sizes, SAMPLES * groups)
        decisions, games, _moves = self.collect(np.zeros((len(batch), 1)), [], first, batch)
        batch = batch.rows(slice(0, decisions))
        target, predicted = batch.labels[:, collect.TARGET], predictions(net, self.sizes, batch.inputs)
        gained = (target - target.mean()) ** 2 - (target - predicted) ** 2
        by_game = np.bincount(batch.labels[:, collect.GAME].astype(np.int64), gained, games)
        return mean_and_margin(by_game / target.var() * games / decisions)


def predictions(net: np.ndarray, sizes: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """The values of a deal net, float32 (rows), normalised."""
    value: np.ndarray = learn.outputs_of(net, sizes, inputs)[:, -1]
    return value


class MimicArena(Arena):
    """Games of one setting between searches."""

    score = "foreseen"  # the part of the uncertainty about a search's choices that a net resolves
    recorded = collect.SEARCH

    def __init__(
        self,
        game: GameSetup,
        sizes: np.ndarray,
        seed: int,
        backend: str | None,
        scaling: np.ndarray = UNSCALED,
        simulations: int = 100,
    ) -> None:
        super().__init__(game, sizes, seed, backend, scaling, simulations)
        self._trials: dict[tuple[int, int], tuple[DecisionBatch, int]] = {}

    def collect(self, lineup: np.ndarray, _nets: Nets, number: int, batch: DecisionBatch, *_warm: Any) -> PlayCounts:
        """Play as many games as the lineup has between searches, from match `number` on, until the batch is full."""
        searches = np.full((len(lineup), self.game.players), collect.SEARCH, np.int64)
        return super().collect(searches, [], number, batch)

    def scored(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """The part of the uncertainty about a search's choices that a net resolves, and half its 95 % interval.

        That is 1 less the cross-entropy of the choices, divided by that of a uniform guess among legal actions. A game
        for every `SPARSE` groups is played, once, from number `first` on.
        """
        batch, games = self.trial(max(FEWEST, groups // SPARSE), first)
        logs = learn.masked_softmax(learn.outputs_of(net, self.sizes, batch.inputs)[:, :-1], batch.legal)[1]
        uniform = np.log(batch.legal.sum(axis=1))
        gained = uniform + logs[np.arange(len(batch)), batch.chosen]
        by_game = np.bincount(batch.labels[:, collect.GAME].astype(np.int64), gained, games)
        return mean_and_margin(by_game / uniform.sum() * games)

    def trial(self, games: int, first: int) -> tuple[DecisionBatch, int]:
        """Decisions of games that nobody learned from, and how many games those are; played once."""
        if (games, first) not in self._trials:
            batch = DecisionBatch.empty(self.sizes, games * DECISIONS)
            decisions, played, _moves = self.collect(np.zeros((games, 1)), [], first, batch)
            self._trials[games, first] = batch.rows(np.arange(decisions)), played
        return self._trials[games, first]


def counts_of(state: np.ndarray) -> PlayCounts:
    """The counts that kernels wrote."""
    return PlayCounts(int(state[collect.SIZE]), int(state[collect.GAMES]), int(state[collect.MOVES]))


def mean_and_margin(values: np.ndarray) -> tuple[float, float]:
    """The mean of independent values and half its 95 % interval."""
    return float(values.mean()), float(half_width(values))


# --- kinds of nets ----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class NetKind:
    """What nets of a kind learn in, and their learner; `magnetic`: whether they are held near to a magnet."""

    arena: type[Arena]
    learner: type[Learner]
    magnetic: bool = False


KINDS = {
    DEALS: NetKind(DealArena, learn.DealLearner),
    MIMIC: NetKind(MimicArena, learn.ImitationLearner),
    POLICY: NetKind(Arena, Learner, magnetic=True),
}


# --- lineups: who sits where in the games of a step, int64 (games, seats) ---------------------------------------------
def lineup_with(games: int, seats: int, opponents: Sequence[int], share: float, rng: np.random.Generator) -> np.ndarray:
    """Net 0 everywhere, but in a share of the games, where it meets one of the opponents, if there are any.

    That one sits on all other seats, or on about half of them.
    """
    lineup = np.zeros((games, seats), np.int64)
    if len(opponents):
        mixed = rng.random((games, 1)) < share
        lineup = np.where(mixed, rng.choice(opponents, (games, 1)) * rival_seats(games, seats, rng), lineup)
    return lineup


def rival_seats(games: int, seats: int, rng: np.random.Generator) -> np.ndarray:
    """Which seats a rival of net 0 has: all but one, or about half of those; bool (games, seats)."""
    all_but_one = np.arange(seats) != rng.integers(0, seats, (games, 1))
    rivals: np.ndarray = all_but_one & ((rng.random((games, 1)) < 0.6) | (rng.random((games, seats)) < 0.5))
    return rivals
