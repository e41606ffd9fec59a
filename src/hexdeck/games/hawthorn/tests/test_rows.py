"""Hawthorn: what happens, step by step."""

import hexdeck
from tests.steps import after, assert_all_see_the_same_steps, seen
from tests.support import cards, play

from .test_rules import dealt, shown, take


# --- the first cards, and who goes first ----------------------------------------------------------------------------
@seen("""
    place 500 row-0, row-1, row-2 Everyone has chosen. The cards lie face down. {row-0: +1; hand-0: +1; row-1: +1;
      hand-1: 9; row-2: +1; hand-2: +1}
    flip 1100 row-0.0, row-1.0, row-2.0 The first cards of the rows are turned up. {row-0: 4; row-1: 2; row-2: 8}
    place 600 row-1 @1 You are First Player: every round begins with you.
    """)
def test_first_cards_lie_face_down_before_all_flip_at_once_and_the_marker_moves() -> str:
    return after(play(dealt([4, 5], [2, 9], [8, 4]), "0: show 4, 1: show 2"), "2: show 8", seat=1)


@seen("""
    flip 500 row-0.1 @0 A 6 for Seat 0, to settle the tie. {row-0: 4 6; deck: +48}
    flip 500 row-1.1 @1 A 6 for you, to settle the tie. {row-1: 4 6; deck: +47}
    reveal 600 row-0, row-1 @0,1 Tied for lowest: each of those players gets one more card.
    flip 500 row-0.2 @0 A 9 for Seat 0, to settle the tie. {row-0: 4 6 9; deck: +46}
    flip 500 row-1.2 @1 A 7 for you, to settle the tie. {row-1: 4 6 7; deck: +45}
    place 600 row-1 @1 You are First Player: every round begins with you.
    """)
def test_a_tie_is_lit_and_a_card_lands_on_each_of_those_rows_until_one_is_lowest() -> str:
    match = play(dealt([4, 5], [4, 9], [8, 3]), "0: show 4, 1: show 4, 2: show 8")
    return after(match, "card 6, card 6, card 9, card 7", seat=1)


@seen("""
    place 500 row-0, row-1 Everyone has chosen. The cards lie face down. {row-0: +1; hand-0: +1; row-1: +1; hand-1:
      +1}
    flip 1100 row-0.0, row-1.0 The first cards of the rows are turned up. {row-0: 4; row-1: 4}
    reveal 600 row-0, row-1 @0,1 Tied for lowest: each of those players gets one more card.
    flip 500 row-0.0, row-0.1 @0 A 4 for Seat 0, to settle the tie. {row-0: 4 4; deck: +50}
    place 600 discards @0 It makes a pair, so it is replaced. {row-0: 4; discards: 4}
    flip 500 row-0.1 @0 A 7 for Seat 0, to settle the tie. {row-0: 4 7; deck: +49}
    flip 500 row-1.1 @1 A 6 for Seat 1, to settle the tie. {row-1: 4 6; deck: +48}
    place 600 row-1 @1 Seat 1 is First Player: every round begins there.
    """)
def test_a_card_that_settles_a_tie_lies_there_before_it_is_discarded_or_replaced() -> str:
    match = play(dealt([4, 5], [4, 9], tiebreak_cards="discard"), "0: show 4")
    return after(match, "1: show 4, card 4, card 7, card 6")


@seen("""
    reveal 1100 row-1 @1 The deck has run out: chosen at random, Seat 1 counts as lowest.
    place 600 row-1 @1 Seat 1 is First Player: every round begins there.
    """)
def test_a_lot_for_the_lowest_is_shown_before_the_marker_moves() -> str:
    return after(shown([2], [2], deck="0-2-0-0-0-0-0-0-0-0"), "seat 1", seat=0)


# --- a turn ---------------------------------------------------------------------------------------------------------
@seen("""
    reveal 300 deck @0 Seat 0 takes a card. "A card, please."
    flip 500 row-0.1 @0 Seat 0 gets 7.
    """)
def test_in_a_deck_round_a_breath_is_held_before_the_card_turns_up_and_lands() -> str:
    return after(shown([2, 5], [8, 9], [9, 4]), "0: take, card 7")


