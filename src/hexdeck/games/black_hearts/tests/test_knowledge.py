"""Black Hearts, what a player knows (BH-15, BH-16): views, observations, the history, and the worlds that may be."""

from fractions import Fraction

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.games.black_hearts import rules
from tests.positions import assert_others_choose_again, fields, observations, whole, zone
from tests.steps import seen
from tests.support import play, stage

from .staging import (
    CODES,
    NAME,
    OPENING,
    ROOMY,
    assert_worlds,
    card,
    dealt,
    hands_seen,
    kind,
    last_trick,
    lay,
    leading,
    passed,
    sent,
)

EXACT = "1-1-2-1-1-2"  # the Random cards of OPENING, and no more
SMALL = {"hand_cards": 2, "curse_numbers": "1-2", "curse_points": "13-13"}
THREE = {"hand_cards": 3, "curse_numbers": "1-2", "curse_points": "13-13"}


def unseen(match: Match, seat: int) -> str:
    counts = fields(match.concealed(seat), rules.STRUCT)["stock"]
    return " ".join(code for code, count in zip(CODES, counts, strict=True) for _ in range(count))


# --- hands ---
@pytest.mark.rule("BH-15")
def test_a_seat_sees_its_own_hand_and_how_many_cards_others_have() -> None:
    match = dealt(*OPENING, random_copies=EXACT)
    assert hands_seen(match, 0) == [(OPENING[0], 0), ("", 5), ("", 5)]
    assert hands_seen(match, 2) == [("", 5), ("", 5), (OPENING[2], 0)] and hands_seen(match, -1) == [("", 5)] * 3
    assert unseen(match, 0) == "C2 C3 C4 C5 C6 R1 R2 R4 R5 R6" and unseen(match, 1) == "C1 C3 C4 C5 F2 R3 R3 R5 R6 R6"
    assert unseen(match, -1) == "C1 C2 C3 C4 C5 C6 F2 R1 R2 R3 R3 R4 R5 R6 R6"


@pytest.mark.rule("BH-4", "BH-15")
def test_the_cards_left_out_stay_unseen() -> None:
    match = dealt(*OPENING)
    assert unseen(match, 0) == "C2 C3 C4 C5 C6 R1 R1 R1 R2 R2 R2 R3 R4 R4 R4 R5 R5 R5 R6 R6"
    assert zone(match, 0, "aside").hidden == 10 and zone(match, 0, "aside").cards == ()
    assert not [found for found in dealt(*OPENING, random_copies=EXACT).view(0).zones if found.id == "aside"]


@pytest.mark.rule("BH-15")
def test_the_giver_knows_cards_in_the_next_hand_and_the_receiver_where_they_came_from() -> None:
    match = passed("R3 R6 C1 F2 R3", "C2 C6 R1 R2 R4", "C3 C4 C5 R5 R6", gifts=True, random_copies=EXACT)
    assert hands_seen(match, 0) == [("C1 C3 C4 F2 R3", 0), ("R3 R6", 3), ("", 5)]
    assert hands_seen(match, 1) == [("", 5), ("R1 R2 R3 R4 R6", 0), ("C2 C6", 3)]
    assert (
        hands_seen(match, 2) == [("C3 C4", 3), ("", 5), ("C2 C5 C6 R5 R6", 0)]
        and hands_seen(match, -1) == [("", 5)] * 3
    )
    assert unseen(match, 0) == "C2 C5 C6 R1 R2 R4 R5 R6"
    assert sent(match, 0) == ["R3 R6", "", "C3 C4"] and sent(match, 1) == ["R3 R6", "C2 C6", ""]
    assert sent(match, 2) == ["", "C2 C6", "C3 C4"] and sent(match, -1) == ["", "", ""]


@pytest.mark.rule("BH-15")
def test_a_passed_card_is_known_to_be_there_until_such_a_card_is_played() -> None:
    match = passed("R3 R6 C1 F2 R3", "C2 C6 R1 R2 R6", "C3 C4 C5 R5 R4", random_copies=EXACT)
    lay(match, "F2 R6 C2")
    assert sent(match) == ["R3", "C6", "C3 C4"] and hands_seen(match, 0)[1] == ("R3", 3)  # it may be the other R6
    assert "R6" in unseen(match, 0) and hands_seen(match, 1)[2] == ("C6", 3)
    lay(match, "R6 C6 R3")
    assert sent(match) == ["R3", "", "C3 C4"]
    match = passed("R3 R3 C1 F2 R1", "C2 C6 R6 R2 R6", "C3 C4 C5 R5 R4", random_copies=EXACT)
    assert sent(match, 0)[0] == "R3 R3" and hands_seen(match, 0)[1] == ("R3 R3", 3)
    lay(match, "F2 R3")
    assert sent(match, 0)[0] == "R3" and sent(match, 1)[0] == "R3" and hands_seen(match, 0)[1] == ("R3", 3)


