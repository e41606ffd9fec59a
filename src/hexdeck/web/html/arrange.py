"""Arranges a view for the page: who has how much, what lies where, what can be chosen. No game is known here.

Everything is made from the view and from facts of the table that are public.
"""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from hexdeck.engine.text import Cards, Catalogue, Text
from hexdeck.engine.view import Move, View, Zone, cell_name, column_name
from hexdeck.tables.model import choice
from hexdeck.web.html.assets import address
from hexdeck.web.html.cards import Picture, emblem, icon, picture, spoken_name, tile
from hexdeck.web.html.lines import log_line, sentence_html
from hexdeck.web.html.page_models import SeatLine
from hexdeck.web.html.table_models import TablePage

BACKS_SHOWN = 5  # of a hand; for the rest there is a number
PILE_BACKS_SHOWN = 2
CHOSEN = "{seat} has chosen."  # a line of the log that is no news: a check mark beside the name says the same


@dataclass(frozen=True)
class Slot:
    """A place for a card; its `id` goes by the place, never by the card.

    `move`: the move that choosing it makes, `label` its words. `spoken_name`: what a screen reader says. `picks`: it is
    chosen together with others. `asks`: choosing it asks why it can't be played. `whose`: who played the card. `lit`:
    the last move went to this cell.
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


@dataclass(frozen=True, eq=False)
class ZoneLayout:
    """A zone with its slots: cards face up, then how many backs are drawn, and how many cards they stand for.

    Zones that look the same are the same object (see `zone_layout`), so that their HTML is made once. `drawn`: its
    number stands beside the name already, so it is drawn only where there is room. `owned`: its cards say who played
    them. `emblem`: the symbol of what is in force. `empty`: places of cards that are still to come.
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


@dataclass(frozen=True)
class SeatLayout:
    """A seat: who sits there, what is counted, its other zones; at the end its outcome, and whether it won."""

    line: SeatLine
    me: bool
    acting: bool
    counts: tuple[ZoneLayout, ...]
    zones: tuple[ZoneLayout, ...]
    outcome: str = ""
    wins: bool = False


