"""The page of a table, from a view: what lies where and can be chosen, the steps to there, the end, words for ears.

No game is known here: everything is made from the view and from facts of the table that are public.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from markupsafe import Markup

from hexdeck.bots.advice.analysis import turned
from hexdeck.bots.players.levels import ADJECTIVES, USUAL
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.score import headlines_of, winning_sides
from hexdeck.engine.play.story import ScoredHand
from hexdeck.engine.text import SYMBOLS, Cards, Catalogue, Text, _, say, say_n
from hexdeck.engine.view import Beat, Move, Zone, altered, cell_name, column_name
from hexdeck.tables.chat import LONGEST, PHRASES
from hexdeck.tables.live import hand_of, moves_by_card, moves_by_cards, moves_by_cell, other_moves
from hexdeck.web.html import rendering
from hexdeck.web.html.games import game_info
from hexdeck.web.html.rendering import (
    SeatLine,
    Site,
    TablePage,
    emblem,
    game_catalogue,
    icon,
    picture,
    render,
    safe,
    sentence_html,
    spoken_code,
    spoken_name,
)

BACKS_SHOWN = 9  # of a hand; for the rest there is a number
PILE_BACKS_SHOWN = 2
FACES_SHOWN, MOST_SHOWN = 3, 9  # of whom a spotlight concerns; cards of a zone that it shows with those that decide
SPREAD = 8  # cards of a row that lie apart; of more, those that are equal lie on one another


@dataclass(frozen=True)
class Slot:
    """A place for a card; its `id` goes by the place, never by the card.

    `move`: the move that choosing it makes, `label` its words. `spoken_name`: what a screen reader says. `picks`: it is
    chosen together with others. `asks`: choosing it asks why it can't be played. `whose`: who played the card.
    `winning`: it wins the trick as it lies. `lit`: the last move went to this cell. `decides`: it decided the match.
    `covered`: an equal card lies on it, and leaves an edge of it to be seen. `tag`: what is written on it.
    """

    id: str
    code: str = ""
    art: rendering.CardPicture | None = None
    spoken_name: str = ""
    move: str = ""
    label: str = ""
    picks: bool = False
    asks: bool = False
    marked: bool = False
    whose: str = ""
    winning: bool = False
    points: int | None = None
    cell: str = ""
    lit: bool = False
    decides: bool = False
    covered: bool = False
    tag: str = ""


@dataclass(frozen=True)
class ZoneLayout:
    """A zone with its slots: cards face up, then how many backs are drawn, and how many cards they stand for.

    `drawn`: its number stands beside the name already, so it is drawn only where there is room. `owned`: its cards say
    who played them. `emblem`: the symbol of what the note says. `empty`: places of cards that are still to come.
    `so_far`: it tells what would be so if the match ended now.
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
    so_far: bool = False

    @property
    def letters(self) -> list[str]:
        """The names of a board's columns."""
        return [column_name(column) for column in range(self.columns)]

    @property
    def standing(self) -> str:
        """What is written beside the name of its seat: the note, less what a marker shows if there is more."""
        if self.shape in {"fan", "count"}:
            return ""
        if self.so_far:
            return f"{self.title}: {self.note}"
        return re.sub("^[^:,]*[:,] ", "", self.note) if self.emblem else self.note


@dataclass(frozen=True)
class SeatLayout:
    """A seat: its player, what is counted, its other zones; at the end its outcome, whether it won, and its place.

    `markers`: what lies there as a sign, such as a First Player's marker: symbol, words, and whether it is only so far.
    `place`: 0 says nothing.
    """

    line: SeatLine
    me: bool
    acting: bool
    counts: tuple[ZoneLayout, ...]
    zones: tuple[ZoneLayout, ...]
    outcome: str = ""
    wins: bool = False
    markers: tuple[tuple[str, str, bool], ...] = ()
    place: int = 0


