"""High Handed, rule by rule (HH-1 to HH-10): the deal, a turn, stacks, draws. Positions are made by hand."""

import pytest

import hexdeck
from hexdeck import testing
from hexdeck.games.high_handed.coach import COURSE
from hexdeck.games.high_handed.rules import ACTIONS, CARD, CELL, DONE, OUTCOMES
from tests.positions import total_weight, zone
from tests.settings import much
from tests.support import names, play, stage

from .staging import NAME, board, dealt, hand, held, hold, in_piles, lay, moves, piles, reasons, refusals, scores, turn

CELLS = {f"cell {k}" for k in range(1, 65)}


def cells(*numbers: int) -> set[str]:
    return {f"cell {number}" for number in numbers}


# --- components and the deal ---
@pytest.mark.rule("HH-1")
@pytest.mark.parametrize(("players", "timers", "thieves"), [(2, 1, 1), (3, 1, 1), (4, 2, 2), (6, 2, 2)])
def test_a_standard_deck_and_the_specials(players: int, timers: int, thieves: int) -> None:
    chances = stage(NAME, players).chances()
    assert len(chances) == 54 and {chances[card] for card in OUTCOMES[:52]} == {1}
    assert (chances["card two-timer"], chances["card thief"]) == (timers, thieves)
    assert set(chances) >= {"card Ac", "card 10h", "card Kd", "card Qs"}
    assert total_weight(stage(NAME, players)) == 52 + timers + thieves


@pytest.mark.rule("HH-1")
def test_other_numbers_of_specials() -> None:
    chances = stage(NAME, 2, two_timers=4, thieves=0, rows=8, columns=8).chances()
    assert chances["card two-timer"] == 3 and "card thief" not in chances
    chances = stage(NAME, 4, two_timers=1, thieves=3).chances()
    assert chances["card two-timer"] == 1 and chances["card thief"] == 3
    for players in (1, 7):
        with pytest.raises(hexdeck.BadOption, match="2 to 6"):
            hexdeck.game(NAME, players)


@pytest.mark.rule("HH-1")
def test_a_smaller_deck_for_study() -> None:
    chances = stage(NAME, 2, ranks=3, suits=2, two_timers=1, thieves=1, hand_cards=1, blind=0).chances()
    assert set(chances) == {"card Ac", "card 2c", "card 3c", "card As", "card 2s", "card 3s"}
    with pytest.raises(
        hexdeck.BadOption, match="7 cards can't give 2 players 3 cards each and leave 2 for the blind hand; deal fewer"
    ):
        hexdeck.game(NAME, 2, ranks=7, suits=1, two_timers=0, thieves=0, hand_cards=3, blind=2)
    assert hexdeck.game(NAME, 2, ranks=8, suits=1, two_timers=0, thieves=0, hand_cards=3, blind=2)


@pytest.mark.rule("HH-2")
def test_the_board() -> None:
    assert zone(stage(NAME, 2), 0, "board").columns == 8 and len(zone(stage(NAME, 2), 0, "board").cards) == 64
    wide = zone(stage(NAME, 4, rows=4, columns=16), 0, "board")
    assert wide.columns == 16 and len(wide.rows) == 4
    for players, rows, columns in ((2, 7, 7), (4, 3, 17), (2, 1, 64), (3, 49, 1)):
        assert hexdeck.game(NAME, players, rows=rows, columns=columns)
    for players, rows, columns, low in ((2, 6, 8, 49), (3, 12, 4, 49), (4, 5, 10, 51), (6, 9, 8, 51)):
        with pytest.raises(hexdeck.BadOption, match=f"must be from {low} to 64"):
            hexdeck.game(NAME, players, rows=rows, columns=columns)


