"""Blackstone: what happens, step by step."""

import hexdeck
from hexdeck.engine.play.match import Match
from tests.steps import after, assert_all_see_the_same_steps, seen
from tests.support import cards, play, stage

from .test_rules import NAME, dealt, draw


# --- who goes first -------------------------------------------------------------------------------------------------
@seen("""
    deal 300 stones-2.0 @2 Seat 2 is dealt 10. {stones-2: 10; deck: +52 (9 black stones in it)}
    reveal 1100 stones-1.0 @1 Seat 1 has the lowest card and goes first.
    place 600 centre, white 2 white stones lie in the centre.
    """)
def test_the_last_card_dealt_lies_there_and_the_lowest_is_lit_before_white_stones_go_to_the_centre() -> str:
    return after(stage(NAME, 3, "card 7, card 3"), "card 10")


@seen("""
    deal 300 stones-2.0 @2 Seat 2 is dealt 3. {stones-2: 3; deck: +52 (10 black stones in it)}
    reveal 600 stones-0, stones-2 @0,2 Tied for lowest: each of those players gets one more card.
    deal 300 stones-0.1 @0 Seat 0 is dealt 9. {stones-0: 3 9; deck: +51 (10 black stones in it)}
    deal 300 stones-2.1 @2 Seat 2 is dealt 8. {stones-2: 3 8; deck: +50 (10 black stones in it)}
    reveal 1100 stones-2.1 @2 Seat 2 has the lowest card and goes first.
    place 600 centre, white 5 white stones lie in the centre.
    """)
def test_equal_lowest_cards_are_lit_and_each_gets_another() -> str:
    return after(stage(NAME, 3, "card 3, card 7"), "card 3, card 9, card 8")


@seen("""
    deal 300 stones-0.1 @0 You are dealt 10 again: it is set aside. {stones-0: 10 10; deck: +52 (7 black stones in
      it)}
    place 600 aside @0 You are dealt 10 again: it is set aside. {stones-0: 10; aside: 10}
    deal 300 stones-1.0 @1 Seat 1 is dealt 4. {stones-1: 4 10; deck: +51 (7 black stones in it)}
    reveal 1100 stones-1.0 @1 Seat 1 has the lowest card and goes first.
    place 600 centre, white 1 white stone lies in the centre.
    """)
def test_a_further_ten_lies_there_before_it_is_set_aside() -> str:
    return after(stage(NAME, 2, "card 10, card 10"), "card 10, card 4", seat=0)


@seen("""
    deal 300 stones-1.1 @1 Seat 1 is dealt 10 again: it is set aside. {stones-1: 10 10; deck: +51 (7 black stones in
      it)}
    place 600 aside @1 Seat 1 is dealt 10 again: it is set aside. {stones-1: 10; aside: 10}
    reveal 1100 stones-0.0 @0 Seat 0 has the lowest card and goes first.
    place 600 centre, white 1 white stone lies in the centre.
    """)
def test_a_further_ten_is_set_aside_before_somebody_else_is_the_lowest() -> str:
    return after(stage(NAME, 2, "card 10, card 10, card 1"), "card 10")


@seen("""
    deal 300 stones-1.0 @1 Seat 1 is dealt 3. {stones-1: 3; deck: (0 black stones in it)}
    reveal 600 stones-0, stones-1 @0,1 The deck is empty: the first player is chosen at random.
    reveal 1100 stones-1 @1 Chosen at random: Seat 1 goes first.
    place 600 centre, white 2 white stones lie in the centre.
    """)
def test_a_lot_for_the_first_player_is_shown_before_white_stones_go_to_the_centre() -> str:
    return after(stage(NAME, 2, "card 3", deck="0-0-2-0-0-0-0-0-0-0"), "card 3, seat 1")


# --- a turn ---------------------------------------------------------------------------------------------------------
@seen("""
    reveal 500 deck @0 You draw 1 card. "One card."
    place 500 centre.2, white @0 You turn up 8. {centre: 1 8 8 9; white: =4; deck: +51 (10 black stones in it);
      minimum: =0}
    reveal 300 deck @0 You draw one more card. "One more."
    """)
def test_a_white_stone_goes_to_the_centre_and_is_counted() -> str:
    return after(dealt(1, 8, 9), "0: draw, card 8, 0: draw", seat=0)


@seen("""
    reveal 500 deck @0 Seat 0 draws 1 card. "One card."
    bad 1100 stones-0.0 @0 Seat 0 turns up a black stone. One… "One…"
    reveal 500 deck @0 You draw 1 card. "One card."
    bad 1100 stones-0.0 @0 You turn up a black stone. One… "One…"
    """)
def test_a_first_black_stone_lands_heavy_before_its_seat() -> str:
    return "\n".join(after(dealt(1, 8, 9), "0: draw, card 10", seat=seat) for seat in (-1, 0))


