"""What a seat sees and is told, as data. Screens render it and know nothing else of a match.

A `View` is a position: zones, cards, moves, log. A `Beat` is a step of an event, as a player at a real table sees it.
The rules mark the steps with `stop` (`hexdeck.engine.layout`). For each stop of an event, and for its end, a game's
`table.py` may define `caption(stop, seat)`: what a seat, or the public (-1), is told and shown then. Bids that lie face
down, are turned up, and win the prize:

    def caption(stop, seat):
        now = stop.now
        if stop.kind == rules.TURNED_UP:
            return Caption(say("The bids are turned up."), REVEALED, ("bids",), cue="flip")
        if stop.kind == rules.WON:
            line = told(seat, stop.seat, say("You win."), say("{seat} wins."))
            return Caption(line, RESOLVED, ("prize",), (stop.seat,), "chips")
        return None

The log, every screen, speech and sound are made from captions, and the table at a stop is drawn by `zones` as always. A
caption is made from structs that are concealed for the seat, so it can't tell what the seat doesn't know; and which
steps there are, and how long each is held, is what the public's captions say. A game without `caption` tells each
event in one step, from its labels and zones. `hexdeck.testing` checks all this (`stops`).
"""

from __future__ import annotations

import functools
import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from hexdeck.engine.errors import HexdeckError, seat_of, shown
from hexdeck.engine.layout import END
from hexdeck.engine.text import Cards, Catalogue, Seat, Text, _, from_data, in_chips, say


class Event(NamedTuple):
    """A move of a seat, or an outcome of chance (seat -1): its id, and the name that records keep."""

    seat: int
    id: int
    name: str

    @property
    def recorded(self) -> str:
        """The event as a record writes it."""
        return self.name if self.seat < 0 else f"{self.seat}: {self.name}"


EVERYONE = 0xFFFF  # audience: a bit for each seat, the highest bit for the public
PUBLIC = 1 << 15
MOST_SEATS = 15


Made = TypeVar("Made")


def altered(instance: Made, **changes: Any) -> Made:
    """A copy of a frozen dataclass with fields changed: `dataclasses.replace`, but several times as fast.

    For classes whose fields are all given to the constructor, and set by nothing else.
    """
    fields = vars(instance)
    if not changes.keys() <= fields.keys():
        raise TypeError(f"{type(instance).__name__} has no {', '.join(sorted(changes.keys() - fields.keys()))}")
    copy: Made = object.__new__(type(instance))
    vars(copy).update(fields, **changes)
    return copy


