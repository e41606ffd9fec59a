"""Games on paper: rules, cards, boards and score sheets as PDF. The extra `print` brings the library for it."""

from __future__ import annotations

import functools
import io
import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil, floor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from fpdf import FPDF
from fpdf.fonts import TTFFont

from hexdeck.engine import rulebook
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.rulebook import picture
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.engine.view import Zone, column_name
from hexdeck.web.html.games import CITED
from hexdeck.web.html.rendering import contents, icon, tile
from hexdeck.web.html.rendering import picture as art_of

TYPE = Path(__file__).with_name("type")
SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # in mm
MARGIN, INK, SOFT = 7.0, (0, 0, 0), (110, 110, 110)
CARD_BACK = "card-back"
LEADING, TIGHT, LOW = 1.22, 1.15, 9.0  # the height of a line, in letters; the same where a text is below so many points
MM = 25.4 / 72  # of a point
UNDATED = datetime(2000, 1, 1, tzinfo=UTC)


class Sheets(FPDF):
    """A document of A4 or Letter, in millimetres."""

    def __init__(self, size: str, title: str, lang: str) -> None:
        super().__init__(unit="mm", format=SIZES[size])
        self.set_auto_page_break(False)
        self.set_margin(MARGIN)
        self.leading = LEADING
        self.set_title(title)
        self.set_lang(lang)
        for family, style, file in (
            ("sans", "", "sans-400"),
            ("sans", "B", "sans-500"),
            ("sans", "I", "sans-400"),
            ("serif", "", "serif-600"),
        ):
            self.add_font(family, style, TYPE / f"{file}.ttf")

    def letters(self, points: float, family: str = "sans", color: tuple[int, int, int] = INK) -> None:
        """Write in that size from now on."""
        self.set_font(family, size=points)
        self.set_text_color(*color)

    def height(self, text: str, width: float, **others: object) -> float:
        """How high a text is in letters of now, in a column of that width."""
        return float(self.passage(text, width, dry_run=True, output="HEIGHT", **others))  # type: ignore[arg-type]

    def passage(self, text: str, width: float, align: str = "L", **others: object) -> object:
        """Write a text into a column, from where we are."""
        line = self.font_size_pt * MM * self.leading
        return self.multi_cell(width, line, text, align=align, padding=0, **{"markdown": True, **others})  # type: ignore[arg-type]

    def write_at(self, x: float, y: float, text: str, width: float) -> None:
        """Write a text into a column, from there down."""
        self.set_xy(x, y)
        self.passage(text, width)

    def draw(self, symbol: str, x: float, y: float, width: float) -> None:
        """Draw a symbol of the sprite."""
        self.image(io.BytesIO(drawing(symbol)), x, y, width)

    def bytes(self) -> bytes:
        """The document, the same bytes for the same contents."""
        self.set_creation_date(UNDATED)
        try:
            return bytes(self.output())
        finally:
            self.close()

    def close(self) -> None:
        """Close the files of the type, which are read as letters are needed; nothing can be written after that."""
        for font in self.fonts.values():
            if isinstance(font, TTFFont):
                font.ttfont.close()


def lacking(text: str) -> str:
    """The signs of a text for which the type has none, each once."""
    sheets = Sheets("a4", "", "en")
    font = sheets.fonts["sans"]
    known = font.cmap if isinstance(font, TTFFont) else {}
    sheets.close()
    return " ".join(sign for sign in dict.fromkeys(text) if ord(sign) not in known)


# --- symbols of the sprite --------------------------------------------------------------------------------------------
NAMESPACE = "http://www.w3.org/2000/svg"
SYMBOL_INK = "#20222e"


@functools.cache
def drawing(symbol: str) -> bytes:
    """A symbol with all that it uses, as an SVG. Raises KeyError if there is no such symbol."""
    element = elements()[symbol]
    _x, _y, width, height = element.attrib["viewBox"].split()
    root = ET.Element(tagged("svg"), {"viewBox": element.attrib["viewBox"], "width": width, "height": height})
    root.extend(
        spelled(child) for child in element if child.tag != tagged("svg")
    )  # a pattern in a window only costs ink
    return ET.tostring(root).replace(b"currentColor", SYMBOL_INK.encode())


