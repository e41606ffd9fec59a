"""What can be typed for a move."""

import pytest

from hexdeck.engine.text import Cards, Catalogue, Text, say
from hexdeck.engine.view import Move, Zone
from hexdeck.terminal.keys import actions_named, cell_actions, first_move_in, matching_moves, numbered, with_keys

WORDS = Catalogue("en")


def moves(*names: str) -> list[Move]:
    """Moves whose label is the name with a capital: "Add 7"."""
    return [Move(id, name, Text(name.capitalize())) for id, name in enumerate(names)]


def meant(typed: str, among: list[Move]) -> list[str]:
    """The names of the moves that what was typed can mean."""
    return [move.name for move in matching_moves(typed, among, WORDS)]


ADDING = moves("call", "add 3", "add 7", "add 10")
PAIRS = moves("pair 3 3", "pair 3 7", "pair 3 10", "pair 7 10")


def test_a_number_in_the_name_is_the_moves_number() -> None:
    assert [(number, move.name) for number, move in numbered(ADDING)] == [
        (3, "add 3"), (7, "add 7"), (10, "add 10"), (11, "call"),
    ]  # fmt: skip


def test_moves_of_two_numbers_are_counted() -> None:
    assert [number for number, _ in numbered(PAIRS)] == [1, 2, 3, 4]


def test_moves_that_share_a_number_are_counted() -> None:
    assert [number for number, _ in numbered(moves("take 3", "add 3", "fold"))] == [1, 2, 3]


def test_moves_without_numbers_are_counted() -> None:
    assert [number for number, _ in numbered(moves("call", "accept"))] == [1, 2]


def test_every_number_stands_for_one_move() -> None:
    for among in (ADDING, PAIRS, moves("a", "b 1", "c"), moves("x 1 2"), []):
        given = [number for number, _ in numbered(among)]
        assert len(set(given)) == len(among)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("7", ["add 7"]), ("11", ["call"]), ("call", ["call"]), ("c", ["call"]), ("CALL", ["call"]),
        ("add 7", ["add 7"]), ("7 add", ["add 7"]), ("a 7", ["add 7"]), ("add", ["add 3", "add 7", "add 10"]),
        ("add 1", []), ("1", []), ("8", []), ("", []), ("07", []), ("call 7", []), ("calls", []), ("add 7 7", []),
        ("9" * 5000, []), ("²", []), ("\N{ARABIC-INDIC DIGIT SEVEN}", []),
    ],
)  # fmt: skip
def test_typed_for_moves_with_a_number_each(typed: str, names: list[str]) -> None:
    assert meant(typed, ADDING) == names


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("2", ["pair 3 7"]), ("3 7", ["pair 3 7"]), ("7 3", ["pair 3 7"]), ("3,7", ["pair 3 7"]),
        ("pair 7 3", ["pair 3 7"]), ("3 3", ["pair 3 3"]), ("7 7", []), ("10", ["pair 3 10", "pair 7 10"]), ("5", []),
    ],
)  # fmt: skip
def test_typed_for_moves_with_two_numbers_each(typed: str, names: list[str]) -> None:
    assert meant(typed, PAIRS) == names


def test_the_words_of_the_label_are_understood() -> None:
    among = [Move(0, "x", Text("Accept the ghost hand")), Move(1, "y", Text("Call the ghost hand"))]
    assert meant("accept", among) == ["x"]
    assert meant("ghost call", among) == ["y"]
    assert meant("ghost", among) == ["x", "y"]


def test_the_exact_name_wins_over_longer_ones() -> None:
    assert meant("draw", moves("draw 2", "draw", "draw 3")) == ["draw"]


def test_what_is_forbidden_is_found_among_all_actions() -> None:
    actions = ("grave 1", "grave 10", "call", "pair 1 10")
    assert actions_named("10", actions) == [1, 3]
    assert actions_named("call", actions) == [2]
    assert actions_named("", actions) == [] == actions_named("fold", actions)


# --- cards ------------------------------------------------------------------------------------------------------------
def cards(*codes: str) -> list[Move]:
    """Moves that play a card: "The 7h"."""
    return [Move(id, f"play {code}", say("The {card}", card=Cards((code,)))) for id, code in enumerate(codes)]


HAND = [*cards("7h", "7c", "10h", "Kd", "Ac"), *moves("play two-timer", "leave")]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("7h", ["play 7h"]), ("7H", ["play 7h"]), ("7♥", ["play 7h"]), ("7♡", ["play 7h"]), ("7♥\ufe0f", ["play 7h"]),
        ("7", ["play 7h", "play 7c"]), ("play 7", ["play 7h", "play 7c"]), ("7 h", []), ("7d", []),
        ("10h", ["play 10h"]), ("th", ["play 10h"]), ("T♥", ["play 10h"]), ("10", ["play 10h"]), ("1", []),
        ("tc", []), ("k", ["play Kd"]), ("kd", ["play Kd"]), ("K♦", ["play Kd"]), ("a", ["play Ac"]), ("q", []),
        ("play kd", ["play Kd"]), ("the 10♥", ["play 10h"]), ("THE 10H", ["play 10h"]), ("h", []),
        ("11", ["play two-timer"]), ("12", ["leave"]), ("two", ["play two-timer"]),
        ("leave", ["leave"]), ("2", []), ("h7", []), ("7h 7c", []),
    ],
)  # fmt: skip
def test_typed_for_standard_cards(typed: str, names: list[str]) -> None:
    for suits in (False, True):
        found = matching_moves(typed, HAND, Catalogue("en", suits=suits))
        assert [move.name for move in found] == names