@seen("""
    place 500 stones-0 @0 You stop after 2 cards. "Enough."
    reveal 600 deck @1 Seat 1 must draw 2 cards or more, or fold.
    place 500 stones-0 @0 Seat 0 stops after 2 cards. "Enough."
    reveal 600 deck @1 You must draw 2 cards or more, or fold.
    """)
def test_after_a_stop_a_breath_says_what_the_next_player_must_draw() -> str:
    begun = [play(dealt(1, 8, 9), "0: draw, card 3, 0: draw, card 4") for _ in range(2)]
    return "\n".join(after(match, "0: stop", seat=seat) for seat, match in enumerate(begun))


@seen("""
    place 500 centre.2, white @0 Seat 0 turns up 4. {centre: 1 3 4 8 9; white: =5; deck: +50 (10 black stones in
      it)}
    reveal 600 deck @1 Seat 1 must draw 2 cards or more, or fold.
    """)
def test_a_turn_that_ends_with_its_last_card_is_followed_by_the_same_breath() -> str:
    return after(play(dealt(1, 8, 9, drawing="announced"), "0: announce 2, card 3"), "card 4")


@seen("""
    reveal 1100 stake-1, white @1 Seat 1 folds: stake 5 + 3 (half of 5 white stones) = 8 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 8 chips.
    reveal 1100 stake-1, white @1 You fold: stake 5 + 3 (half of 6 white stones) = 8 chips. "Fold."
    chips 600 chips-1, pot @1 You fold and pay 8 chips.
    reveal 1100 stake-1, white @1 Seat 1 folds: stake 5 + 4 (half of 7 white stones) = 9 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 9 chips.
    """)
def test_the_price_of_a_fold_is_spelled_out_before_chips_fly() -> str:
    folds = ([2, 3], -1), ([2, 3, 4], 1), ([2, 3, 4, 5], -1)
    return "\n".join(after(draw(dealt(1, 8, 9), *whites), "1: fold", seat=seat) for whites, seat in folds)


@seen("""
    reveal 1100 stake-1, white @1 Seat 1 folds and pays 6 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 6 chips.
    """)
def test_who_has_fewer_chips_than_the_price_pays_all_of_them() -> str:
    return after(draw(dealt(1, 8, 9, chips=6), 2, 3), "1: fold")


@seen("""
    reveal 500 deck @1 Seat 1 draws 1 card. "One card."
    place 500 centre.5, white @1 Seat 1 turns up 6. {centre: 1 2 3 4 5 6; white: =6; deck: (0 black stones in it);
      minimum: =1}
    reveal 600 deck The deck is empty.
    reveal 1100 stake-1, white @1 Seat 1 folds: stake 5 + 3 (half of 6 white stones) = 8 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 8 chips.
    """)
def test_where_the_deck_ends_short_of_the_minimum_the_card_is_seen_before_the_fold() -> str:
    return after(draw(stage(NAME, 3, cards(1, 2, 3), deck="1-1-1-1-1-1-0-0-0-0"), 4, 5), "1: draw, card 6")


# --- the second black stone -----------------------------------------------------------------------------------------
def second(*others: int, **options: object) -> Match:
    """Seat 1 has a black stone and turns the next card."""
    return play(dealt(1, 10, *others, **options), "0: draw, card 7, 0: stop, 1: draw")


@seen("""
    reveal 300 deck @1 You turn up the next card…
    curse 1100 stones-1.0, stones-1.1 @1 A second black stone! You pay 9 chips. "Two!" {stones-1: 10 10 (out); deck:
      +49 (8 black stones in it); minimum: =1}
    chips 900 stake-1, chips-1, pot @1 You pay: stake 5 + 4 white stones = 9 chips. {stake-1: =0; chips-1: =91; pot:
      =9}
    good 300 chips-0 @0 Each player still in gets 4 chips. {chips-0: =99; pot: =5}
    good 300 chips-2 @2 Each player still in gets 4 chips. {chips-2: =99; pot: =1}
    reveal 600 pot 1 chip stays in the pot.
    deal 600 deck Round 2 of 2 begins.
    """)
def test_the_second_black_stone_lies_on_the_table_before_chips_fly_and_run_to_those_still_in() -> str:
    return after(play(draw(dealt(1, 10, 8, rounds=2), 7, 6), "1: draw"), "card 10", seat=1)


@seen("""
    good 600 chips-0 @0 Seat 0 gets 7 chips from the pot. {chips-0: =102; pot: =0}
    good 200 chips-0 @0 Each player still in gets 3 chips. {chips-0: =98; pot: =6}
    good 200 chips-2 @2 Each player still in gets 3 chips. {chips-2: =98; pot: =3}
    good 200 chips-3 @3 Each player still in gets 3 chips. {chips-3: =98; pot: =0}
    good 600 chips-0, chips-2, chips-3, chips-4 @0,2,3,4 Each player still in gets 2 chips. {chips-0: =97; chips-2:
      =97; chips-3: =97; chips-4: =97; pot: =2}
    """)