@functools.cache
def elements() -> dict[str, ET.Element]:
    """The parts of the sprite by id."""
    ET.register_namespace("", NAMESPACE)
    root = ET.fromstring(contents("sprite.svg"))  # noqa: S314 - our own file and those of games, whose code runs too
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def spelled(element: ET.Element) -> ET.Element:
    """A copy of an element with what it uses in place of each `<use>`."""
    attributes = {name: value for name, value in element.attrib.items() if name not in ("href", "id")}
    if element.tag != tagged("use"):
        copy = ET.Element(element.tag, attributes)
        copy.extend(map(spelled, element))
        return copy
    group = ET.Element(tagged("g"), attributes)
    group.append(spelled(elements()[element.attrib["href"].removeprefix("#")]))
    return group


def tagged(name: str) -> str:
    """The name of a tag, as the parser gives it."""
    return f"{{{NAMESPACE}}}{name}"


COLUMNS, GUTTER = 2, 5.0
BOLD = 1.06  # how wide bold letters are, beside the usual
SMALL = 0.88  # small print, beside the text


class Block:
    """A part of a text. `before`: the room above it, in letters; `keeps`: whether it stays with what follows."""

    before = 0.35
    keeps = False

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Draw it at a place in a column, with letters of a size, or only measure it; returns how high it is."""
        raise NotImplementedError

    def halves(self, _sheets: Sheets, _size: float, _width: float, _room: float) -> tuple[Block, Block] | None:
        """What fits into the room that a column has left, and the rest; None if it stays together."""
        return None


def flow(sheets: Sheets, blocks: Sequence[Block], size: float, *, dry: bool = False) -> int:
    """Let blocks flow through pages, from the one we are on, and say how many it takes; `dry`: draw nothing."""
    width = (sheets.epw - GUTTER * (COLUMNS - 1)) / COLUMNS
    sheets.leading = LEADING if size >= LOW else TIGHT
    column, pages, y, em, group, coming = COLUMNS, 0, 0.0, size * MM, list[Block](), deque(blocks)
    while coming:
        group.append(coming.popleft())
        if group[-1].keeps and coming:
            continue
        gaps = [block.before * em for block in group]
        heights = [block.place(sheets, size, width) for block in group]
        room = sheets.h - sheets.b_margin - y - sum(gaps) - sum(heights)
        if column < COLUMNS and room < 0 and (halves := group[-1].halves(sheets, size, width, heights[-1] + room)):
            group[-1] = halves[0]
            heights[-1] = group[-1].place(sheets, size, width)
            coming.appendleft(halves[1])
        elif column == COLUMNS or room < 0:
            column, y, gaps[0] = column + 1, sheets.t_margin, 0.0
            if column >= COLUMNS:
                column, pages = 0, pages + 1
                if pages > 1 and not dry:
                    sheets.add_page()
        x = sheets.l_margin + column * (width + GUTTER)
        for block, gap, high in zip(group, gaps, heights, strict=True):
            if not dry:
                block.place(sheets, size, width, (x, y + gap))
            y += gap + high
        group = []
    return pages


@dataclass(frozen=True)
class Heading(Block):
    """A heading, of level 1 to 3."""

    text: str
    level: int
    keeps = True

    @property
    def before(self) -> float:  # type: ignore[override]
        """The room above it."""
        return (0, 0.8, 0.6)[self.level - 1]

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Its height; drawn at a place, if one is given."""
        sheets.letters(size * (2.1, 1.4, 1.2)[self.level - 1], "serif")
        if at:
            sheets.write_at(*at, self.text, width)
        return sheets.height(self.text, width)