def test_a_rank_that_only_one_card_has_plays_it() -> None:
    assert meant("7", cards("7h", "8h", "10c")) == ["play 7h"]
    assert meant("th", [*cards("9h"), *moves("play thief")]) == ["play thief"]
    assert meant("th", [*cards("10h"), *moves("play thief")]) == ["play 10h"]


def test_cards_are_listed_by_code_and_the_rest_by_numbers_that_no_rank_has() -> None:
    assert [key for key, _ in with_keys(HAND)] == ["7h", "7c", "10h", "Kd", "Ac", "11", "12"]


def test_where_cards_do_not_tell_moves_apart_they_are_counted() -> None:
    pairs = moves("pass 7h 7c", "pass 7h 9c")
    assert [key for key, _ in with_keys(pairs)] == ["1", "2"]
    assert meant("9c 7h", pairs) == meant("7♥ 9♣", pairs) == meant("7 9", pairs) == ["pass 7h 9c"]
    assert meant("7 7c", pairs) == ["pass 7h 7c"] and meant("7 7h", pairs) == ["pass 7h 7c"]
    assert [key for key, _ in with_keys(moves("keep 7h", "give 7h"))] == ["1", "2"]


def test_forbidden_cards_are_found() -> None:
    actions = ("play 7h", "play 10h", "play Kd", "cell 7")
    assert (
        actions_named("7♥", actions) == [0]
        and actions_named("T♥", actions) == [1]
        and actions_named("KD", actions) == [2]
    )
    assert actions_named("7", actions) == [0, 3]


# --- cells ------------------------------------------------------------------------------------------------------------
def cells(*places: tuple[int, str]) -> list[Move]:
    """Moves onto cells: "At c4"."""
    return [Move(n, f"cell {n}", say("At {cell}", cell=cell), "board", cell, 1) for n, cell in places]


PLACES = [*cells((27, "c4"), (28, "d4"), (1, "a1")), *moves("leave")]


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("c4", ["cell 27"]), ("C4", ["cell 27"]), ("at d4", ["cell 28"]), ("cell 27", ["cell 27"]), ("27", []),
        ("cell 2", []), ("cell", []), ("at", []), ("a", []), ("c", []), ("1", ["leave"]), ("4", []), ("c 4", []),
        ("leave", ["leave"]), ("b1", []), ("c4 d4", []),
    ],
)  # fmt: skip
def test_cells_are_typed_by_name_only(typed: str, names: list[str]) -> None:
    assert meant(typed, PLACES) == names


def test_cells_are_not_listed() -> None:
    assert [(key, move.name) for key, move in with_keys(PLACES)] == [("1", "leave")]


def test_the_actions_onto_other_cells_follow_from_those_of_the_legal_ones() -> None:
    board = Zone("board", Text("Board"), None, "board", ("",) * 64, columns=8)
    names = cell_actions(PLACES, [Zone("x", Text("X")), board])
    assert len(names) == 64 and (names["a1"], names["b1"], names["h8"]) == ("cell 1", "cell 2", "cell 64")
    assert cell_actions(moves("leave"), [board]) == {}
    assert cell_actions(cells((27, "c4"), (30, "d4")), [board]) == {}


# --- several steps in a line ------------------------------------------------------------------------------------------
def test_the_longest_beginning_that_names_one_move_is_cut_off() -> None:
    among = [*cards("7h", "9c"), *moves("play two-timer", "leave")]
    for typed, head, rest, name in (
        ("7h c4", "7h", "c4", "play 7h"), ("7♥, c4", "7h", "c4", "play 7h"), ("7 c4", "7", "c4", "play 7h"),
        ("play 7h c4 d5", "play 7h", "c4 d5", "play 7h"), ("11 c4", "11", "c4", "play two-timer"),
        ("two timer c4", "two timer", "c4", "play two-timer"),
    ):  # fmt: skip
        found = first_move_in(typed, among, WORDS)
        assert found and found[:2] == (head, rest) and found[2].name == name, typed


@pytest.mark.parametrize("typed", ["7 c4", "fly c4", "7h", "", "x " * 5000])
def test_a_line_that_begins_with_no_one_move_is_not_cut(typed: str) -> None:
    assert first_move_in(typed, HAND, WORDS) is None
