"""The whole tree of a small game, what a policy is worth in it, how to find better ones, and frozen sizes of games.

In a larger game, deal by deal: what a seat is dealt parts its information sets, so each part is a tree of its own.
"""

import functools
import itertools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.nets.inference import INPUTS
from hexdeck.bots.nets.netfile import net_sizes
from hexdeck.bots.players.kinds import DrawnBot, says_probabilities
from hexdeck.bots.players.policies import PolicyBot, answers, as_numbers, checked_probabilities, title_of
from hexdeck.engine.discovery.finding import find_game, frozen, read_name, size_names
from hexdeck.engine.errors import BadOption, between, seat_of, shown
from hexdeck.engine.play.game import raw
from hexdeck.engine.text import _, count, say
from hexdeck.research.exact import kernels
from hexdeck.research.training.learn import outputs_of
from hexdeck.simulation.game import Game, game

Policy = np.ndarray  # float64: a probability for each choice of each information set, see `GameTree.slots`; or a table
Function = Callable[[np.ndarray, np.ndarray], Any]  # of observations and masks, such a table
Average = Callable[[], Policy]  # the average policy when it is called
NODES = {"parents": np.int32, "actors": np.int8, "edges": np.int16, "parts": np.float64, "owners": np.int32}
SETS = {"seats": np.int8, "keys": np.int64}
BEGIN = 1024  # nodes, information sets and choices that there is room for at first
LEVELS = 64  # events of a match that there is room for at first
ENDLESS = 1 << 62  # steps
TOGETHER = 10  # steps of sampling for a seat before it is another's turn
MOST = 200_000_000  # nodes of the largest tree; one takes some 60 bytes while policies are compared
LOOK, WALKS, BEYOND = 1 << 20, 16, 100  # after so many nodes so many walks tell whether it is so many times too large


