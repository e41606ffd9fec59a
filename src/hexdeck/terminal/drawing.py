"""What the full screen shows: its panels in lines, its keys, and what is typed and pointed at, in two themes.

It is drawn as the plain screen, but cards and moves can be pointed at.
"""

from __future__ import annotations

import itertools
import os
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich.style import Style
from rich.text import Text as Line
from textual.content import Content, Span
from textual.style import Style as ContentStyle
from textual.theme import Theme

from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Text, card_text, say
from hexdeck.engine.view import Aside, Move, View, Zone
from hexdeck.tables.live import codes_of, hand_of
from hexdeck.terminal import screen
from hexdeck.terminal.dialogue import COMMANDS
from hexdeck.terminal.screen import Screen
from hexdeck.terminal.session import ScreenSession
from hexdeck.terminal.typed_moves import numbers, with_keys

LIT, PICKED, KEY, NEW, OLD, PAPER, RED_PAPER, NAME = "lit", "picked", "key", "new", "old", "paper", "red paper", "name"
STYLES = {
    screen.CARD: "bold $card-ink on $card-paper",
    screen.RED_CARD: "bold $card-red on $card-paper",
    PAPER: "$card-ink on $card-paper",
    RED_PAPER: "bold $card-red on $card-paper",
    screen.RED: "bold $card-red",
    screen.BACK: "$card-back",
    screen.LEGAL: "bold $glow",
    screen.SCORING: "bold $on-glow on $glow",
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
    out, of = [], {"foreground": "ink", "background": "ground", "surface": "felt", "panel": "raised", "error": "bad"}
    for name, colours in COLOURS.items():
        own: Any = {part: colours[colour] for part, colour in of.items()}
        out.append(Theme(name, colours["accent"], dark=name == DARK, variables=dict(colours), **own))
    return out


def usual_theme() -> str:
    """The theme that suits the terminal: light where it says that its background is."""
    background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return LIGHT if background in {"7", "15"} else DARK


def content(lines: list[Line]) -> Content:
    """Drawn lines as Textual shows them; what can be pointed at keeps its mark."""
    text, spans = Line("\n").join(lines), list[Span]()
    for start, end, style in text.spans:
        marked = STYLES[style] if isinstance(style, str) else ContentStyle.from_meta(dict(style.meta))
        spans.append(Span(start, end, marked))
    return Content(text.plain, spans)


OVERLAP, WIDE = 4, 5  # columns of a drawn card that is partly covered, and of one that isn't
LEVELS: tuple[tuple[bool, int, bool, bool | None], ...] = (
    # what gives way first: `roomy`, empty lines, drawn cards, the whole list of moves (None: only what is typed)
    (True, 1, True, True), (False, 1, True, True), (False, 0, True, True), (False, 0, False, True),
    (False, 0, False, False), (False, 0, False, None),
)  # fmt: skip


@dataclass(frozen=True)
class FullScreen(Screen):
    """Draws for the full screen.

    `pointed`: the id of the move that is pointed at. `picked`: the cards of the hand that are chosen so far, by place.
    """

    pointed: int = -1
    picked: frozenset[int] = frozenset()

    def arrange(self, view: View, log: Sequence[Text], new: int, log_beside: bool) -> dict[str, list[Line]]:
        """The panels of the table from a seat, by name; the last `new` lines of its `log` are news.

        `log_beside`: the log has its own column. Where there is little room, empty lines go first, then drawn cards,
        then moves that others let one guess; what still doesn't fit can be scrolled to.
        """
        needed = 0 if log_beside else min(screen.NEWS, len(log))
        for roomy, gaps, drawn, all_moves in LEVELS:
            table, own, ask = replace(self, roomy=roomy).panels(view, [Line()] * gaps, drawn, all_moves)
            room = self.height - len(table) - len(own) - len(ask)
            if room >= needed * (1 + roomy) + gaps * (not log_beside):
                break
        news = [] if log_beside else self.tail(log, new, max(room, min(1, needed)))
        return {"table": [*table, *[Line()] * (room - len(news))], "own": own, "news": news, "ask": ask}

    def panels(
        self, view: View, gap: Sequence[Line], drawn: bool, all_moves: bool | None
    ) -> tuple[list[Line], list[Line], list[Line]]:
        """The others and the middle, one's own zones, the question."""
        moves = self.brief(view.moves) if all_moves is None else self.moves(view.moves, all_moves)
        ask = [*gap, *self.prompt(view), *screen.scores(self, view.moves), *moves, *self.aside_lines()]
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
        wide = [max(line.cell_len for line in group) + screen.GUTTER for group in groups]
        if sum(wide) > self.width or all(len(group) == 1 for group in groups):
            return [line for group in groups for line in group]
        lines: list[Line] = []
        for group, column in zip(groups, itertools.accumulate(wide, initial=0), strict=False):
            lines = screen.beside(lines, group, column)
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
        backs = f" {self.backs(zone.hidden).plain}" if zone.hidden else ""
        count = f" ({zone.count})" if zone.count is not None else ""
        title = Line(f"{self.say(zone.title)}{count}{backs}{self.note(zone)}", "dim")
        lines = [title, *(self.trick(zone) if zone.owners else [*self.faces(zone, marked=False), Line()])]
        wide = max(line.cell_len for line in lines) + 3
        return [screen.padded(line, wide) for line in lines]

    def trick(self, zone: Zone) -> list[Line]:
        """Drawn cards, each above the name of its player."""
        names = [Line(self.words.name(seat)) for seat in zone.owners]
        wide = [max(WIDE, name.cell_len) + 1 for name in names]
        cards = [list(self.faces(zone, range(k, k + 1), marked=False)) for k in range(len(names))]
        rows = [*zip(*cards, strict=True), names]
        return [Line().join(screen.padded(part, room) for part, room in zip(row, wide, strict=True)) for row in rows]

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

    def entry(self, lines: list[Line], move: Move | None) -> list[Line]:
        """A move of the list, whose key stands out, so that it can be pointed at."""
        if move is not None:
            lines[0].stylize(KEY, 0, screen.ENTRY - 2)
            lines = [self.marked(line, move) for line in lines]
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
        title = self.say(zone.title) + self.note(zone)
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
            text = self.speech.card(code)
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
        leave = Line(self.say(say("Press Enter or q to leave.")), "dim")
        return [Line(), *self.result(view, returns, headline), Line(), leave]


def places(held: Sequence[str], codes: Sequence[str]) -> frozenset[int]:
    """The places of the wanted cards in a hand; empty if some aren't there."""
    free = list(range(len(held)))
    for code in codes:
        at = next((k for k in free if held[k] == code), None)
        if at is None:
            return frozenset()
        free.remove(at)
    return frozenset(range(len(held))) - frozenset(free)


FUNCTION_KEYS = {"f1": "?", "f2": "h", "f3": "u", "f4": "l", "f5": "r", "f6": "d", "f7": "s", "f10": "q"}
BY_COMMAND = {command: key.upper() for key, command in FUNCTION_KEYS.items()}
LOOK = say("light or dark")
LONGEST = 60  # characters of a line


@dataclass(frozen=True)
class Typing:
    """What is typed so far, and the cards of the hand that were clicked for it, by place."""

    line: str = ""
    picked: frozenset[int] = frozenset()

    def more(self, text: str) -> Typing:
        """With more letters."""
        return Typing((self.line + "".join(c for c in text if c.isprintable()))[:LONGEST])

    def less(self) -> Typing:
        """Without the last letter."""
        return Typing(self.line[:-1])


def commands(moves: Sequence[Move]) -> dict[str, str]:
    """The command of each letter that is one now: not where a move that can be typed begins with it."""
    letters = {name[0].lower() for name in typed_names(moves)}
    return {key: key for key in COMMANDS if key not in letters and key != "t"}


def typed_names(moves: Sequence[Move]) -> Iterator[str]:
    """What can be typed for moves: keys of the list, names that are words alone, cells, cards."""
    yield from (key for key, _ in with_keys(moves))
    yield from (move.name for move in moves if not (move.cell or numbers(move.name) or codes_of(move)))
    yield from (move.cell for move in moves if move.cell)
    yield from (code for move in moves for code in codes_of(move))


def command_bar(moves: Sequence[Move], say_: object, width: int) -> list[Line]:
    """The keys of commands, to be typed or clicked, in lines."""
    letters, names = commands(moves), {**COMMANDS, "d": LOOK}
    lines = [Line()]
    for command in ("?", "h", "u", "l", "r", "s", "q", "d"):
        key = command if command in letters else BY_COMMAND[command]
        part = Line.assemble((f" {key} ", KEY), f"{say_(names[command])} ")  # type: ignore[operator]
        part.stylize(Style(meta={"key": command}))
        if lines[-1].cell_len + part.cell_len > width:
            lines.append(Line())
        lines[-1].append_text(part)
    return lines


# --- arrows -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Spot:
    """Where a move can be pointed at: its id, its line, its first column."""

    move: int
    line: int
    column: int


def spots(panels: Sequence[Sequence[Line]]) -> list[Spot]:
    """Where moves stand in panels below each other, each once in a line."""
    out, lines = [], [line for panel in panels for line in panel]
    for number, line in enumerate(lines):
        for span in line.spans:
            move = span.style.meta.get("move") if isinstance(span.style, Style) else None
            if move is not None:
                out.append(Spot(move, number, span.start))
    return out


def next_spot(spots_: Sequence[Spot], pointed: int, arrow: str) -> int:
    """The move that an arrow leads to from the one that is pointed at (-1: none yet)."""
    current = next((spot for spot in spots_ if spot.move == pointed), None)
    if not spots_ or current is None:
        return spots_[0 if arrow in {"down", "right"} else -1].move if spots_ else -1
    if arrow in {"left", "right"}:
        order = sorted(spots_, key=lambda spot: (spot.line, spot.column))
        return order[(order.index(current) + (1 if arrow == "right" else -1)) % len(order)].move
    lines = sorted({spot.line for spot in spots_})
    line = lines[(lines.index(current.line) + (1 if arrow == "down" else -1)) % len(lines)]
    return min((spot for spot in spots_ if spot.line == line), key=lambda spot: abs(spot.column - current.column)).move


BESIDE = 100  # columns of a screen where the log has a column of its own
LOG = 38  # the columns of that
EDGE = 1  # columns at each side of a panel
BAR = 1  # columns of a scroll bar
MOST_MESSAGES = 13  # lines of hints, lessons and refusals


@dataclass
class ScreenState:
    """What is shown and asked now.

    `view` is None while the table is hidden. `log`: the lines of its seat, and how many are news. `turn`: the seat that
    is asked. `pointed`: the id of the move that is pointed at, or -1. `thinker`: the name of the bot that thinks.
    """

    view: View | None = None
    log: tuple[list[Text], int] = field(default_factory=lambda: ([], 0))
    turn: int | None = None
    typing: Typing = field(default_factory=Typing)
    pointed: int = -1
    thinker: str = ""

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that can be played now."""
        return self.view.moves if self.view and self.turn is not None else ()


@dataclass(frozen=True)
class Frame:
    """A screen of so many columns and lines."""

    session: ScreenSession
    state: ScreenState
    width: int
    height: int

    @property
    def beside(self) -> bool:
        """Whether the log has a column of its own."""
        return self.width >= BESIDE

    @property
    def board(self) -> bool:
        """Whether there is a board, which must be seen first."""
        return self.state.view is not None and any(zone.shape == "board" for zone in self.state.view.zones)

    def drawing(self, width: int, height: int = 0) -> FullScreen:
        """How to draw in a panel of so many columns."""
        catalogue, state = self.session.words, self.state
        title = catalogue.words(self.session.match.game.table.ABOUT.title)
        return FullScreen(
            catalogue, title, width - 2 * EDGE - BAR, height, pointed=state.pointed, picked=state.typing.picked
        )

    def panels(self) -> dict[str, list[Line]]:
        """The lines of all panels."""
        edges = {"head": self.head(), "said": self.messages(), "line": [self.line()]}
        edges["keys"] = command_bar(self.state.moves, self.session.say, self.width)
        return edges | self.table(self.height - sum(map(len, edges.values())))

    def table(self, height: int) -> dict[str, list[Line]]:
        """The panels of the table; empty while it is hidden."""
        view = self.state.view
        if view is None:
            return {name: [] for name in ("table", "own", "news", "ask", "log")}
        drawing = self.drawing(self.width - LOG * self.beside, height)
        match = self.session.match
        result = drawing.ending(view, match.returns(), headlines(match, view.seat)) if view.over else []
        drawing = replace(drawing, height=height - len(result), asides=tuple(self.session.asides.of(view.seat)))
        panels = drawing.arrange(view, *self.state.log, self.beside)
        log = self.drawing(LOG).log(*self.state.log) if self.beside else []
        return panels | {"log": log} | ({"ask": result} if result else {})

    def head(self) -> list[Line]:
        """The game, who sits before the screen, and whether it is practice."""
        session, view = self.session, self.state.view
        parts = [self.drawing(self.width).title]
        if len(session.people) > 1 and view is not None and view.seat >= 0:
            parts.append(session.chairs[view.seat].name)
        parts += [session.say(say("practice"))] * session.practice
        return [Line(f" {' · '.join(parts)}"[: self.width], "bold")]

    def messages(self) -> list[Line]:
        """What was said to the person: refusals, hints, what became of the record."""
        lines: list[str] = []
        for text in self.session.messages if self.state.view else ():
            indent = " " * (len(text) - len(text.lstrip()))
            lines += textwrap.TextWrapper(self.width - 2 * EDGE - 1, indent, indent).wrap(text.strip())
        if len(lines) > MOST_MESSAGES:
            lines[MOST_MESSAGES - 1 :] = ["…"]
        return [Line(line) for line in lines]

    def line(self) -> Line:
        """What is typed, and what Enter would do; else which bot is thinking."""
        state, session = self.state, self.session
        if state.thinker and not state.typing.line:
            return Line(session.say(say("{name} is thinking …", name=state.thinker)), "dim")
        if state.turn is None and not state.typing.line:
            return Line()
        out = Line.assemble(("> ", KEY), (state.typing.line, "bold"), ("▏", KEY))
        move = self.move_on_enter()
        if move is not None:
            text = session.say(say("Enter: {move}", move=move.label))
            part = Line(f"  {text}"[: max(0, self.width - 2 * EDGE - out.cell_len)], "dim")
            part.stylize(Style(meta={"key": "enter"}))
            out.append_text(part)
        return out

    def move_on_enter(self) -> Move | None:
        """The move that Enter would play now."""
        if self.state.view is None or self.state.turn is None:
            return None
        if self.state.typing.line:
            moves = self.session.moves_meant(self.state.typing.line, self.state.view)
            return moves[0] if len(moves) == 1 else None
        return next((move for move in self.state.moves if move.id == self.state.pointed), None)
