"""What can be typed for a move."""

from hexdeck.engine.text import Cards, Catalogue, Text, say
from hexdeck.engine.view import Move, Zone
from hexdeck.terminal.typed_moves import actions_named, cell_actions, first_move_in, matching_moves, numbered, with_keys
from tests.support import for_each

WORDS = Catalogue("en")


def moves(*names: str) -> list[Move]:
    """Moves whose label is the name with a capital: "Add 7"."""
    return [Move(id, name, Text(name.capitalize())) for id, name in enumerate(names)]


def cards(*codes: str) -> list[Move]:
    """Moves that play a card: "The 7h"."""
    return [Move(id, f"play {code}", say("The {card}", card=Cards((code,)))) for id, code in enumerate(codes)]


def cells(*places: tuple[int, str]) -> list[Move]:
    """Moves onto cells: "At c4"."""
    return [Move(n, f"cell {n}", say("At {cell}", cell=cell), "board", cell, 1) for n, cell in places]


ADDING = moves("call", "add 3", "add 7", "add 10")
PAIRS = moves("pair 3 3", "pair 3 7", "pair 3 10", "pair 7 10")
GHOSTS = [Move(0, "x", Text("Accept the ghost hand")), Move(1, "y", Text("Call the ghost hand"))]
HAND = [*cards("7h", "7c", "10h", "Kd", "Ac"), *moves("play two-timer", "leave")]
TRICKS = moves("pass 7h 7c", "pass 7h 9c")
PLACES = [*cells((27, "c4"), (28, "d4"), (1, "a1")), *moves("leave")]


@for_each(
    ("among", "keys"),
    [
        (ADDING, "3 7 10 11"), (PAIRS, "1 2 3 4"), (moves("take 3", "add 3", "fold"), "1 2 3"),
        (moves("call", "accept"), "1 2"), (moves("a", "b 1", "c"), "1 2 3"), (moves("x 1 2"), "1"), ([], ""),
        (HAND, "7h 7c 10h Kd Ac 11 12"), (TRICKS, "1 2"), (moves("keep 7h", "give 7h"), "1 2"), (PLACES, "1"),
    ],
)  # fmt: skip
def test_the_list_shows_what_to_type_for_each_move_that_is_onto_no_cell(among: list[Move], keys: str) -> None:
    assert sorted(key for key, _ in with_keys(among)) == sorted(keys.split())
    assert len({number for number, _ in numbered(among)}) == len(among)


