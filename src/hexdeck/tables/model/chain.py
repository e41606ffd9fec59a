"""The chain of a table: a hash for each of its entries, so that nothing can be changed afterwards or put elsewhere.

Each link hashes a nonce with what an entry holds: its number, its kind, its seat, its events and what it changes about
seats; the first also what was promised. Names, bots and words enter as hashes with nonces of their own, so that they
can be deleted, or stay secret, while all else can still be checked. A head hashes the head before with a link: whoever
has noted a head can tell whether anything up to it was changed.

Before the end nonces are secret, so heads and links give nothing away. What is hashed here, and how, is written down in
`docs/reference/records.md`; `fair_chain.py` checks it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.event import Event
from hexdeck.engine.play.record import event_text
from hexdeck.tables.model.entries import RETRACT, Draft, Entry, last_index_of
from hexdeck.tables.model.seats import Seat

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game
    from hexdeck.tables.model.live import LiveTable

NONCE_BYTES = 16
FIRST = "00" * 32  # the head before the first link
FIELDS = {
    "name": "name",
    "level": "bot",
    "contribution": "words",
    "sealed": "seal",
    "adds": "rematch",
}  # of a seat, as the chain says
SeatChanges = dict[str, dict[str, Any]]  # by seat: its "kind", and for each changed field its hash and its nonce


@dataclass(frozen=True)
class Link:
    """What an entry adds to the chain: its hash, what it changes about seats, and the first also what was promised."""

    hash: str
    seats: Mapping[str, Mapping[str, Any]]
    start: Mapping[str, Any] | None = None

    def data(self) -> dict[str, Any]:
        """What is stored of it besides its hash."""
        return ({"seats": dict(self.seats)} if self.seats else {}) | ({"start": self.start} if self.start else {})


def link_of(stored_hash: str | None, stored: str | None) -> Link | None:
    """The link of what is stored; None for entries of a table without a chain."""
    if stored_hash is None:
        return None
    data = json.loads(stored or "{}")
    return Link(stored_hash, data.get("seats", {}), data.get("start"))


def digest(purpose: str, *parts: str) -> str:
    """The SHA-256 of some parts under a purpose, as a JSON list."""
    text = json.dumps([f"hexdeck {purpose} 1", *parts], ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def field_hash(field: str, nonce: str, value: str) -> str:
    """The hash of what a seat has in a field of the chain."""
    return digest("field", field, nonce, value)


def link_hash(nonce: str, content: Mapping[str, Any]) -> str:
    """The hash of an entry's content."""
    return digest("link", nonce, json.dumps(content, ensure_ascii=True, sort_keys=True, separators=(",", ":")))


def head_after(head: str, link: str) -> str:
    """The head after one more link."""
    return digest("head", head, link)


