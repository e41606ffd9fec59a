"""What a placed card scores in High Handed, read from shared/rules/high-handed.md (the ids in the comments).

A card is a pair of rank (1, the ace, to 13, the king) and suit; a cell is a pair of row and column, from 0.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, groupby, takewhile
from typing import NamedTuple

Card = tuple[int, str]
Cell = tuple[int, int]
Board = Mapping[Cell, Card | None]  # the card on top of each cell; None, or no entry: no regular card there

LINES = {"row": (0, 1), "column": (1, 0), "falling diagonal": (1, 1), "rising diagonal": (-1, 1)}
HIGHEST_STRAIGHT = [1, 10, 11, 12, 13]


class Hand(NamedTuple):
    """HH-11: the cells of one line that make a hand, and what they make."""

    category: str
    cells: frozenset[Cell]


# -- categories: every one that the cards satisfy, in any order -------------------------------------------------


def sorted_ranks(cards: list[Card]) -> list[int]:
    """The ranks, lowest first, the ace being 1."""
    return sorted(rank for rank, _ in cards)


def one_rank(cards: list[Card]) -> bool:
    """HH-11: a pair, three of a kind or four of a kind, by the number of cards."""
    return len({rank for rank, _ in cards}) == 1


def two_pair(cards: list[Card]) -> bool:
    """HH-11: pairs of two different ranks."""
    a, b, c, d = sorted_ranks(cards)
    return a == b and c == d and a != c


def full_house(cards: list[Card]) -> bool:
    """HH-11: three of one rank and two of another."""
    a, b, c, d, e = sorted_ranks(cards)
    return a == b and d == e and c in (b, d) and a != e


def straight(cards: list[Card]) -> bool:
    """HH-12: the ace is low or high, never in the middle."""
    ranks = sorted_ranks(cards)
    return ranks == list(range(ranks[0], ranks[0] + 5)) or ranks == HIGHEST_STRAIGHT


def flush(cards: list[Card]) -> bool:
    """HH-11: five cards of one suit."""
    return len({suit for _, suit in cards}) == 1


def straight_flush(cards: list[Card]) -> bool:
    """HH-14: a straight flush is also a straight and a flush."""
    return flush(cards) and straight(cards)


def royal_flush(cards: list[Card]) -> bool:
    """HH-12: 10-J-Q-K-A of one suit."""
    return flush(cards) and sorted_ranks(cards) == HIGHEST_STRAIGHT


CATEGORIES: dict[int, dict[str, Callable[[list[Card]], bool]]] = {  # HH-11: by the number of cells
    2: {"pair": one_rank},
    3: {"three of a kind": one_rank},
    4: {"two pair": two_pair, "four of a kind": one_rank},
    5: {
        "full house": full_house,
        "straight": straight,
        "flush": flush,
        "straight flush": straight_flush,
        "royal flush": royal_flush,
    },
}
POINTS = {  # HH-12
    "pair": 1,
    "two pair": 3,
    "three of a kind": 4,
    "full house": 6,
    "four of a kind": 6,
    "straight": 10,
    "flush": 10,
    "straight flush": 15,
    "royal flush": 20,
}


def categories(cards: list[Card]) -> list[str]:
    """HH-14: every category that all of these cards together satisfy."""
    return [name for name, satisfied in CATEGORIES[len(cards)].items() if satisfied(cards)]


# -- lines and the hands in them --------------------------------------------------------------------------------


def whole_line(cell: Cell, step: tuple[int, int], rows: int, columns: int) -> list[Cell]:
    """All cells of the board in one straight line through this one, in order."""
    distances = range(-max(rows, columns), max(rows, columns) + 1)
    cells = [(cell[0] + step[0] * distance, cell[1] + step[1] * distance) for distance in distances]
    return [(row, column) for row, column in cells if 0 <= row < rows and 0 <= column < columns]


def unbroken(line: list[Cell], cell: Cell, board: Board) -> list[Cell]:
    """HH-9, HH-11: the part of the line around the cell with a regular card everywhere."""
    at = line.index(cell)
    left = list(takewhile(board.get, reversed(line[:at])))
    return [*reversed(left), cell, *takewhile(board.get, line[at + 1 :])]


def nearby(line: list[Cell], cell: Cell, distance: int) -> list[Cell]:
    """The cells of the line at most so many steps from the cell."""
    at = line.index(cell)
    return line[max(at - distance, 0) : at + distance + 1]


def cell_sets(line: list[Cell], strangers: str) -> Iterator[tuple[Cell, ...]]:
    """HH-11: two to five cells next to each other; with strangers, any of five cells next to each other."""
    for at, first in enumerate(line):
        following = line[at + 1 : at + 5]
        for others in range(1, len(following) + 1):
            if strangers == "yes":
                for chosen in combinations(following, others):
                    yield first, *chosen
            else:
                yield first, *following[:others]


def hands_in(line: list[Cell], board: Board, strangers: str) -> Iterator[Hand]:
    """HH-11: all hands in the unbroken parts of these cells, which lie in one line."""
    for has_card, part in groupby(line, lambda cell: board.get(cell) is not None):
        if has_card:
            for cells in cell_sets(list(part), strangers):
                cards = [card for cell in cells if (card := board[cell])]
                for category in categories(cards):
                    yield Hand(category, frozenset(cells))


# -- what is new, and what it scores ----------------------------------------------------------------------------


def is_new(hand: Hand, earlier: list[Hand], new_hand: str) -> bool:
    """HH-14: no earlier hand of its category shares a cell with it; or there is none in the line at all."""
    same = [other for other in earlier if other.category == hand.category]
    return not same if new_hand == "line" else not any(other.cells & hand.cells for other in same)


def new_hands(before: Board, after: Board, cell: Cell, line: list[Cell], strangers: str, new_hand: str) -> list[Hand]:
    """HH-13, HH-14: the new hands with the placed card, in one unbroken line.

    A hand with the placed card reaches at most 4 cells away, and a hand that shares a cell with it at most 8.
    """
    completed = [hand for hand in hands_in(nearby(line, cell, 4), after, strangers) if cell in hand.cells]
    if not completed:
        return []
    compared = line if new_hand == "line" else nearby(line, cell, 8)
    earlier = list(hands_in(compared, before, strangers))  # HH-15: under a Thief, with the card it took
    return [hand for hand in completed if is_new(hand, earlier, new_hand)]


def value(hands: list[Hand]) -> int:
    """HH-12."""
    return sum(POINTS[hand.category] for hand in hands)


def best(hands: list[Hand], cell: Cell, line_hands: str) -> list[Hand]:
    """HH-13: the best hand; or the best of one and of two that share only the placed card."""
    choices: list[list[Hand]] = [[], *([hand] for hand in hands)]
    if line_hands == "two":
        choices += [[one, other] for one, other in combinations(hands, 2) if one.cells & other.cells == {cell}]
    return max(choices, key=value)


def scored_hands(
    before: Board,
    after: Board,
    cell: Cell,
    rows: int,
    columns: int,
    strangers: str = "no",
    line_hands: str = "one",
    new_hand: str = "overlap",
) -> dict[str, list[Hand]]:
    """HH-13: the hands that score in each of the four lines through the cell of the placed card.

    Before is the board without the card, and without the Thief that made room for it (HH-15); of equally good
    hands of one line any may be named.
    """
    result = {}
    for name, step in LINES.items():
        line = unbroken(whole_line(cell, step, rows, columns), cell, after)
        result[name] = best(new_hands(before, after, cell, line, strangers, new_hand), cell, line_hands)
    return result


def points(
    before: Board,
    after: Board,
    cell: Cell,
    rows: int,
    columns: int,
    strangers: str = "no",
    line_hands: str = "one",
    new_hand: str = "overlap",
) -> dict[str, int]:
    """HH-12, HH-13: what each of the four lines scores, before any Two Timer; lines add up."""
    hands = scored_hands(before, after, cell, rows, columns, strangers, line_hands, new_hand)
    return {name: value(scored) for name, scored in hands.items()}