@dataclass(frozen=True)
class Passage(Block):
    """A paragraph, or an item of a list after its mark."""

    text: str
    small: bool
    mark: str = ""

    @property
    def before(self) -> float:  # type: ignore[override]
        """The room above it: items of a list lie nearer to each other."""
        return 0.2 if self.mark else Block.before

    @property
    def keeps(self) -> bool:  # type: ignore[override]
        """Whether it announces what follows."""
        return self.text.endswith(":")

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Its height; drawn at a place, if one is given."""
        sheets.letters(size * (SMALL if self.small else 1))
        indent = 1.5 * size * MM if self.mark else 0
        if at and self.mark:
            sheets.write_at(*at, self.mark, indent)
        if at:
            sheets.write_at(at[0] + indent, at[1], self.text, width - indent)
        return sheets.height(self.text, width - indent)

    def halves(self, sheets: Sheets, size: float, width: float, room: float) -> tuple[Block, Block] | None:
        """Cut between lines, two of them on each side at least, and in no bold or slanted words."""
        parts = self.text.split(" ")
        cuts = [Passage(" ".join(parts[:k]), self.small, self.mark) for k in range(1, len(parts))]
        cuts = [cut for cut in cuts if cut.text.count("**") % 2 == cut.text.count("__") % 2 == 0]
        fitting = bisect_right(cuts, room, key=lambda cut: cut.place(sheets, size, width))
        if not fitting:
            return None
        head = cuts[fitting - 1]
        tail = Passage(self.text[len(head.text) + 1 :], self.small, self.mark and " ")
        line = sheets.height("", width)
        enough = min(head.place(sheets, size, width), tail.place(sheets, size, width)) > 1.5 * line
        return (head, tail) if enough else None


@dataclass(frozen=True)
class TableBlock(Block):
    """A table; the first row has the headings."""

    rows: list[list[str]]
    small: bool

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Its height; drawn at a place, if one is given."""
        sheets.letters(size * (SMALL if self.small else 1))
        wants = [
            max(sheets.get_string_width(head) * BOLD, *map(sheets.get_string_width, cells)) + 0.8 * size * MM
            for head, *cells in zip(*self.rows, strict=True)
        ]
        columns = shares(wants, width)
        heights = [max(sheets.height(cell, wide) for cell, wide in zip(row, columns, strict=True)) for row in self.rows]
        if at:
            left, y = at
            sheets.set_draw_color(*SOFT)
            sheets.set_line_width(0.1)
            for k, (row, high) in enumerate(zip(self.rows, heights, strict=True)):
                x = left
                for cell, wide in zip(row, columns, strict=True):
                    sheets.write_at(x, y, cell if k else f"**{cell}**", wide)
                    x += wide
                y += high
                sheets.line(left, y, left + width, y)
        return sum(heights)


def shares(wants: Sequence[float], width: float) -> list[float]:
    """How wide columns are: as wide as they want, while the wider ones share what the others leave."""
    out, room = [0.0] * len(wants), width
    for count, k in enumerate(sorted(range(len(wants)), key=wants.__getitem__)):
        out[k] = min(wants[k], room / (len(wants) - count))
        room -= out[k]
    return out


# --- pictures: cards in rows, and moments of the worked example -------------------------------------------------------
CARD, SQUARE, TINY = 3.0, 2.3, 1.7  # widths of cards, in letters: in a picture, on a board, in a moment
TALL, APART, BELOW = 1.4, 1.08, 1.06  # a card's height, and from one to the next, in its own size
BESIDE = 1 / 3  # a picture's words stand beside it if that much of the column is left
ZONES, MOST_HIDDEN = 0.56, 3  # the part of the column for a moment's zones; cards face down that are drawn of many
TITLE, COUNT = 5.2, 4.2  # the room for whose a line is, and for what is counted, in letters
GLOW = (176, 112, 0)


def draw_row(sheets: Sheets, row: Sequence[rulebook.Drawn], x: float, y: float, width: float, *, board: bool) -> None:
    """Cards side by side; those that matter have a frame."""
    for k, drawn in enumerate(row):
        at, high = x + k * width * APART, height_of(drawn.code, width, board=board)
        sheets.set_line_width(0.5 if drawn.marked else 0.1)
        sheets.set_draw_color(*(GLOW if drawn.marked else SOFT))
        if drawn.code != rulebook.EMPTY:
            art = tile(drawn.code) if board else art_of(drawn.code)
            sheets.draw(CARD_BACK if drawn.code == rulebook.BACK else art.symbol, at, y, width)
        if drawn.code == rulebook.EMPTY or drawn.marked:
            sheets.rect(at, y, width, high, style="D", round_corners=True, corner_radius=width * 0.1)


def height_of(code: str, width: float, *, board: bool) -> float:
    """How high a card is; on a board cards are square where there is such a picture."""
    return width if board and (code == rulebook.EMPTY or tile(code).symbol.startswith("tile-")) else width * TALL


