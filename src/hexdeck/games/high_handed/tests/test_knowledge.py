"""High Handed, what a player knows (HH-3, HH-21): views, facts, observations, and the worlds a seat thinks possible."""

from typing import Any

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.engine.play.match import Match
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.rules import CARD
from tests.positions import assert_others_choose_again, fields, observations, observed, zone
from tests.steps import seen
from tests.support import play, stage

from . import worlds as oracle
from .staging import NAME, assert_worlds, dealt, hold, lay, moves, number, piles, standing, turn

SMALL: dict[str, Any] = {"ranks": 3, "suits": 2, "two_timers": 2, "thieves": 2, "rows": 3, "columns": 3, "blind": 1}


TINY = SMALL | {"ranks": 2}
ASKED: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True, "uncle_bob": "ask"}


def known(match: Match, seat: int) -> dict[str, Any]:
    return fields(match.concealed(seat), rules.STRUCT)


def bag(*cards: str) -> int:
    return sum(1 << number(card) for card in cards)


def back(match: Match) -> Match:
    match.go(match.ply - 1)
    match.cut()
    return match


def facts(match: Match, seat: int, since: int = 0) -> list[str]:
    return [str(text) for text in match.facts(seat, since)]


# --- views ---
@pytest.mark.rule("HH-21")
def test_everybody_sees_the_board_and_numbers_of_cards_and_the_own_hand() -> None:
    match = turn(lay(dealt("7h Tf 2c", "2s 3s x2", "4h 5h 6h"), 1, "7c Kd"), 0, "Tf at 2, 7h", "9c")
    for seat in range(-1, 3):
        assert [zone(match, seat, f"hand-{p}").hidden for p in range(3)] == [
            0 if p == seat else count for p, count in enumerate((2, 3, 3))
        ]
        assert [zone(match, seat, f"score-{p}").count for p in range(3)] == [1, 0, 0]
        assert zone(match, seat, "board").cards[:3] == ("7c", "7h", "") and zone(match, seat, "out").cards == ("Kd",)
        assert [zone(match, seat, f"pile-{k}").hidden for k in (1, 2)] == [19, 20]
        assert zone(match, seat, "blind").hidden == 5 and zone(match, seat, "blind").cards == ()
    hands = [zone(match, p, f"hand-{p}").cards for p in range(3)]
    assert hands == [("2c", "9c"), ("2s", "3s", "x2"), ("4h", "5h", "6h")]
    assert [each.id for each in match.view(0).zones if each.id.startswith(("won", "taken"))] == []


@pytest.mark.rule("HH-21")
def test_moves_say_what_they_score_and_where() -> None:
    match = lay(dealt("7h x2 Ks Tf", "2s 3s 4s 5s"), 1, "7c . 7d Kd")
    labels = {move.name: move.text for move in match.legal(0)}
    assert labels["play 7h"] == "The 7h: up to 4 points" and labels["play Ks"] == "The Ks: up to 3 points"
    assert len(set(labels.values())) == 4
    play(match, "0: play 7h")
    spots = {move.name: (move.zone, move.cell, move.points) for move in match.legal(0)}
    assert spots["cell 2"] == ("board", "b1", 4) and spots["cell 9"] == ("board", "a2", 1)
    assert spots["cell 64"] == ("board", "h8", 0) and "cell 1" not in spots
    texts = {move.name: move.text for move in match.legal(0)}
    assert texts["cell 2"] == "At b1: 4 points" and texts["cell 9"] == "At a2: 1 point" and texts["cell 64"] == "At h8"
    back(match)
    play(match, "0: play thief")
    spots = {move.name: (move.zone, move.cell, move.points) for move in match.legal(0)}
    assert spots["cell 2"] == ("board", "b1", None) and spots["cell 4"] == ("board", "d1", 1)  # the best card on top
    assert "Kd" in {move.name: move.text for move in match.legal(0)}["cell 4"]
    back(match)
    play(match, "0: play two-timer")
    assert {move.cell: move.points for move in match.legal(0)}["b1"] == 8
    play(match, "0: cell 2")
    assert {move.name: move.text for move in match.legal(0)}["play 7h"] == "The 7h: 8 points"
    assert {move.zone for move in match.legal(0)} == {""}


