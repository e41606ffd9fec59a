"""How seats, zones and cards look in the browser: one object for all that look the same, so that HTML is made once."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass

from hexdeck.engine.text import Cards, Catalogue
from hexdeck.engine.view import Zone, altered, cell_name, column_name
from hexdeck.web.html.cards import Picture, emblem, icon, picture, spoken_name, tile
from hexdeck.web.html.lines import ByIdentity, sentence_html
from hexdeck.web.html.page_models import SeatLine

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