@dataclass(frozen=True)
class Zone:
    """A place on the table that holds cards, or shows a count.

    `id` names the place, and stays the same when cards move. `seat` is the seat it belongs to, None for the middle of
    the table. `shape` is "fan", "row" or "pile" for cards, "count" for chips and the like, or "board" for cells in rows
    of `columns`. `cards` are the codes of the face-up cards, left to right; on a board, of its cells, row by row from
    the top left, "" for an empty cell. `hidden` is how many more cards lie face down; `count` is the number of chips or
    the like. `owners`, as in a trick, are the seats that played each of `cards`; `winning` is the card, counted from 0,
    that wins it as it lies, and `tags` what is written on each. `places` is how many cards will lie there, as far as
    that is known: each has its place, empty or not. `part` is what a zone in the middle plays: the "stage", what
    everybody plays for, lies large in the centre of a screen, a "side" beside that, and "words" are for screens without
    pictures of cards; by default rows, fans and boards are on the stage, piles and counts beside it. A seat's zones lie
    with that seat; one that is "so far" tells how the seat would end, or what decides so, if the match ended now.
    """

    id: str
    title: Text
    seat: int | None = None
    shape: str = "row"
    cards: tuple[str, ...] = ()
    hidden: int = 0
    count: int | None = None
    note: Text | None = None
    owners: tuple[int, ...] = ()
    winning: int | None = None
    tags: tuple[str, ...] = ()
    columns: int = 0
    places: int = 0
    part: str = ""

    @property
    def on_stage(self) -> bool:
        """Whether a zone in the middle lies in its centre."""
        return self.part == "stage" or (not self.part and self.shape not in {"pile", "count"})

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of a board, from the top."""
        return [self.cards[k : k + self.columns] for k in range(0, len(self.cards), self.columns or 1)]

    def data(self) -> dict[str, Any]:
        """The zone as JSON-able data."""
        out: dict[str, Any] = {"id": self.id, "title": self.title.data(), "seat": self.seat, "shape": self.shape}
        out |= {"cards": list(self.cards), "hidden": self.hidden, "count": self.count}
        out |= {"note": self.note.data() if self.note else None}
        return out | {
            "owners": list(self.owners),
            "winning": self.winning,
            "columns": self.columns,
            "places": self.places,
        }


# --- boards
def cell_name(index: int, columns: int) -> str:
    """The name of a cell of a board, such as "c4": the column's letters, and the row's number from 1 at the top."""
    return f"{column_name(index % columns)}{index // columns + 1}"


def column_name(column: int) -> str:
    """The letters of a column, counted from 0: a to z, then aa, ab, and so on."""
    before, last = divmod(column, 26)
    return (column_name(before - 1) if before else "") + chr(ord("a") + last)


@dataclass(frozen=True)
class BoardLabel(Text):
    """The label of a move to a cell of a board, made by `on_board`."""

    zone: str = ""
    cell: int = 0
    points: int | None = None


def on_board(text: Text, zone: str, cell: int, points: int | None = None) -> BoardLabel:
    """The label of a move to a cell of a zone, counted from 0, and the points it scores, if any."""
    return BoardLabel(text.key, text.args, text.plural, zone, cell, points)


@dataclass(frozen=True)
class Aside:
    """What a person may say of another seat, beside the moves: nobody notices it, and to say nothing is an answer, too.

    `about`: the other seat. `action`, `silence`: the moves that the table makes for the person, once the rules ask for
    one (`asked`: they do now), where they have said it and where they haven't. `label`: a word for it, beside a name.
    `told`, `taken_back`: what the person is told where they type it, and where they take it back.
    """

    about: int
    action: int
    silence: int
    asked: bool
    label: Text
    told: Text
    taken_back: Text


@dataclass(frozen=True)
class Move:
    """A legal action of a seat: its id, its name in records (`"grave 7"`), and a label for people.

    A move to a cell of a board also has the id of that zone, the cell's name, and the points it scores, if the game
    scores single moves.
    """

    id: int
    name: str
    label: Text
    zone: str = ""
    cell: str = ""
    points: int | None = None

    @property
    def text(self) -> str:
        """The label in English."""
        return str(self.label)

    def __repr__(self) -> str:
        return f"Move(id={self.id}, text={self.text!r})"

    def data(self) -> dict[str, Any]:
        """The move as JSON-able data."""
        out: dict[str, Any] = {"id": self.id, "name": self.name, "label": self.label.data()}
        return out | {"zone": self.zone, "cell": self.cell, "points": self.points}


@dataclass(frozen=True)
class Fact:
    """A sentence about an event, and the seats that are told it: `audience` has a bit for each."""

    audience: int
    text: Text

    def heard_by(self, seat: int) -> bool:
        """Whether a seat, or the public (-1), is told the fact."""
        if type(seat) is not int or not -1 <= seat < MOST_SEATS:
            seat = seat_of(seat, MOST_SEATS, public=True)
        return bool(self.audience >> (seat if seat >= 0 else 15) & 1)

    def data(self) -> dict[str, Any]:
        """The fact as JSON-able data."""
        return {"audience": self.audience, "text": self.text.data()}


def fact_from_data(data: dict[str, Any]) -> Fact:
    """The Fact from the data of `Fact.data`."""
    return Fact(data["audience"], from_data(data["text"]))


def everyone(text: Text) -> list[Fact]:
    """A fact in the same words for everybody."""
    return [Fact(EVERYONE, text)]


@dataclass(frozen=True)
class Outcome:
    """How a match that is over ended, as a seat or the public is told.

    `texts`: how it ended for each seat; `won_by`: how far the best is ahead, such as “3 points”, None where that isn't
    counted; `decided_by`: what decided the match, None where who won says it all; `nobody_won`: whether nobody has won,
    not even who has the best result; `placed_by`: the most is first, where the places say more than `returns`.
    """

    texts: Sequence[Text]
    won_by: Text | None = None
    decided_by: Text | None = None
    nobody_won: bool = False
    placed_by: Sequence[float] = ()


@dataclass(frozen=True)
class View:
    """What a seat (-1: the public) sees of a match at one ply.

    `prompt` says what is to be done, `log` what the seat was told so far, `outcome_texts` how it ended for each seat.
    `names` are the players' names, `folders` those of the catalogues.
    """

    game: str
    seat: int
    ply: int
    players: int
    acting: tuple[int, ...]
    over: bool
    prompt: Text
    zones: tuple[Zone, ...]
    moves: tuple[Move, ...]
    log: tuple[Text, ...]
    outcome_texts: tuple[Text, ...] = ()
    names: tuple[str, ...] = ()
    folders: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def data(self) -> dict[str, Any]:
        """The view as JSON-able data; messages stay untranslated, so that each screen can use its own language."""
        return {
            "game": self.game,
            "seat": self.seat,
            "ply": self.ply,
            "players": self.players,
            "names": list(self.names),
            "acting": list(self.acting),
            "over": self.over,
            "prompt": self.prompt.data(),
            "zones": [zone.data() for zone in self.zones],
            "moves": [move.data() for move in self.moves],
            "log": [text.data() for text in self.log],
            "outcomes": [text.data() for text in self.outcome_texts],
        }

    def text(self, lang: str = "en", suits: bool = False) -> str:
        """The view as plain lines of text in a language; with `suits`, cards have the symbols of their suits.

        Seats, what is noted beside places and who is to move are named. What was told earlier is in the log alone.
        """
        if not isinstance(lang, str):
            raise HexdeckError(
                say("A language is given by its code, such as en or nl, not {given}.", given=shown(lang))
            )
        catalogue = Catalogue(lang, self.folders, self.names, suits)
        lines = [line for zone in self.zones for line in owned_lines(zone, catalogue)]
        if self.acting:
            lines.append(catalogue.words(say("To move: {names}", names=", ".join(map(catalogue.name, self.acting)))))
        lines += [catalogue.words(self.prompt)] + [f"  {catalogue.words(move.label)}" for move in self.moves]
        outcomes = enumerate(self.outcome_texts)
        return "\n".join([*lines, *(f"{catalogue.name(seat)}: {catalogue.words(text)}" for seat, text in outcomes)])

    def __str__(self) -> str:
        return self.text()


def zone_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A zone as lines of text: a board as a grid under its title, any other zone in one line."""
    title = catalogue.words(zone.title)
    if zone.shape == "board":
        return [f"{title}:", *board_lines(zone, catalogue)]
    return [f"{title}: {zone_words(zone, catalogue)}".rstrip(": ")]