class GameTree:
    """All histories of a small game, as arrays in the order of a walk that goes deep first.

    `histories` is their number; `decisions`, `chances` and `terminals` are the numbers of each kind. Information sets
    are numbered in the order of the walk: `seats` (int8) and `keys` (int64, `match.key` of that seat) identify them,
    `slots` (int32, sets + 1) says where the choices of each begin in a policy, and `names` (int16) has the action of
    each choice. Trees of more than `most` histories are refused.

    `nodes` has, for each history, its parent (int32), who acts (int8; -1: chance, -2: nobody), the choice of its parent
    that leads to it (int16), the probability of that by chance (float64), and its information set or its row of results
    (int32); then the results, float64 (terminals, seats). All arrays are read-only. With `deals`, structs (uint8, one a
    row), and their probabilities `shares`, chance draws one of these in place of all it does before a player acts.

    A policy is one array with the probabilities of all choices, or a table, float (sets, actions), of which illegal
    actions have 0, or a function that gives such a table of `observations` and `masks`.
    """

    def __init__(
        self,
        game: Game,
        backend: str | None = None,
        most: int = MOST,
        deals: np.ndarray | None = None,
        shares: np.ndarray | None = None,
    ) -> None:
        if not isinstance(game, Game):
            text = _("A GameTree takes a game, such as hexdeck.game('cursed-hand/tiny', 2), not {given}.")
            raise BadOption(say(text, given=shown(game)))
        self.game, self.driver, self._most, self.deals = game, game.driver(backend), most, deals
        arrays = self._grow(deals, np.zeros(0) if shares is None else np.ascontiguousarray(shares, np.float64))
        for array in arrays.values():
            array.flags.writeable = False  # all who learn on the tree, and what measures them, share it
        self.nodes = tuple(arrays[name] for name in (*NODES, "ends"))
        self.seats, self.keys, self.slots, self.names = (arrays[name] for name in ("seats", "keys", "slots", "names"))
        self.histories = len(arrays["parents"])
        counts = np.bincount(np.asarray(arrays["actors"], np.int64) - kernels.OVER, minlength=2)
        self.terminals, self.chances, self.decisions = int(counts[0]), int(counts[1]), int(counts[2:].sum())

    # --- growing ------------------------------------------------------------------------------------------------------
    def _grow(self, deals: np.ndarray | None, shares: np.ndarray) -> dict[str, np.ndarray]:
        """The arrays of the tree: those of its nodes, of its information sets, and the names of choices."""
        driver, game = self.driver, self.game
        wide, seats = max(len(game.rules.ACTIONS), len(game.rules.OUTCOMES)), game.rules.PLAYERS[1]
        rows = game.rows(driver, kernels.FIRST + len(shares) + LEVELS)
        if deals is not None:
            raw(rows)[kernels.FIRST : kernels.FIRST + len(deals)] = deals
        sizes: Any = (wide, np.int16), (wide, np.float64), (3, np.int32)
        level: list[np.ndarray] = [np.zeros((LEVELS, size), kind) for size, kind in sizes]
        tree = {name: np.zeros(BEGIN, kind) for name, kind in NODES.items()} | {"ends": np.zeros((BEGIN, seats))}
        tree |= {name: np.zeros(BEGIN, kind) for name, kind in SETS.items()} | {"slots": np.zeros(BEGIN + 1, np.int32)}
        tree |= {"names": np.zeros(BEGIN + wide, np.int16), "table": np.full(4 * BEGIN, kernels.EMPTY, np.int32)}
        working, state = (driver.weights(), driver.array(seats, np.float64)), np.zeros(5, np.int64)
        call: Callable[..., Any] = driver.kernel(kernels.plant)
        while not call(driver.g, rows, tuple(level), *working, tuple(tree.values()), state, shares):
            call = driver.kernel(kernels.grow)
            self._make_room(tree, wide, state)
            if state[kernels.TOP] + 2 > len(level[0]):
                larger = game.rows(driver, len(raw(rows)) + len(level[0]))
                raw(larger)[: len(raw(rows))] = raw(rows)
                rows, level = larger, [doubled(array) for array in level]
        del tree["table"]
        self.depth = len(level[0]) + 1
        filled = dict.fromkeys(NODES, state[kernels.NODES]) | dict.fromkeys(SETS, state[kernels.SETS])
        filled |= {"ends": state[kernels.ENDS], "slots": state[kernels.SETS] + 1, "names": state[kernels.SLOTS]}
        return {name: array[: filled[name]].copy() for name, array in tree.items()}

    def _make_room(self, tree: dict[str, np.ndarray], wide: int, state: np.ndarray) -> None:
        nodes, sets = int(state[kernels.NODES]), int(state[kernels.SETS])
        large = nodes == LOOK and self.deals is None and estimated_histories(self.game) > BEYOND * self._most
        if large or nodes >= self._most:
            text = _(
                "{game} for {players} players has more than {n} histories, which is too large for a tree. Take one of "
                "its sizes, gains_by_deals or hexdeck exploit."
            )
            raise BadOption(say(text, game=self.game.name, players=self.game.players, n=count(self._most)))
        full = [*NODES] if nodes >= len(tree["parents"]) else []
        full += ["ends"] if state[kernels.ENDS] >= len(tree["ends"]) else []
        full += [*SETS, "slots"] if sets >= len(tree["keys"]) else []
        full += ["names"] if state[kernels.SLOTS] + wide > len(tree["names"]) else []
        tree |= {name: doubled(tree[name]) for name in full}
        if 2 * sets >= len(tree["table"]):
            tree["table"] = np.full(2 * len(tree["table"]), kernels.EMPTY, np.int32)
            index: Any = self.driver.kernel(kernels.index_sets)
            index(tree["seats"], tree["keys"], tree["table"], sets)

    def deal_sizes(self) -> np.ndarray:
        """How many histories each deal has, its own beginning included."""
        begins = np.flatnonzero(self.nodes[0] == 0)
        return np.diff(np.append(begins, self.histories))

    # --- what seats know ----------------------------------------------------------------------------------------------
    @functools.cached_property
    def known(self) -> np.ndarray:
        """What the seat to act knows in each information set: its concealed struct, uint8 (sets, bytes), read-only."""
        driver = self.driver
        parents, actors, edges, _parts, owners, _ends = self.nodes
        deals, levels, sets = 0 if self.deals is None else len(self.deals), self.depth + 1, len(self.keys)
        base = kernels.FIRST + deals + levels
        rows = self.game.rows(driver, base + sets)
        if self.deals is not None:
            raw(rows)[kernels.FIRST : kernels.FIRST + deals] = self.deals
        deep, visited = np.zeros(self.histories, np.int32), np.zeros(sets, np.int8)
        call: Any = driver.kernel(kernels.show_sets)
        scratch = deep, visited, driver.actions(), driver.weights()
        call(driver.g, rows, parents, actors, edges, owners, *scratch, deals, levels)
        structs = raw(rows)[base:]
        structs.flags.writeable = False
        return structs

    def inputs(self, sizes: np.ndarray) -> np.ndarray:
        """The input of a net of these sizes in each information set, from what is known there: int8 (sets, inputs)."""
        rows, cells = self.driver.rows(len(self.keys)), np.zeros((len(self.keys), int(sizes[INPUTS])), np.int8)
        raw(rows)[:] = self.known
        call: Any = self.driver.kernel(kernels.encode_sets)
        call(self.driver.g, rows, self.seats, sizes, np.zeros(int(sizes[INPUTS]), np.int8), cells)
        return cells

    @functools.cached_property
    def observations(self) -> np.ndarray:
        """The observation of the seat to act in each information set: int8 (sets, numbers), read-only.

        It has neither the seat nor what was public before, so that several information sets can share one.
        """
        array = np.ascontiguousarray(self.inputs(net_sizes(self.game.rules, 4, 4))[:, : self.game.observation_size])
        array.flags.writeable = False
        return array

    @functools.cached_property
    def masks(self) -> np.ndarray:
        """Which actions are legal in each information set: bool (sets, actions), read-only."""
        masks = np.zeros((len(self.keys), len(self.game.rules.ACTIONS)), np.bool_)
        masks[np.repeat(np.arange(len(self.keys)), np.diff(self.slots)), self.names] = True
        masks.flags.writeable = False
        return masks

    # --- policies -----------------------------------------------------------------------------------------------------
    def uniform(self) -> Policy:
        """The policy that makes each legal choice equally often."""
        counts = np.diff(self.slots)
        return np.repeat(1.0 / counts, counts)

    def policy(self, choose: Callable[[int, int, Sequence[int]], Sequence[float]]) -> Policy:
        """A policy from a function: of a seat, its `match.key` and its legal actions, in order, their probabilities."""
        out = np.zeros(len(self.names))
        for seat, key, first, end in zip(self.seats, self.keys, self.slots, self.slots[1:], strict=False):
            chosen = choose(int(seat), int(key), self.names[first:end].tolist())
            if np.shape(chosen) != (end - first,):
                text = _("The function gives a probability for each of {n} actions of seat {seat}, not {given}.")
                raise BadOption(say(text, n=int(end - first), seat=int(seat), given=shown(chosen)))
            out[first:end] = chosen
        return self._checked(out)

    def answered(self, function: Function, name: str) -> Policy:
        """The policy that a function of observations and masks gives, named in errors; raises HexdeckError."""
        rows = self.observations, self.masks
        return np.ascontiguousarray(answers(function, name, *rows, self.game.rules.ACTIONS, self.seats)[self.masks])

    def _checked(self, policy: Policy | Function) -> Policy:
        if callable(policy):
            return self.answered(policy, title_of(policy))
        if np.ndim(policy) == 2:
            table = checked_probabilities(policy, self.masks, self.game.rules.ACTIONS, self.seats)
            return np.ascontiguousarray(table[self.masks])
        checked = np.ascontiguousarray(as_numbers(policy))
        if checked.shape != self.names.shape:
            text = _("A policy for this tree has {n} probabilities or a table of {sets} × {actions}, not {given}.")
            sizes = dict(zip(("sets", "actions"), self.masks.shape, strict=True))
            raise BadOption(say(text, n=len(self.names), **sizes, given=" × ".join(map(str, checked.shape))))
        sums = np.add.reduceat(checked, self.slots[:-1])
        wrong = np.minimum.reduceat(checked, self.slots[:-1]) < 0
        wrong |= ~(abs(sums - 1) <= 1e-5)
        if wrong.any():
            at = int(wrong.argmax())
            given = ", ".join(f"{x:.4g}" for x in checked[self.slots[at] : self.slots[at + 1]])
            text = _(
                "Probabilities are 0 or more and sum to 1; those of information set {at} (seat {seat}) are {given}."
            )
            raise BadOption(say(text, at=at, seat=int(self.seats[at]), given=given))
        return checked

    # --- values -------------------------------------------------------------------------------------------------------
    def values(self, policy: Policy | Function) -> list[float]:
        """What each seat gets when all play by a policy."""
        checked, working = self._checked(policy), np.empty(self.histories)
        call: Any = self.driver.kernel(kernels.weigh_policy)
        return [call(self.nodes, self.slots, checked, working, seat) for seat in range(self.game.players)]

    def best_response(self, policy: Policy | Function, seat: int) -> tuple[float, Policy]:
        """What a seat gets by its best response to a policy of all others, and the policy with that response in it.

        Raises BadOption for a seat that there isn't.
        """
        seat = seat_of(seat, self.game.players, error=BadOption)
        checked, sets, n = self._checked(policy), len(self.seats), self.histories
        best, gains = np.zeros(sets, np.int32), np.empty(len(checked))
        working = np.empty(n), np.empty(n), np.empty(n, np.int32), np.empty(n, np.int32), np.zeros(n + 1, np.int32)
        call: Any = self.driver.kernel(kernels.respond)
        value = call(self.nodes, self.slots, checked, gains, best, *working, seat)
        response, own = checked.copy(), self.seats == seat
        response[np.repeat(own, np.diff(self.slots))] = 0
        response[(self.slots[:-1] + best)[own]] = 1
        return value, response

    def gains(self, policy: Policy | Function) -> list[float]:
        """What each seat gains by its best response, while all others keep to a policy; their sum is NashConv."""
        checked = self._checked(policy)
        usual = self.values(checked)
        return [self.best_response(checked, seat)[0] - usual[seat] for seat in range(self.game.players)]

    def nash_conv(self, policy: Policy | Function) -> float:
        """The sum of what all seats gain by their best responses: 0 at an equilibrium (Lanctot et al. 2017)."""
        return sum(self.gains(policy))

    def action_values(self, policy: Policy | Function, seat: int) -> "ChoiceValues":
        """What each choice of a seat is worth while all play by a policy, and how likely it comes to it: for CFR.

        See `ChoiceValues`; it is 0 where others choose.
        """
        values = ChoiceValues(self)
        values.ask(self._checked(policy), seat_of(seat, self.game.players, error=BadOption))
        return values

    # --- learning -----------------------------------------------------------------------------------------------------
    def cfr_plus(self, steps: int) -> Policy:
        """The average policy of so many steps of CFR+, seats in turn (Tammelin 2014).

        With two players whose gains are each other's losses it comes near to an equilibrium; with others it need not.
        """
        return last_of(self.cfr_plus_steps(checked_steps(steps)))

    def cfr_plus_steps(self, steps: int = ENDLESS) -> Iterator[tuple[int, Average]]:
        """The steps of CFR+: after each how many were made, and what gives the average policy so far."""
        policy, n = self.uniform(), self.histories
        regrets, average, gains = (np.zeros(len(policy)) for _ in range(3))
        working = np.zeros(len(self.seats)), np.empty(n), np.empty(n)
        call: Any = self.driver.kernel(kernels.improve)
        for step in range(1, steps + 1):
            for seat in range(self.game.players):
                call(self.nodes, self.seats, self.slots, policy, regrets, average, gains, *working, float(step), seat)
            yield step, lambda: self.normed(average)

    def external_sampling(self, steps: int, seed: int = 0) -> Policy:
        """The average policy of so many steps of external-sampling MCCFR for each seat (Lanctot et al. 2009)."""
        return last_of(self.external_sampling_steps(seed, checked_steps(steps)))

    def external_sampling_steps(self, seed: int = 0, steps: int = ENDLESS) -> Iterator[tuple[int, Average]]:
        """The steps of external sampling: now and then how many decisions were met, and what gives the average."""
        policy, n, visits = self.uniform(), self.histories, np.zeros(1, np.int64)
        regrets, average, sizes = np.zeros(len(policy)), np.zeros(len(policy)), np.zeros(n, np.int32)
        self.driver.kernel(kernels.measure_subtrees)(self.nodes[0], sizes)
        wide = int(np.diff(self.slots).max(initial=1))
        rng = self.driver.generator(seed, "cfr")
        working = np.zeros((self.depth, 3), np.int32), np.zeros((self.depth, wide)), rng
        call: Any = self.driver.kernel(kernels.sample)
        for step in range(0, steps, TOGETHER):
            times = min(TOGETHER, steps - step)
            for seat in range(self.game.players):
                call(self.nodes, self.slots, policy, regrets, average, sizes, *working, seat, times, visits)
            yield int(visits[0]), lambda: self.normed(average)

    def normed(self, average: np.ndarray) -> Policy:
        """Sums as probabilities; each choice equally often where nothing was summed."""
        counts = np.diff(self.slots)
        sums = np.repeat(np.add.reduceat(average, self.slots[:-1]), counts)
        return np.where(sums > 0, average / np.where(sums > 0, sums, 1), self.uniform())