@dataclass(frozen=True)
class PictureBlock(Block):
    """A picture of cards in rows, with its words beside it, or below if it is wide."""

    picture: rulebook.Picture
    small: bool

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Its height; drawn at a place, if one is given."""
        em, board = size * MM, self.picture.board
        card = (SQUARE if board else CARD) * em
        codes = [drawn.code for row in self.picture.rows for drawn in row]
        high = max(height_of(code, card, board=board) for code in codes) * BELOW
        rows, wide = len(self.picture.rows) * high, max(map(len, self.picture.rows)) * card * APART + 0.8 * em
        room, indent = (width - wide, wide) if width - wide > width * BESIDE else (width, 0.0)
        sheets.letters(size * SMALL)
        text = sheets.height(self.picture.alt, room)
        if at:
            x, y = at
            for r, row in enumerate(self.picture.rows):
                draw_row(sheets, row, x, y + r * high, card, board=board)
            below = max(0, (rows - text) / 2) if indent else rows
            sheets.write_at(x + indent, y + below, self.picture.alt, room)
        return max(rows, text) if indent else rows + text


@dataclass(frozen=True)
class ExampleMoment(Block):
    """A moment of the worked example: a line for the middle of the table and for each seat, and a sentence beside."""

    game: str
    lang: str
    step: rulebook.StepPicture
    before = 0.5

    def place(self, sheets: Sheets, size: float, width: float, at: tuple[float, float] | None = None) -> float:
        """Its height; drawn at a place, if one is given."""
        view = rulebook.example_views(self.game)[self.step.ply]
        catalogue = game_words(self.game, self.lang, view.names)
        zones = [zone for zone, _lit in rulebook.pictured(view, self.step)]
        middle = [zone for zone in zones if zone.seat is None]
        lines = [("" if zone.shape == "board" else catalogue.words(zone.title), [zone]) for zone in middle]
        seats = [(seat, [zone for zone in zones if zone.seat == seat]) for seat in range(view.players)]
        lines += [(catalogue.name(seat), own) for seat, own in seats if own]
        sheets.letters(size * SMALL)
        caption = sheets.height(self.step.caption, width * (1 - ZONES))
        if at:
            x, y = at
            sheets.write_at(x + width * ZONES, y, self.step.caption, width * (1 - ZONES))
            for title, laid_out in lines:
                line(sheets, title, laid_out, game_words(self.game, self.lang), (x, y, size, width * ZONES))
                y += line_height(laid_out, size)
        return max(sum(line_height(laid_out, size) for _title, laid_out in lines), caption)


def line(
    sheets: Sheets, title: str, zones: Sequence[Zone], catalogue: Catalogue, at: tuple[float, float, float, float]
) -> None:
    """A line of a moment: whose it is, and the zones side by side; many cards are drawn smaller, to fit."""
    x, y, size, room = at
    em, cards = size * MM, sum(max(map(len, laid(zone))) for zone in zones if zone.shape != "count")
    used = TITLE * em * bool(title) + sum(COUNT if zone.shape == "count" else 0.8 for zone in zones) * em
    card = min(TINY * em, (room - used) / max(1, cards) / APART)
    sheets.letters(size * SMALL * 0.9, color=SOFT)
    sheets.set_xy(x, y)
    if title:
        sheets.cell(text=title)
    x += TITLE * em if title else 0
    for zone in zones:
        if zone.shape == "count":  # its icon or its name, and the number
            symbol, letter = icon(zone.id), sheets.font_size_pt * MM
            sheets.set_text_color(0, 0, 0)
            if symbol:
                sheets.draw(symbol, x, y + 0.08 * letter, letter * 1.1)
                x += letter * 1.4
            text = str(zone.count) if symbol else f"{catalogue.words(zone.title)} {zone.count}"
            sheets.set_xy(x, y)
            sheets.cell(text=text)
            x += sheets.get_string_width(text) + letter
            continue
        rows = [[rulebook.Drawn(code, False) for code in row] for row in laid(zone)]
        for r, row in enumerate(rows):
            draw_row(sheets, row, x, y + r * card * BELOW, card, board=zone.shape == "board")
        x += max(map(len, rows)) * card * APART + 0.8 * em


def laid(zone: Zone) -> list[list[str]]:
    """The codes of a zone's cards in rows, as they are drawn."""
    if zone.shape == "board":
        return rulebook.cropped(zone)
    return [[*zone.cards, *[rulebook.BACK] * min(zone.hidden, MOST_HIDDEN)]]


