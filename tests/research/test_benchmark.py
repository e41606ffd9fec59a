"""The learners of the benchmark, and what they are given, against figures that are known or reckoned otherwise."""

from itertools import islice

import numpy as np
import pytest

from hexdeck.bots.nets.netfile import Net, net_sizes
from hexdeck.bots.players.kinds import NetBot
from hexdeck.research.benchmark.algorithms import OURS, Ground, HistoryWorlds, Learner, Task, ours, policy_of
from hexdeck.research.benchmark.results_page import interval, ranks
from hexdeck.research.benchmark.running import BenchmarkResult
from hexdeck.research.exact import GameTree, sized, sizes
from hexdeck.research.exact.tree import ChoiceValues, Deals, bot_policy, net_policy, reading
from hexdeck.research.training.learn import first_weights
from tests.research.exact.learned import policy_of as policy_by_bot
from tests.settings import much
from tests.support import for_each

STEPS = {"cfr_plus": 60, "pcfr_plus": 30, "mccfr": 4000, "fictitious_play": 100, "mirror_descent": 900, "rnad": 300}
THINKING = "ismcts", "pimc", "house"


def task(name: str, seconds: float = 60, players: int = 2) -> Task:
    (size,) = [each for each in sizes(name.partition("/")[0]) if (each.name, each.game.players) == (name, players)]
    return Task(Ground(size.name, size.game, size.histories), 1, seconds)


def learner(name: str) -> Learner:
    learn = ours(name).learn
    assert learn is not None
    return learn


def random_policy(tree: GameTree) -> np.ndarray:
    return tree.normed(np.random.default_rng(2).random(len(tree.names)) + 0.01)


def test_a_net_in_a_tree_plays_as_it_does_as_a_bot() -> None:
    game = sized("hawthorn/tiny")
    tree, at = GameTree(game), net_sizes(game.rules, 16, 16)
    weights = first_weights(at, 10.0, np.random.default_rng(1))
    inputs = tree.inputs(at)
    found = net_policy(tree, inputs, weights, at)
    net = Net(game.name, at, weights.astype(float), {}, {})
    assert np.allclose(found, policy_by_bot(net, game, tree), atol=1e-4)
    exact = bot_policy(tree, NetBot(game, net=net), 1)  # it isn't asked, and draws no lots
    assert np.allclose(found, exact, atol=1e-4)
    assert np.ptp(found) > 0.9


def test_a_policy_that_is_asked_seldom_reads_worse_than_it_is() -> None:
    tree = GameTree(sized("cursed-hand/tiny"))
    assert reading(tree, 8) > 1.5 * reading(tree, 32) > 10 * tree.nash_conv(tree.cfr_plus(200))


def test_what_is_known_in_a_tree_of_some_deals_is_what_is_known_in_the_whole() -> None:
    game = sized("cursed-hand/tiny")
    whole, deals = GameTree(game), Deals(game)
    known = {(seat, key): each.tobytes() for seat, key, each in zip(whole.seats, whole.keys, whole.known, strict=True)}
    for numbers in deals.by_seat(0):
        part = deals.tree(numbers)
        for seat, key, each in zip(part.seats, part.keys, part.known, strict=True):
            assert known[seat, key] == each.tobytes()


def test_feedback_is_what_a_change_of_one_information_set_brings() -> None:
    tree = GameTree(sized("hawthorn/tiny"))
    policy, feedback = random_policy(tree), ChoiceValues(tree)
    usual = tree.values(policy)
    for number in range(0, len(tree.keys), 40):
        first, end, seat = int(tree.slots[number]), int(tree.slots[number + 1]), int(tree.seats[number])
        feedback.ask(policy, seat)
        gains = feedback.weighed()[first:end]
        changed = policy.copy()
        changed[first:end] = np.arange(end - first) == end - first - 1
        gain = feedback.own[number] * (gains[-1] - gains @ policy[first:end])
        assert tree.values(changed)[seat] - usual[seat] == pytest.approx(gain, abs=1e-12)
        assert np.allclose(feedback.values[first:end] * feedback.far[number], gains)


def test_a_bonus_is_paid_at_each_choice() -> None:
    tree = GameTree(sized("blackstone/tiny"))
    policy, feedback = random_policy(tree), ChoiceValues(tree)
    feedback.ask(policy, 0)
    plain, last = feedback.values.copy(), int(np.flatnonzero(tree.seats == 0)[-1])
    feedback.ask(policy, 0, np.ones(len(policy)))
    more = (feedback.values - plain)[np.repeat(tree.seats == 0, np.diff(tree.slots))]
    assert more.min() >= 1 - 1e-9 and feedback.values[tree.slots[last]] - plain[tree.slots[last]] >= 1 - 1e-9


