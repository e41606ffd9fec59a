"""Hawthorn's reference itself: random games end and conserve what there is; examples worked by hand."""

import random
from typing import Any

from tests.reference.play import finish, random_game, replay
from tests.settings import much
from tests.support import for_each

from .reference import Reference

OPTIONS: dict[str, list[Any]] = {
    "chips": [1, 7, 100],
    "deals": [1, 4],
    "tiebreak_cards": ["stay", "discard"],
    "fold_price": ["table", "own"],
    "empty_hand": ["fold", "draw"],
    "deck": [None, None, [1, 2, 3, 4, 5, 6]],
    "hand": [0, 1, 2],
}


@for_each("seed", range(much(60, 300)))
def test_hawthorn_conserves_cards_and_chips(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(Reference, 8, OPTIONS, rng)

    def check() -> None:
        cards = game.deck + game.discards + sum(game.hands, []) + sum(game.rows, [])
        assert sorted(cards) == game.all_cards
        assert sum(game.chips) + game.pot == game.players * game.start_chips
        assert min(game.chips) >= 0

    finish(game, rng, check)
    assert sum(game.returns()) == 0 and game.pot == 0


def test_ht_4_and_9_tie_break_cards_and_the_price_of_folding() -> None:
    cards = [(-1, f"card {rank}") for rank in (5, 5, 9)]
    shows = [(0, "show 5"), (2, "show 9"), (1, "show 5")]
    ties = [(-1, "card 5"), (-1, "card 3"), (-1, "card 2")]  # the 5 makes a pair and is replaced
    game = Reference(3, hand=1)
    replay(game, cards + shows + ties)
    assert game.rows == [[5, 3], [5, 2], [9]] and game.discards == [5] and game.acting() == {1}
    replay(game, [(1, "fold"), (2, "fold")])
    assert game.returns() == [7, -3, -4]
    game = Reference(3, hand=1, tiebreak_cards="discard", fold_price="own")
    replay(game, cards + shows + ties + [(1, "fold"), (2, "fold")])
    assert game.returns() == [16, -6, -10]


def test_ht_4_all_being_compared_are_picked_from_when_the_deck_runs_out() -> None:
    game = Reference(2, hand=1, deck=[0, 3])
    replay(game, [(-1, "card 2"), (-1, "card 2"), (1, "show 2"), (0, "show 2"), (-1, "card 2")])
    assert game.chance() == {"seat 0": 1, "seat 1": 1}
    replay(game, [(-1, "seat 1"), (1, "take")])
    assert game.chance() == {"card 2": 1} and game.discards == []
