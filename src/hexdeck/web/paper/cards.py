"""Cards to be cut out, with lines to cut along; their backs are on the next page, for printing on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hexdeck.engine.discovery.printed import PrintedCard
from hexdeck.engine.text import Catalogue
from hexdeck.web.paper.sheets import SOFT, Sheets

WIDTH, HEIGHT, PER_ROW, ROWS = 63.0, 88.0, 3, 3  # in mm, as most sleeves for cards are made for
BACK = "card-back"
INSET, FOOT = 2.6, 6.0  # around words, and from their last line to the edge
EDGE = 6.0  # of the paper, where printers don't print
CUT, BEYOND = 0.1, 5.0  # the width of a line to cut along, and how far it reaches beyond the cards


def add_cards(sheets: Sheets, cards: Sequence[PrintedCard], words: Catalogue, size: float = 1.0) -> None:
    """Pages with all the cards, each followed by its backs; `size`: of a card, beside the usual."""
    each = [card for card in cards for _ in range(card.copies)]
    across, down = int((sheets.w - 2 * EDGE) / (WIDTH * size)), int((sheets.h - 2 * EDGE) / (HEIGHT * size))
    for start in range(0, len(each), across * down):
        page = each[start : start + across * down]
        sheets.add_page()
        for card, (x, y) in zip(page, places(sheets, across, down, size), strict=False):
            sheets.draw(card.symbol, x, y, WIDTH * size)
            if card.words:
                foot(sheets, words.words(card.words), x, y)
        cut_lines(sheets, across, down, size)
        sheets.add_page()
        for x, y in backs(sheets, across, down, size, len(page)):
            sheets.draw(BACK, x, y, WIDTH * size)


def corner(sheets: Sheets, across: int, down: int, size: float) -> tuple[float, float]:
    """Where the first card lies, so that all are in the middle of the page."""
    return (sheets.w - across * WIDTH * size) / 2, (sheets.h - down * HEIGHT * size) / 2


def places(sheets: Sheets, across: int, down: int, size: float) -> Iterator[tuple[float, float]]:
    """Where cards lie, row by row."""
    left, top = corner(sheets, across, down, size)
    for row in range(down):
        for column in range(across):
            yield left + column * WIDTH * size, top + row * HEIGHT * size


def backs(sheets: Sheets, across: int, down: int, size: float, count: int) -> Iterator[tuple[float, float]]:
    """Where the backs of the first cards lie: the page is turned over its long side."""
    for x, y in list(places(sheets, across, down, size))[:count]:
        yield sheets.w - x - WIDTH * size, y


def foot(sheets: Sheets, text: str, x: float, y: float) -> None:
    """Words at the foot of a card, on white."""
    sheets.letters(9)
    width = WIDTH - 2 * (INSET + 2)
    high = sheets.height(text, width)
    top = y + HEIGHT - INSET - high - 2.4
    sheets.set_fill_color(255, 255, 255)
    sheets.rect(x + INSET, top, WIDTH - 2 * INSET, high + 2.4, style="F", round_corners=True, corner_radius=2)
    sheets.set_xy(x + INSET + 2, top + 1.2)
    sheets.passage(text, width, align="C")


def cut_lines(sheets: Sheets, across: int, down: int, size: float) -> None:
    """Lines to cut along, all across the page."""
    left, top = corner(sheets, across, down, size)
    right, bottom = left + across * WIDTH * size, top + down * HEIGHT * size
    sheets.set_draw_color(*SOFT)
    sheets.set_line_width(CUT)
    for column in range(across + 1):
        x = left + column * WIDTH * size
        sheets.line(x, top - BEYOND, x, bottom + BEYOND)
    for row in range(down + 1):
        y = top + row * HEIGHT * size
        sheets.line(left - BEYOND, y, right + BEYOND, y)
