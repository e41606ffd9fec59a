"""Boards: cells and their names, where something can be put, what it scores; seats stand beside or above them."""

from collections.abc import Sequence

from hexdeck.engine.text import Cards, Catalogue, Text, say
from hexdeck.engine.view import Move, View, Zone, cell_name
from hexdeck.terminal.screen import Screen, board

NAMES = ("Wolfgang Amadeus", "Theodora Augusta", "Maximiliana Rosa", "Ludwig Alexander", "Gwendolyn Marian", "Ben")


def screen(fancy: bool = True, colour: bool = False, width: int = 80, names: Sequence[str] = NAMES) -> Screen:
    return Screen(Catalogue("en", (), names), "Lay", width, 24, colour, fancy)


def small() -> tuple[Zone, list[Move]]:
    """A board of two rows: what can be put where, and what it scores."""
    zone = Zone("board", say("Board"), None, "board", ("7h", "", "10c", "", "x2", "", "Tf", "Kd"), columns=4)
    points = {1: 12, 2: 6, 3: 0, 4: None, 5: 4, 7: -5}
    return zone, [
        Move(k, f"cell {k + 1}", Text("There"), "board", cell_name(k, 4), score) for k, score in points.items()
    ]


def rows(on: Screen, zone: Zone, moves: Sequence[Move] = (), brief: bool = False) -> list[str]:
    return [line.plain.rstrip() for line in board(on, zone, moves, brief)]


def test_a_board_shows_cards_where_something_can_be_put_and_what_it_scores() -> None:
    zone, moves = small()
    assert rows(screen(), zone, moves) == [
        "   a     b     c     d",
        " 1 7♥    +12   10♣+6 ·",
        " 2 x2·   +4    Tf    K♦-5",
    ]
    assert rows(screen(fancy=False), zone, moves)[1:] == [" 1 7h    +12   10c+6 .", " 2 x2.   +4    Tf    Kd-5"]
    assert rows(screen(), zone, moves, brief=True)[1:] == [" 1 7♥   +12  10♣+ ·", " 2 x2·  +4   Tf   K♦-"]
    assert rows(screen(), zone) == ["   a   b   c   d", " 1 7♥      10♣", " 2 x2      Tf  K♦"]


def test_hearts_and_diamonds_are_red_and_scoring_cells_are_set_off() -> None:
    zone, moves = small()
    lines = board(screen(colour=True), zone, moves)
    styles = {line.plain[span.start : span.end]: str(span.style) for line in lines[1:] for span in line.spans}
    assert styles["7♥"] == styles["K♦"] == "bold red on white" and styles["10♣"] == "bold black on white"
    assert styles["+12"] == styles["+6"] and "on yellow" in styles["+12"] and styles["x2"] == "bold black on white"
    assert not [span for line in board(screen(), zone, moves) for span in line.spans if "on" in str(span.style)]


def test_many_columns_have_two_letters_and_many_rows_more_digits() -> None:
    wide = rows(screen(), Zone("b", say("B"), None, "board", ("",) * 64, columns=64))
    assert wide[0].split()[24:28] == ["y", "z", "aa", "ab"] and len(wide) == 2
    tall = rows(screen(), Zone("b", say("B"), None, "board", ("",) * 120, columns=1))
    assert tall[0] == "    a" and tall[120].startswith("120")


# --- the whole screen -------------------------------------------------------------------------------------------------
def drawn(columns: int, rows: int, names: Sequence[str]) -> list[str]:
    zones = [Zone("board", say("Board"), None, "board", ("",) * (columns * rows), columns=columns)]
    zones += [Zone(f"score-{p}", say("Points"), p, "count", count=10) for p in range(len(names))]
    zones.append(Zone("pile", say("Pile"), None, "pile", hidden=12))
    view = View("x", 0, 9, len(names), (0,), False, say("Where?"), tuple(zones), (), (), (), tuple(names))
    return [line.plain for line in screen(names=names).draw(view, [])]


