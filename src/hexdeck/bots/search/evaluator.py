"""Values of moves by games that are played out from them.

All moves are tried in the same fresh worlds: a difference then has a smaller error than either value. Games are played
to their end, or to a horizon where the score so far says enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hexdeck.bots.bot import Candidate, ranked
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fitting, net_layers, shipped_net
from hexdeck.bots.search import rollout
from hexdeck.bots.search.rollout import (
    CANDIDATES,
    COLUMNS,
    DECISIONS_A_MATCH,
    FLOOR,
    HIGHEST,
    LOWEST,
    MEAN,
    RECHOOSE,
    ROOT,
    STD,
    STOPPED,
    SUM,
    TRUST,
    first_world,
    try_actions,
)
from hexdeck.engine.play.game import Driver, GameSetup, raw
from hexdeck.engine.play.playouts import POLICIES as COMPILED
from hexdeck.engine.random import rewind
from hexdeck.engine.study import Measure
from hexdeck.stats import half_width

# --- how far games are played out -------------------------------------------------------------------------------------
ENDLESS = 1 << 40  # decisions: games are played to their end


def horizon(game: GameSetup) -> int:
    """After how many decisions a game that is played out counts as it stands: the `horizon` of its measure, if any."""
    return measure_of(game).horizon or ENDLESS


def measure_of(game: GameSetup) -> Measure:
    """What the game's results are counted in, with its options."""
    struct = game.driver("interpreted").proxy(memoryview(bytearray(game.template.tobytes())))
    measure: Measure = game.hints.STUDY.measure_in(struct)
    return measure


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
    scaling[RECHOOSE] = kind == MIMIC if rechoose is None else rechoose
    if kind in BY_NET:
        used = own or shipped_net(game, BY_NET[kind])
        chooser = used.weights, used.sizes
    if belief is not None:
        scaling[CANDIDATES], scaling[TRUST], scaling[FLOOR] = belief.candidates, belief.trust, belief.floor
    if policy in TO_THE_DEAL:
        used = fitting(deals or shipped_net(game, DEALS), game, DEALS)
        deal_net, scaling[MEAN : STD + 1] = (used.weights, used.sizes), used.utility_scale[game.players]
        scaling[LOWEST : HIGHEST + 1] = game.bounds.bounds(game.players, game.options)[:2]
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


class PairedEvaluator:
    """Plays each action out in re-dealt worlds, all seats by a policy (`house` or another of `workspace.POLICIES`).

    The actions meet the same cards and dice (see `bots.search.rollout`). Worlds are never used twice: an action that a
    bot chose because it was lucky has no luck here. `rechoose` and `belief` are as for
    `workspace.policy_workspace`. `lacking`: what a game lacks that is stopped at the horizon, from the bytes of
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
        self.driver = game.driver(backend)
        self._policy, self._workspace = policy_workspace(
            game, policy, self.driver, temperature, net, rechoose=rechoose, belief=belief
        )
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        purposes = ("scales", "scales cards", "scales dice")  # they decide the worlds: they keep their names
        self._rngs = [self.driver.generator(seed, purpose) for purpose in purposes]
        self._utilities, self._weights = self.driver.array(game.rules.PLAYERS[1], np.float64), self.driver.weights()
        self._horizon = horizon(game)
        self._decisions, self._lacking = 0, lacking

    def begin(self, number: int) -> None:
        """Evaluate as in match `number` from now on: what was evaluated in other matches changes nothing."""
        self._decisions = number * DECISIONS_A_MATCH
        rewind(self._rngs[0], number)

    def evaluate(self, knowledge: bytes, seat: int, actions: list[int], worlds: int) -> PairedValues:
        """Try these actions of the seat, from the bytes of `Match.concealed`, in so many worlds."""
        raw(self._rows)[ROOT] = np.frombuffer(knowledge, np.uint8)
        kernel: Any = self.driver.kernel(try_actions)  # type: ignore[arg-type]
        totals, moves = np.zeros((len(actions), COLUMNS)), self.driver.shared(np.array(actions, np.int64))
        shared, sums = self.driver.shared(totals), np.zeros((worlds + 1, len(actions)))
        first = first_world(self._decisions)
        self._decisions += 1
        points, spread = self._lacking(knowledge)
        for k in range(worlds):
            kernel(
                self.driver.g,
                self._rows,
                seat,
                self._policy,
                self._workspace,
                self._actions,
                self._weights,
                *self._rngs,
                moves,
                shared,
                self._utilities,
                first + k,
                1,
                self._horizon,
            )
            sums[k + 1] = totals[:, SUM] + points * totals[:, STOPPED]
        spreads = spread * totals[:, STOPPED] / worlds
        return PairedValues(tuple(actions), np.diff(sums, axis=0), tuple(map(float, spreads)))


WORLDS = {"fast": 200, "checked": 50, "interpreted": 0}  # default number of worlds: none where rollouts are slow


class RolloutValues:
    """Values of moves if all seats go on by one policy of `workspace.POLICIES`.

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
        unknown = [candidate.action for candidate in filled if candidate.value is None] if count else []
        if unknown:
            evaluated = PairedEvaluator(*self._evaluator).evaluate(knowledge, seat, unknown, count)
            filled = [
                with_value(candidate, *evaluated.value(candidate.action)) if candidate.value is None else candidate
                for candidate in filled
            ]
        return ranked(filled)


def with_value(candidate: Candidate, value: float, margin: float | None) -> Candidate:
    """A candidate with its value and margin."""
    return replace(candidate, value=value, margin=margin)
