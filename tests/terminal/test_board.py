"""Boards: cells and their names, where something can be put, what it scores; they fit 80 × 24 with six seats."""

import random
from collections.abc import Sequence
from dataclasses import replace

from hexdeck.engine.text import Cards, Catalogue, Seat, Text, say
from hexdeck.engine.view import Move, View, Zone, cell_name
from hexdeck.terminal.screen import Screen, board
from tests.settings import much
from tests.support import for_each

NAMES = ("Wolfgang Amadeus", "Theodora Augusta", "Maximiliana Rosa", "Ludwig Alexander", "Gwendolyn Marian", "Ben")
DECK = tuple(rank + suit for suit in "cshd" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K"))


def screen(fancy: bool = True, colour: bool = False, width: int = 80, names: Sequence[str] = NAMES) -> Screen:
    """A screen for made-up tables."""
    return Screen(Catalogue("en", (), names), "Lay", width, 24, colour, fancy)


def small() -> tuple[Zone, list[Move]]:
    """A board of two rows: what can be put where, and what it scores."""
    zone = Zone("board", say("Board"), None, "board", ("7h", "", "10c", "", "x2", "", "Tf", "Kd"), columns=4)
    points = {1: 12, 2: 6, 3: 0, 4: None, 5: 4, 7: -5}
    return zone, [
        Move(k, f"cell {k + 1}", Text("There"), "board", cell_name(k, 4), score) for k, score in points.items()
    ]


def rows(on: Screen, zone: Zone, moves: Sequence[Move] = (), brief: bool = False) -> list[str]:
    """The lines of a board."""
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
def table(players: int, phase: str, seed: int = 1, columns: int = 8, rows: int = 8, hand: int = 7) -> View:
    """A table with a board: half full, everybody's hand and points, piles; the moves of a phase."""
    rng = random.Random(seed)
    deck = rng.sample(DECK, 52)
    cells = tuple(deck.pop() if rng.random() < 0.4 and len(deck) > 12 else "" for _ in range(columns * rows))
    zones = [Zone("board", say("Board"), None, "board", cells, columns=columns)]
    for p in range(players):
        own = tuple(deck[:hand]) if p == 0 else ()
        zones.append(Zone(f"hand-{p}", say("Hand"), p, "fan", own, hidden=0 if p == 0 else hand))
        zones.append(Zone(f"score-{p}", say("Points"), p, "count", count=rng.randrange(100)))
    zones += [Zone(f"pile-{k}", say("Pile {number}", number=k), None, "pile", hidden=12) for k in (1, 2)]
    zones.append(Zone("blind", say("Blind hand"), None, "pile", hidden=5))
    scores = (0, 0, 1, 4, 6, 15, 40 if seed % 2 else 120)
    onto_cells = [] if phase == "card" else cell_moves(cells, columns, phase == "thief")
    scored = [replace(move, points=rng.choice(scores)) for move in onto_cells]
    moves = tuple(scored or card_moves(deck[:hand]))
    prompt = say("Where does the {card} go?", card=Cards(("7h",)))
    return View("x", 0, 9, players, (0,), False, prompt, tuple(zones), moves, (), (), NAMES[:players])


def cell_moves(cells: Sequence[str], columns: int, taken: bool) -> list[Move]:
    """Onto each empty cell, or each cell."""
    return [
        Move(k, f"cell {k + 1}", Text("There"), "board", cell_name(k, columns))
        for k, code in enumerate(cells)
        if taken or not code
    ]


def card_moves(hand: Sequence[str]) -> list[Move]:
    """Each card of a hand, and a special."""
    cards = [Move(k, f"play {code}", say("The {card}", card=Cards((code,)))) for k, code in enumerate(hand)]
    return [*cards, Move(90, "play two-timer", Text("Two Timer: double what comes on top of it"))]


NEWS = [say("{seat} plays the {card} at c4.", seat=Seat(1), card=Cards(("10h",))) for _ in range(5)]


@for_each("players", range(1, 7))
@for_each("phase", ["card", "cell", "thief"])
@for_each("fancy", [True, False])
def test_a_board_of_eight_by_eight_fits_with_its_seats_and_news(players: int, phase: str, fancy: bool) -> None:
    for seed in range(much(1, 8)):
        lines = [line.plain for line in screen(fancy).draw(table(players, phase, seed + players), NEWS)]
        assert len(lines) <= 23 and max(map(len, lines)) <= 80, "\n".join(lines)
        assert any("at c4" in line for line in lines), "\n".join(lines)
        assert all(any(name in line for line in lines) for name in NAMES[:players])
        assert sum(line[:2].strip().isdecimal() for line in lines) >= 8
        assert fancy or all(line.isascii() for line in lines)


def test_the_seats_stand_beside_the_board_with_all_backs_of_cards_where_there_is_room() -> None:
    lines = [line.plain for line in screen().draw(table(6, "cell"), [])]
    assert lines[1].startswith("   a   b   c   d   e   f   g   h      Theodora Augusta Hand ▒ 7   Points ")
    assert lines[5].startswith(" 4 ") and "Ben" in lines[5]
    assert "Pile 1" in lines[6] and lines[10].startswith("▸ Wolfgang Amadeus")
    lines = [line.plain for line in screen(names=("Ann", "Ben")).draw(table(2, "cell"), [])]
    assert "Ben Hand ▒▒▒▒▒▒▒ 7   Points" in lines[1]


def test_the_seats_stand_above_a_board_that_leaves_no_room() -> None:
    lines = [line.plain for line in screen().draw(table(3, "cell", columns=16, rows=4), [])]
    assert "Theodora" in lines[1] and "Pile 1" in lines[3]
    assert next(k for k, line in enumerate(lines) if line.startswith("   a   b ")) > 3
    assert max(map(len, lines)) <= 80


def test_a_board_wider_than_the_screen_is_drawn_whole() -> None:
    lines = [line.plain for line in screen().draw(table(2, "cell", columns=64, rows=1), [])]
    assert any(line.rstrip().endswith("bk  bl") for line in lines)


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
    """The lines from the prompt on."""
    zone = Zone("board", say("Board"), None, "board", ("",) * cells, columns=3)
    view = View("x", 0, 0, 2, (0,), False, say("Where?"), (zone,), tuple(moves), (), (), ("Ann", "Ben"))
    lines = [line.plain for line in screen(fancy).draw(view, [])]
    return lines[lines.index("Where?") :]


def onto(points: dict[int, int | None]) -> list[Move]:
    """Moves onto cells of three columns."""
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
    moves = card_moves(("7h", "10c", "Kd"))
    assert asked(moves)[1:] == [
        " 7♥  The 7♥",
        "10♣  The 10♣",
        " K♦  The K♦",
        " 11  Two Timer: double what comes on top of it",
    ]
    assert asked(moves, fancy=False)[1] == " 7h  The 7h"