def checked_steps(steps: int) -> int:
    """A number of steps; raises BadOption unless there is one."""
    if (checked := between(steps, 1, ENDLESS)) is None:
        raise BadOption(say("The number of steps is 1 or more, not {given}.", given=shown(steps)))
    return checked


def last_of(steps: Iterator[tuple[int, Average]]) -> Policy:
    """The average policy after all steps."""
    return deque(steps, maxlen=1)[0][1]()


def estimated_histories(game: Game) -> float:
    """About how many histories a game has, by random walks (Knuth 1975): right on average, mostly too few."""
    total, rng = 0.0, np.random.default_rng(0)
    for _walk in range(WALKS):
        match, paths = game.match(by_hand=True), 1.0
        while not match.over:
            choices = match.legal_ids(match.actor) if match.acting else [*match.chances()]
            paths *= len(choices)
            total += paths
            choice: Any = choices[rng.integers(len(choices))]
            match.play(match.actor, choice) if match.acting else match.deal(choice)
    return total / WALKS


def doubled(array: np.ndarray) -> np.ndarray:
    """An array with room for twice as much."""
    out = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    out[: len(array)] = array
    return out


# --- deal by deal -----------------------------------------------------------------------------------------------------
MOST_BYTES = 8 << 30  # bytes that deals may take while they are listed
PolicyOf = Callable[[GameTree], Policy]  # the policy that all play, in a tree of some of the deals


