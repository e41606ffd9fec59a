"""Arranges a view for the page: who has how much, what lies where, what can be chosen. No game is known here.

Everything is made from the view and from facts of the table that are public.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Move, View, Zone
from hexdeck.tables.model import choice
from hexdeck.web.html.assets import address
from hexdeck.web.html.lines import log_lines
from hexdeck.web.html.looks import (
    SeatLayout,
    Slot,
    ZoneLayout,
    board_layout,
    cards_in_note,
    element_id,
    hand_looks,
    middle_looks,
    seat_looks,
    slot_with,
    with_slots,
    without_hand,
    zone_looks,
)
from hexdeck.web.html.page_models import SeatLine
from hexdeck.web.html.table_models import TablePage

CHOSEN = "{seat} has chosen."  # a line of the log that is no news: a check mark beside the name says the same


@dataclass
class Placed:
    """What lies on the table, in the order in which it is shown; it never changes.

    `counts`: what is counted in the middle. `mine`: the reader's own seat, without the hand.
    """

    seats: tuple[SeatLayout, ...]
    boards: tuple[ZoneLayout, ...]
    middle: tuple[ZoneLayout, ...]
    counts: tuple[ZoneLayout, ...]
    hand: ZoneLayout | None
    mine: SeatLayout | None

    @property
    def others(self) -> tuple[SeatLayout, ...]:
        """The other seats as they sit around the table, from the reader's left; all of them for a spectator."""
        at = next((number for number, seat in enumerate(self.seats) if seat.me), None)
        return self.seats if at is None else self.seats[at + 1 :] + self.seats[:at]

    @property
    def everybody(self) -> tuple[SeatLayout, ...]:
        """All seats as they sit around the table, the reader's own last."""
        return self.others + tuple(seat for seat in self.seats if seat.me)