@dataclass(frozen=True)
class Placed:
    """What lies on the table, in the order in which it is shown.

    `stage`: what lies in the centre; `sides`: what stands to the left and right of that; `counts`: what is counted
    there. `mine`: the reader's own seat, without the hand.
    """

    seats: tuple[SeatLayout, ...]
    boards: tuple[ZoneLayout, ...]
    stage: tuple[ZoneLayout, ...]
    sides: tuple[tuple[ZoneLayout, ...], tuple[ZoneLayout, ...]]
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
        return len(self.seats), [board.id for board in self.boards]

    @property
    def middle(self) -> tuple[object, ...]:
        """What lies in the middle, besides boards."""
        return self.stage, self.sides, self.counts


@dataclass(frozen=True)
class TableLayout(Placed):
    """Everything on the page of a table.

    `moves`: moves that are neither cards nor cells, name and label. `groups`: moves
    of several cards, see `Arranger.groups`. `news`, `log`: lines as HTML. `ranked`: the seats by place. `legend`: icons
    that stand for words, and their words.
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
        self.sprite = rendering.sprite_of(page.site.prefix)
        self.by_card, self.by_cards = moves_by_card(self.view), moves_by_cards(self.view)
        self.deciding = page.over.deciding if page.over else ()
        self.layouts: dict[str, tuple[Zone, ZoneLayout]] = {}

    def table(self, lines: int) -> TableLayout:
        """The whole table."""
        placed, view = self.placed(self.view.zones), self.view
        news, log = self.news_and_log(lines)
        return TableLayout(
            **vars(placed),
            **self.other_moves(),
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
            if zone.part != "words":
                by_seat.setdefault(zone.seat, []).append(zone)
        seats = {line.number: self.seat(line, by_seat.get(line.number, [])) for line in self.page.seats}
        middle = by_seat.get(None, [])
        stage = [zone for zone in middle if zone.on_stage]
        side = [self.zone(zone) for zone in middle if not zone.on_stage and zone.shape != "count"]
        own = self.view.seat
        fan = hand_of(self.view, by_seat.get(own, [])) if own in seats else None
        mine = seats[own] if own in seats and own == self.page.me else None
        if mine and fan:
            mine = altered(mine, zones=tuple(zone for zone in mine.zones if zone.id != f"zone-{fan.id}"))
        return Placed(
            tuple(seats.values()),
            tuple(self.zone(zone) for zone in stage if zone.shape == "board"),
            tuple(self.zone(zone) for zone in stage if zone.shape != "board"),
            (tuple(side[1::2]), tuple(side[::2])),
            tuple(self.zone(zone) for zone in middle if not zone.on_stage and zone.shape == "count"),
            self.hand(fan) if fan else None,
            mine,
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
        note = self.note(zone)
        owners = [self.catalogue.name(seat) for seat in zone.owners] or [""] * len(zone.cards)
        above = [*zone.cards[1:], ""] if zone.shape == "row" and len(zone.cards) > SPREAD else [""] * len(zone.cards)
        tags = zone.tags or [""] * len(zone.cards)
        slots = tuple(
            Slot(
                f"zone-{zone.id}.{k}",
                code,
                picture(code).named(self.catalogue, code),
                spoken_name(code, self.catalogue),
                whose=owner,
                winning=k == zone.winning,
                decides=f"{zone.id}.{k}" in self.deciding,
                covered=code == upper,
                tag=tag,
            )
            for k, (code, owner, upper, tag) in enumerate(zip(zone.cards, owners, above, tags, strict=True))
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
            so_far=zone.part == "so far",
        )

    def note(self, zone: Zone) -> str:
        """The note of a zone as HTML; one of nothing but cards is a list of them."""
        if zone.note and zone.note.key == "{cards}":
            return rendering.cards_by_suit(zone.note.args["cards"].codes)
        return sentence_html(self.catalogue, zone.note, self.sprite) if zone.note else ""

    def board(self, zone: Zone) -> ZoneLayout:
        """A board, cell by cell; the one that the last lines of the reader's log name is lit."""
        latest = next((str(text.args["cell"]) for text in reversed(self.view.log[-8:]) if "cell" in text.args), "")
        moves, scored = moves_by_cell(self.view, zone), self.scored()
        slots = []
        for number, code in enumerate(zone.cards):
            cell = cell_name(number, zone.columns)
            art, spoken = (rendering.tile(code), spoken_name(code, self.catalogue)) if code else (None, "")
            art = art.named(self.catalogue, code) if art else None
            decides = f"{zone.id}.{number}" in self.deciding
            lit = bool(code) and cell == latest and not self.page.over
            slot = Slot(f"zone-{zone.id}.{number}", code, art, spoken, cell=cell, lit=lit, decides=decides)
            slot = altered(slot, points=scored.get(f"{zone.id}.{number}"))
            slots.append(self.cell(slot, moves.get(cell)) if moves else slot)
        note = self.say(zone.note) if zone.note else ""
        return ZoneLayout(f"zone-{zone.id}", self.say(zone.title), note, "board", tuple(slots), columns=zone.columns)

    def scored(self) -> dict[str, int]:
        """What the hands of the winners brought, each by a cell of it that no other has taken."""
        over, out = self.page.over, dict[str, int]()
        for hand in over.hands if over else ():
            free = [spot for spot in hand.spots if spot not in out]
            if free and hand.points and any(over.won[seat] for seat in hand.seats if over):
                out[free[-1]] = hand.points
        return out

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
            tuple(
                (each.emblem, each.standing if each.so_far else each.note, each.so_far)
                for each in layouts
                if each.emblem
            ),
            over.places[number] if over and says_places(over) and not self.page.team_of else 0,
        )

    def ranked(self, seats: Sequence[SeatLayout]) -> tuple[SeatLayout, ...]:
        """The seats by their places at the end, equals in the order of seats; before the end as they sit."""
        ranks = self.page.over.places if self.page.over else ()
        return tuple(sorted(seats, key=lambda seat: ranks[seat.line.number])) if ranks else tuple(seats)

    # --- moves, and the log -------------------------------------------------------------------------------------------
    def other_moves(self) -> dict[str, Any]:
        """The moves that are neither cards nor cells: name and label."""
        moves = other_moves(self.view, self.by_card, self.by_cards)
        return {"moves": tuple((move.name, self.say(move.label)) for move in moves)}

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
def cards_in_note(zone: Zone) -> Counter[str]:
    """The cards that a zone's note names."""
    values = zone.note.args.values() if zone.note else ()
    return Counter(code for value in values if isinstance(value, Cards) for code in value.codes)


