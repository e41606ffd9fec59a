"""A view arranged for the page: who has how much, what lies where, what can be chosen. No game is known here.

Everything is made from the view and the facts of the table that all may know.
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
from hexdeck.web.html.cards import Picture, aloud, emblem, icon, picture, tile
from hexdeck.web.html.lines import remembered, written
from hexdeck.web.html.page_models import SeatLine, TablePage

MANY = 5  # backs of a hand that are drawn; more are told by a number
TOP = 2  # backs of a pile that are drawn
SHORT = 24  # letters of a note that still fit where the score stands
CHOSEN = "{seat} has chosen."  # in the log; a check mark beside the name says it already


@dataclass(frozen=True)
class Slot:
    """A place for a card: `id` by place, never by card. `move` is what choosing it plays; `said` what is read aloud.

    `picks`: it is chosen together with others. `asks`: choosing it asks why it can't be played. `whose`: who laid it.
    `lit`: the last move went to this cell.
    """

    id: str
    code: str = ""
    art: Picture | None = None
    said: str = ""
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
class Place:
    """A zone with its slots: cards face up, then how many backs are drawn and how many they stand for.

    A place that looks the same is the same object (see `Arranger.place`), so that its HTML is made once.
    `drawn`: it is told beside the name already, and only drawn where there is room. `owned`: cards say whose they are.
    `emblem`: the symbol of what is in force.
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

    @property
    def letters(self) -> list[str]:
        """The names of a board's columns."""
        return [column_name(column) for column in range(self.columns)]


@dataclass(frozen=True)
class Plate:
    """A seat: who sits there, what is counted, and its cards; at the end how it ended and whether it won."""

    line: SeatLine
    me: bool
    acting: bool
    counts: tuple[Place, ...]
    places: tuple[Place, ...]
    fate: str = ""
    wins: bool = False


@dataclass(frozen=True)
class Arranged:
    """Everything on the table, in the order it is shown; `signs`: icons that stand for words, and their words."""

    plates: tuple[Plate, ...]
    boards: tuple[Place, ...]
    middle: tuple[Place, ...]
    counts: tuple[Place, ...]
    facts: tuple[Place, ...]
    hand: Place | None
    own: tuple[Place, ...]
    moves: tuple[tuple[str, str], ...]
    groups: str
    group_size: int
    prompt: str
    news: tuple[Markup, ...]
    log: tuple[Markup, ...]
    playable: bool
    ranked: tuple[Plate, ...] = ()
    signs: tuple[tuple[str, str], ...] = ()

    @property
    def apart(self) -> list[Plate]:
        """The seats of others before whom something lies."""
        return [plate for plate in self.plates if plate.places and not plate.me]


def arranged(page: TablePage, words: Catalogue, lines: int) -> Arranged:
    """The table of a page; `lines` of the log at most."""
    return Arranger(page.view, words, sprite_of(page.site.prefix)).table(page, lines)


def sprite_of(prefix: str) -> str:
    """The address of all pictures."""
    return f"{prefix}/{address('sprite.svg')}"


