"""High Handed: a turn step by step, as everybody sees it."""

from collections.abc import Sequence
from typing import Any

import pytest

from hexdeck.engine.beat import Beat
from hexdeck.engine.play.beats import beats
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Zone
from tests.support import play, stage

from .staging import NAME, dealt, hold, lay, moves, number, piles

BOB: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True}
PEOPLE = "Ada", "Bob", "Cleo", "Dirk"


def seen(match: Match, text: str, seat: int = -1, who: int = 0) -> list[Beat]:
    """What is seen of what a seat does, such as `x2 at 9, 7h`."""
    since = match.length
    play(match, moves(who, text))
    return list(beats(match, seat, since))


def steps(found: Sequence[Beat]) -> list[tuple[str, int]]:
    """The cue and the hold of each beat."""
    return [(beat.cue, beat.hold) for beat in found]


def told(found: Sequence[Beat]) -> list[str]:
    """What is said of each beat."""
    return [Catalogue("en", names=PEOPLE).words(beat.line) for beat in found if beat.line]


def lies(beat: Beat, id: str) -> Zone:
    """A zone at a beat."""
    return next(zone for zone in beat.zones if zone.id == id)


def cells(*numbers: int) -> tuple[str, ...]:
    """Cells in the light, by their numbers from 1."""
    return tuple(f"board.{k - 1}" for k in numbers)


def points(beat: Beat) -> list[int | None]:
    return [lies(beat, f"score-{p}").count for p in range(2)]


# --- a card and its hands
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_card_without_a_hand_lands(seat: int) -> None:
    match = dealt("7h 9c", "2s 3s")
    (beat,) = seen(match, "7h at 3", seat)
    assert steps([beat]) == [("place", 500)] and beat.light == cells(3) and beat.seats == (0,)
    assert lies(beat, "board").cards[2] == "7h" and beat.zones == match.view(seat).zones
    assert told([beat]) == ["You play the 7h at c1." if seat == 0 else "Ada plays the 7h at c1."]


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_the_cells_of_each_hand_are_lit_in_turn_and_then_the_points_come(seat: int) -> None:
    match = lay(lay(dealt("2c 9c", "3s 4s"), 2, "2s 2h"), 9, "2d")
    found = seen(match, "2c at 1", seat)
    assert steps(found) == [("place", 500), ("good", 900), ("good", 900), ("chips", 600)]
    assert [beat.light for beat in found] == [cells(1), cells(1, 9), cells(1, 2, 3), ("score-0",)]
    assert {beat.seats for beat in found} == {(0,)}
    assert all(lies(beat, "board").cards[0] == "2c" and lies(beat, "hand-0").hidden == (seat != 0) for beat in found)
    assert [points(beat) for beat in found] == [[0, 0]] * 3 + [[5, 0]]
    me = ("You play", "play") if seat == 0 else ("Ada plays", "plays")
    assert told(found) == [
        f"{me[0]} the 2c at a1.", "Pair +1", "Three of a kind +4",
        f"{me[0]} the 2c at a1: three of a kind 4, pair 1. 5 points!",
    ]  # fmt: skip
    assert found[-1].zones == match.view(seat).zones


def test_from_the_third_hand_on_they_are_lit_for_a_shorter_time() -> None:
    match = lay(lay(lay(lay(dealt("2c 9c", "3s 4s"), 11, "2s"), 18, "2h"), 3, "3d"), 1, "2d")
    found = seen(match, "2c at 10")
    assert [beat.hold for beat in found if beat.cue == "good"] == [900, 900, 400]
    assert [beat.light for beat in found if beat.cue == "good"] == [cells(10, 11), cells(10, 18), cells(1, 10)]


@pytest.mark.parametrize(("line", "placed", "says"), [
    ("2s 2h 9d", "9c", "Two pair +3"), ("2s 2h 2d", "2c", "Four of a kind +6"),
    ("2s 2h 9d 9h", "9c", "Full house +6"), ("2c 4c 9c Jc", "Kc", "Flush +10"), ("2s 3h 4d 5h", "6c", "Straight +10"),
    ("2c 3c 4c 5c", "6c", "Straight flush +15"),
])  # fmt: skip
def test_a_hand_is_named_with_its_points(line: str, placed: str, says: str) -> None:
    match = hold(lay(dealt("8d 8s", "3s 4s"), 1, line), 0, placed)
    found = seen(match, f"{placed} at {len(line.split()) + 1}")
    assert told(found)[1] == says and found[1].cue == "good" and found[1].hold == 900


