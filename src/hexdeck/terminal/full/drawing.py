"""Draws a view for the full screen, in two themes: as the plain screen, but cards and moves can be pointed at."""

from __future__ import annotations

import itertools
import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rich.style import Style
from rich.text import Text as Line
from textual.content import Content, Span
from textual.style import Style as ContentStyle
from textual.theme import Theme

from hexdeck.engine.text import Text, card_text, say
from hexdeck.engine.view import Aside, Move, View, Zone
from hexdeck.tables.live import codes_of, hand_of
from hexdeck.terminal.keys import with_keys
from hexdeck.terminal.screen import BACK, CARD, GUTTER, LEGAL, NEWS, RED, RED_CARD, SCORING, Screen, beside, scores

LIT, PICKED, KEY, NEW, OLD, PAPER, RED_PAPER, NAME = "lit", "picked", "key", "new", "old", "paper", "red paper", "name"
STYLES = {
    CARD: "bold $card-ink on $card-paper",
    RED_CARD: "bold $card-red on $card-paper",
    PAPER: "$card-ink on $card-paper",
    RED_PAPER: "bold $card-red on $card-paper",
    RED: "bold $card-red",
    BACK: "$card-back",
    LEGAL: "bold $glow",
    SCORING: "bold $on-glow on $glow",
    "bold yellow": "bold $glow",
    "dim": "$soft",
    "italic": "italic $soft",
    "bold": "bold",
    LIT: "bold $on-accent on $accent",
    PICKED: "bold $on-accent on $accent",
    KEY: "bold $accent",
    NEW: "",
    OLD: "$soft",
    NAME: "bold $accent",
}
DARK, LIGHT = "hexdeck-dark", "hexdeck-light"
COLOURS: Mapping[str, Mapping[str, str]] = {
    DARK: {
        "ground": "#0f1428", "felt": "#182042", "raised": "#212b55", "ink": "#f0ecdf", "soft": "#b9bfdd",
        "line": "#414d80", "accent": "#e9c46a", "on-accent": "#1a1730", "glow": "#f5d98f", "on-glow": "#1a1730",
        "bad": "#ff9d94", "card-paper": "#f3eee0", "card-ink": "#1b2140", "card-red": "#a31826", "card-back": "#8e9bd6",
    },
    LIGHT: {
        "ground": "#dfe2ee", "felt": "#cdd3e6", "raised": "#f3f4fa", "ink": "#1b2140", "soft": "#3f466c",
        "line": "#a9b1cf", "accent": "#5d3390", "on-accent": "#ffffff", "glow": "#6d4900", "on-glow": "#ffffff",
        "bad": "#9c1b28", "card-paper": "#fffdf6", "card-ink": "#1b2140", "card-red": "#b01224", "card-back": "#5560a0",
    },
}  # fmt: skip


def themes() -> list[Theme]:
    """The themes, for the app."""
    return [
        Theme(
            name,
            colours["accent"],
            foreground=colours["ink"],
            background=colours["ground"],
            surface=colours["felt"],
            panel=colours["raised"],
            error=colours["bad"],
            dark=name == DARK,
            variables=dict(colours),
        )
        for name, colours in COLOURS.items()
    ]


def usual_theme() -> str:
    """The theme that suits the terminal: light where it says that its background is."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in {"7", "15"} else DARK


def content(lines: list[Line]) -> Content:
    """Drawn lines as Textual shows them; what can be pointed at keeps its mark."""
    text = Line("\n").join(lines)
    return Content(text.plain, [Span(span.start, span.end, textual_style(span.style)) for span in text.spans])


def textual_style(style: str | Style) -> str | ContentStyle:
    """The style of a drawn line in Textual: a name as its colours, a mark as it is."""
    return STYLES[style] if isinstance(style, str) else ContentStyle.from_meta(dict(style.meta))


OVERLAP, WIDE = 4, 5  # columns of a drawn card that is partly covered, and of one that isn't
LEVELS: tuple[tuple[bool, int, bool, bool | None], ...] = (
    # what gives way first: `roomy`, empty lines, drawn cards, the whole list of moves (None: only what is typed)
    (True, 1, True, True), (False, 1, True, True), (False, 0, True, True), (False, 0, False, True),
    (False, 0, False, False), (False, 0, False, None),
)  # fmt: skip
ENTRY = 5  # columns before the words of a move in the list


@dataclass(frozen=True)
class TablePanels:
    """The panels of a table, each in lines: the others and the middle, one's own zones, the news, the question."""

    table: list[Line]
    own: list[Line]
    news: list[Line]
    ask: list[Line]


