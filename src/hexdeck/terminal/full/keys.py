"""The keys of the full screen: what is typed so far, which letters are commands now, and where arrows lead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.style import Style
from rich.text import Text as Line

from hexdeck.engine.text import say
from hexdeck.engine.view import Move
from hexdeck.tables.model.choice import codes_of
from hexdeck.terminal.dialogue import COMMANDS
from hexdeck.terminal.full.themes import KEY
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
    begun = {name[0].lower() for name in typed_names(moves)}
    return {key: key for key in COMMANDS if key not in begun and key != "t"}


def typed_names(moves: Sequence[Move]) -> Iterator[str]:
    """What can be typed for moves: keys of the list, names that are words alone, cells, cards."""
    yield from (key for key, _ in with_keys(moves))
    yield from (move.name for move in moves if not (move.cell or numbers(move.name) or codes_of(move)))
    yield from (move.cell for move in moves if move.cell)
    yield from (code for move in moves for code in codes_of(move))


def command_bar(moves: Sequence[Move], say_: object, width: int) -> list[Line]:
    """The keys of commands, to be typed or clicked, in lines."""
    letters, words = commands(moves), {**COMMANDS, "d": LOOK}
    lines = [Line()]
    for command in ("?", "h", "u", "l", "r", "s", "q", "d"):
        key = command if command in letters else BY_COMMAND[command]
        part = Line.assemble((f" {key} ", KEY), f"{say_(words[command])} ")  # type: ignore[operator]
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
    found, lines = [], [line for panel in panels for line in panel]
    for number, line in enumerate(lines):
        for span in line.spans:
            move = span.style.meta.get("move") if isinstance(span.style, Style) else None
            if move is not None:
                found.append(Spot(move, number, span.start))
    return found


def next_spot(found: Sequence[Spot], pointed: int, arrow: str) -> int:
    """The move that an arrow leads to from the one that is pointed at (-1: none yet)."""
    here = next((spot for spot in found if spot.move == pointed), None)
    if not found or here is None:
        return found[0 if arrow in {"down", "right"} else -1].move if found else -1
    if arrow in {"left", "right"}:
        order = sorted(found, key=lambda spot: (spot.line, spot.column))
        return order[(order.index(here) + (1 if arrow == "right" else -1)) % len(order)].move
    lines = sorted({spot.line for spot in found})
    line = lines[(lines.index(here.line) + (1 if arrow == "down" else -1)) % len(lines)]
    return min((spot for spot in found if spot.line == line), key=lambda spot: abs(spot.column - here.column)).move