def owned_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A zone as lines of text, with whose it is and what a screen notes beside it: `Seat 0, Row: 7 – First Player`."""
    first, *lines = zone_lines(zone, catalogue)
    owner = "" if zone.seat is None else f"{catalogue.name(zone.seat)}, "
    return [f"{owner}{first}" + (f" – {catalogue.words(zone.note)}" if zone.note else ""), *lines]


def board_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A board as a grid: column letters above, row numbers at the left, a dot for each empty cell."""
    rows = [["", *map(column_name, range(zone.columns))]]
    rows += [[str(row), *(catalogue.card(code) or "." for code in cells)] for row, cells in enumerate(zone.rows, 1)]
    wide = max(len(cell) for cells in rows for cell in cells[1:])
    return [" ".join([cells[0].rjust(3), *(cell.ljust(wide) for cell in cells[1:])]).rstrip() for cells in rows]


def zone_words(zone: Zone, catalogue: Catalogue | None = None) -> str:
    """The contents of a zone in one line: `7 10 ###` (three face down), `Ada 7h  Bram 9c`, on a board `c4 7h`."""
    catalogue = catalogue or Catalogue()
    cards = [catalogue.card(code) for code in zone.cards]
    if zone.shape == "board":
        return "  ".join(f"{cell_name(k, zone.columns)} {card}" for k, card in enumerate(cards) if card)
    if zone.owners:
        owned = [f"{catalogue.name(seat)} {card}" for seat, card in zip(zone.owners, cards, strict=True)]
        cards = ["  ".join(owned)]
    parts = [*cards, "#" * zone.hidden if zone.hidden <= 12 else f"#×{zone.hidden}"]
    if zone.count is not None:
        parts.append(str(zone.count))
    return " ".join(part for part in parts if part)


