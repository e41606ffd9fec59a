"""Draws boards: cells in rows and columns, what may be put on them and what that scores, and the seats beside them."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from rich.text import Text as Line

from hexdeck.engine.text import card_text, say
from hexdeck.engine.view import Move, View, Zone, cell_name, column_name
from hexdeck.terminal.zones import ZoneDrawing

LEGAL = "bold yellow"
SCORING = "bold black on yellow"
USUAL_WIDTH = 3  # columns of a cell where there is room, so that boards keep their width
GUTTER = 2  # columns between a board and what is beside it


def with_boards(screen: ZoneDrawing, view: View, gap: Sequence[Line]) -> list[Line]:
    """The boards, with the other seats and the middle beside them where that saves lines, else above them.

    Where it is crowded, backs of cards give way first, then the points in cells that hold a card.
    """
    layouts = []
    for brief, tight, spaces in itertools.product((False, True), (False, True), (gap, ())):
        grid = boards(screen, view, brief)
        column = max(line.cell_len for line in grid) + GUTTER
        side = replace(screen, width=screen.width - column, tight=tight)
        seats = seats_and_middle(side, view, spaces) if side.width > 0 else []
        if seats and all(line.cell_len <= side.width for line in seats):
            layouts.append(beside(grid, seats, column))
            if len(layouts[-1]) == len(grid):
                return layouts[-1]
    return min([*layouts, [*seats_and_middle(screen, view, ()), *gap, *boards(screen, view, False)]], key=len)


def seats_and_middle(screen: ZoneDrawing, view: View, gap: Sequence[Line]) -> list[Line]:
    """The other seats and the middle."""
    middle = [line for line in screen.middle(view) if line.plain.strip()]
    return [*screen.others(view), *(gap if middle else ()), *middle]


def beside(left: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Lines beside others, starting in a column."""
    pairs = itertools.zip_longest(left, right, fillvalue=Line())
    lines = [Line.assemble(one, " " * (column - one.cell_len), other) for one, other in pairs]
    for line in lines:
        line.rstrip()
    return lines


def boards(screen: ZoneDrawing, view: View, brief: bool) -> list[Line]:
    """All boards, one below the other, with titles where there are several."""
    zones = [zone for zone in view.zones if zone.shape == "board"]
    lines = []
    for zone in zones:
        if len(zones) > 1:
            lines.append(Line(screen.say(zone.title), "bold"))
        lines += board(screen, zone, [move for move in view.moves if move.zone == zone.id], brief)
        if zone.note is not None:
            lines.append(Line(screen.say(zone.note), "italic"))
    return lines


def board(screen: ZoneDrawing, zone: Zone, moves: Sequence[Move], brief: bool = False) -> list[Line]:
    """A board with its columns and rows named; where the seat can put something, a dot or the points."""
    here = {move.cell: move for move in moves}
    cells = [cell(screen, code, here.get(cell_name(k, zone.columns)), brief) for k, code in enumerate(zone.cards)]
    rows = [cells[k : k + zone.columns] for k in range(0, len(cells), zone.columns)]
    edge = max(2, len(str(len(rows)))) + 1
    wide = max([len(column_name(zone.columns - 1)), *(cell.cell_len for cell in cells)])
    if edge + zone.columns * (USUAL_WIDTH + 1) <= screen.width:
        wide = max(wide, USUAL_WIDTH + screen.roomy)
    names = [Line(column_name(column), "dim") for column in range(zone.columns)]
    lines = [
        Line.assemble((label.rjust(edge - 1), "dim"), *(padded(part, wide) for part in parts))
        for label, parts in [("", names), *((str(row), parts) for row, parts in enumerate(rows, 1))]
    ]
    return [part for line in lines for part in (line, Line())] if screen.roomy else lines


def padded(part: Line, wide: int) -> Line:
    """The contents of a cell, after a space and padded to a width."""
    return Line.assemble(" ", part, " " * (wide - part.cell_len))


def cell(screen: ZoneDrawing, code: str, move: Move | None, brief: bool) -> Line:
    """The contents of a cell: its card, and its points or a dot where the seat can put something."""
    out = Line.assemble((card_text(code, screen.fancy), screen.card_style(code))) if code else Line()
    if move is None:
        return out
    if move.points:
        out.append(f"{move.points:+d}"[: 1 if brief and code else None], SCORING if screen.colour else "")
    else:
        out.append("·" if screen.fancy else ".", LEGAL)
    return screen.marked(out, move)


def scores(screen: ZoneDrawing, moves: Sequence[Move], lines: int = 2) -> list[Line]:
    """The best cells with their points, in so many lines at most, and how to type a cell."""
    cells = [move for move in moves if move.cell]
    if not cells:
        return []
    best = sorted((move for move in cells if move.points), key=lambda move: -(move.points or 0))
    hint = screen.say(say("Type a cell, such as {cell}.", cell=(best or cells)[0].cell))
    return [*ranking(screen, best, lines), *(Line(line, "dim") for line in textwrap.wrap(hint, screen.width))]


def ranking(screen: ZoneDrawing, best: Sequence[Move], most: int) -> list[Line]:
    """Cells with their points, the best first, as many as fit into so many lines."""
    dot, dots = (" · ", " …") if screen.fancy else (", ", " ...")
    for count in range(len(best), 0, -1):
        parts = [f"{move.cell}\N{NO-BREAK SPACE}{move.points}" for move in best[:count]]
        text = screen.say(say("Scores: {cells}", cells=dot.join(parts))) + dots * (count < len(best))
        lines = textwrap.wrap(text, screen.width)
        if len(lines) <= most:
            return [Line(line.replace("\N{NO-BREAK SPACE}", " ")) for line in lines]
    return []
