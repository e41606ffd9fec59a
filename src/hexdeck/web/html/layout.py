"""Lays out a view for the page: what lies where, how it looks, what can be chosen. No game is known here.

Everything is made from the view and from facts of the table that are public.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hexdeck.engine.text import Cards, Catalogue
from hexdeck.engine.view import Move, View, Zone, altered, cell_name, column_name
from hexdeck.tables.model import choice
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import (
    ByIdentity,
    Picture,
    emblem,
    icon,
    log_lines,
    picture,
    sentence_html,
    spoken_name,
    tile,
)
from hexdeck.web.html.models import SeatLine, TablePage

BACKS_SHOWN = 5  # of a hand; for the rest there is a number
PILE_BACKS_SHOWN = 2
SPREAD = 8  # cards of a row that lie apart; of more, those that are equal lie on one another


@dataclass(frozen=True, eq=False)
class Slot:
    """A place for a card; its `id` goes by the place, never by the card. Places that look the same are one object.

    `move`: the move that choosing it makes, `label` its words. `spoken_name`: what a screen reader says. `picks`: it is
    chosen together with others. `asks`: choosing it asks why it can't be played. `whose`: who played the card. `lit`:
    the last move went to this cell. `covered`: an equal card lies on it, and leaves an edge of it to be seen.
    """

    id: str
    code: str = ""
    art: Picture | None = None
    spoken_name: str = ""
    move: str = ""
    label: str = ""
    picks: bool = False
    asks: bool = False
    marked: bool = False
    whose: str = ""
    points: int | None = None
    cell: str = ""
    lit: bool = False
    covered: bool = False


@dataclass(frozen=True, eq=False)
class ZoneLayout:
    """A zone with its slots: cards face up, then how many backs are drawn, and how many cards they stand for.

    Zones that look the same are the same object (see `zone_layout`), so that their HTML is made once. `drawn`: its
    number stands beside the name already, so it is drawn only where there is room. `owned`: its cards say who played
    them. `emblem`: the symbol of what the note says. `empty`: places of cards that are still to come.
    """

    id: str
    title: str
    note: str
    shape: str
    slots: tuple[Slot, ...]
    backs: int = 0
    hidden: int = 0
    count: int | None = None
    icon: str = ""
    columns: int = 0
    drawn: bool = False
    owned: bool = False
    emblem: str = ""
    empty: int = 0

    @property
    def letters(self) -> list[str]:
        """The names of a board's columns."""
        return [column_name(column) for column in range(self.columns)]


@dataclass(frozen=True, eq=False)
class SeatLayout:
    """A seat: who sits there, what is counted, its other zones; at the end its outcome, and whether it won.

    `markers`: what lies there as a sign, such as a First Player's marker: symbol and words. Seats that look the same
    are one object (see `seat_layout`).
    """

    line: SeatLine
    me: bool
    acting: bool
    counts: tuple[ZoneLayout, ...]
    zones: tuple[ZoneLayout, ...]
    outcome: str = ""
    wins: bool = False
    markers: tuple[tuple[str, str], ...] = ()


def looked_at(zone: Zone, words: Catalogue, sprite: str) -> ZoneLayout:
    """How a zone looks."""
    note = sentence_html(words, zone.note, sprite) if zone.note else ""
    owners = tuple(words.name(seat) for seat in zone.owners)
    place = zone.id if zone.seat is None else zone.id.partition("-")[0]
    symbol = emblem(place, zone.note.key) if zone.note and (zone.shape == "count" or zone.seat is not None) else ""
    return zone_layout(
        zone.id, words.words(zone.title), note, zone.shape, zone.cards, zone.hidden, zone.count, owners, words.lang,
        symbol, zone.places,
    )  # fmt: skip


zone_looks = ByIdentity(looked_at, 16_384)  # the same zones (see `remembered`) are shown again and again


def seat_looked_at(
    words: Catalogue, sprite: str, line: SeatLine, me: bool, acting: bool, outcome: str, wins: bool, *zones: Zone
) -> SeatLayout:
    """How a seat with these zones looks."""
    return seat_layout(line, me, acting, tuple(zone_looks(zone, words, sprite) for zone in zones), outcome, wins)


seat_looks = ByIdentity(seat_looked_at, 8192)


def middle_looked_at(words: Catalogue, sprite: str, *zones: Zone) -> tuple[tuple[ZoneLayout, ...], ...]:
    """How the middle of the table looks, without boards: piles and rows, and what is counted."""
    counts = tuple(zone_looks(zone, words, sprite) for zone in zones if zone.shape == "count")
    return tuple(zone_looks(zone, words, sprite) for zone in zones if zone.shape not in {"board", "count"}), counts


middle_looks = ByIdentity(middle_looked_at, 4096)