def test_the_seats_stand_above_a_board_that_leaves_no_room_which_is_drawn_whole() -> None:
    lines = drawn(16, 4, NAMES[:3])
    assert "Theodora" in lines[1] and "Pile" in lines[3]
    assert next(k for k, line in enumerate(lines) if line.startswith("   a   b ")) > 3
    assert max(map(len, lines)) <= 80
    assert any(line.split()[-2:] == ["bk", "bl"] for line in drawn(64, 1, ("Ann", "Ben")))


def test_the_seats_stand_beside_the_board_where_there_is_room() -> None:
    lines = drawn(8, 8, NAMES)
    assert lines[1].startswith("   a   b   c   d   e   f   g   h      Theodora Augusta Points 10")
    assert lines[5].startswith(" 4 ") and "Ben" in lines[5]


def test_several_boards_have_their_titles_and_notes() -> None:
    zones = [
        Zone(f"b{k}", say("Board {number}", number=k), None, "board", ("7h",), columns=1, note=say("game {k}", k=k))
        for k in (1, 2)
    ]
    view = View("x", 0, 0, 2, (0,), False, say("Go."), tuple(zones), (), (), (), ("Ann", "Ben"))
    text = "\n".join(line.plain for line in screen().draw(view, []))
    assert all(part in text for part in ("Board 1", "Board 2", "game 1", "game 2")) and text.count("7♥") == 2


# --- what can be typed ------------------------------------------------------------------------------------------------
def asked(moves: Sequence[Move], fancy: bool = True, cells: int = 9) -> list[str]:
    zone = Zone("board", say("Board"), None, "board", ("",) * cells, columns=3)
    view = View("x", 0, 0, 2, (0,), False, say("Where?"), (zone,), tuple(moves), (), (), ("Ann", "Ben"))
    lines = [line.plain for line in screen(fancy).draw(view, [])]
    return lines[lines.index("Where?") :]


def onto(points: dict[int, int | None]) -> list[Move]:
    return [Move(k, f"cell {k + 1}", Text("There"), "board", cell_name(k, 3), n) for k, n in points.items()]


def test_the_best_cells_are_told_first_and_no_cell_is_listed() -> None:
    scored = ["Where?", "Scores: b2 12 · a3 5 · c1 1", "Type a cell, such as b2."]
    assert asked(onto({0: 0, 2: 1, 4: 12, 6: 5})) == scored
    assert asked(onto({0: 0, 2: 1, 4: 12}), fancy=False)[1] == "Scores: b2 12, c1 1"
    assert asked(onto({3: 0, 4: 0})) == asked(onto({3: None, 4: None})) == ["Where?", "Type a cell, such as a2."]
    leave = Move(90, "leave", Text("Leave it"))
    assert asked([*onto({3: 0}), leave])[1:] == ["Type a cell, such as a2.", "  1  Leave it"]


def test_of_many_scoring_cells_those_on_two_lines_are_told() -> None:
    lines = asked(onto(dict.fromkeys(range(64), 10)), cells=64)
    assert len(lines) == 4 and lines[2].endswith(" …") and max(map(len, lines)) <= 80
    assert lines[1].startswith("Scores: a1 10 · b1 10 · c1 10 · a2 10")


def test_cards_are_listed_by_their_codes() -> None:
    moves = [
        Move(k, f"play {code}", say("The {card}", card=Cards((code,)))) for k, code in enumerate(("7h", "10c", "Kd"))
    ]
    moves.append(Move(90, "play two-timer", Text("Two Timer: double what comes on top of it")))
    assert asked(moves)[1:] == [
        " 7♥  The 7♥",
        "10♣  The 10♣",
        " K♦  The K♦",
        " 11  Two Timer: double what comes on top of it",
    ]
    assert asked(moves, fancy=False)[1] == " 7h  The 7h"
