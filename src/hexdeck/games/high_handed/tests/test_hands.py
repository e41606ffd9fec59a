"""The cells that are lit for a scoring hand are that hand's: compared with a slow search, written from the rules."""

import random
from typing import Any

import pytest

import hexdeck
from hexdeck.games.high_handed import captions, scoring
from hexdeck.games.high_handed.captions import Hand
from hexdeck.games.high_handed.scoring import most_in
from tests.settings import much

from . import reference_scoring as oracle
from .staging import STEPS, dealt, lay, number

OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"rows": 7, "columns": 8},
    {"strangers": "yes"},
    {"line_hands": "two"},
    {"new_hand": "line"},
    {"strangers": "yes", "line_hands": "two", "new_hand": "line"},
)
NAMES = (
    "",
    "pair",
    "two pair",
    "three of a kind",
    "full house",
    "four of a kind",
    "flush",
    "straight",
    "straight flush",
    "royal flush",
)


def regular(code: int) -> oracle.Card | None:
    return ((code - 1) % 13 + 1, "cshd"[(code - 1) // 13]) if 0 < code <= 52 else None


def scored_hands(s: Any, cell: int, card: int, under: int) -> list[Hand]:
    lines = [scoring.line(s, cell, card, under, direction) for direction in range(scoring.DIRECTIONS)]
    return sorted(captions.hands_of(s, cell, lines), key=lambda hand: hand.points)


def wanted(s: Any, cell: int, card: int, under: int, options: dict[str, Any]) -> list[set[oracle.Hand]]:
    """The new hands in each of the four lines, by the slow search."""
    place = divmod(cell, s.columns)
    board = {divmod(k, s.columns): regular(s.board[k]) for k in range(s.rows * s.columns)}
    before, after = board | {place: regular(under)}, board | {place: regular(card + 1)}
    found = []
    for step in oracle.LINES.values():
        line = oracle.unbroken(oracle.whole_line(place, step, s.rows, s.columns), place, after)
        kinds = options.get("strangers", "no"), options.get("new_hand", "overlap")
        found.append(set(oracle.new_hands(before, after, place, line, *kinds)))
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_the_cells_are_those_of_new_hands_and_worth_what_the_card_scores(options: dict[str, Any]) -> None:
    match = hexdeck.game("high-handed", 3, **options).match(seed=4, backend="interpreted")
    rng, scoring, several = random.Random(1), 0, 0
    while not match.over:
        match.play(match.acting[0], rng.choice(match.legal_ids(match.acting[0])))
        s = match.struct
        for _ in range(much(2, 4)):
            card, cell, under = rng.randrange(52), rng.randrange(s.rows * s.columns), rng.choice((0, s.board[0]))
            found = scored_hands(s, cell, card, under)
            assert sum(hand.points for hand in found) == most_in(s, 1 << card, cell, under)[0]
            known = set().union(*wanted(s, cell, card, under, options)) if found else set()
            for hand in found:
                cells = frozenset(divmod(k, s.columns) for k in hand.cells)
                assert oracle.Hand(NAMES[hand.category], cells) in known, (bytes(s.board.cells), card, cell, under)
            scoring += bool(found)
            several += len(found) > 1
    assert scoring > much(10, 20) and several > 0


@pytest.mark.parametrize(
    ("direction", "cells"),
    [("row", (24, 25, 26)), ("column", (3, 11, 19)), ("falling", (0, 9, 18)), ("rising", (42, 49, 56))],
)
def test_cells_come_along_the_line(direction: str, cells: tuple[int, ...]) -> None:
    begin = {"row": 24, "column": 3, "falling": 0, "rising": 56}[direction]
    step = STEPS[direction][0] * 8 + STEPS[direction][1]
    match = lay(dealt("2c", "3s"), begin + 1, "2s 2h", step)
    assert scored_hands(match.struct, begin + 2 * step, number("2c"), 0) == [Hand(3, cells)]


def test_of_hands_in_several_lines_the_best_comes_last() -> None:
    match = lay(lay(dealt("2c", "3s"), 2, "2s 2h"), 9, "2d")
    assert [hand.category for hand in scored_hands(match.struct, 0, number("2c"), 0)] == [1, 3]
    assert scored_hands(match.struct, 0, number("2c"), 0)[-1].cells == (0, 1, 2)


def test_two_hands_of_one_line_share_the_placed_card() -> None:
    match = lay(dealt("7c", "3s", line_hands="two"), 1, "2s 2h 2d 7s . 7h")
    assert scored_hands(match.struct, 4, number("7c"), 0) == [Hand(1, (4, 5)), Hand(4, (0, 1, 2, 3, 4))]


def test_strangers_between_the_cards_of_a_hand_are_not_lit() -> None:
    match = lay(dealt("2c", "3s", strangers="yes"), 1, "2s 9h 8d")
    assert scored_hands(match.struct, 3, number("2c"), 0) == [Hand(1, (0, 3))]


def test_strangers_between_two_hands_of_one_line_that_share_the_placed_card() -> None:
    match = lay(dealt("7c", "3s", strangers="yes", line_hands="two"), 1, "7s 9h 9d 9c . 7h")
    found = scored_hands(match.struct, 4, number("7c"), 0)
    assert found == [Hand(1, (4, 5)), Hand(4, (0, 1, 2, 3, 4))]  # not the pair of both sevens of the full house


def test_the_better_of_two_such_hands_may_come_first_or_last() -> None:
    match = lay(dealt("7c", "3s", strangers="yes", line_hands="two"), 1, "7h 2d . 9c 9d 9h 7s")
    assert scored_hands(match.struct, 2, number("7c"), 0) == [Hand(1, (0, 2)), Hand(4, (2, 3, 4, 5, 6))]


def test_a_hand_that_shares_a_cell_with_an_older_one_is_not_lit() -> None:
    match = lay(dealt("Qs", "3c", rows=1, columns=64), 1, "2s 4s 6s 8s 10s . As 3s 5s 7s")
    assert scored_hands(match.struct, 5, number("Qs"), 0) == [Hand(6, (5, 6, 7, 8, 9))]
