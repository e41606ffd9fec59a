"""What can be typed for a move."""

import pytest

from hexdeck.engine.text import Catalogue, Text
from hexdeck.engine.view import Move
from hexdeck.terminal.keys import forbidden, matching, numbered

WORDS = Catalogue("en")


def moves(*names: str) -> list[Move]:
    """Moves whose label is the name with a capital: "Add 7"."""
    return [Move(id, name, Text(name.capitalize())) for id, name in enumerate(names)]


def meant(typed: str, among: list[Move]) -> list[str]:
    """The names of the moves that what was typed can mean."""
    return [move.name for move in matching(typed, among, WORDS)]


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
    assert forbidden("10", actions) == [1, 3]
    assert forbidden("call", actions) == [2]
    assert forbidden("", actions) == [] == forbidden("fold", actions)
