"""Draws the zones of a view in lines: cards, piles and numbers, seat by seat; readable without colour too."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.text import Text as Line

from hexdeck.engine.text import STANDARD_CARD, Catalogue, Text, card_text
from hexdeck.engine.view import Move, View, Zone

CARD = "bold black on white"
RED = "bold red"
RED_CARD = f"{RED} on white"
BACK = "dim"


@dataclass(frozen=True)
class ZoneDrawing:
    """How to draw zones: a catalogue, the size of the screen, whether it shows colours and characters beyond ASCII.

    `tight`: cards face down take as little room as they can, and what doesn't fit beside a name goes under it.
    `roomy`: rows of boards are spaced out.
    """

    words: Catalogue
    title: str
    width: int = 80
    height: int = 24
    colour: bool = True
    fancy: bool = True
    tight: bool = False
    roomy: bool = False

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
        """The zones of a seat, or of the middle (None), without boards and rows of no card at all."""
        zones = [zone for zone in view.zones if zone.seat == seat and zone.shape != "board"]
        return [zone for zone in zones if seat is not None or zone.shape != "row" or zone.cards or zone.count != 0]

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
        lines, begun = [head], [False]
        for pieces in [self.parts(zone, self.width - indent) for zone in zones]:
            for gap, part in pieces:
                room = [self.width - line.cell_len - gap * used for line, used in zip(lines, begun, strict=True)]
                first = 0 if self.tight and len(pieces) == 1 else len(lines) - 1  # the first line that may hold it
                at = next((k for k in range(first, len(lines)) if part.cell_len <= room[k]), len(lines))
                if at == len(lines) and begun[-1]:
                    lines.append(Line(" " * indent))
                    begun.append(False)
                at = min(at, len(lines) - 1)
                lines[at] = Line.assemble(lines[at], " " * gap * begun[at], part)
                begun[at] = True
        return lines

    def parts(self, zone: Zone, room: int) -> list[tuple[int, Line]]:
        """A zone whole where it fits into a line, else in pieces; each with the spaces before it."""
        pieces = self.pieces(zone)
        trick = Line().join(Line.assemble(" " * gap, piece) for gap, piece in pieces)[pieces[0][0] :]
        for whole in (trick,) if zone.owners else (self.zone(zone), self.zone(zone, grouped=True)):
            if whole.cell_len <= room:
                return [(3, whole)]
        return pieces

    def pieces(self, zone: Zone) -> list[tuple[int, Line]]:
        """A zone in pieces: title and first card, the other cards (in a trick, after their players), the rest."""
        if zone.owners:
            cards = [
                Line.assemble(f"{self.words.name(seat)} ", (card_text(code, self.fancy), self.card_style(code)))
                for seat, code in zip(zone.owners, zone.cards, strict=True)
            ]
        elif zone.shape == "pile":
            cards = list(self.pile(zone).split(" "))
        else:
            cards = [self.cards([code] * zone.cards.count(code), grouped=True) for code in dict.fromkeys(zone.cards)]
        note = f"{'·' if self.fancy else '-'} {self.say(zone.note)}" if zone.note else ""
        rest = [
            *([self.backs(zone.hidden)] if zone.hidden and zone.shape != "pile" else []),
            *([Line(f"({zone.count})")] if zone.count is not None else []),
            *(Line(word, "italic") for word in note.split()),
        ]
        title = Line.assemble(self.say(zone.title), " ", *cards[:1])
        return [(3, title), *((2 if zone.owners else 1, card) for card in cards[1:]), *((1, part) for part in rest)]

    def zone(self, zone: Zone, grouped: bool = False) -> Line:
        """A zone in one line: title, cards, number, note; `grouped`: each kind of card once, with its count."""
        line = Line(self.say(zone.title) + " ")
        if zone.shape != "pile":
            line.append_text(self.cards(zone.cards, grouped))
        line.append_text(self.pile(zone) if zone.shape == "pile" else self.backs(zone.hidden))
        counted = zone.shape == "count" or bool(zone.count and zone.places)
        if zone.count is not None:
            number = str(zone.count) if counted else f" ({zone.count})" if zone.cards else ""
            line.append(number, "bold" if counted else "")
        if not (zone.cards or zone.hidden or counted):
            line.append("–" if self.fancy else "-", "dim")
        if zone.note is not None:
            line.append(f" · {self.say(zone.note)}" if self.fancy else f" - {self.say(zone.note)}", "italic")
        return line

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
        text = card_text(code, self.fancy)
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
        kinds = {code: card_text(code, self.fancy) + self.times(zone.cards.count(code)) for code in zone.cards}
        return Line(", ".join(kinds.values()))
