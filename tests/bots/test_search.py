"""The tree search and one-ply search: what they say of each move, how they grow, what threads change."""

import itertools
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.bot import Bot, Candidate, ranked
from hexdeck.bots.players.kinds import SolvedBot
from hexdeck.bots.players.roster import bot
from hexdeck.bots.search.rollout import DECISIONS, TRIES, WORLDS, first_world
from hexdeck.bots.search.searcher import PairedEvaluator, Rollouter, Searcher
from hexdeck.bots.search.tree import ROOT, search_action
from hexdeck.engine.backends.kernels import HOUSE, RANDOM
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.random import DEAL_BITS
from tests.compiled import warm
from tests.settings import GAMES, every_game, much, small_game
from tests.support import for_each, stage

pytestmark = pytest.mark.usefixtures("small_games_for_nets")
BACKEND = "interpreted"
THINKERS = ("rollout:60", "search:60")


def undecided(name: str, players: int = 3) -> Match:
    warm(name, "fast")
    match = hexdeck.game(name, players).match(seed=4, backend="fast")
    while len(match.legal_ids(match.actor)) < 2:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    return match


@pytest.mark.parametrize("kind", ["search:40", "search:house:40", "rollout:40"])
@every_game
def test_who_chooses_with_others_thinks_whatever_its_seat(name: str, kind: str) -> None:
    """A server asks all who choose at once, while the lowest seat still thinks."""
    warm(name, "fast")
    match = hexdeck.game(name, 3).match(seed=4, backend="fast")
    for seat in match.acting:
        legal = match.legal_ids(seat)
        found = bot(kind, match.game, 1, "fast").candidates(match.concealed(seat), seat, 0)
        assert len(legal) == 1 or sum(each.value is not None for each in found) == len(legal)


@for_each("kind", THINKERS)
def test_a_forced_move_takes_no_thought(kind: str) -> None:
    warm("cursed-hand", "fast")
    match = hexdeck.game("cursed-hand", 2, hand_cards=2).match(seed=1, backend="fast")
    while len(match.legal_ids(match.actor)) > 1:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    seat = match.actor
    assert bot(kind, match.game, 1, "fast").choose(match.concealed(seat), seat) == match.legal_ids(seat)[0]


def test_worth_is_what_the_worlds_bring() -> None:
    """Where a match is one choice from its end, the search's means are exact."""
    warm("blackstone", "fast")
    match = hexdeck.game("blackstone", 2).match(seed=1, backend="fast")
    for kind in THINKERS:
        found = {each.action: each for each in bot(kind, match.game, 1, "fast").candidates(match.concealed(0), 0)}
        for action, each in found.items():
            if match.game.rules.ACTIONS[action] == "fold":
                other = match.copy()
                other.play(0, "fold")
                assert other.over and each.value == other.returns()[0] and each.margin in (0, None)


@for_each("rollouts", [RANDOM, HOUSE])
def test_a_search_inside_a_kernel_is_the_bots_own(rollouts: int) -> None:
    match = stage("cursed-hand", 2, "card 10, card 1, card 10, card 2, card 9, card 3", hand_cards=3)
    known, searcher = match.concealed(0), Searcher(match.game, 40, 7, BACKEND, rollouts=rollouts)
    tree, other = searcher.trees[0], Searcher(match.game, 40, 7, BACKEND).trees[0]
    found = searcher.grown(known, 0, 2)
    raw(other.rows)[ROOT] = np.frombuffer(known, np.uint8)
    g, actions, weights = other.driver.g, other.driver.actions(), other.driver.weights()
    count = other.driver.kernel("list_legal")(g, other.rows, ROOT, 0, actions)
    chosen = search_action(g, other.rows, 0, other.for_kernels(rollouts), actions, count, weights, other.rng)
    assert chosen == searcher.legal(known, 0)[int(found[:, 0].argmax())]
    assert np.array_equal(other.visits, tree.visits) and np.array_equal(other.sums, tree.sums)