@seen("""
    place 500 row-0.2 @0 You play the 5. "My own card."
    place 500 row-0.2 @0 Seat 0 plays the 5. "My own card."
    """)
def test_in_a_hand_round_the_card_comes_from_the_hand() -> str:
    matches = [take(shown([2, 5], [8, 9], [9, 4]), 3, 3, 3) for _ in range(2)]
    return "\n".join(after(match, "0: play 5", seat=seat) for seat, match in enumerate(matches))


@seen("""
    reveal 300 deck @1 You take a card. "A card, please."
    flip 500 row-1.1 @1 You get 8. {row-1: 8 8; deck: +82}
    bad 1100 row-1.0, row-1.1 @1 A pair! You are out and pay 8 chips. "A pair!"
    chips 600 chips-1, pot @1 A pair! You are out and pay 8 chips.
    """)
def test_the_twins_of_a_pair_lie_on_the_row_before_it_is_paid_for_and_turned_down() -> str:
    return after(take(shown([2, 5], [8, 9], [9, 4]), 3), "1: take, card 8", seat=1)


@seen("""
    place 500 row-0.2 @0 Seat 0 plays the 3. "My own card." {row-0: 2 3 3 (First Player); hand-0: }
    bad 1100 row-0.1, row-0.2 @0 A pair! Seat 0 is out and pays 3 chips. "A pair!"
    chips 600 chips-0, pot @0 A pair! Seat 0 is out and pays 3 chips.
    """)
def test_a_pair_from_the_hand_lands_from_the_hand() -> str:
    return after(take(shown([2, 3], [8, 9], [9, 4]), 3, 3, 3), "0: play 3")


@seen("""
    reveal 1100 row-0.0, row-2.0 @1 Seat 1 folds and pays 2 chips. "Fold."
    chips 600 chips-1, pot @1 Seat 1 folds and pays 2 chips.
    reveal 1100 row-1.0 @1 You fold and pay 8 chips. "Fold."
    chips 600 chips-1, pot @1 You fold and pay 8 chips.
    """)
def test_a_fold_lights_what_set_its_price_then_chips_fly() -> str:
    found = []
    for price in ("table", "own"):
        match = take(shown([2, 5], [8, 9], [3, 2], fold_price=price), 6, 9, 2)
        found.append(after(play(match, "0: play 5"), "1: fold", seat=1 if price == "own" else -1))
    return "\n".join(found)


@seen("""
    deal 600 deck The deck has run out: the discards are shuffled. {deck: +2 (made from the discards: 5 and 9);
      discards: }
    reveal 300 deck @0 Seat 0 takes a card. "A card, please."
    flip 500 row-0.2 @0 Seat 0 gets 5. {row-0: 4 5 5 10 (First Player); deck: +1 (made from the discards: 9)}
    bad 1100 row-0.1, row-0.2 @0 A pair! Seat 0 is out and pays 5 chips. "A pair!"
    chips 600 chips-0, pot @0 A pair! Seat 0 is out and pays 5 chips. {row-0: (First Player, out); chips-0: =94;
      pot: =12; discards: 4 5 5 10}
    good 1100 chips-2 @2 Seat 2 is the last one in and wins the pot: 12 chips. "My pot!"
    """)
def test_discards_are_shuffled_before_a_card_is_taken_from_them() -> str:
    match = shown([4, 5, 8], [5, 2, 2], [6, 7, 8], deck="0-2-0-1-2-1-1-2-1-1")
    play(take(match, 10, 9), "2: play 7, 0: play 5, 1: fold, 2: play 8")
    return after(match, "0: take, card 5", seat=1)


@seen("""
    deal 600 deck The deck has run out: the discards are shuffled. {deck: +1 (made from the discards: 9); discards:
      }
    reveal 300 deck @2 Seat 2 takes a card. "A card, please."
    flip 500 row-2.1 @2 Seat 2 gets 9. {row-2: 6 9; deck: }
    place 500 row-0.1 @0 Seat 0 plays the 5. "My own card."
    """)