@dataclass(frozen=True)
class TableLayout:
    """Everything on the table, in the order in which it is shown.

    `counts`: what is counted in the middle. `own`: the reader's zones but the hand. `moves`: moves that are neither
    cards nor cells, name and label. `groups`: moves of several cards, see `Arranger.groups`. `ranked`: the seats by
    place. `legend`: icons that stand for words, and their words.
    """

    seats: tuple[SeatLayout, ...]
    boards: tuple[ZoneLayout, ...]
    middle: tuple[ZoneLayout, ...]
    counts: tuple[ZoneLayout, ...]
    hand: ZoneLayout | None
    own: tuple[ZoneLayout, ...]
    moves: tuple[tuple[str, str], ...]
    groups: str
    group_size: int
    prompt: str
    news: tuple[Markup, ...]
    log: tuple[Markup, ...]
    playable: bool
    ranked: tuple[SeatLayout, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()

    @property
    def mine(self) -> SeatLayout | None:
        """The reader's own seat, without the hand."""
        return next((replace(seat, zones=self.own) for seat in self.seats if seat.me), None)

    @property
    def others(self) -> list[SeatLayout]:
        """The other seats as they sit around the table, from the reader's left; all of them for a spectator."""
        at = next((number for number, seat in enumerate(self.seats) if seat.me), None)
        return [*self.seats] if at is None else [*self.seats[at + 1 :], *self.seats[:at]]

    @property
    def everybody(self) -> list[SeatLayout]:
        """All seats as they sit around the table, the reader's own last."""
        return self.others + [seat for seat in self.seats if seat.me]


def arrange(page: TablePage, words: Catalogue, lines: int) -> TableLayout:
    """The table of a page, with at most so many lines of the log."""
    return Arranger(page, words).table(lines)


def sprite_of(prefix: str) -> str:
    """The address of the sprite, which holds all pictures."""
    return f"{prefix}/{address('sprite.svg')}"


class Arranger:
    """Arranges the table of one page in one language."""

    def __init__(self, page: TablePage, words: Catalogue) -> None:
        self.page, self.view, self.words, self.say = page, page.view, words, words.words
        self.sprite = sprite_of(page.site.prefix)
        self.by_card, self.by_cards = choice.moves_by_card(self.view), choice.moves_by_cards(self.view)
        self.grouped = frozenset(code for codes in self.by_cards for code in codes)
        self.hand = choice.hand_of(self.view)
        self.middle = [zone for zone in self.view.zones if zone.seat is None]

    def table(self, lines: int) -> TableLayout:
        """The whole table."""
        seats = tuple(map(self.seat, self.page.seats))
        counted = self.counted()
        news, log = self.news_and_log(lines)
        return TableLayout(
            seats, self.boards(), self.piles_and_rows(),
            counted, self.own_hand(), self.own_zones(seats), self.other_moves(), self.groups(),
            max(map(len, self.by_cards), default=0), self.say(self.view.prompt), news, log, bool(self.view.moves),
            self.ranked(seats), legend(seats, counted),
        )  # fmt: skip

    # --- the log ------------------------------------------------------------------------------------------------------
    def news_and_log(self, lines: int) -> tuple[tuple[Markup, ...], tuple[Markup, ...]]:
        """The news, oldest first, and the end of the log, newest first; both empty for no lines."""
        new = self.page.news
        log = self.view.log[-max(lines, new) :] if lines else ()
        news = [text for text in log[len(log) - new :] if text.key != CHOSEN]
        return tuple(map(self.log_line, news)), tuple(map(self.log_line, reversed(log)))

    def log_line(self, text: Text) -> Markup:
        """A line of the log, with pictures of cards whose codes say little."""
        return log_line(self.words, text, self.sprite)

    # --- seats --------------------------------------------------------------------------------------------------------
    def seat(self, line: SeatLine) -> SeatLayout:
        """A seat; the hidden hands of others are both drawn and counted beside the name."""
        number, over = line.number, self.page.over
        zones = [zone for zone in self.view.zones if zone.seat == number]
        unseen = [zone for zone in zones if zone.shape == "fan" and zone.hidden and not zone.cards]
        hands = [as_count(self.zone(zone)) for zone in unseen]
        counts = (*(self.zone(zone) for zone in zones if zone.shape == "count"), *hands)
        others = tuple(
            drawn_if_room(self.zone(zone)) if zone in unseen else self.zone(zone)
            for zone in zones if zone.shape != "count"
        )  # fmt: skip
        outcome = self.say(self.view.outcome_texts[number]) if self.view.outcome_texts else ""
        wins = over is not None and over.won[number : number + 1] == (True,)
        return SeatLayout(line, number == self.page.me, number in self.view.acting, counts, others, outcome, wins)

    def ranked(self, seats: Sequence[SeatLayout]) -> tuple[SeatLayout, ...]:
        """The seats by their places at the end, equals in the order of seats; before the end as they sit."""
        places = self.page.over.places if self.page.over else ()
        return tuple(sorted(seats, key=lambda seat: places[seat.line.number])) if places else tuple(seats)

    def own_zones(self, seats: Sequence[SeatLayout]) -> tuple[ZoneLayout, ...]:
        """The reader's own zones but the hand."""
        own = next((seat.zones for seat in seats if seat.me), ())
        return tuple(zone for zone in own if not self.hand or zone.id != element_id(self.hand))

    # --- the middle ---------------------------------------------------------------------------------------------------
    def counted(self) -> tuple[ZoneLayout, ...]:
        """What is counted in the middle."""
        return tuple(self.zone(zone) for zone in self.middle if zone.shape == "count")

    def piles_and_rows(self) -> tuple[ZoneLayout, ...]:
        """The other zones in the middle, without boards."""
        return tuple(self.zone(zone) for zone in self.middle if zone.shape not in {"board", "count"})

    def zone(self, zone: Zone) -> ZoneLayout:
        """Any zone but a board."""
        note = sentence_html(self.words, zone.note, self.sprite) if zone.note else ""
        owners = tuple(self.words.name(seat) for seat in zone.owners)
        symbol = emblem(zone.id, zone.note.key) if zone.note and zone.shape == "count" else ""
        return zone_layout(
            zone.id, self.say(zone.title), note, zone.shape, zone.cards, zone.hidden, zone.count, owners,
            self.words.lang, symbol, zone.places,
        )  # fmt: skip

    # --- what can be chosen -------------------------------------------------------------------------------------------
    def own_hand(self) -> ZoneLayout | None:
        """The reader's hand, with what each card plays."""
        if self.hand is None or self.view.seat < 0:
            return None
        zone, marks = self.zone(self.hand), cards_in_note(self.hand)
        slots = []
        for slot in zone.slots:
            marked = marks[slot.code] > 0
            marks[slot.code] -= marked
            slots.append(self.hand_card(slot, marked))
        return replace(zone, slots=tuple(slots))

    def hand_card(self, slot: Slot, marked: bool) -> Slot:
        """A card of the hand: it makes a move, is chosen with others, or asks why it can't be played."""
        if move := self.by_card.get(slot.code):
            return slot_with(slot, move.name, self.say(move.label), marked=marked)
        if slot.code in self.grouped:
            return slot_with(slot, picks=True, marked=marked)
        return slot_with(slot, asks=bool(self.view.moves), marked=marked)

    def boards(self) -> tuple[ZoneLayout, ...]:
        """The boards."""
        return tuple(self.board(zone) for zone in self.middle if zone.shape == "board")

    def board(self, zone: Zone) -> ZoneLayout:
        """A board, cell by cell."""
        moves = choice.moves_by_cell(self.view, zone)
        note, lit = self.say(zone.note) if zone.note else "", latest_cell(self.view)
        board = board_layout(zone.id, self.say(zone.title), note, zone.cards, zone.columns, self.words.lang, lit)
        if not moves:
            return board
        return replace(board, slots=tuple(self.cell(slot, moves.get(slot.cell)) for slot in board.slots))

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


# --- one object for all that look the same ----------------------------------------------------------------------------
@functools.lru_cache(8192)
def slot_with(
    slot: Slot, move: str = "", label: str = "", *, picks: bool = False, asks: bool = False, marked: bool = False,
    points: int | None = None,
) -> Slot:  # fmt: skip
    """A slot with what can be done there."""
    return replace(slot, move=move, label=label, picks=picks, asks=asks, marked=marked, points=points)


@functools.lru_cache(4096)
def zone_layout(
    id: str, title: str, note: str, shape: str, cards: tuple[str, ...], hidden: int, count: int | None,
    owners: tuple[str, ...], lang: str, emblem: str = "", places: int = 0,
) -> ZoneLayout:  # fmt: skip
    """A zone in which nothing can be chosen."""
    pairs = zip(cards, owners or ("",) * len(cards), strict=True)
    slots = tuple(face_up(f"zone-{id}.{k}", code, lang, whose) for k, (code, whose) in enumerate(pairs))
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
        Slot(
            f"zone-{id}.{k}", code, tile(code) if code else None, spoken_name(code, lang) if code else "",
            cell=cell_name(k, columns), lit=bool(code) and cell_name(k, columns) == lit,
        )
        for k, code in enumerate(cards)
    )  # fmt: skip
    return ZoneLayout(f"zone-{id}", title, note, "board", slots, columns=columns)