# --- a secret pick ---
@pytest.mark.rule("HH-21")
def test_a_picked_card_is_known_to_nobody_else_before_it_lies() -> None:
    match = dealt("7h Tf x2", "2s 3s 4s", "4h 5h 6h")
    before = {seat: known(match, seat) for seat in (-1, 1, 2)}
    keys = {seat: match.key(seat) for seat in before}
    for card in ("7h", "thief", "two-timer"):
        play(match, f"0: play {card}")
        for seat in (-1, 1, 2):
            now = known(match, seat)
            assert now == before[seat]  # not even that a card was picked
            assert match.key(seat) == keys[seat]
            assert facts(match, seat, match.ply - 1) == []
            assert zone(match, seat, "hand-0").note is None and zone(match, seat, "hand-0").hidden == 3
        assert known(match, 0)["picked"] == number({"7h": "7h", "thief": "Tf", "two-timer": "x2"}[card])
        assert zone(match, 0, "hand-0").note is not None and facts(match, 0, match.ply - 1) == []
        back(match)
        assert match.acting == (0,) and match.struct.phase == CARD


@pytest.mark.rule("HH-21")
def test_what_was_played_and_scored_is_told_to_all() -> None:
    match = lay(dealt("7h x2 Tf", "2s 3s 4s"), 1, "7c . 7d Kd")
    play(match, moves(0, "x2 at 2, 7h"))
    for seat, who in ((-1, "Seat 0 plays"), (0, "You play"), (1, "Seat 0 plays")):
        said = " ".join(facts(match, seat))
        assert "7h at b1" in said and "three of a kind 4" in said and "8 points" in said and who in said
    match = turn(dealt("7h 8h", "2s 3s"), 0, "7h at 2", "9c")
    assert "9c" in facts(match, 0)[-1] and "9c" not in facts(match, 1)[-1] and "9c" not in facts(match, -1)[-1]


@pytest.mark.rule("HH-4", "HH-21")
def test_a_dealt_hand_is_told_to_its_owner() -> None:
    match = dealt("7h x2", "2s 3s")
    assert "7h" in facts(match, 0)[-1] and "2s" in facts(match, 1)[-1] and facts(match, -1) == []
    assert len(facts(match, 0)) == len(facts(match, 1)) == 1


# --- the end ---
def ended(**options: Any) -> Match:
    """The last two cards have been played; some others were not seen by all."""
    match = dealt("Ac 2c", "As 2s", **(SMALL | {"two_timers": 0, "thieves": 0, "blind": 2} | options))
    assert sum(len(zone(match, p, f"hand-{p}").cards) for p in range(2)) == 4
    return match


@pytest.mark.rule("HH-3", "HH-21")
def test_the_blind_hand_is_shown_at_the_end() -> None:
    match = ended()
    assert zone(match, 0, "blind").hidden == 2
    for seat, text in ((0, "Ac at 1"), (1, "As at 5"), (0, "2c at 3")):
        turn(match, seat, text)
        assert zone(match, -1, "blind").cards == ()
    turn(match, 1, "2s at 9")
    assert match.over and [zone(match, p, "blind").cards for p in (-1, 0, 1)] == [("3c", "3s")] * 3
    assert zone(match, 0, "blind").hidden == 0


@pytest.mark.rule("HH-3")
def test_specials_of_the_blind_hand_are_shown_too() -> None:
    match = dealt("Ac 2c 3c", "As 2s 3s", **(SMALL | {"blind": 2}))
    for seat, card, cell in zip((0, 1) * 3, ("Ac", "As", "2c", "2s", "3c", "3s"), (1, 3, 5, 7, 8, 9), strict=True):
        turn(match, seat, f"{card} at {cell}")
    assert match.over and zone(match, 1, "blind").cards == ("x2", "Tf")