def test_a_royal_flush_is_a_feast_from_end_to_end() -> None:
    match = lay(dealt("Ac 8s", "3s 4s"), 1, "10c Jc Qc Kc")
    found = seen(match, "Ac at 5")
    assert steps(found) == [("place", 500), ("feast", 1800), ("chips", 600)]
    assert found[1].light == cells(1, 2, 3, 4, 5) and told(found)[1] == "Royal flush +20"


# --- specials
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_two_timer_lights_the_same_cells_once_more(seat: int) -> None:
    match = hold(lay(lay(dealt("2c 9c", "3s 4s"), 2, "2s 2h"), 9, "2d"), 0, "2c x2 9c")
    found = seen(match, "x2 at 1, 2c", seat)
    assert steps(found) == [
        ("place", 500), ("place", 500), ("good", 900), ("good", 900), ("double", 900), ("chips", 600),
    ]  # fmt: skip
    assert lies(found[0], "board").cards[0] == "x2" and lies(found[1], "board").cards[0] == "2c"
    assert found[4].light == cells(1, 9, 2, 3) and told(found)[4] == "Two Timer: 5 × 2 = 10"
    assert points(found[4]) == [0, 0] and points(found[5]) == [10, 0]


def test_two_two_timers_double_twice() -> None:
    match = hold(lay(dealt("2c 9c", "3s 4s", "5s 6s", "7s 8s"), 2, "2s"), 0, "2c x2 x2 9c")
    found = seen(match, "x2 at 1, x2, 2c")
    assert told(found)[-2] == "Two Timer: 1 × 4 = 4" and points(found[-1]) == [4, 0]
    assert steps(found)[1] == ("place", 500) and found[1].light == cells(1) and told(found)[1].endswith("on top.")


def test_three_two_timers_double_three_times() -> None:
    match = lay(dealt("2c 9c", "3s 4s", "5s 6s", "7s 8s", two_timers=3, specials=3), 2, "2s")
    assert told(seen(hold(match, 0, "2c x2 x2 x2"), "x2 at 1, x2, x2, 2c"))[-2] == "Two Timer: 1 × 8 = 8"


def test_two_timers_double_nothing_where_nothing_scores() -> None:
    match = hold(dealt("2c 9c", "3s 4s"), 0, "2c x2 9c")
    assert steps(seen(match, "x2 at 1, 2c")) == [("place", 500), ("place", 500)]


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_stolen_card_is_seen_before_it_is_pulled_off_to_the_edge(seat: int) -> None:
    match = hold(lay(dealt("2c 9c", "3s 4s"), 1, "5d Kd"), 0, "2c Tf")
    found = seen(match, "Tf at 1", seat)
    lifted, stolen = found
    assert steps(found) == [("lift", 500), ("steal", 1100)] and lifted.seats == stolen.seats == (0,)
    assert {str(beat.said) for beat in found} == {"That one goes."}
    assert lies(lifted, "board").cards[0] == "5d" and lifted.light == cells(1)
    assert lies(stolen, "board").cards[0] == "Tf" and lies(stolen, "out").cards == ("5d",)
    assert stolen.light == (*cells(1), "out.0") and stolen.zones == match.view(seat).zones
    assert told(found) == ["You put a Thief on the 5d at a1." if seat == 0 else "Ada puts a Thief on the 5d at a1."] * 2


def test_among_stolen_cards_the_new_one_is_lit() -> None:
    match = lay(dealt("2c 9c", "3s 4s"), 1, "5d Kd")
    match.struct.out |= 1 << number("As")
    match.struct.bag &= ~(1 << number("As"))
    assert seen(hold(match, 0, "2c Tf"), "Tf at 1")[1].light == (*cells(1), "out.1")


def test_a_thief_on_a_special_steals_no_card() -> None:
    match = hold(lay(dealt("2c 9c", "3s 4s"), 1, "x2"), 0, "2c Tf")
    found = seen(match, "Tf at 1")
    assert steps(found) == [("lift", 500), ("steal", 1100)] and found[1].light == cells(1)


def test_after_a_thief_hands_are_compared_with_the_stolen_card() -> None:
    match = hold(lay(dealt("2c 9c", "3s 4s"), 1, "2s 2h 2d"), 0, "2c 9c Tf")
    assert steps(seen(match, "Tf at 1, 2c"))[2:] == [("place", 500)]  # it was three of a kind before


