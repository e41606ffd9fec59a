"""High Handed: the Uncle Bob rule (HH-19, "watch"): a card too many hides in the sizes until its owner's next turn."""

from collections.abc import Callable
from typing import Any

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.coach import LESSONS
from tests.positions import fields, whole, zone
from tests.support import for_each, names, play

from .staging import assert_worlds, dealt, hand, held, in_piles, piles, scores, turn

BOB: dict[str, Any] = {"manual_draw": True, "uncle_bob_rule": True, "uncle_bob": "watch"}
TINY: dict[str, Any] = {"ranks": 2, "suits": 2, "rows": 3, "columns": 3, "blind": 0}


def honest(match: Match) -> Match:
    return turn(turn(match, 0, "9d at 1, draw", "6d"), 0, "end turn")


def sneaky(match: Match) -> Match:
    return turn(turn(match, 0, "9d at 1, draw", "6d"), 0, "draw")


def around(match: Match) -> Match:
    """All others have had their turns, without a card too many; then seat 0 is to begin its next one."""
    for p, (card, cell, drawn) in enumerate(
        (("2s", 20, "6s"), ("4h", 40, "6h"), ("2c", 60, "6c"))[: match.game.players - 1], 1
    ):
        turn(turn(match, p, f"{card} at {cell}, draw", drawn), p, "end turn")
    return match


def four(**options: Any) -> Match:
    return dealt("9d 8d", "2s 3s", "4h 5h", "2c 3c", **(BOB | options))


def answers(match: Match, text: str) -> Match:
    """What seats 1, 2, 3 answer: `a` accuse, `l` let be, `-` isn't asked."""
    said = {"a": "accuse", "l": "let be"}
    return play(match, *(f"{p}: {said[each]}" for p, each in enumerate(text, 1) if each in said))


@pytest.mark.rule("HH-19")
@for_each("do", (honest, sneaky))
def test_the_question_comes_when_the_next_turn_begins_whatever_was_drawn(do: Callable[[Match], Match]) -> None:
    match = do(four())
    assert match.acting == (1,) and names(match, 1) == {"play 2s", "play 3s"}  # the table goes on
    around(match)
    assert match.acting == (1, 2, 3) and match.struct.turn == 0 and names(match, 1) == {"accuse", "let be"}
    answers(match, "lll")
    if do is sneaky:
        assert not match.acting
        play(match, "card 7d")
    assert match.acting == (0,) and len(names(match, 0)) == 2 + (do is sneaky) and scores(match) == [0] * 4


@pytest.mark.rule("HH-19", "HH-21")
def test_nobody_else_can_tell_a_card_too_many_until_the_next_turn() -> None:
    clean, guilty = honest(four()), sneaky(four())
    for others_have_played in (False, True):
        if others_have_played:
            around(clean), around(guilty)
        for seat in (-1, 1, 2, 3):
            assert clean.concealed(seat) == guilty.concealed(seat) and clean.key(seat) == guilty.key(seat)
            assert clean.view(seat).data() == guilty.view(seat).data()
        assert held(guilty)[0] == 2 and sum(in_piles(guilty)) == sum(in_piles(clean))
    assert hand(guilty, 0) == {"8d", "6d"} and zone(guilty, 0, "hand-0").hidden == 1  # face down
    assert fields(guilty.concealed(0), rules.STRUCT)["sneaked"][0] == 1
    before = sum(in_piles(guilty))
    play(answers(guilty, "lll"), "card 7d")
    assert held(guilty)[0] == 3 and sum(in_piles(guilty)) == before - 1 and hand(guilty, 0) == {"8d", "6d", "7d"}
    assert [str(guilty.facts(seat)[-1]) for seat in (0, 1)] == [
        "You keep your card too many: the 7d.",
        "Seat 0 had drawn a card too many, and keeps it.",
    ]


