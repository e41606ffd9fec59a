"""Whole trees of small games: the histories there are, and the same figures as OpenSpiel's."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import BadOption
from hexdeck.engine.layout import hash_words
from hexdeck.research.exact import GameTree, tree
from hexdeck.research.exact.tree import Deals, gains_by_deals, histories
from hexdeck.simulation.game import Game
from tests.settings import GAMES, data, much
from tests.support import for_each


def tinies(most: int = 10**9) -> list[tuple[str, dict[str, Any]]]:
    """The smallest of the tiny games of each game's data; in a whole run all that have so many histories at most."""
    found = []
    for name in GAMES:
        first, *others = sorted(data(name)["tiny"], key=size)
        found += [(name, tiny) for tiny in (first, *others) if tiny is first or size(tiny) <= much(0, most)]
    return found


def size(tiny: dict[str, Any]) -> int:
    return sum(tiny["histories"][kind] for kind in ("chance", "decision", "terminal"))


def game_of(name: str, tiny: dict[str, Any]) -> Game:
    return hexdeck.game(name, tiny["players"], **tiny["options"])


def random_policy(grown: GameTree, seed: int = 1) -> np.ndarray:
    parts = np.random.default_rng(seed).random(len(grown.names)) + 0.01
    return parts / np.repeat(np.add.reduceat(parts, grown.slots[:-1]), np.diff(grown.slots))


@for_each(("name", "tiny"), tinies())
def test_a_tree_has_exactly_the_histories_of_the_game(name: str, tiny: dict[str, Any]) -> None:
    grown, counts = GameTree(game_of(name, tiny)), tiny["histories"]
    assert (grown.chances, grown.decisions, grown.terminals) == (
        counts["chance"],
        counts["decision"],
        counts["terminal"],
    )
    assert grown.histories == sum((grown.chances, grown.decisions, grown.terminals)) == histories(game_of(name, tiny))
    assert grown.values(grown.uniform()) == pytest.approx([float(Fraction(mean)) for mean in counts["mean"]])


@for_each(("name", "tiny"), [each for each in tinies(7000) if much(each[0] == "cursed-hand", True)])
def test_values_and_gains_are_those_of_openspiel(name: str, tiny: dict[str, Any]) -> None:
    pytest.importorskip("pyspiel")
    from open_spiel.python import policy
    from open_spiel.python.algorithms import expected_game_score, exploitability

    from hexdeck.envs.open_spiel import load

    grown = GameTree(game_of(name, tiny))
    chosen = random_policy(grown)
    found = {
        (int(seat), int(key)): dict(zip(grown.names[first:end].tolist(), chosen[first:end].tolist(), strict=True))
        for seat, key, first, end in zip(grown.seats, grown.keys, grown.slots, grown.slots[1:], strict=False)
    }

    class Chosen(policy.Policy):  # type: ignore[misc]
        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            seat = state.current_player() if player_id is None else player_id
            known = np.frombuffer(state.past.workspace.concealed(state.past.world, seat), np.int64).tolist()
            return found[seat, hash_words(known, len(known))]

    spiel = load(game_of(name, tiny))
    theirs = exploitability.nash_conv(spiel, Chosen(spiel, range(tiny["players"])), return_only_nash_conv=False)
    assert grown.gains(chosen) == pytest.approx(list(theirs.player_improvements), abs=1e-9)
    policies = [Chosen(spiel, range(tiny["players"]))] * tiny["players"]
    scores = expected_game_score.policy_value(spiel.new_initial_state(), policies)
    assert grown.values(chosen) == pytest.approx(list(scores), abs=1e-9)


@for_each(("name", "tiny"), tinies())
def test_deal_by_deal_comes_to_the_same(name: str, tiny: dict[str, Any]) -> None:
    game = game_of(name, tiny)
    grown, dealt = GameTree(game), Deals(game)
    assert dealt.shares.sum() == pytest.approx(1, abs=1e-12)
    assert gains_by_deals(game, threads=2) == pytest.approx(grown.gains(grown.uniform()), abs=1e-9)


@for_each(("name", "tiny"), tinies())
def test_a_best_response_is_worth_what_is_said(name: str, tiny: dict[str, Any]) -> None:
    grown = GameTree(game_of(name, tiny))
    chosen = random_policy(grown)
    for seat in range(tiny["players"]):
        value, response = grown.best_response(chosen, seat)
        assert grown.values(response)[seat] == pytest.approx(value, abs=1e-9)
        others = np.repeat(grown.seats != seat, np.diff(grown.slots))
        assert np.array_equal(response[others], chosen[others])
        assert value >= grown.values(chosen)[seat] - 1e-9


def bluffing() -> GameTree:
    return GameTree(hexdeck.game("cursed-hand", 2, deck="2-2-2", hand_cards=2))


def test_learners_come_near_to_an_equilibrium_that_is_mixed() -> None:
    grown = bluffing()
    found = grown.cfr_plus(200)
    assert grown.nash_conv(grown.uniform()) > 0.9 and grown.nash_conv(found) < 0.001
    assert np.any((found > 0.1) & (found < 0.9))
    assert grown.nash_conv(grown.external_sampling(20_000, seed=1)) < 0.02
    assert np.array_equal(grown.external_sampling(50, seed=1), grown.external_sampling(50, seed=1))