@for_each(
    ("among", "typed", "names"),
    [
        *((ADDING, typed, names) for typed, names in (
            ("7", ["add 7"]), ("11", ["call"]), ("call", ["call"]), ("c", ["call"]), ("CALL", ["call"]),
            ("add 7", ["add 7"]), ("7 add", ["add 7"]), ("a 7", ["add 7"]), ("add", ["add 3", "add 7", "add 10"]),
            ("add 1", []), ("1", []), ("8", []), ("", []), ("07", []), ("call 7", []), ("calls", []), ("add 7 7", []),
            ("9" * 5000, []), ("²", []), ("\N{ARABIC-INDIC DIGIT SEVEN}", []),
        )),
        *((PAIRS, typed, names) for typed, names in (
            ("2", ["pair 3 7"]), ("3 7", ["pair 3 7"]), ("7 3", ["pair 3 7"]), ("3,7", ["pair 3 7"]), ("7 7", []),
            ("pair 7 3", ["pair 3 7"]), ("3 3", ["pair 3 3"]), ("10", ["pair 3 10", "pair 7 10"]), ("5", []),
        )),
        (GHOSTS, "accept", ["x"]), (GHOSTS, "ghost call", ["y"]), (GHOSTS, "ghost", ["x", "y"]),
        (moves("draw 2", "draw", "draw 3"), "draw", ["draw"]),  # the exact name wins over longer ones
        *((HAND, typed, names) for typed, names in (
            ("7h", ["play 7h"]), ("7H", ["play 7h"]), ("7♥", ["play 7h"]), ("7♡", ["play 7h"]),
            ("7♥\ufe0f", ["play 7h"]), ("7", ["play 7h", "play 7c"]), ("play 7", ["play 7h", "play 7c"]), ("7 h", []),
            ("7d", []), ("10h", ["play 10h"]), ("th", ["play 10h"]), ("T♥", ["play 10h"]), ("10", ["play 10h"]),
            ("1", []), ("tc", []), ("k", ["play Kd"]), ("kd", ["play Kd"]), ("K♦", ["play Kd"]), ("a", ["play Ac"]),
            ("q", []), ("play kd", ["play Kd"]), ("the 10♥", ["play 10h"]), ("THE 10H", ["play 10h"]), ("h", []),
            ("11", ["play two-timer"]), ("12", ["leave"]), ("two", ["play two-timer"]), ("leave", ["leave"]),
            ("2", []), ("h7", []), ("7h 7c", []),
        )),
        (cards("7h", "8h", "10c"), "7", ["play 7h"]),  # a rank that only one card has plays it
        ([*cards("9h"), *moves("play thief")], "th", ["play thief"]),
        ([*cards("10h"), *moves("play thief")], "th", ["play 10h"]),
        *((TRICKS, typed, ["pass 7h 9c"]) for typed in ("9c 7h", "7♥ 9♣", "7 9")),
        *((TRICKS, typed, ["pass 7h 7c"]) for typed in ("7 7c", "7 7h")),
        *((PLACES, typed, names) for typed, names in (
            ("c4", ["cell 27"]), ("C4", ["cell 27"]), ("at d4", ["cell 28"]), ("cell 27", ["cell 27"]), ("27", []),
            ("cell 2", []), ("cell", []), ("at", []), ("a", []), ("c", []), ("1", ["leave"]), ("4", []), ("c 4", []),
            ("leave", ["leave"]), ("b1", []), ("c4 d4", []),
        )),
    ],
)  # fmt: skip
def test_what_is_typed_means_these_moves(among: list[Move], typed: str, names: list[str]) -> None:
    for suits in (False, True):
        assert [move.name for move in matching_moves(typed, among, Catalogue("en", suits=suits))] == names


def test_what_is_forbidden_is_found_among_all_actions() -> None:
    actions = ("grave 1", "grave 10", "call", "pair 1 10")
    assert [actions_named(typed, actions) for typed in ("10", "call", "", "fold")] == [[1, 3], [2], [], []]
    actions = ("play 7h", "play 10h", "play Kd", "cell 7")
    assert [actions_named(typed, actions) for typed in ("7♥", "T♥", "KD", "7")] == [[0], [1], [2], [0, 3]]


def test_the_actions_onto_other_cells_follow_from_those_of_the_legal_ones() -> None:
    board = Zone("board", Text("Board"), None, "board", ("",) * 64, columns=8)
    names = cell_actions(PLACES, [Zone("x", Text("X")), board])
    assert len(names) == 64 and (names["a1"], names["b1"], names["h8"]) == ("cell 1", "cell 2", "cell 64")
    assert cell_actions(moves("leave"), [board]) == cell_actions(cells((27, "c4"), (30, "d4")), [board]) == {}


def test_the_longest_beginning_that_names_one_move_is_cut_off() -> None:
    among = [*cards("7h", "9c"), *moves("play two-timer", "leave")]
    for typed, head, rest, name in (
        ("7h c4", "7h", "c4", "play 7h"), ("7♥, c4", "7h", "c4", "play 7h"), ("7 c4", "7", "c4", "play 7h"),
        ("play 7h c4 d5", "play 7h", "c4 d5", "play 7h"), ("11 c4", "11", "c4", "play two-timer"),
        ("two timer c4", "two timer", "c4", "play two-timer"),
    ):  # fmt: skip
        found = first_move_in(typed, among, WORDS)
        assert found and found[:2] == (head, rest) and found[2].name == name, typed
    for typed in ("7 c4", "fly c4", "7h", "", "x " * 5000):
        assert first_move_in(typed, HAND, WORDS) is None
