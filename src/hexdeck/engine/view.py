"""A seat's view of a match, as data: zones, cards, moves, log. Screens render it and know nothing else of a match."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from hexdeck.engine.arguments import seat_of, shown
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue, Text, card_text, from_data, say


class Event(NamedTuple):
    """A move of a seat, or an outcome of chance (seat -1): its id, and the name that records keep."""

    seat: int
    id: int
    name: str


EVERYONE = 0xFFFF  # audience: a bit for each seat, the highest bit for the public
PUBLIC = 1 << 15
MOST_SEATS = 15


Made = TypeVar("Made")


def altered(thing: Made, **changes: Any) -> Made:
    """A copy of a frozen dataclass with fields changed: `dataclasses.replace`, but several times as fast.

    For classes whose fields are all given to the constructor, and set by nothing else.
    """
    fields = vars(thing)
    if not changes.keys() <= fields.keys():
        raise TypeError(f"{type(thing).__name__} has no {', '.join(sorted(changes.keys() - fields.keys()))}")
    made: Made = object.__new__(type(thing))
    vars(made).update(fields, **changes)
    return made


@dataclass(frozen=True)
class Zone:
    """A place on the table that holds cards, or shows a count.

    `id` names the place, and stays the same when cards move. `seat` is the seat it belongs to, None for the middle of
    the table. `shape` is "fan", "row" or "pile" for cards, "count" for chips and the like, or "board" for cells in rows
    of `columns`. `cards` are the codes of the face-up cards, left to right; on a board, of its cells, row by row from
    the top left, "" for an empty cell. `hidden` is how many more cards lie face down; `count` is the number of chips or
    the like. `owners`, as in a trick, are the seats that played each of `cards`. `places` is how many cards will lie
    there, as far as that is known: each has its place, empty or not.
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
    columns: int = 0
    places: int = 0

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """The rows of a board, from the top."""
        return [self.cards[k : k + self.columns] for k in range(0, len(self.cards), self.columns or 1)]

    def data(self) -> dict[str, Any]:
        """The zone as JSON-able data."""
        out: dict[str, Any] = {"id": self.id, "title": self.title.data(), "seat": self.seat, "shape": self.shape}
        out |= {"cards": list(self.cards), "hidden": self.hidden, "count": self.count}
        out |= {"note": self.note.data() if self.note else None}
        return out | {"owners": list(self.owners), "columns": self.columns, "places": self.places}


def content(text: Text | None) -> Any:
    """All of a text, as something that can be hashed and compared."""
    if text is None or not (text.args or text.plural):
        return text and text.key
    values = tuple((name, type(value), _plain(value)) for name, value in text.args.items())
    return text.key, text.plural, values


def _plain(value: Any) -> Any:
    return content(value) if isinstance(value, Text) else value


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


def told(seat: int, you: Text, others: Text) -> list[Fact]:
    """A fact in two wordings: one for the seat it is about, one for everybody else."""
    return [Fact(1 << seat, you), Fact(EVERYONE & ~(1 << seat), others)]


def everyone(text: Text) -> list[Fact]:
    """A fact in the same words for everybody."""
    return [Fact(EVERYONE, text)]


@dataclass(frozen=True)
class Outcome:
    """How a match that is over ended, as a seat or the public is told.

    `texts`: how it ended for each seat; `won_by`: how far the best is ahead, such as “3 points”, None where that isn't
    counted; `decided_by`: what decided the match, None where who won says it all; `nobody_won`: whether nobody has won,
    not even who has the best result.
    """

    texts: Sequence[Text]
    won_by: Text | None = None
    decided_by: Text | None = None
    nobody_won: bool = False


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
    first, *rest = zone_lines(zone, catalogue)
    owner = "" if zone.seat is None else f"{catalogue.name(zone.seat)}, "
    return [f"{owner}{first}" + (f" – {catalogue.words(zone.note)}" if zone.note else ""), *rest]


def board_lines(zone: Zone, catalogue: Catalogue) -> list[str]:
    """A board as a grid: column letters above, row numbers at the left, a dot for each empty cell."""
    rows = [["", *map(column_name, range(zone.columns))]]
    rows += [
        [str(row), *(card_text(code, catalogue.suits) or "." for code in cells)]
        for row, cells in enumerate(zone.rows, 1)
    ]
    wide = max(len(cell) for cells in rows for cell in cells[1:])
    return [" ".join([cells[0].rjust(3), *(cell.ljust(wide) for cell in cells[1:])]).rstrip() for cells in rows]


def zone_words(zone: Zone, catalogue: Catalogue | None = None) -> str:
    """The contents of a zone in one line: `7 10 ###` (three face down), `Ada 7h  Bram 9c`, on a board `c4 7h`."""
    catalogue = catalogue or Catalogue()
    cards = [card_text(code, catalogue.suits) for code in zone.cards]
    if zone.shape == "board":
        return "  ".join(f"{cell_name(k, zone.columns)} {card}" for k, card in enumerate(cards) if card)
    if zone.owners:
        owned = [f"{catalogue.name(seat)} {card}" for seat, card in zip(zone.owners, cards, strict=True)]
        cards = ["  ".join(owned)]
    parts = [*cards, "#" * zone.hidden if zone.hidden <= 12 else f"#×{zone.hidden}"]
    if zone.count is not None:
        parts.append(str(zone.count))
    return " ".join(part for part in parts if part)


POSITIONS = 512  # of a game, as seats know them

Zones = Callable[[Any, int], Iterable[Zone]]


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
