"""The references themselves: random games end and conserve cards and chips; a few examples worked by hand."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from . import blackstone, cursed_hand, hawthorn
from .play import Game, play, replay, step

CURSED_HAND: dict[str, list[Any]] = {
    "clean_accept": ["passer", "nobody"],
    "exhaustion": ["after_ghost", "at_once"],
    "tied_losers": ["all", "one_at_random"],
    "losses": [1, 1, 3],
    "deck": [None, None, [3, 5, 6, 7]],
    "hand": [0, 1, 2, 3],
}
HAWTHORN: dict[str, list[Any]] = {
    "chips": [1, 7, 100],
    "deals": [1, 4],
    "tiebreak_cards": ["stay", "discard"],
    "fold_price": ["table", "own"],
    "empty_hand": ["fold", "draw"],
    "deck": [None, None, [1, 2, 3, 4, 5, 6]],
    "hand": [0, 1, 2],
}
BLACKSTONE: dict[str, list[Any]] = {
    "chips": [5, 12, 100],
    "rounds": [1, 5],
    "sit_out": [False, True],
    "extra_ten": ["not_replaced", "replaced"],
    "drawing": ["stop_freely", "announced"],
    "draw_cap": [False, True],
    "after_fold": ["carries", "restarts"],
    "deck": [None, None, [2, 2, 1, 0, 0, 0, 0, 0, 0, 6], [3, 3, 4]],
}


def random_game(reference: Callable[..., Any], players: int, table: dict[str, list[Any]], rng: random.Random) -> Any:
    """A game with random options; those that the cards do not suffice for are drawn again."""
    while True:
        try:
            return reference(rng.randint(2, players), **{name: rng.choice(values) for name, values in table.items()})
        except ValueError as error:
            if "too few cards" not in str(error):
                raise


def finish(game: Game, rng: random.Random, check: Callable[[], None]) -> None:
    """Play to the end, with the check after every event."""
    while not game.over:
        assert bool(game.chance()) != bool(game.acting())
        assert all(game.legal(seat) for seat in game.acting())
        step(game, rng)
        check()
    assert not game.chance() and not game.acting() and game.ending()


@pytest.mark.parametrize("seed", range(300))
def test_cursed_hand_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(cursed_hand.Reference, 6, CURSED_HAND, rng)

    def check() -> None:
        cards = game.deck + game.discards + game.ghost + sum(game.hands, []) + sum(game.graves, [])
        assert sorted(cards) == game.all_cards

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(0)
    assert max(game.lost) == game.losses


@pytest.mark.parametrize("seed", range(300))
def test_hawthorn_conserves_cards_and_chips(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(hawthorn.Reference, 8, HAWTHORN, rng)

    def check() -> None:
        cards = game.deck + game.discards + sum(game.hands, []) + sum(game.rows, [])
        assert sorted(cards) == game.all_cards
        assert sum(game.chips) + game.pot == game.players * game.start_chips
        assert min(game.chips) >= 0

    finish(game, rng, check)
    assert sum(game.returns()) == 0 and game.pot == 0


@pytest.mark.parametrize("seed", range(300))
def test_blackstone_conserves_cards_and_chips(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(blackstone.Reference, 10, BLACKSTONE, rng)

    def check() -> None:
        tens = [blackstone.TEN] * (sum(game.black) + game.aside)
        assert sorted(game.deck + game.centre + game.up + tens) == game.all_cards
        assert sum(game.chips) + sum(game.stakes) + game.pot == game.players * game.start_chips
        assert min(game.chips) >= 0

    finish(game, rng, check)
    assert sum(game.returns()) == -game.pot


def test_play_and_replay_agree() -> None:
    first, second = blackstone.Reference(3, rounds=3), blackstone.Reference(3, rounds=3)
    replay(second, play(first, random.Random(1)))
    assert second.over and first.returns() == second.returns()


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
    assert cursed_hand.is_cursed(ghost) is cursed
    if cursed:
        assert cursed_hand.paired_ranks(ghost) == taken


def test_ch_10_accepting_with_an_empty_hand() -> None:
    cards = [f"card {rank}" for rank in (5, 6, 4, 3)]
    start = [(-1, card) for card in cards] + [(0, "grave 5"), (1, "grave 6"), (-1, "card 2"), (1, "pair 2 3")]
    middle = [(0, "accept"), (0, "add 4"), (1, "accept")]
    game = cursed_hand.Reference(2, hand=2)
    replay(game, start + middle)
    assert game.over and game.graves == [[5, 4], [6]] and game.returns() == [-1, 1]  # 9 points against 6
    game = cursed_hand.Reference(2, hand=2, clean_accept="nobody")
    replay(game, start + middle)
    assert game.over and game.graves == [[5], [6]] and game.returns() == [1, -1]
    game = cursed_hand.Reference(2, hand=2, exhaustion="at_once")
    replay(game, start)
    assert game.over and game.graves == [[5], [6]]


def test_ht_4_and_9_tie_break_cards_and_the_price_of_folding() -> None:
    cards = [(-1, f"card {rank}") for rank in (5, 5, 9)]
    shows = [(0, "show 5"), (2, "show 9"), (1, "show 5")]
    ties = [(-1, "card 5"), (-1, "card 3"), (-1, "card 2")]  # the 5 makes a pair and is replaced
    game = hawthorn.Reference(3, hand=1)
    replay(game, cards + shows + ties)
    assert game.rows == [[5, 3], [5, 2], [9]] and game.discards == [5] and game.acting() == {1}
    replay(game, [(1, "fold"), (2, "fold")])
    assert game.returns() == [7, -3, -4]
    game = hawthorn.Reference(3, hand=1, tiebreak_cards="discard", fold_price="own")
    replay(game, cards + shows + ties + [(1, "fold"), (2, "fold")])
    assert game.returns() == [16, -6, -10]


def test_ht_4_all_being_compared_are_picked_from_when_the_deck_runs_out() -> None:
    game = hawthorn.Reference(2, hand=1, deck=[0, 3])
    replay(game, [(-1, "card 2"), (-1, "card 2"), (1, "show 2"), (0, "show 2"), (-1, "card 2")])
    assert game.chance() == {"seat 0": 1, "seat 1": 1}
    replay(game, [(-1, "seat 1"), (1, "take")])
    assert game.chance() == {"card 2": 1} and game.discards == []


def test_bs_8_eleven_white_stones_cost_eleven_chips() -> None:
    game = blackstone.Reference(3)
    replay(game, [(-1, "card 9"), (-1, "card 8"), (-1, "card 7"), (2, "draw"), (-1, "card 9")])
    replay(game, [(2, "draw"), (-1, "card 9")] * 7 + [(2, "stop"), (0, "fold")])
    assert game.chips == [89, 95, 95] and game.pot == 11 and len(game.centre) == 11


def test_bs_9_and_11_a_second_black_stone() -> None:
    game = blackstone.Reference(3)
    replay(game, [(-1, "card 10"), (-1, "card 8"), (-1, "card 9"), (1, "draw"), (-1, "card 7"), (1, "stop")])
    replay(game, [(2, "draw"), (-1, "card 10"), (2, "stop"), (0, "draw"), (-1, "card 10")])
    assert game.over and game.pot == 0 and game.returns() == [-8, 4, 4]  # 5 and three white stones


def test_bs_12_the_deck_runs_out_below_the_minimum() -> None:
    game = blackstone.Reference(3, deck=[1, 2, 3, 2], drawing="announced")
    replay(game, [(-1, "card 1"), (-1, "card 2"), (-1, "card 2")])
    assert game.legal(0) == {"fold"} | {f"announce {number}" for number in range(1, 6)}
    replay(game, [(0, "announce 3")] + [(-1, "card 3")] * 3)
    assert game.legal(1) == {"fold", "announce 3"}
    replay(game, [(1, "announce 3")] + [(-1, "card 4")] * 2)  # eight white stones: a fold at 5 + 4
    assert game.chips == [95, 91, 95] and game.legal(2) == {"fold"}