@dataclass(frozen=True)
class FullScreen(Screen):
    """Draws for the full screen.

    `pointed`: the id of the move that is pointed at. `picked`: the cards of the hand that are chosen so far, by place.
    """

    pointed: int = -1
    picked: frozenset[int] = frozenset()

    def arrange(self, view: View, log: Sequence[Text], new: int, log_beside: bool) -> TablePanels:
        """The panels of the table from a seat; the last `new` lines of its `log` are news.

        `log_beside`: the log has its own column. Where there is little room, empty lines go first, then drawn cards,
        then moves that others let one guess; what still doesn't fit can be scrolled to.
        """
        needed = 0 if log_beside else min(NEWS, len(log))
        for roomy, gaps, drawn, all_moves in LEVELS:
            table, own, ask = replace(self, roomy=roomy).panels(view, [Line()] * gaps, drawn, all_moves)
            room = self.height - len(table) - len(own) - len(ask)
            if room >= needed * (1 + roomy) + gaps * (not log_beside):
                break
        news = [] if log_beside else self.tail(log, new, max(room, min(1, needed)))
        return TablePanels([*table, *[Line()] * (room - len(news))], own, news, ask)

    def panels(
        self, view: View, gap: Sequence[Line], drawn: bool, all_moves: bool | None
    ) -> tuple[list[Line], list[Line], list[Line]]:
        """The others and the middle, one's own zones, the question."""
        moves = self.brief(view.moves) if all_moves is None else self.moves(view.moves, all_moves)
        ask = [*gap, *self.prompt(view), *scores(self, view.moves), *moves, *self.aside_lines()]
        return [*gap, *self.table(view, gap), *gap], [*gap, *self.own(view, drawn)], ask

    # --- where there is much room ---------------------------------------------------------------------------------
    def seat_lines(self, view: View, seat: int, zones: Sequence[Zone]) -> list[Line]:
        """A seat; where there is much room, with drawn cards under its name."""
        large = [zone for zone in zones if self.is_drawn(zone)]
        lines = super().seat_lines(view, seat, [zone for zone in zones if zone not in large])
        return [*lines, *self.blocks(large)]

    def others(self, view: View) -> list[Line]:
        """The other seats; where there is much room, side by side if they show cards."""
        if not self.roomy:
            return super().others(view)
        seats = [(view.seat + 1 + k) % view.players for k in range(view.players)]
        groups = [self.seat_lines(view, seat, self.placed(view, seat)) for seat in seats if seat != view.seat]
        wide = [max(line.cell_len for line in group) + GUTTER for group in groups]
        if sum(wide) > self.width or all(len(group) == 1 for group in groups):
            return [line for group in groups for line in group]
        lines: list[Line] = []
        for group, column in zip(groups, itertools.accumulate(wide, initial=0), strict=False):
            lines = beside(lines, group, column)
        return lines

    def middle(self, view: View) -> list[Line]:
        """The zones in the middle; where there is much room, with drawn cards."""
        zones = self.placed(view, None)
        large = [zone for zone in zones if self.is_drawn(zone)]
        small = [zone for zone in zones if zone not in large]
        return [*self.blocks(large), *(self.flow(Line("  "), small, 2) if small else [])]

    def is_drawn(self, zone: Zone) -> bool:
        """Whether the cards of a zone are drawn: there is room, and they lie open side by side."""
        return self.roomy and zone.shape in {"row", "fan"} and bool(zone.cards) and len(zone.cards) * WIDE < self.width

    def blocks(self, zones: Sequence[Zone]) -> list[Line]:
        """Zones of drawn cards side by side, in as many rows as they take."""
        rows: list[list[Line]] = []
        for block in map(self.block, zones):
            wide = block[0].cell_len
            if not rows or rows[-1][0].cell_len + wide > self.width:
                rows.append([Line("  ") for _ in block])
            rows[-1] = [Line.assemble(left, right) for left, right in zip(rows[-1], block, strict=True)]
        return [line for row in rows for line in row if line.plain.strip()]

    def block(self, zone: Zone) -> list[Line]:
        """A title, drawn cards below it, and in a trick their players; all lines equally long."""
        note = f" · {self.say(zone.note)}" if zone.note else ""
        backs = f" {self.backs(zone.hidden).plain}" if zone.hidden else ""
        count = f" ({zone.count})" if zone.count is not None else ""
        title = Line(f"{self.say(zone.title)}{count}{backs}{note}", "dim")
        lines = [title, *(self.trick(zone) if zone.owners else [*self.faces(zone, marked=False), Line()])]
        wide = max(line.cell_len for line in lines) + 3
        return [padded(line, wide) for line in lines]

    def trick(self, zone: Zone) -> list[Line]:
        """Drawn cards, each above the name of its player."""
        names = [Line(self.words.name(seat)) for seat in zone.owners]
        wide = [max(WIDE, name.cell_len) + 1 for name in names]
        cards = [list(self.faces(zone, range(k, k + 1), marked=False)) for k in range(len(names))]
        rows = [*zip(*cards, strict=True), names]
        return [Line().join(padded(part, room) for part, room in zip(row, wide, strict=True)) for row in rows]

    # --- what happened --------------------------------------------------------------------------------------------
    def log(self, lines: Sequence[Text], new: int) -> list[Line]:
        """All lines of a log, with marks at the news."""
        old = len(lines) - new
        return [line for k, text in enumerate(lines) for line in self.sentence(text, k >= old)]

    def tail(self, log: Sequence[Text], new: int, room: int) -> list[Line]:
        """As many of the last lines as fit, starting with a whole sentence where possible."""
        shown_lines: list[Line] = []
        for k in range(len(log) - 1, -1, -1):
            lines = self.sentence(log[k], k >= len(log) - new)
            if shown_lines and len(shown_lines) + len(lines) > room:
                break
            shown_lines = [*lines, *shown_lines]
        return shown_lines if room > 0 else []

    def sentence(self, text: Text, new: bool) -> list[Line]:
        """A sentence of the log; news have a full mark."""
        mark, wide = ("• " if new else "· "), self.width
        lines = textwrap.wrap(self.say(text), wide, initial_indent=mark, subsequent_indent="  ")
        return [Line(line, NEW if new else OLD) for line in lines]

    # --- what can be pointed at -----------------------------------------------------------------------------------
    def marked(self, line: Line, move: Move) -> Line:
        """What stands for a move, so that it can be pointed at."""
        line.stylize(Style(meta={"move": move.id}))
        if move.id == self.pointed:
            line.stylize(LIT)
        return line

    def moves(self, moves: Sequence[Move], complete: bool = True) -> list[Line]:
        """The moves with what to type for each, in as many columns as fit."""
        entries = self.listed(moves, complete)
        if not entries:
            return []
        wide = max(len(self.entry(key, move)) if move else 3 for key, move in entries) + 2
        columns = 1 if len(entries) <= self.few(entries) else max(1, (self.width + 2) // wide)
        if columns == 1:
            return [line for key, move in entries for line in self.entry_lines(key, move)]
        rows = -(-len(entries) // columns)
        cells = [self.entry_lines(key, move)[0] for key, move in entries]
        lines = [Line().join(padded(cell, wide) for cell in cells[row::rows]) for row in range(rows)]
        for line in lines:
            line.rstrip()
        return lines

    def brief(self, moves: Sequence[Move]) -> list[Line]:
        """The moves as what is typed for each, where that is a card; else their list."""
        pairs = with_keys(moves)
        if any(key.isdecimal() for key, _ in pairs):
            return self.moves(moves, False)
        lines = [Line()]
        for key, move in pairs:
            part = self.marked(Line(f" {card_text(key, True)} ", KEY), move)
            if lines[-1].cell_len + part.cell_len > self.width:
                lines.append(Line())
            lines[-1].append_text(part)
        return lines if pairs else []

    def entry_lines(self, key: str, move: Move | None) -> list[Line]:
        """A move of the list, on as many lines as it takes; its key stands out."""
        if move is None:
            return [Line("  …")]
        lines = textwrap.wrap(self.entry(key, move), self.width, subsequent_indent=" " * ENTRY, drop_whitespace=True)
        out = [Line(line) for line in lines]
        out[0].stylize(KEY, 0, ENTRY - 2)
        return [self.marked(line, move) for line in out]

    def marked_aside(self, line: Line, aside: Aside) -> Line:
        """What stands for an aside, so that it can be clicked."""
        line.stylize(Style(meta={"aside": aside.about}))
        line.stylize(KEY)
        return line

    # --- the hand -------------------------------------------------------------------------------------------------
    def own(self, view: View, drawn: bool = True) -> list[Line]:
        """The viewer's own zones, the hand last."""
        move = next((move for move in view.moves if move.id == self.pointed), None)
        hand = hand_of(view) if move else None
        chosen = places(hand.cards, codes_of(move)) if hand and move else frozenset()
        return Screen.own(replace(self, picked=self.picked | chosen), view, drawn)

    def spread(self, zone: Zone, drawn: bool) -> list[Line]:
        """The hand: cards side by side, overlapping where there are many; in a line where there is no room."""
        title = self.say(zone.title) + (f" · {self.say(zone.note)}" if zone.note else "")
        if not drawn:
            return [*self.row(zone, title)]
        head = textwrap.wrap(title, self.width - 2, initial_indent="  ", subsequent_indent="  ")
        step = WIDE if len(zone.cards) * WIDE + 2 <= self.width else OVERLAP
        a_row = max(1, (self.width - 3) // step)
        rows = [range(k, min(k + a_row, len(zone.cards))) for k in range(0, len(zone.cards), a_row)]
        cards = [Line.assemble("  ", line) for row in rows for line in self.faces(zone, row, step)]
        return [*(Line(line, "dim") for line in head), *cards]

    def faces(self, zone: Zone, row: range | None = None, step: int = WIDE, marked: bool = True) -> Iterator[Line]:
        """The drawn cards of a zone in three lines; `marked`: they can be pointed at."""
        row = range(len(zone.cards)) if row is None else row
        for edge in ("╭───╮", "", "╰───╯"):
            yield Line().join(self.face(zone, k, edge, WIDE if k == row[-1] else step, marked) for k in row)

    def face(self, zone: Zone, k: int, edge: str, wide: int, marked: bool) -> Line:
        """A line of a drawn card, as much of it as isn't covered by the next card."""
        picked = marked and k in self.picked
        text = "╰─▲─╯" if picked and edge.startswith("╰") else edge or f"│{card_text(zone.cards[k], True).center(3)}│"
        part = Line(text[:wide], PAPER)
        if not edge and self.red(zone.cards[k]):
            part.stylize(RED_PAPER, 1, WIDE - 1)
        return self.pickable(part, k) if marked else part

    def row(self, zone: Zone, title: str) -> Iterator[Line]:
        """The hand in a line, or in as many as it takes."""
        line, empty = Line(f"  {title} ", "dim"), True
        for k, code in enumerate(zone.cards):
            text = card_text(code, True)
            part = self.pickable(Line(f"▲{text} " if k in self.picked else f" {text} ", self.card_style(code)), k)
            if line.cell_len + part.cell_len + 1 > self.width and not empty:
                yield line
                line = Line("  ")
            line, empty = Line.assemble(line, part, " "), False
        yield line

    def pickable(self, card: Line, k: int) -> Line:
        """A card of the hand that can be pointed at, and shows whether it is chosen."""
        card.stylize(Style(meta={"card": k}))
        if k in self.picked:
            card.stylize(PICKED)
        return card

    # --- the end --------------------------------------------------------------------------------------------------
    def ending(self, view: View, returns: Sequence[float], headline: Sequence[Text]) -> list[Line]:
        """The result, for the panel of the question."""
        return [
            Line(),
            *self.result(view, returns, headline),
            Line(),
            Line(self.say(say("Press Enter or q to leave.")), "dim"),
        ]


def padded(cell: Line, wide: int) -> Line:
    """A line padded to a width."""
    return Line.assemble(cell, " " * (wide - cell.cell_len))


def places(held: Sequence[str], codes: Sequence[str]) -> frozenset[int]:
    """The places of the wanted cards in a hand; empty if some aren't there."""
    free = list(range(len(held)))
    for code in codes:
        at = next((k for k in free if held[k] == code), None)
        if at is None:
            return frozenset()
        free.remove(at)
    return frozenset(range(len(held))) - frozenset(free)