@pytest.mark.rule("HH-3", "HH-4")
@pytest.mark.parametrize(
    ("players", "each", "first", "second"),
    [(2, 7, 18, 17), (3, 7, 14, 14), (4, 7, 12, 11), (5, 5, 13, 13), (6, 5, 11, 10)],
)
def test_hands_piles_and_the_blind_hand(players: int, each: int, first: int, second: int) -> None:
    match = stage(NAME, players)
    while not match.acting:
        match.deal(next(reversed(match.chances())))
    assert held(match) == [each] * players and in_piles(match) == (first, second)
    assert zone(match, 0, "blind").hidden == 5 and not zone(match, 0, "blind").cards
    assert match.acting == (0,) and match.struct.phase == CARD and board(match) == {}
    assert scores(match) == [0] * players


@pytest.mark.rule("HH-3", "HH-4")
def test_another_blind_hand() -> None:
    small = {"ranks": 3, "two_timers": 0, "thieves": 0}
    assert in_piles(dealt("Ac", "2c", blind=0, **small)) == (5, 5)
    match = dealt("Ac", "2c", blind=3, **small)
    assert in_piles(match) == (4, 3) and zone(match, -1, "blind").hidden == 3
    assert in_piles(dealt("Ac 2s", "2c 3c", blind=5, **small)) == (2, 1)


@pytest.mark.rule("HH-3", "HH-5")
@pytest.mark.parametrize("first", ["first_seat", "lot"])
def test_who_begins_the_first_game(first: str) -> None:
    match = stage(NAME, 3, first=first, hand_cards=1)
    if first == "first_seat":
        assert "seat 0" not in match.chances() and play(match, "card 2c, card 2s, card 2h").acting == (0,)
        return
    assert match.chances() == {"seat 0": 1, "seat 1": 1, "seat 2": 1} and total_weight(match) == 3
    play(match, "seat 2")
    assert len(match.chances()) == 54 and total_weight(match) == 54 and match.facts(1, 0) != ()
    assert [str(match.facts(seat, 0)[0]) for seat in (-1, 0, 2)] == [
        *["Seat 2 begins, chosen at random."] * 2,
        "You begin, chosen at random.",
    ]
    play(match, "card 2c, card 2s, card 2h")
    assert [hand(match, p) for p in range(3)] == [{"2c"}, {"2s"}, {"2h"}] and match.acting == (2,)
    assert turn(match, 2, "2h at 1", "9c").acting == (0,)


@pytest.mark.rule("HH-3")
def test_a_lot_changes_no_card_and_is_no_game() -> None:
    begun = set()
    games = [hexdeck.game(NAME, 4, first=first, length="double") for first in ("first_seat", "lot")]
    for seed in range(12):
        plain, drawn = (game.match(seed, backend="interpreted") for game in games)
        assert drawn.events[0].name == f"seat {drawn.actor}" and plain.events == drawn.events[1:]
        begun.add(drawn.actor)
        assert [zone(drawn, -1, "board").note, str(drawn.facts(-1, 0)[-1])] == [
            zone(plain, -1, "board").note,
            "Game 1 of 2: the cards are dealt.",
        ]
        assert len(drawn.facts(-1, 0)) == 2
    assert begun == {0, 1, 2, 3}
    assert str(zone(stage(NAME, 2, first="lot", length="double"), -1, "board").note) == "game 1 of 2"


# --- a turn ---
@pytest.mark.rule("HH-6")
def test_a_regular_card_goes_to_any_empty_cell() -> None:
    match = lay(dealt("2c 9d", "2s 9s"), 5, "Kc x2")
    assert names(match, 0) == {"play 2c", "play 9d"} and match.legal_ids(0) == [1, 47]
    assert refusals(match, 0, "play 2s", "play two-timer", "cell 1", "leave", "draw", "pile 1", "end turn") == [
        *("HH-6", "HH-6", "HH-6", "HH-9", "HH-19", "HH-10", "HH-19")
    ]
    assert refusals(match, 0, "accuse", "let be") == ["HH-19"] * 2 and refusals(match, 1, "play 2s") == ["HH-6"]
    play(match, "0: play 9d")
    assert match.acting == (0,) and names(match, 0) == CELLS - cells(5, 6) and board(match) == {5: "Kc", 6: "x2"}
    assert refusals(match, 0, "cell 1", "cell 5", "cell 6", "cell 64", "play 2c", "leave") == [
        *("", "HH-6", "HH-6", "", "HH-6", "HH-9")
    ]
    play(match, "0: cell 64")
    assert board(match) == {5: "Kc", 6: "x2", 64: "9d"} and hand(match, 0) == {"2c"} and not match.acting


