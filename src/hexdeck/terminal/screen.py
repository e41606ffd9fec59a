"""Draws a view in lines for a terminal: 80 × 24 where it can, readable without colour too."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from rich.text import Text as Line

from hexdeck.engine.text import Catalogue, Text, say
from hexdeck.engine.view import Move, View, Zone
from hexdeck.terminal.keys import numbered

CARD = "bold black on white"
BACK = "dim"


@dataclass(frozen=True)
class Screen:
    """How to draw: words of a language, size, whether there are colours and characters beyond ASCII."""

    words: Catalogue
    title: str
    width: int = 80
    height: int = 24
    colour: bool = True
    fancy: bool = True

    def draw(self, view: View, news: Sequence[Text]) -> list[Line]:
        """The table from a seat, with what happened since its last move, what it is asked and its moves."""
        top = [self.rule(self.title), *self.others(view), Line(), *self.middle(view), Line(), *self.own(view)]
        bottom = [*self.prompt(view), *self.moves(view.moves)]
        room = max(3, self.height - len(top) - len(bottom) - 3)
        return [*top, *self.news(news, room), *bottom]

    def say(self, key: Text) -> str:
        """Words of this language."""
        return self.words.words(key)

    def rule(self, title: str) -> Line:
        """A line across with a title in it."""
        dash = "─" if self.fancy else "-"
        return Line.assemble(
            (f"{dash}{dash} ", "dim"), (title, "bold"), (" " + dash * (self.width - len(title) - 4), "dim")
        )

    # --- zones ----------------------------------------------------------------------------------------------------
    def others(self, view: View) -> list[Line]:
        """A line for each other seat, from the left neighbour on."""
        first = view.seat + 1 if view.seat >= 0 else 0
        seats = [(first + k) % view.players for k in range(view.players)]
        wide = max((len(self.words.name(seat)) for seat in seats), default=0) + 1
        return [line for seat in seats if seat != view.seat for line in self.seat_lines(view, seat, wide)]

    def seat_lines(self, view: View, seat: int, wide: int) -> list[Line]:
        """One seat: a mark if it is to act, its name, its zones; on more lines if they don't fit."""
        mark = ("▸ " if self.fancy else "> ") if seat in view.acting else "  "
        head = Line.assemble((mark, "bold yellow"), (self.words.name(seat).ljust(wide), "bold"))
        zones = [self.zone(zone) for zone in view.zones if zone.seat == seat]
        return self.flow(head, zones, 2 + wide)

    def middle(self, view: View) -> list[Line]:
        """What belongs to nobody."""
        return self.flow(Line("  "), [self.zone(zone) for zone in view.zones if zone.seat is None], 2)

    def own(self, view: View) -> list[Line]:
        """The viewer's own zones, the hand as cards one could pick up."""
        mine = [zone for zone in view.zones if zone.seat == view.seat and view.seat >= 0]
        hand = next((zone for zone in mine if zone.shape == "fan" and zone.cards), None)
        rest = [self.zone(zone) for zone in mine if zone is not hand]
        mark = ("▸ " if self.fancy else "> ") if view.seat in view.acting else "  "
        lines = self.flow(Line.assemble((mark, "bold yellow")), rest, 2) if rest else []
        return [*lines, *(self.spread(hand) if hand else [])]

    def flow(self, head: Line, parts: Sequence[Line], indent: int) -> list[Line]:
        """Parts after a head, three spaces apart, broken into lines where they must be."""
        lines, empty = [head], True
        for part in parts:
            if not empty and lines[-1].cell_len + part.cell_len + 3 > self.width:
                lines.append(Line(" " * indent))
                empty = True
            lines[-1] = Line.assemble(lines[-1], "" if empty else "   ", part)
            empty = False
        return lines

    def zone(self, zone: Zone) -> Line:
        """A zone in one line: title, cards, number, note."""
        line = Line(self.say(zone.title) + " ")
        for card in zone.cards if zone.shape != "pile" else ():
            line.append_text(self.card(card))
        line.append_text(self.pile(zone) if zone.shape == "pile" else self.backs(zone.hidden))
        if zone.count is not None:
            number = str(zone.count) if zone.shape == "count" else f" ({zone.count})" if zone.cards else ""
            line.append(number, "bold" if zone.shape == "count" else "")
        if not (zone.cards or zone.hidden or zone.shape == "count"):
            line.append("–" if self.fancy else "-", "dim")
        if zone.note is not None:
            line.append(f" · {self.say(zone.note)}" if self.fancy else f" - {self.say(zone.note)}", "italic")
        return line

    def card(self, code: str) -> Line:
        """A small card."""
        return Line.assemble((f" {code} ", CARD), " ") if self.colour else Line(f"[{code}]")

    def backs(self, count: int) -> Line:
        """So many cards face down."""
        if count == 0:
            return Line()
        back = "▒" if self.fancy else "#"
        return Line.assemble((back * min(count, 8), BACK), f" {count}")

    def pile(self, zone: Zone) -> Line:
        """A pile: how many cards, and those known by rank, "7 ×2", if any."""
        if zone.hidden and not zone.cards:
            return self.backs(zone.hidden)
        kinds = list(dict.fromkeys(zone.cards))
        times = "×" if self.fancy else "x"
        each = [code if zone.cards.count(code) == 1 else f"{code}{times}{zone.cards.count(code)}" for code in kinds]
        return Line(", ".join(each))

    def spread(self, zone: Zone) -> list[Line]:
        """A hand as drawn cards."""
        title = Line(f"  {self.say(zone.title)}")
        if zone.note is not None:
            title.append(f"  {self.say(zone.note)}", "italic")
        if len(zone.cards) * 5 + 2 > self.width or not self.fancy:
            return [Line.assemble(title, " ", *[self.card(code) for code in zone.cards])]
        rows = ["┌───┐", "│{}│", "└───┘"]
        drawn = [Line("  " + "".join(row.format(code.center(3)) for code in zone.cards)) for row in rows]
        drawn[0].append(f"  {self.say(zone.title)}", "dim")
        if zone.note is not None:
            drawn[1].append(f"  {self.say(zone.note)}", "italic")
        return drawn

    # --- words ----------------------------------------------------------------------------------------------------
    def news(self, news: Sequence[Text], room: int) -> list[Line]:
        """What happened, the newest last; older lines give way when there is no room."""
        lines = [line for text in news for line in self.wrapped(text)]
        cut = len(lines) > room
        lines = lines[len(lines) - room + 1 :] if cut else lines
        dots = "…" if self.fancy else "..."
        more = [Line(f"  {dots} {self.say(say('l shows the whole log'))}", "dim")] if cut else []
        return [Line(), *more, *lines, Line()] if lines else [Line()]

    def wrapped(self, text: Text) -> list[Line]:
        """A sentence of the log, on as many lines as it takes."""
        bullet = "  · " if self.fancy else "  - "
        lines = textwrap.wrap(self.say(text), self.width, initial_indent=bullet, subsequent_indent="    ")
        return [Line(line) for line in lines]

    def prompt(self, view: View) -> list[Line]:
        """What the table waits for."""
        return [Line(line, "bold") for line in textwrap.wrap(self.say(view.prompt), self.width)]

    def moves(self, moves: Sequence[Move]) -> list[Line]:
        """The numbered moves, in as many columns as fit."""
        entries = [f"{number:>3}  {self.say(move.label)}" for number, move in numbered(moves)]
        if not entries:
            return []
        wide = max(map(len, entries)) + 2
        columns = 1 if len(entries) <= 3 else max(1, self.width // wide)
        rows = -(-len(entries) // columns)
        return [Line("".join(entry.ljust(wide) for entry in entries[row::rows]).rstrip()) for row in range(rows)]

    def result(self, view: View, returns: Sequence[float]) -> list[Line]:
        """How it ended for everybody, best first."""
        order = sorted(range(view.players), key=lambda seat: -returns[seat])
        wide = max(len(self.words.name(seat)) for seat in order) + 2
        names = [self.words.name(seat).ljust(wide) for seat in order]
        rows = [
            f"  {name}{self.say(view.fates[seat])}  ({returns[seat]:+g})"
            for name, seat in zip(names, order, strict=True)
        ]
        return [Line(self.say(say("The result")), "bold"), *map(Line, rows)]
