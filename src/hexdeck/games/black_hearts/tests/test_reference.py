"""Black Hearts's reference itself: random games end and conserve what there is; examples worked by hand."""

import random
from typing import Any

import pytest

from tests.reference.play import finish, random_game, replay
from tests.settings import much
from tests.support import for_each

from .reference import Reference, winning_place

OPTIONS: dict[str, list[Any]] = {
    "gifts": [True, True, False],
    "reversed_ties": ["latest", "earliest"],
    "curse_numbers": [None, None, [6, 1], [2, 6, 2]],
    "curse_points": [None, None, [0, 1], [20, 0, 3]],
    "fixed_numbers": [None, None, [4], [1, 6, 6]],
    "two_oclock": [2, 1, 3],
    "random_copies": [None, None, [9, 0, 2, 0, 0, 9], [0, 1, 2, 3, 4, 5]],
    "gift_copies": [None, None, [0, 0, 0, 0, 9], [0, 0, 0, 0, 0]],
    "hand": [0, 0, 2, 3, 4],
}


@for_each("seed", range(much(60, 300)))
def test_black_hearts_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(Reference, 6, OPTIONS, rng, fewest=3)

    def check() -> None:
        trick = [card for _, card in game.trick]
        assert sorted(game.deck + sum(game.hands, []) + trick + sum(game.captured, [])) == sorted(game.all_cards)
        assert sorted(game.unused_gifts + game.used_gifts) == sorted(game.all_gifts)
        if game.phase not in ("deal", "over"):
            assert all(card.startswith("random") for card in game.deck)  # BH-4: only Random cards are left out

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(1)
    assert game.ending() == "all curses" or max(game.totals) >= 13
    assert not set(game.cursed) & set(game.winners)


@pytest.mark.parametrize(
    ("gift", "reversed_ties", "numbers", "place"),
    [
        ("", "latest", [3, 5, 5, 1], 2),
        ("", "earliest", [3, 5, 5, 1], 2),
        ("mercy", "latest", [6, 1, 6], 2),
        ("upside-down", "latest", [2, 6, 2, 3], 2),
        ("upside-down", "earliest", [2, 6, 2, 3], 0),
        ("early-bird", "latest", [4, 5, 2, 5], 1),
        ("little-one", "latest", [1, 6, 1, 5], 2),
        ("little-one", "latest", [1, 5, 1, 5], 3),
        ("little-one", "latest", [6, 2, 6], 2),
        ("second", "latest", [6, 2, 6], 0),
        ("second", "latest", [6, 6, 6], 1),
        ("second", "latest", [4, 1, 5], 0),
        ("second", "latest", [4, 6, 4], 2),
    ],
)
def test_bh_7_and_9_who_wins_a_trick(gift: str, reversed_ties: str, numbers: list[int], place: int) -> None:
    assert winning_place(numbers, gift, reversed_ties) == place


def two_tricks(**options: Any) -> Reference:
    """A round of two cards each with the 5 as Two o'clock, dealt: two Curse cards, a 4 and two 3s."""
    tables: dict[str, Any] = {"fixed_numbers": [5], "random_copies": [0, 0, 2, 1, 0, 0], **options}
    game = Reference(3, two_oclock=1, hand=2, **tables)
    deal_two_tricks(game)
    return game


def deal_two_tricks(game: Reference) -> None:
    """Seat 0 gets curse-1 and Two o'clock, seat 1 a 3 and the 4, seat 2 curse-2 and a 3."""
    cards = ["curse-1", "random-3", "curse-2", "fixed-1", "random-4", "random-3"]
    replay(game, [(-1, f"card {card}") for card in cards])


PASSES = [(2, "pass curse-2 random-3"), (0, "pass curse-1 fixed-1"), (1, "pass random-3 random-4")]
FIRST_TRICK = [(1, "play fixed-1"), (2, "play random-3"), (0, "play curse-2")]  # won by seat 1
SECOND_TRICK = [(1, "play curse-1"), (2, "play random-4"), (0, "play random-3")]


def test_bh_4_the_deal_is_as_if_the_random_cards_had_been_drawn_first() -> None:
    options: dict[str, Any] = {"curse_numbers": [1, 2], "curse_points": [1, 1], "fixed_numbers": [5], "two_oclock": 1}
    game = Reference(3, hand=2, random_copies=[4, 0, 1, 0, 0, 0], **options)
    weights = {"card curse-1": 5, "card curse-2": 5, "card fixed-1": 5}
    assert game.chance() == {**weights, "card random-1": 12, "card random-3": 3}
    replay(game, [(-1, "card random-1"), (-1, "card curse-2"), (-1, "card random-3")])
    assert game.chance() == {"card curse-1": 3, "card fixed-1": 3, "card random-1": 3}
    game.happen("card random-1")
    assert game.chance() == {"card curse-1": 2, "card fixed-1": 2}  # two Random cards are left out