@pytest.mark.rule("HH-6", "HH-9")
def test_reasons_are_told_apart() -> None:
    match = lay(dealt("2c Tf x2 7h 7d", "2s 9s 3s 4s 5s", two_timers=3), 5, "Kc x2")
    here = {action: match.illegal_reason(0, ACTIONS.index(action)) for action in ("play 3c", "cell 1", "play 2c")}
    assert here == {"play 3c": 2, "cell 1": 5, "play 2c": 0} and reasons(match, 1, "play 2s") == [1]
    play(match, "0: play 2c")
    assert reasons(match, 0, "play 2c", "play thief", "cell 5", "cell 6", "leave") == [1, 1, 7, 7, 9]
    play(match, "0: cell 1, card 3c, 1: play 2s, 1: cell 20, card 4c, 0: play two-timer, 0: cell 2")
    assert reasons(match, 0, "play thief", "play two-timer", "play 2c", "cell 2", "leave") == [4, 2, 2, 5, 0]


@pytest.mark.rule("HH-2", "HH-6")
def test_a_cell_must_be_on_the_board() -> None:
    match = play(dealt("2c", "2s", rows=7, columns=7), "0: play 2c")
    assert names(match, 0) == cells(*range(1, 50)) and refusals(match, 0, "cell 49", "cell 50", "cell 64") == [
        *("", "HH-2", "HH-2")
    ]
    assert refusals(match, 1, "cell 50") == ["HH-6"]


@pytest.mark.rule("HH-6")
@pytest.mark.parametrize(("specials", "most"), [(0, 0), (1, 1), (2, 2), (3, 3)])
def test_so_many_specials_before_the_regular_card(specials: int, most: int) -> None:
    match = hold(lay(dealt("2c", "2s", specials=specials), 1, "7c"), 0, "7h x2 x2 x2 x2")
    play(match, "0: play two-timer, 0: cell 2")
    for number in range(1, most):
        assert names(match, 0) == {"play 7h", "play two-timer"} | ({"leave"} if number == 1 else set())
        play(match, "0: play two-timer")
    if specials == 0:
        assert not match.acting and match.struct.due == 1 and board(match)[2] == "x2"
        return
    assert names(match, 0) == {"play 7h"} | ({"leave"} if most == 1 else set())
    assert reasons(match, 0, "play two-timer") == [3] and refusals(match, 0, "play two-timer") == ["HH-6"]
    play(match, "0: play 7h")
    assert scores(match) == [1 << most, 0] and match.struct.due == most + 1 and board(match)[2] == "7h"


@pytest.mark.rule("HH-7")
def test_a_two_timer_goes_to_an_empty_cell_and_the_regular_card_on_it() -> None:
    match = lay(dealt("7h x2 9d", "2s 3s 4s"), 1, "7c")
    play(match, "0: play two-timer")
    assert names(match, 0) == CELLS - cells(1) and refusals(match, 0, "cell 1") == ["HH-6"]
    play(match, "0: cell 2")
    assert match.acting == (0,) and names(match, 0) == {"play 7h", "play 9d", "leave"} and board(match)[2] == "x2"
    assert refusals(match, 0, "play 7h", "play two-timer", "play thief", "cell 2", "play 3c", "draw") == [
        *("", "HH-6", "HH-6", "HH-6", "HH-6", "HH-19")
    ]
    play(match, "0: play 7h")
    assert board(match) == {1: "7c", 2: "7h"} and scores(match) == [2, 0] and hand(match, 0) == {"9d"}