@pytest.mark.rule("HH-3", "HH-21")
def test_the_blind_hand_stays_unseen_where_it_is_in_doubt() -> None:
    match = turn(ended(manual_draw=True, blind=1), 0, "Ac at 1, end turn")
    for seat, text in ((1, "As at 5"), (0, "2c at 3"), (1, "2s at 9")):
        turn(match, seat, f"{text}, end turn")
    assert match.over and [zone(match, p, "blind").cards for p in (-1, 0, 1)] == [()] * 3
    assert zone(match, 0, "blind").hidden == 1
    match = hold(hold(piles(dealt("Ac", "As", **(SMALL | {"blind": 2})), 0, 0), 0, "2c"), 1, "")
    s = match.struct
    s.bag, s.bag_x[0], s.bag_x[1], s.taken[1], s.missing[1] = bag("3c", "3s"), 0, 0, bag("2s"), 1
    turn(standing(match), 0, "2c at 5")
    assert match.over and [zone(match, p, "blind").cards for p in (-1, 0, 1)] == [(), (), ("3c", "3s")]


# --- concealed structs, worlds and history ---
@pytest.mark.rule("HH-1", "HH-8", "HH-21")
def test_every_card_is_somewhere_and_all_know_which_specials_are_used() -> None:
    match = dealt("Ac 2c Tf x2", "As x2 3c Tf", **(SMALL | {"two_timers": 3, "thieves": 3, "columns": 4}))
    events = ["0: play Ac", "0: cell 1", "card 2s", "1: play two-timer", "1: cell 3", "1: leave"]
    events += ["0: play thief", "0: cell 1", "0: play two-timer", "0: play 2c"]
    for event in events:
        assert testing.inventory(rules, match.struct) == oracle.everything(match.game)
        play(match, event)
    assert [known(match, p)["used_x"] for p in (-1, 0, 1)] == [[2, 1]] * 3 and match.acting == (1,)
    assert known(stage(NAME, 2), 0)["used_x"] == [0, 0] and known(match, 1)["out"] == bag("Ac")


@pytest.mark.rule("HH-21")
def test_hands_piles_and_blind_hand_are_one_bag() -> None:
    match = turn(dealt("Ac 2c", "As x2", **SMALL), 0, "Ac at 1", "Tf")
    unseen = [(known(match, p)["bag"], known(match, p)["bag_x"]) for p in (-1, 0, 1)]
    assert unseen == [
        (bag("2c", "3c", "As", "2s", "3s"), [1, 1]),
        (bag("3c", "As", "2s", "3s"), [1, 0]),
        (bag("2c", "3c", "2s", "3s"), [0, 1]),
    ]
    assert [known(match, p)["hand"][:2] for p in (-1, 0, 1)] == [[0, 0], [bag("2c"), 0], [0, bag("As")]]
    assert [known(match, p)["hand_x"][:2] for p in (-1, 0, 1)] == [[[0, 0]] * 2, [[0, 1], [0, 0]], [[0, 0], [1, 0]]]
    assert all(known(match, p)[name] == known(match, 0)[name] for p in (-1, 1) for name in ("held", "pile", "board"))


@pytest.mark.rule("HH-21")
def test_the_worlds_a_seat_thinks_possible() -> None:
    match = stage(NAME, 2, "card Ac, card two-timer, card 2s", hand_cards=2, **TINY)
    assert_worlds(match)  # while the cards are dealt
    assert_worlds(play(match, "card thief"))
    assert_worlds(play(match, "0: play Ac"))  # the pick is hidden
    assert_worlds(turn(match, 0, "cell 5", "As"))
    assert_worlds(play(match, "1: play thief"))
    match = dealt("Ac 2c", "As 2s", "x2 x2", **(TINY | {"two_timers": 3, "blind": 0}))
    assert_worlds(match, 0, 2)
    assert_worlds(play(match, "0: play 2c"), 1, 2)


