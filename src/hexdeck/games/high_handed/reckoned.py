"""What cards would score on a board of High Handed, reckoned once: a view asks it of every card and every cell.

The rules do the reckoning, on a plain copy of what they read of a board.
"""

import functools

from hexdeck.games.high_handed import rules

MOST = 64  # boards that are kept


class Board:
    """The fields of a struct that decide what a card scores, as the rules read them."""

    __slots__ = ("board", "columns", "known", "line_hands", "new_hand", "rows", "strangers")

    def __init__(self, cells: bytes, rows: int, columns: int, options: tuple[int, int, int]) -> None:
        self.board, self.rows, self.columns = cells, rows, columns
        self.strangers, self.line_hands, self.new_hand = options
        self.known: dict[tuple[int, int, int], int] = {}

    def worth(self, card: int, cell: int, under: int) -> int:
        """What a regular card scores in a cell, see `rules.worth`."""
        key = card, cell, under
        if key not in self.known:
            self.known[key] = rules.worth(self, card, cell, under)
        return self.known[key]


@functools.lru_cache(MOST)
def _board(cells: bytes, rows: int, columns: int, options: tuple[int, int, int]) -> Board:
    return Board(cells, rows, columns, options)


def worth(s, card, cell, under):
    """What a regular card scores in a cell where that lay before the turn, not doubled."""
    board = _board(s.board.cells.tobytes(), s.rows, s.columns, (s.strangers, s.line_hands, s.new_hand))
    return board.worth(card, cell, under)


def gain(s, card, cell):
    """What a regular card would score in a cell in this turn."""
    return worth(s, card, cell, s.under) << s.doubled
