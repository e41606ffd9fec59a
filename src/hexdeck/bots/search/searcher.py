"""Bots that look ahead, by tree search or by rollouts, and values of moves by games that are played out from them.

All moves are tried in the same fresh worlds: a difference then has a smaller error than either value. Games are played
to their end, or to a horizon where the score so far says enough.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, KernelBot, ranked
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fitting, net_layers, shipped_net
from hexdeck.bots.search import rollout
from hexdeck.bots.search.rollout import COLUMNS, SQUARES, STOPPED, SUM, TRIES
from hexdeck.bots.search.tree import ROOT, search
from hexdeck.engine.backends.kernels import RANDOM
from hexdeck.engine.play.game import Driver, GameSetup, raw
from hexdeck.engine.play.playouts import POLICIES as COMPILED
from hexdeck.engine.random import rewind
from hexdeck.stats import half_width, t_quantile

# --- policies ---------------------------------------------------------------------------------------------------------
BY_NET = {"net": POLICY, "mimic": MIMIC}  # policies that are nets, and the kind of the net
TO_THE_END = {**COMPILED, "net": rollout.NET, "mimic": rollout.MIMIC}  # policies that play games to the end
TO_THE_DEAL = {f"{name}-deal": TO_THE_END[name] for name in ("house", "mimic")}  # to the end of the deal
POLICIES = TO_THE_END | TO_THE_DEAL


@dataclass(frozen=True)
class Belief:
    """How worlds are weighed by what others did: see `rollout`. By default as if others played just like the policy."""

    candidates: int = 12
    trust: float = 1.0
    floor: float = 0.001


NO_NET = np.zeros(1), np.zeros(5, np.int64)  # weights and sizes


def policy_workspace(
    game: GameSetup,
    policy: str,
    driver: Driver,
    temperature: float = 1.0,
    own: Net | None = None,
    deals: Net | None = None,
    rechoose: bool | None = None,
    belief: Belief | None = None,
) -> tuple[int, tuple[Any, ...]]:
    """The number of a policy and its workspace (see `bots.search.rollout`).

    `own`, `deals`: the policy's net and the deal net, instead of those that are shipped with the game. `rechoose`:
    whether the policy chooses again what others have chosen at once with the seat; by default only a net that imitates
    does. `belief`: how worlds are weighed; by default all count alike. Raises HexdeckError for a net that isn't there.
    """
    chooser, deal_net, scaling = NO_NET, NO_NET, np.array([temperature, 0.0, 1.0, *[0.0] * 6])
    kind = whole_games(policy)
    scaling[rollout.RECHOOSE] = kind == MIMIC if rechoose is None else rechoose
    if kind in BY_NET:
        used = own or shipped_net(game, BY_NET[kind])
        chooser = used.weights, used.sizes
    if belief is not None:
        scaling[rollout.CANDIDATES : rollout.FLOOR + 1] = belief.candidates, belief.trust, belief.floor
    if policy in TO_THE_DEAL:
        used = fitting(deals or shipped_net(game, DEALS), game, DEALS)
        deal_net, scale = (used.weights, used.sizes), used.utility_scale[game.players]
        scaling[rollout.MEAN : rollout.HIGHEST + 1] = *scale, *game.bounds.bounds(game.players, game.options)[:2]
    layers = net_layers(driver, np.maximum(chooser[1], deal_net[1]))
    shared = driver.shared
    return POLICIES[policy], (*map(shared, (*chooser, scaling)), layers, *map(shared, deal_net))


def whole_games(policy: str) -> str:
    """The policy that plays games to the end as this one plays a deal."""
    return policy.removesuffix("-deal")


# --- values -----------------------------------------------------------------------------------------------------------
Lacking = Callable[[bytes], tuple[float, float]]  # see `PairedEvaluator`


def nothing_lacks(_knowledge: bytes) -> tuple[float, float]:
    """A `Lacking` where a game that is stopped counts as it stands, and no more."""
    return 0.0, 0.0


@dataclass(frozen=True)
class PairedValues:
    """Actions tried in the same worlds; `utilities`: float64 (worlds, actions), the seat's in each.

    `spreads`: half the 95 % interval of what was added to each action's value for games that were stopped, if any.
    """

    actions: tuple[int, ...]
    utilities: np.ndarray
    spreads: tuple[float, ...] = ()

    def value(self, action: int) -> tuple[float, float | None]:
        """The mean utility after an action, and half its 95 % interval; None for one world.

        By Student's t, but never less than the rule of three allows.
        """
        at = self.actions.index(action)
        mean, margin = self._floored(*estimate(self.utilities[:, at]))
        spread = self.spreads[at] if self.spreads else 0.0
        return mean, None if margin is None else float(np.hypot(margin, spread))

    def difference(self, better: int, worse: int) -> tuple[float, float | None]:
        """The mean difference of two actions, world by world, and half its 95 % interval; None for one world."""
        columns = [self.utilities[:, self.actions.index(action)] for action in (better, worse)]
        return self._floored(*estimate(columns[0] - columns[1]))

    def _floored(self, mean: float, margin: float | None) -> tuple[float, float | None]:
        """An estimate whose margin is no less than the rule of three allows: what was never seen may come 3 in n."""
        worlds = len(self.utilities)
        return mean, None if margin is None else max(margin, 3 * float(np.ptp(self.utilities)) / worlds)


def estimate(samples: np.ndarray) -> tuple[float, float | None]:
    """The mean of samples and half its 95 % interval, None for one sample."""
    return float(samples.mean()), float(half_width(samples)) if len(samples) > 1 else None


class Playouts(KernelBot):
    """Plays actions of a seat out in re-dealt worlds, all seats by a policy of `POLICIES`.

    The actions meet the same cards and dice (see `bots.search.rollout`). Worlds are never used twice. `purposes`: what
    the generators of worlds, cards and dice are for. The rest is as for `policy_workspace`.
    """

    def __init__(
        self, game: GameSetup, policy: str, seed: int | bytes, backend: str | None, purposes: Sequence[str], **args: Any
    ) -> None:
        super().__init__(game, backend, seed, purposes[0])
        policy_and_workspace = policy_workspace(game, policy, self.driver, **args)
        generators = self.rng, *(self.driver.generator(seed, purpose) for purpose in purposes[1:])
        self._workspace = *policy_and_workspace, self._actions, self.driver.weights(), *generators
        self._utilities = self.driver.array(game.rules.PLAYERS[1], np.float64)
        self._horizon, self._decisions = game.horizon, 0

    def begin(self, number: int) -> None:
        """Play as in match `number` from now on: what was done in other matches changes nothing."""
        super().begin(number)
        self._decisions = number * rollout.DECISIONS_A_MATCH

    def _next_world(self) -> int:
        """The number of the first world of the next decision."""
        self._decisions += 1
        return int(rollout.first_world(self._decisions - 1))

    def _try(self, seat: int, actions: Any, totals: Any, first: int, worlds: int) -> None:
        """Add to the totals of actions what they bring in so many worlds from number `first` on."""
        trial = actions, totals, self._utilities, first, worlds, self._horizon
        self.driver.call(rollout.try_actions, self._rows, seat, *self._workspace, *trial)


class PairedEvaluator(Playouts):
    """Plays each action out in re-dealt worlds, all seats by a policy (`house` or another of `POLICIES`).

    An action that a bot chose because it was lucky has no luck here. `rechoose` and `belief` are as for
    `policy_workspace`. `lacking`: what a game lacks that is stopped at the horizon, from the bytes of
    `Match.concealed`, and half the 95 % interval of that; it is added to such games and to no others.
    """

    def __init__(
        self,
        game: GameSetup,
        seed: int | bytes = 0,
        backend: str | None = None,
        policy: str = "house",
        temperature: float = 1.0,
        net: Net | None = None,
        rechoose: bool | None = None,
        belief: Belief | None = None,
        lacking: Lacking = nothing_lacks,
    ) -> None:
        purposes = ("scales", "scales cards", "scales dice")  # they decide the worlds: they keep their names
        args: dict[str, Any] = {"temperature": temperature, "own": net, "rechoose": rechoose, "belief": belief}
        super().__init__(game, policy, seed, backend, purposes, **args)
        self._lacking = lacking

    def evaluate(self, knowledge: bytes, seat: int, actions: list[int], worlds: int) -> PairedValues:
        """Try these actions of the seat, from the bytes of `Match.concealed`, in so many worlds."""
        raw(self._rows)[rollout.ROOT] = np.frombuffer(knowledge, np.uint8)
        totals, moves = np.zeros((len(actions), COLUMNS)), self.driver.shared(np.array(actions, np.int64))
        shared, sums, first = self.driver.shared(totals), np.zeros((worlds + 1, len(actions))), self._next_world()
        points, spread = self._lacking(knowledge)
        for k in range(worlds):
            self._try(seat, moves, shared, first + k, 1)
            sums[k + 1] = totals[:, SUM] + points * totals[:, STOPPED]
        spreads = spread * totals[:, STOPPED] / worlds
        return PairedValues(tuple(actions), np.diff(sums, axis=0), tuple(map(float, spreads)))


WORLDS = {"fast": 200, "checked": 50, "interpreted": 0}  # default number of worlds: none where rollouts are slow


class RolloutValues:
    """Values of moves if all seats go on by one policy of `POLICIES`.

    `temperature` and `net` are those of a net as the policy.
    """

    def __init__(
        self, game: GameSetup, backend: str, policy: str, temperature: float = 1.0, net: Net | None = None
    ) -> None:
        self._backend, self._evaluator = backend, (game, 0, backend, policy, temperature, net)

    def filled(
        self, candidates: Iterable[Candidate], knowledge: bytes, seat: int, worlds: int | None
    ) -> list[Candidate]:
        """Candidates, the best first, with the values that they lacked: means over so many worlds (0: they stay None).

        The same knowledge always meets the same worlds, cards and dice.
        """
        filled, count = list(candidates), WORLDS[self._backend] if worlds is None else worlds
        unknown = [k for k, candidate in enumerate(filled) if candidate.value is None] if count else []
        if unknown:
            actions = [filled[k].action for k in unknown]
            evaluated = PairedEvaluator(*self._evaluator).evaluate(knowledge, seat, actions, count)
            for k in unknown:
                value, margin = evaluated.value(filled[k].action)
                filled[k] = replace(filled[k], value=value, margin=margin)
        return ranked(filled)


# --- bots -------------------------------------------------------------------------------------------------------------
DEPTH = 256  # of the path through the tree that is credited, in decisions
MOST_THREADS = 64
ACTIONS_A_SIMULATION = 12  # room in a tree: it grows by one information set a simulation, with about so many actions


class Tree:
    """A search tree of one thread, and the arrays and generator that growing it needs."""

    def __init__(self, game: GameSetup, backend: str | None, simulations: int, seed: int | bytes, stream: int) -> None:
        self.driver, self.simulations, self.stream = game.driver(backend), simulations, stream
        self.rows, self.rng = game.rows(self.driver), self.driver.generator(seed, "bot search", stream)
        actions = len(game.rules.ACTIONS)
        self.keys = np.zeros((2 * simulations + 64, 2), np.int64)
        self.visits = np.zeros(1 + actions + ACTIONS_A_SIMULATION * simulations, np.int64)
        self.sums = np.zeros((len(self.visits), 2))
        shared, array = self.driver.shared, self.driver.array
        self.scratch = [self.driver.actions(), self.driver.weights(), self.rng]
        self.arrays = [shared(self.keys), shared(self.visits), shared(self.sums), array((DEPTH, 2), np.int64)]
        self.utilities, self.bounds = array(game.rules.PLAYERS[1], np.float64), np.zeros(2)
        self.used = len(self.visits)

    def for_kernels(self, rollouts: int) -> tuple[Any, ...]:
        """The tree as `tree.search_action` takes it; `rollouts`: the policy that plays on where the tree ends."""
        shared = self.driver.shared
        settings = np.array([self.simulations, rollouts])
        return *self.arrays, self.utilities, shared(self.bounds), shared(settings)

    def grow(self, knowledge: bytes, seat: int, rollouts: int, count: int) -> np.ndarray:
        """Search from what a seat knows, with an empty tree.

        Of each of its `count` actions, float64 (count, 3): how often it was tried, the sum of its utilities and that of
        their squares.
        """
        raw(self.rows)[ROOT] = np.frombuffer(knowledge, np.uint8)
        self.keys[:], self.visits[: self.used], self.sums[: self.used] = 0, 0, 0
        self.visits[0], self.bounds[:] = 1, (1e300, -1e300)
        workspace = *self.scratch, *self.arrays, self.utilities, self.driver.shared(self.bounds)
        first = self.driver.call(search, self.rows, seat, rollouts, *workspace, self.simulations)
        self.used = int(self.visits[0])
        totals = np.zeros((count, 3))
        if first > 0:
            totals[:, 0] = self.visits[first : first + count]
            totals[:, 1:] = self.sums[first : first + count]
        return totals


class Searcher(KernelBot):
    """Multiple-observer information-set search as a bot; its threads share the budget of `simulations` a decision.

    `rollouts`: the policy of `engine.backends.kernels` that plays on where the tree ends.
    """

    name = "search"

    def __init__(
        self,
        game: GameSetup,
        simulations: int,
        seed: int | bytes = 0,
        backend: str | None = None,
        *,
        threads: int = 1,
        rollouts: int = RANDOM,
    ) -> None:
        super().__init__(game, backend)
        self.rollouts = rollouts
        shares = [simulations // threads + (k < simulations % threads) for k in range(threads)]
        self.trees = [Tree(game, backend, share, seed, k) for k, share in enumerate(shares)]
        policy = next(policy for policy, number in COMPILED.items() if number == rollouts)
        self._values = RolloutValues(game, self.driver.backend, policy)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        for tree in self.trees:
            rewind(tree.rng, number * MOST_THREADS + tree.stream)

    def grown(self, knowledge: bytes, seat: int, count: int) -> np.ndarray:
        """What `Tree.grow` gives, summed over all trees."""
        if len(self.trees) == 1:
            return self.trees[0].grow(knowledge, seat, self.rollouts, count)
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(self.trees)) as pool:
            totals = list(pool.map(lambda tree: tree.grow(knowledge, seat, self.rollouts, count), self.trees))
        return np.stack(totals).sum(axis=0)  # type: ignore[no-any-return]

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The action tried most often."""
        legal = self.legal(knowledge, seat)
        if len(legal) == 1:
            return legal[0]
        return legal[int(self.grown(knowledge, seat, len(legal))[:, 0].argmax())]

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of the games that it was tried in, the one tried most often first."""
        legal = self.legal(knowledge, seat)
        totals = self.grown(knowledge, seat, len(legal))
        favourite = int(totals[:, 0].argmax())
        candidates = [measured(action, *totals[k], chosen=k == favourite) for k, action in enumerate(legal)]
        return self._values.filled(candidates, knowledge, seat, worlds)


def measured(action: int, n: float, total: float, squares: float, *, chosen: bool) -> Candidate:
    """A candidate from n games: the mean of its utilities and half the 95 % interval."""
    if n == 0:
        return Candidate(action, float(chosen), None, None)
    mean = total / n
    variance = max(0.0, squares / n - mean * mean)
    return Candidate(action, float(chosen), mean, t_quantile(n - 1) * (variance / (n - 1)) ** 0.5 if n > 1 else None)


class Guesses(KernelBot):
    """A game's `guess`, interpreted: what a bot does where search finds nothing out, such as whether to bluff."""

    def __init__(self, game: GameSetup, seed: int | bytes) -> None:
        super().__init__(game, "interpreted", seed, "bot guess")

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The guess of a seat from its concealed struct, or -1 where search decides."""
        count, guess = len(self.legal(knowledge, seat)), self.game.hints.STUDY.guess
        return int(guess(self._rows.structs[0], seat, self._actions, count, self.rng))


class Rollouter(Playouts):
    """Tries each action in re-dealt worlds, where a policy plays on; `games` is its budget of games for a decision.

    Games end where the policy ends: with the deal for `house-deal` and its like, which ask a deal net. `own`, the
    policy's net, and `deals`, the deal net, are those that are shipped with the game unless given. `rechoose` and
    `belief` are as for `policy_workspace`.

    After each round the worse half of the actions drops out (sequential halving: Karnin, Koren, Somekh 2013). Every
    action that is left is tried in each round, also where the budget is less than that takes: about two games a move.
    """

    name = "rollout"

    def __init__(
        self,
        game: GameSetup,
        games: int,
        policy: str,
        seed: int | bytes = 0,
        backend: str | None = None,
        *,
        own: Net | None = None,
        deals: Net | None = None,
        rechoose: bool | None = None,
        belief: Belief | None = None,
    ) -> None:
        purposes = ("bot rollout", "bot rollout cards", "bot rollout dice")
        args: dict[str, Any] = {"own": own, "deals": deals, "rechoose": rechoose, "belief": belief}
        super().__init__(game, policy, seed, backend, purposes, **args)
        self.games = games
        self._guesses = Guesses(game, seed) if game.hints.STUDY.guess else None
        self._values = RolloutValues(game, self.driver.backend, whole_games(policy), net=own)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        super().begin(number)
        if self._guesses:
            self._guesses.begin(number)

    def choose(self, knowledge: bytes, seat: int) -> int:
        """The action of the highest mean utility, or the game's `guess` where worlds tell nothing."""
        guessed = self._guesses.choose(knowledge, seat) if self._guesses else -1
        return guessed if guessed >= 0 else self.candidates(knowledge, seat, 0)[0].action

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action with the mean of its games, the chosen one first."""
        legal = np.array(self.legal(knowledge, seat), np.int64)
        if len(legal) == 1:
            return self._values.filled([Candidate(int(legal[0]), 1.0, None, None)], knowledge, seat, worlds)
        totals, remaining, first = np.zeros((len(legal), COLUMNS)), np.arange(len(legal)), self._next_world()
        rounds, best = int(np.ceil(np.log2(len(legal)))), 0
        for _ in range(rounds):  # sequential halving
            trials, added = max(1, self.games // (rounds * len(remaining))), np.zeros((len(remaining), COLUMNS))
            self._try(seat, self.driver.shared(legal[remaining]), self.driver.shared(added), first, trials)
            totals[remaining] += added
            first += trials
            order = np.argsort(-totals[remaining, SUM] / totals[remaining, TRIES], kind="stable")
            best, remaining = int(remaining[order[0]]), remaining[np.sort(order[: (len(remaining) + 1) // 2])]
        sums = totals[:, [TRIES, SUM, SQUARES]]
        return ranked(measured(int(action), *sums[k], chosen=k == best) for k, action in enumerate(legal))