def legend(placed: Placed) -> tuple[tuple[str, str], ...]:
    """The signs that stand for words on a page, each once, with its words."""
    zones = [
        *(zone for seat in placed.seats for zone in seat.counts),
        *(zone for seat in placed.seats for zone in seat.zones if zone.count is not None),
        *placed.counts,
        *(zone for zone in placed.stage if zone.count is not None),
    ]
    icons = [(zone.icon, zone.title) for zone in zones if zone.icon]
    return tuple(dict((*icons, *(marker[:2] for seat in placed.seats for marker in seat.markers))).items())


LOG_LINES = 60  # of the log on a table's page; a replay has them all


# --- the table --------------------------------------------------------------------------------------------------------
def table(page: TablePage, *, still: bool = False) -> str:
    """The whole page of a table; without a script it reloads while its reader waits, unless it is to be `still`."""
    waits = not (page.turn or page.over or page.ended)
    return table_part("table.html", page, main=safe(table_main(page)), about=ABOUT, waits=waits, still=still)


def table_main(page: TablePage) -> str:
    """The part of a table's page that changes."""
    if page.shared and page.shared.covered:
        assert page.me is None and page.view.seat < 0, "what lies behind a curtain isn't told to the page"
        return table_part("table_curtain.html", page, all=arrange(page, catalogue_of(page), LOG_LINES))
    if page.waiting:
        return table_part("table_waiting.html", page, open_seats=open_seats(page))
    return played_part("table_main.html", page)


