"""Black Hearts: how a round begins, step by step."""

import hexdeck
from hexdeck.engine.play.match import Match
from tests.positions import zone
from tests.steps import after, seen, steps

from .staging import NAME, OPENING, dealt, lay, stand

PASSES = "0: pass curse-1 fixed-2, 1: pass curse-2 curse-6, 2: pass curse-3 curse-4"


def begun(*gift: str) -> Match:
    """All are to pass, with gifts or without."""
    match = dealt(*OPENING, gifts=bool(gift))
    if not gift:
        match.struct.gifts_left[0] = 0
    return stand(match)


@seen("""
    place 500 passed-0, passed-1, passed-2 Everyone has chosen: each player passes two cards to the left. {hand-0:
      +3; passed-0: +2; hand-1: R1 R2 R4; passed-1: C2 C6; hand-2: +3; passed-2: +2}
    pass 1100 received-0, received-1, received-2 Everyone has chosen: each player passes two cards to the left.
      {received-0: +2; received-1: C1 F2; received-2: C2 C6}
    place 600 hand-1.0, hand-1.1 Seat 0 passes you C1 and F2. {hand-0: +5; hand-1: C1 F2 R1 R2 R4 (from Seat 0: C1
      and F2); hand-2: C2 C6 +3}
    mercy 1800 gift The gift is Mercy: each player's worst Curse card doesn't count. {gift: (Mercy: each player's
      worst Curse card doesn't count); gifts: =5 (used: Mercy)}
    reveal 600 hand-1.1 @1 You hold Two o'clock and lead the first trick. "I lead."
    """)
def test_two_cards_slide_to_the_left_together_and_a_gift_turns_up_before_two_oclock_leads() -> str:
    return after(begun("mercy"), PASSES, "gift mercy", seat=1)


@seen("""
    place 500 passed-0, passed-1, passed-2 Everyone has chosen: each player passes two cards to the left. {hand-0:
      +3; passed-0: +2; hand-1: +3; passed-1: +2; hand-2: +3; passed-2: +2}
    pass 1100 received-0, received-1, received-2 Everyone has chosen: each player passes two cards to the left.
      {received-0: +2; received-1: +2; received-2: +2}
    place 600 Everyone has chosen: each player passes two cards to the left. {hand-0: +5; hand-1: +5; hand-2: +5}
    reveal 600 hand-1.0 @1 Seat 1 holds Two o'clock and leads the first trick. "I lead."
    """)
def test_the_public_sees_no_card_and_without_a_gift_none_turns_up() -> str:
    return after(begun(), PASSES)


@seen("""
    place 500 passed-0, passed-1, passed-2 Everyone has chosen: each player passes two cards to the left. {hand-0:
      R3 R3 R6; passed-0: C1 F2; hand-1: +3; passed-1: +2; hand-2: +3; passed-2: +2}
    pass 1100 received-0, received-1, received-2 Everyone has chosen: each player passes two cards to the left.
      {received-0: C3 C4; received-1: C1 F2; received-2: +2}
    place 600 hand-0.0, hand-0.1 Seat 2 passes you C3 and C4. {hand-0: C3 C4 R3 R3 R6 (from Seat 2: C3 and C4);
      hand-1: C1 F2 +3; hand-2: +5}
    reveal 600 hand-1.1 @1 Seat 1 holds Two o'clock and leads the first trick. "I lead."
    """)
def test_who_passed_two_oclock_on_knows_both_cards_there() -> str:
    return after(begun(), PASSES, seat=0)


@seen("""
    upside-down 1800 gift The gift is Upside down: 1 is the strongest number, 6 the weakest. {gift: (Upside down: 1
      is the strongest number, 6 the weakest); gifts: =5 (used: Upside down)}
    early-bird 1800 gift The gift is Early bird: if the strongest cards are tied, the first one wins. {gift: (Early
      bird: if the strongest cards are tied, the first one wins); gifts: =5 (used: Early bird)}
    little-one 1800 gift The gift is Little one: if a trick has a 6 and a 1, the last 1 wins. {gift: (Little one: if
      a trick has a 6 and a 1, the last 1 wins); gifts: =5 (used: Little one)}
    second 1800 gift The gift is Second to the crown: the second strongest card wins. {gift: (Second to the crown:
      the second strongest card wins); gifts: =5 (used: Second to the crown)}
    """)
def test_a_gift_says_what_it_does() -> str:
    gifts = "upside-down", "early-bird", "little-one", "second"
    return "\n".join(after(begun(gift), PASSES, f"gift {gift}").split("\n")[3] for gift in gifts)


@seen("""
    place 600 hand-1.2, hand-1.3 Seat 0 passes you R5 and R5.
    """)
def test_two_equal_cards_that_come_are_both_lit() -> str:
    match = dealt("F2 R4 R4 R5 R5", "C1 C2 C3 R1 R6", "C4 C5 C6 R2 R3", gifts=True)
    passes = "0: pass random-5 random-5, 1: pass curse-2 curse-3, 2: pass random-2 random-3"
    return after(match, passes, seat=1).split("\n")[2]


def test_which_card_is_to_lead_is_told_until_it_does() -> None:
    match = begun()
    after(match, PASSES)
    assert str(zone(match, -1, "trick").note) == "Two o'clock leads: F2"
    assert zone(lay(match, "F2"), -1, "trick").note is None


@seen("""
    deal 500 round Round 1: the cards are dealt.
    """)
def test_a_deal_is_seen() -> str:
    match = hexdeck.game(NAME, 3).match(seed=1, backend="interpreted")
    return steps(match, 0, (), 1)