class Deals:
    """All that chance can do before a player acts: structs that differ, with their probabilities; raises BadOption.

    `structs` uint8 (deals, bytes); `shares` float64; `orders` float64: in how many orders of events each comes about;
    `before`: how many histories come before.
    """

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.game, self._driver = game, game.driver(backend)
        rows = game.rows(self._driver)
        self._driver.kernel("begin_row")(self._driver.g, rows)
        self.structs, self.before = raw(rows)[:1].copy(), 0.0
        self.shares: np.ndarray = np.ones(1)
        self.orders: np.ndarray = np.ones(1)
        while self._waiting().any():
            self._deal_on()

    def _waiting(self) -> np.ndarray:
        fields = self.structs.view(self.game.rules.STRUCT)[:, 0]
        waiting: np.ndarray = (fields["acting"] == 0) & (fields["over"] == 0)
        return waiting

    def _deal_on(self) -> None:
        count, waiting = len(self.structs), int(self._waiting().sum())
        self.before += float(self.orders[self._waiting()].sum())
        room = 2 * count + waiting * len(self.game.rules.OUTCOMES)
        if room * self.structs.shape[1] > MOST_BYTES:
            text = say("The deals of this game take more than {n} GB to list, which is too large.", n=MOST_BYTES >> 30)
            raise BadOption(text)
        rows, state = self._driver.rows(room), np.array([0, count], np.int64)
        raw(rows)[:count] = self.structs
        shares, froms = np.zeros(room), np.zeros(room, np.int64)
        shares[:count] = self.shares
        self._driver.kernel(kernels.deal_on)(self._driver.g, rows, self._driver.weights(), shares, froms, state)
        dealt = raw(rows)[count : state[1]]
        alike = dealt.view(np.dtype((np.void, dealt.shape[1])))[:, 0]
        _, first, inverse = np.unique(alike, return_index=True, return_inverse=True)
        orders = self.orders[froms[count : state[1]]]
        self.structs = dealt[first].copy()
        self.shares = np.bincount(inverse, shares[count : state[1]])
        self.orders = np.bincount(inverse, orders)

    def by_seat(self, seat: int) -> list[np.ndarray]:
        """The deals that a seat can't tell apart: their numbers, for each thing that it can be dealt."""
        rows = self.game.rows(self._driver, kernels.FIRST + len(self.structs))
        raw(rows)[kernels.FIRST :] = self.structs
        keys = np.zeros(len(self.structs), np.int64)
        self._driver.kernel(kernels.tell_deals_apart)(self._driver.g, rows, keys, seat)
        order = np.argsort(keys, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(keys[order])) + 1)

    def tree(self, numbers: np.ndarray) -> GameTree:
        """The tree of some of the deals; its values are to be weighed by the sum of their shares."""
        shares = self.shares[numbers]
        return GameTree(self.game, self._driver.backend, deals=self.structs[numbers], shares=shares / shares.sum())