def television(page: TablePage) -> str:
    """The whole page of a screen that all look at."""
    return table_part("television.html", page, main=safe(television_main(page)))


def television_main(page: TablePage) -> str:
    """The part of such a page that changes."""
    assert page.screen and page.me is None and page.view.seat < 0, "a screen shows what the public knows"
    if page.waiting:
        return table_part("television_waiting.html", page, open_seats=open_seats(page))
    return played_part("television_main.html", page)


def played_part(template: str, page: TablePage) -> str:
    """A part of the page of a table whose cards are dealt."""
    catalogue = catalogue_of(page)
    layout = arrange(page, catalogue, LOG_LINES)
    return table_part(template, page, all=layout, scored=score_sheet(page, catalogue), **ending_of(page, catalogue))


def table_part(template: str, page: TablePage, **values: Any) -> str:
    """A template about a table."""
    info = game_info(page.view.game, page.site.lang)
    values |= {"page": page, "info": info, "phrases": PHRASES, "longest": LONGEST}
    return render(template, page.site, catalogue_of(page), **values)


def catalogue_of(page: TablePage) -> Catalogue:
    """The catalogue of a table's game, with the players' names."""
    return game_catalogue(page.site, page.view.game, [line.name for line in page.seats])


def open_seats(page: TablePage) -> int:
    """How many seats are free."""
    return sum(line.kind == "open" for line in page.seats)


def score_sheet(page: TablePage, catalogue: Catalogue) -> Markup | str:
    """The score sheet, if there is one."""
    if page.scores is None:
        return ""
    names, icons = [line.name for line in page.seats], [icon(id) for id in page.scores.ids]
    return safe(render("scores.html", page.site, catalogue, scores=page.scores, names=names, icons=icons))


def hint(site: Site, game: str, names: Sequence[str], advice: rendering.HintView) -> str:
    """The part of a table's page that shows a hint."""
    return render("hint.html", site, game_catalogue(site, game, names), hint=advice)


# --- what happened, step by step --------------------------------------------------------------------------------------
@dataclass(frozen=True)
class ShownBeat:
    """A beat as the page shows it: its line, what is `said`, the ids that are `lit`, and what lies on the table then.

    `who`, `cards`, `counts`, `remark`: of a spotlight, whom it concerns, the cards with what decides among them, what
    is counted, and what a bot says of it.

    `anew`: the whole felt, with the seats `around` it; else the parts that differ from the step before.
    """

    beat: Beat
    line: Markup | str
    said: str
    lit: str
    placed: Placed
    around: tuple[SeatLayout, ...]
    anew: bool
    plates: tuple[SeatLayout, ...] = ()
    boards: tuple[ZoneLayout, ...] = ()
    middle: bool = True
    held: bool = True
    who: tuple[SeatLayout, ...] = ()
    cards: tuple[tuple[rendering.CardPicture, bool], ...] = ()
    counts: tuple[ZoneLayout, ...] = ()
    remark: str = ""