@pytest.mark.rule("BH-15")
def test_what_was_passed_and_came_back_to_nobody_is_forgotten_in_the_next_round() -> None:
    match = last_trick("C6 R1 F2")
    assert match.struct.deal == 2 and all(sent(match, seat) == ["", "", ""] for seat in range(-1, 3))


@pytest.mark.rule("BH-8", "BH-15")
def test_who_must_lead_is_known_to_hold_two_oclock() -> None:
    match = passed(*OPENING, random_copies=EXACT)
    assert hands_seen(match, -1) == [("", 5), ("F2", 4), ("", 5)] and hands_seen(match, 2)[1] == ("F2", 4)
    assert hands_seen(match, 0)[1] == ("C1 F2", 3)
    assert "F2" not in unseen(match, 0) + unseen(match, 2) + unseen(match, -1)
    lay(match, "F2")
    assert hands_seen(match, -1)[1] == ("", 4) and hands_seen(match, 0)[1] == ("C1", 3)
    gift = passed(*OPENING, gifts=True)
    assert hands_seen(gift, -1)[1] == ("", 5) and hands_seen(gift, 2)[1] == ("", 5)
    assert hands_seen(play(gift, "gift second"), 2)[1] == ("F2", 4)


# --- choices ---
@pytest.mark.rule("BH-16")
def test_passes_stay_secret_until_all_have_chosen() -> None:
    match = play(dealt(*OPENING), "1: pass curse-2 curse-6")
    assert [fields(match.concealed(p), rules.STRUCT)["choice"][1] >= 0 for p in (-1, 0, 1, 2)] == [0, 0, 1, 0]
    assert all(match.view(p).acting == (0, 2) for p in range(-1, 3))
    assert zone(match, 1, "hand-1").note is not None and zone(match, 0, "hand-1").note is None
    other = play(dealt(*OPENING), "1: pass random-1 random-4")
    assert [match.concealed(p) == other.concealed(p) for p in (-1, 0, 1, 2)] == [True, True, False, True]


@pytest.mark.rule("BH-15", "BH-16")
def test_no_pass_enters_the_history_and_no_order_changes_it() -> None:
    one = play(dealt(*OPENING), "0: pass curse-1 random-3, 1: pass curse-2 curse-6, 2: pass curse-3 curse-4")
    other = play(dealt(*OPENING), "2: pass curse-5 random-6, 1: pass random-1 random-2, 0: pass random-3 random-3")
    assert one.struct.history == other.struct.history != 0
    with_gift = passed(*OPENING, gifts=True)
    assert with_gift.struct.history == 0


@pytest.mark.rule("BH-15")
def test_every_public_event_enters_the_history() -> None:
    begun = [OPENING[k:] + OPENING[:k] for k in range(3)]
    starts = [passed(*hands, gifts=gift != "", random_copies=EXACT) for hands in begun for gift in ("", "mercy")]
    gifts = [play(passed(*OPENING, gifts=True), f"gift {name}") for name in rules.GIFTS]
    lines = ["", "F2", "F2 C4", "F2 R6", "F2 R6 C4", "F2 C5 C4", "F2 R6 C4 C5", "F2 R6 C4 R5"]
    hands = ("C4 R1 R2 R3 R4", "F2 C1 R1 R2 R3", "R6 C4 C5 R5 C6")
    played = [lay(leading(*hands, leader=1, random_copies=ROOMY), line) for line in lines[1:]]
    histories = [match.struct.history for match in (*starts[::2], *gifts, *played)]
    assert len(set(histories)) == len(histories) and all(histories)


# --- worlds ---
@pytest.mark.rule("BH-4", "BH-15")
def test_the_worlds_while_cards_are_dealt() -> None:
    match = stage(
        NAME, 3, "card curse-1, card random-3, card random-3, card random-5", random_copies="0-0-2-0-2-0", **SMALL
    )
    for seat in range(-1, 3):
        assert_worlds(match, seat)
    match = stage(NAME, 3, "card curse-1, card random-3", random_copies="1-0-2-0-2-0", **SMALL)
    worlds = assert_worlds(match, 0)
    assert sum(share for world, share in worlds.items() if world[0][1] == (kind("C2"),)) == Fraction(1, 5)


