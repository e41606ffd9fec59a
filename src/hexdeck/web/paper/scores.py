"""Score sheets: a column for each player, a line for each deal or the like, and the total."""

from __future__ import annotations

from hexdeck.engine.discovery.printed import ScoreSheet
from hexdeck.engine.text import Catalogue, say
from hexdeck.web.paper.sheets import SOFT, Sheets

LINE, LABEL, GAP = 6.6, 30.0, 12.0  # in mm: the height of a line, the width of its label, between two tables
NAME = say("Name")
TOTAL = say("Total")


def add_scores(sheets: Sheets, title: str, sheet: ScoreSheet, players: int, words: Catalogue) -> None:
    """A page of score sheets: one below the other, as many as fit."""
    labels = [words.words(NAME), *lines(sheet, words), words.words(TOTAL)]
    high = (len(labels) + 1.4) * LINE
    sheets.add_page()
    top = sheets.t_margin
    while top + high <= sheets.h - sheets.b_margin + 0.1:
        table(sheets, title, labels, players, top)
        top += high + GAP


def lines(sheet: ScoreSheet, words: Catalogue) -> list[str]:
    """The labels of a score sheet's lines."""
    each, parts = words.words(sheet.each), [words.words(part) for part in sheet.parts]
    numbered = [f"{each} {number}" for number in range(1, sheet.lines + 1)]
    return [f"{line}, {part}" for line in numbered for part in parts] if parts else numbered


def table(sheets: Sheets, title: str, labels: list[str], players: int, top: float) -> None:
    """One score sheet, from there down."""
    sheets.letters(13, "serif")
    sheets.set_xy(sheets.l_margin, top)
    sheets.cell(text=title)
    top += 1.4 * LINE
    left, wide = sheets.l_margin + LABEL, (sheets.epw - LABEL) / players
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
        sheets.line(left + k * wide, top, left + k * wide, bottom)