def line_height(zones: Sequence[Zone], size: float) -> float:
    """How high a line of a moment is."""
    card, text = TINY * size * MM, 1.3 * size * MM
    cards = [
        len(rulebook.cropped(zone)) * card * BELOW if zone.shape == "board" else card * TALL * BELOW
        for zone in zones
        if zone.shape != "count"
    ]
    return max([text, *cards])


# --- the text ---------------------------------------------------------------------------------------------------------
LARGEST, SMALLEST, STEP_DOWN = 10.4, 6.0, 0.1  # sizes of letters, in points
SIDES = 2


def add_rules(sheets: Sheets, name: str, lang: str, game: GameSetup | None = None) -> float:
    """The rules on two pages, of a variant with what differs marked; the size of the letters, in points."""
    blocks = list(blocks_of(name, lang, game))
    sheets.add_page()
    steps = range(round((LARGEST - SMALLEST) / STEP_DOWN))
    down = bisect_left(steps, True, key=lambda k: flow(sheets, blocks, LARGEST - k * STEP_DOWN, dry=True) <= SIDES)
    size = LARGEST - down * STEP_DOWN
    flow(sheets, blocks, size)
    sheets.leading = LEADING
    return size


def blocks_of(name: str, lang: str, game: GameSetup | None = None) -> Iterator[Block]:
    """The parts of the text, in order.

    What the text says of typing and of rule ids is left out: paper has neither.
    """
    from markdown_it import MarkdownIt

    text = rulebook.rules_with_tables(name, lang, game.options if game else {})
    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(text)
    small, at = False, 0
    while at < len(tokens) - 3:  # the last paragraph explains the ids
        token = tokens[at]
        if token.type == "heading_open":
            small = token.tag == "h3"
            yield Heading(plain(tokens[at + 1].children or ()), int(token.tag[1]))
        elif token.type == "table_open":
            yield TableBlock(rows(tokens[at:]), small)
        elif token.type == "paragraph_open":
            yield from paragraph(name, lang, tokens, at, small)
        at += 1


def paragraph(name: str, lang: str, tokens: Sequence[Any], at: int, small: bool) -> Iterator[Block]:
    """A paragraph, an item of a list, or pictures."""
    children, item = tokens[at + 1].children, tokens[at - 1]
    images = [child for child in children if child.type == "image"]
    steps = [match for child in images if (match := rulebook.STEP.fullmatch(f"![]({child.attrGet('src')})"))]
    if steps:
        pairs = zip(images, steps, strict=True)
        views = rulebook.example_views(name) if rulebook.has_example(name) else {}
        pictures = [rulebook.step_picture(image.content, step[2], step[3]) for image, step in pairs]
        yield from (ExampleMoment(name, lang, step) for step in pictures if step.ply in views)
    elif images:
        for image in images:
            kind, _colon, codes = str(image.attrGet("src")).partition(":")
            yield PictureBlock(picture(image.content, kind, codes), small)
    elif item.type == "list_item_open":
        yield Passage(plain(children), small, f"{item.info}." if item.info else "•")
    else:
        yield Passage(plain(children), small)


def plain(children: Sequence[Any]) -> str:
    """The text of a paragraph, bold and slanted as the PDF's library writes it, without rule ids."""
    signs = {"strong_open": "**", "strong_close": "**", "em_open": "__", "em_close": "__", "softbreak": " "}
    return CITED.sub("", "".join(signs.get(child.type, child.content) for child in children)).strip()


def rows(tokens: Sequence[Any]) -> list[list[str]]:
    """The cells of the table that begins the tokens."""
    out: list[list[str]] = []
    for k, token in enumerate(tokens):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            out.append([])
        elif token.type in ("th_open", "td_open"):
            out[-1].append(re.sub(r"[*`]", "", tokens[k + 1].content))
    return out


