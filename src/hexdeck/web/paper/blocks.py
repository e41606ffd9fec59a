"""What a text on paper consists of: headings, passages and tables (and pictures) that flow through two columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
class Table(Block):
    """A table; the first row has the headings."""

    rows: list[list[str]]
    small: bool

    def _columns(self, sheets: Sheets, size: float, width: float) -> list[float]:
        sheets.letters(size * (SMALL if self.small else 1))
        gap = 0.8 * size * MM
        wants = [max(sheets.get_string_width(head) * BOLD, *map(sheets.get_string_width, cells)) + gap
                 for head, *cells in zip(*self.rows, strict=True)]  # fmt: skip
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
            left = x
            for cell, wide in zip(row, columns, strict=True):
                sheets.set_xy(left, y)
                sheets.passage(cell if k else f"**{cell}**", wide)
                left += wide
            y += high
            sheets.line(x, y, x + width, y)


def shares(wants: Sequence[float], width: float) -> list[float]:
    """How wide columns are: as wide as they want, while the wider ones share what the others leave."""
    out, left = [0.0] * len(wants), width
    for count, k in enumerate(sorted(range(len(wants)), key=wants.__getitem__)):
        out[k] = min(wants[k], left / (len(wants) - count))
        left -= out[k]
    return out
