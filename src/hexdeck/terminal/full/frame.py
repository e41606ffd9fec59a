"""What the full screen shows: its panels in lines, its keys, and what is typed and pointed at."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rich.style import Style
from rich.text import Text as Line

from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import Move, View
from hexdeck.tables.live import codes_of
from hexdeck.terminal.dialogue import COMMANDS
from hexdeck.terminal.full.drawing import KEY, FullScreen
from hexdeck.terminal.full.screen_session import ScreenSession
from hexdeck.terminal.keys import numbers, with_keys

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
        return {"table": panels.table, "own": panels.own, "news": panels.news, "ask": result or panels.ask, "log": log}

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