def steps(
    page: TablePage, beats: Sequence[Beat], follows: int, remarks: Sequence[Text | None] = (), *, live: bool = True
) -> str:
    """The steps that lead a page from a version to the newest: what lies on the table then, without anything to do.

    `remarks`: what bots say, beat by beat.

    A part that is as it was a step before isn't sent again. `live`: at a table; in a replay, all seats are around the
    felt.
    """
    catalogue, sprite = catalogue_of(page), rendering.sprite_of(page.site.prefix)
    still = altered(page, view=altered(page.view, moves=(), acting=(), outcome_texts=()), over=None)
    arranger, out = Arranger(still, catalogue), list[ShownBeat]()
    for beat, remark in zip_longest(beats, remarks[: len(beats)]):
        placed = arranger.placed(beat.zones)
        seats = placed.others if live else placed.everybody
        line = sentence_html(catalogue, beat.line, sprite) if beat.line else ""
        speech = catalogue.words(beat.said) if beat.said else ""
        lit = " ".join([*(f"zone-{zone}" for zone in beat.light), *(f"plate-{seat}" for seat in beat.seats)])
        step = ShownBeat(beat, line, speech, lit, placed, seats, anew=True)
        if beat.spotlight:
            who = tuple(placed.seats[seat] for seat in beat.seats[:FACES_SHOWN])
            counts = tuple(count for seat in who for count in seat.counts if count.icon and count.id in lit.split())
            said = catalogue.words(remark) if remark else ""
            cards = tuple(cards_of_spotlight(beat, catalogue))
            step = altered(step, who=who, cards=cards, counts=counts, remark=said)
        out.append(changes(step, out[-1]) if out and out[-1].placed.outline == placed.outline else step)
    return render("steps.html", page.site, catalogue, steps=out, follows=follows, live=live)


def cards_of_spotlight(beat: Beat, catalogue: Catalogue) -> Iterable[tuple[rendering.CardPicture, bool]]:
    """The cards that a spotlight shows: those with the light, and among them the others of their hand or row.

    Of a zone that has it as a whole the backs, and of a row that isn't full an empty place.
    """
    for zone in beat.zones:
        lit = {int(spot.rpartition(".")[2]) for spot in beat.light if spot.rpartition(".")[0] == zone.id}
        indices = sorted(lit) if zone.shape == "board" or len(zone.cards) > MOST_SHOWN else range(len(zone.cards))
        yield from ((picture(zone.cards[k]).named(catalogue, zone.cards[k]), k in lit) for k in indices if lit)
        if zone.id in beat.light and zone.seat is not None:
            yield from ((rendering.BACK, True) for _ in range(min(zone.hidden, MOST_SHOWN)))


def changes(step: ShownBeat, last: ShownBeat) -> ShownBeat:
    """A step with just the parts that differ from the step before."""
    now, before = step.placed, last.placed
    return altered(
        step,
        anew=False,
        plates=tuple(plate for plate, old in zip(step.around, last.around, strict=True) if plate != old),
        boards=tuple(board for board, old in zip(now.boards, before.boards, strict=True) if board != old),
        middle=now.middle != before.middle,
        held=(now.mine, now.hand) != (before.mine, before.hand),
    )


# --- the end ----------------------------------------------------------------------------------------------------------
def headlines(page: TablePage) -> tuple[Text, ...]:
    """Who won, and what is told below that, if anything."""
    assert page.over is not None
    return headlines_of(
        page.over.won, -1 if page.me is None else page.me, page.team_of, page.over.lead, page.over.decided
    )


def final_place(page: TablePage) -> Text | None:
    """The reader's place; None where it says nothing: for winners, in teams, and where all others lost alike."""
    over, me = page.over, page.me
    if over is None or me is None or page.team_of or any(over.won[me : me + 1]):
        return None
    if not says_places(over):
        return None
    shared = over.places.count(over.places[me]) > 1
    standing = {"place": over.places[me], "players": len(over.places)}
    if shared:
        return say("Your place: {place} of {players}, shared", **standing)
    return say("Your place: {place} of {players}", **standing)


def says_places(over: rendering.Over) -> bool:
    """Whether places say more than who won: not all others lost alike."""
    lost = [rank for rank, won in zip(over.places, over.won, strict=bool(over.places)) if not won]
    return len(lost) == 1 or len(set(lost)) > 1


def ending_of(page: TablePage, catalogue: Catalogue) -> dict[str, Any]:
    """What the sheet at the end of a match says besides the results."""
    if page.over is None:
        return {}
    standing, turning = final_place(page), turning_point(page, page.over.turning) if page.over.turning else ""
    compared = comparison(page.site, page.over.compared)
    headline, *details = map(catalogue.words, headlines(page))
    return {
        "headline": headline,
        "beside": "".join(details),
        "share": len(winning_sides(page.over.won, page.team_of)) > 1,
        "place": catalogue.words(standing) if standing else "",
        "best": best_hands(page.over.hands, catalogue),
        "turning": turning,
        "compared": compared,
    }