@pytest.mark.rule("HH-8")
def test_a_thief_goes_on_any_card_and_the_regular_card_on_it() -> None:
    match = lay(dealt("7h Tf 9d", "2s 3s 4s"), 1, "7c Kd x2 . Tf")
    play(match, "0: play thief")
    assert names(match, 0) == CELLS
    play(match, "0: cell 2")
    assert names(match, 0) == {"play 7h", "play 9d"} and board(match)[2] == "Tf"
    assert refusals(match, 0, "leave", "play thief") == ["HH-9", "HH-6"]
    assert zone(match, 1, "out").cards == ("Kd",)
    play(match, "0: play 7h")
    assert board(match) == {1: "7c", 2: "7h", 3: "x2", 5: "Tf"} and scores(match) == [1, 0] and match.struct.due == 2


@pytest.mark.rule("HH-9")
def test_a_thief_on_an_empty_cell_is_a_whole_turn_and_so_the_coach_says() -> None:
    match = play(lay(dealt("7h Tf 9d", "2s 3s 4s"), 1, "7c"), "0: play thief")
    said = str(COURSE.lessons[CELL, "cell", "thief"](match.knowledge(0), 0).may)
    assert "Or lay it on an empty cell, alone: that is your whole turn." in said
    assert play(match, "0: cell 2").acting == () and board(match) == {1: "7c", 2: "Tf"} and match.struct.due == 1
    match = play(lay(dealt("Tf", "2s"), 1, "7c"), "0: play thief")  # without a regular card it can go nowhere else
    said = str(COURSE.lessons[CELL, "cell", "thief"](match.knowledge(0), 0).may)
    assert said == "Lay it on an empty cell, alone: that is your whole turn." and "cell 1" not in names(match, 0)


@pytest.mark.rule("HH-6", "HH-8")
def test_one_thief_a_turn_and_it_comes_first() -> None:
    match = lay(dealt("7h Tf Tf x2", "2s 3s 4s 5s", thieves=3), 1, "7c Kd")
    play(match, moves(0, "Tf at 2"))
    assert names(match, 0) == {"play 7h", "play two-timer"} and reasons(match, 0, "play thief") == [16]
    assert refusals(match, 0, "play thief") == ["HH-8"]
    play(match, "0: play two-timer")
    assert reasons(match, 0, "play thief") == [4]
    match = play(dealt("7h Tf Tf x2", "2s 3s 4s 5s", thieves=3), moves(0, "x2 at 2"))
    assert names(match, 0) == {"play 7h", "leave"} and refusals(match, 0, "play thief") == ["HH-8"]


@pytest.mark.rule("HH-8")
def test_a_card_under_a_thief_is_out_of_the_game() -> None:
    match = lay(dealt("7h Tf", "8s Tf", thieves=3), 1, "7c 7d")
    turn(match, 0, "Tf at 2, 7h", "3c", "4c")
    turn(match, 1, "Tf at 2, 8s", "3d", "4d")
    assert zone(match, 0, "out").cards == ("7h", "7d") and board(match) == {1: "7c", 2: "8s"}
    assert scores(match) == [0, 0]
    match = turn(lay(dealt("7h Tf", "8s Tf", thieves=3), 1, "Ac Kd"), 0, "Tf at 1, 7h", "3c", "4c")
    assert zone(match, 0, "out").cards == ("Ac",)
    assert zone(turn(match, 1, "Tf at 2, 8s"), 0, "out").cards == ("Ac", "Kd")


@pytest.mark.rule("HH-6", "HH-8")
def test_a_thief_on_a_card_needs_a_regular_card_to_follow() -> None:
    match = lay(dealt("x2 Tf", "2s 3s"), 1, "7c x2")
    play(match, "0: play thief")
    assert names(match, 0) == CELLS - cells(1, 2) and refusals(match, 0, "cell 1", "cell 2") == ["HH-8"] * 2
    match = play(lay(dealt("7h Tf", "2s 3s", specials=1), 1, "7c"), "0: play thief")
    assert names(match, 0) == CELLS and refusals(match, 0, "cell 1") == [""]
    assert names(play(match, "0: cell 1"), 0) == {"play 7h"}
    match = play(lay(dealt("7h Tf", "2s 3s", specials=0), 1, "7c"), "0: play thief")
    assert names(match, 0) == CELLS - cells(1) and reasons(match, 0, "cell 1", "cell 2") == [8, 0]


