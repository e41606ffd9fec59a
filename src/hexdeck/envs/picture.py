"""A view of a table as a picture: drawn as SVG, then rasterised."""

from __future__ import annotations

import functools
import io
from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

import numpy as np

from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue, card_text, say, say_n
from hexdeck.engine.view import View, Zone, column_name
from hexdeck.envs import needed

WIDTH, HEIGHT = 960, 720  # of the picture, in pixels
CARD, TALL, GAP, OVERLAP = 34, 46, 4, 9  # a card's width and height, the space between cards, the shift of hidden ones
LINE, EDGE, BETWEEN = 20, 14, 40  # the height of a line of text, the margin, the space between columns
MOST_HIDDEN, MOST_MOVES, PER_ROW, LOG_LINES = 12, 8, 12, 4  # what is drawn at most
FONTS = "DejaVu Sans, Liberation Sans, Noto Sans, Arial, Helvetica, sans-serif"
FELT, PAPER, INK, RED, BACK, GOLD = "#1f5a45", "#fdfbf4", "#222222", "#b3202a", "#7a3b56", "#f0cf65"


def pixels(view: View) -> np.ndarray:
    """The picture, uint8 (720, 960, 3).

    Raises HexdeckError where this machine has no font, since cards would be blank.
    """
    if not has_font():
        raise HexdeckError(say("This machine has no font to draw cards with; installing DejaVu Sans helps."))
    return raster(drawing(view))


def raster(svg: str) -> np.ndarray:
    """An SVG rasterised: uint8 (height, width, 3)."""
    with needed():
        import resvg_py
        from PIL import Image

    png = resvg_py.svg_to_bytes(svg_string=svg, background=FELT)
    with Image.open(io.BytesIO(bytes(png))) as image:
        return np.asarray(image.convert("RGB"))


@functools.cache
def has_font() -> bool:
    """Whether this machine has a font: whether drawn text has any pixels."""
    frame = f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" font-family="{FONTS}">'
    return len(np.unique(raster(frame + written(5, 30, "8", 20, PAPER) + "</svg>"))) > 3


def drawing(view: View) -> str:
    """The picture as SVG: the middle of the table at the left, seats to the right of it, scaled to fit."""
    columns = min((arranged(view, seats) for seats in range(1, view.players + 1)), key=width)
    wide = width(columns)
    frame = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {wide:g} {wide * HEIGHT / WIDTH:g}"'
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {frame} font-family="{FONTS}">'
    return "".join([start, *(part for column in columns for part in column.body), "</svg>"])


def arranged(view: View, seats: int) -> list[PictureColumn]:
    """The table in columns: the middle, then `seats` seats in each."""
    catalogue = Catalogue("en", view.folders, view.names, suits=True)
    middle = PictureColumn(EDGE, catalogue)
    middle.zones([zone for zone in view.zones if zone.seat is None])
    middle.moves(view)
    middle.log(view)
    columns = [middle]
    for first in range(0, view.players, seats):
        columns.append(PictureColumn(columns[-1].right + BETWEEN, catalogue))
        for seat in range(first, min(first + seats, view.players)):
            columns[-1].seat(view, seat)
    return columns


def width(columns: Sequence[PictureColumn]) -> float:
    """The width of a picture that has room for all columns, in their units."""
    high = max(column.y for column in columns) + EDGE
    return max(columns[-1].right + EDGE, high * WIDTH / HEIGHT)