def prompt(table: Any, s: Any, seat: int) -> Text:
    """What the table is waiting for, as told to a seat: by its `prompt` where seats act."""
    if s.over:
        return say("The match is over.")
    text: Text = table.prompt(s, seat) if s.acting else say("The cards are being dealt.")
    return text


def waiting(s: Any, text: Text) -> Text:
    """Whom the table waits for if that is one seat, else a text."""
    return say("Waiting for {seat}.", seat=Seat(s.acting.bit_length() - 1)) if s.acting.bit_count() == 1 else text


POSITIONS = 512  # of a game, as seats know them

Zones = Callable[[Any, int], Iterable[Zone]]


def copied(s: Any) -> Any:
    """A struct with the same fields, on which the rules may go on."""
    return type(s)(memoryview(bytearray(s.row_)))


def remembered(zones: Zones) -> Callable[[Any, int], tuple[Zone, ...]]:
    """A game's `zones`, made once for each seat and struct."""
    positions: OrderedDict[tuple[bytes, int], tuple[Zone, ...]] = OrderedDict()

    @functools.wraps(zones)
    def zones_of(s: Any, seat: int) -> tuple[Zone, ...]:
        key = bytes(s.row_), seat
        if key not in positions:
            positions[key] = tuple(zones(s, seat))
            if len(positions) > POSITIONS:
                positions.popitem(last=False)
        return positions[key]

    return zones_of


# --- events, step by step ---------------------------------------------------------------------------------------------
PLAYED, REVEALED, RESOLVED = 500, 1100, 600  # milliseconds for which a step is held
LONGEST = 1800  # milliseconds, for a big moment
CUES = "deal", "place", "flip", "chips", "reveal", "good", "bad", "curse", "feast"  # those that have a sound


class Stop:
    """A stop as a seat, or the public, knows it.

    `kind`: one of the game's, or `END`. `seat`: whom it is about, or -1. `detail`: a number that the rules hand over;
    nothing conceals it. `actor`: who made the move, -1 for chance.
    `action`: the move's id, for the player who made it, and for all in a game without secrets; else -1.
    `before` and `now`: the concealed structs at the stop before (at first, before the event) and at this one.
    """

    __slots__ = "_known", "_last", "_now", "_struct", "action", "actor", "detail", "kind", "seat"

    def __init__(
        self,
        kind: int,
        seat: int,
        actor: int,
        action: int,
        conceal: Callable[[bytes], Any],
        struct: bytes,
        last: Stop | None = None,
        detail: int = 0,
    ) -> None:
        """`struct` is the whole struct, concealed by `conceal` when it is first read; `last` is the stop before."""
        self.kind, self.seat, self.detail, self.actor, self.action = kind, seat, detail, actor, action
        self._known, self._struct, self._last, self._now = conceal, struct, last or self, None

    @property
    def before(self) -> Any:
        """The struct at the stop before."""
        return self._last.now

    @property
    def now(self) -> Any:
        """The struct at this stop."""
        if self._now is None:
            self._now = self._known(self._struct)
        return self._now


GOOD = "gold"  # the colour of a spotlight on somebody for whom it went well
TONES = GOOD, "green", "orange", "red"


@dataclass(frozen=True)
class Spotlight:
    """What takes the stage at a decisive stop: its player, the cards that have the light, and a word or two.

    `word`: such as "A pair!". `reason`: why, or what it costs. `tone`: the colour of the light, one of `TONES`.
    `against`: whether what the first of its seats does strikes the others.
    """

    word: Text
    reason: Text | None = None
    tone: str = GOOD
    against: bool = False


@dataclass(frozen=True)
class Caption:
    """What a seat is told and shown at a stop.

    `line`: what is said of it. `hold`: the milliseconds that it stays on screens, at the usual pace; 0 where it is only
    in the log. `light`: what has the light, the ids of zones (`"pot"`) or of cards by their place in a zone
    (`"trick.2"`, counted from 0). `seats`: the seats that have it. `cue`: a word for movement and sound, one of `CUES`
    or another. `said`: what the first of `seats` says to the others, in a word or two. `log`: the lines of the log, if
    not just `line`. `spotlight`: what takes the stage where the stop is decisive.
    """

    line: Text | None = None
    hold: int = PLAYED
    light: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    cue: str = ""
    said: Text | None = None
    log: tuple[Text, ...] | None = None
    spotlight: Spotlight | None = None

    @property
    def lines(self) -> tuple[Text, ...]:
        """The lines of the log."""
        if self.log is not None:
            return self.log
        return (self.line,) if self.line else ()


