"""What a seat sees, as data: zones, cards, moves, log. Every screen renders this and nothing else."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hexdeck.engine.text import Catalogue, Text

EVERYONE = 0xFFFF  # audience bits: a bit per seat, the highest for the public
PUBLIC = 1 << 15


@dataclass(frozen=True)
class Zone:
    """A place on the table.

    `cards`: the codes of cards face up, left to right; `hidden`: how many more lie face down. `seat` is whose place it
    is, None for the middle. `shape`: "fan", "row" or "pile" of cards, or "count" for chips and the like, then in
    `count`. `id` is stable: by place, never by card.
    """

    id: str
    title: Text
    seat: int | None = None
    shape: str = "row"
    cards: tuple[str, ...] = ()
    hidden: int = 0
    count: int | None = None
    note: Text | None = None

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        out: dict[str, Any] = {"id": self.id, "title": self.title.data(), "seat": self.seat, "shape": self.shape}
        out |= {"cards": list(self.cards), "hidden": self.hidden, "count": self.count}
        return out | {"note": self.note.data() if self.note else None}


@dataclass(frozen=True)
class Move:
    """A legal action of a seat: its id, its stable name in records (`"grave 7"`) and a label for people."""

    id: int
    name: str
    label: Text

    @property
    def text(self) -> str:
        """The label in English."""
        return str(self.label)

    def __repr__(self) -> str:
        return f"Move(id={self.id}, text={self.text!r})"

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {"id": self.id, "name": self.name, "label": self.label.data()}


@dataclass(frozen=True)
class Fact:
    """Something that happened, for those in `audience` (bits) to be told."""

    audience: int
    text: Text

    def heard_by(self, seat: int) -> bool:
        """Whether a seat, or the public (-1), is told."""
        return bool(self.audience >> (seat if seat >= 0 else 15) & 1)

    def data(self) -> dict[str, Any]:
        """As JSON-able data."""
        return {"audience": self.audience, "text": self.text.data()}


def told(seat: int, you: Text, others: Text) -> list[Fact]:
    """A fact in two wordings: for the seat it is about and for everybody else."""
    return [Fact(1 << seat, you), Fact(EVERYONE & ~(1 << seat), others)]


def everyone(text: Text) -> list[Fact]:
    """A fact in the same words for all."""
    return [Fact(EVERYONE, text)]


@dataclass(frozen=True)
class View:
    """What one seat (-1: the public) sees of a match at one ply."""

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
    fates: tuple[Text, ...] = ()
    names: tuple[str, ...] = ()
    folders: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def data(self) -> dict[str, Any]:
        """As JSON-able data: messages by key and arguments, so that each screen speaks its own language."""
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
            "fates": [fate.data() for fate in self.fates],
        }

    def text(self, lang: str = "en") -> str:
        """As plain lines of text."""
        words = Catalogue(lang, self.folders, self.names).words
        lines = [f"{words(zone.title)}: {zone_words(zone)}".rstrip(": ") for zone in self.zones]
        lines += [words(self.prompt)] + [f"  {words(move.label)}" for move in self.moves]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()


def zone_words(zone: Zone) -> str:
    """Cards and counts of a zone in one line: `7 10 + 3 face down` as `7 10 ###`."""
    parts = [*zone.cards, "#" * zone.hidden if zone.hidden <= 12 else f"#×{zone.hidden}"]
    if zone.count is not None:
        parts.append(str(zone.count))
    return " ".join(part for part in parts if part)
