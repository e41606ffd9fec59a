"""Neural fictitious self-play: its walks down a tree, what it keeps, and that it learns."""

from itertools import islice
from typing import Any

import numpy as np
import pytest

from hexdeck.research.benchmark.nfsp import NeuralFictitiousPlay, Settings, Walks
from hexdeck.research.exact import GameTree, sized


@pytest.fixture(scope="module")
def tree() -> GameTree:
    return GameTree(sized("blackstone/tiny"))


def test_chance_draws_as_often_as_the_rules_say(tree: GameTree) -> None:
    parents, actors, _edges, parts, *_ = tree.nodes
    walks, rng = Walks(tree), np.random.default_rng(1)
    for node in np.flatnonzero(actors == -1)[::7]:
        children = 1 + np.flatnonzero(parents[1:] == node)
        drawn = walks.chance(np.full(4000, node), rng)
        assert set(drawn) <= set(children)
        assert np.bincount(drawn, minlength=tree.histories)[children] / 4000 == pytest.approx(parts[children], abs=0.04)


def test_every_answer_ever_given_is_as_likely_kept(tree: GameTree) -> None:
    kept = np.zeros(400)
    for seed in range(100):
        play = NeuralFictitiousPlay(tree, 1.0, seed, Settings(reservoir=40))
        for part in np.split(np.arange(400), 40):
            play._sample(np.stack([part, part], axis=1))
        kept[play.reservoir[:, 0]] += 1
    assert kept.sum() == 4000 and np.split(kept, 4)[0].mean() == pytest.approx(np.split(kept, 4)[3].mean(), rel=0.15)


def test_what_is_kept_of_a_match_leads_from_choice_to_choice_of_a_seat_to_its_result(tree: GameTree) -> None:
    play = NeuralFictitiousPlay(tree, 2.0, 1, Settings(eta=0.5))
    play.play(0.5)
    sets, actions, following = play.memory[: play.stored].T
    assert play.stored == play.decisions and tree.masks[sets, actions].all()
    on = following >= 0
    assert (tree.seats[sets[on]] == tree.seats[following[on]]).all() and not play.rewards[: play.stored][on].any()
    ends = set(np.round(tree.nodes[5][:, :2].ravel(), 4))
    assert set(np.round(play.rewards[: play.stored][~on], 4)) <= ends
    assert (~on).sum() <= 2 * 64 and 0 < play.kept < play.decisions


def test_it_learns_and_a_seed_says_how(tree: GameTree) -> None:
    def learned(seed: int) -> Any:
        *_, (_work, policy) = islice(NeuralFictitiousPlay(tree, 20.0, seed, Settings(each=8)).steps(), 60)
        return policy(tree)

    assert tree.nash_conv(learned(1)) < 0.5 * tree.nash_conv(tree.uniform())
    assert np.array_equal(learned(2), learned(2)) and not np.array_equal(learned(1), learned(2))