def told(seat: int, subject: int, mine: Text, theirs: Text, **args: Any) -> Text:
    """A sentence in the wording for the seat it is about, or in the one for everybody else, where {seat} is that seat.

    `args`: arguments of both wordings; each gets those that it names.
    """
    text = mine if seat == subject else theirs
    names = names_in(text.key)
    used_args: dict[str, Any] = {name: value for name, value in args.items() if name in names}
    if "seat" in names:
        used_args["seat"] = Seat(subject)
    return Text(text.key, used_args | text.args, text.plural)


@functools.cache
def names_in(key: str) -> frozenset[str]:
    """The names of a message's arguments."""
    return frozenset(re.findall(r"\{(\w+)\}", key))


@dataclass(frozen=True)
class Beat:
    """One step of an event on a screen: `zones` is the table as the seat sees it then; the rest as in Caption."""

    zones: tuple[Zone, ...]
    hold: int = PLAYED
    light: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()
    line: Text | None = None
    cue: str = ""
    said: Text | None = None
    spotlight: Spotlight | None = None

    def data(self) -> dict[str, Any]:
        """The beat as JSON-able data."""
        out: dict[str, Any] = {"hold": self.hold, "light": list(self.light), "seats": list(self.seats)}
        out |= {"line": self.line.data() if self.line else None, "cue": self.cue}
        out |= {"said": self.said.data() if self.said else None}
        if self.spotlight:
            out |= {"spotlight": [text.data() for text in (self.spotlight.word, self.spotlight.reason) if text]}
        return out | {"zones": [zone.data() for zone in self.zones]}


def length(beats: Sequence[Beat]) -> int:
    """How long beats take together, in milliseconds."""
    return sum(beat.hold for beat in beats)


def one_step(old: Sequence[Zone], new: Sequence[Zone], lines: tuple[Text, ...]) -> Caption:
    """The caption of an event in one step: lit is what changed, and the last line is what is said of it."""
    changes = tuple(places_changed(old, new))
    light, cards = tuple(spot for spot, _ in changes), any(is_card for _, is_card in changes)
    cue = "place" if cards else "chips" if light else ""
    return Caption(lines[-1] if lines else None, PLAYED, light, cue=cue, log=lines)


def places_changed(old: Sequence[Zone], new: Sequence[Zone]) -> Iterator[tuple[str, bool]]:
    """The places of cards that came to a zone, hands left out, and counts that changed; each with whether it is a card.

    They are named as in `Caption.light`.
    """
    old_zones = {zone.id: zone for zone in old}
    for zone in new:
        before = old_zones.get(zone.id, zone)
        if zone is before:
            continue
        if zone.shape == "board":
            pairs = zip(zone.cards, before.cards, strict=True)
            yield from ((f"{zone.id}.{k}", True) for k, (card, was) in enumerate(pairs) if card and card != was)
        elif zone.shape != "fan":
            yield from ((f"{zone.id}.{k}", True) for k in cards_come(before, zone))
        if zone.count != before.count:
            yield zone.id, False


def cards_come(old: Zone, new: Zone) -> Iterator[int]:
    """The places in a zone of cards that weren't in it before."""
    counts = Counter(old.cards)
    for k, card in enumerate(new.cards):
        if counts[card]:
            counts[card] -= 1
        else:
            yield k


def fault_of(beats: Sequence[Beat]) -> str:
    """What is wrong with the beats of an event; an empty string if nothing is."""
    for beat in beats:
        if type(beat.hold) is not int or not 0 < beat.hold <= LONGEST:
            return f"a step must be held for 1 to {LONGEST} milliseconds, not {beat.hold!r}"
        sizes = {zone.id: len(zone.cards) for zone in beat.zones}
        for spot in beat.light:
            zone, dot, card = spot.rpartition(".")
            if spot not in sizes and not (dot and card.isdecimal() and int(card) < sizes.get(zone, 0)):
                return f"a caption lights {spot}, which isn't on the table then"
        if beat.spotlight and (beat.spotlight.tone not in TONES or not beat.seats):
            return f"a spotlight has a seat, and one of the colours {', '.join(TONES)}"
        if beat.said and not beat.seats:
            return "a caption says something, but lights no seat that says it"
    return ""