def test_a_special_left_alone_is_lit_again() -> None:
    match = hold(dealt("2c 9c", "3s 4s"), 0, "2c x2")
    found = seen(match, "x2 at 5, leave")
    assert (
        steps(found) == [("place", 500)] * 2 and found[1].light == cells(5) and told(found)[1] == "Ada leaves it there."
    )


# --- draws, and what somebody notices
@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_card_asked_for_comes_from_its_pile(seat: int) -> None:
    match = piles(dealt("9d 8d", "2s 3s", manual_draw=True), 2, 3)
    play(match, moves(0, "9d at 1, draw"))
    since = play(match, "card 6d").length - 1
    (beat,) = beats(match, seat, since)
    assert (beat.cue, beat.hold, beat.light, beat.seats) == ("deal", 500, ("pile-2", "hand-0"), (0,))
    assert told([beat]) == ["You draw the 6d." if seat == 0 else "Ada draws a card."]


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_a_forgotten_draw_is_a_scene(seat: int) -> None:
    match = dealt("9d 8d", "2s 3s", manual_draw=True)
    found = seen(match, "9d at 1, end turn", seat)
    assert steps(found) == [("place", 500), ("bad", 1100)]
    assert found[1].light == ("pile-1", "pile-2", "hand-0") and found[1].seats == (0,)
    assert told(found)[1] == ("You forget 1 card." if seat == 0 else "Ada forgets 1 card.")


def too_many(*answers: str, seat: int = -1) -> tuple[Match, list[Beat]]:
    """Seat 0 has drawn a card too many, and the others answer; what is seen of that."""
    match = dealt("9d 8d", "2s 3s", "4h 5h", "2c 3c", **BOB)
    play(match, moves(0, "9d at 1, draw"), "card 6d", moves(0, "draw"), "card 7d")
    since = match.length
    play(match, *(f"{p}: {answer}" for p, answer in enumerate(answers, 1)))
    return match, list(beats(match, seat, since))


def test_a_card_too_many_is_drawn_like_any_other() -> None:
    match = dealt("9d 8d", "2s 3s", **BOB)
    play(match, moves(0, "9d at 1, draw"), "card 6d", moves(0, "draw"))
    since = play(match, "card 7d").length - 1
    assert steps(beats(match, -1, since)) == [("deal", 500)]


@pytest.mark.parametrize("seat", [-1, 0, 1, 2, 3])
def test_accusations_come_one_after_another_and_cost_five_points(seat: int) -> None:
    match, found = too_many("accuse", "let be", "accuse", seat=seat)
    assert steps(found) == [("accuse", 1100), ("accuse", 600), ("chips", 600)]
    assert [beat.seats for beat in found] == [(1, 0), (3, 0), (0,)] and str(found[1].said) == "Too many cards!"
    assert [beat.light for beat in found] == [("hand-0",), ("hand-0",), ("score-0",)]
    assert [points(beat) for beat in found] == [[0, 0], [0, 0], [-5, 0]]
    first = {1: "You accuse Ada!", 0: "Bob accuses you!"}.get(seat, "Bob accuses Ada!")
    assert told(found)[0] == first and found[-1].zones == match.view(seat).zones


@pytest.mark.parametrize("seat", [-1, 0, 1])
def test_who_is_accused_loses_a_card_unseen(seat: int) -> None:
    match, _ = too_many("accuse", "accuse", "accuse")
    since = play(match, "card 8d").length - 1
    (beat,) = beats(match, seat, since)
    assert (beat.cue, beat.hold, beat.light, beat.seats) == ("bad", 1100, ("hand-0", "taken-0"), (0,))
    mine = "You lose the 8d, and 5 points."
    assert told([beat]) == [mine if seat == 0 else "Ada loses a card, unseen, and 5 points."]


def test_nobody_accuses() -> None:
    _, found = too_many("let be", "let be", "let be")
    assert steps(found) == [("good", 1100)] and found[0].light == ("hand-0",) and found[0].seats == (0,)
    assert told(found) == ["Nobody accuses: the card is kept."]


def test_who_begins_by_lot_is_seen() -> None:
    match = stage(NAME, 2, first="lot")
    play(match, "seat 1")
    for seat, line in ((-1, "Bob begins, chosen at random."), (1, "You begin, chosen at random.")):
        (beat,) = beats(match, seat)
        assert (beat.cue, beat.hold, beat.light, beat.seats) == ("reveal", 1100, ("hand-1",), (1,))
        assert told([beat]) == [line]