@pytest.mark.rule("HH-8")
@pytest.mark.parametrize("two_thieves", [False, True])
def test_a_second_thief_may_go_on_the_first(two_thieves: bool) -> None:
    match = dealt("7h Tf Tf x2", "2s 3s 4s 5s", thieves=3, two_thieves=two_thieves)
    play(lay(match, 1, "7c Kd"), moves(0, "Tf at 2"))
    assert names(match, 0) == {"play 7h", "play two-timer"} | ({"play thief"} if two_thieves else set())
    if not two_thieves:
        assert reasons(match, 0, "play thief") == [16] and refusals(match, 0, "play thief") == ["HH-8"]
        return
    play(match, "0: play thief")
    assert names(match, 0) == {"play 7h"} and board(match)[2] == "Tf"  # HH-6: two specials, and then a regular card
    assert refusals(match, 0, "play two-timer", "leave") == ["HH-6", "HH-9"] and zone(match, 1, "out").cards == ("Kd",)
    play(match, "0: play 7h")
    assert scores(match) == [1, 0] and match.struct.due == 3 and board(match) == {1: "7c", 2: "7h"}


@pytest.mark.rule("HH-6", "HH-8")
def test_a_second_thief_goes_on_nothing_but_a_thief_and_a_third_never() -> None:
    options = {"thieves": 4, "two_timers": 3, "specials": 3, "two_thieves": True}
    match = lay(dealt("7h Tf Tf Tf x2", "2s 3s 4s 5s 6s", **options), 1, "7c Kd")
    play(match, moves(0, "Tf at 2, thief"))
    assert names(match, 0) == {"play 7h", "play two-timer"} and reasons(match, 0, "play thief") == [17]
    play(match, "0: play two-timer")
    assert names(match, 0) == {"play 7h"} and reasons(match, 0, "play thief") == [4]
    play(match, "0: play 7h")
    assert scores(match) == [2, 0] and match.struct.due == 4 and match.struct.out == 1 << 51
    match = lay(dealt("7h Tf Tf Tf x2", "2s 3s 4s 5s 6s", **options), 1, "7c Kd")
    play(match, moves(0, "Tf at 2, x2"))
    assert names(match, 0) == {"play 7h"} and refusals(match, 0, "play thief") == ["HH-8"]
    match = play(dealt("7h Tf Tf Tf x2", "2s 3s 4s 5s 6s", **options), moves(0, "x2 at 2"))
    assert names(match, 0) == {"play 7h", "leave"} and reasons(match, 0, "play thief") == [4]
    assert not play(dealt("7h Tf Tf Tf x2", "2s 3s 4s 5s 6s", **options), moves(0, "Tf at 2")).acting  # HH-9


@pytest.mark.rule("HH-1", "HH-6", "HH-8")
@pytest.mark.parametrize(
    ("players", "options", "there"),
    [
        (2, {}, (1, 2)),
        (3, {}, (1, 2)),
        (4, {"thieves": 1}, (1, 2)),
        (6, {"specials": 1}, (2, 1)),
        (5, {"specials": 0, "thieves": 0}, (0, 0)),
    ],
)
def test_two_thieves_a_turn_need_two_thieves_and_two_specials(players, options, there) -> None:
    sentence = (
        r"\(two_thieves\) needs at least 2 Thieves in play \(here {}; .*\) and at least 2 specials .* \(here {}\)"
    )
    with pytest.raises(hexdeck.BadOption, match=sentence.format(*there)):
        hexdeck.game(NAME, players, two_thieves=True, **options)
    assert hexdeck.game(NAME, players, two_thieves=False, **options)
    assert hexdeck.game(NAME, 2, two_thieves=True, thieves=3) and hexdeck.game(NAME, 4, two_thieves=True)


