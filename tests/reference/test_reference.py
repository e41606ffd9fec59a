"""The references themselves: random games end and conserve cards and chips; a few examples worked by hand."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.settings import much
from tests.support import for_each

from . import black_hearts, blackstone, cursed_hand, hawthorn, wolf_mans_curse
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
    "stakes": ["secret", "open"],
    "extra_ten": ["not_replaced", "replaced"],
    "drawing": ["stop_freely", "announced"],
    "draw_cap": [False, True],
    "after_fold": ["carries", "restarts"],
    "deck": [None, None, [2, 2, 1, 0, 0, 0, 0, 0, 0, 6], [3, 3, 4]],
}

BLACK_HEARTS: dict[str, list[Any]] = {
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
WOLF_MANS_CURSE: dict[str, list[Any]] = {
    "doubling": ["strength", "points", "both"],
    "queen_scores": [False, True],
    "mob_ties": ["all", "none"],
    "release": ["after", "before"],
    "ranks": [10, 10, 1, 4],
    "faces": [None, None, [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2], [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1]],
    "hand": [0, 1, 2, 4],
    "nights": [3, 1, 2, 5],
    "queen_month": [2, 1, 3],
}


def random_game(
    reference: Callable[..., Any], players: int, table: dict[str, list[Any]], rng: random.Random, fewest: int = 2
) -> Any:
    """A game with random options; those that can't be played together are drawn again."""
    while True:
        try:
            return reference(
                rng.randint(fewest, players), **{name: rng.choice(values) for name, values in table.items()}
            )
        except ValueError as error:
            if "too few cards" not in str(error) and "only with" not in str(error):
                raise


def finish(game: Game, rng: random.Random, check: Callable[[], None]) -> None:
    """Play to the end, with the check after every event."""
    while not game.over:
        assert bool(game.chance()) != bool(game.acting())
        assert all(game.legal(seat) for seat in game.acting())
        step(game, rng)
        check()
    assert not game.chance() and not game.acting() and game.ending()


@for_each("seed", range(much(60, 300)))
def test_cursed_hand_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(cursed_hand.Reference, 6, CURSED_HAND, rng)

    def check() -> None:
        cards = game.deck + game.discards + game.ghost + sum(game.hands, []) + sum(game.graves, [])
        assert sorted(cards) == game.all_cards

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(0)
    assert max(game.lost) == game.losses


@for_each("seed", range(much(60, 300)))
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


@for_each("seed", range(much(60, 300)))
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


@for_each("seed", range(much(60, 300)))
def test_black_hearts_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(black_hearts.Reference, 6, BLACK_HEARTS, rng, fewest=3)

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


@for_each("seed", range(much(60, 300)))
def test_wolf_mans_curse_conserves_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = random_game(wolf_mans_curse.Reference, 8, WOLF_MANS_CURSE, rng, fewest=3)

    def check() -> None:
        table = [card for _, card in game.table]
        taken = [card for cards in game.captured for card, _ in cards]
        numbers = [card for card in taken if not wolf_mans_curse.is_face(card)]
        faces = [card for card in taken if wolf_mans_curse.is_face(card)]
        shown = [game.face] if game.face else []
        assert sorted(game.deck + sum(game.hands, []) + table + numbers) == sorted(game.all_cards)
        everywhere = game.pile + game.laid_aside + shown + faces + game.out_of_game + sum(game.jokers, [])
        assert sorted(everywhere) == sorted(game.all_faces)

    finish(game, rng, check)
    assert sum(game.returns()) == pytest.approx(0 if game.ending() == "nobody left" else 1)
    assert game.month >= game.queen_month and game.queen_holder >= 0
    assert not set(game.winners) & {*game.lynched, *game.hanged, *game.released}


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
    assert black_hearts.winning_place(numbers, gift, reversed_ties) == place