@pytest.mark.rule("HH-19")
@for_each(
    ("do", "said", "points", "loses"),
    (
        (sneaky, "lll", [0, 0, 0, 0], False),
        (sneaky, "lal", [-5, 0, 0, 0], True),
        (sneaky, "aaa", [-5, 0, 0, 0], True),
        (honest, "lal", [0, 0, -5, 0], False),
        (honest, "aaa", [0, -5, -5, -5], False),
    ),
)
def test_an_accusation_costs_whoever_is_wrong(do, said, points, loses) -> None:
    match = answers(around(do(four())), said)
    assert scores(match) == points
    if do is sneaky:
        play(match, "card 7d")
    if loses:
        assert match.chances() == {"card 8d": 1, "card 6d": 1, "card 7d": 1} and held(match)[0] == 3
        play(match, "card 8d")
        assert hand(match, 0) == {"6d", "7d"} and match.struct.missing[0] == 1
    assert match.acting == (0,) and match.struct.turn == 0 and not match.struct.suspect[0]


@pytest.mark.rule("HH-18", "HH-19")
@for_each(("do", "points"), ((sneaky, [-5, 0, 0, 0]), (honest, [0, -5, 0, -5])))
def test_only_opponents_are_asked_and_a_side_pays_for_each_of_its_players(do, points) -> None:
    match = around(do(four(teams=2)))
    assert match.acting == (1, 3)
    assert scores(answers(match, "a-a")) == points and rules.score_of(match.struct, 1) == points[1] + points[3]


@pytest.mark.rule("HH-19", "HH-21")
def test_answers_are_secret_until_all_have_answered() -> None:
    accusing, letting = (around(sneaky(four())) for _ in range(2))
    history = accusing.struct.history
    play(accusing, "3: accuse"), play(letting, "3: let be")
    assert accusing.struct.history == history and scores(accusing) == [0] * 4
    for seat in (-1, 0, 1, 2):
        assert accusing.concealed(seat) == letting.concealed(seat)
        assert accusing.facts(seat) == letting.facts(seat)
    assert str(accusing.facts(3)[-1]) == "You accuse Seat 0, in secret so far."


@pytest.mark.rule("HH-19")
def test_what_is_said_of_accusations() -> None:
    match = answers(around(honest(four())), "lal")
    assert [str(text) for text in match.facts(1)[-2:]] == [
        "Seat 2 accuses Seat 0!",
        "Seat 2 was wrong, and loses 5 points.",
    ]
    assert str(match.facts(2)[-1]) == "You were wrong: you lose 5 points."
    told = len(around(honest(four())).facts(1))
    assert len(answers(around(honest(four())), "lll").facts(1)) == told  # nothing turned up: nothing is said
    match = answers(around(sneaky(four())), "lal")
    assert [str(match.facts(seat)[-1]) for seat in (0, 2)] == ["Seat 2 accuses you!", "You accuse Seat 0!"]
    play(match, "card 7d")
    assert [str(match.facts(seat)[-1]) for seat in (0, 1)] == [
        "Your card too many is the 7d.",
        "Seat 0 had drawn a card too many.",
    ]


@pytest.mark.rule("HH-10", "HH-19")
@pytest.mark.parametrize("pile", [1, 2])
def test_the_card_too_many_comes_from_a_chosen_pile_as_soon_as_it_is_seen(pile: int) -> None:
    match = turn(piles(four(choose_pile=True), 6, 8), 0, "9d at 1, pile 1", "6d")
    turn(match, 0, f"pile {pile}")
    assert in_piles(match) == (5, 8)
    for p, card, cell, drawn in ((1, "2s", 20, "6s"), (2, "4h", 40, "6h"), (3, "2c", 60, "6c")):
        turn(turn(match, p, f"{card} at {cell}, pile 2", drawn), p, "end turn")
    assert in_piles(match) == (5, 5)
    assert in_piles(play(answers(match, "lll"), "card 7d")) == ((4, 5) if pile == 1 else (5, 4))


@pytest.mark.rule("HH-10", "HH-19")
def test_a_card_due_that_others_have_taken_shows_it_and_then_it_is_too_late() -> None:
    match = piles(dealt("9d 8d", "2s 3s", **BOB), 2, 0)
    sneaky(match)
    assert in_piles(match) == (1, 0) and held(match) == [2, 2]
    turn(match, 1, "2s at 20")
    assert in_piles(match) == (0, 0) and held(match) == [3, 1] and not match.acting  # nobody is asked any more
    assert str(match.facts(1)[-1]) == "No card is left: Seat 0 has drawn a card too many."
    play(match, "card 7d")
    assert names(match, 0) == {"play 8d", "play 6d", "play 7d"} and scores(match) == [0, 0] and held(match) == [3, 1]