@functools.lru_cache(8192)
def seat_layout(
    line: SeatLine, me: bool, acting: bool, zones: tuple[ZoneLayout, ...], outcome: str, wins: bool
) -> SeatLayout:  # fmt: skip
    """A seat; the hidden hands of others are both drawn and counted beside the name."""
    unseen = [zone for zone in zones if zone.shape == "fan" and zone.hidden and not zone.slots]
    counts = (*(zone for zone in zones if zone.shape == "count"), *map(as_count, unseen))
    others = tuple(drawn_if_room(zone) if zone in unseen else zone for zone in zones if zone.shape != "count")
    markers = tuple((zone.emblem, zone.note) for zone in others if zone.emblem)
    return SeatLayout(line, me, acting, counts, others, outcome, wins, markers)


@functools.lru_cache(4096)
def without_hand(seat: SeatLayout, hand: str | None) -> SeatLayout:
    """A seat without its hand, which has this id, if any."""
    return altered(seat, zones=tuple(zone for zone in seat.zones if zone.id != hand))


@functools.lru_cache(4096)
def with_slots(zone: ZoneLayout, slots: tuple[Slot, ...]) -> ZoneLayout:
    """The zone with other slots, such as those that can be chosen."""
    return altered(zone, slots=slots)


@functools.lru_cache(16_384)
def slot_with(
    slot: Slot, move: str = "", label: str = "", *, picks: bool = False, asks: bool = False, marked: bool = False,
    points: int | None = None,
) -> Slot:  # fmt: skip
    """A slot with what can be done there."""
    return altered(slot, move=move, label=label, picks=picks, asks=asks, marked=marked, points=points)


def hand_looked_at(zone: Zone, words: Catalogue, sprite: str) -> ZoneLayout:
    """How the reader's hand looks while nothing can be done."""
    marks, slots = cards_in_note(zone), list[Slot]()
    layout = zone_looks(zone, words, sprite)
    for slot in layout.slots:
        marked = marks[slot.code] > 0
        marks[slot.code] -= marked
        slots.append(slot_with(slot, marked=marked))
    return with_slots(layout, tuple(slots))


hand_looks = ByIdentity(hand_looked_at, 4096)


def cards_in_note(zone: Zone) -> Counter[str]:
    """The cards that a zone's note names."""
    values = zone.note.args.values() if zone.note else ()
    return Counter(code for value in values if isinstance(value, Cards) for code in value.codes)


@functools.lru_cache(4096)
def zone_layout(
    id: str, title: str, note: str, shape: str, cards: tuple[str, ...], hidden: int, count: int | None,
    owners: tuple[str, ...], lang: str, emblem: str = "", places: int = 0,
) -> ZoneLayout:  # fmt: skip
    """A zone in which nothing can be chosen."""
    whose = owners or ("",) * len(cards)
    many = shape == "row" and len(cards) > SPREAD
    above = (*cards[1:], "") if many else ("",) * len(cards)
    slots = tuple(face_up(f"zone-{id}.{k}", code, lang, whose[k], code == above[k]) for k, code in enumerate(cards))
    backs = min(hidden, PILE_BACKS_SHOWN if shape == "pile" else BACKS_SHOWN)
    symbol = "" if emblem else icon(id)
    return ZoneLayout(f"zone-{id}", title, note, shape, slots, backs, hidden, count, symbol, owned=bool(owners),
                      emblem=emblem, empty=max(0, places - len(cards)) if shape == "row" else 0)  # fmt: skip


@functools.lru_cache(256)
def board_layout(
    id: str, title: str, note: str, cards: tuple[str, ...], columns: int, lang: str, lit: str
) -> ZoneLayout:  # fmt: skip
    """A board on which nothing can be chosen."""
    slots = tuple(
        board_slot(f"zone-{id}.{k}", code, lang, cell_name(k, columns), bool(code) and cell_name(k, columns) == lit)
        for k, code in enumerate(cards)
    )
    return ZoneLayout(f"zone-{id}", title, note, "board", slots, columns=columns)


@functools.lru_cache(16_384)
def board_slot(id: str, code: str, lang: str, cell: str, lit: bool) -> Slot:
    """A cell of a board that can't be chosen."""
    return Slot(id, code, tile(code) if code else None, spoken_name(code, lang) if code else "", cell=cell, lit=lit)


@functools.lru_cache(16_384)
def face_up(id: str, code: str, lang: str, whose: str, covered: bool = False) -> Slot:
    """A card face up that can't be chosen."""
    return Slot(id, code, picture(code), spoken_name(code, lang), whose=whose, covered=covered)


@functools.lru_cache(4096)
def as_count(zone: ZoneLayout) -> ZoneLayout:
    """Another seat's hand as a number beside its name."""
    return altered(zone, id=f"{zone.id}.count", count=zone.hidden, hidden=0, backs=0)


@functools.lru_cache(4096)
def drawn_if_room(zone: ZoneLayout) -> ZoneLayout:
    """The same hand, drawn where there is room."""
    return altered(zone, drawn=True)


def element_id(zone: Zone) -> str:
    """The id of a zone's element; no other element's id begins like that."""
    return f"zone-{zone.id}"


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