def two_tricks(**options: Any) -> black_hearts.Reference:
    """A round of two cards each with the 5 as Two o'clock, dealt: two Curse cards, a 4 and two 3s."""
    tables: dict[str, Any] = {"fixed_numbers": [5], "random_copies": [0, 0, 2, 1, 0, 0], **options}
    game = black_hearts.Reference(3, two_oclock=1, hand=2, **tables)
    deal_two_tricks(game)
    return game


def deal_two_tricks(game: black_hearts.Reference) -> None:
    """Seat 0 gets curse-1 and Two o'clock, seat 1 a 3 and the 4, seat 2 curse-2 and a 3."""
    cards = ["curse-1", "random-3", "curse-2", "fixed-1", "random-4", "random-3"]
    replay(game, [(-1, f"card {card}") for card in cards])


PASSES = [(2, "pass curse-2 random-3"), (0, "pass curse-1 fixed-1"), (1, "pass random-3 random-4")]
FIRST_TRICK = [(1, "play fixed-1"), (2, "play random-3"), (0, "play curse-2")]  # won by seat 1
SECOND_TRICK = [(1, "play curse-1"), (2, "play random-4"), (0, "play random-3")]


def test_bh_4_the_deal_is_as_if_the_random_cards_had_been_drawn_first() -> None:
    options: dict[str, Any] = {"curse_numbers": [1, 2], "curse_points": [1, 1], "fixed_numbers": [5], "two_oclock": 1}
    game = black_hearts.Reference(3, hand=2, random_copies=[4, 0, 1, 0, 0, 0], **options)
    weights = {"card curse-1": 5, "card curse-2": 5, "card fixed-1": 5}
    assert game.chance() == {**weights, "card random-1": 12, "card random-3": 3}
    replay(game, [(-1, "card random-1"), (-1, "card curse-2"), (-1, "card random-3")])
    assert game.chance() == {"card curse-1": 3, "card fixed-1": 3, "card random-1": 3}
    game.happen("card random-1")
    assert game.chance() == {"card curse-1": 2, "card fixed-1": 2}  # two Random cards are left out


def test_bh_4_all_cards_but_the_random_ones_left_out() -> None:
    for players, randoms in ((3, 8), (4, 8), (5, 13), (6, 18)):
        game = black_hearts.Reference(players)
        assert sum(game.chance().values()) == 18 * players * 5  # each of the round's cards, in units of 1/18
        while game.chance() and game.phase == "deal":
            game.happen(next(iter(game.chance())))
        assert sum(card.startswith("random") for hand in game.hands for card in hand) == randoms
    assert black_hearts.Reference(3).chance().keys() & {"card fixed-1", "card fixed-2"} == {"card fixed-2"}
    with pytest.raises(ValueError, match="too few cards"):
        black_hearts.Reference(3, hand=2)
    with pytest.raises(ValueError, match="too few cards"):
        black_hearts.Reference(6, random_copies=[3, 3, 3, 3, 3, 2])


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
    game = black_hearts.Reference(3, hand=3, random_copies=[0, 0, 0, 0, 0, 2], gifts=False)
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
    game = black_hearts.Reference(4)
    game.totals = [14, 12, 13, 20]
    game.captured = [[], ["curse-3"], ["curse-1"], ["curse-6", "fixed-6"]]
    game.end_round()
    assert game.totals == [14, 14, 14, 24] and game.winners == [0, 1, 2] and game.cursed == [3]
    assert game.returns() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_bh_11_all_curses_win_before_13() -> None:
    game = two_tricks(curse_numbers=[6, 2], curse_points=[13, 1], gift_copies=[0, 0, 0, 0, 1])
    replay(game, [*PASSES, (-1, "gift mercy"), *FIRST_TRICK, *SECOND_TRICK])
    assert game.ending() == "all curses" and game.returns() == [0, 1, 0]
    game = black_hearts.Reference(3)
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
    game = black_hearts.Reference(3)
    game.gift = "mercy"
    game.captured = [["curse-2", "curse-5", "curse-6"], ["curse-3", "curse-4", "fixed-2"], ["curse-1"]]
    game.end_round()
    assert game.totals == [4, 2, 0]