def test_one_player_still_in_gets_all_of_it_and_three_get_theirs_one_by_one_and_more_at_once() -> str:
    found = (after(second(*others), "card 10") for others in ([], [8, 8], [8, 8, 8]))
    return "\n".join(line for each in found for line in each.split("\n") if line.startswith("good"))


@seen("""
    reveal 300 deck @1 Seat 1 turns up the next card…
    curse 1100 stones-1.0, stones-1.1 @1 A second black stone! Seat 1 pays 5 chips. "Two!" {stones-1: 10 10 (out);
      deck: +44 (8 black stones in it); minimum: =0}
    chips 900 stake-1, chips-1, pot @1 A second black stone! Seat 1 pays 5 chips. {stake-1: =0; pot: =5}
    reveal 600 pot 5 chips stay in the pot.
    chips 600 chips-0, chips-2, chips-3, chips-4, chips-5, chips-6, chips-7, chips-8 The stakes go back to those
      still in.
    """)
def test_a_pot_too_small_to_share_stays() -> str:
    return after(second(*[8] * 7, chips=5), "card 10")


# --- the last one in, and stakes ------------------------------------------------------------------------------------
@seen("""
    reveal 1100 stake-1, white @1 Seat 1 folds: stake 5 + 2 (half of 3 white stones) = 7 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 7 chips. {stones-1: (folded); stake-1: =0; chips-1: =93; pot:
      =7}
    good 1100 chips-0 @0 Seat 0 gets 7 chips from the pot. {chips-0: =102; pot: =0}
    deal 600 deck Round 2 of 2 begins.
    """)
def test_the_pot_runs_to_the_last_one_in() -> str:
    return after(play(dealt(1, 8, rounds=2), "0: draw, card 7, 0: stop"), "1: fold")


@seen("""
    reveal 1100 pot Fewer than two players can still stake: the match is over.
    """)
def test_where_too_few_can_stake_again_that_is_said_last() -> str:
    return after(play(dealt(1, 8, rounds=2, chips=7), "0: draw, card 7, 0: stop"), "1: fold").split("\n")[-1]


@seen("""
    flip 1100 stake-0, stake-2 @0,2 Everyone shows whether they stake.
    """)
def test_secret_stakes_are_shown_together() -> str:
    return after(stage(NAME, 3, "0: stake, 1: sit", sit_out=True), "2: stake", seat=1)


@seen("""
    flip 1100 stake-2 @2 Everyone shows whether they stake. {stones-0: (sits out); stones-1: (sits out); stake-2:
      =5; chips-2: =95}
    reveal 1100 stake-2 Fewer than two players stake: there is nothing to win this round.
    deal 600 deck Round 2 of 2 begins.
    """)
def test_a_round_that_too_few_stake_in_is_seen_before_it_is_over() -> str:
    return after(stage(NAME, 3, "0: sit, 1: sit", sit_out=True, rounds=2), "2: stake")


@seen("""
    flip 1100 stake-1 @1 Everyone shows whether they stake. {stones-0: (sits out); stake-1: =5; chips-1: =95}
    reveal 1100 stake-1 Fewer than two players stake: there is nothing to win this round.
    chips 600 chips-1 The stakes go back to those still in.
    flip 1100 stones-0, stones-1 Everyone shows whether they stake. {stones-0: (sits out); stones-1: (sits out)}
    reveal 1100 stones-0, stones-1 Fewer than two players stake: there is nothing to win this round.
    """)
def test_stakes_go_back_at_the_end_of_a_session_that_too_few_stake_in() -> str:
    return "\n".join(after(stage(NAME, 2, "0: sit", sit_out=True), f"1: {each}") for each in ("stake", "sit"))


@seen("""
    chips 500 stake-0 @0 Seat 0 stakes. "I'm in." {stake-0: =5; chips-0: =95}
    place 500 stones-1 @1 Seat 1 sits this round out. "Not me." {stones-1: (sits out)}
    chips 500 stake-2 @2 Seat 2 stakes. "I'm in."
    place 500 stones-2 @2 Seat 2 sits this round out. "Not me." {stones-2: (sits out)}
    reveal 1100 stake-0 Fewer than two players stake: there is nothing to win this round.
    """)
def test_open_stakes_are_put_down_one_after_another_and_lit_if_they_are_too_few() -> str:
    begun = [stage(NAME, 3, sit_out=True, stakes="open", rounds=2) for _ in range(2)]
    few = after(play(begun[1], "0: stake, 1: sit"), "2: sit").split("\n")[:2]
    return "\n".join([after(begun[0], "0: stake, 1: sit, 2: stake"), *few])


def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session() -> None:
    for players in (2, 3):
        match = hexdeck.game(NAME, players, rounds=2, chips=20).match(by_hand=True, backend="interpreted")
        assert_all_see_the_same_steps(match, 55, 20 * players)