PARTS = "rules", "cards", "board", "scores"
ON_BOARD = 0.44  # the size of cards that lie on a board, beside the usual: its squares are as high as they are
BOARD_SQUARE = 40.0  # in mm


def has_parts(name: str) -> set[str]:
    """The parts of a game that can be printed."""
    paper = rulebook.printed(definition(name))
    parts = {"cards": paper.cards, "board": paper.board, "scores": paper.scores}
    return {part for part in PARTS if parts.get(part, True)}


def document(
    name: str, lang: str, size: str, parts: tuple[str, ...] = PARTS, variant: GameSetup | None = None
) -> bytes:
    """Those parts of a game, or of a variant of it, as a PDF, in a language, on `a4` or `letter`.

    Parts that it lacks are left out.
    """
    game, catalogue = definition(name), game_words(name, lang)
    title, players = catalogue.words(game.table.ABOUT.title), game.rules.PLAYERS[1]
    sheets = Sheets(size, title, lang)
    paper = rulebook.printed(game, variant.options if variant else {})
    if "rules" in parts:
        add_rules(sheets, name, lang, variant)
    if paper.cards and "cards" in parts:
        add_cards(sheets, paper.cards, catalogue, ON_BOARD if paper.board else 1.0)
    if paper.board and "board" in parts:
        add_board(sheets, paper.board, BOARD_SQUARE, catalogue)
    if paper.scores and "scores" in parts:
        add_scores(sheets, title, paper.scores, players, catalogue)
    return sheets.bytes()


# --- cards to be cut out; their backs are on the next page, for printing on both sides --------------------------------
WIDTH, HEIGHT = 63.0, 88.0  # in mm, as most sleeves for cards are made for
INSET = 2.6  # around words
EDGE = 6.0  # of the paper, where printers don't print
CUT, BEYOND = 0.1, 5.0  # the width of a line to cut along, and how far it reaches beyond the cards


def add_cards(sheets: Sheets, cards: Sequence[rulebook.PrintedCard], catalogue: Catalogue, size: float = 1.0) -> None:
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
            sheets.draw(CARD_BACK, x, y, WIDTH * size)


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
    high = sheets.height(text, width, markdown=False)  # a name is what somebody typed
    top = y + HEIGHT - INSET - high - 2.4
    sheets.set_fill_color(255, 255, 255)
    sheets.rect(x + INSET, top, WIDTH - 2 * INSET, high + 2.4, style="F", round_corners=True, corner_radius=2)
    sheets.set_xy(x + INSET + 2, top + 1.2)
    sheets.passage(text, width, align="C", markdown=False)


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
CUT_OUT = _("Board, part {part} of {parts}: cut along the frame, and tape the parts together.")


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
        text = say(CUT_OUT, part=number, parts=len(parts))
        sheets.cell(text=catalogue.words(text))
        for r in range(row, min(rows, row + high)):
            for c in range(column, min(columns, column + wide)):
                x, y = sheets.l_margin + (c - column) * square, sheets.t_margin + BOARD_HEAD + (r - row) * square
                sheets.set_draw_color(*SOFT)
                sheets.set_line_width(0.2)
                sheets.rect(x, y, square, square)
                sheets.letters(8, color=SOFT)
                sheets.set_xy(x + 0.6, y + 0.6)
                sheets.cell(text=f"{column_name(c)}{r + 1}")


# --- score sheets -----------------------------------------------------------------------------------------------------
LINE, LABEL, GAP = 6.6, 30.0, 12.0  # in mm: the height of a line, the width of its label, between two tables
NAME = say("Name")
TOTAL = say("Total")


def add_scores(sheets: Sheets, title: str, sheet: rulebook.PaperScores, players: int, catalogue: Catalogue) -> None:
    """A page of score sheets: one below the other, as many as fit."""
    labels = [catalogue.words(NAME), *lines(sheet, catalogue), catalogue.words(TOTAL)]
    high = (len(labels) + 1.4) * LINE
    sheets.add_page()
    top = sheets.t_margin
    while top + high <= sheets.h - sheets.b_margin + 0.1:
        score_table(sheets, title, labels, players, top)
        top += high + GAP


def lines(sheet: rulebook.PaperScores, catalogue: Catalogue) -> list[str]:
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