# --- specials alone ---
@pytest.mark.rule("HH-9")
def test_a_two_timer_by_itself_is_the_whole_turn() -> None:
    match = lay(dealt("7h x2", "7s 3s"), 1, "7c . 7d")
    turn(match, 0, "x2 at 2, leave", "Kc")
    assert board(match) == {1: "7c", 2: "x2", 3: "7d"} and scores(match) == [0, 0] and hand(match, 0) == {"7h", "Kc"}
    assert match.acting == (1,)
    turn(match, 1, "7s at 4", "Ks")
    assert scores(match) == [0, 1]  # the line is broken


@pytest.mark.rule("HH-9")
def test_with_nothing_but_specials_they_are_played_one_a_turn() -> None:
    match = dealt("x2 x2 Tf", "7s 3s 4s", two_timers=3)
    assert names(match, 0) == {"play two-timer", "play thief"} and match.legal_ids(0) == [52, 53]
    play(match, moves(0, "x2 at 2"))
    assert names(match, 0) == {"leave"} and refusals(match, 0, "play two-timer") == ["HH-6"]  # and nobody sees why
    play(match, "0: leave")
    assert not match.acting and match.struct.due == 1 and held(match) == [2, 3]


ANYWHERE = {"lone_special": "anywhere"}


@pytest.mark.rule("HH-9")
def test_a_lone_special_needs_a_special() -> None:
    without = {"two_timers": 0, "thieves": 0, **ANYWHERE}
    for players, options in (4, without), (2, without | {"two_timers": 1, "thieves": 1}):  # one of each is out
        with pytest.raises(hexdeck.BadOption) as refused:
            hexdeck.game("high-handed", players, **options)
        about = "“Where a special may be played by itself” (lone_special)"  # in the words of the form
        assert str(refused.value) == f"{about} needs a special in play; there is no Two Timer and no Thief."
    hexdeck.game("high-handed", 4, **without | {"thieves": 1})


@pytest.mark.rule("HH-7", "HH-9")
@pytest.mark.parametrize("lone_special", ["empty", "anywhere"])
def test_where_a_two_timer_may_be_played_by_itself(lone_special: str) -> None:
    match = lay(dealt("7h x2", "7s 3s", lone_special=lone_special), 1, "7c Kd Tf")
    play(match, "0: play two-timer")
    if lone_special == "empty":
        assert names(match, 0) == CELLS - cells(1, 2, 3) and reasons(match, 0, "cell 1", "cell 3") == [7, 7]
        return
    assert names(match, 0) == CELLS
    play(match, "0: cell 2")  # the whole turn: a regular card can't follow there
    assert not match.acting and match.struct.due == 1 and board(match) == {1: "7c", 2: "x2", 3: "Tf"}
    assert zone(match, 1, "out").cards == ("Kd",) and scores(match) == [0, 0]
    play(match, "card Kc, 1: play 7s")
    assert 2 not in {int(name.split()[1]) for name in names(match, 1)} and reasons(match, 1, "cell 2") == [18]
    assert refusals(match, 1, "cell 2") == ["HH-6"]
    turn(match, 1, "cell 9", "Ks")
    assert scores(match) == [0, 1]
    match = lay(dealt("7h x2", "7s 3s", **ANYWHERE), 1, "7c Kd Tf")
    turn(match, 0, "x2 at 3", "Kc")
    assert board(match)[3] == "x2" and match.struct.out == 0  # a special that is covered
    match = play(lay(dealt("7h x2", "7s 3s", **ANYWHERE), 1, "7c Kd Tf"), moves(0, "x2 at 4"))
    assert names(match, 0) == {"play 7h", "leave"}  # on an empty cell as ever


