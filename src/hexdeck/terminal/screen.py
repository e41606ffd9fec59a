"""Draws a view in lines for a terminal: 80 × 24 where it can, readable without colour too."""

from __future__ import annotations

import functools
import itertools
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text as Line

from hexdeck.engine.text import STANDARD_CARD, Catalogue, Text, card_text, say
from hexdeck.engine.view import Move, View, Zone
from hexdeck.terminal.board import scores, with_boards
from hexdeck.terminal.keys import keyed

CARD = "bold black on white"
RED = "bold red"
RED_CARD = f"{RED} on white"
BACK = "dim"
NEWS = 4  # lines of news that are worth more than empty lines and drawn cards


@dataclass(frozen=True)
class Screen:
    """How to draw: words of a language, size, whether there are colours and characters beyond ASCII.

    `tight`: cards face down take as little room as they can, and what doesn't fit beside a name stands under it.
    `roomy`: rows of boards stand apart.
    """

    words: Catalogue
    title: str
    width: int = 80
    height: int = 24
    colour: bool = True
    fancy: bool = True
    tight: bool = False
    roomy: bool = False

    @classmethod
    def of(cls, console: Console, words: Catalogue, title: Text) -> Screen:
        """A screen for a console as it is now."""
        fancy = is_fancy(console)
        colour = console.color_system is not None and not console.no_color
        return cls(words, words.words(title), min(console.width, 100), console.height, colour, fancy)

    def draw(self, view: View, news: Sequence[Text], below: int = 1) -> list[Line]:
        """The table from a seat, with what happened since its last move, what it is asked and its moves.

        `below`: lines that must stay free under it, for the answer at least. Where there is little room, empty lines
        go first, then drawn cards, then moves that the others let one guess, then news.
        """
        for gaps, drawn, all_moves in ((1, True, True), (0, True, True), (0, False, True), (0, False, False)):
            gap = [Line()] * gaps
            own = self.own(view, drawn)
            top = [self.rule(self.title), *self.table(view, gap), *(gap if own else []), *own]
            bottom = [*self.prompt(view), *scores(self, view.moves), *self.moves(view.moves, all_moves)]
            room = self.height - below - len(top) - len(bottom) - 2 * gaps
            if room >= NEWS:
                break
        told = self.news(news, room)
        return [*top, *gap, *told, *(gap if told else []), *bottom]

    def say(self, key: Text) -> str:
        """Words of this language, cards with symbols where they can be shown."""
        return self.speech.words(key)

    @functools.cached_property
    def speech(self) -> Catalogue:
        """The words, with symbols of suits where they can be shown."""
        return replace(self.words, suits=self.fancy)

    def rule(self, title: str) -> Line:
        """A line across with a title in it."""
        dash = "─" if self.fancy else "-"
        return Line.assemble(
            (f"{dash}{dash} ", "dim"), (title, "bold"), (" " + dash * (self.width - len(title) - 4), "dim")
        )

    # --- zones ----------------------------------------------------------------------------------------------------
    def table(self, view: View, gap: Sequence[Line]) -> list[Line]:
        """The other seats and the middle."""
        if any(zone.shape == "board" for zone in view.zones):
            return with_boards(self, view, gap)
        return [*self.others(view), *gap, *self.middle(view)]

    def others(self, view: View) -> list[Line]:
        """A line for each other seat, from the left neighbour on."""
        first = view.seat + 1 if view.seat >= 0 else 0
        seats = [(first + k) % view.players for k in range(view.players)]
        zones = {seat: self.placed(view, seat) for seat in seats if seat != view.seat}
        return [line for seat, owned in zones.items() for line in self.seat_lines(view, seat, owned)]

    def placed(self, view: View, seat: int | None) -> list[Zone]:
        """The zones of a seat, or of nobody, that stand in lines: all but boards."""
        return [zone for zone in view.zones if zone.seat == seat and zone.shape != "board"]

    def seat_lines(self, view: View, seat: int, zones: Sequence[Zone]) -> list[Line]:
        """One seat: a mark if it is to act, its name, its zones; on more lines if they don't fit."""
        wide = max(len(self.words.name(seat)) for seat in range(view.players)) + 1
        mark = ("▸ " if self.fancy else "> ") if seat in view.acting else "  "
        head = Line.assemble((mark, "bold yellow"), (self.words.name(seat).ljust(wide), "bold"))
        return self.flow(head, zones, 4 if self.tight else 2 + wide)

    def middle(self, view: View) -> list[Line]:
        """What belongs to nobody."""
        return self.flow(Line("  "), self.placed(view, None), 2)

    def own(self, view: View, drawn: bool = True) -> list[Line]:
        """The viewer's own zones, the hand last: drawn as cards one could pick up, or in a line."""
        if view.seat < 0:
            return []
        mine = self.placed(view, view.seat)
        hand = next((zone for zone in mine if zone.shape == "fan" and zone.cards), None)
        lines = self.seat_lines(view, view.seat, [zone for zone in mine if zone is not hand])
        return [*lines, *(self.spread(hand, drawn) if hand else [])]

    def flow(self, head: Line, zones: Sequence[Zone], indent: int) -> list[Line]:
        """Zones after a head, three spaces apart, broken into lines where they must be."""
        lines, begun = [head], [False]
        for pieces in [self.parts(zone, self.width - indent) for zone in zones]:
            for gap, part in pieces:
                room = [self.width - line.cell_len - gap * used for line, used in zip(lines, begun, strict=True)]
                first = 0 if self.tight and len(pieces) == 1 else len(lines) - 1  # the first line it may stand on
                at = next((k for k in range(first, len(lines)) if part.cell_len <= room[k]), len(lines))
                if at == len(lines) and begun[-1]:
                    lines.append(Line(" " * indent))
                    begun.append(False)
                at = min(at, len(lines) - 1)
                lines[at] = Line.assemble(lines[at], " " * gap * begun[at], part)
                begun[at] = True
        return lines

    def parts(self, zone: Zone, room: int) -> list[tuple[int, Line]]:
        """A zone whole, where it fits in a line; else what a line may break between, each with the spaces before it."""
        pieces = self.pieces(zone)
        trick = Line().join(Line.assemble(" " * gap, piece) for gap, piece in pieces)[pieces[0][0] :]
        for whole in (trick,) if zone.owners else (self.zone(zone), self.zone(zone, grouped=True)):
            if whole.cell_len <= room:
                return [(3, whole)]
        return pieces

    def pieces(self, zone: Zone) -> list[tuple[int, Line]]:
        """A zone in pieces: title and first card, the other cards, of a trick after whom they came from, the rest."""
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
        """A zone in one line: title, cards (`grouped`: each kind once, with its number), number, note."""
        line = Line(self.say(zone.title) + " ")
        if zone.shape != "pile":
            line.append_text(self.cards(zone.cards, grouped))
        line.append_text(self.pile(zone) if zone.shape == "pile" else self.backs(zone.hidden))
        if zone.count is not None:
            number = str(zone.count) if zone.shape == "count" else f" ({zone.count})" if zone.cards else ""
            line.append(number, "bold" if zone.shape == "count" else "")
        if not (zone.cards or zone.hidden or zone.shape == "count"):
            line.append("–" if self.fancy else "-", "dim")
        if zone.note is not None:
            line.append(f" · {self.say(zone.note)}" if self.fancy else f" - {self.say(zone.note)}", "italic")
        return line

    def cards(self, codes: Sequence[str], grouped: bool = False) -> Line:
        """Small cards side by side."""
        if not grouped:
            return Line().join([self.card(code) for code in codes])
        return Line(" ").join([self.card(code) + self.times(codes.count(code)) for code in dict.fromkeys(codes)])

    def times(self, count: int) -> str:
        """How often, when it is more than once."""
        return "" if count == 1 else f"×{count}" if self.fancy else f"x{count}"

    def card(self, code: str) -> Line:
        """A small card."""
        text = card_text(code, self.fancy)
        return Line.assemble((f" {text} ", self.card_style(code)), " ") if self.colour else Line(f"[{text}]")

    def card_style(self, code: str) -> str:
        """The colours of a card: hearts and diamonds are red."""
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
        """A pile: how many cards, and those known by rank, "7 ×2", if any."""
        if zone.hidden and not zone.cards:
            return self.backs(zone.hidden)
        kinds = {code: card_text(code, self.fancy) + self.times(zone.cards.count(code)) for code in zone.cards}
        return Line(", ".join(kinds.values()))

    def spread(self, zone: Zone, drawn: bool) -> list[Line]:
        """A hand as drawn cards if it can be, else in a line."""
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

    # --- words ----------------------------------------------------------------------------------------------------
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
        """A sentence of the log, on as many lines as it takes."""
        bullet = "  · " if self.fancy else "  - "
        lines = textwrap.wrap(self.say(text), self.width, initial_indent=bullet, subsequent_indent="    ")
        return [Line(line) for line in lines]

    def prompt(self, view: View) -> list[Line]:
        """What the table waits for."""
        return [Line(line, "bold") for line in textwrap.wrap(self.say(view.prompt), self.width)]

    def moves(self, moves: Sequence[Move], complete: bool = True) -> list[Line]:
        """What can be typed, in as many columns as fit; or only the ends of long runs ("draw 1 … draw 45")."""
        dots = "  …" if self.fancy else "..."
        listed = self.listed(moves, complete)
        entries = [self.entry(key, move) if move else dots for key, move in listed]
        return self.columns(entries, self.few(listed), 5) if entries else []

    def listed(self, moves: Sequence[Move], complete: bool) -> list[tuple[str, Move | None]]:
        """Each move that the list shows, with what to type for it; no move where some are left out."""
        pairs = keyed(moves)
        places = [
            (str(int(key) - k) if key.isdecimal() else key, move.label.key) for k, (key, move) in enumerate(pairs)
        ]
        out: list[tuple[str, Move | None]] = []
        for _, run in itertools.groupby(zip(places, pairs, strict=True), lambda item: item[0]):
            found: list[tuple[str, Move | None]] = [pair for _, pair in run]
            out += found if complete or len(found) < 4 else [found[0], ("", None), found[-1]]
        return out

    def few(self, listed: Sequence[tuple[str, Move | None]]) -> int:
        """How many entries stand below each other before columns are made."""
        return 3 if all(move for _, move in listed) else 6

    def entry(self, key: str, move: Move) -> str:
        """A move in the list, after what to type for it."""
        return f"{card_text(key, self.fancy):>3}  {self.say(move.label)}"

    def marked(self, line: Line, _move: Move) -> Line:
        """What stands for a move: another screen may let people point at it."""
        return line

    def columns(self, entries: Sequence[str], few: int, indent: int) -> list[Line]:
        """Entries below each other; more than a few in as many columns as fit."""
        wide = max(map(len, entries)) + 2
        columns = 1 if len(entries) <= few else max(1, (self.width + 2) // wide)
        if columns == 1:
            lines = [textwrap.wrap(entry, self.width, subsequent_indent=" " * indent) for entry in entries]
            return [Line(line) for entry in lines for line in entry]
        rows = -(-len(entries) // columns)
        return [Line("".join(entry.ljust(wide) for entry in entries[row::rows]).rstrip()) for row in range(rows)]

    def end(self, view: View, news: Sequence[Text], returns: Sequence[float], below: int) -> list[Line]:
        """The table when all is over, and the result; where not all of it fits, what happened last and the result."""
        result, told = self.result(view, returns), [line for text in news for line in self.wrapped(text)]
        lines = [*self.draw(view, news, len(result) + below), *result]
        kept = {line.plain for line in lines}
        whole = all(line.plain in kept for line in told)
        board = any(zone.shape == "board" for zone in view.zones)  # it tells more than the news
        if len(lines) + below <= self.height and (whole or board):
            return lines
        room = self.height - below - len(result) - 2
        return [self.rule(self.title), *told[-room:], Line(), *result]

    def result(self, view: View, returns: Sequence[float]) -> list[Line]:
        """How it ended for everybody, best first."""
        order = sorted(range(view.players), key=lambda seat: -returns[seat])
        wide = max(len(self.words.name(seat)) for seat in order) + 2
        names = [self.words.name(seat).ljust(wide) for seat in order]
        rows = [
            f"  {name}{self.say(view.fates[seat])}  ({round(returns[seat], 2):+g})"
            for name, seat in zip(names, order, strict=True)
        ]
        return [Line(self.say(say("The result")), "bold"), *self.columns(rows, 4, 2 + wide)]


def is_fancy(console: Console) -> bool:
    """Whether a console shows characters beyond ASCII."""
    return (console.encoding or "").lower().startswith("utf")