@pytest.mark.rule("HH-6", "HH-9", "HH-21")
def test_a_stack_that_must_go_on_shows_that_there_is_a_regular_card_and_no_other_does() -> None:
    match = dealt("Ac x2", "As Tf", "2c x2", **(TINY | {"two_timers": 3, "blind": 0}))
    assert_worlds(play(match, moves(0, "x2 at 5")))  # what is left may be a special
    play(turn(match, 0, "leave", "2s"), moves(1, "Tf at 5"))
    assert_worlds(match)
    assert not any(world[0][1][0] >= number("x2") for world in oracle.worlds(known(match, 0), 0))
    match = dealt("Ac x2 x2", "As 2s Tf", **(TINY | {"two_timers": 3, "blind": 0}))
    assert_worlds(play(match, moves(0, "x2 at 5, x2")), -1, 1)
    match = dealt("Ac x2 x2 Tf", "As 2s 2c Tf", **(TINY | {"two_timers": 3, "thieves": 3, "blind": 0}))
    assert_worlds(play(match, moves(0, "x2 at 5, x2")), 1)
    match = hold(dealt("Ac As 3c", "2s Tf 3s", **(SMALL | {"two_timers": 4, "columns": 4})), 0, "Ac x2 x2 x2")
    assert_worlds(play(match, moves(0, "x2 at 5")), 1)
    assert_worlds(play(match, moves(0, "x2")), 1)


@pytest.mark.rule("HH-19", "HH-21")
def test_the_worlds_while_seats_answer_and_after_a_loss() -> None:
    match = dealt("Ac", "x2", "2c", **ASKED, **(TINY | {"blind": 0}))
    turn(turn(match, 0, "Ac at 5, draw", "2s"), 0, "draw", "Tf")
    assert_worlds(match)
    assert_worlds(play(match, "2: accuse"))
    assert_worlds(play(match, "1: let be"))
    assert_worlds(play(match, "card 2s"))
    assert_worlds(play(match, "1: play two-timer"))
    match = dealt("Ac", "x2", "2c", "As", teams=2, **ASKED, **(TINY | {"blind": 0}))
    turn(turn(match, 0, "Ac at 5, draw", "2s"), 0, "draw", "Tf")
    play(match, "3: let be")
    assert_worlds(match, 1, 2)
    assert_worlds(play(match, "1: accuse, card 2s"), 0, 2)


@pytest.mark.rule("HH-21")
def test_every_public_event_enters_the_history_and_no_other() -> None:
    match, changed = stage(NAME, 2, hand_cards=3, **ASKED), []
    events = "card 7h, card 2s, card two-timer, card 3s, card thief, card 4s, 0: play two-timer, 0: cell 9, 0: play 7h"
    events += ", 0: draw, card 8h, 0: end turn, 1: play 2s, 1: cell 30, 1: draw, card 9h, 1: draw, card 10h, 0: accuse"
    for event in f"{events}, card 3s, 0: play thief, 0: cell 30, 0: play 8h".split(", "):
        before = match.struct.history
        play(match, event)
        changed.append(match.struct.history != before)
    expected = "nnnnnn nyy yny nyynyn y n nyy".replace(" ", "")
    assert changed == [each == "y" for each in expected] and match.struct.deal == 1


@pytest.mark.rule("HH-21")
def test_histories_differ_by_what_was_done() -> None:
    done = "7h at 9; 7h at 10; 8h at 9; x2 at 9, 7h; x2 at 9, 8h; x2 at 9, leave; Tf at 9; x2 at 10, 7h"
    found = {turn(dealt("7h 8h x2 Tf", "2s 3s 4s 5s"), 0, text).struct.history for text in done.split("; ")}
    assert len(found) == 8


@pytest.mark.rule("HH-8", "HH-9", "HH-21")
@pytest.mark.parametrize("lone_special", ["empty", "anywhere"])
@pytest.mark.parametrize("two_thieves", [False, True])
def test_what_specials_on_a_card_tell_of_the_hand(lone_special: str, two_thieves: bool) -> None:
    """A hand may be all specials where the turn may end so; else a regular card must be in it."""
    options = TINY | {"thieves": 3, "lone_special": lone_special, "two_thieves": two_thieves, "blind": 0}
    for stack in ("Tf at 1, {}", "x2 at 2, {}"):
        match = lay(dealt("Ac Tf x2", "2c 2s Tf", **options), 1, "As")
        first, _, _ = stack.partition(",")
        assert_worlds(play(match, moves(0, first)), 1, -1)
    assert_worlds(play(lay(dealt("Ac Tf x2", "2c 2s Tf", **options), 1, "As"), moves(0, "Tf at 1, x2")), 1, -1)
    if two_thieves:
        match = lay(dealt("Ac Tf Tf", "2c 2s x2", **options), 1, "As")
        assert_worlds(play(match, moves(0, "Tf at 1, thief")), 1, -1)