@pytest.mark.rule("HH-8", "HH-9")
@pytest.mark.parametrize("lone_special", ["empty", "anywhere"])
def test_where_a_thief_may_be_played_by_itself(lone_special: str) -> None:
    match = play(lay(dealt("7h Tf", "7s 3s", lone_special=lone_special), 1, "7c Kd"), moves(0, "Tf at 2"))
    if lone_special == "empty":
        assert names(match, 0) == {"play 7h"} and reasons(match, 0, "leave") == [9]
        return
    assert names(match, 0) == {"play 7h", "leave"}
    play(match, "0: leave")
    assert not match.acting and match.struct.due == 1 and board(match) == {1: "7c", 2: "Tf"}
    assert zone(match, 0, "out").cards == ("Kd",) and hand(match, 0) == {"7h"}
    play(match, "card Kc, 1: play 7s")
    assert reasons(match, 1, "cell 2") == [18]
    match = play(lay(dealt("7h Tf", "7s 3s", **ANYWHERE), 1, "7c Kd"), moves(0, "Tf at 2, 7h"))
    assert scores(match) == [1, 0] and match.struct.due == 2
    match = play(lay(dealt("7h Tf", "7s 3s", **ANYWHERE), 1, "7c Kd"), moves(0, "Tf at 3"))
    assert not match.acting and match.struct.due == 1  # on an empty cell it is the whole turn


@pytest.mark.rule("HH-6", "HH-8", "HH-9")
def test_a_thief_may_be_followed_by_one_special_alone() -> None:
    match = lay(dealt("7h Tf x2 x2", "2s 3s 4s 5s", two_timers=3, specials=3, **ANYWHERE), 1, "7c Kd")
    play(match, moves(0, "Tf at 2, x2"))
    assert names(match, 0) == {"play 7h", "play two-timer", "leave"}
    left = lay(dealt("7h Tf x2 x2", "2s 3s 4s 5s", two_timers=3, **ANYWHERE), 1, "7c Kd")
    play(left, moves(0, "Tf at 2, x2"))
    assert names(left, 0) == {"play 7h", "leave"}
    play(left, "0: leave")
    assert not left.acting and left.struct.due == 2 and board(left)[2] == "x2" and held(left) == [2, 4]
    play(match, "0: play two-timer")
    assert names(match, 0) == {"play 7h"} and reasons(match, 0, "leave") == [19]
    assert refusals(match, 0, "leave") == ["HH-9"]
    match = play(dealt("7h x2 x2", "2s 3s 4s", two_timers=3, **ANYWHERE), moves(0, "x2 at 2, x2"))
    assert names(match, 0) == {"play 7h"}  # two specials on an empty cell are no turn


@pytest.mark.rule("HH-9")
def test_without_regular_cards_specials_may_cover_anything() -> None:
    match = play(lay(dealt("x2 x2 Tf", "2s 3s 4s", two_timers=3, **ANYWHERE), 1, "Ac"), moves(0, "x2 at 2"))
    assert names(match, 0) == {"leave"} and reasons(match, 0, "play two-timer") == [15]  # not on an empty cell
    match = play(lay(dealt("x2 x2 Tf", "2s 3s 4s", two_timers=3, **ANYWHERE), 1, "Ac"), moves(0, "Tf at 1"))
    assert names(match, 0) == {"leave", "play two-timer"}
    options = {"thieves": 3, "two_timers": 3, "specials": 3, "two_thieves": True, **ANYWHERE}
    match = lay(dealt("Tf Tf x2 x2", "7s 3s 4s 5s", **options), 1, "7c Kd")
    assert names(match, 0) == {"play two-timer", "play thief"}
    play(match, "0: play thief")
    assert names(match, 0) == CELLS
    play(match, "0: cell 1")
    assert names(match, 0) == {"play two-timer", "play thief", "leave"}
    play(match, "0: play two-timer")
    assert names(match, 0) == {"leave"} and reasons(match, 0, "play two-timer", "play thief") == [15, 4]
    play(match, "0: leave")
    assert match.struct.due == 2 and held(match) == [2, 4]
    match = play(lay(dealt("Tf x2", "7s 3s", specials=1, **ANYWHERE), 1, "7c"), moves(0, "Tf at 1"))
    assert names(match, 0) == {"leave"} and reasons(match, 0, "play two-timer") == [3]  # HH-6: one special a turn
    for special in ("Tf", "x2"):
        match = play(lay(dealt("Tf x2", "7s 3s", specials=0, **ANYWHERE), 1, "7c"), moves(0, f"{special} at 1"))
        assert not match.acting and match.struct.due == 1 and board(match) == {1: special}