class PictureColumn:
    """A column of things drawn below each other: its SVG elements are in `body`, the next begins at `y`.

    `right`: the right edge of everything drawn so far.
    """

    def __init__(self, x: float, catalogue: Catalogue) -> None:
        self.x, self.y, self.right, self.words = x, float(EDGE), x + 200, catalogue
        self.body: list[str] = []

    def line(self, text: str, size: int = 13, fill: str = PAPER, indent: int = 0) -> None:
        """Draw a line of text."""
        self.y += LINE
        self.body.append(written(self.x + indent, self.y - 5, text, size, fill))
        self.right = max(self.right, self.x + indent + 0.6 * size * len(text))

    def seat(self, view: View, seat: int) -> None:
        """Draw a seat: its name, marked if it is to act, and its zones."""
        mark = "▸ " if seat in view.acting else ""
        self.line(mark + self.words.name(seat), 15, GOLD if seat == view.seat else PAPER)
        self.zones([zone for zone in view.zones if zone.seat == seat])
        self.y += 8

    def zones(self, zones: Sequence[Zone]) -> None:
        """Draw zones: those with cards one by one, then the titles of all that are only counted."""
        piles = [zone for zone in zones if not zone.cards and not zone.hidden]
        for zone in zones:
            if zone.shape == "board":
                self.board(zone)
            elif zone not in piles:
                self.line(self.title(zone))
                self.cards(zone)
        for part in wrap(" · ".join(self.title(zone) for zone in piles), 60):
            self.line(part)

    def title(self, zone: Zone) -> str:
        """A zone's title, with its count and its note."""
        count = zone.count if zone.count is not None else zone.hidden or (None if zone.cards else "–")
        note = f"({self.words.words(zone.note)})" if zone.note else ""
        title = self.words.words(zone.title)
        return " ".join(filter(None, [title if count is None else f"{title}: {count}", note]))

    def cards(self, zone: Zone) -> None:
        """Draw a zone's cards: those face up in rows, then some of those face down."""
        for k, code in enumerate(zone.cards):
            column = k % PER_ROW
            self.y += (TALL + GAP) * (k > 0 and column == 0)
            self.body += card(self.x + column * (CARD + GAP), self.y, card_text(code, suits=True))
            if zone.owners:
                middle = self.x + column * (CARD + GAP) + CARD / 2
                self.body.append(
                    written(middle, self.y + TALL + 11, self.words.name(zone.owners[k]), 9, PAPER, "middle")
                )
        after = (len(zone.cards) - 1) % PER_ROW + 1 if zone.cards else 0
        x = self.x + after * (CARD + GAP)
        for k in range(min(zone.hidden, MOST_HIDDEN)):
            self.body.append(rounded(x + k * OVERLAP, self.y, BACK))
        full = min(len(zone.cards), PER_ROW) * (CARD + GAP)
        self.right = max(self.right, x + min(zone.hidden, MOST_HIDDEN) * OVERLAP + CARD, self.x + full)
        self.y += TALL + GAP + (12 if zone.owners else 0)

    def board(self, zone: Zone) -> None:
        """Draw a board: a grid of cells with the names of columns above and rows at the left."""
        self.line(self.title(zone))
        x, step = self.x + 20, CARD + GAP
        middles = [x + column * step + CARD / 2 for column in range(zone.columns)]
        self.body += [written(at, self.y + 10, column_name(k), 11, PAPER, "middle") for k, at in enumerate(middles)]
        self.y += 14
        for row, cells in enumerate(zone.rows):
            self.body.append(written(self.x, self.y + 28, str(row + 1), 11, PAPER))
            for column, code in enumerate(cells):
                at = x + column * step
                self.body += card(at, self.y, card_text(code, suits=True)) if code else [rounded(at, self.y, "none")]
            self.y += TALL + GAP
        self.right = max(self.right, x + zone.columns * step)

    def moves(self, view: View) -> None:
        """Draw the prompt and some moves."""
        self.y += 8
        for part in wrap(self.words.words(view.prompt), 60):
            self.line(part, 14, GOLD)
        for move in view.moves[:MOST_MOVES]:
            self.line(self.words.words(move.label), indent=14)
        if len(view.moves) > MOST_MOVES:
            note = say_n("and one more", "and {n} more", len(view.moves) - MOST_MOVES)
            self.line(self.words.words(note), indent=14)

    def log(self, view: View) -> None:
        """Draw the last entries of the log."""
        self.y += 8
        for entry in view.log[-LOG_LINES:]:
            for part in wrap(self.words.words(entry), 60):
                self.line(part, 12)


def card(x: float, y: float, text: str) -> Iterator[str]:
    """The elements of a card face up."""
    yield rounded(x, y, PAPER)
    size = 15 if len(text) <= 3 else 9
    for k, part in enumerate(text.split() if len(text) > 3 else [text]):
        colour = RED if set(text) & set("♥♦") else INK
        yield written(x + CARD / 2, y + 29 + (k - (len(text.split()) - 1) / 2) * 13, part, size, colour, "middle")


def rounded(x: float, y: float, fill: str) -> str:
    """The outline of a card as an element."""
    shape = f'x="{x:g}" y="{y:g}" width="{CARD}" height="{TALL}" rx="5"'
    return f'<rect {shape} fill="{fill}" stroke="{PAPER}" stroke-width="1"/>'


def written(x: float, y: float, text: str, size: int, fill: str, anchor: str = "start") -> str:
    """A line of text as an element."""
    attributes = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"'
    return f"<text {attributes}>{escape(text)}</text>"
