"""Cursed Hand, what a player knows (CH-16, CH-17): views, observations, and the worlds that a seat thinks possible."""

import pytest

import hexdeck
from hexdeck.games.cursed_hand import rules
from tests.positions import assert_others_choose_again, fields, observations, ranks, whole, zone
from tests.steps import seen
from tests.support import cards, play, stage

from .staging import NAME, ROOMY, assert_worlds, buried, dealt, deck, discards, ghosts, passed


@pytest.mark.rule("CH-16")
def test_everybody_knows_how_many_cards_there_are_and_nobody_else_which() -> None:
    match = passed([4, 9, 7, 8, 10])
    for seat in range(-1, 3):
        seen = [zone(match, seat, f"hand-{p}") for p in range(3)]
        assert [z.hidden for z in seen] == [0 if p == seat else number for p, number in enumerate((4, 5, 5))]
        assert [len(z.cards) for z in seen] == [number if p == seat else 0 for p, number in enumerate((4, 5, 5))]
    assert deck(match) == 90 - 22
    unseen = [fields(match.concealed(p), rules.STRUCT)["stock"] for p in (-1, 0)]
    seen = counts(3, 2, 2), counts(3, 2, 2, 2, 2, 2, 6, 4, 9, 7, 8, 10)  # graveyards; and own hand and ghost hand
    assert unseen == [[9 - number for number in known] for known in seen]
    assert ghosts(match) == [([], 5), ([4, 7, 8, 9, 10], 0), ([4, 7, 9], 2), ([4, 7, 8, 9], 1)]


@pytest.mark.rule("CH-17")
def test_of_cards_that_others_added_between_two_looks_the_order_is_unknown() -> None:
    one, other = (buried([4, 9, 10, 2], [3, 7, 8, 2], [3, 7, 8, 2], deck=ROOMY) for _ in range(2))
    for match, first, second in ((one, 7, 8), (other, 8, 7)):
        play(match, "card 6, 0: pair 9 10, 1: accept", f"1: add {first}, 2: accept, 2: add {second}, 0: accept")
    assert whole(one) != whole(other) and ranks(one, 0, "ghost") == [7, 8, 9, 10]
    assert one.concealed(0) == other.concealed(0) and one.key(0) == other.key(0)
    assert one.concealed(1) != other.concealed(1) and one.concealed(2) != other.concealed(2)


@pytest.mark.rule("CH-17")
def test_of_cards_seen_together_a_count_per_rank_is_known_and_of_own_cards_the_place() -> None:
    match = play(passed([10, 4, 9, 8, 7, 6]), "2: accept")
    known = [[rank + 1 for rank in fields(match.concealed(p), rules.STRUCT)["ghost"][:6]] for p in range(-1, 3)]
    assert known == [[0] * 6, [4, 10, 8, 9, 7, 0], [4, 10, 9, 7, 8, 6], [4, 9, 10, 8, 6, 7]]
    match = play(passed([9, 10, 5, 4], (3, 2, 2, 2)), "3: accept")
    assert [rank + 1 for rank in fields(match.concealed(3), rules.STRUCT)["ghost"][:4]] == [4, 5, 9, 10]


@pytest.mark.rule("CH-17")
def test_a_card_seen_in_the_ghost_hand_stays_known_until_it_is_shown() -> None:
    match = passed([10, 4, 9, 8])
    assert ghosts(match) == [([], 4), ([4, 10], 2), ([4, 9, 10], 1), ([4, 8, 9, 10], 0)]
    play(match, "0: call")
    assert ghosts(match) == [([], 0)] * 4 and discards(match) == [4, 8, 9]
    assert all(match.struct.seen[p] == 0 and match.struct.ghost[p] == 0 for p in range(3))


@pytest.mark.rule("CH-17")
def test_hands_left_at_the_end_stay_unseen() -> None:
    match = play(passed([9, 9], (9, 2, 2)), "1: call")
    assert match.over and [zone(match, -1, f"hand-{p}").hidden for p in range(3)] == [5, 6, 6]
    assert [ranks(match, 1, f"hand-{p}") for p in range(3)] == [[], [3] * 6, []]


@pytest.mark.rule("CH-2", "CH-16")
def test_what_others_hold_and_have_chosen_may_be_anything_not_seen() -> None:
    match = dealt([1, 2], [2, 3], [3, 3], deck="1-2-3-1")
    assert_worlds(match, 0, 1, 2)
    assert_worlds(play(match, "1: grave 2"), 0, 1, 2)
    assert_worlds(play(match, "2: grave 3"), 0, 1, 2)
    assert_worlds(play(dealt([1, 2], [2, 3], deck="1-2-1-1"), "1: grave 2"))


@pytest.mark.rule("CH-16", "CH-17")
def test_the_unseen_part_of_a_ghost_hand_may_be_anything_not_seen() -> None:
    match = play(buried([5, 3, 4], [2, 1, 2], deck="1-2-1-2-1"), "card 4, 0: pair 3 4")
    assert_worlds(match)
    assert_worlds(play(match, "1: accept"))
    assert_worlds(play(match, "1: add 1"))
    match = buried([8, 4, 10, 7], [3, 9, 6, 5], [2, 5, 6, 6], deck="0-1-1-1-2-3-1-1-2-2")
    play(match, "card 9, 0: pair 4 10, 1: accept, 1: add 9, 2: accept, 2: add 5, 0: accept, 0: add 7, 1: accept")
    assert_worlds(match, 0, 1, 2)


def counts(*cards: int) -> list[int]:
    return [cards.count(rank) for rank in range(1, 11)]


@pytest.mark.rule("CH-13", "CH-16")
def test_a_match_that_ends_with_the_first_cards_leaves_hidden_what_was_not_dealt() -> None:
    match = buried([5], [6], deck="1-0-2-0-1-1")
    assert match.over
    assert_worlds(match)


@pytest.mark.rule("CH-16")
@seen
def test_what_is_observed_is_what_is_known_counted_from_the_own_seat_to_the_left() -> str:
    match = play(passed([4, 9, 7], losses=2), "2: call, card 10, 2: pair 4 10, 0: accept, 0: add 2, 1: accept")
    match.struct.lost[2] = 1
    return observations(match, 2, -1, 0)


@pytest.mark.rule("CH-2", "CH-16")
@seen
def test_the_own_secret_choice_is_observed() -> str:
    return observations(play(dealt([4, 9], [5, 8], [6, 7]), "2: grave 6, 0: grave 9"), -1, 0, 1, 2)


@pytest.mark.rule("CH-16")
def test_history_holds_what_is_public_and_nothing_else() -> None:
    match, changed = stage(NAME, 2, hand_cards=2), []
    moves = "0: grave 5, 1: grave 6, card 3, 1: pair 2 3, 0: accept, 0: add 4, 1: call"
    for event in f"{cards(5, 6, 4, 2)}, {moves}".split(", "):
        before = match.struct.history
        play(match, event)
        changed.append(match.struct.history != before)
    assert changed == [False] * 5 + [True, False, True, True, True, True]


@pytest.mark.rule("CH-16")
def test_choices_of_others_are_theirs_to_choose_again() -> None:
    assert_others_choose_again(hexdeck.game("cursed-hand", 4).match(2), "choice", 1)