@pytest.mark.rule("HH-9")
def test_what_stays_where_nobody_decides_is_said_of_both_specials() -> None:
    match = play(lay(dealt("x2 Tf", "2s 3s", lone_special="anywhere"), 1, "7c Kd"), moves(0, "Tf at 2, two-timer"))
    assert match.view(0).prompt.key == "You hold no regular card, so both specials stay at {cell}."
    assert [move.text for move in match.legal(0)] == ["Leave both specials there, without a regular card"]
    free = play(dealt("x2 7c", "2s 3s"), moves(0, "x2 at 2"))
    assert [match.game.table.nobody_decides(each.struct, 0) for each in (match, free)] == [True, False]


@pytest.mark.rule("HH-8", "HH-9", "HH-21")
def test_what_specials_alone_are_called_and_what_is_told_of_them() -> None:
    options = {"thieves": 3, "two_thieves": True, "lone_special": "anywhere"}

    def ends(text: str) -> tuple[str, list[str]]:
        """How the move is called that leaves the stack, and what the other seat is told of it all."""
        match = play(lay(dealt("7h Tf Tf x2", "2s 3s 4s 5s", **options), 1, "7c Kd"), moves(0, text))
        named = [move.text for move in match.legal(0) if move.name == "leave"]
        if named:
            play(match, "0: leave")
        return "".join(named), facts(match, 1)

    assert ends("x2 at 2") == ("", ["Seat 0 puts a Two Timer on the Kd at b1."])
    assert ends("x2 at 3") == (
        "Leave the Two Timer there, alone",
        ["Seat 0 lays a Two Timer at c1.", "Seat 0 leaves it there."],
    )
    thief = "Seat 0 puts a Thief on the Kd at b1."
    assert ends("Tf at 2") == ("Leave the Thief there, alone", [thief, "Seat 0 leaves it there."])
    both = "Leave both specials there, without a regular card"
    assert ends("Tf at 2, x2") == (both, [thief, "Seat 0 puts a Two Timer on top.", "Seat 0 leaves them there."])
    assert ends("Tf at 2, thief") == (both, [thief, "Seat 0 puts a second Thief on top.", "Seat 0 leaves them there."])
    match = play(lay(dealt("7h Tf Tf x2", "2s 3s 4s 5s", **options), 1, "7c Kd"), "0: play two-timer")
    assert {move.cell: move.points for move in match.legal(0) if move.cell in ("b1", "a2")} == {"b1": None, "a2": 2}


# --- observations ---
def ones(size: int, *at: int) -> list[int]:
    return [int(k in at) for k in range(size)]


@pytest.mark.rule("HH-21")
@seen
def test_what_is_observed_counted_from_the_own_seat_to_the_left() -> str:
    match = lay(dealt("7h x2 Tf", "2s Kd x2", "4h 5h 6h", two_timers=4, thieves=3), 3, "Ac Jd x2 Tf")
    s = match.struct
    s.score[0], s.score[1], s.score[2], s.won[1], s.missing[2] = 123, -5, 7, 1, 2
    return observations(play(standing(match), "0: play 7h, 0: cell 1, card Qh, 1: play Kd"), 1, -1, 0)


@pytest.mark.rule("HH-17", "HH-19", "HH-21")
@seen
def test_an_observation_of_what_was_taken_and_forgotten() -> str:
    match = dealt("7h", "2s", "4h")
    s = match.struct
    s.bag &= ~(1 << number("5c"))
    s.taken[1], s.missing[1], s.taken_x[1, 1], s.forgot[2], s.deal = 1 << number("5c"), 2, 1, 3, 2
    s.score[0], s.choice[0] = 200, 1
    return observations(standing(match), 1, 0, -1)


