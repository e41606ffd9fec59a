"""High Handed, what a card scores (HH-11 to HH-16): one line at a time, written as it lies there, and whole boards.

The placed card is in brackets, on a Thief after a stroke: `9 9 [9/5] 5`; cards without a suit have mixed suits; a dot
is an empty cell, x2 and Tf are specials that lie alone.
"""

from typing import Any

import pytest

from tests.settings import in_turn, much
from tests.support import for_each

from .staging import STEPS, dealt, hold, lay, placed, scores, turn

OTHERWISE = {"strangers": "yes", "two": "two", "line": "line"}
OPTION = {"strangers": "strangers", "two": "line_hands", "line": "new_hand"}

# points, and those under options that change them: lines that score so
LINES = """
# pairs
0: [K], 2 [3], A [2], 2s [3s], 2 9 8 7 6 [2], 2 . [2], 2 x2 [2], 2 Tf [2], x2 [2], 5 5 [6] 7 7, A A [9] K, K [A] 2 3 4
1: 2 [2], [A] A, Tf 2 [2] x2, 2 [2] . 2, 8 8 . 3 [3], 8 8 x2 3 [3], 9 [9] . . 8 8
3: [2] 2 9 9, 8 8 4 2 [2] 5 5 6
0 strangers 1: 2 9 [2], 2 9 8 7 [2]
1 line 0: 8 8 K Q 3 [3], 3 [3] 9 J 8 8
1 line 0, strangers 3: 2 2 9 7 [7]
# threes
4: 2 2 [2], [2] 2 2, 2 [2] 2, 2 2 K 9 [9] 9
6: Q Q [Q] K K J
0 strangers 4: 2 2 9 [2], 2 9 2 8 [2]
1 strangers 4: 2 9 [2] 2
4 line 0: 2 2 2 5 7 [7] 7, 3 3 3 5 5 [5]
4 strangers 6: 7 7 [7] 4 7
6 two 7: 2 2 2 7 [7] 7
# two pairs
3: J K K [J], J J [K] K, J K [J] K, J [K] K J, [J] K J K, 5 5 7 [7] 6, 7 2 [7] 2, 9 9 5 [5] 2 2, A 9 [A] 8 8 A
1 line 0: 5 5 K Q 6 [6], A A 3 3 5 [5]
1 line 0, strangers 1: 8 9 9 8 10 [10]
1 line 0, strangers 3: 5 5 K 6 [6]
1 strangers 3: 5 K 5 6 [6]
3 line 0, strangers 1: A A 3 3 5 8 8 [5]
3 strangers 1: [10h] 2c 2d 10c 6d 6c
3 two 6: 9 5 9 [5] 8 8 5
# full houses
0: 3 3 5 5 5 [3], 3 3 5 5 5 9 [3], 6 6 6 2 2 [6]
6: A A 3 3 [A], A A [A] 3 3, 5 5 [6] 6 6, 8 9 8 9 [8], 9 8 8 9 [9], 8 8 8 9 [9], 9 9 9 9 5 [5], Q K Q [K] K
6: 4 4 [9] 9 4, K K 4 4 [K] 4
0 strangers 6: 2 2 2 6 [2]
# fours
6: 7 7 7 [7], 7 7 [7] 7, [7] 7 7 7
1 line 0, strangers 6: 3 3 8 3 [3], 3 3 8 [3] 3
6 two 7: 5 [5] 5 5 9 9
# straights
0: 4 5 6 [7], 4 5 6 6 [7], 4 5 6 6 7 [8], J Q K A [2], Q K [A] 2 3, 9 J Q K [A], 3 4 5 6 7 [8], 2 3 4 5 6 7 8 9 10 [J]
0: 2 3 4 5 6 9 7 8 Q [J] 10 9, 4 5 x2 6 7 [8]
1: 4 5 [5] 6 7
10: 4 5 6 7 [8], 8 4 6 [5] 7, A 2 3 4 [5], [10] J Q K A, A K Q J [10], 3 4 5 [6] 7 8 9, x2 4 5 6 7 [8] Tf
10 line 0: 2 3 4 5 6 9 10 J Q [K], 2 3 4 5 6 K 9 8 Q [J] 10 9
10 two 14: J Q K A [10] 10 10
10 two 20: 2 3 4 5 [6] 7 8 9 10
# flushes
0: 2s 5s 9s Js [7h], 2s 5s 9s Js Ks [7s], [2d] 5s 9s Js 7s Ks
10: 2s 5s 9s Js [7s], 2s 5s [9s] Js 7s, 4c 5s 6s 7s 8s [2s], 5s 6s 7s 8s [Ks], 5s 6s 7s 8s [9c]
10: 2s 4s 6s 8s [10s] Qh Jh, 2h 3h 4s 9s 8s 7s [Js]
0 strangers 1: 2s 5s 9s Js [9h]
10 two 20: 2s 4s 6s 8s [10s] Qs Js 3s Ks
# straight flushes
0: 2s 3s 4s 5s 9s [6s], 5s 6s 7s 8s 9s [10s], 5s 6s 7s 8s 9s [10c], [9s] 10s Js Qs Ks As, 10s Js Qs Ks As [9s]
10: 10c Jc Qc Kc [Ad], Ks As 2s 3s [4s]
15: As 2s 3s 4s [5s], 9s 10s Js Qs [Ks], 2s 4s 5s 6s 7s [8s], 2s 3s 4s 5s 7s [6s], 2c 3s 4s 5s 6s [7s]
20: 9s 10s Js Qs Ks [As], 10c Jc Qc Kc [Ac], Qh Ah [Kh] Jh 10h
15 two 30: 2s 3s 4s 5s [6s] 7s 8s 9s 10s
# on a Thief
0: 5 9 9 [5/5], 2 [2/2], 2 2 [2/2], 4 5 6 7 [8/3], 9 9 [5/9] 2, 9 4 [9/5] 5, 8 8 [2/8] 8 8, 2s 4s 6s 8s [9s/10s] Js
1: 2 [2/3], 2 [2/x2]
3: 7 7 [8/7] 8, 9 9 [5/9] 5, 8 8 [2/K] 2 3 3
4: 9 9 [9/5] 5, K [K/2] K, 9 [9/x2] 9
6: 9 9 9 [9/5] 5, 9 9 [9/Tf] 9
10: 4s 5s 6s 7s [8d/Ks]
15: 4s 5s 6s 7s [8s/3d]
0 strangers 1: 4 9 2 [9/5]
1 line 0, strangers 3: 6 6 K [9/2] 9, 6 6 2 [9/6] 9
"""


