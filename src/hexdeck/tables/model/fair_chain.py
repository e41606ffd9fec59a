"""Checks that a record is as the chain of its table holds it: options, seats, names, words, and all events in order.

The first fault is named. Whoever changes the chain too, so that it fits, gets another head: it isn't the one that the
server signed, nor one that a player has noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.arguments import shown
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadRecord
from hexdeck.engine.play.record import CHAIN, Record
from hexdeck.engine.text import Text, _, say
from hexdeck.tables.model.chain import FIRST, content_of, field_hash, head_after, link_hash
from hexdeck.tables.model.entries import RETRACT, SHOW
from hexdeck.tables.model.sealing import seal_of
from hexdeck.tables.model.seats import BOT
from hexdeck.tables.signatures import SignedHead, can_sign, is_genuine, signed_head_of

HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class RecordedLink:
    """A link of a record, and where its events begin there. Without a `nonce`, what it holds isn't shown."""

    number: int
    hash: str
    nonce: str = ""
    kind: str = ""
    seat: int = -1
    seats: Mapping[str, Mapping[str, Any]] | None = None
    first: int = 0
    events: int = 0


@dataclass(frozen=True)
class RecordedChain:
    """The chain of a record; `signed`: the head that the server signed, if it signed one."""

    start: Mapping[str, Any]
    links: tuple[RecordedLink, ...]
    signed: SignedHead | None

    @property
    def heads(self) -> list[str]:
        """The head after each link."""
        out = [FIRST]
        for link in self.links:
            out.append(head_after(out[-1], link.hash))
        return out[1:]


# --- reading it -------------------------------------------------------------------------------------------------------
def chain_of(record: Record) -> RecordedChain:
    """The chain of a record; raises BadRecord where it can't be read."""
    note = record.notes.get(CHAIN)
    if not isinstance(note, Mapping) or not isinstance(note.get("start"), Mapping):
        raise unreadable()
    links = note.get("links")
    if not isinstance(links, list) or not links:
        raise unreadable()
    signed = signed_head_of(note["signed"]) if "signed" in note else None
    if "signed" in note and signed is None:
        raise unreadable()
    return RecordedChain(note["start"], tuple(read_links(links)), signed)


def read_links(links: Sequence[Any]) -> Iterator[RecordedLink]:
    """The links of their data; raises BadRecord."""
    first = 0
    for number, data in enumerate(links):
        if not isinstance(data, Mapping) or not isinstance(data.get("hash"), str) or not HASH.fullmatch(data["hash"]):
            raise unreadable()
        if "nonce" not in data:
            yield RecordedLink(number, data["hash"])
            continue
        kind, seat, events, seats = (data.get(key) for key in ("kind", "seat", "events", "seats"))
        if not (isinstance(data["nonce"], str) and isinstance(kind, str) and type(seat) is int):
            raise unreadable()
        if (
            type(events) is not int
            or events < 0
            or not isinstance(seats, Mapping)
            or not all(map(is_change, seats.values()))
        ):
            raise unreadable()
        yield RecordedLink(number, data["hash"], data["nonce"], kind, seat, seats, first, events)
        first += events


def is_change(data: Any) -> bool:
    """Whether data can be what a link changes about a seat."""
    return isinstance(data, Mapping) and all(
        isinstance(value, str)
        if key == "kind"
        else isinstance(value, list) and len(value) in (1, 2) and all(isinstance(each, str) for each in value)
        for key, value in data.items()
    )


def unreadable() -> BadRecord:
    """The error for a chain that can't be read."""
    return BadRecord(say("The record is corrupt: its chain can't be read."))


# --- checking it ------------------------------------------------------------------------------------------------------
def check_chain(record: Record, promise: str, words: Sequence[str], head: str = "", key: str = "") -> None:
    """Raise BadRecord with the first thing in a record that isn't as its chain holds it.

    `promise` and `words`: those of the record. `head`: one that somebody noted. `key`: a public key of the server.
    """
    chain = chain_of(record)
    check_start(record, promise, chain.start)
    check_seats(record, words, chain)
    check_order_of_words(chain, words)
    check_links(record, chain)
    check_head(chain, head, key)