def test_bh_4_all_cards_but_the_random_ones_left_out() -> None:
    for players, randoms in ((3, 8), (4, 8), (5, 13), (6, 18)):
        game = Reference(players)
        assert sum(game.chance().values()) == 18 * players * 5  # each of the round's cards, in units of 1/18
        while game.chance() and game.phase == "deal":
            game.happen(next(iter(game.chance())))
        assert sum(card.startswith("random") for hand in game.hands for card in hand) == randoms
    assert Reference(3).chance().keys() & {"card fixed-1", "card fixed-2"} == {"card fixed-2"}
    with pytest.raises(ValueError, match="too few cards"):
        Reference(3, hand=2)
    with pytest.raises(ValueError, match="too few cards"):
        Reference(6, random_copies=[3, 3, 3, 3, 3, 2])


def test_bh_5_and_8_passes_are_secret_and_two_oclock_is_led() -> None:
    game = two_tricks(curse_numbers=[1, 2], curse_points=[1, 13], gifts=False)
    assert game.legal(0) == {"pass curse-1 fixed-1"} and game.legal(1) == {"pass random-3 random-4"}
    replay(game, PASSES[:2])
    assert game.acting() == {1} and sorted(game.hands[0]) == ["curse-1", "fixed-1"]
    replay(game, PASSES[2:])
    assert game.hands == [["curse-2", "random-3"], ["curse-1", "fixed-1"], ["random-3", "random-4"]]
    assert game.acting() == {1} and game.legal(1) == {"play fixed-1"}
    game.apply(1, "play fixed-1")
    assert game.legal(2) == {"play random-3", "play random-4"}  # no following suit


def test_bh_5_two_equal_cards_can_be_passed() -> None:
    game = Reference(3, hand=3, random_copies=[0, 0, 0, 0, 0, 2], gifts=False)
    cards = ["random-6", "curse-1", "curse-2", "random-6", "curse-3", "curse-4", "fixed-2", "curse-5", "curse-6"]
    replay(game, [(-1, f"card {card}") for card in cards])
    assert game.legal(0) == {"pass random-6 random-6", "pass fixed-2 random-6"}
    assert game.legal(1) == {"pass curse-1 curse-3", "pass curse-1 curse-5", "pass curse-3 curse-5"}


def test_bh_12_the_lowest_total_wins_once_somebody_has_13() -> None:
    game = two_tricks(curse_numbers=[1, 2], curse_points=[13, 1], gifts=False)
    replay(game, PASSES + FIRST_TRICK + SECOND_TRICK)
    assert game.over and game.ending() == "thirteen points" and game.totals == [0, 1, 13]
    assert game.returns() == [1, 0, 0] and game.cursed == [2]


def test_bh_12_tied_winners_share() -> None:
    game = two_tricks(curse_numbers=[1, 2], curse_points=[13, 0], gifts=False)
    replay(game, PASSES + FIRST_TRICK + SECOND_TRICK)
    assert game.totals == [0, 0, 13] and game.returns() == [0.5, 0.5, 0] and game.cursed == [2]


def test_bh_12_a_winner_is_never_cursed() -> None:
    game = Reference(4)
    game.totals = [14, 12, 13, 20]
    game.captured = [[], ["curse-3"], ["curse-1"], ["curse-6", "fixed-6"]]
    game.end_round()
    assert game.totals == [14, 14, 14, 24] and game.winners == [0, 1, 2] and game.cursed == [3]
    assert game.returns() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_bh_11_all_curses_win_before_13() -> None:
    game = two_tricks(curse_numbers=[6, 2], curse_points=[13, 1], gift_copies=[0, 0, 0, 0, 1])
    replay(game, [*PASSES, (-1, "gift mercy"), *FIRST_TRICK, *SECOND_TRICK])
    assert game.ending() == "all curses" and game.returns() == [0, 1, 0]
    game = Reference(3)
    game.totals = [0, 12, 5]
    game.captured = [[], [f"curse-{position}" for position in range(1, 7)], ["fixed-2"]]
    game.end_round()
    assert game.ending() == "all curses" and game.returns() == [0, 1, 0] and not game.cursed


def test_bh_6_and_7_mercy_leaves_out_the_dearest_curse_card_and_is_used_up() -> None:
    game = two_tricks(curse_numbers=[1, 2], curse_points=[13, 1], gift_copies=[0, 0, 0, 0, 1])
    replay(game, PASSES)
    assert game.chance() == {"gift mercy": 1}
    replay(game, [(-1, "gift mercy"), *FIRST_TRICK, *SECOND_TRICK])
    assert game.totals == [0, 0, 0] and game.phase == "deal"
    deal_two_tricks(game)
    replay(game, PASSES)
    assert game.acting() == {1} and not game.chance()
    game = Reference(3)
    game.gift = "mercy"
    game.captured = [["curse-2", "curse-5", "curse-6"], ["curse-3", "curse-4", "fixed-2"], ["curse-1"]]
    game.end_round()
    assert game.totals == [4, 2, 0]


def test_bh_6_a_gift_changes_who_wins_and_leads() -> None:
    for kind, leader in (("upside-down", 0), ("early-bird", 1), ("little-one", 1), ("second", 2)):
        game = two_tricks(curse_numbers=[1, 2], curse_points=[1, 1], gift_copies=[1, 1, 1, 1, 1])
        replay(game, [*PASSES, (-1, f"gift {kind}"), *FIRST_TRICK])  # 5, 3, 2
        assert game.acting() == {leader} and len(game.captured[leader]) == 3