# --- what tables of several games show alike --------------------------------------------------------------------------
def rank_cards(*ranks: int) -> Cards:
    """Cards of a Pairs deck for a sentence, by their ranks counted from 0."""
    return Cards(tuple(str(rank + 1) for rank in ranks))


def rank_codes(counts: Iterable[int]) -> tuple[str, ...]:
    """The codes of cards of a Pairs deck, from how many there are of each rank."""
    return tuple(str(rank + 1) for rank, count in enumerate(counts) for _ in range(count))


def seats_of(bits: int) -> tuple[int, ...]:
    """The seats of a set of bits, in ascending order."""
    return tuple(p for p in range(bits.bit_length()) if bits >> p & 1)


def captions_by_stop(captions: Mapping[int, Any]) -> Any:
    """A game's `caption`: by the kind of a stop, one for all; or a function of the stop, of who is told, of whom."""

    def caption(stop: Stop, seat: int) -> Caption | None:
        """What a seat is told and shown at a stop."""
        captioned = captions[stop.kind] if stop.kind != END else None
        return captioned(stop, seat, stop.seat) if callable(captioned) else captioned

    return caption


def at_seat(
    mine: Text, theirs: Text, hold: int, light: str, cue: str, said: Text | None = None
) -> Callable[[Stop, int, int], Caption]:
    """A caption of one sentence about a seat. `light`: names of zones, with {} for the seat, with spaces between."""

    def caption(_stop: Stop, seat: int, p: int) -> Caption:
        zones = tuple(name.format(p) for name in light.split())
        return Caption(told(seat, p, mine, theirs), hold, zones, (p,), cue, said)

    return caption


def outcome_in_chips(chips: Sequence[int], decided_by: Text | None = None) -> Outcome:
    """How a match ended where the most chips win, from the chips of each seat."""
    best = max(chips)
    return Outcome([_chips_text(n, best, chips.count(best) > 1) for n in chips], lead_in_chips(chips), decided_by)


def chip_results(chips: Sequence[int], start: int) -> list[Text]:
    """A sentence for each seat: its chips, and how many it won or lost since the start."""
    gain, loss = (
        _("{seat}: {chips}, {more} more than at the start."),
        _("{seat}: {chips}, {less} fewer than at the start."),
    )
    return [
        say(gain if n >= start else loss, seat=Seat(p), chips=in_chips(n), more=n - start, less=start - n)
        for p, n in enumerate(map(int, chips))
    ]


def lead_in_chips(chips: Sequence[int]) -> Text:
    """How many chips the richest is ahead."""
    first, second, *_ = sorted(chips, reverse=True)
    return in_chips(first - second)


def _chips_text(n: int, best: int, shared: bool) -> Text:
    if n < best:
        return say("ended with {chips}", chips=in_chips(n))
    if shared:
        return say("shared the win, with {chips}", chips=in_chips(n))
    return say("won the match with {chips}", chips=in_chips(n))


@dataclass(frozen=True)
class Tally:
    """Something that is counted over a match, with the total of every seat; teammates share their team's total.

    `id` is the id of the zone that shows it, without the seat. `single_deal`, where the count restarts at zero in every
    deal, so that the sheet adds the deals up: the fields of the struct by which a match ends with its deal, and the
    count remains. `teams`: the team of each seat, from 0, where some play together.
    """

    id: str
    title: Text
    totals: tuple[int, ...]
    single_deal: Mapping[str, int] = field(default_factory=dict)
    teams: tuple[int, ...] = ()


def seat_names(seats: Sequence[int]) -> Seat | Text:
    """Seats in a row, by their names."""
    if len(seats) == 1:
        return Seat(seats[0])
    first: Seat | Text = Seat(seats[0])
    for seat in seats[1:-1]:
        first = say("{first}, {second}", first=first, second=Seat(seat))
    return say("{first} and {last}", first=first, last=Seat(seats[-1]))