def check_start(record: Record, promise: str, start: Mapping[str, Any]) -> None:
    """Check what the table was set up with."""
    options = start.get("options")
    if not isinstance(options, Mapping):
        raise unreadable()
    for name, value in options.items():
        if record.options.get(name) != value:
            text = _("The option {name} was changed: the record has {given}, and the table had {value}.")
            raise BadRecord(say(text, name=name, given=shown(record.options.get(name)), value=shown(value)))
    if (record.game, record.players) != (start.get("game"), start.get("players")):
        raise BadRecord(say("The game or the number of players was changed: the table had others."))
    if promise != start.get("promise"):
        raise BadRecord(say("The promise was changed: the table had promised another hash."))
    usual = {option.name: option.default for option in definition(find_game(record.game)).rules.OPTIONS}
    for name in sorted(set(record.options) - set(options)):  # of newer rules, as a table goes on with them
        if record.rules == start.get("rules") or record.options[name] != usual.get(name):
            raise BadRecord(say("The option {name} was added: the table had none.", name=name))


def check_seats(record: Record, words: Sequence[str], chain: RecordedChain) -> None:
    """Check who sat where in the end: names, bots, people, and the words that were added."""
    for number, about in enumerate(record.seats):
        last = last_of(chain, number)
        bot = about.get("bot") if last.get("kind") == BOT else None
        if ("bot" in about) != (last.get("kind") == BOT) or not opens(last, "bot", bot, when=bot is not None):
            raise changed_seat(_("The player in seat {seat} was changed: the record has {given}."), number,
                               shown(about["bot"]) if "bot" in about else say("a person"))  # fmt: skip
        if not opens(last, "name", about.get("name")):
            raise changed_seat(_("The name of seat {seat} was changed: the record has {given}."), number,
                               shown(about.get("name")))  # fmt: skip
        seal = seal_of(words[number]) if words[number] else None
        if "seal" in last and not (opens(last, "seal", "") or opens(last, "seal", seal, when=seal is not None)):
            raise changed_seat(_("The words of seat {seat} aren't those that were sealed: the record has {given}."),
                               number, shown(words[number]))  # fmt: skip
        if not opens(last, "words", words[number]):
            raise changed_seat(_("The words of seat {seat} were changed: the record has {given}."), number,
                               shown(words[number]))  # fmt: skip


def all_sealed(chain: RecordedChain, words: Sequence[str]) -> bool:
    """Whether everybody who added words had sealed them, before any were shown."""
    return all(is_sealed(last_of(chain, seat), added) for seat, added in enumerate(words) if added)


def is_sealed(last: Mapping[str, Any], words: str) -> bool:
    """Whether words are those that a seat sealed; `last`: what the chain holds of it."""
    return "seal" in last and opens(last, "seal", seal_of(words))


def kept_back(chain: RecordedChain, words: Sequence[str]) -> list[int]:
    """The seats that sealed words and didn't show them."""
    found = (last_of(chain, seat) for seat in range(len(words)))
    return [seat for seat, last in enumerate(found)
            if not words[seat] and "seal" in last and not opens(last, "seal", "")]  # fmt: skip


def last_of(chain: RecordedChain, seat: int) -> dict[str, Any]:
    """What the chain holds of a seat in the end."""
    last: dict[str, Any] = {}
    for link in chain.links:
        last |= (link.seats or {}).get(str(seat), {})
    return last


def check_order_of_words(chain: RecordedChain, words: Sequence[str]) -> None:
    """Check that no words were added after sealed ones had been shown, whatever an entry says that it is."""
    begun = next((link.number for link in chain.links if link.kind == SHOW), len(chain.links))
    for seat, added in enumerate(words):
        last, at = last_of(chain, seat), {field: link for link in chain.links
                                          for field in (link.seats or {}).get(str(seat), {})}  # fmt: skip
        sealed = is_sealed(last, added)
        late = at.get("seal" if sealed else "words")
        if added and late is not None and late.number > begun:
            raise BadRecord(
                say("Words were added after sealed ones had been shown (entry {number}).", number=late.number)
            )
        if added and sealed and (at["words"].kind, at["words"].seat) != (SHOW, seat):
            raise BadRecord(say("Sealed words were added without being shown (entry {number}).",
                                number=at["words"].number))  # fmt: skip


def opens(last: Mapping[str, Any], field: str, value: Any, *, when: bool = True) -> bool:
    """Whether a value is what the chain holds in a field of a seat."""
    if not when:
        return True
    if field not in last:
        return bool(value == "")
    return (
        isinstance(value, str) and len(last[field]) == 2 and field_hash(field, last[field][1], value) == last[field][0]
    )


