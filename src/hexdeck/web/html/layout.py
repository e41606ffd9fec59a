"""Lays out a view for the page: what lies where, how it looks, what can be chosen. No game is known here.

Everything is made from the view and from facts of the table that are public.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from hexdeck.engine.text import Cards, Catalogue
from hexdeck.engine.view import Move, View, Zone, altered, cell_name, column_name
from hexdeck.tables.live import hand_of, moves_by_card, moves_by_cards, moves_by_cell, other_moves
from hexdeck.web.html.assets import sprite_of
from hexdeck.web.html.cards import CardPicture, emblem, icon, picture, sentence_html, spoken_name, tile
from hexdeck.web.html.models import SeatLine, TablePage

BACKS_SHOWN = 5  # of a hand; for the rest there is a number
PILE_BACKS_SHOWN = 2
SPREAD = 8  # cards of a row that lie apart; of more, those that are equal lie on one another


@dataclass(frozen=True)
class Slot:
    """A place for a card; its `id` goes by the place, never by the card.

    `move`: the move that choosing it makes, `label` its words. `spoken_name`: what a screen reader says. `picks`: it is
    chosen together with others. `asks`: choosing it asks why it can't be played. `whose`: who played the card. `lit`:
    the last move went to this cell. `covered`: an equal card lies on it, and leaves an edge of it to be seen.
    """

    id: str
    code: str = ""
    art: CardPicture | None = None
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


@dataclass(frozen=True)
class ZoneLayout:
    """A zone with its slots: cards face up, then how many backs are drawn, and how many cards they stand for.

    `drawn`: its number stands beside the name already, so it is drawn only where there is room. `owned`: its cards say
    who played them. `emblem`: the symbol of what the note says. `empty`: places of cards that are still to come.
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
    """A seat: its player, what is counted, its other zones; at the end its outcome, and whether it won.

    `markers`: what lies there as a sign, such as a First Player's marker: symbol and words.
    """

    line: SeatLine
    me: bool
    acting: bool
    counts: tuple[ZoneLayout, ...]
    zones: tuple[ZoneLayout, ...]
    outcome: str = ""
    wins: bool = False
    markers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Placed:
    """What lies on the table, in the order in which it is shown.

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

    @property
    def outline(self) -> tuple[object, ...]:
        """Which parts are on the page at all."""
        return len(self.seats), [board.id for board in self.boards], bool(self.counts), bool(self.middle)


@dataclass(frozen=True)
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
    news: tuple[Markup, ...]
    log: tuple[Markup, ...]
    playable: bool
    ranked: tuple[SeatLayout, ...] = ()
    legend: tuple[tuple[str, str], ...] = ()


def arrange(page: TablePage, catalogue: Catalogue, lines: int) -> TableLayout:
    """The table of a page, with at most so many lines of the log."""
    return Arranger(page, catalogue).table(lines)


CHOSEN = "{seat} has chosen."  # a line of the log that is no news: a check mark beside the name says it, too


class Arranger:
    """Arranges the table of one page in one language. `layouts`: of its zones, as they were when last arranged."""

    def __init__(self, page: TablePage, catalogue: Catalogue) -> None:
        self.page, self.view, self.catalogue, self.say = page, page.view, catalogue, catalogue.words
        self.sprite = sprite_of(page.site.prefix)
        self.by_card, self.by_cards = moves_by_card(self.view), moves_by_cards(self.view)
        self.layouts: dict[str, tuple[Zone, ZoneLayout]] = {}

    def table(self, lines: int) -> TableLayout:
        """The whole table."""
        placed, view = self.placed(self.view.zones), self.view
        news, log = self.news_and_log(lines)
        return TableLayout(
            **vars(placed),
            moves=self.other_moves(),
            groups=self.groups(),
            group_size=max(map(len, self.by_cards), default=0),
            prompt=self.say(view.prompt),
            news=news,
            log=log,
            playable=bool(view.moves),
            ranked=self.ranked(placed.seats),
            legend=legend(placed),
        )

    def placed(self, zones: Sequence[Zone]) -> Placed:
        """What lies on the table with these zones."""
        by_seat: dict[int | None, list[Zone]] = {}
        for zone in zones:
            by_seat.setdefault(zone.seat, []).append(zone)
        seats = {line.number: self.seat(line, by_seat.get(line.number, [])) for line in self.page.seats}
        middle = by_seat.get(None, [])
        layouts = [self.zone(zone) for zone in middle if zone.shape != "board"]
        own = self.view.seat
        fan = hand_of(self.view, by_seat.get(own, [])) if own in seats else None
        return Placed(
            tuple(seats.values()),
            tuple(self.zone(zone) for zone in middle if zone.shape == "board"),
            tuple(layout for layout in layouts if layout.shape != "count"),
            tuple(layout for layout in layouts if layout.shape == "count"),
            self.hand(fan) if fan else None,
            without_hand(seats[own], fan) if own in seats and own == self.page.me else None,
        )

    # --- zones --------------------------------------------------------------------------------------------------------
    def zone(self, zone: Zone) -> ZoneLayout:
        """A zone as it looks; what is unchanged since it was arranged last isn't made again."""
        last = self.layouts.get(zone.id)
        if last is None or last[0] != zone:
            last = self.layouts[zone.id] = zone, self.board(zone) if zone.shape == "board" else self.cards(zone)
        return last[1]

    def cards(self, zone: Zone) -> ZoneLayout:
        """A zone of cards, or of something that is counted, in which nothing can be chosen."""
        note, lang = self.note(zone), self.catalogue.lang
        owners = [self.catalogue.name(seat) for seat in zone.owners] or [""] * len(zone.cards)
        above = [*zone.cards[1:], ""] if zone.shape == "row" and len(zone.cards) > SPREAD else [""] * len(zone.cards)
        slots = tuple(
            Slot(
                f"zone-{zone.id}.{k}", code, picture(code), spoken_name(code, lang), whose=owner, covered=code == upper
            )
            for k, (code, owner, upper) in enumerate(zip(zone.cards, owners, above, strict=True))
        )
        name = zone.id if zone.seat is None else zone.id.partition("-")[0]
        symbol = emblem(name, zone.note.key) if zone.note and (zone.shape == "count" or zone.seat is not None) else ""
        return ZoneLayout(
            f"zone-{zone.id}",
            self.say(zone.title),
            note,
            zone.shape,
            slots,
            backs=min(zone.hidden, PILE_BACKS_SHOWN if zone.shape == "pile" else BACKS_SHOWN),
            hidden=zone.hidden,
            count=zone.count,
            icon="" if symbol else icon(zone.id),
            owned=bool(zone.owners),
            emblem=symbol,
            empty=max(0, zone.places - len(zone.cards)) if zone.shape == "row" else 0,
        )

    def note(self, zone: Zone) -> str:
        """The note of a zone as HTML."""
        return sentence_html(self.catalogue, zone.note, self.sprite) if zone.note else ""

    def board(self, zone: Zone) -> ZoneLayout:
        """A board, cell by cell."""
        moves, lit, lang = moves_by_cell(self.view, zone), latest_cell(self.view), self.catalogue.lang
        slots = []
        for number, code in enumerate(zone.cards):
            cell = cell_name(number, zone.columns)
            art, spoken = (tile(code), spoken_name(code, lang)) if code else (None, "")
            slot = Slot(f"zone-{zone.id}.{number}", code, art, spoken, cell=cell, lit=bool(code) and cell == lit)
            slots.append(self.cell(slot, moves.get(cell)) if moves else slot)
        note = self.say(zone.note) if zone.note else ""
        return ZoneLayout(f"zone-{zone.id}", self.say(zone.title), note, "board", tuple(slots), columns=zone.columns)

    def cell(self, slot: Slot, move: Move | None) -> Slot:
        """A cell: it makes a move, or asks why nothing can be put there."""
        if move is None:
            return altered(slot, asks=True)
        return altered(slot, move=move.name, label=self.say(move.label), asks=True, points=move.points)

    def hand(self, zone: Zone) -> ZoneLayout:
        """The reader's hand, with what each card plays, and with those marked that its note names."""
        layout, marks = self.zone(zone), cards_in_note(zone)
        grouped, slots = {code for codes in self.by_cards for code in codes}, []
        for slot in layout.slots:
            marked = marks[slot.code] > 0
            marks[slot.code] -= marked
            slots.append(altered(self.hand_card(slot, grouped) if self.view.moves else slot, marked=marked))
        return altered(layout, slots=tuple(slots))

    def hand_card(self, slot: Slot, grouped: set[str]) -> Slot:
        """A card of the hand: it makes a move, is chosen with others, or asks why it can't be played."""
        if move := self.by_card.get(slot.code):
            return altered(slot, move=move.name, label=self.say(move.label))
        return altered(slot, picks=True) if slot.code in grouped else altered(slot, asks=True)

    # --- seats --------------------------------------------------------------------------------------------------------
    def seat(self, line: SeatLine, zones: Sequence[Zone]) -> SeatLayout:
        """A seat with its zones; the hidden hands of others are both drawn and counted beside the name."""
        number, over = line.number, self.page.over
        for aside, is_said in self.page.asides:
            if aside.about == number:
                line = replace(line, aside=(self.say(aside.label), is_said))
        counts, hands, layouts = list[ZoneLayout](), list[ZoneLayout](), list[ZoneLayout]()
        for layout in map(self.zone, zones):
            if layout.shape == "count":
                counts.append(layout)
            elif layout.shape == "fan" and layout.hidden and not layout.slots:
                hands.append(altered(layout, id=f"{layout.id}.count", count=layout.hidden, hidden=0, backs=0))
                layouts.append(altered(layout, drawn=True))
            else:
                layouts.append(layout)
        return SeatLayout(
            line,
            number == self.page.me,
            number in self.view.acting,
            (*counts, *hands),
            tuple(layouts),
            self.say(self.view.outcome_texts[number]) if self.view.outcome_texts else "",
            over is not None and over.won[number : number + 1] == (True,),
            tuple((layout.emblem, layout.note) for layout in layouts if layout.emblem),
        )

    def ranked(self, seats: Sequence[SeatLayout]) -> tuple[SeatLayout, ...]:
        """The seats by their places at the end, equals in the order of seats; before the end as they sit."""
        ranks = self.page.over.places if self.page.over else ()
        return tuple(sorted(seats, key=lambda seat: ranks[seat.line.number])) if ranks else tuple(seats)

    # --- moves, and the log -------------------------------------------------------------------------------------------
    def other_moves(self) -> tuple[tuple[str, str], ...]:
        """The moves that are neither cards nor cells: name and label."""
        moves = other_moves(self.view, self.by_card, self.by_cards)
        return tuple((move.name, self.say(move.label)) for move in moves)

    def groups(self) -> str:
        """The moves of several cards, as JSON for the script: labels by the cards' codes in order."""
        labels = {" ".join(codes): self.say(move.label) for codes, move in self.by_cards.items()}
        return json.dumps(labels, ensure_ascii=False) if labels else ""

    def news_and_log(self, lines: int) -> tuple[tuple[Markup, ...], tuple[Markup, ...]]:
        """The news, oldest first, and the end of the log, newest first; both empty for no lines."""
        new = self.page.news
        texts = self.view.log[-max(lines, new) :] if lines else ()
        log = [sentence_html(self.catalogue, text, self.sprite) for text in texts]
        first = len(log) - new
        news = tuple(line for text, line in zip(texts[first:], log[first:], strict=True) if text.key != CHOSEN)
        return news, tuple(reversed(log))


# --- small questions --------------------------------------------------------------------------------------------------
def without_hand(seat: SeatLayout, hand: Zone | None) -> SeatLayout:
    """A seat without its hand, if it has one."""
    return altered(seat, zones=tuple(zone for zone in seat.zones if hand is None or zone.id != f"zone-{hand.id}"))


def cards_in_note(zone: Zone) -> Counter[str]:
    """The cards that a zone's note names."""
    values = zone.note.args.values() if zone.note else ()
    return Counter(code for value in values if isinstance(value, Cards) for code in value.codes)


def latest_cell(view: View) -> str:
    """The cell that the last lines of the reader's log name, or an empty string."""
    return next((str(text.args["cell"]) for text in reversed(view.log[-8:]) if "cell" in text.args), "")


def legend(placed: Placed) -> tuple[tuple[str, str], ...]:
    """The signs that stand for words on a page, each once, with its words."""
    zones = [
        *(zone for seat in placed.seats for zone in seat.counts),
        *(zone for seat in placed.seats for zone in seat.zones if zone.count is not None),
        *placed.counts,
    ]
    icons = [(zone.icon, zone.title) for zone in zones if zone.icon]
    return tuple(dict((*icons, *(marker for seat in placed.seats for marker in seat.markers))).items())