@for_each("decisions", [DECISIONS - 1, DECISIONS, 2 * DECISIONS, 1 << 40])
def test_after_any_number_of_decisions_worlds_have_numbers_that_streams_can_have(decisions: int) -> None:
    match = stage("cursed-hand", 2, "card 10, card 1, card 10, card 2, card 9, card 3", hand_cards=3)
    player, weighing = Rollouter(match.game, 8, "random", 1, BACKEND), PairedEvaluator(match.game, 1, BACKEND, "random")
    player._decisions = weighing._decisions = decisions
    assert player.choose(match.concealed(0), 0) in match.legal_ids(0)
    assert np.isfinite(weighing.evaluate(match.concealed(0), 0, match.legal_ids(0), 2).utilities).all()
    assert (first_world(decisions) + WORLDS - 1) << DEAL_BITS < 1 << 63


@for_each("threads", [1, 3])
def test_threads_share_the_budget_and_change_nothing_else_from_run_to_run(threads: int) -> None:
    match = undecided("black-hearts")
    known, seat = match.concealed(match.actor), match.actor
    searchers = [Searcher(match.game, 100, 7, "fast", threads=threads, rollouts=0) for _ in range(2)]
    assert sum(tree.simulations for tree in searchers[0].trees) == 100
    count = len(match.legal_ids(seat))
    first, second = (searcher.grown(known, seat, count) for searcher in searchers)
    assert np.array_equal(first, second) and first[:, 0].sum() == 100


def test_more_threads_grow_other_trees() -> None:
    match = undecided("black-hearts")
    known, seat = match.concealed(match.actor), match.actor
    count = len(match.legal_ids(seat))
    one, two = (Searcher(match.game, 200, 7, "fast", threads=n, rollouts=0).grown(known, seat, count) for n in (1, 2))
    assert not np.array_equal(one, two)


def test_a_full_tree_is_searched_on_all_the_same() -> None:
    match = undecided("cursed-hand")
    searcher = Searcher(match.game, 300, 1, "fast", rollouts=0)
    tree = searcher.trees[0]
    small = tree.visits[:40].copy(), tree.sums[:40].copy()
    tree.visits, tree.sums, tree.used = *small, 40
    tree.arrays[1:3] = [tree.driver.shared(array) for array in small]
    found = searcher.grown(match.concealed(match.actor), match.actor, len(match.legal_ids(match.actor)))
    assert found[:, 0].sum() == 300 and tree.visits[0] <= 40


def test_the_likeliest_comes_first_then_the_best_then_the_lowest() -> None:
    a, b, c, d = (
        Candidate(1, 0, 2.0, None),
        Candidate(2, 0, 3.0, None),
        Candidate(3, 1, 0.0, None),
        Candidate(0, 0, None, None),
    )
    assert [each.action for each in ranked([a, b, c, d])] == [3, 2, 1, 0]


@for_each("games", [1, 10, 40, 4000])
def test_a_rollout_tries_each_move_and_spends_no_more_than_it_may(games: int) -> None:
    match = stage("cursed-hand", 2, "card 10, card 1, card 10, card 2, card 9, card 3", hand_cards=3)
    player, played = Rollouter(match.game, games, "random", 1, BACKEND), []
    count = len(match.legal_ids(0))

    def tries(_seat: int, actions: np.ndarray, totals: Any, _first: int, worlds: int) -> None:
        played.append(worlds * actions.shape[0])
        for k in range(actions.shape[0]):
            totals[k, TRIES] = 1.0

    player._try = tries  # type: ignore[method-assign]
    player.choose(match.concealed(0), 0)
    assert count <= played[0] and sum(played) <= max(games, 2 * count)


POLICIES = ("gentle", "house", "random")


def first_choice(match: Match) -> tuple[bytes, int]:
    while len(match.legal_ids(match.actor)) < 2:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    return match.concealed(match.actor), match.actor


