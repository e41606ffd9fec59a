"""Pictures in a text on paper: cards in rows, and moments of the worked example."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexdeck.engine.discovery.catalogues import game_words
from hexdeck.engine.discovery.rulebook import BACK, EMPTY, Drawn, Picture, StepPicture
from hexdeck.engine.play.worked import cropped, has_example, pictured, shown
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Zone
from hexdeck.web.html.cards import icon, picture, tile
from hexdeck.web.paper.blocks import SMALL, Block
from hexdeck.web.paper.sheets import MM, SOFT, Sheets

CARD, SQUARE, TINY = 3.0, 2.3, 1.7  # widths of cards, in letters: in a picture, on a board, in a moment
TALL, APART, BELOW = 1.4, 1.08, 1.06  # a card's height, and from one to the next, in its own size
BESIDE = 1 / 3  # a picture's words stand beside it if that much of the column is left
ZONES, MOST_HIDDEN = 0.56, 3  # the part of the column for a moment's zones; cards face down that are drawn of many
TITLE, COUNT = 5.2, 4.2  # the room for whose a line is, and for what is counted, in letters
GLOW = (176, 112, 0)


def draw_row(sheets: Sheets, row: Sequence[Drawn], x: float, y: float, width: float, *, board: bool) -> None:
    """Cards side by side; those that matter have a frame."""
    for k, each in enumerate(row):
        left, high = x + k * width * APART, height_of(each.code, width, board=board)
        sheets.set_line_width(0.5 if each.marked else 0.1)
        sheets.set_draw_color(*(GLOW if each.marked else SOFT))
        if each.code != EMPTY:
            art = "card-back" if each.code == BACK else (tile(each.code) if board else picture(each.code)).symbol
            sheets.draw(art, left, y, width)
        if each.code == EMPTY or each.marked:
            sheets.rect(left, y, width, high, style="D", round_corners=True, corner_radius=width * 0.1)


def height_of(code: str, width: float, *, board: bool) -> float:
    """How high a card is; on a board cards are square where there is such a picture."""
    return width if board and (code == EMPTY or tile(code).symbol.startswith("tile-")) else width * TALL


@dataclass(frozen=True)
class Shown(Block):
    """A picture of cards in rows, with its words beside it, or below if it is wide."""

    picture: Picture
    small: bool

    def _sizes(self, size: float) -> tuple[float, float]:
        """The width of a card, and the height of a row."""
        board = self.picture.board
        width = (SQUARE if board else CARD) * size * MM
        cards = [each.code for row in self.picture.rows for each in row]
        return width, max(height_of(code, width, board=board) for code in cards) * BELOW

    def _words(self, sheets: Sheets, size: float, width: float) -> tuple[float, float]:
        """The room for the words, and where it begins."""
        wide = max(len(row) for row in self.picture.rows) * self._sizes(size)[0] * APART + 0.8 * size * MM
        sheets.letters(size * SMALL)
        return (width - wide, wide) if width - wide > width * BESIDE else (width, 0.0)

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        rows = len(self.picture.rows) * self._sizes(size)[1]
        room, left = self._words(sheets, size, width)
        text = sheets.height(self.picture.alt, room)
        return max(rows, text) if left else rows + text

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        card, high = self._sizes(size)
        for r, row in enumerate(self.picture.rows):
            draw_row(sheets, row, x, y + r * high, card, board=self.picture.board)
        room, left = self._words(sheets, size, width)
        text, rows = sheets.height(self.picture.alt, room), len(self.picture.rows) * high
        sheets.set_xy(x + left, y + max(0, (rows - text) / 2) if left else y + rows)
        sheets.passage(self.picture.alt, room)


@dataclass(frozen=True)
class Moment(Block):
    """A moment of the worked example: a line for the middle of the table and for each seat, and a sentence beside."""

    game: str
    lang: str
    step: StepPicture
    before = 0.5

    def _lines(self) -> list[tuple[str, list[Zone]]]:
        """What lies in the middle and at each seat, under its name."""
        view = shown(self.game)[self.step.ply] if has_example(self.game) else None
        if view is None:
            return []
        words = game_words(self.game, self.lang, view.names)
        zones = [zone for zone, _lit in pictured(view, self.step)]
        middle = [
            ("" if zone.shape == "board" else words.words(zone.title), [zone]) for zone in zones if zone.seat is None
        ]
        seats = [(words.name(seat), [zone for zone in zones if zone.seat == seat]) for seat in range(view.players)]
        return middle + [each for each in seats if each[1]]

    def _words(self) -> Catalogue:
        return game_words(self.game, self.lang)

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        zones = sum(line_height(zones, size) for _title, zones in self._lines())
        sheets.letters(size * SMALL)
        return max(zones, sheets.height(self.step.caption, width * (1 - ZONES)))

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        sheets.letters(size * SMALL)
        sheets.set_xy(x + width * ZONES, y)
        sheets.passage(self.step.caption, width * (1 - ZONES))
        for title, zones in self._lines():
            line(sheets, title, zones, self._words(), (x, y, size, width * ZONES))
            y += line_height(zones, size)


def line(
    sheets: Sheets, title: str, zones: Sequence[Zone], words: Catalogue, at: tuple[float, float, float, float]
) -> None:
    """A line of a moment: whose it is, and the zones side by side; many cards are drawn smaller, to fit."""
    x, y, size, room = at
    em, cards = size * MM, sum(max(map(len, laid(zone))) for zone in zones if zone.shape != "count")
    taken = TITLE * em * bool(title) + sum(COUNT if zone.shape == "count" else 0.8 for zone in zones) * em
    card = min(TINY * em, (room - taken) / max(1, cards) / APART)
    sheets.letters(size * SMALL * 0.9, color=SOFT)
    sheets.set_xy(x, y)
    if title:
        sheets.cell(text=title)
    x += TITLE * em if title else 0
    for zone in zones:
        if zone.shape == "count":
            x = counted(sheets, zone, words, x, y)
            continue
        rows = [[Drawn(code, False) for code in row] for row in laid(zone)]
        for r, row in enumerate(rows):
            draw_row(sheets, row, x, y + r * card * BELOW, card, board=zone.shape == "board")
        x += max(map(len, rows)) * card * APART + 0.8 * em


def counted(sheets: Sheets, zone: Zone, words: Catalogue, x: float, y: float) -> float:
    """What is counted in a zone: its icon or its name, and the number; returns where it ends."""
    symbol, em = icon(zone.id), sheets.font_size_pt * MM
    sheets.set_text_color(0, 0, 0)
    if symbol:
        sheets.draw(symbol, x, y + 0.08 * em, em * 1.1)
        x += em * 1.4
    text = str(zone.count) if symbol else f"{words.words(zone.title)} {zone.count}"
    sheets.set_xy(x, y)
    sheets.cell(text=text)
    return x + sheets.get_string_width(text) + em


def laid(zone: Zone) -> list[list[str]]:
    """The codes of a zone's cards in rows, as they are drawn."""
    if zone.shape == "board":
        return cropped(zone)
    return [[*zone.cards, *[BACK] * min(zone.hidden, MOST_HIDDEN)]]


def line_height(zones: Sequence[Zone], size: float) -> float:
    """How high a line of a moment is."""
    card, text = TINY * size * MM, 1.3 * size * MM
    cards = [len(cropped(zone)) * card * BELOW if zone.shape == "board" else card * TALL * BELOW
             for zone in zones if zone.shape != "count"]  # fmt: skip
    return max([text, *cards])


def moments(game: str, lang: str, steps: Sequence[StepPicture]) -> Iterator[Moment]:
    """The moments of a game's example that can be shown."""
    there = shown(game) if has_example(game) else {}
    return (Moment(game, lang, step) for step in steps if step.ply in there)
