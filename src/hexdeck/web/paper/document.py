"""A game as a PDF: its rules, its cards with their backs, its board if it has one, and score sheets."""

from __future__ import annotations

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.printed import Printed
from hexdeck.web.paper.board import add_board
from hexdeck.web.paper.cards import add_cards
from hexdeck.web.paper.rulebook import add_rules
from hexdeck.web.paper.scores import add_scores
from hexdeck.web.paper.sheets import Sheets

PARTS = "rules", "cards", "board", "scores"
ON_BOARD = 0.44  # the size of cards that lie on a board, beside the usual: its squares are as high as they are
SQUARE = 40.0  # in mm


def document(name: str, lang: str, size: str, parts: tuple[str, ...] = PARTS) -> bytes:
    """Those parts of a game as a PDF, in a language, on `a4` or `letter`; parts that a game lacks are left out."""
    game, words = definition(name), game_words(name, lang)
    title, players = words.words(game.table.ABOUT.title), game.rules.PLAYERS[1]
    sheets = Sheets(size, title, lang)
    paper = game.deck.printed() if game.deck else Printed()
    if "rules" in parts:
        add_rules(sheets, name, lang)
    if paper.cards and "cards" in parts:
        add_cards(sheets, paper.cards, words, ON_BOARD if paper.board else 1.0)
    if paper.board and "board" in parts:
        add_board(sheets, paper.board, SQUARE, words)
    if paper.scores and "scores" in parts:
        add_scores(sheets, title, paper.scores, players, words)
    return sheets.bytes()