def gains_by_deals(game: Game, policy: PolicyOf = GameTree.uniform, threads: int = 1) -> list[float]:
    """What each seat gains by its best response, while all others keep to a policy; exact, as `GameTree.gains` is.

    One tree for each thing that a seat can be dealt, on so many threads; no more of them at a time is in memory. Deals
    that only differ in the order of events count once. This helps where seats are dealt something in private.
    """
    if not callable(policy):
        text = _("gains_by_deals takes a function that gives the policy in a tree, not {given}.")
        raise BadOption(say(text, given=shown(policy)))
    deals = Deals(game)

    def gain(seat: int, numbers: np.ndarray) -> float:
        tree = deals.tree(numbers)
        chosen = policy(tree)
        share = float(deals.shares[numbers].sum())
        return share * (tree.best_response(chosen, seat)[0] - tree.values(chosen)[seat])

    with ThreadPoolExecutor(threads) as pool:
        return [
            sum(pool.map(lambda numbers, seat=seat: gain(seat, numbers), deals.by_seat(seat)))
            for seat in range(game.players)
        ]


def histories(game: Game) -> float:
    """How many histories a game has, as a whole tree would: each order of events counts."""
    deals = Deals(game)
    return deals.before + sum(
        float(deals.orders[numbers] @ deals.tree(numbers).deal_sizes()) for numbers in deals.by_seat(0)
    )