# --- draws and the end ---
@pytest.mark.rule("HH-10")
def test_cards_come_from_the_larger_pile_and_the_first_when_equal() -> None:
    match, seen = piles(dealt("9d x2 8d", "2s 3s 4s"), 3, 4), []
    for seat, text, drawn in ((0, "x2 at 1, 9d", "5c 6c"), (1, "2s at 60", "7c"), (0, "8d at 20", "8c")):
        play(match, moves(seat, text))
        for card in drawn.split():
            play(match, f"card {card}")
            seen.append(in_piles(match))
    assert seen == [(3, 3), (2, 3), (2, 2), (1, 2)]


@pytest.mark.rule("HH-10")
@pytest.mark.parametrize("choose_pile", [False, True])
def test_choosing_a_pile(choose_pile: bool) -> None:
    match = piles(dealt("9d x2 8d", "2s 3s 4s", choose_pile=choose_pile), 1, 2)
    play(match, moves(0, "x2 at 1, 9d"))
    if not choose_pile:
        assert not match.acting and refusals(match, 0, "pile 1", "draw") == ["HH-10", "HH-19"]
        return
    assert names(match, 0) == {"pile 1", "pile 2"} and match.acting == (0,)
    assert refusals(match, 0, "pile 1", "pile 2", "draw", "end turn") == ["", "", "HH-10", "HH-19"]
    assert reasons(match, 0, "draw") == [11] and reasons(match, 1, "pile 1", "draw") == [12, 10]
    play(match, "0: pile 1")
    assert not match.acting and reasons(match, 0, "pile 1") == [12]
    play(match, "card 5c")  # one pile is empty now: there is no choice
    assert not match.acting and in_piles(match) == (0, 2)
    assert in_piles(play(match, "card 6c")) == (0, 1) and match.acting == (1,)
    match = turn(piles(dealt("9d x2 8d", "2s 3s 4s", choose_pile=choose_pile), 2, 2), 0, "8d at 1, pile 2", "5c")
    assert in_piles(match) == (2, 1) and match.acting == (1,)


@pytest.mark.rule("HH-10")
@pytest.mark.parametrize(("left", "choice"), [((1, 0), False), ((0, 1), False), ((2, 1), True), ((1, 1), True)])
def test_a_pile_is_chosen_only_while_both_have_cards(left: tuple[int, int], choice: bool) -> None:
    match = turn(piles(dealt("9d x2 8d", "2s 3s 4s", choose_pile=True), *left), 0, "9d at 1")
    assert names(match, 0) == ({"pile 1", "pile 2"} if choice else set()) and bool(match.acting) == choice
    play(match, "0: pile 2, card 5c" if choice else "card 5c")
    assert in_piles(match) == ((left[0], left[1] - 1) if left[1] else (0, 0)) and match.struct.from_pile == 0


@pytest.mark.rule("HH-10")
def test_a_game_ends_when_nobody_holds_a_card() -> None:
    match = piles(dealt("9d", "2s"), 0, 0)
    play(match, moves(0, "9d at 1"))
    assert not match.over and match.acting == (1,)
    play(match, moves(1, "2s at 2"))
    assert match.over and match.ending == "played out" and match.struct.phase == DONE and held(match) == [0, 0]
    assert match.struct.acting == 0 and match.struct.over == 1 and match.acting == ()


def test_no_card_is_made_or_lost() -> None:
    testing.run("conservation", "high-handed", matches=much(1, 3))