class Arranger:
    """Arranges one view in one language."""

    def __init__(self, view: View, words: Catalogue, sprite: str) -> None:
        self.view, self.words, self.say, self.sprite = view, words, words.words, sprite
        self.single, self.together = choice.single(view), choice.together(view)
        self.grouped = frozenset(code for codes in self.together for code in codes)
        self.hand = choice.hand_of(view)
        self.lit = latest_cell(view)

    def table(self, page: TablePage, lines: int) -> Arranged:
        """The whole table."""
        view = self.view
        plates = tuple(self.plate(line, page) for line in page.seats)
        middle = [zone for zone in view.zones if zone.seat is None]
        counts = [zone for zone in middle if zone.shape == "count"]
        counted = [self.place(zone) for zone in counts]
        short = {mark(zone) for zone in counts if not zone.note or len(self.say(zone.note)) <= SHORT}
        log = view.log[-max(lines, page.news) :] if lines else ()
        news = [text for text in log[len(log) - page.news :] if text.key != CHOSEN]
        own = next((plate.places for plate in plates if plate.me), ())
        return Arranged(
            plates,
            tuple(self.board(zone) for zone in middle if zone.shape == "board"),
            tuple(self.place(zone) for zone in middle if zone.shape not in {"board", "count"}),
            tuple(place for place in counted if place.id in short),
            tuple(place for place in counted if place.id not in short),
            self.own_hand(),
            tuple(place for place in own if not self.hand or place.id != mark(self.hand)),
            tuple((move.name, self.say(move.label)) for move in choice.others(view, self.single, self.together)),
            self.groups(), max(map(len, self.together), default=0), self.say(view.prompt),
            tuple(map(self.line, news)), tuple(map(self.line, reversed(log))), bool(view.moves),
            ranked(plates, page.over.places if page.over else ()), signs(plates, counted),
        )  # fmt: skip

    def line(self, text: Text) -> Markup:
        """A sentence with pictures of the cards whose codes say little."""
        return remembered(self.words, text, self.sprite)

    def plate(self, line: SeatLine, page: TablePage) -> Plate:
        """A seat; hands of others are counted in words beside their name as well as drawn."""
        view, zones = self.view, [zone for zone in self.view.zones if zone.seat == line.number]
        unseen = [zone for zone in zones if zone.shape == "fan" and zone.hidden and not zone.cards]
        told = [counted(self.place(zone)) for zone in unseen]
        counts = (*(self.place(zone) for zone in zones if zone.shape == "count"), *told)
        places = tuple(
            drawn(self.place(zone)) if zone in unseen else self.place(zone) for zone in zones if zone.shape != "count"
        )
        fate = self.say(view.fates[line.number]) if view.fates else ""
        best = page.over is not None and page.over.won[line.number : line.number + 1] == (True,)
        return Plate(line, line.number == page.me, line.number in view.acting, counts, places, fate, best)

    def place(self, zone: Zone) -> Place:
        """Any zone but a board."""
        note = written(self.words, zone.note, self.sprite) if zone.note else ""
        owners = tuple(self.words.name(seat) for seat in zone.owners)
        shown = emblem(zone.id, zone.note.key) if zone.note and zone.shape == "count" else ""
        return placed(
            zone.id, self.say(zone.title), note, zone.shape, zone.cards, zone.hidden, zone.count, owners,
            self.words.lang, shown,
        )  # fmt: skip

    def own_hand(self) -> Place | None:
        """The hand of the reader, with what each card plays."""
        if self.hand is None or self.view.seat < 0:
            return None
        place, marks = self.place(self.hand), noted(self.hand)
        slots = []
        for slot in place.slots:
            marked = marks[slot.code] > 0
            marks[slot.code] -= marked
            slots.append(self.choosable(slot, marked))
        return replace(place, slots=tuple(slots))

    def choosable(self, slot: Slot, marked: bool) -> Slot:
        """A card of the hand: it plays, is chosen with others, or asks why not."""
        if move := self.single.get(slot.code):
            return made(slot, move.name, self.say(move.label), marked=marked)
        if slot.code in self.grouped:
            return made(slot, picks=True, marked=marked)
        return made(slot, asks=bool(self.view.moves), marked=marked)

    def board(self, zone: Zone) -> Place:
        """A board, cell by cell."""
        moves = choice.cells(self.view, zone)
        note = self.say(zone.note) if zone.note else ""
        place = idle_board(zone.id, self.say(zone.title), note, zone.cards, zone.columns, self.words.lang,
                           self.lit)  # fmt: skip
        if not moves:
            return place
        return replace(place, slots=tuple(self.cell(slot, moves.get(slot.cell)) for slot in place.slots))

    def cell(self, slot: Slot, move: Move | None) -> Slot:
        """A cell with what may be put there; the others ask why nothing can."""
        if move is None:
            return made(slot, asks=True)
        return made(slot, move.name, self.say(move.label), asks=True, points=move.points)

    def groups(self) -> str:
        """What cards chosen together play, as JSON: labels by the codes in order."""
        named = {" ".join(codes): self.say(move.label) for codes, move in self.together.items()}
        return json.dumps(named, ensure_ascii=False) if named else ""


