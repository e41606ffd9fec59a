"""The rules of a game on two sides of paper: its text in two columns, as large as it fits, with pictures."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.discovery.rulebook import (
    BACK,
    EMPTY,
    STEP,
    Drawn,
    Picture,
    StepPicture,
    picture,
    rules_with_tables,
    step_picture,
)
from hexdeck.engine.play.replay import cropped, example_views, has_example, pictured
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Zone
from hexdeck.web.html.cards import icon, tile
from hexdeck.web.html.cards import picture as art_of
from hexdeck.web.html.rulebook import CITED
from hexdeck.web.paper.sheets import MM, SOFT, Sheets

COLUMNS, GUTTER = 2, 7.0
BOLD = 1.06  # how wide bold letters are, beside the usual
SMALL = 0.88  # small print, beside the text


class Block:
    """A part of a text. `before`: the room above it, in letters; `keeps`: whether it stays with what follows."""

    before = 0.35
    keeps = False

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is in a column, with letters of a size."""
        raise NotImplementedError

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        raise NotImplementedError


def flow(sheets: Sheets, blocks: Sequence[Block], size: float, *, dry: bool = False) -> int:
    """Let blocks flow through pages, from the one we are on, and say how many it takes; `dry`: draw nothing."""
    width = (sheets.epw - GUTTER * (COLUMNS - 1)) / COLUMNS
    column, pages, y, em = COLUMNS, 0, 0.0, size * MM
    for group in groups(blocks):
        heights = [block.height(sheets, size, width) + block.before * em for block in group]
        if column == COLUMNS or y + sum(heights) > sheets.h - sheets.b_margin:
            column, y = column + 1, sheets.t_margin
            heights[0] -= group[0].before * em
            if column >= COLUMNS:
                column, pages = 0, pages + 1
                if pages > 1 and not dry:
                    sheets.add_page()
        x = sheets.l_margin + column * (width + GUTTER)
        for block, high in zip(group, heights, strict=True):
            y += high
            if not dry:
                block.draw(sheets, size, x, y - block.height(sheets, size, width), width)
    return pages