def read(table: str) -> list[tuple[str, int, dict[str, int]]]:
    found = []
    for row in table.strip().splitlines():
        head, _, texts = row.partition(": ")
        points, *others = head.replace(",", "").split()
        otherwise = dict(zip(others[::2], map(int, others[1::2]), strict=True)) if points != "#" else {}
        found += [(text, int(points), otherwise) for text in texts.split(", ") if text]
    return found


TABLE = read(LINES)
every_line = for_each(("text", "points", "otherwise"), TABLE)
every_direction = for_each(
    ("line", "direction"), much(in_turn(TABLE, [*STEPS]), [(line, direction) for line in TABLE for direction in STEPS])
)


def score(text: str, direction: str = "row", **options: Any) -> int:
    return int(placed(text, direction, **options).struct.score[0])


@pytest.mark.rule("HH-11", "HH-12", "HH-14", "HH-15")
@every_direction
def test_a_line(line: tuple[str, int, dict[str, int]], direction: str) -> None:
    """Lines of more than 8 cells are rows and columns alone."""
    text, points, _otherwise = line
    long = len(text.split()) > 8
    if long:
        direction = {"falling": "row", "rising": "column"}.get(direction, direction)
    assert score(text, direction) == points
    assert score(" ".join(reversed(text.split())), direction) == points  # from its other end


