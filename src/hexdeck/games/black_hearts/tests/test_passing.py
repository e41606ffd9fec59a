"""Black Hearts: how a round begins, step by step."""

import hexdeck
from hexdeck.engine.play.match import Match
from tests.positions import zone
from tests.steps import after, seen, steps

from .staging import NAME, OPENING, dealt, lay, stand

PASSES = "0: pass curse-1 fixed-2, 1: pass curse-2 curse-6, 2: pass curse-3 curse-4"


def begun(*gift: str) -> Match:
    match = dealt(*OPENING, gifts=bool(gift))
    if not gift:
        match.struct.gifts_left[0] = 0
    return stand(match)


@seen
def test_two_cards_slide_to_the_left_together_and_a_gift_turns_up_before_two_oclock_leads() -> str:
    return after(begun("mercy"), PASSES, "gift mercy", seat=1)


@seen
def test_the_public_sees_no_card_and_without_a_gift_none_turns_up() -> str:
    return after(begun(), PASSES)


@seen
def test_who_passed_two_oclock_on_knows_both_cards_there() -> str:
    return after(begun(), PASSES, seat=0)


@seen
def test_a_gift_says_what_it_does() -> str:
    gifts = "upside-down", "early-bird", "little-one", "second"
    return "\n".join(after(begun(gift), PASSES, f"gift {gift}").split("\n")[3] for gift in gifts)


@seen
def test_two_equal_cards_that_come_are_both_lit() -> str:
    match = dealt("F2 R4 R4 R5 R5", "C1 C2 C3 R1 R6", "C4 C5 C6 R2 R3", gifts=True)
    passes = "0: pass random-5 random-5, 1: pass curse-2 curse-3, 2: pass random-2 random-3"
    return after(match, passes, seat=1).split("\n")[2]


def test_which_card_is_to_lead_is_told_until_it_does() -> None:
    match = begun()
    after(match, PASSES)
    assert str(zone(match, -1, "trick").note) == "Two o'clock leads: F2"
    assert str(zone(lay(match, "F2"), -1, "trick").note) == "winning: Seat 1"


@seen
def test_a_deal_is_seen() -> str:
    match = hexdeck.game(NAME, 3).match(seed=1, backend="interpreted")
    return steps(match, 0, (), 1)