def test_worlds_are_solved_as_if_all_saw_everything() -> None:
    given = task("high-handed/tiny", players=3)
    tree, worlds = given.tree, HistoryWorlds(given)
    parents, actors, _edges, parts, owners, ends = tree.nodes
    children: dict[int, list[int]] = {}
    for n in range(1, tree.histories):
        children.setdefault(int(parents[n]), []).append(n)

    def best(n: int) -> np.ndarray:
        if n not in children:
            return np.asarray(ends[owners[n]])
        values = [best(child) for child in children[n]]
        if actors[n] < 0:
            return np.asarray(sum(parts[child] * each for child, each in zip(children[n], values, strict=True)))
        return values[int(np.argmax([each[actors[n]] for each in values]))]

    order = np.argsort(owners[actors >= 0], kind="stable")
    nodes = np.flatnonzero(actors >= 0)[order]
    for k in range(0, len(nodes), 97):
        at, seat = worlds.places[k], actors[nodes[k]]
        wanted = [best(child)[seat] for child in children[int(nodes[k])]]
        assert worlds.values[at : at + len(wanted)] == pytest.approx(wanted)


@for_each("name", STEPS)
def test_learners_come_near_to_an_equilibrium(name: str) -> None:
    """NashConv below 1 % of the utility range, which a change of a sign in any of them loses."""
    for size in much(("hawthorn/tiny",), ("hawthorn/tiny", "high-handed/tiny")):
        given = task(size)
        *_, (work, policy) = islice(learner(name)(given), STEPS[name])
        assert work >= STEPS[name] and given.ground.nash_conv(policy) < 0.01 * given.scale


@pytest.mark.parametrize("name", [*THINKING, "ppo", "trainer"])
def test_the_others_give_policies_that_are_better_than_chance(name: str) -> None:
    given = task("blackstone/tiny", 600)
    *_, (_work, policy) = islice(learner(name)(given), 1 if name in THINKING else 12)
    assert given.ground.nash_conv(policy) < 0.9 * given.tree.nash_conv(given.tree.uniform())


def test_every_learner_says_what_it_is() -> None:
    for algorithm in map(ours, OURS):
        assert algorithm.title and algorithm.paper and algorithm.work != "steps" and (algorithm.learn or algorithm.bot)


def test_a_policy_may_be_a_table_by_information_set() -> None:
    tree = GameTree(sized("cursed-hand/tiny"))
    policy = random_policy(tree)
    table = {
        (int(tree.seats[k]), int(tree.keys[k])): policy[tree.slots[k] : tree.slots[k + 1]]
        for k in range(len(tree.keys))
    }
    assert np.array_equal(policy_of(tree, table), policy) and np.array_equal(
        policy_of(tree, lambda _tree: table), policy
    )
    assert np.array_equal(policy_of(tree, {}), tree.uniform())


def test_larger_trees_count_deals_that_differ_in_the_order_of_events_once(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, merged = task("hawthorn/tiny"), task("hawthorn/tiny")
    policy = random_policy(usual.tree)
    table = {
        (int(s), int(key)): policy[a:b]
        for s, key, a, b in zip(usual.tree.seats, usual.tree.keys, usual.tree.slots, usual.tree.slots[1:], strict=False)
    }
    monkeypatch.setattr("hexdeck.research.benchmark.algorithms.MOST", 1000)
    assert merged.tree.histories < usual.tree.histories
    assert merged.ground.nash_conv(table) == pytest.approx(usual.tree.nash_conv(policy))
    assert merged.scale == usual.scale
    assert sorted(zip(merged.tree.seats, merged.tree.keys, strict=True)) == sorted(
        zip(usual.tree.seats, usual.tree.keys, strict=True)
    )
    assert {len(merged.tree.known), len(usual.tree.known)} == {len(usual.tree.keys)}


@for_each("name", STEPS)
def test_learners_learn_as_well_on_a_tree_of_merged_deals(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for most in (10**6, 1000):
        monkeypatch.setattr("hexdeck.research.benchmark.algorithms.MOST", most)
        one = task("hawthorn/tiny")
        *_, (_, policy) = islice(learner(name)(one), STEPS[name])
        found.append(one.ground.nash_conv(policy) / one.scale)
    assert max(found) < 0.01 and abs(found[0] - found[1]) < 0.001


def test_ranks_are_said_only_as_far_as_intervals_part() -> None:
    intervals = {"a": (0.1, 0.2), "b": (0.15, 0.4), "c": (0.3, 0.5), "d": (0.6, 0.6)}
    assert ranks(intervals) == {"a": "1–2", "b": "1–3", "c": "2–3", "d": "4"}  # type: ignore[arg-type]
    assert ranks({"e": None, **intervals}) == {"e": "–", **ranks(intervals)}
    assert ranks({"a": (1e-7, 1e-6), "b": (0, 0), "c": (0.1, 0.2)}) == {"a": "1–2", "b": "1–2", "c": "3"}


def test_the_interval_of_a_mean_is_that_of_its_seeds() -> None:
    def results(name: str, *ends: float) -> list[BenchmarkResult]:
        about = "x/tiny", 2, 1, 1.0, 10, 2.0, 1.0, "steps", {}, {}
        return [BenchmarkResult(name, name, *about, points=[(1, 1.0, 2 * end)]) for end in ends]

    low, high = interval(results("ppo", 0.1, 0.2, 0.3, 0.4, 0.5)) or (0, 0)
    assert 0.15 < low < 0.21 and 0.39 < high < 0.45  # its standard error is 0.063
    assert interval(results("ppo", 0.1, 0.2, 0.3, 0.4)) is None
    assert interval(results("cfr_plus", 0.1)) == (0.1, 0.1)
