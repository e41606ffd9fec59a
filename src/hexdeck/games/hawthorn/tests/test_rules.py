"""Hawthorn, rule by rule (HT-1 to HT-15): positions made by hand; what must follow is read from the rules."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.play.coach import lesson
from hexdeck.engine.play.match import Match
from hexdeck.games.hawthorn import rules
from tests.positions import (
    assert_others_choose_again,
    fields,
    observations,
    ranks,
    redealt,
    refusal,
    total_weight,
    whole,
    zone,
)
from tests.steps import seen
from tests.support import cards, names, play, stage

from . import worlds as oracle

NAME = "hawthorn"
ROOMY = "9-9-9-9-9-9-9-9-9-9"  # any cards can come from it


def dealt(*hands: Sequence[int], **options: Any) -> Match:
    order = [hand[k] for k in range(len(hands[0])) for hand in hands]
    return stage(NAME, len(hands), cards(*order), hand_cards=len(hands[0]), **options)


def shown(*hands: Sequence[int], **options: Any) -> Match:
    options.setdefault("deck", ROOMY)
    return play(dealt(*hands, **options), *(f"{p}: show {hand[0]}" for p, hand in enumerate(hands)))


def take(match: Match, *taken: int) -> Match:
    for rank in taken:
        play(match, f"{match.actor}: take, card {rank}")
    return match


def rows(match: Match) -> list[list[int]]:
    return [ranks(match, -1, f"row-{p}") for p in range(match.game.players)]


def hands(match: Match) -> list[list[int]]:
    return [ranks(match, p, f"hand-{p}") for p in range(match.game.players)]


def chips(match: Match) -> list[int | None]:
    return [zone(match, -1, f"chips-{p}").count for p in range(match.game.players)]


def pot(match: Match) -> int | None:
    return zone(match, -1, "pot").count


def deck(match: Match) -> int:
    return zone(match, -1, "deck").hidden


def discards(match: Match) -> list[int]:
    return ranks(match, -1, "discards")


def inside(match: Match) -> list[int]:
    return [p for p in range(match.game.players) if match.struct.inside >> p & 1]


def refusals(match: Match, seat: int) -> dict[str, str]:
    """The rule that forbids each kind of action; of shows and plays, that of rank 5."""
    return {action: refusal(match, seat, action) for action in ("show 5", "take", "fold", "play 5")}


def reasons(match: Match, seat: int, *actions: str) -> list[int]:
    return [match.illegal_reason(seat, rules.ACTIONS.index(action)) for action in actions]


# --- the start of a deal ---
@pytest.mark.rule("HT-1")
def test_two_to_eight_play_with_a_hundred_chips() -> None:
    for players in range(2, 9):
        match = stage(NAME, players)
        assert chips(match) == [99] * players and pot(match) == players
    for players in (1, 9):
        with pytest.raises(hexdeck.BadOption, match="2 to 8"):
            hexdeck.game(NAME, players)


@pytest.mark.rule("HT-2")
@pytest.mark.parametrize("players", [2, 5, 8])
def test_five_cards_are_dealt_to_each(players: int) -> None:
    match = stage(NAME, players)
    assert match.chances() == {f"card {rank}": rank for rank in range(1, 11)} and total_weight(match) == 55
    while not match.acting:
        match.deal(next(reversed(match.chances())))
    assert [len(hand) for hand in hands(match)] == [5] * players
    assert match.acting == tuple(range(players)) and deck(match) == 55 - 5 * players
    assert rows(match) == [[]] * players and match.struct.turn == rules.NONE and match.struct.due == 0


@pytest.mark.rule("HT-2")
def test_a_card_that_was_dealt_is_no_longer_in_the_deck() -> None:
    match = stage(NAME, 2, "card 2", deck="1-2-1", hand_cards=2)
    assert match.chances() == {"card 1": 1, "card 2": 1, "card 3": 1} and total_weight(match) == 3
    assert play(match, "card 2").chances() == {"card 1": 1, "card 3": 1} and deck(match) == 2
    with pytest.raises(hexdeck.BadOption, match="4 cards can't give 3 players 2 cards"):
        hexdeck.game(NAME, 3, deck="2-2", hand_cards=2)
    with pytest.raises(hexdeck.BadOption, match="9 cards can't give 2 players 5 cards"):
        hexdeck.game(NAME, 2, deck="9")


@pytest.mark.rule("HT-3")
def test_each_chooses_a_card_of_the_own_hand() -> None:
    match = dealt([4, 9, 9], [1, 5, 10], deck=ROOMY)
    assert names(match, 0) == {"show 4", "show 9"} and match.legal_ids(1) == [0, 4, 9]
    assert [refusal(match, 0, f"show {rank}") for rank in (3, 4, 5, 8, 9, 10)] == [
        *("HT-3", "", "HT-3", "HT-3", "", "HT-3")
    ]
    assert reasons(match, 0, "show 5", "take", "fold", "play 4") == [rules.SHOW_NOT_HELD, *[rules.NO_TURN] * 3]


@pytest.mark.rule("HT-3", "HT-15")
def test_a_choice_is_secret_until_all_have_chosen() -> None:
    match = play(dealt([4, 9], [5, 8], [6, 7]), "2: show 6, 0: show 9")
    assert match.acting == (1,) and rows(match) == [[], [], []] and match.struct.history == 0
    assert names(match, 0) == set() and reasons(match, 0, "show 9", "show 4") == [rules.NO_SHOW] * 2
    chosen = [fields(match.concealed(p), rules.STRUCT)["choice"][:3] for p in (-1, 0, 1, 2)]
    assert chosen == [[-1, -1, -1], [8, -1, -1], [-1, -1, -1], [-1, -1, 5]]
    assert zone(match, 0, "hand-0").note is not None and zone(match, 2, "hand-0").note is None
    play(match, "1: show 5")
    assert rows(match) == [[9], [5], [6]] and hands(match) == [[4], [8], [7]]
    assert match.acting == (1,) and refusal(match, 1, "show 8") == "HT-3"
    assert zone(match, 1, "hand-1").note is None


@pytest.mark.rule("HT-4", "HT-5")
@pytest.mark.parametrize(
    ("first_cards", "first"),
    [((1, 2), 0), ((2, 1), 1), ((9, 10), 0), ((4, 4, 3), 2), ((3, 7, 7), 0), ((10, 9, 8, 9), 2), ((8, 8, 8, 1), 3)],
)
def test_the_lowest_card_goes_first(first_cards: Sequence[int], first: int) -> None:
    match = shown(*([rank, 5] for rank in first_cards))
    assert match.acting == (first,) and match.struct.first == match.struct.turn == first
    assert match.struct.round == 1 and deck(match) == 90 - 2 * len(first_cards)
    assert zone(match, -1, f"row-{first}").note is not None


@pytest.mark.rule("HT-4")
def test_only_those_tied_for_lowest_get_another_card() -> None:
    match = shown([7, 5], [3, 5], [8, 5], [3, 5])
    assert not match.acting and match.struct.tied == 0b1010 and match.struct.turn == 1
    assert names(match, 1) == set() and refusals(match, 1) == dict.fromkeys(("show 5",), "HT-3") | dict.fromkeys(
        ("take", "fold", "play 5"), "HT-6"
    )
    play(match, "card 6")
    assert match.struct.turn == 3 and rows(match) == [[7], [3, 6], [8], [3]] and deck(match) == 81
    assert match.chances()["card 6"] == 8 and total_weight(match) == 81
    play(match, "card 4")
    assert match.acting == (3,) and match.struct.first == 3 and rows(match) == [[7], [3, 6], [8], [3, 4]]
    assert match.struct.tied == match.struct.lowest == 0


@pytest.mark.rule("HT-4")
def test_a_tie_break_card_that_makes_a_pair_is_replaced_at_no_cost() -> None:
    match = play(shown([3, 5], [3, 5], [9, 5]), cards(6, 3))
    assert not match.acting and match.struct.turn == 1 and discards(match) == [3] and rows(match)[1] == [3]
    play(match, cards(3, 6))
    assert discards(match) == [3, 3] and rows(match) == [[3, 6], [3, 6], [9]] and match.struct.turn == 0
    play(match, cards(6, 8))
    assert discards(match) == [3, 3, 6] and rows(match)[0] == [3, 6, 8] and match.struct.turn == 1
    play(match, cards(9))  # a pair with another's row is none
    assert match.acting == (0,) and rows(match)[1] == [3, 6, 9]
    assert chips(match) == [99] * 3 and pot(match) == 3 and inside(match) == [0, 1, 2]
    assert match.struct.discard_size == 3


@pytest.mark.rule("HT-4")
@pytest.mark.parametrize(
    ("tiebreak_cards", "left", "gone"),
    [("stay", [[3, 6, 8], [3, 6, 7], [9]], [3]), ("discard", [[3], [3], [9]], [3, 6, 6, 7, 8])],
)
def test_tie_break_cards_stay_or_go(tiebreak_cards: str, left: list[list[int]], gone: list[int]) -> None:
    match = shown([3, 5], [3, 5], [9, 5], tiebreak_cards=tiebreak_cards)
    play(match, cards(6, 3, 6, 8))
    assert rows(match) == [[3, 6, 8], [3, 6], [9]]
    play(match, cards(7))
    assert match.acting == (1,) and rows(match) == left and discards(match) == gone
    assert match.struct.discard_size == len(gone) and fields(whole(match), rules.STRUCT)["choice"] == [-1] * 8
    take(match, 6)
    assert rows(match)[1] == ([] if tiebreak_cards == "stay" else [3, 6])


@pytest.mark.rule("HT-4")
@pytest.mark.parametrize("tiebreak_cards", ["stay", "discard"])
def test_with_no_card_left_one_of_all_being_compared_is_picked(tiebreak_cards: str) -> None:
    match = shown([2], [3], [2], [2], deck="0-4-2-1", tiebreak_cards=tiebreak_cards)
    assert match.chances() == {"card 2": 1, "card 3": 1, "card 4": 1}
    play(match, "card 2")
    assert discards(match) == [2] and match.struct.turn == 0
    play(match, "card 3, card 4")
    assert not match.acting and match.chances() == {"seat 0": 1, "seat 2": 1, "seat 3": 1} and total_weight(match) == 3
    assert names(match, 3) == set() and deck(match) == 0
    play(match, "seat 2")
    assert match.acting == (2,) and match.struct.first == 2 and match.struct.round == 1
    assert rows(match) == ([[2, 3], [3], [2, 4], [2]] if tiebreak_cards == "stay" else [[2], [3], [2], [2]])
    assert discards(match) == ([2] if tiebreak_cards == "stay" else [2, 3, 4])


# --- rounds ---
@pytest.mark.rule("HT-6")
def test_who_is_out_has_no_turn() -> None:
    match = shown([2, 4], [7, 2], [9, 1], [5, 8])
    take(match, 8, 7)  # seat 1 makes a pair
    assert match.acting == (2,) and inside(match) == [0, 2, 3]
    take(match, 8, 9)
    play(match, "0: play 4")
    assert match.acting == (2,) and names(match, 1) == set()
    assert refusals(match, 1) == {"show 5": "HT-3", "take": "HT-6", "fold": "HT-6", "play 5": "HT-6"}
    assert refusals(match, 0) == refusals(match, 1)


@pytest.mark.rule("HT-7")
def test_in_a_deck_round_the_card_comes_from_the_deck() -> None:
    match = shown([2, 5], [7, 5])
    assert match.legal_ids(0) == [10, 11] and names(match, 0) == {"take", "fold"}
    assert refusals(match, 0) == {"show 5": "HT-3", "take": "", "fold": "", "play 5": "HT-7"}
    assert reasons(match, 0, "play 5", "play 6", "show 5") == [rules.DECK_ROUND] * 2 + [rules.NO_SHOW]
    play(match, "0: take")
    assert not match.acting and match.chances()["card 5"] == 7 and total_weight(match) == 86
    assert reasons(match, 0, "take", "fold") == [rules.NO_TURN] * 2
    play(match, "card 9")
    assert rows(match) == [[2, 9], [7]] and hands(match) == [[5], [5]] and deck(match) == 85
    assert match.struct.deck_left == 85 and match.acting == (1,)


@pytest.mark.rule("HT-7")
def test_in_a_hand_round_the_card_comes_from_the_hand() -> None:
    match = take(shown([2, 5, 10, 10], [7, 1, 3, 5]), 9, 9)
    assert match.legal_ids(0) == [11, 16, 21] and names(match, 0) == {"fold", "play 5", "play 10"}
    assert refusals(match, 0) == {"show 5": "HT-3", "take": "HT-7", "fold": "", "play 5": ""}
    assert reasons(match, 0, "take", "play 4", "play 6", "play 9") == [rules.HAND_ROUND] + [rules.PLAY_NOT_HELD] * 3
    assert refusal(match, 0, "play 4") == "HT-7"
    play(match, "0: play 10")
    assert rows(match) == [[2, 9, 10], [7, 9]] and hands(match)[0] == [5, 10] and match.struct.held[0] == 2
    assert names(match, 1) == {"fold", "play 1", "play 3", "play 5"}


@pytest.mark.rule("HT-8", "HT-10")
@pytest.mark.parametrize("rank", [1, 2, 9, 10])
def test_a_pair_costs_its_rank(rank: int) -> None:
    match = shown([rank, 5], [rank, 5], [rank, 5])
    play(match, cards(3, 4, 4))
    assert match.acting == (0,)
    take(match, rank)
    assert chips(match) == [99 - rank, 99, 99] and pot(match) == 3 + rank and inside(match) == [1, 2]
    assert rows(match)[0] == [] and discards(match) == sorted([3, rank, rank])
    assert match.struct.discard_size == 3 and match.acting == (1,)


@pytest.mark.rule("HT-9")
@pytest.mark.parametrize(
    ("fold_price", "first_cards", "prices"),
    [
        ("table", (4, 7, 9), [4, 7]),
        ("own", (4, 7, 9), [4, 7]),
        ("table", (4, 9, 7), [4, 7]),
        ("own", (4, 9, 7), [4, 9]),
        ("table", (1, 10, 2), [1, 2]),
        ("own", (1, 10, 2), [1, 10]),
    ],
)
def test_folding_costs_the_lowest_card(fold_price: str, first_cards: Sequence[int], prices: list[int]) -> None:
    match = shown(*([rank, 5] for rank in first_cards), fold_price=fold_price)
    play(match, "0: fold")
    assert chips(match) == [99 - prices[0], 99, 99] and pot(match) == 3 + prices[0]
    assert inside(match) == [1, 2] and rows(match)[0] == [] and discards(match) == [first_cards[0]]
    play(match, "1: fold")
    assert match.over and chips(match)[1] == 99 - prices[1]
    assert chips(match)[2] == 99 + 3 + sum(prices)


@pytest.mark.rule("HT-10")
def test_the_hand_of_an_out_player_stays_hidden_for_good() -> None:
    match = play(shown([2, 5, 9], [6, 5, 1], [7, 8, 4]), "0: fold")
    assert zone(match, -1, "hand-0").hidden == zone(match, 1, "hand-0").hidden == 2
    assert ranks(match, 0, "hand-0") == [5, 9]
    play(match, "1: fold")
    assert match.over
    for p in range(3):
        assert zone(match, -1, f"hand-{p}").hidden == 2 and ranks(match, -1, f"hand-{p}") == []
    known = fields(match.concealed(1), rules.STRUCT)
    assert [sum(hand) for hand in known["hand"]] == [0, 2, 0, 0, 0, 0, 0, 0]


@pytest.mark.rule("HT-11")
@pytest.mark.parametrize("empty_hand", ["fold", "draw"])
def test_an_empty_hand_in_a_hand_round(empty_hand: str) -> None:
    match = take(shown([2], [6], [7], empty_hand=empty_hand), 9, 9, 9)
    assert match.struct.round == 2
    if empty_hand == "fold":
        assert match.legal_ids(0) == [11]
        assert refusals(match, 0) == {"show 5": "HT-3", "take": "HT-11", "fold": "", "play 5": "HT-7"}
        assert reasons(match, 0, "take", "play 5") == [rules.MUST_FOLD, rules.PLAY_NOT_HELD]
    else:
        assert match.legal_ids(0) == [10, 11]
        assert refusals(match, 0) == {"show 5": "HT-3", "take": "", "fold": "", "play 5": "HT-7"}
        assert reasons(match, 0, "play 5") == [rules.DECK_ROUND]
        take(match, 4, 6)  # the second makes a pair
        assert rows(match) == [[2, 4, 9], [], [7, 9]] and match.acting == (2,)


@pytest.mark.rule("HT-11", "HT-15")
def test_an_empty_deck_is_made_anew_from_the_discards() -> None:
    match = stage(NAME, 3, cards(2, 4, 3, 5, 6, 6), deck="0-3-1-1-1-2", hand_cards=2)
    play(match, "0: show 2, 1: show 4, 2: show 3")
    assert deck(match) == 2 and zone(match, -1, "deck").note is None
    take(match, 2)  # seat 0 is out, for 2; two 2s among the discards
    assert match.acting == (1,) and discards(match) == [2, 2] and deck(match) == 1
    take(match, 2)
    assert deck(match) == 0 and match.struct.reshuffled == 0
    assert names(match, 2) == {"take", "fold"}
    play(match, "2: take")
    assert match.chances() == {"card 2": 2} and total_weight(match) == 2
    assert deck(match) == 2 and discards(match) == [] and match.struct.discard_size == 0
    assert match.struct.reshuffled == 1 and zone(match, -1, "deck").note is not None
    play(match, "card 2")
    assert rows(match) == [[], [2, 4], [2, 3]] and deck(match) == 1 and match.struct.round == 2


@pytest.mark.rule("HT-11")
def test_a_reshuffle_is_no_new_deal() -> None:
    match = stage(NAME, 3, cards(2, 4, 3), deck="0-3-1-1", hand_cards=1)
    play(match, "0: show 2, 1: show 4, 2: show 3, 0: take, card 2")
    draws = match.struct.draws
    assert match.struct.deal == 1 and draws == 4
    play(match, "1: take, card 2, 2: take, card 2")
    assert match.struct.deal == 1 and match.struct.draws == 6 and match.struct.reshuffled == 1


@pytest.mark.rule("HT-11")
@pytest.mark.parametrize("empty_hand", ["fold", "draw"])
def test_without_deck_and_discards_a_card_comes_from_the_hand_or_none(empty_hand: str) -> None:
    match = shown([2, 5], [3, 6], deck="0-1-1-0-1-1", empty_hand=empty_hand)
    assert deck(match) == 0 and names(match, 0) == {"fold", "play 5"} and match.struct.round == 1
    assert refusals(match, 0) == {"show 5": "HT-3", "take": "HT-11", "fold": "", "play 5": ""}
    assert reasons(match, 0, "take", "play 6") == [rules.NO_CARDS, rules.PLAY_NOT_HELD]
    assert str(lesson(match, 0).title) == "The deck has run out: play a card, or fold"
    play(match, "0: play 5, 1: play 6")
    assert rows(match) == [[2, 5], [3, 6]] and match.struct.round == 2
    expected = rules.MUST_FOLD if empty_hand == "fold" else rules.NO_CARDS
    assert match.legal_ids(0) == [11] and reasons(match, 0, "take") == [expected]
    play(match, "0: fold")
    assert match.over and chips(match) == [97, 103]


@pytest.mark.rule("HT-12")
def test_the_last_player_wins_the_pot_in_the_middle_of_a_round() -> None:
    match = shown([2, 5], [3, 5], [4, 5])
    take(match, 2)
    assert not match.over
    take(match, 3)
    assert match.over and chips(match) == [97, 96, 107] and pot(match) == 0 and match.acting == ()
    assert match.ending == "deals played" and match.struct.round == 1
    assert all(names(match, p) == set() for p in range(3))
    assert [refusals(match, p) for p in range(3)] == [
        {"show 5": "HT-3", "take": "HT-6", "fold": "HT-6", "play 5": "HT-6"}
    ] * 3


@pytest.mark.rule("HT-4", "HT-8", "HT-9", "HT-12")
def test_the_example_of_the_rules_page() -> None:
    match = dealt([2, 4, 7, 8, 10], [3, 4, 5, 9, 10], [1, 6, 7, 8, 9])
    assert pot(match) == 3 and chips(match) == [99] * 3
    play(match, "0: show 4, 1: show 4, 2: show 7", cards(9, 6))
    assert match.acting == (1,)
    take(match, 8, 7, 5)
    assert pot(match) == 10 and rows(match) == [[4, 5, 9], [4, 6, 8], []]
    play(match, "1: play 3, 0: play 2")
    assert rows(match) == [[2, 4, 5, 9], [3, 4, 6, 8], []]
    play(match, "1: fold")
    assert match.over and chips(match) == [111, 97, 92] and match.returns() == (11, -3, -8)


# --- a session ---
@pytest.mark.rule("HT-13")
def test_a_payment_is_capped_at_the_chips_a_player_has() -> None:
    match = take(shown([5], [8], [9], chips=4), 5)
    assert chips(match) == [0, 3, 3] and pot(match) == 6 and inside(match) == [1, 2]
    play(match, "1: fold")
    assert match.over and chips(match) == [0, 0, 12] and match.ending == "deals played"
    match = play(shown([2], [8], chips=3), "0: fold")  # just enough
    assert chips(match) == [0, 6]
    match = play(shown([3], [8], chips=3), "0: fold")
    assert chips(match) == [0, 6]
    match = play(shown([1], [8], chips=3), "0: fold")
    assert chips(match) == [1, 5]


@pytest.mark.rule("HT-13")
def test_the_session_ends_when_fewer_than_two_can_ante() -> None:
    match = play(shown([2], [8], chips=3, deals=2), "0: fold")
    assert match.over and match.ending == "too few can ante" and chips(match) == [0, 6] and match.struct.deal == 1
    assert match.returns() == (-3, 3) and match.acting == ()
    match = play(shown([1], [8], chips=3, deals=2), "0: fold")
    assert not match.over and chips(match) == [0, 4] and pot(match) == 2 and match.struct.deal == 2
    match = play(shown([8], [2], chips=3, deals=2), "1: fold")
    assert match.over and match.struct.over == 1 and match.ending == "too few can ante" and chips(match) == [6, 0]
    match = play(shown([1], [8], chips=1), "0: fold")  # both ends at once: the deals are played
    assert match.over and match.ending == "deals played" and chips(match) == [0, 2]


def sitting_out(**options: Any) -> Match:
    """Deal 2 begins; seat 0 has no chip left."""
    match = take(shown([3], [5], [7], chips=4, deals=3, **options), 3, 1)
    return play(match, "2: fold")


@pytest.mark.rule("HT-13")
def test_who_has_no_chip_for_the_ante_sits_the_deal_out() -> None:
    match = sitting_out()
    assert chips(match) == [0, 9, 1] and pot(match) == 2 and match.struct.turn == 1 and match.struct.due == 2
    assert zone(match, -1, "row-0").note is not None and zone(match, -1, "row-1").note is None
    play(match, cards(6, 6))
    assert hands(match) == [[], [6], [6]] and match.acting == (1, 2)
    assert names(match, 0) == set() and refusal(match, 0, "show 6") == "HT-3"
    play(match, "1: show 6, 2: show 6")
    assert match.struct.tied == 0b110 and rows(match) == [[], [6], [6]]
    play(match, cards(9, 8))
    assert match.acting == (2,)
    take(match, 9, 10)
    assert match.struct.round == 2 and match.acting == (2,)  # seat 0 is passed over
    play(match, "2: fold")
    assert match.over and match.ending == "too few can ante" and chips(match) == [0, 12, 0]


@pytest.mark.rule("HT-13")
def test_a_new_deal_begins_with_all_cards_and_nothing_on_the_table() -> None:
    deck_now = "0-3-1-1-0-2"
    match = stage(NAME, 3, cards(2, 4, 3, 6, 6, 2), deck=deck_now, hand_cards=2, deals=2)
    play(match, "0: show 2, 1: show 4, 2: show 3")
    take(match, 2)
    play(match, "1: take, card 2, 2: fold")
    fresh = fields(whole(stage(NAME, 3, deck=deck_now, hand_cards=2, deals=2)), rules.STRUCT)
    again = fields(whole(match), rules.STRUCT)
    assert (fresh["deal"], again["deal"], again["draws"]) == (1, 2, 0)
    for name in ("deal", "history", "purse"):
        del fresh[name], again[name]
    assert again == fresh


@pytest.mark.rule("HT-13")
def test_a_reshuffled_deck_is_forgotten_in_the_next_deal() -> None:
    match = stage(NAME, 3, cards(2, 4, 3), deck="0-3-1-1", hand_cards=1, deals=2)
    play(match, "0: show 2, 1: show 4, 2: show 3, 0: take, card 2, 1: take, card 2, 2: take")
    assert match.struct.reshuffled == 1
    play(match, "card 2, 1: fold")
    assert match.struct.deal == 2 and match.struct.reshuffled == 0 and match.struct.draws == 0
    assert match.chances() == {"card 2": 3, "card 3": 1, "card 4": 1}


@pytest.mark.rule("HT-13")
def test_most_chips_win_and_ties_share() -> None:
    match = stage(NAME, 2, cards(1, 9), "0: show 1, 1: show 9, 0: fold", cards(9, 1), hand_cards=1, deals=2)
    play(match, "0: show 9, 1: show 1, 1: fold")
    assert match.returns() == (0, 0)
    first, second = (str(text) for text in match.view(-1).outcome_texts)
    assert first == second and "shared" in first
    match = play(shown([2], [8]), "0: fold")
    assert [str(text).split()[0] for text in match.view(-1).outcome_texts] == ["ended", "won"]


@pytest.mark.rule("HT-14")
def test_utility_is_the_chips_won_or_lost() -> None:
    match = take(shown([5], [8], [9], chips=50), 5)
    play(match, "1: fold")
    assert match.returns() == (-6, -9, 15) and sum(match.returns()) == 0


# --- what a player knows ---
def assert_worlds(match: Match) -> None:
    """All seats and the public think possible what the rules let them, each world as likely as it is."""
    for seat in range(-1, match.game.players):
        known = fields(match.concealed(seat), rules.STRUCT)
        assert redealt(match, seat, lambda w: oracle.world(fields(w, rules.STRUCT))) == oracle.worlds(known, seat)


@pytest.mark.rule("HT-15")
def test_hands_and_deck_are_one_bag() -> None:
    match = shown([2, 5], [3, 6], [4, 6], deck="0-1-2-1-1-2")
    known = fields(match.concealed(1), rules.STRUCT)
    assert known["stock"] == [0, 0, 1, 0, 1, 1, 0, 0, 0, 0] and known["others"] == [0] * 10
    assert known["hand"][:3] == [[0] * 10, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0], [0] * 10]
    assert known["held"][:3] == [1, 1, 1] and known["deck_left"] == 1
    public = fields(match.concealed(-1), rules.STRUCT)
    assert public["stock"] == [0, 0, 1, 0, 1, 2, 0, 0, 0, 0] and not any(map(any, public["hand"]))


@pytest.mark.rule("HT-15")
def test_the_worlds_a_seat_thinks_possible() -> None:
    match = stage(NAME, 3, cards(2, 3), deck="1-2-3", hand_cards=1)
    assert_worlds(match)
    assert_worlds(play(match, "card 3"))
    assert_worlds(play(match, "1: show 3"))
    match = play(dealt([1, 2], [2, 3], deck="1-2-2-1"), "1: show 2")
    assert_worlds(match)
    assert_worlds(take(play(match, "0: show 1"), 3))


@pytest.mark.rule("HT-15")
def test_a_secret_choice_may_be_any_rank_of_the_hand() -> None:
    match = play(dealt([1, 1, 2], [2, 3, 3], deck="2-2-2"), "0: show 2")
    choices = redealt(match, 1, lambda w: fields(w, rules.STRUCT)["choice"][0])
    assert choices == {0: Fraction(1, 2), 1: Fraction(1, 2)}
    own = redealt(match, 0, lambda w: fields(w, rules.STRUCT)["choice"][0])
    assert own == {1: 1}
    play(match, "1: show 3")
    assert match.concealed(-1) != whole(match) and rows(match) == [[2], [3]]


def two_bags() -> Match:
    """Seats 0 and 1 are out, their 5 and 6 hidden; seat 2 takes from a deck made of their rows."""
    match = shown([2, 5], [3, 6], [4, 7], [8, 9], deck="0-1-1-1-1-1-1-1-1")
    return play(match, "0: fold, 1: fold, 2: take")


@pytest.mark.rule("HT-15")
def test_after_a_reshuffle_the_deck_is_known_and_the_hands_are_a_bag_of_their_own() -> None:
    match = two_bags()
    known = fields(match.concealed(2), rules.STRUCT)
    assert known["stock"] == [0, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    assert known["others"] == [0, 0, 0, 0, 1, 1, 0, 0, 1, 0]
    assert match.struct.reshuffled == 1 and not any(fields(whole(match), rules.STRUCT)["others"])
    assert_worlds(match)
    hand = redealt(match, 2, lambda w: tuple(map(sum, fields(w, rules.STRUCT)["hand"]))[:4])
    assert hand == {(1, 1, 1, 1): 1}


@pytest.mark.rule("HT-15")
def test_what_happens_in_secret_does_not_enter_the_history() -> None:
    one, other = dealt([4, 9], [5, 8]), dealt([4, 2], [5, 3])
    assert one.struct.history == other.struct.history == 0 and one.concealed(-1) == other.concealed(-1)
    assert play(one, "0: show 4").concealed(1) != play(other, "0: show 2").concealed(1)  # another own hand
    assert one.concealed(-1) == other.concealed(-1) and one.struct.history == 0
    play(one, "1: show 5")
    play(other, "1: show 5")
    assert one.struct.history != other.struct.history != 0


@pytest.mark.rule("HT-15")
def test_every_public_event_enters_the_history() -> None:
    match = shown([3, 5], [3, 7], [9, 4])
    seen = {0, match.struct.history}
    for event in ("card 8", "card 6", "1: take", "card 5", "2: take", "card 2", "0: take", "card 1", "1: play 7"):
        play(match, event)
        seen.add(match.struct.history)
    play(match, "2: fold")
    assert len(seen | {match.struct.history}) == 12
    ends = [play(shown([3, 5], [3, 7], deck="0-0-2-0-1-0-1"), f"seat {p}").struct.history for p in (0, 1)]
    taken = [take(shown([2, 5], [3, 7]), rank).struct.history for rank in (4, 5)]
    tied = [play(shown([3, 5], [3, 7]), f"card {rank}").struct.history for rank in (4, 5)]
    plays = [play(take(shown([2, 5, 6], [3, 7, 7]), 8, 8), f"0: play {rank}").struct.history for rank in (5, 6)]
    assert len({*ends, *taken, *tied, *plays}) == 8


@pytest.mark.rule("HT-15")
def test_the_first_cards_enter_the_history_in_seat_order() -> None:
    histories = {
        play(dealt([1, 2], [1, 2], [4, 5], deck=ROOMY), *order).struct.history
        for order in (("0: show 1", "1: show 2", "2: show 4"), ("2: show 4", "1: show 2", "0: show 1"))
    }
    swapped = play(dealt([1, 2], [1, 2], [4, 5], deck=ROOMY), "0: show 2, 1: show 1, 2: show 4")
    assert len(histories) == 1 and swapped.struct.history not in histories


def bits(*seats: int) -> list[int]:
    return [int(k in seats) for k in range(8)]


def counts(**of_ranks: int) -> list[int]:
    """`counts(r5=2)`: two cards of rank 5."""
    return [of_ranks.get(f"r{rank}", 0) for rank in range(1, 11)]


@pytest.mark.rule("HT-15")
@seen
def test_an_observation_while_dealing_and_choosing() -> str:
    match = stage(NAME, 3, cards(2, 4, 6), hand_cards=2, chips=10_000, deals=121)
    found = [observations(match, 2)]
    found.append(observations(play(match, cards(3, 5, 7), "1: show 5"), 1, 2))
    return "\n".join([*found, observations(play(match, "0: show 3"), 0, -1)])


@pytest.mark.rule("HT-15")
@seen
def test_an_observation_of_a_tie() -> str:
    match = play(shown([9, 5], [3, 7], [3, 4], tiebreak_cards="discard"), "card 8")
    other = shown([2], [2], deck="0-2", fold_price="own", empty_hand="draw")
    return observations(match, 2, -1) + "\n" + observations(other, 1)


@pytest.mark.rule("HT-15")
@seen
def test_an_observation_of_a_round() -> str:
    match = take(shown([3, 5], [6, 7], [9, 4], chips=345), 3)
    return observations(match, 2) + "\n" + observations(play(match, "1: take"), 0, 1)


@pytest.mark.rule("HT-15")
@seen
def test_an_observation_after_a_reshuffle() -> str:
    return observations(two_bags(), 2)


@pytest.mark.rule("HT-15")
@seen
def test_an_observation_of_many_chips() -> str:
    return observations(play(shown([2], [8], chips=10_000), "0: fold"), 1)


@pytest.mark.rule("HT-15")
def test_choices_of_others_are_theirs_to_choose_again() -> None:
    assert_others_choose_again(hexdeck.game(NAME, 4, deals=3).match(2), "choice", 3)


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "hawthorn", matches=3)
