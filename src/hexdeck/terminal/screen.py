"""Draws a view for a terminal in lines: 80 × 24 where it can, readable without colour too."""

from __future__ import annotations

import functools
import itertools
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text as Line

from hexdeck.engine.text import STANDARD_CARD, Catalogue, Text, card_text, say
from hexdeck.engine.view import Aside, Move, View, Zone, cell_name, column_name
from hexdeck.terminal.typed_moves import with_keys

CARD = "bold black on white"
RED = "bold red"
RED_CARD = f"{RED} on white"
BACK = "dim"
LEGAL = "bold yellow"
SCORING = "bold black on yellow"
USUAL_WIDTH = 3  # columns of a cell where there is room, so that boards keep their width
ENTRY = 5  # columns before the words of a move in the list
GUTTER = 2  # columns between a board and what is beside it
NEWS = 4  # lines of news that are worth more than empty lines and drawn cards


@dataclass(frozen=True)
class Screen:
    """Draws the whole table: the other seats, the middle, the viewer's own zones, what happened, and the moves.

    It has a catalogue, the size of the screen, and whether that shows colours and characters beyond ASCII. `tight`:
    cards face down take as little room as they can, and what doesn't fit beside a name goes under it. `roomy`: rows of
    boards are spaced out. `asides`: what the viewer may say beside the moves, and whether it was said.
    """

    words: Catalogue
    title: str
    width: int = 80
    height: int = 24
    colour: bool = True
    fancy: bool = True
    tight: bool = False
    roomy: bool = False
    asides: Sequence[tuple[Aside, bool]] = ()

    @classmethod
    def of(cls, console: Console, catalogue: Catalogue, title: Text) -> Screen:
        """A screen for a console as it is now."""
        fancy = is_fancy(console)
        colour = console.color_system is not None and not console.no_color
        return cls(catalogue, catalogue.words(title), min(console.width, 100), console.height, colour, fancy)

    def say(self, key: Text) -> str:
        """A sentence in this language."""
        return self.speech.words(key)

    @functools.cached_property
    def speech(self) -> Catalogue:
        """The catalogue, with symbols of suits where they can be shown."""
        return replace(self.words, suits=self.fancy)

    def marked(self, line: Line, _move: Move) -> Line:
        """What stands for a move; a subclass may let people point at it."""
        return line

    # --- seats and the middle -----------------------------------------------------------------------------------------
    def others(self, view: View) -> list[Line]:
        """The other seats, from the left neighbour on, a line each where they fit."""
        first = view.seat + 1 if view.seat >= 0 else 0
        seats = [(first + k) % view.players for k in range(view.players)]
        zones = {seat: self.placed(view, seat) for seat in seats if seat != view.seat}
        return [line for seat, owned in zones.items() for line in self.seat_lines(view, seat, owned)]

    def placed(self, view: View, seat: int | None) -> list[Zone]:
        """The zones of a seat, or of the middle (None), but boards, rows of no card and how it would end now."""
        zones = [zone for zone in view.zones if zone.seat == seat and zone.shape != "board"]
        there = [zone for zone in zones if seat is not None or zone.shape != "row" or zone.cards or zone.count != 0]
        return [zone for zone in there if zone.shape != "row" or zone.part != "so far"]

    def seat_lines(self, view: View, seat: int, zones: Sequence[Zone]) -> list[Line]:
        """A seat: a mark if it is to act, its name, its zones; on more lines if they don't fit."""
        wide = max(len(self.words.name(seat)) for seat in range(view.players)) + 1
        mark = ("▸ " if self.fancy else "> ") if seat in view.acting else "  "
        head = Line.assemble((mark, "bold yellow"), (self.words.name(seat).ljust(wide), "bold"))
        return self.flow(head, zones, 4 if self.tight else 2 + wide)

    def middle(self, view: View) -> list[Line]:
        """The zones in the middle."""
        return self.flow(Line("  "), self.placed(view, None), 2)

    # --- zones --------------------------------------------------------------------------------------------------------
    def flow(self, head: Line, zones: Sequence[Zone], indent: int) -> list[Line]:
        """Zones after a head, three spaces apart, broken into lines where they must be."""
        lines, filled = [head], [False]
        for pieces in [self.parts(zone, self.width - indent) for zone in zones]:
            for gap, part in pieces:
                room = [self.width - line.cell_len - gap * used for line, used in zip(lines, filled, strict=True)]
                first = 0 if self.tight and len(pieces) == 1 else len(lines) - 1  # the first line that may hold it
                at = next((k for k in range(first, len(lines)) if part.cell_len <= room[k]), len(lines))
                if at == len(lines) and filled[-1]:
                    lines.append(Line(" " * indent))
                    filled.append(False)
                at = min(at, len(lines) - 1)
                lines[at] = Line.assemble(lines[at], " " * gap * filled[at], part)
                filled[at] = True
        return lines

    def parts(self, zone: Zone, room: int) -> list[tuple[int, Line]]:
        """A zone whole where it fits into a line, else in pieces; each with the spaces before it."""
        pieces = self.pieces(zone)
        trick = Line().join(Line.assemble(" " * gap, piece) for gap, piece in pieces)[pieces[0][0] :]
        for shape in (trick,) if zone.owners else (self.zone(zone), self.zone(zone, grouped=True)):
            if shape.cell_len <= room:
                return [(3, shape)]
        return pieces

    def pieces(self, zone: Zone) -> list[tuple[int, Line]]:
        """A zone in pieces: title and first card, the other cards (in a trick, after their players), the rest."""
        if zone.owners:
            cards = [
                Line.assemble(f"{self.words.name(seat)} ", (self.speech.card(code), self.card_style(code)))
                for seat, code in zip(zone.owners, zone.cards, strict=True)
            ]
        elif zone.shape == "pile":
            cards = list(self.pile(zone).split(" "))
        else:
            cards = [self.cards([code] * zone.cards.count(code), grouped=True) for code in dict.fromkeys(zone.cards)]
        parts = [
            *([self.backs(zone.hidden)] if zone.hidden and zone.shape != "pile" else []),
            *([Line(f"({zone.count})")] if zone.count is not None else []),
            *(Line(word, "italic") for word in self.note(zone).split()),
        ]
        title = Line.assemble(self.say(zone.title), " ", *cards[:1])
        return [(3, title), *((2 if zone.owners else 1, card) for card in cards[1:]), *((1, part) for part in parts)]

    def zone(self, zone: Zone, grouped: bool = False) -> Line:
        """A zone in one line: title, cards, number, note; `grouped`: each kind of card once, with its count."""
        line = Line(self.say(zone.title) + " ")
        if zone.shape != "pile":
            line.append_text(self.cards(zone.cards, grouped))
        line.append_text(self.pile(zone) if zone.shape == "pile" else self.backs(zone.hidden))
        has_count = zone.shape == "count" or bool(zone.count and zone.places)
        if zone.count is not None:
            number = str(zone.count) if has_count else f" ({zone.count})" if zone.cards else ""
            line.append(number, "bold" if has_count else "")
        if not (zone.cards or zone.hidden or has_count):
            line.append("–" if self.fancy else "-", "dim")
        if zone.note is not None:
            line.rstrip()
            line.append(self.note(zone), "italic")
        return line

    def note(self, zone: Zone) -> str:
        """What follows a zone: "of 3" at once, other notes after a dot."""
        if zone.note is None:
            return ""
        dot = "" if zone.note.key.startswith("of {") else "· " if self.fancy else "- "
        return f" {dot}{self.say(zone.note)}"

    # --- cards --------------------------------------------------------------------------------------------------------
    def cards(self, codes: Sequence[str], grouped: bool = False) -> Line:
        """Small cards side by side."""
        if not grouped:
            return Line().join([self.card(code) for code in codes])
        return Line(" ").join([self.card(code) + self.times(codes.count(code)) for code in dict.fromkeys(codes)])

    def times(self, count: int) -> str:
        """How often, if it is more than once."""
        return "" if count == 1 else f"×{count}" if self.fancy else f"x{count}"

    def card(self, code: str) -> Line:
        """A small card."""
        text = self.speech.card(code)
        return Line.assemble((f" {text} ", self.card_style(code)), " ") if self.colour else Line(f"[{text}]")

    def card_style(self, code: str) -> str:
        """The style of a card: hearts and diamonds are red."""
        return "" if not self.colour else RED_CARD if self.red(code) else CARD

    def red(self, code: str) -> bool:
        """Whether a card is shown in red."""
        suit = STANDARD_CARD.fullmatch(code)
        return self.colour and suit is not None and suit[2] in "hd"

    def backs(self, count: int) -> Line:
        """So many cards face down."""
        if count == 0:
            return Line()
        back = "▒" if self.fancy else "#"
        return Line.assemble((back * min(count, 1 if self.tight else 8), BACK), f" {count}")

    def pile(self, zone: Zone) -> Line:
        """A pile: the number of its cards, or those that are known, by rank ("7 ×2")."""
        if zone.hidden and not zone.cards:
            return self.backs(zone.hidden)
        kinds = {code: self.speech.card(code) + self.times(zone.cards.count(code)) for code in zone.cards}
        return Line(", ".join(kinds.values()))

    def draw(self, view: View, news: Sequence[Text], below: int = 1) -> list[Line]:
        """The table from a seat, with the news since its last move, the prompt and its moves.

        `below`: lines to leave free under it, at least one for the answer. Where there is little room, empty lines go
        first, then drawn cards, then moves that others let one guess, then news.
        """
        for gaps, drawn, all_moves in ((1, True, True), (0, True, True), (0, False, True), (0, False, False)):
            gap = [Line()] * gaps
            own = self.own(view, drawn)
            top = [self.rule(self.title), *self.table(view, gap), *(gap if own else []), *own]
            bottom = [*self.prompt(view), *scores(self, view.moves), *self.moves(view.moves, all_moves)]
            bottom += self.aside_lines()
            room = self.height - below - len(top) - len(bottom) - 2 * gaps
            if room >= NEWS:
                break
        lines = self.news(news, room, bool(view.moves))
        return [*top, *gap, *lines, *(gap if lines else []), *bottom]

    def rule(self, title: str) -> Line:
        """A line across the screen with a title in it."""
        dash = "─" if self.fancy else "-"
        return Line.assemble(
            (f"{dash}{dash} ", "dim"), (title, "bold"), (" " + dash * (self.width - len(title) - 4), "dim")
        )

    # --- the table ----------------------------------------------------------------------------------------------------
    def table(self, view: View, gap: Sequence[Line]) -> list[Line]:
        """The other seats and the middle."""
        if any(zone.shape == "board" for zone in view.zones):
            return with_boards(self, view, gap)
        return [*self.others(view), *gap, *self.middle(view)]

    def own(self, view: View, drawn: bool = True) -> list[Line]:
        """The viewer's own zones, the hand last: drawn as cards, or in a line."""
        if view.seat < 0:
            return []
        zones = self.placed(view, view.seat)
        hand = next((zone for zone in zones if zone.shape == "fan" and zone.cards), None)
        lines = self.seat_lines(view, view.seat, [zone for zone in zones if zone is not hand])
        return [*lines, *(self.spread(hand, drawn) if hand else [])]

    def spread(self, zone: Zone, drawn: bool) -> list[Line]:
        """A hand as drawn cards if it fits, else in a line."""
        wide = max(3, *(len(self.speech.card(code)) for code in zone.cards))
        faces = [
            Line.assemble("│", (self.speech.card(code).center(wide), RED if self.red(code) else ""), "│")
            for code in zone.cards
        ]
        edges = ["  " + f"{first}{'─' * wide}{right}" * len(faces) for first, right in ("┌┐", "└┘")]
        lines = [Line(edges[0]), Line.assemble("  ", *faces), Line(edges[1])]
        lines[0].append(f"  {self.say(zone.title)}", "dim")
        if zone.note is not None:
            lines[1].append(f"  {self.say(zone.note)}", "italic")
        if drawn and self.fancy and max(line.cell_len for line in lines) <= self.width:
            return lines
        return self.flow(Line("  "), [zone], 2)

    # --- sentences ----------------------------------------------------------------------------------------------------
    def news(self, news: Sequence[Text], room: int, keys: bool) -> list[Line]:
        """What happened, the newest last; older lines give way when there is no room, and a key shows them."""
        lines = [line for text in news for line in self.wrapped(text)]
        if len(lines) <= room:
            return lines
        dots = "…" if self.fancy else "..."
        hint = self.say(say("l shows the whole log")) if keys else ""
        earlier = Line(f"  {dots} {hint}".rstrip(), "dim")
        return [earlier, *lines[len(lines) - room + 1 :]] if room > 0 else []

    def wrapped(self, text: Text) -> list[Line]:
        """A line of the log, on as many lines as it takes."""
        bullet = "  · " if self.fancy else "  - "
        lines = textwrap.wrap(self.say(text), self.width, initial_indent=bullet, subsequent_indent="    ")
        return [Line(line) for line in lines]

    def prompt(self, view: View) -> list[Line]:
        """What the table waits for."""
        return [Line(line, "bold") for line in textwrap.wrap(self.say(view.prompt), self.width)]

    # --- moves --------------------------------------------------------------------------------------------------------
    def moves(self, moves: Sequence[Move], complete: bool = True) -> list[Line]:
        """The moves with what to type for each, or only the ends of long runs ("draw 1 … draw 45")."""
        pairs = self.listed(moves, complete)
        dots = "  …" if self.fancy else "..."
        entries = [f"{card_text(key, self.fancy):>3}  {self.say(move.label)}" if move else dots for key, move in pairs]
        few = 3 if all(move for _, move in pairs) else 6
        return self.columns(entries, few, ENTRY, [move for _, move in pairs])

    def listed(self, moves: Sequence[Move], complete: bool) -> list[tuple[str, Move | None]]:
        """The moves of the list, each with what to type for it; None in place of moves that are left out."""
        pairs = with_keys(moves)
        kinds = [(str(int(key) - k) if key.isdecimal() else key, move.label.key) for k, (key, move) in enumerate(pairs)]
        out: list[tuple[str, Move | None]] = []
        for _, run in itertools.groupby(zip(kinds, pairs, strict=True), lambda item: item[0]):
            part: list[tuple[str, Move | None]] = [pair for _, pair in run]
            out += part if complete or len(part) < 4 else [part[0], ("", None), part[-1]]
        return out

    def columns(self, entries: Sequence[str], few: int, indent: int, moves: Sequence[Move | None] = ()) -> list[Line]:
        """Entries below each other; more than a few in as many columns as fit."""
        wide = max(map(len, entries), default=0) + 2
        columns = 1 if len(entries) <= few else max(1, (self.width + 2) // wide)
        parts = (textwrap.wrap(entry, self.width, subsequent_indent=" " * indent) for entry in entries)
        cells = [self.entry([*map(Line, part)], move) for part, move in itertools.zip_longest(parts, moves)]
        if columns == 1:
            return [line for cell in cells for line in cell]
        rows = -(-len(cells) // columns)
        lines = [Line().join(padded(cell[0], wide) for cell in cells[row::rows]) for row in range(rows)]
        for line in lines:
            line.rstrip()
        return lines

    def entry(self, lines: list[Line], _move: Move | None) -> list[Line]:
        """The lines of an entry; a subclass may let people point at its move."""
        return lines

    def aside_lines(self) -> list[Line]:
        """Whom the viewer can say something of beside the moves, and of whom it was said; a line for each kind."""
        lines: list[Line] = []
        for _, same_kind in itertools.groupby(self.asides, lambda pair: pair[0].label.key):
            kind = list(same_kind)
            lines.append(Line(self.say(say("You can also {word}:", word=self.say(kind[0][0].label).lower()))))
            for k, (aside, is_said) in enumerate(kind):
                name = self.words.name(aside.about)
                part = self.marked_aside(Line(self.say(say("{name} (said)", name=name)) if is_said else name), aside)
                part = Line.assemble(" ", part, "," * (k < len(kind) - 1))
                if lines[-1].cell_len + part.cell_len > self.width:
                    lines.append(Line(" "))
                lines[-1].append_text(part)
        return lines

    def marked_aside(self, line: Line, _aside: Aside) -> Line:
        """What stands for an aside; a subclass may let people click on it."""
        return line

    # --- the end ------------------------------------------------------------------------------------------------------
    def end(self, view: View, news: Sequence[Text], result: Sequence[Line], below: int) -> list[Line]:
        """The table at the end, and the result; where not all fits, the last news and the result."""
        news_lines = [line for text in news for line in self.wrapped(text)]
        lines = [*self.draw(view, news, len(result) + below), *result]
        visible = {line.plain for line in lines}
        complete = all(line.plain in visible for line in news_lines)
        board = any(zone.shape == "board" for zone in view.zones)  # which says more than the news
        if len(lines) + below <= self.height and (complete or board):
            return lines
        room = self.height - below - len(result) - 2
        return [self.rule(self.title), *news_lines[-room:], Line(), *result]

    def result(self, view: View, returns: Sequence[float], headline: Sequence[Text]) -> list[Line]:
        """The headline, in the same line what is told beside it where that fits, and the outcome of every seat."""
        text = " ".join(map(self.say, headline))
        head = textwrap.wrap(text if len(text) <= self.width else self.say(headline[0]), self.width)
        order = sorted(range(view.players), key=lambda seat: -returns[seat])
        wide = max(len(self.words.name(seat)) for seat in order) + 2
        names = [self.words.name(seat).ljust(wide) for seat in order]
        rows = [f"  {name}{self.say(view.outcome_texts[seat])}" for name, seat in zip(names, order, strict=True)]
        return [*(Line(line, "bold") for line in head), *self.columns(rows, 4, 2 + wide)]


# --- boards -----------------------------------------------------------------------------------------------------------
def with_boards(screen: Screen, view: View, gap: Sequence[Line]) -> list[Line]:
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


def seats_and_middle(screen: Screen, view: View, gap: Sequence[Line]) -> list[Line]:
    """The other seats and the middle."""
    middle = [line for line in screen.middle(view) if line.plain.strip()]
    return [*screen.others(view), *(gap if middle else ()), *middle]


def beside(first: Sequence[Line], right: Sequence[Line], column: int) -> list[Line]:
    """Lines beside others, starting in a column."""
    pairs = itertools.zip_longest(first, right, fillvalue=Line())
    lines = [Line.assemble(a, " " * (column - a.cell_len), b) for a, b in pairs]
    for line in lines:
        line.rstrip()
    return lines


def boards(screen: Screen, view: View, brief: bool) -> list[Line]:
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


def board(screen: Screen, zone: Zone, moves: Sequence[Move], brief: bool = False) -> list[Line]:
    """A board with its columns and rows named; where the seat can put something, a dot or the points."""
    by_cell = {move.cell: move for move in moves}
    cells = [cell(screen, code, by_cell.get(cell_name(k, zone.columns)), brief) for k, code in enumerate(zone.cards)]
    rows = [cells[k : k + zone.columns] for k in range(0, len(cells), zone.columns)]
    edge = max(2, len(str(len(rows)))) + 1
    wide = max([len(column_name(zone.columns - 1)), *(cell.cell_len for cell in cells)])
    if edge + zone.columns * (USUAL_WIDTH + 1) <= screen.width:
        wide = max(wide, USUAL_WIDTH + screen.roomy)
    names = [Line(column_name(column), "dim") for column in range(zone.columns)]
    lines = [
        Line.assemble((label.rjust(edge - 1), "dim"), *(Line.assemble(" ", padded(part, wide)) for part in parts))
        for label, parts in [("", names), *((str(row), parts) for row, parts in enumerate(rows, 1))]
    ]
    return [part for line in lines for part in (line, Line())] if screen.roomy else lines


def padded(part: Line, wide: int) -> Line:
    """A line padded to a width."""
    return Line.assemble(part, " " * (wide - part.cell_len))


def cell(screen: Screen, code: str, move: Move | None, brief: bool) -> Line:
    """The contents of a cell: its card, and its points or a dot where the seat can put something."""
    out = Line.assemble((card_text(code, screen.fancy), screen.card_style(code))) if code else Line()
    if move is None:
        return out
    if move.points:
        out.append(f"{move.points:+d}"[: 1 if brief and code else None], SCORING if screen.colour else "")
    else:
        out.append("·" if screen.fancy else ".", LEGAL)
    return screen.marked(out, move)


def scores(screen: Screen, moves: Sequence[Move], lines: int = 2) -> list[Line]:
    """The best cells with their points, in so many lines at most, and how to type a cell."""
    cells = [move for move in moves if move.cell]
    if not cells:
        return []
    best = sorted((move for move in cells if move.points), key=lambda move: -(move.points or 0))
    hint = screen.say(say("Type a cell, such as {cell}.", cell=(best or cells)[0].cell))
    return [*ranking(screen, best, lines), *(Line(line, "dim") for line in textwrap.wrap(hint, screen.width))]


def ranking(screen: Screen, best: Sequence[Move], limit: int) -> list[Line]:
    """Cells with their points, the best first, as many as fit into so many lines."""
    dot, dots = (" · ", " …") if screen.fancy else (", ", " ...")
    for count in range(len(best), 0, -1):
        parts = [f"{move.cell}\N{NO-BREAK SPACE}{move.points}" for move in best[:count]]
        text = screen.say(say("Scores: {cells}", cells=dot.join(parts))) + dots * (count < len(best))
        lines = textwrap.wrap(text, screen.width)
        if len(lines) <= limit:
            return [Line(line.replace("\N{NO-BREAK SPACE}", " ")) for line in lines]
    return []


def is_fancy(console: Console) -> bool:
    """Whether a console shows characters beyond ASCII."""
    return (console.encoding or "").lower().startswith("utf")


def put(console: Console, lines: Iterable[Line | str], style: str = "") -> None:
    """Print lines that are as wide as they may be."""
    for line in lines:
        console.print(line, style=style, soft_wrap=True)
