"""What cards would score on a board of High Handed, cached, because a view asks for every card and every cell.

The rules compute the scores, on a plain copy of the fields that they read. What a card scores in a cell depends only on
the unbroken runs of regular cards on either side of it, in each direction (HH-9), so that scores are shared by boards
with the same runs. A test compares the results with the rules.
"""

import functools

from hexdeck.games.high_handed import rules
from hexdeck.games.high_handed.lines import DIRECTIONS, along, is_regular

MOST_BOARDS, MOST = 64, 20_000
REGULAR = bytes(bool(is_regular(code)) for code in range(256))
BREAK = b"\0"


class Board:
    """The fields of a struct that determine what a card scores, named as the rules read them."""

    def __init__(self, cells: bytes, rows: int, columns: int, options: tuple[int, int, int]) -> None:
        self.board, self.rows, self.columns, self.options = cells, rows, columns, options
        self.strangers, self.line_hands, self.new_hand = options
        self._near: dict[int, tuple[tuple[bytes, int], ...]] = {}

    def worth(self, card: int, cell: int, under: int) -> int:
        """What a regular card scores in a cell: see `rules.worth`."""
        near = self._near.get(cell)
        if near is None:
            near = self._near[cell] = self.near(cell)
        key = card, under, near, self.options
        found = KNOWN.get(key)
        if found is None:
            if len(KNOWN) >= MOST:
                KNOWN.clear()
            found = KNOWN[key] = rules.worth(self, card, cell, under)
        return found

    def near(self, cell: int) -> tuple[tuple[bytes, int], ...]:
        """For each direction, the run of regular cards around a cell, and the cell's place in it."""
        return tuple(run(self.board[line], at) for line, at in lines(self.rows, self.columns)[cell])


KNOWN: dict[tuple[int, int, tuple[tuple[bytes, int], ...], tuple[int, int, int]], int] = {}


def run(line: bytes, at: int) -> tuple[bytes, int]:
    """The regular cards around a place in a line, leaving out the place itself, and how many come before it."""
    regular = line.translate(REGULAR)
    first, end = regular.rfind(BREAK, 0, at) + 1, regular.find(BREAK, at + 1)
    return line[first:at] + line[at + 1 : end if end >= 0 else None], at - first


@functools.cache
def lines(rows: int, columns: int) -> list[list[tuple[slice, int]]]:
    """For each cell, the four lines through it and its place in each."""
    empty = Board(b"", rows, columns, (0, 0, 0))
    return [[_line(empty, cell, direction) for direction in range(DIRECTIONS)] for cell in range(rows * columns)]


def _line(board: Board, cell: int, direction: int) -> tuple[slice, int]:
    step, back, ahead = along(board, cell, direction)
    return slice(cell - back * step, cell + ahead * step + 1, step), back


@functools.lru_cache(MOST_BOARDS)
def _board(cells: bytes, rows: int, columns: int, options: tuple[int, int, int]) -> Board:
    return Board(cells, rows, columns, options)


def board(s):
    """The board of a struct."""
    return _board(s.board.tobytes(), s.rows, s.columns, (s.strangers, s.line_hands, s.new_hand))


def most(s, cards, cells):
    """The most points that any of these cards scores in any of these cells in this turn."""
    found, under = board(s), s.under
    return max((found.worth(card, cell, under) for card in cards for cell in cells), default=0) << s.doubled


def gain(s, card, cell):
    """The points that a regular card would score in a cell in this turn."""
    return board(s).worth(card, cell, s.under) << s.doubled
