"""Draws a view for a terminal in lines: 80 × 24 where it can, readable without colour too."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text as Line

from hexdeck.engine.text import Catalogue, Text, card_text, say
from hexdeck.engine.view import Aside, Move, View, Zone
from hexdeck.terminal.board import scores, with_boards
from hexdeck.terminal.keys import with_keys
from hexdeck.terminal.zones import RED, ZoneDrawing

NEWS = 4  # lines of news that are worth more than empty lines and drawn cards


@dataclass(frozen=True)
class Screen(ZoneDrawing):
    """Draws the whole table: the other seats, the middle, the viewer's own zones, what happened, and the moves.

    `asides`: what the viewer may say beside the moves, and whether it was said.
    """

    asides: Sequence[tuple[Aside, bool]] = ()

    @classmethod
    def of(cls, console: Console, words: Catalogue, title: Text) -> Screen:
        """A screen for a console as it is now."""
        fancy = is_fancy(console)
        colour = console.color_system is not None and not console.no_color
        return cls(words, words.words(title), min(console.width, 100), console.height, colour, fancy)

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
        lines = self.news(news, room)
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
        wide = max(3, *(len(card_text(code, self.fancy)) for code in zone.cards))
        faces = [
            Line.assemble("│", (card_text(code, self.fancy).center(wide), RED if self.red(code) else ""), "│")
            for code in zone.cards
        ]
        edges = ["  " + f"{left}{'─' * wide}{right}" * len(faces) for left, right in ("┌┐", "└┘")]
        lines = [Line(edges[0]), Line.assemble("  ", *faces), Line(edges[1])]
        lines[0].append(f"  {self.say(zone.title)}", "dim")
        if zone.note is not None:
            lines[1].append(f"  {self.say(zone.note)}", "italic")
        if drawn and self.fancy and max(line.cell_len for line in lines) <= self.width:
            return lines
        return self.flow(Line("  "), [zone], 2)

    # --- sentences ----------------------------------------------------------------------------------------------------
    def news(self, news: Sequence[Text], room: int) -> list[Line]:
        """What happened, the newest last; older lines give way when there is no room."""
        lines = [line for text in news for line in self.wrapped(text)]
        if len(lines) <= room:
            return lines
        dots = "…" if self.fancy else "..."
        hint = self.say(say("l shows the whole log"))
        more = Line(f"  {dots} {hint}", "dim")
        return [more, *lines[len(lines) - room + 1 :]] if room > 0 else []

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
        """The list of moves, in as many columns as fit; or only the ends of long runs ("draw 1 … draw 45")."""
        dots = "  …" if self.fancy else "..."
        listed = self.listed(moves, complete)
        entries = [self.entry(key, move) if move else dots for key, move in listed]
        return self.columns(entries, self.few(listed), 5) if entries else []

    def listed(self, moves: Sequence[Move], complete: bool) -> list[tuple[str, Move | None]]:
        """The moves of the list, each with what to type for it; None in place of moves that are left out."""
        pairs = with_keys(moves)
        places = [
            (str(int(key) - k) if key.isdecimal() else key, move.label.key) for k, (key, move) in enumerate(pairs)
        ]
        out: list[tuple[str, Move | None]] = []
        for _, run in itertools.groupby(zip(places, pairs, strict=True), lambda item: item[0]):
            found: list[tuple[str, Move | None]] = [pair for _, pair in run]
            out += found if complete or len(found) < 4 else [found[0], ("", None), found[-1]]
        return out

    def few(self, listed: Sequence[tuple[str, Move | None]]) -> int:
        """How many entries stand in one column before more columns are made."""
        return 3 if all(move for _, move in listed) else 6

    def entry(self, key: str, move: Move) -> str:
        """A move of the list, after what to type for it."""
        return f"{card_text(key, self.fancy):>3}  {self.say(move.label)}"

    def columns(self, entries: Sequence[str], few: int, indent: int) -> list[Line]:
        """Entries below each other; more than a few in as many columns as fit."""
        wide = max(map(len, entries)) + 2
        columns = 1 if len(entries) <= few else max(1, (self.width + 2) // wide)
        if columns == 1:
            lines = [textwrap.wrap(entry, self.width, subsequent_indent=" " * indent) for entry in entries]
            return [Line(line) for entry in lines for line in entry]
        rows = -(-len(entries) // columns)
        return [Line("".join(entry.ljust(wide) for entry in entries[row::rows]).rstrip()) for row in range(rows)]

    def aside_lines(self) -> list[Line]:
        """Whom the viewer can say something of beside the moves, and of whom it was said; a line for each kind."""
        lines: list[Line] = []
        for _, found in itertools.groupby(self.asides, lambda pair: pair[0].label.key):
            kind = list(found)
            lines.append(Line(self.say(say("You can also {word}:", word=self.say(kind[0][0].label).lower()))))
            for k, (aside, said) in enumerate(kind):
                name = self.words.name(aside.about)
                part = self.marked_aside(Line(self.say(say("{name} (said)", name=name)) if said else name), aside)
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
        kept = {line.plain for line in lines}
        whole = all(line.plain in kept for line in news_lines)
        board = any(zone.shape == "board" for zone in view.zones)  # which says more than the news
        if len(lines) + below <= self.height and (whole or board):
            return lines
        room = self.height - below - len(result) - 2
        return [self.rule(self.title), *news_lines[-room:], Line(), *result]

    def result(self, view: View, returns: Sequence[float], told: Sequence[Text]) -> list[Line]:
        """The headline, in the same line what is told beside it where that fits, and the outcome of every seat."""
        whole = " ".join(map(self.say, told))
        head = textwrap.wrap(whole if len(whole) <= self.width else self.say(told[0]), self.width)
        order = sorted(range(view.players), key=lambda seat: -returns[seat])
        wide = max(len(self.words.name(seat)) for seat in order) + 2
        names = [self.words.name(seat).ljust(wide) for seat in order]
        rows = [f"  {name}{self.say(view.outcome_texts[seat])}" for name, seat in zip(names, order, strict=True)]
        return [*(Line(line, "bold") for line in head), *self.columns(rows, 4, 2 + wide)]


def is_fancy(console: Console) -> bool:
    """Whether a console shows characters beyond ASCII."""
    return (console.encoding or "").lower().startswith("utf")