def test_a_policy_of_a_function_is_asked_for_each_information_set_once() -> None:
    grown, asked = bluffing(), []

    def first_of(seat: int, key: int, actions: list[int]) -> list[float]:
        asked.append((seat, key))
        return [1.0, *[0.0] * (len(actions) - 1)]

    chosen = grown.policy(first_of)  # type: ignore[arg-type]
    assert len(asked) == len(set(asked)) == len(grown.keys)
    assert set(chosen[grown.slots[:-1]]) == {1.0} and chosen.sum() == len(grown.keys)


def test_it_grows_the_same_however_little_room_there_was(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = bluffing()
    monkeypatch.setattr(tree, "BEGIN", 1)
    monkeypatch.setattr(tree, "LEVELS", 2)
    small = bluffing()
    assert all(np.array_equal(a, b) for a, b in zip(usual.nodes, small.nodes, strict=True))
    assert np.array_equal(usual.keys, small.keys) and np.array_equal(usual.names, small.names)


def test_interpreted_rules_give_the_same_tree() -> None:
    game = hexdeck.game("cursed-hand", 2, deck="tiny", hand_cards=2)
    fast, slow = GameTree(game), GameTree(game, backend="interpreted")
    assert all(np.array_equal(a, b) for a, b in zip(fast.nodes, slow.nodes, strict=True))
    assert fast.gains(fast.uniform()) == pytest.approx(slow.gains(slow.uniform()), abs=1e-12)
    assert fast.cfr_plus(3) == pytest.approx(slow.cfr_plus(3), abs=1e-12)
    assert fast.external_sampling(20) == pytest.approx(slow.external_sampling(20), abs=1e-12)


def test_what_is_no_policy_and_what_is_too_large_is_refused_in_a_sentence() -> None:
    grown = bluffing()
    with pytest.raises(BadOption, match=r"probabilities or a table of .*, not 3"):
        grown.values(np.ones(3))
    with pytest.raises(BadOption, match="sum to 1"):
        grown.nash_conv(grown.uniform() * 2)
    with pytest.raises(BadOption, match="sum to 1"):
        grown.best_response(-grown.uniform(), 0)
    with pytest.raises(BadOption, match=r"information set 0 \(seat 0\) are nan"):
        grown.nash_conv(grown.uniform() * np.nan)
    with pytest.raises(BadOption, match="an array of numbers"):
        grown.nash_conv("uniform")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="a probability for each of 1 actions of seat 0"):
        grown.policy(lambda _seat, _key, _actions: [0.5, 0.5])
    with pytest.raises(BadOption, match=r"steps is 1 or more, not 0\."):
        grown.cfr_plus(0)
    with pytest.raises(BadOption, match="takes a game, such as"):
        GameTree("cursed-hand/tiny")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="more than 2,000 histories"):
        GameTree(grown.game, most=2_000)
    for seat in (-1, 2, 1.5, "all"):
        with pytest.raises(BadOption, match="There is no seat"):
            grown.best_response(grown.uniform(), seat)  # type: ignore[arg-type]


def test_a_whole_game_is_refused_after_a_look_at_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "LOOK", 1 << 12)
    room, doubled = list[int](), tree.doubled
    monkeypatch.setattr(tree, "doubled", lambda array: room.append(len(array)) or doubled(array))
    with pytest.raises(BadOption, match="cursed-hand for 2 players has more than 1,000,000 histories"):
        GameTree(hexdeck.game("cursed-hand", 2), most=1_000_000)
    assert max(room) < 1 << 12
    monkeypatch.setattr(tree, "WALKS", 2000)
    assert tree.estimated_histories(bluffing().game) == pytest.approx(bluffing().histories, rel=0.1)


def test_regret_matching_by_action_values_comes_near_an_equilibrium() -> None:
    grown = bluffing()
    regrets, average = np.zeros(len(grown.names)), np.zeros(len(grown.names))
    for _step in range(300):
        policy = grown.normed(np.maximum(regrets, 0))
        for seat in range(2):
            seen = grown.action_values(policy, seat)
            means = np.add.reduceat(policy * seen.values, grown.slots[:-1])
            regrets += tree.of_sets(grown, seen.far) * (seen.values - tree.of_sets(grown, means))
            average += tree.of_sets(grown, seen.own) * policy
            assert not seen.far[grown.seats != seat].any() and not seen.own[grown.seats != seat].any()
    assert grown.nash_conv(grown.normed(average)) < 0.1 * grown.nash_conv(grown.uniform())


def test_more_deals_than_there_is_room_for_are_refused_before_room_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("cursed-hand", 2, deck="2-2-2", hand_cards=2)
    assert gains_by_deals(game)
    with pytest.raises(BadOption, match="takes a function that gives the policy in a tree, not "):
        gains_by_deals(game, np.ones(3))  # type: ignore[arg-type]
    monkeypatch.setattr(tree, "MOST_BYTES", 3000)
    with pytest.raises(BadOption, match=r"The deals of this game take more than 0 GB to list, which is too large\."):
        histories(game)


def test_nobody_who_shares_a_tree_can_change_it() -> None:
    grown = bluffing()
    for array in (
        *grown.nodes,
        grown.seats,
        grown.keys,
        grown.slots,
        grown.names,
        grown.known,
        grown.observations,
        grown.masks,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
