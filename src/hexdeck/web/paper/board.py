"""A board of squares, on as many pages as it takes for the cards to fit, to be taped together."""

from __future__ import annotations

from math import ceil, floor

from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import column_name
from hexdeck.web.paper.sheets import SOFT, Sheets

HEAD = 8.0  # in mm, for the line above the squares


def add_board(sheets: Sheets, size: tuple[int, int], square: float, words: Catalogue) -> None:
    """The board: so many rows and columns of squares, so many mm wide, with the names that the program gives them."""
    rows, columns = size
    across, down = floor(sheets.epw / square), floor((sheets.eph - HEAD) / square)
    wide, high = ceil(columns / ceil(columns / across)), ceil(rows / ceil(rows / down))
    parts = [(row, column) for row in range(0, rows, high) for column in range(0, columns, wide)]
    for number, (row, column) in enumerate(parts, 1):
        sheets.add_page()
        sheets.letters(8.5, color=SOFT)
        sheets.set_xy(sheets.l_margin, sheets.t_margin)
        sheets.cell(text=words.words(part_text(number, len(parts))))
        for r in range(row, min(rows, row + high)):
            for c in range(column, min(columns, column + wide)):
                x, y = sheets.l_margin + (c - column) * square, sheets.t_margin + HEAD + (r - row) * square
                cell(sheets, f"{column_name(c)}{r + 1}", x, y, square)


def cell(sheets: Sheets, name: str, x: float, y: float, square: float) -> None:
    """A square with its name."""
    sheets.set_draw_color(*SOFT)
    sheets.set_line_width(0.2)
    sheets.rect(x, y, square, square)
    sheets.letters(8, color=SOFT)
    sheets.set_xy(x + 0.6, y + 0.6)
    sheets.cell(text=name)


def part_text(part: int, parts: int) -> Text:
    """What a page of the board says at its top."""
    return say(
        "Board, part {part} of {parts}: cut along the frame, and tape the parts together.", part=part, parts=parts
    )