@functools.lru_cache(8192)
def made(
    slot: Slot, move: str = "", label: str = "", *, picks: bool = False, asks: bool = False, marked: bool = False,
    points: int | None = None,
) -> Slot:  # fmt: skip
    """A place for a card with what can be done there, one object for all that look the same."""
    return replace(slot, move=move, label=label, picks=picks, asks=asks, marked=marked, points=points)


@functools.lru_cache(4096)
def placed(
    id: str, title: str, note: str, shape: str, cards: tuple[str, ...], hidden: int, count: int | None,
    owners: tuple[str, ...], lang: str, emblem: str = "",
) -> Place:  # fmt: skip
    """A place, one object for all that look the same."""
    laid = zip(cards, owners or ("",) * len(cards), strict=True)
    slots = tuple(face_up(f"zone-{id}.{k}", code, lang, whose) for k, (code, whose) in enumerate(laid))
    backs = min(hidden, TOP if shape == "pile" else MANY)
    return Place(f"zone-{id}", title, note, shape, slots, backs, hidden, count, "" if emblem else icon(id),
                 owned=bool(owners), emblem=emblem)  # fmt: skip


@functools.lru_cache(256)
def idle_board(
    id: str, title: str, note: str, cards: tuple[str, ...], columns: int, lang: str, lit: str
) -> Place:  # fmt: skip
    """A board on which nothing can be chosen, one object for all that look the same."""
    slots = tuple(
        Slot(
            f"zone-{id}.{k}", code, tile(code) if code else None, aloud(code, lang) if code else "",
            cell=cell_name(k, columns), lit=bool(code) and cell_name(k, columns) == lit,
        )
        for k, code in enumerate(cards)
    )  # fmt: skip
    return Place(f"zone-{id}", title, note, "board", slots, columns=columns)


def face_up(id: str, code: str, lang: str, whose: str) -> Slot:
    """A card face up, not to be chosen."""
    return Slot(id, code, picture(code), aloud(code, lang), whose=whose)


@functools.lru_cache(4096)
def counted(place: Place) -> Place:
    """A hand of others as a number beside their name."""
    return replace(place, id=f"{place.id}.count", count=place.hidden, hidden=0, backs=0)


@functools.lru_cache(4096)
def drawn(place: Place) -> Place:
    """The same hand where there is room to draw it."""
    return replace(place, drawn=True)


def latest_cell(view: View) -> str:
    """The cell of a board that the last line of the log with one names: what the reader was told, nothing else."""
    return next((str(text.args["cell"]) for text in reversed(view.log[-8:]) if "cell" in text.args), "")


def ranked(plates: Sequence[Plate], places: Sequence[int]) -> tuple[Plate, ...]:
    """The seats by how well they did, ties by seat; without places as they sit."""
    return tuple(sorted(plates, key=lambda plate: places[plate.line.number])) if places else tuple(plates)


def signs(plates: Sequence[Plate], counted: Sequence[Place]) -> tuple[tuple[str, str], ...]:
    """The icons that stand for words on this page, each once."""
    shown = [*(each for plate in plates for each in plate.counts), *counted]
    return tuple(dict.fromkeys((each.icon, each.title) for each in shown if each.icon))


def noted(zone: Zone) -> Counter[str]:
    """The cards that the note of a zone names."""
    named = zone.note.args.values() if zone.note else ()
    return Counter(code for value in named if isinstance(value, Cards) for code in value.codes)


def mark(zone: Zone) -> str:
    """The id of a zone's element: no other element's begins like that."""
    return f"zone-{zone.id}"