@pytest.mark.rule("BH-15", "BH-16")
def test_the_worlds_while_cards_are_passed() -> None:
    """Seat 2 has no hand, so that there are few."""
    match = dealt("C1 F2 R3", "C2 R3 R5", "", random_copies="0-0-3-0-3-0", **THREE)
    assert {world[3][1] for world in assert_worlds(match, 0)} == {rules.NONE}
    play(match, "1: pass random-3 random-5")
    worlds = assert_worlds(match, 0)
    passes = {rules.ACTIONS[world[3][1]] for world in worlds}
    assert passes == {
        "pass curse-2 random-3",
        "pass curse-2 random-5",
        "pass random-3 random-3",
        "pass random-3 random-5",
        "pass random-5 random-5",
    }
    play(match, "0: pass curse-1 random-3")
    assert {world[3][0] for world in assert_worlds(match, 0)} == {match.struct.choice[0]}
    assert rules.NONE not in {world[3][0] for world in assert_worlds(match, 1)}
    match = play(dealt("F2 R3 R3", "C1 C2 R3", "", random_copies="0-0-6-0-0-0", **THREE), "1: pass curse-1 curse-2")
    assert {rules.ACTIONS[world[3][1]] for world in assert_worlds(match, 0)} > {"pass curse-1 curse-2"}


@pytest.mark.rule("BH-15")
def test_the_worlds_after_the_pass() -> None:
    match = passed("C1 F2 R3", "R3 R3 R5", "C2 R5 R6", gifts=True, random_copies="0-0-3-0-2-1", **THREE)
    for seat in range(3):
        assert len({world[2] for world in assert_worlds(match, seat)}) > 3
    play(match, "gift mercy")
    for seat in range(3):
        assert_worlds(match, seat)


@pytest.mark.rule("BH-15")
def test_the_worlds_with_a_card_left_out() -> None:
    match = passed("C1 F2 R3", "R3 R3 R5", "C2 R5 R6", random_copies="0-0-3-0-3-1", **THREE)
    lay(match, "F2")
    for seat in range(3):
        assert {world[1] for world in assert_worlds(match, seat)} > {(kind("R5"),)}
    lay(match, "R3 R3 C2 C1 R6")
    for seat in range(-1, 3):
        assert {world[1] for world in assert_worlds(match, seat)} >= {(kind("R5"),)}


@pytest.mark.rule("BH-15")
def test_the_worlds_late_in_a_whole_round() -> None:
    match = passed("R3 R6 C1 F2 R3", "C2 C6 R1 R2 R6", "C3 C4 C5 R5 R4", random_copies="1-1-2-1-1-3")
    lay(match, "F2 R6 C2 R6 C6 R3 C5 C3 R1 R5")
    for seat in range(3):
        assert len({world[2] for world in assert_worlds(match, seat)}) > 1


@pytest.mark.rule("BH-15")
def test_the_worlds_of_four() -> None:
    options = {"curse_numbers": "5", "curse_points": "1", "fixed_numbers": "4", "two_oclock": 1, "hand_cards": 3}
    match = passed("C1 F1 R4", "R4 R4 R4", "R1 R1 R4", "R2 R4 R4", random_copies="2-1-0-7-0-0", **options)
    lay(match, "F1 R4 R4 R4 R2 C1")
    for seat in range(4):
        assert_worlds(match, seat)


@pytest.mark.rule("BH-15")
def test_nothing_is_hidden_when_all_has_been_played() -> None:
    match = last_trick("F2 C6 R5", totals=[0, 0, 13])
    assert (
        match.over and len({match.concealed(seat) for seat in range(-1, 3)}) == 1 and whole(match) == match.concealed(0)
    )


# --- observations ---
def counted(*codes: str) -> list[int]:
    return [codes.count(code) for code in CODES]


@pytest.mark.rule("BH-15")
@seen
def test_an_observation_while_cards_are_passed() -> str:
    passes = "0: pass random-3 random-3, 1: pass curse-2 random-1"
    return observations(play(dealt(*OPENING, gifts=True, reversed_ties="earliest"), passes), 0, 1, 2, -1)


@pytest.mark.rule("BH-15")
@seen
def test_an_observation_of_a_trick() -> str:
    match = passed("R3 R3 C1 F2 R1", "C2 C6 R6 R2 R6", "C3 C4 C5 R5 R4", gifts=True, random_copies=EXACT)
    play(match, "gift little-one")
    match.struct.total[2] = 200
    return observations(lay(match, "F2 R6 C6 C5"), 0, 1, 2, -1)


@pytest.mark.rule("BH-15")
@seen
def test_an_observation_of_other_cards() -> str:
    options = {"curse_numbers": "6-4", "curse_points": "20-0", "fixed_numbers": "3", "two_oclock": 1}
    match = stage(NAME, 4, f"card {card('C2')}", random_copies="9-9-0-0-0-0", gifts=False, hand_cards=4, **options)
    return observations(match, 0, 1)


@pytest.mark.rule("BH-16")
def test_choices_of_others_are_theirs_to_choose_again() -> None:
    assert_others_choose_again(hexdeck.game("black-hearts", 4).match(2), "choice", 3)