# --- frozen sizes -----------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Size:
    """A configuration: its `name`, as in `cursed-hand/tiny`, the game, how many histories it has.

    `uniform`: NashConv of the policy that makes each legal choice equally often, in the unit of rewards.
    """

    name: str
    game: Game
    histories: int
    uniform: float


def sizes(name: str) -> list[Size]:
    """The configurations of a game, from small to large, without the full game; those for fewer players first."""
    canonical, listed = find_game(name), list[Size]()
    for size in frozen(canonical):
        chosen = game(canonical, size["players"], **size["options"])
        listed.append(Size(f"{canonical}/{size['name']}", chosen, size["histories"], size["uniform"]))
    return listed


def sized(name: str, players: int | None = None) -> Game:
    """The game of a size, such as `cursed-hand/tiny`; without `players` for as few as it has. Raises BadOption.

    `hexdeck.game` does the same, and takes a game without a size, too.
    """
    chosen = read_name(name, players)
    if not chosen.size:
        names = ", ".join(size_names(chosen.game))
        raise BadOption(say("There is no size {name}; there are {there}.", name=shown(name), there=names))
    return game(name, players)


# --- policies: of nets and strategies, what choices are worth, how all fare -------------------------------------------
NET_SETS = 4096  # information sets that a net evaluates at once


def net_policy(tree: GameTree, inputs: np.ndarray, weights: np.ndarray, sizes: np.ndarray) -> Policy:
    """The policy of a net in a tree, from its inputs there."""
    logits = np.empty(len(tree.names))
    for first in range(0, len(inputs), NET_SETS):
        end = min(first + NET_SETS, len(inputs))
        out, begin, stop = outputs_of(weights, sizes, inputs[first:end]), tree.slots[first], tree.slots[end]
        rows = np.repeat(np.arange(end - first), np.diff(tree.slots[first : end + 1]))
        logits[begin:stop] = out[rows, tree.names[begin:stop]]
    return softmax(tree, logits)