@pytest.mark.rule("HH-19", "HH-21")
def test_whoever_finds_no_card_too_many_seems_to_have_ended_the_turn() -> None:
    """Seat 0 has taken the last card; seat 1 reaches for it in vain, and nobody sees either."""
    ends, reaches = (piles(dealt("9d 8d", "2s 3s", "4h 5h", **BOB), 3, 0) for _ in range(2))
    for match, last in ((ends, "end turn"), (reaches, "draw")):
        turn(turn(sneaky(match), 1, "2s at 20, draw", "6s"), 1, last)
    assert all(ends.concealed(seat) == reaches.concealed(seat) for seat in (-1, 0, 2)) and ends.acting == (2,)
    assert str(reaches.facts(1)[-1]) == "You reach for one more card, but none is left."
    assert [ends.facts(seat) for seat in (-1, 0, 2)] == [reaches.facts(seat) for seat in (-1, 0, 2)]


@pytest.mark.rule("HH-19")
def test_late_cards_come_after_the_question_and_show_what_is_missing() -> None:
    match = around(sneaky(four(grandpa_rule="0-1")))
    assert match.acting == (1, 2, 3)
    assert play(answers(match, "lll"), "card 7d").acting == (0,)
    match = turn(piles(dealt("9d x2 8d", "2s 3s 4s", grandpa_rule="1", **BOB), 3, 0), 0, "9d at 1, draw", "6d")
    turn(turn(match, 0, "end turn"), 1, "2s at 20, end turn")
    play(match, "1: let be")
    turn(turn(match, 0, "8d at 40, draw", "7d"), 0, "draw")
    play(match, "0: let be")
    assert in_piles(match) == (0, 0) and held(match) == [4, 2]  # what was owed to seat 1 is gone
    assert match.acting == (1,) and names(match, 1) == {"play 3s", "play 4s"}


@pytest.mark.rule("HH-19", "HH-21")
def test_the_worlds_while_a_card_too_many_may_be_hidden() -> None:
    match = dealt("Ac", "x2", "2c", **(BOB | TINY))
    assert_worlds(turn(turn(match, 0, "Ac at 5, draw", "2s"), 0, "draw"))
    assert_worlds(play(match, "1: play two-timer"), 0, 2, -1)
    assert_worlds(turn(match, 1, "cell 1, leave"))
    match = turn(dealt("Ac", "x2", **(BOB | TINY | {"choose_pile": True})), 0, "Ac at 5, pile 1", "2s")
    assert_worlds(turn(turn(match, 0, "pile 2"), 1, "x2 at 1"))


@pytest.mark.rule("HH-10", "HH-19", "HH-21")
def test_a_card_that_is_due_and_there_shows_that_nobody_has_taken_the_last_ones() -> None:
    match = turn(honest(piles(dealt("9d 8d", "2s 3s", "4h 5h", **BOB), 2, 0)), 1, "2s at 20")
    assert in_piles(match) == (1, 0) and names(match, 1) == {"draw", "end turn"}
    assert not any(match.resample(seat, seed).struct.sneaked[0] for seat in (1, 2) for seed in range(20))
    match = dealt("Ac", "x2", "2c", **(BOB | TINY))
    assert_worlds(turn(turn(turn(match, 0, "Ac at 5, draw", "2s"), 0, "end turn"), 1, "x2 at 1, leave"), 1, 2, -1)


@pytest.mark.rule("HH-19", "HH-21")
def test_a_world_without_a_card_too_many_is_as_likely_as_one_with_it() -> None:
    match = sneaky(four())
    found = [match.resample(1, seed).struct.sneaked[0] for seed in range(200)]
    assert 70 < sum(map(bool, found)) < 130
    assert all(whole(match.resample(1, seed).resample(1, 0)) == whole(match.resample(1, 0)) for seed in range(5))