@pytest.mark.parametrize(
    ("name", "kind"), much(list(zip(GAMES, itertools.cycle(POLICIES))), list(itertools.product(GAMES, POLICIES)))
)
def test_every_move_of_a_policy_has_a_result_with_its_interval(name: str, kind: str) -> None:
    game = small_game(name)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    found = bot(kind, game, 1, BACKEND).candidates(known, seat, 3)
    assert all(each.value is not None and each.margin is not None for each in found)
    weighed = PairedEvaluator(game, 0, BACKEND, kind).evaluate(known, seat, sorted(each.action for each in found), 3)
    given = {each.action: (each.value, each.margin) for each in found}
    assert given == {action: weighed.value(action) for action in weighed.actions}
    assert sum(each.probability for each in found) == pytest.approx(1)


def test_a_net_goes_on_as_itself() -> None:
    """With its own weights and temperature, not those of the package's net."""
    warm("cursed-hand", "fast")
    game = hexdeck.game("cursed-hand", 2, hand_cards=3)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    cold, hot = (bot(name, game, 1, "fast") for name in ("net:0", "net:5"))
    results = [{each.action: each.value for each in one.candidates(known, seat, 4)} for one in (cold, hot)]
    assert results[0] != results[1]
    other = cold.net.__class__(game.name, cold.net.sizes, -cold.net.weights, {}, {})  # type: ignore[attr-defined]
    ones = [PairedEvaluator(game, 0, "fast", "net", 0.0, net) for net in (None, other)]
    actions = sorted(results[0])
    first, second = (one.evaluate(known, seat, actions, 4) for one in ones)
    assert {action: first.value(action)[0] for action in actions} == results[0]
    assert not np.array_equal(first.utilities, second.utilities)


@for_each("kind", [*POLICIES, "net", "search:3", "rollout:6"])
def test_the_same_knowledge_gives_the_same_results_and_asking_changes_no_choice(kind: str) -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=4)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))

    def results(one: Bot) -> dict[int, float | None]:
        return {each.action: each.value for each in one.candidates(known, seat, 4)}

    warm("cursed-hand", "fast")
    asked, plain = bot(kind, game, 1, "fast"), bot(kind, game, 1, "fast")
    found = results(asked)
    assert None not in found.values()
    if kind in ("net", "random"):  # candidates of others throw the bot's dice anyway
        assert results(asked) == found
        assert [asked.choose(known, seat) for _ in range(20)] == [plain.choose(known, seat) for _ in range(20)]


@for_each("kind", ["house", "net", "search:3"])
def test_both_backends_expect_the_same(kind: str) -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=3)
    known, seat = first_choice(game.match(seed=3, backend=BACKEND))
    interpreted, fast = (bot(kind, game, 1, backend).candidates(known, seat, 2) for backend in (BACKEND, "fast"))
    assert interpreted == fast
    assert kind != "house" or {each.value for each in bot(kind, game, 1, BACKEND).candidates(known, seat)} == {None}
    assert None not in {each.value for each in bot(kind, game, 1, "fast").candidates(known, seat)}


def test_a_forced_move_has_a_result_too() -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=2)
    match = game.match(seed=1, backend=BACKEND)
    while len(match.legal_ids(match.actor)) > 1:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    known, seat = match.concealed(match.actor), match.actor
    for kind in ("net", "house", "search:3", "rollout:6"):
        (only,) = bot(kind, game, 1, BACKEND).candidates(known, seat, 5)
        assert only.probability == 1 and only.value is not None


def test_a_solution_that_is_not_exact_expects_what_house_bots_bring() -> None:
    game = hexdeck.game("blackstone", 2, rounds=3)
    known, seat = first_choice(game.match(seed=3, backend="fast"))
    player = SolvedBot(game, "fast")
    blank, valued = player.candidates(known, seat, 0), player.candidates(known, seat, 40)
    assert {each.value for each in blank} == {None} and blank[0].action == valued[0].action == player.choose(
        known, seat
    )
    assert all(each.value is not None and each.margin for each in valued)
