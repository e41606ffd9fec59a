"""High Handed: a turn step by step, as everybody sees it."""

from typing import Any

from hexdeck.engine.play.match import Match
from tests.steps import after, seen
from tests.support import for_each, play, stage

from .staging import NAME, dealt, hold, lay, moves, number, piles

BOB: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True, "uncle_bob": "ask"}


def turned(match: Match, text: str, seat: int = -1) -> str:
    return after(match, moves(0, text), seat=seat)


# --- a card and its hands
@seen
def test_a_card_without_a_hand_lands() -> str:
    return turned(dealt("7h 9c", "2s 3s"), "7h at 3", 0)


@seen
def test_the_cells_of_each_hand_are_lit_in_turn_and_then_the_points_come() -> str:
    return turned(lay(lay(dealt("2c 9c", "3s 4s"), 2, "2s 2h"), 9, "2d"), "2c at 1", 1)


@seen
def test_from_the_third_hand_on_they_are_lit_for_a_shorter_time() -> str:
    match = lay(lay(lay(lay(dealt("2c 9c", "3s 4s"), 11, "2s"), 18, "2h"), 3, "3d"), 1, "2d")
    return turned(match, "2c at 10", 0)


@for_each(
    ("line", "placed", "says"),
    [
        ("2s 2h 9d", "9c", "Two pair +3"),
        ("2s 2h 2d", "2c", "Four of a kind +6"),
        ("2s 2h 9d 9h", "9c", "Full house +6"),
        ("2c 4c 9c Jc", "Kc", "Flush +10"),
        ("2s 3h 4d 5h", "6c", "Straight +10"),
        ("2c 3c 4c 5c", "6c", "Straight flush +15"),
    ],
)
def test_a_hand_is_named_with_its_points(line: str, placed: str, says: str) -> None:
    match = hold(lay(dealt("8d 8s", "3s 4s"), 1, line), 0, placed)
    found = turned(match, f"{placed} at {len(line.split()) + 1}").split("\n")[1]
    assert found.startswith("good 900") and found.endswith(says)


@seen
def test_a_royal_flush_is_a_feast_from_end_to_end() -> str:
    return turned(lay(dealt("Ac 8s", "3s 4s"), 1, "10c Jc Qc Kc"), "Ac at 5")


# --- specials
@seen
def test_a_two_timer_lights_the_same_cells_once_more() -> str:
    match = hold(lay(lay(dealt("2c 9c", "3s 4s"), 2, "2s 2h"), 9, "2d"), 0, "2c x2 9c")
    return turned(match, "x2 at 1, 2c")


@seen
def test_more_two_timers_double_as_often() -> str:
    options = {"two_timers": 3, "specials": 3}
    found = []
    for text in ("x2 at 1, x2, 2c", "x2 at 1, x2, x2, 2c"):
        match = hold(lay(dealt("2c 9c", "3s 4s", "5s 6s", "7s 8s", **options), 2, "2s"), 0, "2c x2 x2 x2")
        found += turned(match, text).split("\n")[-5 if "x2, x2" not in text else -2 :]
    return "\n".join(found)


@seen
def test_two_timers_double_nothing_where_nothing_scores() -> str:
    return turned(hold(dealt("2c 9c", "3s 4s"), 0, "2c x2 9c"), "x2 at 1, 2c")


@seen
def test_a_stolen_card_is_seen_before_it_is_pulled_off_to_the_edge_and_lit_there() -> str:
    match = lay(dealt("2c 9c", "3s 4s"), 1, "5d Kd")
    match.struct.out |= 1 << number("As")
    match.struct.bag &= ~(1 << number("As"))
    return turned(hold(match, 0, "2c Tf"), "Tf at 1")


@seen
def test_a_thief_on_a_special_steals_no_card() -> str:
    return turned(hold(lay(dealt("2c 9c", "3s 4s"), 1, "x2"), 0, "2c Tf"), "Tf at 1", 0)


@seen
def test_after_a_thief_hands_are_compared_with_the_stolen_card() -> str:
    match = hold(lay(dealt("2c 9c", "3s 4s"), 1, "2s 2h 2d"), 0, "2c 9c Tf")
    return turned(match, "Tf at 1, 2c").split("\n")[-1]  # it was three of a kind before


@seen
def test_a_special_left_alone_is_lit_again() -> str:
    return turned(hold(dealt("2c 9c", "3s 4s"), 0, "2c x2"), "x2 at 5, leave")


# --- draws, and what somebody notices
@seen
def test_a_card_asked_for_comes_from_its_pile() -> str:
    found = []
    for seat in (0, 1):
        match = piles(dealt("9d 8d", "2s 3s", manual_draw=True), 2, 3)
        found.append(after(play(match, moves(0, "9d at 1, draw")), "card 6d", seat=seat))
    return "\n".join(found)


@seen
def test_a_forgotten_draw_is_a_scene() -> str:
    matches = [dealt("9d 8d", "2s 3s", manual_draw=True) for _ in range(2)]
    return "\n".join(turned(match, "9d at 1, end turn", seat).split("\n")[1] for seat, match in enumerate(matches))


def too_many(*others: str) -> Match:
    match = dealt("9d 8d", "2s 3s", *others, **BOB)
    return play(match, moves(0, "9d at 1, draw"), "card 6d", moves(0, "draw"), "card 7d")


@seen
def test_a_card_too_many_is_drawn_like_any_other() -> str:
    match = play(dealt("9d 8d", "2s 3s", **BOB), moves(0, "9d at 1, draw"), "card 6d", moves(0, "draw"))
    return after(match, "card 7d")


@seen
def test_accusations_come_one_after_another_and_cost_five_points() -> str:
    matches = [too_many("4h 5h", "2c 3c") for _ in range(3)]
    found = [after(match, "1: accuse, 2: let be, 3: accuse", seat=p - 1) for p, match in enumerate(matches)]
    return "\n".join([found[0], *(each.split("\n")[0] for each in found[1:])])


@seen
def test_who_is_accused_loses_a_card_unseen() -> str:
    return "\n".join(after(play(too_many(), "1: accuse"), "card 8d", seat=seat) for seat in (0, 1))


@seen
def test_nobody_accuses() -> str:
    return after(too_many("4h 5h"), "1: let be, 2: let be")


@seen
def test_who_begins_by_lot_is_seen() -> str:
    return "\n".join(after(stage(NAME, 2, first="lot"), "seat 1", seat=seat) for seat in (-1, 1))