@pytest.mark.rule("HH-11", "HH-13", "HH-14")
@every_line
def test_a_line_under_options(text: str, points: int, otherwise: dict[str, int]) -> None:
    found = {key: score(text, **{OPTION[key]: OTHERWISE[key]}) for key in OPTION}
    assert found == {key: otherwise.get(key, points) for key in OPTION}


@pytest.mark.rule("HH-12", "HH-13")
def test_how_many_hands_of_each_category_have_scored() -> None:
    for text, options, made in (
        ("2 3 4 5 [6] 7 8 9 10", {}, [7]),
        ("2 3 4 5 [6] 7 8 9 10", {"line_hands": "two"}, [7, 7]),
        ("J Q K A [10] 10 10", {"line_hands": "two"}, [3, 7]),
        ("2 2 2 7 [7] 7", {"line_hands": "two"}, [1, 4]),
        ("A 9 [A] 8 8 A", {"line_hands": "two", "strangers": "yes"}, [1, 2]),
        ("2s 4s 5s 6s 7s [8s]", {}, [8]),
        ("9s 10s Js Qs Ks [As]", {}, [9]),
        ("2 9 [2]", {}, []),
    ):
        match = placed(text, **options)
        found = [match.struct.made[category] for category in range(10)]
        assert found == [made.count(category) for category in range(10)], text


@pytest.mark.rule("HH-11")
def test_the_sheets_options_are_the_defaults() -> None:
    usual = {"strangers": "no", "line_hands": "one", "new_hand": "overlap"}
    for text in ("2 9 [2]", "2 3 4 5 [6] 7 8 9 10", "2 2 9 7 [7]"):
        assert score(text, **usual) == score(text)


@pytest.mark.rule("HH-11", "HH-13", "HH-14")
@pytest.mark.parametrize(
    ("text", "strangers_two", "strangers_line", "two_line", "all_three"),
    [
        ("A 9 [A] 8 8 A", 4, 3, 3, 3),
        ("2 2 9 7 [7]", 3, 3, 0, 3),
        ("2 9 [2] 8 2", 4, 4, 0, 4),
        ("2 9 [2] 8 8 2", 4, 3, 3, 3),
        ("2 9 8 [2] K K 3 2", 4, 3, 0, 3),
        ("5 6 6 [5] 6 6 5", 7, 6, 6, 6),
    ],
)
def test_a_line_under_several_options(text, strangers_two, strangers_line, two_line, all_three) -> None:
    strangers, two, line = {"strangers": "yes"}, {"line_hands": "two"}, {"new_hand": "line"}
    assert score(text, **strangers, **two) == strangers_two
    assert score(text, **strangers, **line) == strangers_line
    assert score(text, **two, **line) == two_line
    assert score(text, **strangers, **two, **line) == all_three


# --- whole boards ---
@pytest.mark.rule("HH-13")
def test_hands_in_four_lines_add_up() -> None:
    match = dealt("2c", "2s")
    for begin, text, step in (
        (25, "9c 9s 9h", 1),  # a4 to c4: four of a kind in the row
        (4, "4s 5s 6s", 8),  # d1 to d3
        (36, "7s 8s", 8),  # d5 and d6: nothing with a 9 but a straight: 6 7 8 9 and 5
        (1, "Ad 2d 9d", 9),  # a1 to c3: a pair
        (37, "9h", 1),  # e5, on the same diagonal: three of a kind
        (7, "Kd . 4d", 7),  # g1 and e3: nothing
    ):
        lay(match, begin, text, step)
    assert scores(turn(hold(match, 0, "9s"), 0, "9s at 28")) == [6 + 15 + 4, 0]
    assert [match.struct.made[category] for category in range(10)] == [0, 0, 0, 1, 0, 1, 0, 0, 1, 0]
    assert [match.struct.hands[k] for k in range(4)] == [0] * 4  # only while the card scores