def best_hands(hands: Sequence[ScoredHand], catalogue: Catalogue) -> dict[int, str]:
    """In words, what brought each seat most on a board."""
    best = {seat: hand for hand in sorted(hands, key=lambda hand: hand.points) for seat in hand.seats}
    return {seat: catalogue.words(hand.text) + f" ×{hand.factor}" * (hand.factor > 1) for seat, hand in best.items()}


def turning_point(page: TablePage, point: rendering.TurningPoint) -> Markup:
    """The turning point of a match in a sentence, with a link to its moment."""
    sentence = turned(point.decision, point.seat, point.measure, own=point.seat == page.me)
    unit = definition(page.view.game).table.ABOUT.deal
    return safe(table_part("turning.html", page, point=point, sentence=sentence, unit=unit))


# --- the deal of a day beside others ----------------------------------------------------------------------------------
LOST = {  # by whether none, some or all of the bots won
    "none": _("None of {games} {level} bots won with these cards."),
    "some": _("{won} of {games} {level} bots won with these cards."),
    "all": _("All {games} {level} bots won with these cards."),
}
WON = {
    "none": _("You won with cards with which none of {games} {level} bots did."),
    "some": _("You won, as {won} of {games} {level} bots did with these cards."),
    "all": _("You won, as all {games} {level} bots did with these cards."),
}


def comparison(site: Site, compared: rendering.Compared | None) -> Markup | str:
    """The reader's match beside those of bots with the same cards: a sentence and a small picture."""
    if compared is None:
        return ""
    catalogue = game_catalogue(site, compared.game)
    rows = [
        (share, label(catalogue, share))
        for share in (*compared.levels, *([compared.people] if compared.people else []))
    ]
    text = comparison_text(compared)
    line = catalogue.words(text) if text else ""
    return safe(render("day_compared.html", site, catalogue, compared=compared, rows=rows, sentence=line))


def comparison_text(compared: rendering.Compared) -> Text | None:
    """How the reader did beside the bots that sit at most tables; None before these have played."""
    usual = next(
        (share for share in compared.levels if share.who == USUAL), compared.levels[-1] if compared.levels else None
    )
    if usual is None or not usual.done:
        return None
    kind = "none" if not usual.won else "all" if usual.won == usual.games else "some"
    texts = WON if compared.won and compared.counts else LOST
    return say(texts[kind], won=usual.won, games=usual.games, level=say(ADJECTIVES[usual.who]))


def label(catalogue: Catalogue, share: rendering.Share) -> str:
    """Whose share it is."""
    if share.who == "people":
        return catalogue.words(say("People here"))
    return capitalised(catalogue.words(say("{level} bots", level=say(ADJECTIVES[share.who]))))


def capitalised(outcome: str) -> str:
    """How a match ended, as a sentence by itself."""
    return outcome[:1].upper() + outcome[1:]


# --- in words, for ears -----------------------------------------------------------------------------------------------
MOST_MOVES = 8  # moves that are told; more are found among the buttons
LETTERS = {symbol: letter for letter, symbol in SYMBOLS.items()}
CARD = re.compile(rf"(10|[2-9AJQK])([{''.join(LETTERS)}])")  # as moves, notes and the log write it
LATEST = 3  # lines of the log that are told at least
ABOUT: dict[str, tuple[str, Text]] = {  # what can be asked, as methods of `Speaker`: its key, and its name
    "hand": ("c", say("My cards")),
    "table": ("t", say("The table")),
    "scores": ("s", say("Scores")),
    "turn": ("w", say("Whose turn")),
    "events": ("e", say("What happened last")),
}


