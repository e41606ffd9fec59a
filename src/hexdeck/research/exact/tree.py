"""The whole tree of a small game, what a policy is worth in it, and how to find better ones."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from hexdeck.engine.errors import BadOption, seat_of
from hexdeck.engine.play.game import raw
from hexdeck.engine.text import say
from hexdeck.research.exact import kernels_grow, kernels_policy
from hexdeck.simulation.game import Game

Policy = np.ndarray  # float64: a probability for each choice of each information set, see `GameTree.slots`
Average = Callable[[], Policy]  # the average policy when it is called
BEGIN = 1024  # nodes, information sets and choices that there is room for at first
LEVELS = 64  # events of a match that there is room for at first
ENDLESS = 1 << 62  # steps
TOGETHER = 10  # steps of sampling for a seat before it is another's turn
MOST = 200_000_000  # nodes of the largest tree; one takes some 60 bytes while policies are compared


class GameTree:
    """All histories of a small game, as arrays in the order of a walk that goes deep first.

    `histories`: how many. `decisions`, `chances`, `terminals`: how many of each kind. Information sets are numbered as
    they are met: `seats` int8 and `keys` int64 (`match.key` of that seat) say which they are, `slots` int32 (sets + 1)
    where the choices of each begin in a policy, `names` int16 the action of each choice. `nodes`: the arrays that
    `kernels_grow` describes. All these arrays are read-only. `most`: refuse larger trees. `deals`: structs, uint8
    (deals, bytes), with their `shares`, one of which chance gives in place of all that it does before a player acts.
    """

    def __init__(
        self,
        game: Game,
        backend: str | None = None,
        most: int = MOST,
        deals: np.ndarray | None = None,
        shares: np.ndarray | None = None,
    ) -> None:
        self.game, self.driver, self._most, self.deals = game, game.driver(backend), most, deals
        self._shares = np.zeros(0) if shares is None else np.ascontiguousarray(shares, np.float64)
        self._grow(deals)
        self.histories = len(self._parents)
        counts = np.bincount(np.asarray(self._actors, np.int64) - kernels_grow.OVER, minlength=2)
        self.terminals, self.chances, self.decisions = int(counts[0]), int(counts[1]), int(counts[2:].sum())
        self.nodes = self._parents, self._actors, self._edges, self._parts, self._owners, self._ends
        for array in (*self.nodes, self.seats, self.keys, self.slots, self.names):
            array.flags.writeable = False  # all who learn on the tree, and what measures them, share it

    # --- growing ------------------------------------------------------------------------------------------------------
    def _grow(self, deals: np.ndarray | None) -> None:
        driver, game = self.driver, self.game
        actions, outcomes, seats = len(game.rules.ACTIONS), len(game.rules.OUTCOMES), game.rules.PLAYERS[1]
        wide, state = max(actions, outcomes), np.zeros(5, np.int64)
        self._rows = game.rows(driver, kernels_grow.FIRST + len(self._shares) + LEVELS)
        if deals is not None:
            raw(self._rows)[kernels_grow.FIRST : kernels_grow.FIRST + len(deals)] = deals
        self._level = np.zeros((LEVELS, wide), np.int16), np.zeros((LEVELS, wide)), np.zeros((LEVELS, 3), np.int32)
        self._parents, self._actors, self._edges = (np.zeros(BEGIN, kind) for kind in (np.int32, np.int8, np.int16))
        self._parts, self._owners, self._ends = np.zeros(BEGIN), np.zeros(BEGIN, np.int32), np.zeros((BEGIN, seats))
        self.seats, self.keys, self.slots = (
            np.zeros(BEGIN, np.int8),
            np.zeros(BEGIN, np.int64),
            np.zeros(BEGIN + 1, np.int32),
        )
        self.names, self._table = np.zeros(BEGIN + wide, np.int16), np.full(4 * BEGIN, kernels_grow.EMPTY, np.int32)
        working = driver.weights(), driver.array(seats, np.float64)
        call: Callable[..., Any] = driver.kernel(kernels_grow.plant)  # type: ignore[arg-type]
        while not call(
            driver.g,
            self._rows,
            *self._level,
            *working,
            self._parents,
            self._actors,
            self._edges,
            self._parts,
            self._owners,
            self._ends,
            self.seats,
            self.keys,
            self.slots,
            self.names,
            self._table,
            state,
            self._shares,
        ):
            call = driver.kernel(kernels_grow.grow)  # type: ignore[arg-type]
            self._make_room(state)
        self._cut(state)

    def _make_room(self, state: np.ndarray) -> None:
        """Double what is full."""
        nodes, sets, slots, ends = (
            int(state[k]) for k in (kernels_grow.NODES, kernels_grow.SETS, kernels_grow.SLOTS, kernels_grow.ENDS)
        )
        if nodes >= self._most:
            text = say("The tree of this game has more than {n} histories, which is too large.", n=self._most)
            raise BadOption(text)
        if nodes >= len(self._parents):
            for name in ("_parents", "_actors", "_edges", "_parts", "_owners"):
                setattr(self, name, doubled(getattr(self, name)))
        if ends >= len(self._ends):
            self._ends = doubled(self._ends)
        if sets >= len(self.keys):
            self.seats, self.keys, self.slots = doubled(self.seats), doubled(self.keys), doubled(self.slots)
        if slots + self._level[0].shape[1] > len(self.names):
            self.names = doubled(self.names)
        if 2 * sets >= len(self._table):
            self._table = np.full(2 * len(self._table), kernels_grow.EMPTY, np.int32)
            self.driver.kernel(kernels_grow.index_sets)(self.seats, self.keys, self._table, sets)  # type: ignore[arg-type]
        if state[kernels_grow.TOP] + 2 > len(self._level[0]):
            rows = self.game.rows(self.driver, len(raw(self._rows)) + len(self._level[0]))
            raw(rows)[: len(raw(self._rows))] = raw(self._rows)
            self._rows, self._level = rows, tuple(doubled(array) for array in self._level)  # type: ignore[assignment]

    def _cut(self, state: np.ndarray) -> None:
        """Leave no more room than is needed."""
        nodes, sets, slots, ends = (
            int(state[k]) for k in (kernels_grow.NODES, kernels_grow.SETS, kernels_grow.SLOTS, kernels_grow.ENDS)
        )
        for name in ("_parents", "_actors", "_edges", "_parts", "_owners"):
            setattr(self, name, getattr(self, name)[:nodes].copy())
        self._ends, self.names = self._ends[:ends].copy(), self.names[:slots].copy()
        self.seats, self.keys, self.slots = (
            self.seats[:sets].copy(),
            self.keys[:sets].copy(),
            self.slots[: sets + 1].copy(),
        )
        self.depth = len(self._level[0]) + 1
        del self._rows, self._level

    def deal_sizes(self) -> np.ndarray:
        """How many histories each deal has, its own beginning included."""
        begins = np.flatnonzero(self._parents == 0)
        return np.diff(np.append(begins, self.histories))

    # --- policies -----------------------------------------------------------------------------------------------------
    def uniform(self) -> Policy:
        """The policy that makes each legal choice equally often."""
        counts = np.diff(self.slots)
        return np.repeat(1.0 / counts, counts)

    def policy(self, choose: Callable[[int, int, Sequence[int]], Sequence[float]]) -> Policy:
        """A policy from a function: of a seat, its `match.key` and its legal actions, in order, their probabilities."""
        out = np.zeros(len(self.names))
        for seat, key, first, end in zip(self.seats, self.keys, self.slots, self.slots[1:], strict=False):
            out[first:end] = choose(int(seat), int(key), self.names[first:end].tolist())
        return out

    def _checked(self, policy: Policy) -> Policy:
        checked = np.ascontiguousarray(policy, np.float64)
        if checked.shape != self.names.shape:
            text = say("A policy for this tree has {n} probabilities, not {m}.", n=len(self.names), m=checked.size)
            raise BadOption(text)
        sums = np.add.reduceat(checked, self.slots[:-1])
        if not (np.all(checked >= 0) and np.allclose(sums, 1, atol=1e-6)):
            raise BadOption(say("A policy's probabilities are 0 or more, and those of each information set sum to 1."))
        return checked

    # --- values -------------------------------------------------------------------------------------------------------
    def values(self, policy: Policy) -> list[float]:
        """What each seat gets when all play by a policy."""
        checked, working = self._checked(policy), np.empty(self.histories)
        call: Any = self.driver.kernel(kernels_policy.weigh_policy)  # type: ignore[arg-type]
        return [call(*self.nodes, self.slots, checked, working, seat) for seat in range(self.game.players)]

    def best_response(self, policy: Policy, seat: int) -> tuple[float, Policy]:
        """What a seat gets by its best response to a policy of all others, and the policy with that response in it.

        Raises BadOption for a seat that there isn't.
        """
        seat = seat_of(seat, self.game.players, error=BadOption)
        checked, sets, n = self._checked(policy), len(self.seats), self.histories
        best, gains = np.zeros(sets, np.int32), np.empty(len(checked))
        working = np.empty(n), np.empty(n), np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n + 1, np.int32)
        call: Any = self.driver.kernel(kernels_policy.respond)  # type: ignore[arg-type]
        value = call(*self.nodes, self.slots, checked, gains, best, *working, seat)
        response, own = checked.copy(), self.seats == seat
        response[np.repeat(own, np.diff(self.slots))] = 0
        response[(self.slots[:-1] + best)[own]] = 1
        return value, response

    def gains(self, policy: Policy) -> list[float]:
        """What each seat gains by its best response, while all others keep to a policy; their sum is NashConv."""
        usual = self.values(policy)
        return [self.best_response(policy, seat)[0] - usual[seat] for seat in range(self.game.players)]

    def nash_conv(self, policy: Policy) -> float:
        """The sum of what all seats gain by their best responses: 0 at an equilibrium (Lanctot et al. 2017)."""
        return sum(self.gains(policy))

    # --- learning -----------------------------------------------------------------------------------------------------
    def cfr_plus(self, steps: int) -> Policy:
        """The average policy of so many steps of CFR+, seats in turn (Tammelin 2014).

        With two players whose gains are each other's losses it comes near to an equilibrium; with others it need not.
        """
        return last_of(self.cfr_plus_steps(steps), self.uniform)

    def cfr_plus_steps(self, steps: int = ENDLESS) -> Iterator[tuple[int, Average]]:
        """The steps of CFR+: after each how many were made, and what gives the average policy so far."""
        policy, n = self.uniform(), self.histories
        regrets, average, gains = (np.zeros(len(policy)) for _ in range(3))
        working = np.zeros(len(self.seats)), np.empty(n), np.empty(n)
        call: Any = self.driver.kernel(kernels_policy.improve)  # type: ignore[arg-type]
        for step in range(1, steps + 1):
            for seat in range(self.game.players):
                call(*self.nodes, self.seats, self.slots, policy, regrets, average, gains, *working, float(step), seat)
            yield step, lambda: self.normed(average)

    def external_sampling(self, steps: int, seed: int = 0) -> Policy:
        """The average policy of so many steps of external-sampling MCCFR for each seat (Lanctot et al. 2009)."""
        return last_of(self.external_sampling_steps(seed, steps), self.uniform)

    def external_sampling_steps(self, seed: int = 0, steps: int = ENDLESS) -> Iterator[tuple[int, Average]]:
        """The steps of external sampling: now and then how many were made, and what gives the average policy so far."""
        policy, n = self.uniform(), self.histories
        regrets, average, sizes = np.zeros(len(policy)), np.zeros(len(policy)), np.zeros(n, np.int32)
        self.driver.kernel(kernels_policy.measure_subtrees)(self.nodes[0], sizes)  # type: ignore[arg-type]
        wide = int(np.diff(self.slots).max(initial=1))
        working = (
            np.zeros((self.depth, 3), np.int32),
            np.zeros((self.depth, wide)),
            self.driver.generator(seed, "cfr"),
        )
        call: Any = self.driver.kernel(kernels_policy.sample)  # type: ignore[arg-type]
        for step in range(0, steps, TOGETHER):
            times = min(TOGETHER, steps - step)
            for seat in range(self.game.players):
                call(*self.nodes, self.slots, policy, regrets, average, sizes, *working, seat, times)
            yield step + times, lambda: self.normed(average)

    def normed(self, average: np.ndarray) -> Policy:
        """Sums as probabilities; each choice equally often where nothing was summed."""
        counts = np.diff(self.slots)
        sums = np.repeat(np.add.reduceat(average, self.slots[:-1]), counts)
        return np.where(sums > 0, average / np.where(sums > 0, sums, 1), self.uniform())


def last_of(steps: Iterator[tuple[int, Average]], before: Average) -> Policy:
    """The average policy after all steps; another where there are none."""
    last = deque(steps, maxlen=1)
    return last[0][1]() if last else before()


def doubled(array: np.ndarray) -> np.ndarray:
    """An array with room for twice as much."""
    out = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    out[: len(array)] = array
    return out
