"""High Handed: the Uncle Bob rule as it was (HH-19, "ask"): a card too many, and what comes of it."""

from typing import Any

import pytest

from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed import rules
from tests.positions import fields, total_weight, zone
from tests.support import names, play

from .staging import dealt, hand, held, in_piles, piles, reasons, refusals, scores, turn

BOB: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True, "uncle_bob": "ask"}


def offended(**options: Any) -> Match:
    """Seat 0 has drawn a card too many; three or more others may accuse."""
    match = dealt("9d 8d", "2s 3s", "4h 5h", "2c 3c", **(BOB | options))
    return turn(turn(match, 0, "9d at 1, draw", "6d"), 0, "draw", "7d")


@pytest.mark.rule("HH-19")
@pytest.mark.parametrize("uncle_bob_rule", [False, True])
def test_after_the_cards_due_a_player_may_draw_one_more(uncle_bob_rule: bool) -> None:
    options = BOB if uncle_bob_rule else {"manual_draw": True}
    match = turn(dealt("9d 8d", "2s 3s", **options), 0, "9d at 1, draw", "6d")
    if not uncle_bob_rule:
        assert match.acting == (1,)
        return
    assert names(match, 0) == {"draw", "end turn"} and match.struct.due == 0 and held(match) == [2, 2]
    turn(match, 0, "draw", "7d")
    assert match.acting == (1,) and names(match, 1) == {"accuse", "let be"} and held(match) == [3, 2]
    assert reasons(match, 0, "accuse", "let be", "draw", "end turn") == [14, 14, 10, 13]
    assert refusals(match, 1, "accuse", "let be", "play 2s", "draw") == ["", "", "HH-6", "HH-19"]


@pytest.mark.rule("HH-19")
def test_never_more_than_the_starting_hand_and_one() -> None:
    match = turn(offended(), 1, "let be")
    play(match, "2: let be, 3: let be, 1: play 2s, 1: cell 20, 1: draw, card 6s, 1: end turn")
    play(match, "2: play 4h, 2: cell 40, 2: end turn, 3: play 2c, 3: cell 60, 3: end turn")
    assert match.acting == (0,) and held(match) == [3, 2, 1, 1]
    turn(match, 0, "8d at 64, draw", "10d")
    assert match.acting == (1,) and held(match)[0] == 3  # the hand is as large as it may be
    turn(match, 1, "3s at 62, draw", "Kc")
    assert turn(match, 1, "end turn").acting == (2,)
    turn(match, 2, "5h at 58, draw", "Kh")
    turn(match, 2, "draw", "Kd")
    assert names(match, 0) == {"accuse", "let be"} and held(match) == [3, 2, 2, 1]


@pytest.mark.rule("HH-10", "HH-19")
def test_the_extra_card_comes_from_a_chosen_pile() -> None:
    match = turn(piles(dealt("9d 8d", "2s 3s", choose_pile=True, **BOB), 2, 3), 0, "9d at 1, pile 1", "6d")
    assert names(match, 0) == {"pile 1", "pile 2", "end turn"}
    assert in_piles(turn(match, 0, "pile 2", "7d")) == (1, 2) and match.acting == (1,)


@pytest.mark.rule("HH-19", "HH-21")
def test_answers_are_secret_until_all_have_answered() -> None:
    match = offended()
    assert match.acting == (1, 2, 3)
    history, known = match.struct.history, match.concealed(1)
    play(match, "3: accuse")
    assert match.acting == (1, 2) and names(match, 3) == set() and reasons(match, 3, "accuse") == [14]
    assert match.struct.history == history and scores(match) == [0] * 4
    chosen = [fields(match.concealed(p), rules.STRUCT)["choice"][:4] for p in (-1, 0, 1, 3)]
    assert chosen == [[-1] * 4, [-1] * 4, [-1] * 4, [-1, -1, -1, 0]]
    other = play(offended(), "3: let be")
    assert match.concealed(1) == other.concealed(1) != known and match.concealed(3) != other.concealed(3)
    assert fields(other.concealed(3), rules.STRUCT)["choice"][3] == 1


