"""Cursed Hand: what happens, step by step."""

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import Storyteller, moments
from hexdeck.games.cursed_hand import rules
from tests.steps import after, assert_all_see_the_same_steps, seen
from tests.support import play

from .staging import ROOMY, buried, dealt, passed


# --- a ghost hand goes round ----------------------------------------------------------------------------------------
@seen
def test_somebody_draws_and_passes_two_cards_on_face_down() -> str:
    return after(buried([3, 4, 7], [2, 5, 5], [2, 5, 5], deck=ROOMY), "card 6, 0: pair 4 6", seat=1)


@seen
def test_who_accepts_looks_then_slips_a_card_in_and_passes_it_on_and_who_passed_knows_the_rest() -> str:
    return "\n".join(after(passed([4, 9]), "1: accept, 1: add 3", seat=seat) for seat in (0, 1, 2))


# --- a ghost hand is called -----------------------------------------------------------------------------------------
@seen
def test_a_cursed_hand_turns_up_card_by_card_then_its_pair_is_lit_the_passer_pays_and_the_rest_goes() -> str:
    return after(passed([4, 9, 9]), "2: call", seat=1)


@seen
def test_the_ace_is_lit_with_the_card_it_pairs_with_and_every_pair_that_is_paid_for() -> str:
    found = (after(passed(ghost), "1: call" if len(ghost) == 2 else "2: call") for ghost in ([1, 5], [1, 4, 9], [1, 1]))
    every = after(passed([4, 4, 8, 8]), "0: call")
    return "\n".join(line for each in (*found, every) for line in each.split("\n") if line.startswith(("curse", "bad")))


def test_what_curses_a_hand_is_handed_over_and_not_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    match = play(passed([1, 4, 9]), "2: call")
    (moment,) = moments(match, match.length - 1)
    monkeypatch.setattr(rules, "judge", None)
    captions = Storyteller(match.game, match.driver).captions(moment, -1)
    (cursed,) = [caption for caption in captions if caption and caption.cue == "curse"]
    assert cursed.light == ("ghost.0", "ghost.2") and {mark.detail for mark in moment.marks} == {0, 1 << 8 | 1}


@seen
def test_a_clean_hand_lies_open_with_whoever_called_it_who_takes_its_highest_card() -> str:
    return after(passed([4, 9]), "1: call")


@seen
def test_many_cards_turn_up_faster() -> str:
    return after(passed([4, 5] * 6), "2: call").split("\n")[12]


def out_of_cards(last: int, **options: object) -> Match:
    match = buried([3, 4], [2, last], deck=ROOMY, **options)
    return play(match, f"card 6, 0: pair 4 6, 1: accept, 1: add {last}")


@seen
def test_an_acceptance_with_no_cards_left_is_shown_like_a_call_with_sides_changed() -> str:
    clean, cursed = (after(out_of_cards(last), "0: accept", seat=1).split("\n") for last in (7, 6))
    return "\n".join([clean[0], *clean[4:], *cursed[4:6]])


@seen
def test_where_nobody_pays_for_a_clean_hand_it_only_lies_open() -> str:
    return "\n".join(after(out_of_cards(7, clean_accept="nobody"), "0: accept").split("\n")[4:])


# --- the first graves -----------------------------------------------------------------------------------------------
@seen
def test_first_graves_lie_face_down_turn_up_together_and_say_who_goes_first() -> str:
    return after(play(dealt([3, 5], [8, 9], [8, 4]), "0: grave 3, 1: grave 8"), "2: grave 8", seat=0)


@seen
def test_where_no_card_is_alone_the_highest_are_lit_and_the_lot_picks_one() -> str:
    return after(play(dealt([3, 5], [3, 9]), "0: grave 3"), "1: grave 3, seat 1")


# --- the end of a game ----------------------------------------------------------------------------------------------
@seen
def test_two_equal_cards_in_a_graveyard_are_ringed_and_the_game_is_over_there() -> str:
    return "\n".join(after(passed([4, 9], graves=(10, 9, 2)), "1: call", seat=seat).split("\n")[-1] for seat in (-1, 1))


@seen
def test_a_lost_game_is_seen_before_the_next_is_dealt() -> str:
    match = passed([4, 9], graves=(10, 9, 2), losses=2)
    lost = after(match, "1: call").split("\n")[-2:]
    return "\n".join([*lost, after(match, *["card 2"] * 9, *["card 3"] * 9, "card 4, card 4, card 4")])


@seen
def test_a_hand_that_runs_out_at_once_ends_the_game_with_the_ghost_hand_unseen() -> str:
    match = buried([9, 4], [3, 7], [2, 7], deck=ROOMY, exhaustion="at_once", losses=2)
    return after(play(match, "card 6"), "0: pair 4 6", seat=1)


@seen
def test_an_added_last_card_is_in_the_ghost_hand_when_the_next_game_is_dealt() -> str:
    match = buried([9, 4, 4], [3, 7, 7], deck=ROOMY, exhaustion="at_once", losses=2)
    play(match, "card 6, 0: pair 4 6, 1: accept, 1: add 7, 0: accept")
    return "\n".join(after(match.copy(), "0: add 4", seat=seat).split("\n")[0] for seat in (-1, 0, 1))


@seen
def test_of_those_with_the_most_points_the_lot_picks_one() -> str:
    match = buried([3, 4], [9, 7], [9, 7], deck=ROOMY, exhaustion="at_once", tied_losers="one_at_random")
    return after(match, "card 6, 0: pair 4 6, seat 2", seat=2)


def test_no_card_comes_or_goes_between_the_steps_of_a_match() -> None:
    for players in (2, 3):
        match = hexdeck.game("cursed-hand", players, losses=2).match(by_hand=True, backend="interpreted")
        assert_all_see_the_same_steps(match, 55)