def spoken(page: TablePage, about: str) -> str:
    """The answer to one of `ABOUT`."""
    speaker = Speaker(page)
    lines = [with_full_stop(line) for line in getattr(speaker, about)() if line]
    answer = " ".join(lines) or with_full_stop(speaker.say(say("none")))
    return CARD.sub(lambda match: spoken_code(match[1] + LETTERS[match[2]], speaker.words.lang), answer)


def with_full_stop(text: str) -> str:
    """The words with a full stop, unless they end with one."""
    return text if text[-1:] in ".!?…" else f"{text}."


class Speaker:
    """Puts what a page shows into words."""

    def __init__(self, page: TablePage) -> None:
        self.page, self.view = page, page.view
        self.words: Catalogue = game_catalogue(page.site, page.view.game, tuple(line.name for line in page.seats))
        self.say = self.words.words

    def hand(self) -> Iterable[str]:
        """The reader's own zones, the hand first, then what can be done."""
        hand = hand_of(self.view)
        own = [zone for zone in self.view.zones if self.view.seat >= 0 and zone.seat == self.view.seat]
        yield from (self.zone(zone) for zone in sorted(own, key=lambda zone: zone is not hand) if zone.shape != "count")
        moves = [self.say(move.label) for move in self.view.moves if not move.cell]
        if len(moves) <= MOST_MOVES:
            yield "; ".join(moves)

    def table(self) -> Iterable[str]:
        """What lies in the middle and before the others."""
        yield from (self.zone(zone) for zone in self.view.zones if zone.seat is None)
        for line in self.page.seats:
            theirs = [zone for zone in self.view.zones if zone.seat == line.number and zone.shape != "count"]
            if theirs and line.number != self.view.seat:
                yield f"{line.name}: {'; '.join(map(self.zone, theirs))}"

    def scores(self) -> Iterable[str]:
        """What is counted of each seat, then the totals of the score sheet."""
        for line in self.page.seats:
            counts = [zone for zone in self.view.zones if zone.seat == line.number and zone.count is not None]
            if counts:
                yield f"{line.name}: {', '.join(f'{self.say(zone.title)} {zone.count}' for zone in counts)}"
        sheet = self.page.scores
        for k, title in enumerate(sheet.titles if sheet else ()):
            names = [" & ".join(self.words.name(seat) for seat in seats) for seats in sheet.columns] if sheet else []
            totals = [f"{name} {total[k]}" for name, total in zip(names, sheet.totals, strict=True)] if sheet else []
            yield f"{self.say(title)}: {', '.join(totals)}"

    def turn(self) -> Iterable[str]:
        """What the table waits for, and who may act."""
        yield self.say(self.view.prompt)
        if len(self.view.acting) > 1:
            yield self.say(say("Next to act: {names}.", names=", ".join(map(self.words.name, self.view.acting))))

    def events(self) -> Iterable[str]:
        """What happened since the reader's last move, or the last lines."""
        yield from map(self.say, self.view.log[-max(LATEST, self.page.news) :])

    def zone(self, zone: Zone) -> str:
        """A zone: its title, its cards, how many lie face down, what is counted, its note."""
        parts = [*self.cards(zone)]
        if zone.hidden:
            parts.append(self.say(say_n("{n} card face down", "{n} cards face down", zone.hidden)))
        if zone.count is not None:
            parts.append(str(zone.count))
        if zone.note:
            parts.append(self.say(zone.note))
        return f"{self.say(zone.title)}: {', '.join(parts) or self.say(say('none'))}"

    def cards(self, zone: Zone) -> Iterable[str]:
        """The cards of a zone that lie face up, on a board each with its cell, in a trick with its player."""
        for k, code in enumerate(zone.cards):
            name = spoken_name(code, self.words) if code else ""
            if zone.shape != "board":
                yield f"{self.words.name(zone.owners[k])} {name}" if zone.owners else name
            elif code:
                yield f"{cell_name(k, zone.columns)} {name}"