def test_bh_6_a_gift_changes_who_wins_and_leads() -> None:
    for kind, leader in (("upside-down", 0), ("early-bird", 1), ("little-one", 1), ("second", 2)):
        game = two_tricks(curse_numbers=[1, 2], curse_points=[1, 1], gift_copies=[1, 1, 1, 1, 1])
        replay(game, [*PASSES, (-1, f"gift {kind}"), *FIRST_TRICK])  # 5, 3, 2
        assert game.acting() == {leader} and len(game.captured[leader]) == 3


def one_night(doubling: str, cards: list[str], face: str) -> wolf_mans_curse.Reference:
    """One night of one card each, up to the next month."""
    game = wolf_mans_curse.Reference(len(cards), doubling=doubling, hand=1, nights=1)
    replay(game, [(-1, f"card {card}") for card in cards] + [(-1, f"face {face}")])
    replay(game, [(seat, f"play {card}") for seat, card in enumerate(cards)])
    return game


@pytest.mark.parametrize(
    ("doubling", "winner", "hearts"),
    [("strength", 0, 2 + 2), ("points", 1, 4 + 2), ("both", 0, 4 + 2)],
)
def test_wc_5_6_and_10_doubling(doubling: str, winner: int, hearts: int) -> None:
    game = one_night(doubling, ["7h", "10c", "2h"], "Jh")
    assert game.scores[winner] == {"c": 1, "s": 0, "h": hearts, "d": 0}
    assert sum(sum(scores.values()) for scores in game.scores) == 1 + hearts
    assert game.out_of_game == ["Jh"] and game.month == 2 and len(game.chance()) == 40


def test_wc_9_equal_strength_is_decided_by_suit() -> None:
    assert one_night("strength", ["9d", "9h", "9s", "9c"], "joker").jokers == [[], [], [], ["joker"]]
    assert one_night("strength", ["9d", "9h", "9s", "Ac"], "joker").jokers == [[], [], ["joker"], []]
    assert one_night("strength", ["9d", "9h", "Ac"], "joker").jokers == [[], ["joker"], []]
    assert one_night("strength", ["5d", "10h", "4d"], "Kd").scores[1] == {"c": 0, "s": 0, "h": 1, "d": 2 + 4}
    assert one_night("strength", ["5s", "10h", "4d"], "Ks").scores[0] == {"c": 0, "s": 1 + 4, "h": 1, "d": 1}


def test_wc_7_and_8_hidden_first_then_in_turn_from_the_left_of_the_captor() -> None:
    game = wolf_mans_curse.Reference(3, hand=2, nights=2)
    replay(game, [(-1, f"card {card}") for card in ("Ac", "9c", "5d", "2c", "10d", "Ad")])
    replay(game, [(-1, "face joker"), (2, "play 5d"), (0, "play 2c")])
    assert game.acting() == {1} and game.hands[2] == ["5d", "Ad"]
    game.apply(1, "play 9c")
    assert game.chance()["face joker"] == 1
    game.happen("face Qc")
    assert game.acting() == {2} and game.legal(2) == {"play Ad"}
    replay(game, [(2, "play Ad"), (0, "play Ac"), (1, "play 10d")])
    assert game.scores[1] == {"c": 2 + 1 + 3, "s": 0, "h": 0, "d": 1 + 2} and game.jokers[1] == ["joker"]


ONE_ACE = [(-1, "card Ac"), (-1, "card As"), (-1, "card Ah")]
SECOND_MONTH = [(-1, "card Ad"), (-1, "card As"), (-1, "card Ac"), (-1, "face Qh")]
SECOND_PLAYS = [(0, "play Ad"), (1, "play As"), (2, "play Ac")]  # captured by seat 2


