"""A game as a PDF: its rules, its cards with their backs, its board if it has one, and score sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.discovery.rulebook import PaperScores, Printed, PrintedCard
from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import column_name
from hexdeck.web.paper.rules import add_rules
from hexdeck.web.paper.sheets import SOFT, Sheets

PARTS = "rules", "cards", "board", "scores"
ON_BOARD = 0.44  # the size of cards that lie on a board, beside the usual: its squares are as high as they are
SQUARE = 40.0  # in mm


def document(name: str, lang: str, size: str, parts: tuple[str, ...] = PARTS) -> bytes:
    """Those parts of a game as a PDF, in a language, on `a4` or `letter`; parts that a game lacks are left out."""
    game, catalogue = definition(name), game_words(name, lang)
    title, players = catalogue.words(game.table.ABOUT.title), game.rules.PLAYERS[1]
    sheets = Sheets(size, title, lang)
    paper = game.deck.printed() if game.deck else Printed()
    if "rules" in parts:
        add_rules(sheets, name, lang)
    if paper.cards and "cards" in parts:
        add_cards(sheets, paper.cards, catalogue, ON_BOARD if paper.board else 1.0)
    if paper.board and "board" in parts:
        add_board(sheets, paper.board, SQUARE, catalogue)
    if paper.scores and "scores" in parts:
        add_scores(sheets, title, paper.scores, players, catalogue)
    return sheets.bytes()


# --- cards to be cut out; their backs are on the next page, for printing on both sides --------------------------------
WIDTH, HEIGHT, PER_ROW, ROWS = 63.0, 88.0, 3, 3  # in mm, as most sleeves for cards are made for
BACK = "card-back"
INSET, FOOT = 2.6, 6.0  # around words, and from their last line to the edge
EDGE = 6.0  # of the paper, where printers don't print
CUT, BEYOND = 0.1, 5.0  # the width of a line to cut along, and how far it reaches beyond the cards


def add_cards(sheets: Sheets, cards: Sequence[PrintedCard], catalogue: Catalogue, size: float = 1.0) -> None:
    """Pages with all the cards, each followed by its backs; `size`: of a card, beside the usual."""
    copies = [card for card in cards for _ in range(card.copies)]
    across, down = int((sheets.w - 2 * EDGE) / (WIDTH * size)), int((sheets.h - 2 * EDGE) / (HEIGHT * size))
    for start in range(0, len(copies), across * down):
        page = copies[start : start + across * down]
        sheets.add_page()
        for card, (x, y) in zip(page, places(sheets, across, down, size), strict=False):
            sheets.draw(card.symbol, x, y, WIDTH * size)
            if card.words:
                foot(sheets, catalogue.words(card.words), x, y)
        cut_lines(sheets, across, down, size)
        sheets.add_page()
        for x, y in backs(sheets, across, down, size, len(page)):
            sheets.draw(BACK, x, y, WIDTH * size)


def corner(sheets: Sheets, across: int, down: int, size: float) -> tuple[float, float]:
    """Where the first card lies, so that all are in the middle of the page."""
    return (sheets.w - across * WIDTH * size) / 2, (sheets.h - down * HEIGHT * size) / 2


def places(sheets: Sheets, across: int, down: int, size: float) -> Iterator[tuple[float, float]]:
    """Where cards lie, row by row."""
    x0, top = corner(sheets, across, down, size)
    for row in range(down):
        for column in range(across):
            yield x0 + column * WIDTH * size, top + row * HEIGHT * size


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
    x0, top = corner(sheets, across, down, size)
    right, bottom = x0 + across * WIDTH * size, top + down * HEIGHT * size
    sheets.set_draw_color(*SOFT)
    sheets.set_line_width(CUT)
    for column in range(across + 1):
        x = x0 + column * WIDTH * size
        sheets.line(x, top - BEYOND, x, bottom + BEYOND)
    for row in range(down + 1):
        y = top + row * HEIGHT * size
        sheets.line(x0 - BEYOND, y, right + BEYOND, y)


# --- boards of squares, on as many pages as it takes, to be taped together --------------------------------------------
BOARD_HEAD = 8.0  # in mm, for the line above the squares


def add_board(sheets: Sheets, size: tuple[int, int], square: float, catalogue: Catalogue) -> None:
    """The board: so many rows and columns of squares, so many mm wide, with the names that the program gives them."""
    rows, columns = size
    across, down = floor(sheets.epw / square), floor((sheets.eph - BOARD_HEAD) / square)
    wide, high = ceil(columns / ceil(columns / across)), ceil(rows / ceil(rows / down))
    parts = [(row, column) for row in range(0, rows, high) for column in range(0, columns, wide)]
    for number, (row, column) in enumerate(parts, 1):
        sheets.add_page()
        sheets.letters(8.5, color=SOFT)
        sheets.set_xy(sheets.l_margin, sheets.t_margin)
        sheets.cell(text=catalogue.words(part_text(number, len(parts))))
        for r in range(row, min(rows, row + high)):
            for c in range(column, min(columns, column + wide)):
                x, y = sheets.l_margin + (c - column) * square, sheets.t_margin + BOARD_HEAD + (r - row) * square
                draw_cell(sheets, f"{column_name(c)}{r + 1}", x, y, square)


def draw_cell(sheets: Sheets, name: str, x: float, y: float, square: float) -> None:
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


# --- score sheets -----------------------------------------------------------------------------------------------------
LINE, LABEL, GAP = 6.6, 30.0, 12.0  # in mm: the height of a line, the width of its label, between two tables
NAME = say("Name")
TOTAL = say("Total")


def add_scores(sheets: Sheets, title: str, sheet: PaperScores, players: int, catalogue: Catalogue) -> None:
    """A page of score sheets: one below the other, as many as fit."""
    labels = [catalogue.words(NAME), *lines(sheet, catalogue), catalogue.words(TOTAL)]
    high = (len(labels) + 1.4) * LINE
    sheets.add_page()
    top = sheets.t_margin
    while top + high <= sheets.h - sheets.b_margin + 0.1:
        score_table(sheets, title, labels, players, top)
        top += high + GAP


def lines(sheet: PaperScores, catalogue: Catalogue) -> list[str]:
    """The labels of a score sheet's lines."""
    row, parts = catalogue.words(sheet.each), [catalogue.words(part) for part in sheet.parts]
    numbered = [f"{row} {number}" for number in range(1, sheet.lines + 1)]
    return [f"{line}, {part}" for line in numbered for part in parts] if parts else numbered


def score_table(sheets: Sheets, title: str, labels: list[str], players: int, top: float) -> None:
    """One score sheet, from there down."""
    sheets.letters(13, "serif")
    sheets.set_xy(sheets.l_margin, top)
    sheets.cell(text=title)
    top += 1.4 * LINE
    x0, wide = sheets.l_margin + LABEL, (sheets.epw - LABEL) / players
    bottom, right = top + len(labels) * LINE, sheets.w - sheets.r_margin
    sheets.letters(8.5)
    sheets.set_draw_color(*SOFT)
    for k, label in enumerate(labels):
        y = top + k * LINE
        sheets.set_line_width(0.5 if k in (1, len(labels) - 1) else 0.1)
        sheets.line(sheets.l_margin, y, right, y)
        sheets.set_xy(sheets.l_margin, y)
        sheets.cell(LABEL, LINE, label)
    sheets.set_line_width(0.1)
    sheets.line(sheets.l_margin, bottom, right, bottom)
    for k in range(players + 1):
        sheets.line(x0 + k * wide, top, x0 + k * wide, bottom)
