"""Cursed Hand's reference itself: random games end and conserve what there is; examples worked by hand."""

import random
from typing import Any

import pytest

from tests.reference.play import finish, random_game, replay
from tests.settings import much
from tests.support import for_each

from .reference import Reference, is_cursed, paired_ranks

OPTIONS: dict[str, list[Any]] = {
    "clean_accept": ["passer", "nobody"],
    "exhaustion": ["after_ghost", "at_once"],
    "tied_losers": ["all", "one_at_random"],
    "losses": [1, 1, 3],
    "deck": [None, None, [3, 5, 6, 7]],
    "hand": [0, 1, 2, 3],
}


@for_each("seed", range(much(60, 300)))
def test_cursed_hand_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(Reference, 6, OPTIONS, rng)

    def check() -> None:
        cards = game.deck + game.discards + game.ghost + sum(game.hands, []) + sum(game.graves, [])
        assert sorted(cards) == game.all_cards

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(0)
    assert max(game.lost) == game.losses


@pytest.mark.parametrize(
    ("ghost", "cursed", "taken"),
    [
        ([4, 9], False, []),
        ([9, 4, 9], True, [9]),
        ([9, 4, 9, 4, 4], True, [4, 9]),
        ([1, 4, 9], True, [9]),
        ([1, 4, 4, 9], True, [4, 9]),
        ([1, 9, 9], True, [9]),
        ([1, 1], True, []),
        ([1, 1, 3], True, [3]),
    ],
)
def test_ch_7_and_8_what_a_ghost_hand_costs(ghost: list[int], cursed: bool, taken: list[int]) -> None:
    assert is_cursed(ghost) is cursed
    if cursed:
        assert paired_ranks(ghost) == taken


def test_ch_10_accepting_with_an_empty_hand() -> None:
    cards = [f"card {rank}" for rank in (5, 6, 4, 3)]
    start = [(-1, card) for card in cards] + [(0, "grave 5"), (1, "grave 6"), (-1, "card 2"), (1, "pair 2 3")]
    middle = [(0, "accept"), (0, "add 4"), (1, "accept")]
    game = Reference(2, hand=2)
    replay(game, start + middle)
    assert game.over and game.graves == [[5, 4], [6]] and game.returns() == [-1, 1]  # 9 points against 6
    game = Reference(2, hand=2, clean_accept="nobody")
    replay(game, start + middle)
    assert game.over and game.graves == [[5], [6]] and game.returns() == [1, -1]
    game = Reference(2, hand=2, exhaustion="at_once")
    replay(game, start)
    assert game.over and game.graves == [[5], [6]]