def changed_seat(text: str, number: int, given: Any) -> BadRecord:
    """The error for something about a seat, which people count from 1."""
    return BadRecord(say(text, seat=number + 1, given=given))


def check_links(record: Record, chain: RecordedChain) -> None:
    """Check every link against the events of the record."""
    for link in chain.links:
        if link.nonce and not fits(chain, link, record.events):
            raise BadRecord(fault_of(record, chain, link))
    check_hidden(chain)
    held = sum(link.events for link in chain.links)
    if held != len(record.events):
        text = _("The record has {count} events, but the chain holds {held}.")
        raise BadRecord(say(text, count=len(record.events), held=held))


def check_hidden(chain: RecordedChain) -> None:
    """Check that what isn't shown was taken back: before that, and after all that its player has chosen before.

    Otherwise who has all nonces could show the choice that was taken back, and hide the one that was made.
    """
    backs, made = (
        list[tuple[int, int]](),
        dict[int, int](),
    )  # when, and after what; by seat, its last choice that stands
    for link in chain.links:
        if link.kind == RETRACT:
            backs.append((link.number, made.get(link.seat, -1)))
        elif link.events:
            made[link.seat] = link.number
    wrong = BadRecord(say("The chain hides an entry that wasn't taken back."))
    for number in (link.number for link in chain.links if not link.nonce):
        fitting = [back for back in backs if back[1] < number < back[0]]
        if not fitting:
            raise wrong
        backs.remove(min(fitting))
    if backs:
        raise wrong


def fits(chain: RecordedChain, link: RecordedLink, events: Sequence[str]) -> bool:
    """Whether a link holds its part of these events."""
    start, own = chain.start if link.number == 0 else None, events[link.first : link.first + link.events]
    content = content_of(link.number, link.kind, link.seat, own, link.seats or {}, start)
    return link_hash(link.nonce, content) == link.hash


def fault_of(record: Record, chain: RecordedChain, link: RecordedLink) -> Text:
    """What was changed about the first link that doesn't fit: which event it is, and what it was, are found by trying.

    Two events in another order are told from one that was changed: exchanged again, both fit.
    """
    events, end = list(record.events), link.first + link.events
    for at in range(link.first, end):
        for other in range(at + 1, len(events)):
            again = [*events[:at], events[other], *events[at + 1 : other], events[at], *events[other + 1 :]]
            if fits(chain, link, again) and fits(chain, link_with(chain, other), again):
                return say("Events {event} and {other} of the record were put in another order.", event=at, other=other)
    for at in range(link.first, end):
        for text in possible_events(record):
            if fits(chain, link, [*events[:at], text, *events[at + 1 :]]):
                message = _("Event {event} of the record was changed: it is {given}, and the chain holds {text}.")
                return say(message, event=at, given=shown(events[at]), text=shown(text))
    if link.number == 0:
        return say("What the table was set up with was changed: its game, options, seats or promise.")
    if link.events:
        message = _("Events {first} to {last} of the record were changed: the chain holds others.")
        return say(message, first=link.first, last=end - 1)
    return say("Entry {number} of the chain was changed.", number=link.number)


def link_with(chain: RecordedChain, event: int) -> RecordedLink:
    """The link that holds an event of the record."""
    found = (link for link in chain.links if link.first <= event < link.first + link.events)
    return next(found, chain.links[-1])


def possible_events(record: Record) -> Iterator[str]:
    """All events that the game of a record has."""
    rules = definition(find_game(record.game)).rules
    yield from (f"{seat}: {action}" for seat in range(record.players) for action in rules.ACTIONS)
    yield from rules.OUTCOMES


# --- its head ---------------------------------------------------------------------------------------------------------
def check_head(chain: RecordedChain, noted: str, key: str) -> None:
    """Check the head that the server signed, and what somebody knows of heads and keys."""
    heads, signed = chain.heads, chain.signed
    if signed is not None:
        if (signed.table, signed.number, signed.head) != (chain.start.get("table"), len(heads) - 1, heads[-1]):
            raise BadRecord(say("The chain was changed: its head is not the one that the server signed."))
        if can_sign() and not is_genuine(signed):
            raise BadRecord(say("The signature is not of the key that the record names."))
    if key and (signed is None or signed.key != key):
        raise BadRecord(say("The head of the chain was not signed with the key that you named."))
    if noted and noted not in heads:
        text = _(
            "The head that you noted is not in the chain: something before it was changed, or it is another table's."
        )
        raise BadRecord(say(text))