@pytest.mark.rule("HH-19")
@pytest.mark.parametrize(
    ("answers", "accused"), [("lll", False), ("all", True), ("lal", True), ("lla", True), ("aaa", True), ("ala", True)]
)
def test_one_accusation_is_enough(answers: str, accused: bool) -> None:
    match = offended()
    for seat in (2, 1, 3):
        play(match, f"{seat}: {'accuse' if answers[seat - 1] == 'a' else 'let be'}")
    assert [match.struct.choice[p] for p in range(4)] == [-1] * 4
    if not accused:
        assert match.acting == (1,) and scores(match) == [0] * 4 and held(match) == [3, 2, 2, 2]
        assert hand(match, 0) == {"8d", "6d", "7d"} and match.struct.extra == 0
        return
    assert not match.acting and match.chances() == {"card 8d": 1, "card 6d": 1, "card 7d": 1}
    assert scores(match) == [-5, 0, 0, 0] and total_weight(match) == 3
    play(match, "card 8d")
    assert match.acting == (1,) and names(match, 1) == {"play 2s", "play 3s"} and held(match) == [2, 2, 2, 2]
    assert hand(match, 0) == {"6d", "7d"} and match.struct.missing[0] == 1


@pytest.mark.rule("HH-19")
def test_every_answer_is_public_afterwards_in_seat_order() -> None:
    known = []
    for answers in (
        "2: accuse, 1: let be, 3: let be",
        "1: let be, 3: let be, 2: accuse",
        "3: accuse, 1: let be, 2: let be",
    ):
        match = play(offended(), answers)
        known.append((match.struct.history, match.concealed(0)))
    assert known[0] == known[1] != known[2]


@pytest.mark.rule("HH-19", "HH-21")
def test_the_card_that_is_lost_is_known_to_its_owner_alone() -> None:
    match = play(offended(), "1: accuse, 2: let be, 3: let be, card 8d")
    assert zone(match, 0, "taken-0").cards == ("8d",) and zone(match, 0, "taken-0").hidden == 0
    for seat in (-1, 1, 2, 3):
        assert zone(match, seat, "taken-0").cards == () and zone(match, seat, "taken-0").hidden == 1
        assert fields(match.concealed(seat), rules.STRUCT)["bag"] >> 46 & 1
    assert not fields(match.concealed(0), rules.STRUCT)["bag"] >> 46 & 1
    assert all(each.id != "taken-1" for each in match.view(0).zones)
    other = play(offended(), "1: accuse, 2: let be, 3: let be, card 6d")
    assert match.concealed(1) == other.concealed(1) and match.concealed(0) != other.concealed(0)
    said = [str(match.facts(seat)[-1]) for seat in (0, 1)]
    assert said[0] != said[1] and "8d" in said[0] and "8d" not in said[1]


@pytest.mark.rule("HH-19")
def test_a_special_can_be_lost() -> None:
    match = dealt("9d x2", "2s Tf", **BOB)
    turn(turn(match, 0, "9d at 1, draw", "6d"), 0, "draw", "7d")
    assert play(match, "1: accuse").chances() == {"card 6d": 1, "card 7d": 1, "card two-timer": 1}
    play(match, "card two-timer")
    assert (
        hand(match, 0) == {"6d", "7d"}
        and match.struct.taken_x[0, 0] == 1
        and zone(match, 0, "taken-0").cards == ("x2",)
    )
    turn(turn(match, 1, "2s at 20, draw", "6h"), 1, "draw", "7h")
    known = [fields(match.concealed(seat), rules.STRUCT) for seat in (0, 1, -1)]
    assert [each["bag_x"] for each in known] == [[0, 1], [1, 0], [1, 1]]
    assert [each["taken_x"][0] for each in known] == [[1, 0], [0, 0], [0, 0]]
    play(match, "0: accuse, card thief")
    assert scores(match) == [-5, -5] and match.struct.taken_x[1, 1] == 1 and zone(match, 1, "taken-1").cards == ("Tf",)
    assert [match.struct.hand_x[p, k] for p in range(2) for k in range(2)] == [0] * 4


@pytest.mark.rule("HH-18", "HH-19")
@pytest.mark.parametrize(("teams", "asked"), [(0, (1, 2, 3)), (2, (1, 3))])
def test_only_opponents_are_asked_and_the_side_loses_the_points(teams: int, asked: tuple[int, ...]) -> None:
    match = offended(teams=teams)
    assert match.acting == asked
    for seat in asked:
        play(match, f"{seat}: accuse")
    play(match, "card 8d")
    assert scores(match) == [-5, 0, 0, 0] and match.acting == (1,) and rules.score_of(match.struct, 0) == -5
    assert rules.score_of(match.struct, 1) == 0
