"""Blackstone's reference itself: random games end and conserve what there is; examples worked by hand."""

import random
from typing import Any

from tests.reference.play import finish, random_game, replay
from tests.settings import much
from tests.support import for_each

from .reference import TEN, Reference

OPTIONS: dict[str, list[Any]] = {
    "chips": [5, 12, 100],
    "rounds": [1, 5],
    "sit_out": [False, True],
    "stakes": ["secret", "open"],
    "extra_ten": ["not_replaced", "replaced"],
    "drawing": ["stop_freely", "announced"],
    "draw_cap": [False, True],
    "after_fold": ["carries", "restarts"],
    "deck": [None, None, [2, 2, 1, 0, 0, 0, 0, 0, 0, 6], [3, 3, 4]],
}


@for_each("seed", range(much(60, 300)))
def test_blackstone_conserves_cards_and_chips(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(Reference, 10, OPTIONS, rng)

    def check() -> None:
        tens = [TEN] * (sum(game.black) + game.aside)
        assert sorted(game.deck + game.centre + game.up + tens) == game.all_cards
        assert sum(game.chips) + sum(game.stakes) + game.pot == game.players * game.start_chips
        assert min(game.chips) >= 0

    finish(game, rng, check)
    assert sum(game.returns()) == -game.pot


def test_bs_8_eleven_white_stones_cost_eleven_chips() -> None:
    game = Reference(3)
    replay(game, [(-1, "card 9"), (-1, "card 8"), (-1, "card 7"), (2, "draw"), (-1, "card 9")])
    replay(game, [(2, "draw"), (-1, "card 9")] * 7 + [(2, "stop"), (0, "fold")])
    assert game.chips == [89, 95, 95] and game.pot == 11 and len(game.centre) == 11


def test_bs_9_and_11_a_second_black_stone() -> None:
    game = Reference(3)
    replay(game, [(-1, "card 10"), (-1, "card 8"), (-1, "card 9"), (1, "draw"), (-1, "card 7"), (1, "stop")])
    replay(game, [(2, "draw"), (-1, "card 10"), (2, "stop"), (0, "draw"), (-1, "card 10")])
    assert game.over and game.pot == 0 and game.returns() == [-8, 4, 4]  # 5 and three white stones


def test_bs_12_the_deck_runs_out_below_the_minimum() -> None:
    game = Reference(3, deck=[1, 2, 3, 2], drawing="announced")
    replay(game, [(-1, "card 1"), (-1, "card 2"), (-1, "card 2")])
    assert game.legal(0) == {"fold"} | {f"announce {number}" for number in range(1, 6)}
    replay(game, [(0, "announce 3")] + [(-1, "card 3")] * 3)
    assert game.legal(1) == {"fold", "announce 3"}
    replay(game, [(1, "announce 3")] + [(-1, "card 4")] * 2)  # eight white stones: a fold at 5 + 4
    assert game.chips == [95, 91, 95] and game.legal(2) == {"fold"}
