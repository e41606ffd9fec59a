"""What a view holds for screens: tricks, boards, moves onto cells, cards with their suits."""

import gc
import random
import weakref

import pytest

import hexdeck
from hexdeck.engine.text import SYMBOLS, Cards, Catalogue, Seat, card_text, from_data, say
from hexdeck.engine.view import Move, View, Zone, cell_name, zone_words
from hexdeck.simulation.game import Game
from tests.settings import every_game
from tests.support import random_plies
from tests.terminal.conftest import lay_cards

__all__ = ["lay_cards"]

NAMES = ("Ada", "Bram", "Cleo")
TRICK = Zone("trick", say("Trick"), None, "row", ("7h", "10c"), owners=(2, 0))
BOARD = Zone("board", say("Board"), None, "board", ("7h", "", "", "", "x2", "10d"), columns=3)


def view(*zones: Zone, moves: tuple[Move, ...] = ()) -> View:
    return View("x", 0, 0, 3, (0,), False, say("Your turn."), zones, moves, (), (), NAMES)


# --- boards and tricks ------------------------------------------------------------------------------------------------
def test_cells_are_named_by_column_and_row() -> None:
    for index, columns, name in (
        (0, 8, "a1"),
        (26, 8, "c4"),
        (63, 8, "h8"),
        (0, 1, "a1"),
        (63, 1, "a64"),
        (25, 64, "z1"),
        (26, 64, "aa1"),
        (51, 64, "az1"),
        (52, 64, "ba1"),
        (63, 64, "bl1"),
        (701, 800, "zz1"),
        (702, 800, "aaa1"),
        (800, 800, "a2"),
    ):
        assert cell_name(index, columns) == name


def test_a_trick_tells_whose_each_card_is() -> None:
    assert TRICK.data()["owners"] == [2, 0]
    assert "Trick: Cleo 7h  Ada 10c" in view(TRICK).text().splitlines()
    assert zone_words(TRICK) == "Seat 2 7h  Seat 0 10c"


def test_a_board_is_drawn_as_a_grid() -> None:
    assert BOARD.data()["columns"] == 3 and BOARD.data()["cards"] == ["7h", "", "", "", "x2", "10d"]
    assert view(BOARD).text().splitlines()[:4] == ["Board:", "    a   b   c", "  1 7h  .   .", "  2 .   x2  10d"]
    assert BOARD.rows == [("7h", "", ""), ("", "x2", "10d")]


def test_a_board_in_one_line_names_the_cells_that_hold_something() -> None:
    assert zone_words(BOARD) == "a1 7h  b2 x2  c2 10d"


def test_zones_of_other_shapes_have_no_columns_and_no_owners() -> None:
    data = Zone("hand", say("Hand"), 0, "fan", ("7",)).data()
    assert data["columns"] == 0 and data["owners"] == []


# --- suits ------------------------------------------------------------------------------------------------------------
def test_standard_cards_are_written_with_symbols_where_wanted_and_others_as_they_are() -> None:
    for code, symbol in (("7h", "7♥"), ("10c", "10♣"), ("As", "A♠"), ("Qd", "Q♦"), ("2c", "2♣")):
        text = say("You play {card}.", card=Cards((code,)))
        assert Catalogue("en", suits=True).words(text) == f"You play {symbol}."
        assert Catalogue("en").words(text) == str(text) == f"You play {code}."
    for code in ("7", "10", "x2", "Tf", "11h", "1h", "ah", "7H", "77h", "7hh", "h", "", "joker"):
        assert card_text(code, True) == code


def test_several_cards_and_only_arguments_get_symbols() -> None:
    text = say("{cards} for {name} (7h)", cards=Cards(("7h", "x2", "10c")), name="7h")
    assert Catalogue("en", suits=True).words(text) == "7♥, x2 and 10♣ for 7h (7h)"
    assert from_data(text.data()) == text and "7♥" not in str(text.data())


def test_a_view_in_words_has_symbols_where_wanted() -> None:
    moves = (Move(0, "play 7h", say("Play {card}", card=Cards(("7h",)))),)
    plain, symbols = view(TRICK, BOARD, moves=moves).text(), view(TRICK, BOARD, moves=moves).text(suits=True)
    assert not any(symbol in plain for symbol in SYMBOLS.values())
    assert "Trick: Cleo 7♥  Ada 10♣" in symbols and "  1 7♥  .   ." in symbols and "  Play 7♥" in symbols


def test_a_view_in_words_names_seats_who_goes_first_who_is_to_move_and_how_it_ended() -> None:
    match = hexdeck.game("hawthorn", 3).match(7)
    text = match.view(1).text()
    assert "Seat 1, Hand: " in text and "Seat 2, Chips: 99" in text and "To move: Seat 0, Seat 1, Seat 2" in text
    while (match.acting and len(match.acting) != 1) or match.struct.first < 0:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    text = match.view(1).text()
    (first,) = [line for line in text.splitlines() if "First Player" in line]
    assert first.startswith(f"Seat {match.actor}, Row: ") and f"\nTo move: Seat {match.actor}\n" in text
    assert "Aan de beurt: Plaats " in match.view(1).text("nl")
    while not match.over:
        match.play(match.actor, match.legal_ids(match.actor)[0])
    assert "To move" not in str(match.view(0)) and f"Seat 2: {match.view(0).outcome_texts[2]}" in str(match.view(0))
    zone = Zone("row-1", say("Row"), 1, "row", ("7h",), note=say("from {seat}", seat=Seat(2)))
    assert "Bram, Row: 7h – from Cleo" in view(zone).text()