def face_up(id: str, code: str, lang: str, whose: str) -> Slot:
    """A card face up that can't be chosen."""
    return Slot(id, code, picture(code), spoken_name(code, lang), whose=whose)


@functools.lru_cache(4096)
def as_count(zone: ZoneLayout) -> ZoneLayout:
    """Another seat's hand as a number beside its name."""
    return replace(zone, id=f"{zone.id}.count", count=zone.hidden, hidden=0, backs=0)


@functools.lru_cache(4096)
def drawn_if_room(zone: ZoneLayout) -> ZoneLayout:
    """The same hand, drawn where there is room."""
    return replace(zone, drawn=True)


# --- small questions --------------------------------------------------------------------------------------------------
def latest_cell(view: View) -> str:
    """The cell that the last lines of the reader's log name, or an empty string."""
    return next((str(text.args["cell"]) for text in reversed(view.log[-8:]) if "cell" in text.args), "")


def legend(seats: Sequence[SeatLayout], counts: Sequence[ZoneLayout]) -> tuple[tuple[str, str], ...]:
    """The icons that stand for words on this page, each once, with its words."""
    shown = [*(zone for seat in seats for zone in seat.counts), *counts]
    return tuple(dict.fromkeys((zone.icon, zone.title) for zone in shown if zone.icon))


def cards_in_note(zone: Zone) -> Counter[str]:
    """The cards that a zone's note names."""
    values = zone.note.args.values() if zone.note else ()
    return Counter(code for value in values if isinstance(value, Cards) for code in value.codes)


def element_id(zone: Zone) -> str:
    """The id of a zone's element; no other element's id begins like that."""
    return f"zone-{zone.id}"