def groups(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    """The blocks, each with those before it that stay with it."""
    group: list[Block] = []
    for block in blocks:
        group.append(block)
        if not block.keeps:
            yield group
            group = []
    if group:
        yield group


@dataclass(frozen=True)
class Heading(Block):
    """A heading, of level 1 to 3."""

    text: str
    level: int
    keeps = True

    @property
    def before(self) -> float:  # type: ignore[override]
        """The room above it."""
        return (0, 1.0, 0.8)[self.level - 1]

    def _letters(self, sheets: Sheets, size: float) -> None:
        sheets.letters(size * (2.1, 1.4, 1.2)[self.level - 1], "serif")

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        self._letters(sheets, size)
        return sheets.height(self.text, width)

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        self._letters(sheets, size)
        sheets.set_xy(x, y)
        sheets.passage(self.text, width)


@dataclass(frozen=True)
class Passage(Block):
    """A paragraph, or an item of a list after its mark."""

    text: str
    small: bool
    mark: str = ""

    @property
    def keeps(self) -> bool:  # type: ignore[override]
        """Whether it announces what follows."""
        return self.text.endswith(":")

    def _room(self, sheets: Sheets, size: float, width: float) -> tuple[float, float]:
        sheets.letters(size * (SMALL if self.small else 1))
        indent = 1.5 * size * MM if self.mark else 0
        return indent, width - indent

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        _indent, room = self._room(sheets, size, width)
        return sheets.height(self.text, room)

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        indent, room = self._room(sheets, size, width)
        if self.mark:
            sheets.set_xy(x, y)
            sheets.passage(self.mark, indent)
        sheets.set_xy(x + indent, y)
        sheets.passage(self.text, room)


@dataclass(frozen=True)
class TableBlock(Block):
    """A table; the first row has the headings."""

    rows: list[list[str]]
    small: bool

    def _columns(self, sheets: Sheets, size: float, width: float) -> list[float]:
        sheets.letters(size * (SMALL if self.small else 1))
        gap = 0.8 * size * MM
        wants = [
            max(sheets.get_string_width(head) * BOLD, *map(sheets.get_string_width, cells)) + gap
            for head, *cells in zip(*self.rows, strict=True)
        ]
        return shares(wants, width)

    def _heights(self, sheets: Sheets, columns: Sequence[float]) -> list[float]:
        return [max(sheets.height(cell, wide) for cell, wide in zip(row, columns, strict=True)) for row in self.rows]

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        return sum(self._heights(sheets, self._columns(sheets, size, width)))

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        columns = self._columns(sheets, size, width)
        sheets.set_draw_color(*SOFT)
        sheets.set_line_width(0.1)
        for k, (row, high) in enumerate(zip(self.rows, self._heights(sheets, columns), strict=True)):
            at = x
            for cell, wide in zip(row, columns, strict=True):
                sheets.set_xy(at, y)
                sheets.passage(cell if k else f"**{cell}**", wide)
                at += wide
            y += high
            sheets.line(x, y, x + width, y)


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


def draw_row(sheets: Sheets, row: Sequence[Drawn], x: float, y: float, width: float, *, board: bool) -> None:
    """Cards side by side; those that matter have a frame."""
    for k, drawn in enumerate(row):
        at, high = x + k * width * APART, height_of(drawn.code, width, board=board)
        sheets.set_line_width(0.5 if drawn.marked else 0.1)
        sheets.set_draw_color(*(GLOW if drawn.marked else SOFT))
        if drawn.code != EMPTY:
            art = "card-back" if drawn.code == BACK else (tile(drawn.code) if board else art_of(drawn.code)).symbol
            sheets.draw(art, at, y, width)
        if drawn.code == EMPTY or drawn.marked:
            sheets.rect(at, y, width, high, style="D", round_corners=True, corner_radius=width * 0.1)


def height_of(code: str, width: float, *, board: bool) -> float:
    """How high a card is; on a board cards are square where there is such a picture."""
    return width if board and (code == EMPTY or tile(code).symbol.startswith("tile-")) else width * TALL


@dataclass(frozen=True)
class PictureBlock(Block):
    """A picture of cards in rows, with its words beside it, or below if it is wide."""

    picture: Picture
    small: bool

    def _sizes(self, size: float) -> tuple[float, float]:
        """The width of a card, and the height of a row."""
        board = self.picture.board
        width = (SQUARE if board else CARD) * size * MM
        cards = [card.code for row in self.picture.rows for card in row]
        return width, max(height_of(code, width, board=board) for code in cards) * BELOW

    def _words(self, sheets: Sheets, size: float, width: float) -> tuple[float, float]:
        """The room for the words, and where it begins."""
        wide = max(len(row) for row in self.picture.rows) * self._sizes(size)[0] * APART + 0.8 * size * MM
        sheets.letters(size * SMALL)
        return (width - wide, wide) if width - wide > width * BESIDE else (width, 0.0)

    def height(self, sheets: Sheets, size: float, width: float) -> float:
        """How high it is."""
        rows = len(self.picture.rows) * self._sizes(size)[1]
        room, indent = self._words(sheets, size, width)
        text = sheets.height(self.picture.alt, room)
        return max(rows, text) if indent else rows + text

    def draw(self, sheets: Sheets, size: float, x: float, y: float, width: float) -> None:
        """Draw it."""
        card, high = self._sizes(size)
        for r, row in enumerate(self.picture.rows):
            draw_row(sheets, row, x, y + r * high, card, board=self.picture.board)
        room, indent = self._words(sheets, size, width)
        text, rows = sheets.height(self.picture.alt, room), len(self.picture.rows) * high
        sheets.set_xy(x + indent, y + max(0, (rows - text) / 2) if indent else y + rows)
        sheets.passage(self.picture.alt, room)


@dataclass(frozen=True)
class ExampleMoment(Block):
    """A moment of the worked example: a line for the middle of the table and for each seat, and a sentence beside."""

    game: str
    lang: str
    step: StepPicture
    before = 0.5

    def _lines(self) -> list[tuple[str, list[Zone]]]:
        """What lies in the middle and at each seat, under its name."""
        view = example_views(self.game)[self.step.ply] if has_example(self.game) else None
        if view is None:
            return []
        catalogue = game_words(self.game, self.lang, view.names)
        zones = [zone for zone, _lit in pictured(view, self.step)]
        middle = [
            ("" if zone.shape == "board" else catalogue.words(zone.title), [zone])
            for zone in zones
            if zone.seat is None
        ]
        seats = [(catalogue.name(seat), [zone for zone in zones if zone.seat == seat]) for seat in range(view.players)]
        return middle + [line for line in seats if line[1]]

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
        if zone.shape == "count":
            x = draw_count(sheets, zone, catalogue, x, y)
            continue
        rows = [[Drawn(code, False) for code in row] for row in laid(zone)]
        for r, row in enumerate(rows):
            draw_row(sheets, row, x, y + r * card * BELOW, card, board=zone.shape == "board")
        x += max(map(len, rows)) * card * APART + 0.8 * em


def draw_count(sheets: Sheets, zone: Zone, catalogue: Catalogue, x: float, y: float) -> float:
    """What is counted in a zone: its icon or its name, and the number; returns where it ends."""
    symbol, em = icon(zone.id), sheets.font_size_pt * MM
    sheets.set_text_color(0, 0, 0)
    if symbol:
        sheets.draw(symbol, x, y + 0.08 * em, em * 1.1)
        x += em * 1.4
    text = str(zone.count) if symbol else f"{catalogue.words(zone.title)} {zone.count}"
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
    cards = [
        len(cropped(zone)) * card * BELOW if zone.shape == "board" else card * TALL * BELOW
        for zone in zones
        if zone.shape != "count"
    ]
    return max([text, *cards])


def moments(game: str, lang: str, steps: Sequence[StepPicture]) -> Iterator[ExampleMoment]:
    """The moments of a game's example that can be shown."""
    views = example_views(game) if has_example(game) else {}
    return (ExampleMoment(game, lang, step) for step in steps if step.ply in views)


# --- the text ---------------------------------------------------------------------------------------------------------
LARGEST, SMALLEST, STEP_DOWN = 10.4, 6.0, 0.2  # sizes of letters, in points
SIDES = 2


def add_rules(sheets: Sheets, name: str, lang: str) -> float:
    """The rules on two pages; the size of the letters, in points."""
    blocks = list(blocks_of(name, lang))
    sheets.add_page()
    steps = range(round((LARGEST - SMALLEST) / STEP_DOWN))
    down = bisect_left(steps, True, key=lambda k: flow(sheets, blocks, LARGEST - k * STEP_DOWN, dry=True) <= SIDES)
    size = LARGEST - down * STEP_DOWN
    flow(sheets, blocks, size)
    return size


def blocks_of(name: str, lang: str) -> Iterator[Block]:
    """The parts of the text, in order. What it says of typing and of rule ids is left out: paper has neither."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark", {"html": False}).enable("table").parse(rules_with_tables(name, lang))
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
    steps = [match for child in images if (match := STEP.fullmatch(f"![]({child.attrGet('src')})"))]
    if steps:
        pairs = zip(images, steps, strict=True)
        yield from moments(name, lang, [step_picture(image.content, step[2], step[3]) for image, step in pairs])
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