@pytest.mark.rule("HH-19")
def test_the_question_comes_also_after_a_turn_in_which_a_card_was_forgotten() -> None:
    match = around(turn(four(), 0, "9d at 1, end turn"))
    assert match.acting == (1, 2, 3) and match.struct.turn == 0 and match.struct.suspect[0] == 2
    assert "this time Seat 0 can't have drawn" in str(LESSONS[rules.ANSWER, "accuse let", ""](match.struct, 1).may)
    assert scores(answers(match, "lal")) == [0, 0, -5, 0] and match.acting == (0,)


@pytest.mark.rule("HH-19")
def test_nobody_is_asked_once_the_piles_are_empty() -> None:
    match = turn(piles(four(), 1, 0), 0, "9d at 1, draw", "6d")
    assert match.acting == (1,) and not match.struct.suspect[0]


@pytest.mark.rule("HH-19", "HH-21")
def test_a_card_that_was_due_and_left_there_is_one_that_nobody_has_taken() -> None:
    match = turn(honest(piles(dealt("9d 8d", "2s 3s", "4h 5h", **BOB), 2, 0)), 1, "2s at 20, end turn")
    assert in_piles(match) == (1, 0) and match.struct.suspect[0] == 1
    assert not any(match.resample(seat, seed).struct.sneaked[0] for seat in (1, 2) for seed in range(20))
    match = turn(dealt("Ac", "x2", "2c", **(BOB | TINY)), 0, "Ac at 5, draw", "2s")
    assert_worlds(turn(turn(match, 0, "end turn"), 1, "x2 at 1, leave, end turn"), 0, 1, 2, -1)
    assert_worlds(turn(match, 2, "2c at 2, draw", "As"), 0, 1, 2, -1)
    assert {match.resample(2, seed).struct.sneaked[0] for seed in range(20)} == {0, 1}  # the one left may be the last


@pytest.mark.rule("HH-19", "HH-21")
def test_whoever_finds_no_card_left_knows_that_others_have_them_and_nobody_else_does() -> None:
    ends, reaches = (turn(dealt("Ac", "x2", "2c", **(BOB | TINY)), 0, "Ac at 5, draw", "2s") for _ in range(2))
    for match, last in ((ends, "end turn"), (reaches, "draw")):
        turn(turn(turn(match, 0, "draw"), 1, "x2 at 1, leave, draw", "As"), 1, last)
        assert_worlds(match, 0, 1, 2, -1)
    assert ends.key(1) != reaches.key(1) and all(ends.key(seat) == reaches.key(seat) for seat in (0, 2, -1))
    assert all(reaches.resample(1, seed).struct.sneaked[0] for seed in range(20))
    vain = {reaches.resample(2, seed).struct.sneaked[1] for seed in range(40)}
    assert vain == {-1, 0, 1}


@pytest.mark.rule("HH-19", "HH-21")
def test_whoever_is_about_to_turn_a_card_up_has_one() -> None:
    match = sneaky(dealt("9d 8d", "2s 3s", **BOB))
    answers(turn(turn(match, 1, "2s at 20, draw", "6s"), 1, "end turn"), "l")
    assert not match.acting and all(match.resample(1, seed).struct.sneaked[0] for seed in range(20))


@pytest.mark.rule("HH-10", "HH-19", "HH-21")
def test_which_pile_was_chosen_matters_no_more_once_one_is_empty() -> None:
    match = turn(dealt("Ac", "x2", **(BOB | TINY | {"choose_pile": True})), 0, "Ac at 5, pile 1", "2s")
    turn(turn(match, 0, "pile 2"), 1, "x2 at 1, leave, pile 1", "2c")
    assert in_piles(match) == (0, 2) and match.struct.sneaked[0] == 1
    assert_worlds(match, 0, 1, -1)


@pytest.mark.rule("HH-19")
def test_a_record_in_which_nobody_was_asked_after_a_card_was_forgotten_is_refused() -> None:
    match = around(turn(dealt("9d 8d", "2s 3s", **BOB), 0, "9d at 1, end turn"))
    data = Record.of(match).data()
    played = {**data, "rules": 3, "events": [*data["events"], "0: play 8d"], "count": data["count"] + 1}
    with pytest.raises(hexdeck.BadRecord, match=r"^Event 12 of the record, '0: play 8d', is not possible there: "):
        hexdeck.load(played, backend="interpreted")