@dataclass
class TableLayout(Placed):
    """Everything on the page of a table.

    `moves`: moves that are neither cards nor cells, name and label. `groups`: moves of several cards, see
    `Arranger.groups`. `news`, `log`: lines as HTML. `ranked`: the seats by place. `legend`: icons that stand for words,
    and their words.
    """

    moves: tuple[tuple[str, str], ...]
    groups: str
    group_size: int
    prompt: str
    news: tuple[str, ...]
    log: tuple[str, ...]
    playable: bool
    ranked: tuple[SeatLayout, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


def arrange(page: TablePage, words: Catalogue, lines: int) -> TableLayout:
    """The table of a page, with at most so many lines of the log."""
    return Arranger(page, words).table(lines)


def sprite_of(prefix: str) -> str:
    """The address of the sprite, which holds all pictures: always the same object, by which HTML is remembered."""
    return one_address(prefix, address("sprite.svg"))


@functools.lru_cache(256)
def one_address(prefix: str, path: str) -> str:
    """The address of a path on a site that begins at a prefix."""
    return f"{prefix}/{path}"


class Arranger:
    """Arranges the table of one page in one language."""

    def __init__(self, page: TablePage, words: Catalogue) -> None:
        self.page, self.view, self.words, self.say = page, page.view, words, words.words
        self.sprite = sprite_of(page.site.prefix)
        self.by_card, self.by_cards = choice.moves_by_card(self.view), choice.moves_by_cards(self.view)
        self.lines = {line.number: line for line in page.seats}
        self.zones: Sequence[Zone] | None = None  # that were arranged last, and how they look:
        self.seats: dict[int, SeatLayout] = {}
        self.boards: tuple[ZoneLayout, ...] = ()
        self.middle: tuple[ZoneLayout, ...] = ()
        self.counts: tuple[ZoneLayout, ...] = ()
        self.hand: ZoneLayout | None = None
        self.mine: SeatLayout | None = None

    def placed(self, zones: Sequence[Zone]) -> tuple[Any, ...]:
        """What lies on the table with these zones: the fields of `Placed`. Only what has changed is arranged anew."""
        lying: dict[int | None, list[Zone]] = {seat: [] for seat in self.changed(zones)}
        for zone in zones:
            if zone.seat in lying:
                lying[zone.seat].append(zone)
        for seat, there in lying.items():
            if seat is None:
                self.boards = tuple([self.board(zone) for zone in there if zone.shape == "board"])
                self.middle, self.counts = middle_looks(self.words, self.sprite, *there)
            elif seat in self.lines:
                self.seats[seat] = self.seat(self.lines[seat], there)
                if seat == self.view.seat:
                    self.place_own(there)
        self.zones = zones
        seats = tuple([self.seats[line.number] for line in self.page.seats])
        return seats, self.boards, self.middle, self.counts, self.hand, self.mine

    def place_own(self, zones: Sequence[Zone]) -> None:
        """What the reader holds."""
        hand, seat = choice.hand_of(self.view, zones), self.view.seat
        self.hand = self.own_hand(hand) if hand else None
        if seat == self.page.me:
            self.mine = without_hand(self.seats[seat], hand and element_id(hand))

    def changed(self, zones: Sequence[Zone]) -> set[int | None]:
        """The seats, or the middle (None), where other zones lie than those that were arranged last."""
        if self.zones is None or len(self.zones) != len(zones):
            return {None, *self.lines}
        pairs = [pair for pair in zip(zones, self.zones, strict=True) if pair[0] is not pair[1]]
        return {zone.seat for pair in pairs for zone in pair}

    def table(self, lines: int) -> TableLayout:
        """The whole table."""
        seats, boards, middle, counts, hand, mine = self.placed(self.view.zones)
        news, log = self.news_and_log(lines)
        return TableLayout(
            seats, boards, middle, counts, hand, mine, self.other_moves(), self.groups(),
            max(map(len, self.by_cards), default=0),
            self.say(self.view.prompt), news, log, bool(self.view.moves), self.ranked(seats),
            legend(seats, self.counts),
        )  # fmt: skip

    # --- the log ------------------------------------------------------------------------------------------------------
    def news_and_log(self, lines: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The news, oldest first, and the end of the log, newest first; both empty for no lines."""
        new = self.page.news
        log = self.view.log[-max(lines, new) :] if lines else ()
        told = log_lines(self.words, log, self.sprite)
        first = len(log) - new
        news = (line for text, line in zip(log[first:], told[first:], strict=True) if text.key != CHOSEN)
        return tuple(news), tuple(reversed(told))

    # --- seats --------------------------------------------------------------------------------------------------------
    def seat(self, line: SeatLine, zones: Sequence[Zone]) -> SeatLayout:
        """A seat with its zones."""
        number, over = line.number, self.page.over
        outcome = self.say(self.view.outcome_texts[number]) if self.view.outcome_texts else ""
        wins = over is not None and over.won[number : number + 1] == (True,)
        me, acting = number == self.page.me, number in self.view.acting
        for aside, said in self.page.asides:
            if aside.about == number:
                line = replace(line, aside=(self.say(aside.label), said))
        return seat_looks(self.words, self.sprite, line, me, acting, outcome, wins, *zones)

    def ranked(self, seats: Sequence[SeatLayout]) -> tuple[SeatLayout, ...]:
        """The seats by their places at the end, equals in the order of seats; before the end as they sit."""
        places = self.page.over.places if self.page.over else ()
        return tuple(sorted(seats, key=lambda seat: places[seat.line.number])) if places else tuple(seats)

    # --- what can be chosen -------------------------------------------------------------------------------------------
    def own_hand(self, hand: Zone) -> ZoneLayout:
        """The reader's hand, with what each card plays."""
        if not self.view.moves:
            return hand_looks(hand, self.words, self.sprite)
        zone, marks = zone_looks(hand, self.words, self.sprite), cards_in_note(hand)
        grouped, slots = frozenset(code for codes in self.by_cards for code in codes), []
        for slot in zone.slots:
            marked = marks[slot.code] > 0
            marks[slot.code] -= marked
            slots.append(self.hand_card(slot, grouped, marked))
        return with_slots(zone, tuple(slots))

    def hand_card(self, slot: Slot, grouped: frozenset[str], marked: bool) -> Slot:
        """A card of the hand: it makes a move, is chosen with others, or asks why it can't be played."""
        if move := self.by_card.get(slot.code):
            return slot_with(slot, move.name, self.say(move.label), marked=marked)
        if slot.code in grouped:
            return slot_with(slot, picks=True, marked=marked)
        return slot_with(slot, asks=True, marked=marked)

    def board(self, zone: Zone) -> ZoneLayout:
        """A board, cell by cell."""
        moves = choice.moves_by_cell(self.view, zone)
        note, lit = self.say(zone.note) if zone.note else "", latest_cell(self.view)
        board = board_layout(zone.id, self.say(zone.title), note, zone.cards, zone.columns, self.words.lang, lit)
        if not moves:
            return board
        return with_slots(board, tuple(self.cell(slot, moves.get(slot.cell)) for slot in board.slots))

    def cell(self, slot: Slot, move: Move | None) -> Slot:
        """A cell: it makes a move, or asks why nothing can be put there."""
        if move is None:
            return slot_with(slot, asks=True)
        return slot_with(slot, move.name, self.say(move.label), asks=True, points=move.points)

    def other_moves(self) -> tuple[tuple[str, str], ...]:
        """The moves that are neither cards nor cells: name and label."""
        moves = choice.other_moves(self.view, self.by_card, self.by_cards)
        return tuple((move.name, self.say(move.label)) for move in moves)

    def groups(self) -> str:
        """The moves of several cards, as JSON for the script: labels by the cards' codes in order."""
        labels = {" ".join(codes): self.say(move.label) for codes, move in self.by_cards.items()}
        return json.dumps(labels, ensure_ascii=False) if labels else ""


# --- small questions --------------------------------------------------------------------------------------------------
def latest_cell(view: View) -> str:
    """The cell that the last lines of the reader's log name, or an empty string."""
    return next((str(text.args["cell"]) for text in reversed(view.log[-8:]) if "cell" in text.args), "")


@functools.lru_cache(4096)
def legend(seats: tuple[SeatLayout, ...], counts: tuple[ZoneLayout, ...]) -> tuple[tuple[str, str], ...]:
    """The signs that stand for words on this page, each once, with its words."""
    lying = (zone for seat in seats for zone in seat.zones if zone.count is not None)
    shown = [*(zone for seat in seats for zone in seat.counts), *lying, *counts]
    icons = [(zone.icon, zone.title) for zone in shown if zone.icon]
    return tuple(dict((*icons, *(marker for seat in seats for marker in seat.markers))).items())