# --- moves onto cells -------------------------------------------------------------------------------------------------
def test_moves_onto_a_board_know_their_cell_and_points(lay_cards: Game) -> None:
    match = lay_cards.match(1, backend="interpreted")
    assert all(move.zone == move.cell == "" and move.points is None for move in match.legal(0))
    match.play(0, "play 10h")
    moves = match.legal(0)
    assert moves == list(match.view(0).moves)
    assert [(move.name, move.zone, move.cell, move.points) for move in moves][3:5] == [
        ("cell 4", "board", "a2", 3),
        ("cell 5", "board", "b2", 4),
    ]
    assert moves[4].data() == {
        "id": 10,
        "name": "cell 5",
        "label": say("At {cell}", cell="b2").data(),
        "zone": "board",
        "cell": "b2",
        "points": 4,
    }


def test_a_move_that_is_no_matter_of_points_has_none(lay_cards: Game) -> None:
    match = lay_cards.match(1, backend="interpreted")
    match.play(0, "play 7h")
    assert {move.points for move in match.legal(0)} == {None} and match.legal(0)[0].cell == "a1"


def test_games_without_a_board_have_no_cells() -> None:
    match = hexdeck.game("cursed-hand", 2).match(1, backend="interpreted")
    data = match.legal(0)[0].data()
    assert (data["zone"], data["cell"], data["points"]) == ("", "", None)
    assert str(say("{seat} waits", seat=Seat(1))) == "Seat 1 waits"


def test_a_match_is_gone_as_soon_as_nobody_has_it() -> None:
    """Without a search for garbage, which stops a server that keeps many."""
    gc.disable()
    try:
        match = hexdeck.game("hawthorn", 2).match(1, backend="interpreted")
        match.view(0)
        gone = weakref.ref(match)
        del match
        assert gone() is None
    finally:
        gc.enable()


# --- zones that were made already -------------------------------------------------------------------------------------
@every_game
def test_remembered_zones_are_those_of_the_seat_and_position_that_they_are_asked_for(name: str) -> None:
    match = hexdeck.game(name).match(seed=4, by_hand=True)
    for at in random_plies(match, random.Random(1), 60):
        for seat in range(-1, match.game.players):
            known = at.knowledge(seat)
            found = match.game.table.zones(known, seat)
            assert found == tuple(match.game.table.zones.__wrapped__(known, seat))
            assert all(one is other for one, other in zip(found, match.game.table.zones(known, seat), strict=True))


@every_game
def test_a_seat_is_told_what_it_hears_and_nothing_else(name: str) -> None:
    match = hexdeck.game(name, 3).match(seed=4, backend="interpreted")
    for _ in random_plies(match, random.Random(1), 40):
        pass
    heard = [{str(each) for each in match.facts(seat)} for seat in range(3)]
    for seat in range(-1, 3):
        told = [fact.text for facts in match.narration() for fact in facts if fact.heard_by(seat)]
        assert told == match.facts(seat) == list(match.view(seat).log)
    assert heard[0] != heard[1] or name == "blackstone"  # where nothing is said to one alone


def test_a_step_of_which_a_seat_hears_nothing_changes_nothing_that_it_sees() -> None:
    """Not even the number of the ply."""
    match, rng, quiet = hexdeck.game("high-handed", 3).match(seed=4, backend="interpreted"), random.Random(1), 0
    while not match.over and quiet < 20:
        seat, length = rng.choice(match.acting), match.length
        before = {p: match.view(p) for p in range(-1, 3) if p != seat}
        match.play(seat, rng.choice(match.legal_ids(seat)))
        if seat in match.acting and match.length == length + 1:
            unheard = [p for p in before if not any(fact.heard_by(p) for fact in match.narration()[-1])]
            assert [match.view(p) for p in unheard] == [before[p] for p in unheard]
            quiet += len(unheard)
    assert quiet


# --- what is known of a position --------------------------------------------------------------------------------------
@every_game
def test_what_a_seat_knows_reads_as_the_struct_does_and_never_changes(name: str) -> None:
    match = hexdeck.game(name).match(seed=3)
    known, fields = match.knowledge(0), match.rules.STRUCT.names
    live = match.driver.proxy(memoryview(bytearray(match.concealed(0))))
    for field in fields:
        mine, theirs = getattr(known, field), getattr(live, field)
        assert mine == theirs if isinstance(theirs, int) else mine.tobytes() == theirs.tobytes(), field
    with pytest.raises(TypeError, match="read-only"):
        known.acting = 0
    with pytest.raises(AttributeError, match="nothing"):
        _ = known.nothing
    seen = match.concealed(0)
    match.play(match.acting[0], match.legal_ids(match.acting[0])[0])
    assert bytes(known.row_) == seen
