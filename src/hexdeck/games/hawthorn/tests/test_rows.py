"""Hawthorn: what happens, step by step."""

import pytest

import hexdeck
from hexdeck.games.hawthorn import rules
from tests.steps import after, assert_all_see_the_same_steps, seen
from tests.support import cards, play

from .test_rules import dealt, shown, take


# --- the first cards, and who goes first ----------------------------------------------------------------------------
@seen
def test_first_cards_lie_face_down_before_all_flip_at_once_and_the_marker_moves() -> str:
    return after(play(dealt([4, 5], [2, 9], [8, 4]), "0: show 4, 1: show 2"), "2: show 8", seat=1)


@seen
def test_a_tie_is_lit_and_a_card_lands_on_each_of_those_rows_until_one_is_lowest() -> str:
    match = play(dealt([4, 5], [4, 9], [8, 3]), "0: show 4, 1: show 4, 2: show 8")
    return after(match, "card 6, card 6, card 9, card 7", seat=1)


@seen
def test_a_card_that_settles_a_tie_lies_there_before_it_is_discarded_or_replaced() -> str:
    match = play(dealt([4, 5], [4, 9], tiebreak_cards="discard"), "0: show 4")
    return after(match, "1: show 4, card 4, card 7, card 6")


@seen
def test_a_lot_for_the_lowest_is_shown_before_the_marker_moves() -> str:
    return after(shown([2], [2], deck="0-2-0-0-0-0-0-0-0-0"), "seat 1", seat=0)


# --- a turn ---------------------------------------------------------------------------------------------------------
@seen
def test_in_a_deck_round_a_breath_is_held_before_the_card_turns_up_and_lands() -> str:
    return after(shown([2, 5], [8, 9], [9, 4]), "0: take, card 7")


@seen
def test_in_a_hand_round_the_card_comes_from_the_hand() -> str:
    matches = [take(shown([2, 5], [8, 9], [9, 4]), 3, 3, 3) for _ in range(2)]
    return "\n".join(after(match, "0: play 5", seat=seat) for seat, match in enumerate(matches))


@seen
def test_the_twins_of_a_pair_lie_on_the_row_before_it_is_paid_for_and_turned_down() -> str:
    return after(take(shown([2, 5], [8, 9], [9, 4]), 3), "1: take, card 8", seat=1)


def test_what_a_pair_costs_is_told_as_the_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "pair_price", lambda r: 2 * (r + 1))
    told = after(take(shown([2, 5], [8, 9], [9, 4]), 3), "1: take, card 8", seat=1)
    assert told.count("You are out and pay 16 chips.") == 2
    for taken in (3,), (3, 3, 3):
        match = take(shown([2, 5], [8, 9], [9, 4]), *taken)
        told = str(match.view(match.actor).prompt)
        assert "or fold for 2 chips." in told and "A pair" not in told


@seen
def test_a_pair_from_the_hand_lands_from_the_hand() -> str:
    return after(take(shown([2, 3], [8, 9], [9, 4]), 3, 3, 3), "0: play 3")


@seen
def test_a_fold_lights_what_set_its_price_then_chips_fly() -> str:
    found = []
    for price in ("table", "own"):
        match = take(shown([2, 5], [8, 9], [3, 2], fold_price=price), 6, 9, 2)
        found.append(after(play(match, "0: play 5"), "1: fold", seat=1 if price == "own" else -1))
    return "\n".join(found)


@seen
def test_discards_are_shuffled_before_a_card_is_taken_from_them() -> str:
    match = shown([4, 5, 8], [5, 2, 2], [6, 7, 8], deck="0-2-0-1-2-1-1-2-1-1")
    play(take(match, 10, 9), "2: play 7, 0: play 5, 1: fold, 2: play 8")
    return after(match, "0: take, card 5", seat=1)


@seen
def test_the_last_card_of_a_shuffled_deck_leaves_nothing_said_of_it() -> str:
    match = shown([4, 5, 8], [9, 2, 2], [6, 7, 8], deck="0-2-0-1-1-1-1-2-1-1")
    return after(play(take(match, 10), "1: fold"), "2: take, card 9, 0: play 5")


# --- the end of a deal ----------------------------------------------------------------------------------------------
@seen
def test_the_pot_runs_to_the_last_one_in() -> str:
    return after(take(shown([2, 5], [8, 9]), 3), "1: take, card 8", seat=0)


@seen
def test_a_deal_is_seen_to_its_end_before_the_next_begins() -> str:
    return after(shown([2, 5], [8, 9], deals=2), "0: fold", cards(2, 3, 4, 5))


@seen
def test_those_who_sit_out_are_shown_together_as_a_deal_begins() -> str:
    match = take(play(shown([3, 5], [8, 9], [9, 4], chips=4, deals=3), "0: fold"), 2)
    one = after(play(match, "2: fold"), cards(2, 3, 4, 5), seat=0)
    match = play(shown([3, 5], [8, 9], [9, 4], [9, 4], chips=4, deals=3), "0: fold, 1: fold")
    return f"{one}\n{after(play(take(match, 2, 5), '2: fold'), cards(2, 3, 4, 5))}"


@seen
def test_where_too_few_can_go_on_that_is_said_last() -> str:
    return after(shown([2, 5], [8, 9], chips=2, deals=3), "0: fold")


def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session() -> None:
    for players in (2, 3):
        match = hexdeck.game("hawthorn", players, deals=2, chips=20).match(by_hand=True, backend="interpreted")
        assert_all_see_the_same_steps(match, 55, 20 * players)