@pytest.mark.rule("HH-21")
@seen
def test_the_first_seat_observes_what_it_took_and_the_suits_of_high_cards() -> str:
    match = lay(dealt("7h", "2s"), 1, "Kc Qd Ks Kd")
    match.struct.bag &= ~(1 << number("5c"))
    match.struct.taken[0], match.struct.missing[0] = 1 << number("5c"), 1
    return observations(standing(match), 0)


@pytest.mark.rule("HH-19", "HH-21")
@seen
def test_an_observation_of_a_stack_and_of_answers() -> str:
    options = {**ASKED, "specials": 3, "teams": 2, "choose_pile": True}
    scoring = {"strangers": "yes", "line_hands": "two", "new_hand": "line"}
    more = {"length": "first_to_two", "rows": 7, "columns": 9}
    match = lay(dealt("7h x2 Tf", "2s 3s 4s", "4h 5h 6h", "2d 3d 4d", **options, **scoring, **more), 11, "9c")
    found = [observations(play(match, moves(0, "Tf at 11, x2")), 1, 2)]
    found.append(observations(play(match, "0: play 7h"), 0))
    turn(turn(turn(turn(match, 0, "pile 1", "9h"), 0, "pile 2", "10h"), 0, "pile 1", "Jh"), 0, "pile 2", "Qh")
    found.append(observations(match, 0, 1, 2, 3))
    found.append(observations(play(match, "3: accuse"), 3, 1))
    return "\n".join([*found, observations(play(match, "1: let be, card 9h"), 0)])


@pytest.mark.rule("HH-3", "HH-17", "HH-21")
@seen
def test_who_begins_is_public_and_observed() -> str:
    options = {"first": "lot", "length": "double", "two_thieves": True, "lone_special": "anywhere"}
    match = stage(NAME, 4, hand_cards=1, **options)
    found = [observations(match, 1), observations(play(match, "seat 2"), -1, 0, 1, 2, 3)]
    assert {known(match, seat)["starter"] for seat in range(-1, 4)} == {2}
    assert stage(NAME, 2, "seat 0", first="lot").struct.history != stage(NAME, 2, "seat 1", first="lot").struct.history
    match.struct.deal = 2  # the second game begins a seat further on
    return "\n".join([*found, observations(standing(match), 2)])


@pytest.mark.rule("HH-19", "HH-21")
@seen
def test_an_observation_of_late_cards() -> str:
    match = turn(dealt("9d x2 8d", "2s 3s 4s", grandpa_rule="0", manual_draw=True), 0, "x2 at 1, 9d, end turn")
    return observations(turn(match, 1, "2s at 20, end turn"), 1)


@pytest.mark.rule("HH-21")
def test_no_view_shows_that_a_card_is_picked() -> None:
    match = dealt("7h Tf x2", "2s 3s 4s", "4h 5h 6h")
    before = {seat: match.view(seat).data() for seat in (-1, 1, 2)}
    play(match, "0: play 7h")
    assert {seat: match.view(seat).data() for seat in before} == before


@pytest.mark.rule("HH-19")
def test_choices_of_others_are_theirs_to_choose_again() -> None:
    assert_others_choose_again(
        hexdeck.game(
            "high-handed", 4, manual_draw=True, uncle_bob_rule=True, ranks=6, rows=5, columns=5, hand_cards=4
        ).match(2),
        "choice",
        2,
    )


@pytest.mark.parametrize("suit", range(1, 5))
def test_the_cards_on_the_board_are_observed_by_rank_and_suit(suit: int) -> None:
    line = " ".join(f"{rank}{'cshd'[suit - 1]}" for rank in (*"A23456789", "10", *"JQK"))
    found = observed(lay(dealt("x2", "Tf"), 1, f"{line} x2 Tf"), 0)
    assert found["ranks"][:16] == [*range(1, 16), 0] and found["suits"][:16] == [suit] * 13 + [0] * 3