@pytest.mark.rule("HH-7", "HH-13")
@pytest.mark.parametrize(("stack", "factor"), [("9s at {}", 1), ("x2 at {}, 9s", 2), ("x2 at {}, x2, 9s", 4)])
def test_two_timers_double_every_hand_of_every_line(stack: str, factor: int) -> None:
    match = lay(lay(dealt("2c", "2s", two_timers=4), 1, "9c 9h"), 11, "Kd 9d", 8)
    turn(hold(match, 0, "x2 x2 9s"), 0, stack.format(3))
    assert scores(match) == [4 * factor, 0]
    match = lay(lay(dealt("2c", "2s", two_timers=4), 1, "9c"), 11, "9d")
    turn(hold(match, 0, "x2 x2 9s"), 0, stack.format(2))
    assert scores(match) == [2 * factor, 0]


@pytest.mark.rule("HH-13")
@pytest.mark.parametrize(
    ("cell", "beside", "points", "beyond"),
    [
        (1, [2, 9, 10], 3, [8, 16, 57, 64]),
        (8, [7, 15, 16], 3, [1, 9, 17]),
        (9, [1, 2, 10, 17, 18], 4 + 3, [8, 16, 24]),
        (57, [49, 50, 58], 3, [1, 8, 48, 56]),
        (64, [55, 56, 63], 3, [1, 8, 57]),
    ],
)
def test_lines_end_at_the_edge_of_the_board(cell: int, beside: list[int], points: int, beyond: list[int]) -> None:
    for others, expected in ((beside, points), (beyond, 0)):
        match = dealt("2c", "2s")
        for other in others:
            lay(match, other, "9c")
        assert scores(turn(hold(match, 0, "9s"), 0, f"9s at {cell}")) == [expected, 0]


@pytest.mark.rule("HH-2", "HH-13")
@pytest.mark.parametrize(("rows", "columns"), [(4, 16), (16, 4)])
def test_lines_of_boards_of_other_shapes(rows: int, columns: int) -> None:
    match = lay(dealt("2c", "2s", rows=rows, columns=columns), 2 * columns + 2, "9c")
    turn(hold(match, 0, "9s"), 0, f"9s at {columns + 1}")
    assert scores(match) == [1, 0]  # a diagonal
    match = lay(dealt("2c", "2s", rows=rows, columns=columns), columns, "9c")
    turn(hold(match, 0, "9s"), 0, f"9s at {columns + 1}")
    assert scores(match) == [0, 0]  # the end of a row, and the beginning of the next


@pytest.mark.rule("HH-16")
def test_points_once_scored_stay_when_a_thief_breaks_the_hand() -> None:
    match = lay(dealt("9c 7h", "Tf 2d"), 1, "9s")
    turn(match, 0, "9c at 2", "3h")
    assert scores(match) == [1, 0]
    turn(match, 1, "Tf at 2, 2d", "4h", "5h")
    assert scores(match) == [1, 0]
    turn(match, 0, "7h at 3", "6h")
    assert scores(match) == [1, 0]


@pytest.mark.rule("HH-15")
def test_a_thief_compares_with_the_board_before_it_in_every_line() -> None:
    match = lay(lay(dealt("2c", "2s"), 1, "9c 9s 5d"), 11, "9h 9d", 8)
    turn(hold(match, 0, "9h Tf"), 0, "Tf at 3, 9h")  # a row: three of a kind; the column: a pair becomes three
    assert scores(match) == [8, 0]
    match = lay(lay(dealt("2c", "2s"), 1, "9c 5s 5d"), 11, "5c", 8)
    turn(hold(match, 0, "5h Tf"), 0, "Tf at 3, 5h")
    assert scores(match) == [0, 0]