def aces(**options: Any) -> wolf_mans_curse.Reference:
    """Four aces, one card each, one night a month; the face pile is the queen of hearts and the jack of clubs."""
    faces = [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    return wolf_mans_curse.Reference(3, ranks=1, hand=1, nights=1, faces=faces, **options)


def test_wc_11_and_12_the_queen_of_hearts_is_laid_aside_at_first() -> None:
    game = aces()
    replay(game, [*ONE_ACE, (-1, "face Qh")])
    assert game.chance() == {"face Jc": 1} and not game.acting()
    game.happen("face Jc")
    assert game.pile == ["Qh"] and game.acting() == {0, 1, 2}
    replay(game, [(1, "play As"), (0, "play Ac"), (2, "play Ah")])
    assert game.scores[0] == {"c": 1 + 2, "s": 1, "h": 1, "d": 0}
    replay(game, SECOND_MONTH + SECOND_PLAYS)  # 0 is lynched, 2 has most spades but no hearts, and a diamond
    assert game.scores[2] == {"c": 1, "s": 1, "h": 0, "d": 1}
    assert game.lynched == [0] and game.hanged == [] and game.returns() == [0, 0, 1]
    assert game.ending() == "innocent survivor"


def test_wc_12_the_queen_of_hearts_may_score_and_may_come_in_the_first_month() -> None:
    game = aces(queen_scores=True)
    replay(game, [*ONE_ACE, (-1, "face Jc"), (1, "play As"), (0, "play Ac"), (2, "play Ah")])
    replay(game, SECOND_MONTH + SECOND_PLAYS)
    assert game.scores[2]["h"] == 3 and game.hanged == [2] and game.returns() == [0, 1, 0]
    game = aces(queen_month=1)
    replay(game, SECOND_MONTH + SECOND_PLAYS)
    assert game.lynched == [2] and game.returns() == [0.5, 0.5, 0]


def test_wc_4_and_11_too_few_cards() -> None:
    wolf_mans_curse.Reference(8)
    for options in (
        {"ranks": 9},
        {"hand": 2},
        {"faces": [0] * 7 + [1] + [0] * 4 + [2]},
        {"queen_month": 4, "nights": 5},
    ):
        with pytest.raises(ValueError, match="too few cards"):
            wolf_mans_curse.Reference(8, **options)


def judged(
    *scores: tuple[int, int, int, int], queen: int = 0, jokers: tuple[int, ...] = (), **options: Any
) -> wolf_mans_curse.Reference:
    """The end of a game with these points in clubs, spades, hearts and diamonds."""
    game = wolf_mans_curse.Reference(len(scores), **options)
    game.scores = [dict(zip("cshd", points, strict=True)) for points in scores]
    game.queen_holder = queen
    for seat in jokers:
        game.jokers[seat].append("joker")
    game.judge()
    return game


def test_wc_13_the_mob() -> None:
    game = judged((5, 0, 0, 9), (4, 0, 0, 1), (0, 0, 0, 0))
    assert game.lynched == [0] and game.winners == [1]
    tie = ((5, 0, 0, 9), (5, 0, 0, 9), (4, 0, 0, 1))
    assert judged(*tie).lynched == [0, 1] and judged(*tie).returns() == [0, 0, 1]
    game = judged(*tie, mob_ties="none")
    assert game.lynched == [] and game.returns() == [0.5, 0.5, 0]
    game = judged((5, 0, 0, 1), (5, 0, 0, 2), (5, 0, 0, 3))
    assert game.lynched == [] and game.winners == [2]
    assert judged((0, 0, 0, 1), (0, 0, 0, 2), (0, 0, 0, 3)).lynched == []
    assert judged((6, 0, 0, 9), (5, 0, 0, 9), (5, 0, 0, 1), mob_ties="none").lynched == [0]


def test_wc_14_scotland_yard() -> None:
    game = judged((5, 9, 1, 9), (0, 4, 1, 5), (0, 3, 1, 0))
    assert game.lynched == [0] and game.hanged == [1] and game.winners == [2]  # the lynched one isn't counted
    assert game.ending() == "guilty survivor"
    game = judged((5, 0, 0, 0), (0, 4, 0, 5), (0, 3, 1, 9))
    assert game.hanged == [] and game.winners == [1]  # most spades without a heart: nobody hangs instead
    game = judged((5, 0, 0, 0), (0, 4, 0, 5), (0, 4, 1, 9), (0, 4, 2, 9), (0, 3, 2, 9))
    assert game.hanged == [2, 3] and game.winners == [1]
    assert judged((5, 0, 1, 0), (0, 0, 1, 5), (0, 0, 1, 9)).hanged == []


def test_wc_15_and_16_survivors() -> None:
    game = judged((5, 0, 0, 9), (0, 0, 0, 2), (0, 0, 0, 2), (0, 0, 1, 7))
    assert game.ending() == "innocent survivor" and game.returns() == [0, 0.5, 0.5, 0]
    game = judged((5, 0, 0, 9), (0, 0, 0, 0), (0, 0, 1, 7))
    assert game.winners == [1]
    game = judged((5, 0, 0, 9), (0, 0, 3, 7), (0, 0, 1, 7), (0, 0, 1, 6))
    assert game.ending() == "guilty survivor" and game.returns() == [0, 0.5, 0.5, 0]


def test_wc_17_nobody_left() -> None:
    game = judged((5, 0, 0, 9), (0, 2, 1, 2), (0, 2, 1, 2))
    assert game.hanged == [1, 2] and game.ending() == "nobody left" and game.returns() == [0, 0, 0]
    game = judged((5, 0, 0, 9), (0, 2, 1, 2), (0, 0, 0, 2), queen=2, jokers=(2, 2))
    assert game.hanged == [1] and game.released == [2] and game.ending() == "nobody left"


def test_wc_17_release_needs_the_queen_and_a_joker() -> None:
    scores = ((5, 0, 0, 0), (0, 0, 0, 9), (0, 0, 0, 1))
    assert judged(*scores, queen=1).winners == [1]
    assert judged(*scores, queen=0, jokers=(1,)).winners == [1]
    game = judged(*scores, queen=1, jokers=(1, 2))
    assert game.released == [1] and game.lynched == [0] and game.winners == [2]


def test_wc_17_release_after_or_before_the_mob_and_the_yard() -> None:
    scores = ((5, 0, 0, 0), (4, 0, 0, 9), (0, 0, 0, 1))
    game = judged(*scores, queen=0, jokers=(0,))
    assert game.lynched == [0] and game.released == [0] and game.winners == [1]
    game = judged(*scores, queen=0, jokers=(0,), release="before")
    assert game.lynched == [1] and game.released == [0] and game.winners == [2]
    assert judged(*scores, queen=0, jokers=(1, 2), release="before").lynched == [0]
    scores = ((5, 0, 0, 0), (0, 6, 1, 9), (0, 5, 1, 1))
    game = judged(*scores, queen=1, jokers=(1,))
    assert game.lynched == [0] and game.hanged == [1] and game.winners == [2]
    game = judged(*scores, queen=1, jokers=(1,), release="before")
    assert game.lynched == [0] and game.hanged == [2] and game.ending() == "nobody left"


def test_wc_13_and_17_every_player_is_everyone_left() -> None:
    scores = ((5, 0, 0, 0), (5, 0, 0, 9), (0, 0, 0, 1))
    game = judged(*scores, queen=2, jokers=(2,))
    assert game.lynched == [0, 1] and game.ending() == "nobody left"  # 2 is a player, but can't win
    game = judged(*scores, queen=2, jokers=(2,), release="before")
    assert game.lynched == [] and game.winners == [1]
