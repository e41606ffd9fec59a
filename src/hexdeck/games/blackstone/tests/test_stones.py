"""Blackstone: what happens, step by step."""

import hexdeck
from hexdeck.engine.play.match import Match
from tests.steps import after, assert_all_see_the_same_steps, seen
from tests.support import cards, play, stage

from .test_rules import NAME, dealt, draw


# --- who goes first -------------------------------------------------------------------------------------------------
@seen
def test_the_last_card_dealt_lies_there_and_the_lowest_is_lit_before_white_stones_go_to_the_centre() -> str:
    return after(stage(NAME, 3, "card 7, card 3"), "card 10")


@seen
def test_equal_lowest_cards_are_lit_and_each_gets_another() -> str:
    return after(stage(NAME, 3, "card 3, card 7"), "card 3, card 9, card 8")


@seen
def test_a_further_ten_lies_there_before_it_is_set_aside() -> str:
    return after(stage(NAME, 2, "card 10, card 10"), "card 10, card 4", seat=0)


@seen
def test_a_further_ten_is_set_aside_before_somebody_else_is_the_lowest() -> str:
    return after(stage(NAME, 2, "card 10, card 10, card 1"), "card 10")


@seen
def test_a_lot_for_the_first_player_is_shown_before_white_stones_go_to_the_centre() -> str:
    return after(stage(NAME, 2, "card 3", deck="0-0-2-0-0-0-0-0-0-0"), "card 3, seat 1")


# --- a turn ---------------------------------------------------------------------------------------------------------
@seen
def test_a_white_stone_goes_to_the_centre_and_is_counted() -> str:
    return after(dealt(1, 8, 9), "0: draw, card 8, 0: draw", seat=0)


@seen
def test_a_first_black_stone_lands_heavy_before_its_seat() -> str:
    return "\n".join(after(dealt(1, 8, 9), "0: draw, card 10", seat=seat) for seat in (-1, 0))


@seen
def test_after_a_stop_a_breath_says_what_the_next_player_must_draw() -> str:
    begun = [play(dealt(1, 8, 9), "0: draw, card 3, 0: draw, card 4") for _ in range(2)]
    return "\n".join(after(match, "0: stop", seat=seat) for seat, match in enumerate(begun))


@seen
def test_a_turn_that_ends_with_its_last_card_is_followed_by_the_same_breath() -> str:
    return after(play(dealt(1, 8, 9, drawing="announced"), "0: announce 2, card 3"), "card 4")


@seen
def test_the_price_of_a_fold_is_spelled_out_before_chips_fly() -> str:
    folds = ([2, 3], -1), ([2, 3, 4], 1), ([2, 3, 4, 5], -1)
    return "\n".join(after(draw(dealt(1, 8, 9), *whites), "1: fold", seat=seat) for whites, seat in folds)


@seen
def test_who_has_fewer_chips_than_the_price_pays_all_of_them() -> str:
    return after(draw(dealt(1, 8, 9, chips=6), 2, 3), "1: fold")


@seen
def test_where_the_deck_ends_short_of_the_minimum_the_card_is_seen_before_the_fold() -> str:
    return after(draw(stage(NAME, 3, cards(1, 2, 3), deck="1-1-1-1-1-1-0-0-0-0"), 4, 5), "1: draw, card 6")


# --- the second black stone -----------------------------------------------------------------------------------------
def second(*others: int, **options: object) -> Match:
    return play(dealt(1, 10, *others, **options), "0: draw, card 7, 0: stop, 1: draw")


@seen
def test_the_second_black_stone_lies_on_the_table_before_chips_fly_and_run_to_those_still_in() -> str:
    return after(play(draw(dealt(1, 10, 8, rounds=2), 7, 6), "1: draw"), "card 10", seat=1)


@seen
def test_one_player_still_in_gets_all_of_it_and_three_get_theirs_one_by_one_and_more_at_once() -> str:
    found = (after(second(*others), "card 10") for others in ([], [8, 8], [8, 8, 8]))
    return "\n".join(line for each in found for line in each.split("\n") if line.startswith("good"))


@seen
def test_a_pot_too_small_to_share_stays() -> str:
    return after(second(*[8] * 7, chips=5), "card 10")


# --- the last one in, and stakes ------------------------------------------------------------------------------------
@seen
def test_the_pot_runs_to_the_last_one_in() -> str:
    return after(play(dealt(1, 8, rounds=2), "0: draw, card 7, 0: stop"), "1: fold")


@seen
def test_where_too_few_can_stake_again_that_is_said_last() -> str:
    return after(play(dealt(1, 8, rounds=2, chips=7), "0: draw, card 7, 0: stop"), "1: fold").split("\n")[-1]


@seen
def test_secret_stakes_are_shown_together() -> str:
    return after(stage(NAME, 3, "0: stake, 1: sit", sit_out=True), "2: stake", seat=1)


@seen
def test_a_round_that_too_few_stake_in_is_seen_before_it_is_over() -> str:
    return after(stage(NAME, 3, "0: sit, 1: sit", sit_out=True, rounds=2), "2: stake")


@seen
def test_stakes_go_back_at_the_end_of_a_session_that_too_few_stake_in() -> str:
    return "\n".join(after(stage(NAME, 2, "0: sit", sit_out=True), f"1: {each}") for each in ("stake", "sit"))


@seen
def test_open_stakes_are_put_down_one_after_another_and_lit_if_they_are_too_few() -> str:
    begun = [stage(NAME, 3, sit_out=True, stakes="open", rounds=2) for _ in range(2)]
    few = after(play(begun[1], "0: stake, 1: sit"), "2: sit").split("\n")[:2]
    return "\n".join([after(begun[0], "0: stake, 1: sit, 2: stake"), *few])


def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session() -> None:
    for players in (2, 3):
        match = hexdeck.game(NAME, players, rounds=2, chips=20).match(by_hand=True, backend="interpreted")
        assert_all_see_the_same_steps(match, 55, 20 * players)
