"""Black Hearts: how a round begins, step by step."""

import pytest

import hexdeck
from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Cards
from hexdeck.engine.view import View, Zone
from hexdeck.games.black_hearts import passing
from tests.support import play

from .staging import NAME, OPENING, card, dealt, kind, lay, stand

GIVEN = ("C1", "F2"), ("C2", "C6"), ("C3", "C4")  # the first two cards of each hand of OPENING, passed to the left


def begun(gift: str = "", seat: int = -1) -> tuple[Match, list[Beat]]:
    """A round in which all have passed, with this gift or without; and what is seen of it."""
    match = dealt(*OPENING, gifts=bool(gift))
    if not gift:
        match.struct.gifts_left[0] = 0
        stand(match)
    since = match.length
    for p, hand in enumerate(OPENING):
        a, b = sorted(hand.split()[:2], key=kind)
        play(match, f"{p}: pass {card(a)} {card(b)}")
    if gift:
        play(match, f"gift {gift}")
    return match, list(beats(match, seat, since))


def steps(found: list[Beat]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def lies(beat: Beat | View, id: str) -> Zone:
    """A zone at a beat or in a view."""
    return next(zone for zone in beat.zones if zone.id == id)


def seen(beat: Beat, name: str) -> list[tuple[tuple[str, ...], int]]:
    """What lies in these zones of all three seats: the cards, and how many more face down."""
    zones = [lies(beat, f"{name}-{p}") for p in range(3)]
    return [(zone.cards, zone.hidden) for zone in zones]


@pytest.mark.parametrize("gift", ["", "mercy"])
@pytest.mark.parametrize("seat", [-1, 0, 1, 2])
def test_two_cards_slide_to_the_left_from_every_seat_together(seat: int, gift: str) -> None:
    _, found = begun(gift, seat)
    offered, arrived = found[:2]
    assert steps([offered, arrived]) == [("place", 500), ("pass", 1100)]
    assert seen(offered, "passed") == [(GIVEN[p], 0) if p == seat else ((), 2) for p in range(3)]
    known = [seat in (p, (p - 1) % 3) and seat >= 0 for p in range(3)]  # who gets them, and who gave them
    assert seen(arrived, "received") == [(GIVEN[p - 1], 0) if known[p] else ((), 2) for p in range(3)]
    assert offered.light == ("passed-0", "passed-1", "passed-2") and arrived.seats == offered.seats == ()
    assert arrived.light == ("received-0", "received-1", "received-2")
    told = "Everyone has chosen: each player passes two cards to the left."
    assert str(offered.line) == str(arrived.line) == told


@pytest.mark.parametrize("gift", ["", "mercy"])
def test_meanwhile_three_cards_are_left_in_each_hand_and_one_sees_ones_own(gift: str) -> None:
    for seat, hand in enumerate(OPENING):
        own = tuple(hand.split()[2:])
        for beat in begun(gift, seat)[1][:2]:
            assert seen(beat, "hand") == [(own, 0) if p == seat else ((), 3) for p in range(3)]


@pytest.mark.parametrize("gift", ["", "mercy"])
def test_then_one_is_told_what_has_come_from_the_right_which_is_lit_in_ones_hand(gift: str) -> None:
    told = {seat: begun(gift, seat)[1][2] for seat in range(-1, 3)}
    assert {(beat.cue, beat.hold, beat.seats) for beat in told.values()} == {("place", 600, ())}
    assert str(told[1].line) == "Seat 0 passes you C1 and F2." and str(told[0].line) == "Seat 2 passes you C3 and C4."
    assert str(told[-1].line) == "Everyone has chosen: each player passes two cards to the left."
    assert told[-1].light == () and seen(told[-1], "hand") == [((), 5)] * 3
    for seat in range(3):
        hand = lies(told[seat], f"hand-{seat}").cards
        assert [hand[int(place.rpartition(".")[2])] for place in told[seat].light] == list(GIVEN[seat - 1])
        assert len(hand) == 5 and not any(zone.id.startswith("received") for zone in told[seat].zones)


def test_two_equal_cards_that_come_are_both_lit() -> None:
    hand = Zone("hand-1", passing.I_LEAD, 1, "fan", ("C1", "R5", "R5"))
    assert passing.taken(1, (hand,), Cards(("R5", "R5"))) == ("hand-1.1", "hand-1.2")


@pytest.mark.parametrize("gift", ["upside-down", "early-bird", "little-one", "second", "mercy"])
def test_a_gift_turns_up_and_says_what_it_does_before_anybody_leads(gift: str) -> None:
    match, found = begun(gift)
    assert steps(found)[3:] == [(gift, 1800), ("reveal", 600)]
    turned = found[3]
    assert turned.light == ("gift",) and lies(turned, "gift") == lies(found[4], "gift")
    assert str(turned.line).startswith("The gift is ") and str(lies(turned, "gift").note) in str(turned.line)
    assert str(lies(found[2], "gift").note) == "none in force"  # after the cards have landed
    assert seen(turned, "hand") == seen(found[2], "hand") and found[4].zones == match.view(-1).zones


def test_without_a_gift_nothing_is_turned_up() -> None:
    assert steps(begun()[1]) == [("place", 500), ("pass", 1100), ("place", 600), ("reveal", 600)]


def test_which_card_is_to_lead_is_told_until_it_does() -> None:
    match = begun()[0]
    assert str(lies(match.view(-1), "trick").note) == "Two o'clock leads: F2"
    lay(match, "F2")
    assert lies(match.view(-1), "trick").note is None


@pytest.mark.parametrize(("seat", "at"), [(-1, 0), (0, 1), (1, 1), (2, 0)])  # seat 0 knows C1 too
def test_two_oclock_is_lit_in_the_hand_of_whoever_leads(seat: int, at: int) -> None:
    match, found = begun("mercy", seat)
    leads = found[-1]
    assert leads.light == (f"hand-1.{at}",) and lies(leads, "hand-1").cards[at] == "F2"
    assert leads.seats == (1,) and leads.zones == match.view(seat).zones
    told = "You hold Two o'clock and lead" if seat == 1 else "Seat 1 holds Two o'clock and leads"
    assert str(leads.line).startswith(told)


def test_a_deal_is_seen() -> None:
    match = hexdeck.game(NAME, 3).match(seed=1, backend="interpreted")
    for seat in range(-1, 3):
        (beat,) = beats(match, seat)
        assert (beat.cue, beat.hold, beat.light) == ("deal", 500, ("round",)) and beat.zones == match.view(seat).zones
        assert str(beat.line) == "Round 1: the cards are dealt."