def content_of(
    number: int, kind: str, seat: int, events: Sequence[str], seats: Mapping[str, Mapping[str, Any]],
    start: Mapping[str, Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """What a link hashes: an entry, without the nonces of its fields."""
    bare = {each: {key: value[0] if key != "kind" else value for key, value in changes.items()}
            for each, changes in seats.items()}  # fmt: skip
    begun = {} if start is None else {"start": dict(start)}
    return {"number": number, "kind": kind, "seat": seat, "events": list(events), "seats": bare} | begun


def event_texts(game: Game, entry: Entry) -> list[str]:
    """The events of an entry, as records write them."""
    names = game.rules
    return [
        event_text(Event(seat, id, (names.OUTCOMES if seat == CHANCE else names.ACTIONS)[id]))
        for seat, id in entry.pairs
    ]


# --- making it --------------------------------------------------------------------------------------------------------
def start_of(table: LiveTable) -> dict[str, Any]:
    """What was promised before the deal: the first link holds it."""
    chosen = table.game
    return {
        "table": table.id, "game": chosen.name, "rules": chosen.definition.struct_version, "players": chosen.players,
        "options": dict(chosen.options), "promise": table.commitment,
    }  # fmt: skip


def is_chained(table: LiveTable) -> bool:
    """Whether a table has a chain; those that were set up by an earlier hexdeck have none."""
    return not table.entries or table.entries[0].link is not None


def chained(table: LiveTable, draft: Draft, source: random.Random) -> Draft:
    """The draft with the links of its entries; nonces come from a source of randomness."""
    if not is_chained(table):
        return draft
    before = table.seats if table.entries else (None,) * len(draft.seats)
    changes = changed_seats(before, draft.seats, source)
    entries = []
    for k, entry in enumerate(draft.entries):
        seats = changes if k == 0 else {}
        start = start_of(table) if entry.version == 0 else None
        content = content_of(entry.version, entry.kind, entry.seat, event_texts(table.game, entry), seats, start)
        link = Link(link_hash(nonce_of(table, entry.version), content), seats, start)
        entries.append(replace(entry, link=link))
    return replace(draft, entries=tuple(entries))


def changed_seats(before: Sequence[Seat | None], after: Sequence[Seat], source: random.Random) -> SeatChanges:
    """What has changed about seats, each field as its hash and its nonce."""
    out: SeatChanges = {}
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        changes: dict[str, Any] = {} if old is not None and old.kind == new.kind else {"kind": new.kind}
        for attribute, field in FIELDS.items():
            value = getattr(new, attribute)
            if value != (getattr(old, attribute) if old is not None else ""):
                nonce = source.randbytes(NONCE_BYTES).hex()
                changes[field] = [field_hash(field, nonce, value), nonce]
        if changes:
            out[str(number)] = changes
    return out


def nonce_of(table: LiveTable, number: int) -> str:
    """The nonce of a table's link: it follows from a key that is never shown."""
    text = f"link {number} of {table.id}"
    return hmac.new(table.invitation_key, text.encode(), hashlib.sha256).digest()[:NONCE_BYTES].hex()


# --- showing it -------------------------------------------------------------------------------------------------------
def broken_link(table: LiveTable) -> int:
    """The number of the first entry of a table that isn't as its link holds it, or -1."""
    for entry in table.entries:
        if entry.link is not None:
            held = entry.link
            texts = event_texts(table.game, entry)
            content = content_of(entry.version, entry.kind, entry.seat, texts, held.seats, held.start)
            if link_hash(nonce_of(table, entry.version), content) != held.hash or not begun_so(table, held.start):
                return entry.version
    return -1


def begun_so(table: LiveTable, start: Mapping[str, Any] | None) -> bool:
    """Whether a table has what its first link holds; newer rules may have added options."""
    if start is None:
        return True
    now = start_of(table)
    options = {name: value for name, value in now["options"].items() if name in start["options"]}
    return {**now, "rules": start["rules"], "options": options} == dict(start)


def changed_seat(table: LiveTable) -> int:
    """The number of the first seat that isn't as the chain holds it, or -1."""
    if not is_chained(table):
        return -1
    held: dict[str, dict[str, Any]] = {}
    for entry in table.entries:
        for number, changes in entry.link.seats.items() if entry.link is not None else ():
            held.setdefault(number, {}).update(changes)
    for place, seat in enumerate(table.seats):
        last = held.get(str(place), {})
        wrong = [field for attribute, field in FIELDS.items() if not is_held(last.get(field), field, seat, attribute)]
        if wrong or last.get("kind") != seat.kind:
            return place
    return -1


def is_held(last: Sequence[str] | None, field: str, seat: Seat, attribute: str) -> bool:
    """Whether a seat has in a field what the chain holds of it; what was deleted isn't there to compare."""
    value: str = getattr(seat, attribute)
    if last is None:
        return value == ""
    return len(last) < 2 or field_hash(field, last[1], value) == last[0]


def head_at(table: LiveTable, number: int) -> str:
    """The head after the entry of a number; empty for a table without a chain."""

    def followed() -> str:
        head = FIRST
        for entry in table.entries[: number + 1]:
            assert entry.link is not None
            head = head_after(head, entry.link.hash)
        return head

    found: str = table.cached(("head", number), followed) if is_chained(table) else ""
    return found


def chain_note(table: LiveTable) -> dict[str, Any]:
    """The chain of a match that is over, as its record holds it.

    A choice that was taken back stays its player's: of it there is only the hash. Of each field only the last value can
    be opened: it is the one that the record holds.
    """
    gone, last = retracted(table.entries), last_changes(table.entries)
    links = [
        {"hash": entry.link.hash} if entry.version in gone else opened_link(table, entry, last)
        for entry in table.entries
        if entry.link is not None
    ]
    first = table.entries[0].link
    return {"start": dict(first.start or {}) if first else {}, "links": links}


def opened_link(table: LiveTable, entry: Entry, last: Mapping[tuple[str, str], int]) -> dict[str, Any]:
    """A link with its nonce, and all that it hashes but the events, which the record has."""
    assert entry.link is not None
    seats = {
        number: {
            field: value if field == "kind" or opens(field, number, entry.version, last) else value[:1]
            for field, value in changes.items()
        }
        for number, changes in entry.link.seats.items()
    }
    return {"kind": entry.kind, "seat": entry.seat, "events": len(entry.pairs), "seats": seats,
            "hash": entry.link.hash, "nonce": nonce_of(table, entry.version)}  # fmt: skip


def opens(field: str, seat: str, version: int, last: Mapping[tuple[str, str], int]) -> bool:
    """Whether a record opens a field; words for a rematch stay secret until that is over."""
    return field != FIELDS["adds"] and last[seat, field] == version


def last_changes(entries: Sequence[Entry]) -> dict[tuple[str, str], int]:
    """By seat and field: the number of the entry that changed it last."""
    return {
        (number, field): entry.version
        for entry in entries if entry.link is not None
        for number, changes in entry.link.seats.items() for field in changes
    }  # fmt: skip


def retracted(entries: Sequence[Entry]) -> set[int]:
    """The numbers of entries whose choices were taken back."""
    standing, gone = list[Entry](), set[int]()
    for entry in entries:
        if entry.kind == RETRACT:
            gone.add(standing.pop(last_index_of(standing, entry.seat)).version)
        elif entry.pairs:
            standing.append(entry)
    return gone