@dataclass
class ChoiceValues:
    """What choices are worth while all play by a policy, as a learner is told it.

    `values`: what each choice brings its seat on average, float64 like a policy; `far`: how likely chance and all
    others let it come to each information set; `own`: how likely the seat itself does. `ask` writes over all three.
    """

    tree: GameTree

    def __post_init__(self) -> None:
        tree = self.tree
        self.values, self.far, self.own = np.zeros(len(tree.names)), np.zeros(len(tree.keys)), np.zeros(len(tree.keys))
        self._none, self._counts = np.zeros(len(tree.names)), np.diff(tree.slots)
        self._gains = np.zeros(len(tree.names))
        self._working = np.empty(tree.histories), np.empty(tree.histories)
        self._call: Any = tree.driver.kernel(kernels.weigh_choices)

    def ask(self, policy: Policy, seat: int, bonus: np.ndarray | None = None) -> None:
        """Write all three for the information sets of a seat; `bonus`: added to its utility at each choice made."""
        tree = self.tree
        extra, out = self._none if bonus is None else bonus, (self._gains, self.far, self.own)
        self._call(tree.nodes, tree.seats, tree.slots, policy, extra, *out, *self._working, seat)
        self.values[:] = self._gains / np.repeat(np.where(self.far > 0, self.far, 1), self._counts)

    def weighed(self) -> np.ndarray:
        """What each choice brings, weighed by how likely others let it come there: counterfactual values; a copy."""
        return self._gains.copy()


def of_sets(tree: GameTree, values: np.ndarray) -> np.ndarray:
    """A number for each information set as one for each of its choices."""
    return np.repeat(values, np.diff(tree.slots))


def softmax(tree: GameTree, logits: np.ndarray) -> Policy:
    """The policy in proportion to the exponentials of logits, within each information set."""
    highest = np.maximum.reduceat(logits, tree.slots[:-1])
    powers: np.ndarray = np.exp(logits - of_sets(tree, highest))
    policy: Policy = powers / of_sets(tree, np.add.reduceat(powers, tree.slots[:-1]))
    return policy


ASKED = 32  # times in each information set, of a bot that draws lots and doesn't say its probabilities
STEPS, SAMPLES = 200, 20  # of CFR+, for a policy near an equilibrium; of what it chooses


def asked_policy(tree: GameTree, times: int, choose: Callable[[bytes, int, list[int]], int]) -> Policy:
    """How often each choice is made in the information sets of a tree, of so many times in each.

    `choose`: of what is known there (see `GameTree.known`), the seat and its legal actions, the index of one of these.
    """
    policy = np.zeros(len(tree.names))
    for struct, seat, first, end in zip(tree.known, tree.seats.tolist(), tree.slots, tree.slots[1:], strict=False):
        names, knowledge = tree.names[first:end].tolist(), struct.tobytes()
        if len(names) == 1:
            policy[first] = 1
            continue
        for _time in range(times):
            policy[first + choose(knowledge, seat, names)] += 1 / times
    return policy


def bot_policy(tree: GameTree, bot: Bot, times: int = ASKED) -> Policy:
    """The policy of a bot in a tree: exact of one that says its probabilities, such as a net; else of so many times.

    Raises BadOption for one that draws a net before each match: information sets needn't tell all earlier choices.
    """
    if isinstance(bot, PolicyBot):
        return tree.answered(bot.policy, bot.name)
    if isinstance(bot, DrawnBot):
        text = _("This bot draws a net before each match, so it is no policy in a tree: measure it by hexdeck exploit.")
        raise BadOption(say(text))
    if not says_probabilities(bot):
        return asked_policy(tree, times, lambda knowledge, seat, names: names.index(bot.choose(knowledge, seat)))
    policy, firsts = np.zeros(len(tree.names)), zip(tree.known, tree.seats.tolist(), tree.slots, strict=False)
    for struct, seat, first in firsts:
        ordered = sorted(bot.candidates(struct.tobytes(), seat, 0), key=lambda candidate: candidate.action)
        policy[first : first + len(ordered)] = [candidate.probability for candidate in ordered]
    return policy


def reading(tree: GameTree, times: int) -> float:
    """What NashConv reads, on average, of a policy near an equilibrium that is asked so often in each information set.

    The policy is that of CFR+.
    """
    policy, dice, total = tree.cfr_plus(STEPS), np.random.default_rng(1), 0.0
    for _sample in range(SAMPLES):
        counts = [dice.multinomial(times, policy[first:end]) for first, end in itertools.pairwise(tree.slots)]
        total += tree.nash_conv(np.concatenate(counts) / times)
    return total / SAMPLES