def test_the_last_card_of_a_shuffled_deck_leaves_nothing_said_of_it() -> str:
    match = shown([4, 5, 8], [9, 2, 2], [6, 7, 8], deck="0-2-0-1-1-1-1-2-1-1")
    return after(play(take(match, 10), "1: fold"), "2: take, card 9, 0: play 5")


# --- the end of a deal ----------------------------------------------------------------------------------------------
@seen("""
    reveal 300 deck @1 Seat 1 takes a card. "A card, please."
    flip 500 row-1.1 @1 Seat 1 gets 8. {row-1: 8 8; deck: +84}
    bad 1100 row-1.0, row-1.1 @1 A pair! Seat 1 is out and pays 8 chips. "A pair!"
    chips 600 chips-1, pot @1 A pair! Seat 1 is out and pays 8 chips. {row-1: (out); chips-1: =91; pot: =10;
      discards: 8 8}
    good 1100 chips-0 @0 You are the last one in and win the pot: 10 chips. "My pot!"
    """)
def test_the_pot_runs_to_the_last_one_in() -> str:
    return after(take(shown([2, 5], [8, 9]), 3), "1: take, card 8", seat=0)


@seen("""
    reveal 1100 row-0.0 @0 Seat 0 folds and pays 2 chips. "Fold."
    chips 600 chips-0, pot @0 Seat 0 folds and pays 2 chips. {row-0: (First Player, out); chips-0: =97; pot: =4;
      discards: 2}
    good 1100 chips-1 @1 Seat 1 is the last one in and wins the pot: 4 chips. "My pot!" {chips-1: =103; pot: =0}
    deal 600 deck, pot All cards are gathered, and the antes for the next deal go into the pot. {row-0: ; hand-0: ;
      chips-0: =96; row-1: ; hand-1: ; chips-1: =102; pot: =2; deck: +90; discards: ; deal: =2 (of 2)}
    deal 500 deck Deal 2 of 2: everybody still playing puts a chip in the pot.
    """)
def test_a_deal_is_seen_to_its_end_before_the_next_begins() -> str:
    return after(shown([2, 5], [8, 9], deals=2), "0: fold", cards(2, 3, 4, 5))


@seen("""
    deal 500 deck Deal 2 of 3: everybody still playing puts a chip in the pot. {hand-1: +2; hand-2: +2; deck: +86}
    bad 600 chips-0 @0 You have no chips left and sit this deal out.
    deal 500 deck Deal 2 of 3: everybody still playing puts a chip in the pot. {hand-2: +2; hand-3: +2; deck: +86}
    bad 600 chips-0, chips-1 @0,1 2 players have no chips left and sit this deal out.
    """)
def test_those_who_sit_out_are_shown_together_as_a_deal_begins() -> str:
    match = take(play(shown([3, 5], [8, 9], [9, 4], chips=4, deals=3), "0: fold"), 2)
    one = after(play(match, "2: fold"), cards(2, 3, 4, 5), seat=0)
    match = play(shown([3, 5], [8, 9], [9, 4], [9, 4], chips=4, deals=3), "0: fold, 1: fold")
    return f"{one}\n{after(play(take(match, 2, 5), '2: fold'), cards(2, 3, 4, 5))}"


@seen("""
    reveal 1100 row-0.0 @0 Seat 0 folds and pays 1 chip. "Fold."
    chips 600 chips-0, pot @0 Seat 0 folds and pays 1 chip. {row-0: (First Player, out); chips-0: =0; pot: =3;
      discards: 2}
    good 1100 chips-1 @1 Seat 1 is the last one in and wins the pot: 3 chips. "My pot!" {chips-1: =4; pot: =0}
    reveal 1100 pot Fewer than two players can still pay the ante: the match is over.
    """)
def test_where_too_few_can_go_on_that_is_said_last() -> str:
    return after(shown([2, 5], [8, 9], chips=2, deals=3), "0: fold")


def test_no_card_and_no_chip_comes_or_goes_between_the_steps_of_a_session() -> None:
    for players in (2, 3):
        match = hexdeck.game("hawthorn", players, deals=2, chips=20).match(by_hand=True, backend="interpreted")
        assert_all_see_the_same_steps(match, 55, 20 * players)
